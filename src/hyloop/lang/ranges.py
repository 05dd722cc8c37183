"""The rules for the range of an operation, given those of its operands. The records of `lang.ops` refer to them.

A range is an upper bound `a + b·t` after `t` iterations of the finite values, and whether a length may be infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import NamedTuple

from hyloop.lang.conditions import Branch, Fact, Taken, branches, followed
from hyloop.lang.kinds import INFINITY, Constant, Kind, Scope
from hyloop.lang.program import Argument, Op
from hyloop.lang.source import LanguageError

# At most `a + b·t` after t iterations.
Line = tuple[int, int]

PRODUCT_BITS = 20_000  # a product of larger numbers is taken to grow without end


@dataclass(frozen=True)
class BasicBlock:
    """Operations in order, the number of each state's new value, and that of the flag that stops the loop, if any."""

    ops: Sequence[Op]
    updates: Mapping[str, int]
    stop: int | None = None
    _choices: dict[object, tuple[Branch, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _affected: dict[str, frozenset[int]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def live(self) -> frozenset[int]:
        """The operations that a state or the stop flag depends on."""
        found: set[int] = set()
        waiting = [*self.updates.values(), *([] if self.stop is None else [self.stop])]
        while waiting:
            number = waiting.pop()
            if number not in found:
                found.add(number)
                waiting += self.taken(self.ops[number])
        return frozenset(found)

    def taken(self, op: Op) -> tuple[int, ...]:
        """The operands that can affect the result: of a `where` with a constant condition, only the branch taken."""
        if op.name == "where" and (mask := self.ops[op.operands[0]]).name == "constant":
            return (op.operands[1 if mask.argument else 2],)
        return op.operands

    def choices(self, op: Op, *, outside: bool = False) -> tuple[Branch, ...]:
        """The branches of an operation that may be taken, and what is known there; none if it chooses nothing."""
        key = op.name, op.operands, outside
        if key not in self._choices:
            found = [
                followed(self.ops, value, facts, partial(self.valid, outside=outside)) for value, facts in branches(op)
            ]
            self._choices[key] = tuple(branch for branch in found if branch is not None)
        return self._choices[key]

    @cached_property
    def read(self) -> tuple[frozenset[int], ...]:
        """For each operation, those whose bounds its own bound is made of."""
        return tuple(self._read(op) for op in self.ops)

    def _read(self, op: Op) -> frozenset[int]:
        branches = self.choices(op)
        taken = [each for branch in branches for each in (branch.whole, *branch.finer)]
        afar = self.ops[op.operands[0]].operands if op.operands else ()  # of a difference: what it is made of
        return frozenset({*op.operands, *afar}.union(*((each.value, *each.others) for each in taken)))

    def affected(self, state: str) -> frozenset[int]:
        """The operations whose bounds depend on that of a state."""
        if state not in self._affected:
            found: set[int] = set()
            for number, op in enumerate(self.ops):
                if (op.name == "state" and op.argument == state) or not found.isdisjoint(self.read[number]):
                    found.add(number)
            self._affected[state] = frozenset(found)
        return self._affected[state]

    def valid(self, facts: Iterable[Fact], *, outside: bool) -> list[Fact]:
        """The facts that hold. Outside the scope of an array its branches are chosen by no row's value: there, only
        conditions that are scalars hold or do not.
        """
        return [fact for fact in facts if not outside or self.ops[fact[0]].type.scope is Scope.SCALAR]

    def is_one_hot(self, number: int) -> bool:
        """Whether a flag is the one-hot of a pointer: set on at most one row."""
        op = self.ops[number]
        return op.name == "equal" and self.ops[op.operands[0]].name == "own"


@dataclass(frozen=True)
class Limits:
    """Limits of a run's input: rows, weights and input values, in integer units."""

    rows: int
    weight: int
    inputs: Mapping[str, int]


def number_of(value: Argument | Constant) -> int:
    """A constant as a bound: INFINITY and None give 0."""
    return 0 if value is None or value is INFINITY else int(value)  # type: ignore[arg-type]


# -- how large ------------------------------------------------------------------------------------------------------


class Bounding(NamedTuple):
    """An operation, its section, and the bounds of its operands and of the states. Bounds are of finite values.

    Hundreds are made for each operation of a program; a tuple is made in a fifth of the time of a dataclass.
    """

    op: Op
    part: BasicBlock
    limits: Limits
    states: Mapping[str, Line]
    args: Sequence[Line]
    infinite: Sequence[bool]  # whether each operand may be infinite
    iterations: int
    lines: Sequence[Line]  # the bounds of all operations before this one
    may: Sequence[bool]  # of each operation, whether it may be infinite
    outside: bool = False  # whether this is about the rows outside the operation's scope

    @property
    def factor(self) -> int:
        """The operation's argument."""
        return number_of(self.op.argument)

    def at_end(self, line: Line) -> int:
        """A bound after the last iteration, where it is largest."""
        return line[0] + line[1] * self.iterations


BoundRule = Callable[[Bounding], Line]


def widest(lines: Iterable[Line]) -> Line:
    """A bound of all of which each has one of these."""
    first, second = zip(*lines, strict=True)
    return max(first), max(second)


def _many(factor: int, line: Line) -> Line:
    return factor * line[0], factor * line[1]


def at_most_one(_: Bounding) -> Line:
    """A flag."""
    return 1, 0


def a_row(here: Bounding) -> Line:
    """A pointer, or a number of rows."""
    return here.limits.rows, 0


def a_weight(here: Bounding) -> Line:
    """The weight of a hyperedge."""
    return here.limits.weight, 0


def an_input(here: Bounding) -> Line:
    """An input."""
    return here.limits.inputs[str(here.op.argument)], 0


def a_constant(here: Bounding) -> Line:
    """A constant of the program."""
    return here.factor, 0


def a_state(here: Bounding) -> Line:
    """The current bound of the state."""
    return here.states[str(here.op.argument)]


def like_first(here: Bounding) -> Line:
    """The bound of the first operand."""
    return here.args[0]


def total(here: Bounding) -> Line:
    """The sum of two bounds."""
    return here.args[0][0] + here.args[1][0], here.args[0][1] + here.args[1][1]


def multiple(here: Bounding) -> Line:
    """The argument times the operand."""
    return _many(here.factor, here.args[0])


def greatest(here: Bounding) -> Line:
    """The maximum over the operands."""
    return widest(here.args)


def least(here: Bounding) -> Line:
    """The operand's bound that is smallest at the end. Each one bounds the result; a mixture of two would not.

    Where one operand is infinite the result is the other, so an operand that may be infinite gives no bound.
    """
    finite = [line for line, infinite in zip(here.args, here.infinite, strict=True) if not infinite]
    return min(finite, key=lambda line: (here.at_end(line), line)) if finite else widest(here.args)


def product(here: Bounding) -> Line:
    """As much as both together can be in the end: a product of two lines is none."""
    return _product(here, *here.args)


def _product(here: Bounding, a: Line, b: Line) -> Line:
    most = here.at_end(a) * here.at_end(b)
    if most.bit_length() > PRODUCT_BITS:
        raise LanguageError(
            "this product has no bound: it may grow faster with every iteration, so no number format is sure to hold "
            "it. Keep it below one with `smaller(product, bound)`.",
            here.op.where,
        )
    return most, 0


def of_difference(here: Bounding) -> Line:
    """`⌊(a + b)²/4⌋ - ⌊(a - b)²/4⌋` is the product of a and b, of which the first operand is made.

    Outside the rows of an array the squares are not those of a and b there, and the first bounds the difference.
    """
    if here.outside:
        return here.args[0]
    a, b = (here.lines[number] for number in here.part.ops[here.op.operands[0]].operands)
    return _product(here, a, b)


def quarter(here: Bounding) -> Line:
    """A quarter of the square of what the operands add up to."""
    most = sum(here.at_end(line) for line in here.args)
    return most * most // 4, 0


def apart(here: Bounding) -> Line:
    """The larger of two numbers, less the other one."""
    return max(here.at_end(line) for line in here.args), 0


def quotient(here: Bounding) -> Line:
    """No more than the dividend; divided by a constant, as many times less."""
    divisor = here.part.ops[here.op.operands[1]]
    (a, b), by = here.args[0], number_of(divisor.argument) if divisor.name == "constant" else 1
    return (a // by, 0) if by and not b else (-(-a // by), -(-b // by)) if by else (a, b)


def remainder(here: Bounding) -> Line:
    """Less than the divisor, and no more than the dividend. (What is divided by 0 leaves 0.)"""
    divisor = max(here.at_end(here.args[1]) - 1, 0), 0
    dividend = here.args[0]
    return dividend if here.infinite[1] or here.at_end(dividend) < divisor[0] else divisor


def divisor(here: Bounding) -> Line:
    """No more than one above the dividend, the second operand."""
    above = here.at_end(here.args[1]) + 1
    return above, 0


def of_entry(here: Bounding) -> Line:
    """The bound of the array; each row's own number, read at a pointer, has the bound of the pointer."""
    own = here.part.ops[here.op.operands[0]].name == "own"
    return here.args[1] if own else here.args[0]


def of_branches(here: Bounding) -> Line:
    """The maximum over the branches that may be taken, under their condition: `where(x < c, x, c)` is at most c."""
    return widest(where_taken(here, branch) for branch in here.part.choices(here.op, outside=here.outside))


def where_taken(here: Bounding, branch: Branch) -> Line:
    """The bound of a branch where it is taken: its own, that of what it is no more than there, or of what it can be.

    What may be infinite bounds nothing. Each of the others is a bound by itself, and the least in the end is taken.
    """
    whole = least_of(here, branch.whole)
    finer = widest(least_of(here, each) for each in branch.finer) if branch.finer else whole
    return finer if here.at_end(finer) < here.at_end(whole) else whole


def least_of(here: Bounding, taken: Taken) -> Line:
    """The least bound of a value that is taken."""
    others = [each for each in taken.others if not here.may[each]]
    lines = [here.lines[each] for each in (taken.value, *others)]
    return min(lines, key=lambda line: (here.at_end(line), line))


def of_product(here: Bounding) -> Line:
    """A product with the incidence: a sum over at most all rows."""
    return _many(here.limits.rows, here.args[0])


def of_product_or_row(here: Bounding) -> Line:
    """A product with the incidence; of a one-hot, one row of the incidence."""
    return here.args[0] if here.part.is_one_hot(here.op.operands[0]) else of_product(here)


# -- what may be infinite -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Doubting:
    """An operation, its section, and which earlier operations and which states may be infinite."""

    op: Op
    part: BasicBlock
    states: frozenset[str]
    may: Sequence[bool]
    outside: bool = False  # whether this is about the rows outside the operation's scope

    @property
    def args(self) -> list[bool]:
        """For each operand, whether it may be infinite."""
        return [self.may[number] for number in self.op.operands]


InfinityRule = Callable[[Doubting], bool]


def never(_: Doubting) -> bool:
    """Not a length, or always finite."""
    return False


def if_any(here: Doubting) -> bool:
    """If an operand is."""
    return True in here.args


def if_all(here: Doubting) -> bool:
    """If all operands are."""
    return False not in here.args


def if_first(here: Doubting) -> bool:
    """If the first operand is."""
    return here.args[0]


def if_declared(here: Doubting) -> bool:
    """If the constant is INFINITY."""
    return here.op.argument is INFINITY


def if_state(here: Doubting) -> bool:
    """If the state is, as far as known."""
    return here.op.argument in here.states


def if_length(here: Doubting) -> bool:
    """A search of lengths that finds nothing gives INFINITY; infinite entries are not candidates."""
    return here.op.type.kind is Kind.LENGTH


def if_branch(here: Doubting) -> bool:
    """Whether what is taken may be infinite *where it is taken*: `where(x < INFINITY, x, 0)` is finite."""
    finite = _Finite(here.part, here.may)
    return any(
        finite.unless(branch.whole) and (not branch.finer or any(finite.unless(each) for each in branch.finer))
        for branch in here.part.choices(here.op, outside=here.outside)
    )


class _Finite:
    """Whether conditions imply that a value is finite. Results are memoized."""

    def __init__(self, part: BasicBlock, may: Sequence[bool]) -> None:
        self.part, self.may = part, may
        self.found: dict[tuple[int, int, bool], bool] = {}

    def unless(self, taken: Taken) -> bool:
        """Whether a value may be infinite, and none of the facts implies that it is not."""
        facts = taken.facts if self.may[taken.value] else ()
        return self.may[taken.value] and not any(self.where(at, taken.value, holds=holds) for at, holds in facts)

    def where(self, condition: int, value: int, *, holds: bool) -> bool:
        """Whether a value is finite wherever a condition holds (or does not)."""
        key = condition, value, holds
        if key not in self.found:
            self.found[key] = self._where(self.part.ops[condition], value, holds=holds)
        return self.found[key]

    def _where(self, op: Op, value: int, *, holds: bool) -> bool:
        if op.name == "not":
            return self.where(op.operands[0], value, holds=not holds)
        if op.name == ("and" if holds else "or"):
            return any(self.where(each, value, holds=holds) for each in op.operands)
        return op.name in {"less", "equal"} and value in op.operands and self._compared(op, value, holds=holds)

    def _compared(self, op: Op, value: int, *, holds: bool) -> bool:
        left, right = op.operands
        if op.name == "less":  # left < right, so left is finite; or right ≤ left
            return value == left if holds else value == right and not self.may[left]
        other = right if value == left else left
        return not self.may[other] if holds else self.part.ops[other].argument is INFINITY
