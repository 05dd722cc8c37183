"""Short descriptions of heads and MLPs, with the program's names where there are any."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hyloop.lang.matrices import along_each
from hyloop.lang.program import Op, Program
from hyloop.lang.purpose import Purpose
from hyloop.machine.layer import Head, Mlp
from hyloop.machine.model import Model
from hyloop.machine.words import ERASE, Words, computed

LINKS = along_each(
    lambda matrix: {
        matrix.containing: "",
        matrix.touching: "",
        matrix.covered: "by ",
        matrix.product: "",
        matrix.transposed: "",
    }
)


@dataclass(frozen=True)
class Explanation:
    """What a head or an MLP computes, by which operations, and the source lines."""

    names: tuple[str, ...]
    how: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()


class Explanations:
    """Descriptions of the parts of a model, from their purposes."""

    def __init__(self, model: Model) -> None:
        self.words = Words(model)

    @property
    def program(self) -> Program | None:
        """The program that the model implements."""
        return self.words.program

    def of_head(self, head: Head) -> Explanation:
        """The values that a head computes, and the operations that it implements."""
        brings = head.purpose.brings
        names = dict.fromkeys(self.words.name(each) for each in brings if self.words.named(each))
        how = dict.fromkeys(map(self._phrase, brings))
        empties = (ERASE,) if head.purpose.empties else ()
        return Explanation((*names, *empties), tuple(how), self._lines(brings))

    def of_mlp(self, mlp: Mlp) -> Explanation:
        """The values that the units compute, named ones first."""
        found = sorted(computed(mlp), key=lambda each: not self.words.named(each))
        return Explanation(tuple(dict.fromkeys(map(self.words.name, found))), (), self._lines(found))

    def held(self, model: Model) -> dict[tuple[int, int], str]:
        """By layer and column: the value in a temporary column after the layer, in the loop."""
        found: dict[tuple[int, int], str] = {}
        for each in model.held:
            loop = [purpose for purpose in each.purposes if purpose.section == "body"]
            if loop:
                found[each.layer, each.column] = self.words.name(loop[0])
        return found

    def _lines(self, purposes: Iterable[Purpose]) -> tuple[int, ...]:
        return tuple(sorted({self.words.op(each).where.line for each in purposes}))

    def _phrase(self, purpose: Purpose) -> str:
        op, program = self.words.op(purpose), self.program
        assert program is not None
        of = [_called(program.section(purpose.section).ops[number]) for number in op.operands]
        if op.name == "read" and all(of):
            return f"{of[0]}[{of[1]}]"
        return f"{op.name} {LINKS.get(op.name, 'of ')}{', '.join(filter(None, of))}" if any(of) else op.name


def _called(op: Op) -> str:
    if op.name in {"state", "input"}:
        return str(op.argument)
    return op.label or (op.name if op.name == "weight" else "")
