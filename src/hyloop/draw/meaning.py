"""What a head or an MLP is for, in few words: the program's own names where it has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hyloop.lang.program import Op, Program, Section
from hyloop.lang.text import from_text
from hyloop.machine.layer import Head, Mlp
from hyloop.machine.model import Model

SERVES = re.compile(r"(?P<what>.+) \([^()]*:(?P<line>\d+)\)$")
IN_STAGE = re.compile(r"(?P<what>[^,]+) \([^()]*:(?P<line>\d+)\) in stage \d")
# What becomes a product with the incidence; the compiler calls it `times`.
ACROSS: dict[str, frozenset[str]] = {
    "plain": frozenset(),
    "incidence": frozenset({"members", "covered", "incidence"}),
    "transposed": frozenset({"containing", "touching", "transposed"}),
}
LINKS = {"containing": "", "touching": "", "covered": "by ", "incidence": "", "transposed": ""}


@dataclass(frozen=True)
class Meaning:
    """What something computes, how, and the source lines."""

    names: tuple[str, ...]
    how: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()


class Meanings:
    """Looks up, in a model's program, what its parts are for. Without a program, what the parts say themselves."""

    def __init__(self, model: Model) -> None:
        self.program: Program | None = from_text(model.program) if model.program else None

    def of_head(self, head: Head) -> Meaning:
        """The values that a head brings, and the operations on whose behalf."""
        names: dict[str, None] = {}
        how: dict[str, None] = {}
        lines: dict[int, None] = {}
        for text in head.serves:
            told = SERVES.match(text)
            if told is None:
                names[text] = None
                continue
            lines[int(told["line"])] = None
            found = list(self._ops(told["what"], int(told["line"]), head))
            how.update(dict.fromkeys(self._phrases(found)))
            if told["what"] not in {"times", *(op.name for _, op in found)}:
                names[told["what"]] = None
        return Meaning(tuple(names), tuple(how), tuple(lines))

    def _phrases(self, found: list[tuple[Section, Op]]) -> list[str]:
        """What the operations say; where several could be meant, only what they have in common."""
        phrases = {self._phrase(op, section): op.name for section, op in found}
        return list(phrases) if len(phrases) == 1 else list(dict.fromkeys(phrases.values()))

    def of_mlp(self, mlp: Mlp) -> Meaning:
        """The values that the units compute, those with a name of their own first."""
        told = [match for unit in mlp.units for match in IN_STAGE.finditer(unit)]
        names = dict.fromkeys(match["what"].strip() for match in told)
        lines = sorted({int(match["line"]) for match in told})
        own = [name for name in names if self._is_named(name)]
        return Meaning((*own, *(name for name in names if name not in own)), (), tuple(lines))

    def held(self, model: Model) -> dict[tuple[int, str], str]:
        """By layer and column, what a temporary column holds after the layer, in the loop."""
        if self.program is None:
            return {}
        ops = self.program.body.ops
        return {(each.layer, each.column): ops[each.op].label or ops[each.op].name for each in model.locals if
                each.section == "body"}  # fmt: skip

    def _sections(self) -> Iterator[Section]:
        if self.program is not None:
            yield from (self.program.body, self.program.before)

    def _ops(self, what: str, line: int, head: Head) -> Iterator[tuple[Section, Op]]:
        """The operations of that name in that source line that can be a head's of this kind."""
        for section in self._sections():
            for op in section.ops:
                wanted = op.name in ACROSS[head.kind] if what == "times" else what in {op.label, op.name}
                if wanted and op.where.line == line and op.name not in {"state", "input"}:
                    yield section, op

    def _phrase(self, op: Op, section: Section) -> str:
        of = [self._called(section.ops[number]) for number in op.operands]
        if op.name == "read" and all(of):
            return f"{of[0]}[{of[1]}]"
        return f"{op.name} {LINKS.get(op.name, 'of ')}{', '.join(filter(None, of))}" if any(of) else op.name

    @staticmethod
    def _called(op: Op) -> str:
        if op.name in {"state", "input"}:
            return str(op.argument)
        return op.label or (op.name if op.name == "weight" else "")

    def _is_named(self, name: str) -> bool:
        if self.program is None:
            return True
        labels = {op.label for section in self._sections() for op in section.ops}
        return name in labels or name in {state.name for state in self.program.states}
