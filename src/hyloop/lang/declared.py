"""Declared bounds of states, `h.state(Count, 0, at_most=n)`: whether every assignment stays within them.

It is shown by induction: while all states are within their bounds, so is whatever they become. A bound may be a size,
and must hold on every hypergraph. The ranges of `lang.bounds` hold for all hypergraphs within a capacity at once, so
beside them an operation is followed to what its own bound comes from: a size, a constant, a state with a bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from hyloop.lang.bounds import Bounds, Limits, bounds_of
from hyloop.lang.budgets import SIZE_DEPTH, SIZE_PARTS
from hyloop.lang.clocks import lasting
from hyloop.lang.conditions import Branch, Taken
from hyloop.lang.ops import OPERATIONS
from hyloop.lang.program import Op, Program
from hyloop.lang.ranges import (
    BasicBlock,
    BoundRule,
    greatest,
    least,
    like_first,
    of_entry,
    quotient,
    remainder,
)
from hyloop.lang.size import Size
from hyloop.lang.source import LanguageError

# Of each rule that takes the bound of an operation from its operands: from which, and whether one of them is enough.
_FROM: Mapping[BoundRule, Literal["first", "one", "all"]] = {
    like_first: "first",
    of_entry: "first",
    least: "one",
    greatest: "all",
    quotient: "first",
    remainder: "one",
}
DEPTH = 100  # of operations within operations that are followed
# The sizes that an operation of the program computes: its operator, with two operands or one and a constant part.
_OPERATORS = {"add": "+", "subtract": "-", "multiply": "*", "quotient": "//", "larger": "max"}


def require_within(program: Program, limits: Limits) -> None:
    """Raise for an assignment that may exceed the declared bound of its state, as far as can be shown."""
    bounds = {state.name: state.at_most for state in program.states if state.at_most is not None}
    if not bounds:
        return
    found = bounds_of(program, limits)
    for name, bound in bounds.items():
        for place, part in enumerate(found.parts):
            shown = _Shown(found, place, bounds, bound, limits.rows)
            if name in part.updates and not shown.within(part.updates[name]):
                raise _not_shown(name, bound, shown)


def _not_shown(name: str, bound: Size, shown: _Shown) -> LanguageError:
    """The error for a state, at the first assignment that may exceed its bound."""
    part = shown.part
    open_ = [at for _, value, at in lasting(part, name) if not shown.within(value)]
    advice = f"instead of the value, assign `smaller(value, c)`, where c is {bound}."
    if not bound.is_computed:
        advice = (
            "declare a bound that can be computed, of `+`, `-`, `*`, `//` and `largest`, and assign "
            "`smaller(value, c)` with it."
        )
    return LanguageError(
        f"{name} is declared to be at most {bound}, and that cannot be shown of this assignment from the ranges of its "
        f"values alone; {advice}",
        part.ops[min(open_, default=part.updates[name])].where,
    )


@dataclass(frozen=True)
class _Shown:
    """Which operations of a part are within a bound on every hypergraph, if the states are within theirs."""

    bounds: Bounds
    place: int
    states: Mapping[str, Size]
    bound: Size
    rows: int
    found: dict[int, bool] = field(default_factory=dict)

    @property
    def part(self) -> BasicBlock:
        return self.bounds.parts[self.place]

    def within(self, number: int, depth: int = DEPTH) -> bool:
        """Whether it is shown that an operation never exceeds the bound."""
        if number not in self.found:
            self.found[number] = depth > 0 and self._within(number, depth - 1)
        return self.found[number]

    def _within(self, number: int, depth: int) -> bool:
        op = self.part.ops[number]
        if self.bounds.at_end(self.bounds.values[self.place][number]) <= self.bound.least:
            return True
        known = self.states.get(str(op.argument)) if op.name == "state" else _size(self.part, op, SIZE_DEPTH - 1)
        if known is not None and known.never_exceeds(self.bound, self.rows):
            return True
        if chosen := self.part.choices(op):
            return all(self._branch(branch, depth) for branch in chosen)
        source = _FROM.get(OPERATIONS[op.name].bound)
        operands = op.operands[:1] if source == "first" else op.operands
        shown = [self.within(each, depth) for each in operands] if source else [False]
        return any(shown) if source == "one" else all(shown)

    def _branch(self, branch: Branch, depth: int) -> bool:
        if self._taken(branch.whole, depth):
            return True
        return bool(branch.finer) and all(self._taken(each, depth) for each in branch.finer)

    def _taken(self, taken: Taken, depth: int) -> bool:
        return any(self.within(each, depth) for each in (taken.value, *taken.others))


def _size(part: BasicBlock, op: Op, depth: int) -> Size | None:
    """The size that an operation computes, if it computes one."""
    if op.name == "size":
        return Size.of(str(op.argument))
    if op.name == "constant" and type(op.argument) is int:
        return Size.of(op.argument)
    if depth <= 1 or op.name not in {*_OPERATORS, "multiple"}:
        return None
    parts = [_size(part, part.ops[each], depth - 1) for each in op.operands]
    parts += [Size.of(op.argument)] if op.name == "multiple" and type(op.argument) is int else []
    left, right = parts
    if left is None or right is None or left.extent + right.extent >= SIZE_PARTS:
        return None
    if op.name == "quotient" and right.operator != "constant":
        return None
    return Size(_OPERATORS.get(op.name, "*"), (left, right))
