"""The operations, one record each: those of the language, and a few that only the compiler generates.

What an operation *computes* is defined elsewhere, in tables with one entry per operation: the interpreter's, the
compiler's (a form or a head) and the prover's. An incomplete table raises at import.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hyloop.lang import ranges, signatures
from hyloop.lang.kinds import Kind, Scope, Type
from hyloop.lang.matrices import SIDES, Matrix, along_each
from hyloop.lang.program import Argument
from hyloop.lang.ranges import BoundRule, InfinityRule
from hyloop.lang.signatures import TypeRule

# The number of operands: minimum and maximum.
Arity = tuple[int, int]
# The kind of an operation's argument: nothing, a name, a scope, or a constant.
ArgumentKind = Literal["nothing", "name", "scope", "constant"]
# The result for operands that are the same on all rows; None if it is not needed or depends on the hypergraph.
Fold = Callable[..., int] | None

# Operations whose heads look a number up in the row of that number: they read other rows, and their value follows from
# the operands of the row itself.
TABLES = frozenset({"quarter", "quotient"})
MANY = 10**9


@dataclass(frozen=True, kw_only=True)
class Operation:
    """Everything about an operation except what it computes."""

    language: Arity | None  # None: only the compiler generates it
    core: Arity | None  # None: lowering rewrites it
    types: TypeRule
    bound: BoundRule
    infinite: InfinityRule
    fold: Fold
    argument: ArgumentKind
    afar: bool  # whether it reads other rows


def _leaf(argument: ArgumentKind, bound: BoundRule, infinite: InfinityRule = ranges.never) -> Operation:
    """An operation without operands."""
    return Operation(
        language=(0, 0),
        core=(0, 0),
        types=signatures.declared,
        bound=bound,
        infinite=infinite,
        fold=None,  # never folded: leaves have no operands
        argument=argument,
        afar=False,
    )


def _rowwise(
    operands: int,
    types: TypeRule,
    bound: BoundRule,
    infinite: InfinityRule,
    fold: Fold,
    *,
    argument: ArgumentKind = "nothing",
) -> Operation:
    """An elementwise operation, which the core has too."""
    arity = operands, operands
    return Operation(
        language=arity,
        core=arity,
        types=types,
        bound=bound,
        infinite=infinite,
        fold=fold,
        argument=argument,
        afar=False,
    )


def _afar(arity: Arity, types: TypeRule, bound: BoundRule, infinite: InfinityRule, *, core: Arity | None) -> Operation:
    """An operation that reads other rows."""
    return Operation(
        language=arity,
        core=core,
        types=types,
        bound=bound,
        infinite=infinite,
        fold=None,
        argument="nothing",
        afar=True,
    )


def _search(types: TypeRule, bound: BoundRule, infinite: InfinityRule) -> Operation:
    """A search in an array, with an optional mask."""
    return _afar((1, 2), types, bound, infinite, core=(1, 2))


def _taken_apart(types: TypeRule, bound: BoundRule) -> Operation:
    """An operation with one operand that reads other rows and is lowered to simpler operations."""
    return _afar((1, 1), types, bound, ranges.never, core=None)


def _only_core(
    core: Arity,
    types: TypeRule,
    bound: BoundRule,
    infinite: InfinityRule,
    fold: Fold,
    *,
    argument: ArgumentKind = "nothing",
    afar: bool = False,
) -> Operation:
    return Operation(
        language=None,
        core=core,
        types=types,
        bound=bound,
        infinite=infinite,
        fold=fold,
        argument=argument,
        afar=afar,
    )


def _number(types: Sequence[Type], _: Argument) -> Type:
    """Numbers, whatever they are numbers of; a count."""
    if any(not given.kind.is_number for given in types):
        raise TypeError(f"this is made of counts and lengths, not of {types[0].phrase}.")
    return Type(Kind.COUNT, signatures.joint(types))


def _first_number(types: Sequence[Type], argument: Argument) -> Type:
    """Numbers; the result is one like the first."""
    return Type(types[0].kind, _number(types, argument).scope)


def _of_squares(types: Sequence[Type], argument: Argument) -> Type:
    """Two counts; the argument says whether their difference is a count or a length."""
    _number(types, argument)
    return Type(Kind.LENGTH if argument == str(Kind.LENGTH) else Kind.COUNT, signatures.joint(types))


def _selected(types: Sequence[Type], _: Argument) -> Type:
    """A base, then pairs of mask and value."""
    if any(given.kind is not Kind.FLAG for given in types[1::2]) or len(types) % 2 == 0:
        raise TypeError("a select takes a base, then pairs of a flag and a value.")
    return Type(signatures.same_kind(types[::2]), signatures.joint(types))


def _product(types: Sequence[Type], argument: Argument) -> Type:
    """From an array over one side of the incidence to sums over the other; flags count as 0 and 1."""
    if argument not in SIDES:
        raise TypeError(f"there is no matrix {argument!r}.")
    source, target = SIDES[str(argument)]
    if types[0].scope is not source or types[0].kind.is_pointer:
        raise TypeError(f"{argument} multiplies counts, lengths and flags over the {source}, not {types[0].phrase}.")
    return Type(types[0].kind if types[0].kind.is_number else Kind.COUNT, target)


def _counted(types: Sequence[Type], _: Argument) -> Type:
    """A count that is 0 or more."""
    if types[0].kind is not Kind.COUNT:
        raise TypeError(f"only a count is compared with 0; this is {types[0].phrase}.")
    return Type(Kind.FLAG, types[0].scope)


VERTICES, HYPEREDGES = Scope.VERTICES, Scope.HYPEREDGES


def _crossings(matrix: Matrix) -> Mapping[str, Operation]:
    """The operations along an incidence."""
    back, there = (VERTICES, HYPEREDGES), (HYPEREDGES, VERTICES)
    return {
        matrix.members: _taken_apart(signatures.from_pointer(Kind.HYPEREDGE, VERTICES), ranges.at_most_one),
        matrix.containing: _taken_apart(signatures.from_pointer(Kind.VERTEX, HYPEREDGES), ranges.at_most_one),
        matrix.touching: _taken_apart(signatures.across(*back, flags=True), ranges.at_most_one),
        matrix.covered: _taken_apart(signatures.across(*there, flags=True), ranges.at_most_one),
        matrix.product: _taken_apart(signatures.across(*there, flags=False), ranges.of_product),
        matrix.transposed: _taken_apart(signatures.across(*back, flags=False), ranges.of_product),
    }


OPERATIONS: Mapping[str, Operation] = {
    "input": _leaf("name", ranges.an_input),
    "state": _leaf("name", ranges.a_state, ranges.if_state),
    "constant": _leaf("constant", ranges.a_constant, ranges.if_declared),
    "weight": _leaf("nothing", ranges.a_weight),
    "size": _leaf("name", ranges.a_row),
    "own": _leaf("scope", ranges.a_row),
    "add": _rowwise(2, signatures.added, ranges.total, ranges.if_any, lambda a, b: a + b),
    "subtract": _rowwise(2, signatures.added, ranges.like_first, ranges.if_first, lambda a, b: max(a - b, 0)),
    "multiple": _rowwise(1, signatures.multiplied, ranges.multiple, ranges.if_any, None, argument="constant"),
    "multiply": _afar((2, 2), signatures.product, ranges.product, ranges.if_any, core=None),
    "quotient": _afar((2, 2), signatures.quotient, ranges.quotient, ranges.never, core=(2, 2)),
    "remainder": _afar((2, 2), signatures.remainder, ranges.remainder, ranges.never, core=None),
    "smaller": _rowwise(2, signatures.measured, ranges.least, ranges.if_all, min),
    "larger": _rowwise(2, signatures.measured, ranges.greatest, ranges.if_any, max),
    "less": _rowwise(2, signatures.ordered, ranges.at_most_one, ranges.never, lambda a, b: int(a < b)),
    "precedes": _rowwise(2, signatures.preceding, ranges.at_most_one, ranges.never, None),
    "equal": _rowwise(2, signatures.compared, ranges.at_most_one, ranges.never, lambda a, b: int(a == b)),
    "and": Operation(
        language=(2, 2),
        core=(2, MANY),
        types=signatures.joined,
        bound=lambda here: min(here.args),  # the compiler merges equal flags
        infinite=ranges.never,
        fold=lambda *flags: int(all(flags)),
        argument="nothing",
        afar=False,
    ),
    "or": _rowwise(2, signatures.joined, ranges.greatest, ranges.never, lambda *flags: int(any(flags))),
    "not": _rowwise(1, signatures.joined, ranges.at_most_one, ranges.never, lambda a: 1 - a),
    "where": Operation(
        language=(3, 3),
        core=None,
        types=signatures.chosen,
        bound=ranges.of_branches,
        infinite=ranges.if_branch,
        fold=None,
        argument="nothing",
        afar=False,
    ),
    "number": _rowwise(1, signatures.counted, ranges.like_first, ranges.never, lambda a: a),
    "spread": _rowwise(1, signatures.spread, ranges.like_first, ranges.if_any, None, argument="scope"),
    "missing": _rowwise(1, signatures.missing, ranges.at_most_one, ranges.never, lambda p: int(p == 0)),
    "next": _rowwise(1, signatures.following, ranges.a_row, ranges.never, None),
    "previous": _rowwise(1, signatures.following, ranges.like_first, ranges.never, lambda p: max(p - 1, 0)),
    # The argument says of what: none has the number after the last of them.
    "ordinal": _rowwise(1, signatures.numbered, ranges.a_row, ranges.never, None, argument="scope"),
    "read": _afar((2, 2), signatures.entry, ranges.of_entry, ranges.if_first, core=(2, 2)),
    "argmin": _search(signatures.place, ranges.a_row, ranges.never),
    "argmax": _search(signatures.place, ranges.a_row, ranges.never),
    "min": _search(signatures.best, ranges.like_first, ranges.if_length),
    "max": _search(signatures.best, ranges.like_first, ranges.never),
    "first": _afar((1, 1), signatures.first, ranges.a_row, ranges.never, core=(1, 1)),
    "any": _afar((1, 1), signatures.quantified, ranges.at_most_one, ranges.never, core=(1, 1)),
    "all": _taken_apart(signatures.quantified, ranges.at_most_one),
    # What is averaged is as many times a number as there are rows (the verifier sees to it): the mean is a sum.
    "mean": _afar((1, 1), signatures.averaged, ranges.like_first, ranges.never, core=(1, 1)),
    **along_each(_crossings),
    # A base, then pairs of mask and value: the value of the last mask that holds, else the base.
    "select": _only_core((3, MANY), _selected, ranges.of_branches, ranges.if_branch, None),
    "times": _only_core((1, 1), _product, ranges.of_product_or_row, ranges.never, None, argument="name", afar=True),
    # A length that is 0 where it was infinite.
    "finite": _only_core((1, 1), _first_number, ranges.like_first, ranges.never, None),
    # The first operand; where that is 0 or more than the second, one more than the second: it divides the second with
    # the quotient 0 then.
    "divisor": _only_core((2, 2), _first_number, ranges.divisor, ranges.never, lambda b, a: b if 0 < b <= a else a + 1),
    # How far two numbers are apart; a quarter of the square of a number, or of the sum of two, rounded down; and the
    # difference of two such squares, which is a product.
    "apart": _only_core((2, 2), _number, ranges.apart, ranges.never, lambda a, b: abs(a - b)),
    "quarter": _only_core((1, 2), _number, ranges.quarter, ranges.never, None, afar=True),
    "difference": _only_core((2, 2), _of_squares, ranges.of_difference, ranges.never, None, argument="name"),
    "positive": _only_core((1, 1), _counted, ranges.at_most_one, ranges.never, lambda x: int(x > 0)),
}

# The operations of the language, and those of the core.
LANGUAGE = frozenset(name for name, each in OPERATIONS.items() if each.language is not None)
CORE = frozenset(name for name, each in OPERATIONS.items() if each.core is not None)
# Operations without operands: their types are declared, not derived.
LEAVES = frozenset(name for name, each in OPERATIONS.items() if each.language == (0, 0))
# Operations that read other rows.
AFAR = frozenset(name for name, each in OPERATIONS.items() if each.afar)


def require_entries(what: str, table: Mapping[str, object], names: frozenset[str]) -> None:
    """Raise unless a table has an entry for each of these operations and for nothing else."""
    if table.keys() != names:
        wrong = ", ".join(sorted(table.keys() ^ names))
        raise AssertionError(f"{what}: an entry is missing, or too many, for {wrong}.")
