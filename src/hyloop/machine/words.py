"""Purposes in words: the program's own names and source lines. For display only; nothing parses them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from hyloop.errors import ModelError
from hyloop.lang.program import Op, Program
from hyloop.lang.purpose import Purpose, SectionName, joined
from hyloop.lang.source import Location
from hyloop.machine.layer import Head, Layer, Mlp, nonzero_rows
from hyloop.machine.model import Model

ERASE, CARRY = "erase", "carry"


@dataclass(frozen=True)
class Stage:
    """What the units of one stage of an MLP compute, and how many of them carry a value to the next stage."""

    implements: tuple[str, ...]
    carries: int


@dataclass(frozen=True)
class PartOfLayer:
    """A head, or the hidden units of an MLP that serve one name of the program: what for, and what they write."""

    head: int | None  # its number, from 1
    kind: str  # of the head
    names: tuple[str, ...]
    places: tuple[Location, ...]
    units: int
    writes: tuple[int, ...]


class Words:
    """What the parts of a model are for, in words. Without a program there are no words."""

    def __init__(self, model: Model) -> None:
        self.model = model

    @cached_property
    def program(self) -> Program | None:
        """The program that the model implements."""
        return self.model.parsed if self.model.program else None

    def op(self, purpose: Purpose) -> Op:
        """The operation of a purpose."""
        ops = self.program.section(purpose.section).ops if self.program is not None else ()
        if purpose.op >= len(ops):
            raise ModelError(
                f"{self.model.name} names operation {purpose.op} of its program as a purpose; there is none."
            )
        return ops[purpose.op]

    @cached_property
    def _assigned(self) -> dict[tuple[SectionName, int], list[str]]:
        """The states that each operation is assigned to."""
        found: dict[tuple[SectionName, int], list[str]] = {}
        names: tuple[SectionName, ...] = ("before", "body")
        for section in names if self.program is not None else ():
            for state, number in self.program.section(section).updates.items():  # type: ignore[union-attr]
                found.setdefault((section, number), []).append(state)
        return found

    def name(self, purpose: Purpose) -> str:
        """Its name: the one that the program gives it, or that of the operation."""
        op = self.op(purpose)
        if purpose.part in {"assignment", "gate"}:
            return " and ".join(self._assigned.get((purpose.section, purpose.op), [])) or op.label or op.name
        if purpose.part == "halt":
            return "halt"
        return op.label or op.name

    def named(self, purpose: Purpose) -> bool:
        """Whether the program has a name for it."""
        return purpose.part != "value" or bool(self.op(purpose).label)

    def text(self, purpose: Purpose) -> str:
        """`edge (dijkstra.py:22)`."""
        return f"{self.name(purpose)} ({self.op(purpose).where})"

    def texts(self, purposes: Iterable[Purpose]) -> tuple[str, ...]:
        """Each text once."""
        return tuple(dict.fromkeys(map(self.text, purposes)))

    def of_head(self, head: Head) -> tuple[str, ...]:
        """What a head computes, and whether it erases columns."""
        return (*self.texts(head.purpose.brings), *([ERASE] if head.purpose.empties else []))

    def of_layer(self, layer: Layer) -> tuple[str, ...]:
        """What a layer does: its notes, and what its heads compute."""
        return tuple(dict.fromkeys([*layer.notes, *(text for head in layer.heads for text in self.of_head(head))]))

    def of_mlp(self, mlp: Mlp) -> tuple[str, ...]:
        """What the hidden units compute."""
        return self.texts(computed(mlp))

    def of_stages(self, mlp: Mlp) -> list[Stage]:
        """What the hidden units do, stage by stage."""
        stages = []
        for stage in mlp.purposes:
            computed_here = [unit for unit in stage if unit.purposes and not unit.carries]
            texts = self.texts(joined(*(unit.purposes for unit in computed_here)))
            stages.append(Stage(texts, sum(unit.carries for unit in stage)))
        return stages

    def parts(self, layer: Layer) -> list[PartOfLayer]:
        """The heads of a layer, then its hidden units by the names that they compute a part of."""
        heads = [self._head(number, head) for number, head in enumerate(layer.heads, start=1)]
        groups: dict[str, list[Purpose]] = {}
        for purpose in computed(layer.mlp):
            groups.setdefault(self.name(purpose), []).append(purpose)
        named = (self._units(layer.mlp, name, purposes) for name, purposes in groups.items())
        return [*heads, *named, *self._started(layer.mlp)]

    def _head(self, number: int, head: Head) -> PartOfLayer:
        brings = head.purpose.brings
        names = (*(self.name(each) for each in brings), *([ERASE] if head.purpose.empties else []))
        return PartOfLayer(
            number, head.kind, tuple(dict.fromkeys(names)), self._places(brings), 0, tuple(sorted(head.writes))
        )

    def _units(self, mlp: Mlp, name: str, purposes: Sequence[Purpose]) -> PartOfLayer:
        """The units that compute a part of these in some stage; the last stage, also by carrying it, writes it."""
        these = set(purposes)
        units = {
            unit
            for stage in mlp.purposes
            for unit, each in enumerate(stage)
            if not each.carries and not these.isdisjoint(each.purposes)
        }
        last = [unit for unit, each in enumerate(mlp.purposes[-1]) if not these.isdisjoint(each.purposes)]
        writes = tuple(sorted(nonzero_rows(mlp.weights[3][last].T)))
        return PartOfLayer(None, "", (name,), self._places(purposes), len(units), writes)

    def _started(self, mlp: Mlp) -> list[PartOfLayer]:
        """The units that write `started`: no operation of the program asks for it, so they have no purpose."""
        columns = [number for number, each in enumerate(self.model.layout.columns) if each.role == "started"]
        units = [(each, int((mlp.weights[3][:, each] != 0).sum())) for each in columns]
        names = self.model.layout.columns
        return [PartOfLayer(None, "", (names[each].name,), (), count, (each,)) for each, count in units if count > 0]

    def _places(self, purposes: Iterable[Purpose]) -> tuple[Location, ...]:
        """Where the operations stand, a line once."""
        places = [self.op(each).where for each in purposes]
        return tuple({(each.file, each.line): each for each in places}.values())

    def of_unit(self, mlp: Mlp, unit: int) -> str:
        """What a hidden unit does, stage by stage; "carry" where it only passes a value on."""
        found = []
        for number, stage in enumerate(mlp.purposes, start=1):
            each = stage[unit]
            if not each.carries and each.purposes:
                found.append(f"{'; '.join(self.texts(each.purposes))} in stage {number}")
        return ", ".join(found) or CARRY


def computed(mlp: Mlp) -> tuple[Purpose, ...]:
    """What the hidden units compute, without those that carry."""
    return joined(*(unit.purposes for stage in mlp.purposes for unit in stage if not unit.carries))
