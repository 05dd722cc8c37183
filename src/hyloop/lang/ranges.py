"""What one operation makes of the ranges of its operands: the rules, which the records of `lang.ops` name.

A range is an upper bound `a + b·t` after `t` iterations, and whether a length may be infinite beside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from hyloop.lang.kinds import INFINITY, Constant, Kind
from hyloop.lang.program import Argument, Op
from hyloop.lang.source import LanguageError

# At most `a + b·t` after t iterations.
Line = tuple[int, int]

PRODUCT_BITS = 20_000  # a product of larger numbers is taken to grow without end


@dataclass(frozen=True)
class BasicBlock:
    """Operations in order, the numbers of those that states become, and one that stops the loop, if there is one."""

    ops: Sequence[Op]
    updates: Mapping[str, int]
    stop: int | None = None

    @property
    def live(self) -> frozenset[int]:
        """The operations that anything depends on."""
        found: set[int] = set()
        waiting = [*self.updates.values(), *([] if self.stop is None else [self.stop])]
        while waiting:
            number = waiting.pop()
            if number not in found:
                found.add(number)
                waiting += self.taken(self.ops[number])
        return frozenset(found)

    def taken(self, op: Op) -> tuple[int, ...]:
        """The operands that can make a difference: of a `where` under a constant, the one that is always taken."""
        if op.name == "where" and (mask := self.ops[op.operands[0]]).name == "constant":
            return (op.operands[1 if mask.argument else 2],)
        return op.operands

    def is_one_hot(self, number: int) -> bool:
        """Whether a flag holds on one row at most: that of a pointer."""
        op = self.ops[number]
        return op.name == "equal" and self.ops[op.operands[0]].name == "own"


@dataclass(frozen=True)
class Limits:
    """What an input may be: at most so many rows, weights and inputs up to a bound, in integer units."""

    rows: int
    weight: int
    inputs: Mapping[str, int]


def number_of(value: Argument | Constant) -> int:
    """A constant as a bound: infinity is none, and none is 0."""
    return 0 if value is None or value is INFINITY else int(value)  # type: ignore[arg-type]


# -- how large ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bounding:
    """An operation, where it stands, and the bounds of its operands and of the states. Bounds are of finite values."""

    op: Op
    part: BasicBlock
    limits: Limits
    states: Mapping[str, Line]
    args: Sequence[Line]
    infinite: Sequence[bool]  # whether each operand may be infinite
    iterations: int
    lines: Sequence[Line] = ()  # the bounds of all operations before this one

    @property
    def factor(self) -> int:
        """The constant part of the operation."""
        return number_of(self.op.argument)

    def at_end(self, line: Line) -> int:
        """A bound after the last iteration, where it is largest."""
        return line[0] + line[1] * self.iterations


BoundRule = Callable[[Bounding], Line]


def _widest(lines: Iterable[Line]) -> Line:
    found = tuple(lines)
    return max(a for a, _ in found), max(b for _, b in found)


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
    """What the user gives."""
    return here.limits.inputs[str(here.op.argument)], 0


def a_constant(here: Bounding) -> Line:
    """What stands in the program."""
    return here.factor, 0


def a_state(here: Bounding) -> Line:
    """What is known of the state so far."""
    return here.states[str(here.op.argument)]


def like_first(here: Bounding) -> Line:
    """No more than the first operand."""
    return here.args[0]


def total(here: Bounding) -> Line:
    """The sum of two."""
    return here.args[0][0] + here.args[1][0], here.args[0][1] + here.args[1][1]


def multiple(here: Bounding) -> Line:
    """The argument times the operand."""
    return _many(here.factor, here.args[0])


def greatest(here: Bounding) -> Line:
    """As much as any of the operands."""
    return _widest(here.args)


def least(here: Bounding) -> Line:
    """No more than that operand which is least in the end. Each bounds the result; a mixture of two would not.

    Where one operand is infinite the result is the other, so that the first bounds nothing.
    """
    finite = [line for line, infinite in zip(here.args, here.infinite, strict=True) if not infinite]
    return min(finite, key=lambda line: (here.at_end(line), line)) if finite else _widest(here.args)


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
    """`⌊(a + b)²/4⌋ - ⌊(a - b)²/4⌋` is the product of a and b, of which the first operand is made."""
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
    """A row's own number, read at a pointer, is the pointer."""
    own = here.part.ops[here.op.operands[0]].name == "own"
    return here.args[1] if own else here.args[0]


def of_branches(here: Bounding) -> Line:
    """What may be taken."""
    taken = here.part.taken(here.op)
    return _widest(line for number, line in zip(here.op.operands[1:], here.args[1:], strict=True) if number in taken)


def of_guarded(here: Bounding) -> Line:
    """The base and the values of a select."""
    return _widest(here.args[::2])


def of_product(here: Bounding) -> Line:
    """A product with the incidence adds up as many as there are rows."""
    return _many(here.limits.rows, here.args[0])


def of_product_or_row(here: Bounding) -> Line:
    """A product with the incidence; of a one-hot, it is one row of it."""
    return here.args[0] if here.part.is_one_hot(here.op.operands[0]) else of_product(here)


# -- what may be infinite -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Doubting:
    """An operation, where it stands, and which operations before it and which states may be infinite."""

    op: Op
    part: BasicBlock
    states: frozenset[str]
    may: Sequence[bool]

    @property
    def args(self) -> list[bool]:
        """Of each operand, whether it may be infinite."""
        return [self.may[number] for number in self.op.operands]


InfinityRule = Callable[[Doubting], bool]


def never(_: Doubting) -> bool:
    """No length, or none that could be infinite."""
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
    """The constant itself."""
    return here.op.argument is INFINITY


def if_state(here: Doubting) -> bool:
    """As far as is known of the state."""
    return here.op.argument in here.states


def if_length(here: Doubting) -> bool:
    """A search that finds nothing gives INFINITY, if what it looks at are lengths; infinite ones are no candidates."""
    return here.op.type.kind is Kind.LENGTH


def if_branch(here: Doubting) -> bool:
    """Whether what `where` takes may be infinite *where it is taken*: `where(x < INFINITY, x, 0)` is finite."""
    may = here.may
    if len(taken := here.part.taken(here.op)) == 1:
        return may[taken[0]]
    condition, yes, no = here.op.operands
    known = _Finite(here.part, may)
    return (may[yes] and not known.where(condition, yes, holds=True)) or (
        may[no] and not known.where(condition, no, holds=False)
    )


def if_guarded(here: Doubting) -> bool:
    """The same of a `select`: the base is taken where no mask holds, a value where its own does."""
    base, masks, values = here.op.operands[0], here.op.operands[1::2], here.op.operands[2::2]
    may, known = here.may, _Finite(here.part, here.may)
    if may[base] and not any(known.where(mask, base, holds=False) for mask in masks):
        return True
    pairs = zip(masks, values, strict=True)
    return any(may[value] and not known.where(mask, value, holds=True) for mask, value in pairs)


class _Finite:
    """What conditions tell of a value: whether it is finite where they hold. Each question is asked once."""

    def __init__(self, part: BasicBlock, may: Sequence[bool]) -> None:
        self.part, self.may = part, may
        self.found: dict[tuple[int, int, bool], bool] = {}

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
