"""What conditions say of a value that is taken only where they hold.

`where(f, smaller(y, 9), y)` takes y where f does not hold. If y is `where(f, x + x, x)`, it is x there: the sum was
assigned under the same condition, and is overwritten. So a value is followed through the choices that it is made by, as
far as the conditions decide them; and where a condition fails because one of several does, each of these cases is
followed by itself. The rules of `lang.ranges` take the bound of every value that is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hyloop.lang.program import Op

# Whether a condition holds: its number, and yes or no.
Fact = tuple[int, bool]
# Those of some facts that may be relied on.
Valid = Callable[[Sequence[Fact]], list[Fact]]

CONDITIONS = 64  # that are looked at, of one value: a condition may be made of thousands
VALUES = 32  # that one branch is followed to; beyond, it is taken as a whole
CASES = 4  # in which a condition may fail, that are told apart
DEPTH = 8  # of conditions within a condition


@dataclass(frozen=True)
class Taken:
    """A value, what it is no more than where it is taken, and the facts there."""

    value: int
    others: tuple[int, ...]
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Branch:
    """A branch of a choice as a whole; and the values that it can be in the end, where that says more, else none."""

    whole: Taken
    finer: tuple[Taken, ...]


def branches(op: Op) -> list[tuple[int, list[Fact]]]:
    """The values that an operation chooses from, each with what is known where it is taken; none of any other one.

    The base of a select is taken where no mask holds, a value where its own does and no later one.
    """
    if op.name == "where":
        condition, yes, no = op.operands
        return [(yes, [(condition, True)]), (no, [(condition, False)])]
    if op.name != "select":
        return []
    masks, values = op.operands[1::2], op.operands[::2]
    beaten = [[(mask, False) for mask in masks[place:]] for place in range(len(values))]
    own = [[], *([(mask, True)] for mask in masks)]
    return [(value, yes + no) for value, yes, no in zip(values, own, beaten, strict=True)]


def followed(ops: Sequence[Op], value: int, facts: Sequence[Fact], valid: Valid) -> Branch | None:
    """A branch that is taken where these facts hold, as far as they are valid; None if they never do."""
    facts = valid(facts)
    if (found := known(ops, facts)) is None:
        return None
    return Branch(_taken(ops, value, facts, found), tuple(_finer(ops, value, facts, valid)))


def _finer(ops: Sequence[Op], value: int, facts: Sequence[Fact], valid: Valid) -> list[Taken]:
    """The values that a branch can be, if following it leaves one out or tells what one is no more than."""
    waiting: list[tuple[int, list[Fact], tuple[int, ...]]] = [(value, case, ()) for case in _cases(ops, facts)]
    found: list[Taken] = []
    says_more = False
    while waiting:
        if len(found) + len(waiting) > VALUES:
            return []
        at, here, above = waiting.pop()
        if (holds := known(ops, here)) is None:
            says_more = True
            continue
        taken = _taken(ops, at, here, holds, above)
        if chosen := branches(ops[at]):
            waiting += [(each, [*here, *valid(more)], taken.others) for each, more in chosen]
        else:
            found.append(taken)
            says_more = says_more or bool(taken.others)
    return found if says_more else []


def _cases(ops: Sequence[Op], facts: Sequence[Fact]) -> list[list[Fact]]:
    """These facts; if one of them is that not all of a few conditions hold (or that some do), one case for each."""
    for condition, holds in facts:
        op = ops[condition]
        if op.name == ("or" if holds else "and") and len(op.operands) <= CASES:
            return [[*facts, (each, holds)] for each in op.operands]
    return [[*facts]]


def _taken(
    ops: Sequence[Op], value: int, facts: Sequence[Fact], holds: Mapping[int, bool], above: Sequence[int] = ()
) -> Taken:
    """A value that is taken; `above` is what the values that it was chosen for are no more than."""
    return Taken(value, tuple(dict.fromkeys([*above, *_no_more_than(ops, value, holds)])), tuple(facts))


def known(ops: Sequence[Op], facts: Sequence[Fact]) -> dict[int, bool] | None:
    """What follows from the first of these facts; None where they contradict each other."""
    found: dict[int, bool] = {}
    waiting = [*facts[:CONDITIONS]][::-1]
    while waiting and len(found) < CONDITIONS:
        condition, holds = waiting.pop()
        if found.get(condition, holds) != holds:
            return None
        op = ops[condition]
        if condition not in found and _passes_on(op, holds=holds):
            waiting += [(each, holds != (op.name == "not")) for each in op.operands]
        found[condition] = holds
    decided = _Decided(ops, found)
    parts = ((holds, decided.by_operands(condition)) for condition, holds in found.items())
    return None if any(made not in {None, holds} for holds, made in parts) else found


@dataclass(frozen=True)
class _Decided:
    """Whether conditions hold where others do. Each is asked once a depth: they share operands, a tree of them may be
    exponential."""

    ops: Sequence[Op]
    found: Mapping[int, bool]
    _answers: dict[tuple[int, int], bool | None] = field(default_factory=dict)

    def by_operands(self, condition: int, depth: int = DEPTH) -> bool | None:
        """Whether a condition holds, by what it is made of; None if that does not say."""
        key = condition, depth
        if key not in self._answers:
            self._answers[key] = self._from(self.ops[condition], depth)
        return self._answers[key]

    def _from(self, op: Op, depth: int) -> bool | None:
        if op.name == "constant":
            return bool(op.argument)
        if op.name not in {"not", "and", "or"} or not depth:
            return None
        parts = {self._one(each, depth - 1) for each in op.operands[:CONDITIONS]}
        if len(op.operands) > CONDITIONS:
            parts.add(None)
        if op.name == "not":
            [part] = parts
            return None if part is None else not part
        settling = op.name == "or"  # one operand that holds settles an `or`, one that does not an `and`
        return settling if settling in parts else None if None in parts else not settling

    def _one(self, condition: int, depth: int) -> bool | None:
        return self.found[condition] if condition in self.found else self.by_operands(condition, depth)


def _no_more_than(ops: Sequence[Op], value: int, holds: Mapping[int, bool]) -> Iterator[int]:
    """What a value is no more than where these conditions hold, or do not: operations that they compare it with."""
    for condition, yes in holds.items():
        op = ops[condition]
        if op.name == "less" and op.operands[0 if yes else 1] == value:  # left < right, or right ≤ left
            yield op.operands[1 if yes else 0]
        if op.name == "equal" and yes and value in op.operands:
            yield op.operands[1 if op.operands[0] == value else 0]


def _passes_on(op: Op, *, holds: bool) -> bool:
    """Whether all operands of a condition hold where it does, or do not where it does not; of `not`, the reverse."""
    return op.name in {"not", "and" if holds else "or"}
