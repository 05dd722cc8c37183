"""The operations of the language, one entry each: what types they take and give.

This is the table of *types*. The other meanings of an operation are tables of the same keys: what it computes
(`interpreter.MEANING`), whether its result may be infinite (`lang.verify.INFINITE`). A test fails when one lacks a key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hyloop.lang.kinds import POINTER_TO, Kind, Scope, Type
from hyloop.lang.program import Argument

# From the operands' types and the argument to the type of the result; raises TypeError with a sentence.
Rule = Callable[[Sequence[Type], Argument], Type]

FLAG, COUNT, LENGTH = Kind.FLAG, Kind.COUNT, Kind.LENGTH


def _joint(types: Sequence[Type]) -> Scope:
    """A scalar goes with anything; vertices and hyperedges do not go together."""
    scopes = {given.scope for given in types} - {Scope.SCALAR}
    if len(scopes) > 1:
        raise TypeError(
            "a value over the vertices cannot meet one over the hyperedges row by row; "
            "carry it over with `h.touching`, `h.covered` or `h.incidence @ x` first."
        )
    return scopes.pop() if scopes else Scope.SCALAR


def _same_kind(types: Sequence[Type]) -> Kind:
    kinds = {given.kind for given in types}
    if len(kinds) > 1:
        raise TypeError(_mixed(types))
    return types[0].kind


def _mixed(types: Sequence[Type]) -> str:
    kinds = {given.kind for given in types}
    if kinds == {COUNT, LENGTH}:
        return "lengths and counts do not mix: a length is in units of the weights, a count is not."
    return f"{types[0].phrase} and {types[-1].phrase} do not go together."


def _numbers(types: Sequence[Type], _: Argument) -> Type:
    kind = _same_kind(types)
    if not kind.is_number:
        raise TypeError(f"{types[0].phrase} cannot be added or subtracted; only counts, lengths and flags can.")
    return Type(kind, _joint(types))


def _multiple(types: Sequence[Type], argument: Argument) -> Type:
    if isinstance(argument, bool) or not isinstance(argument, int) or argument < 0:
        raise TypeError(f"a value can be multiplied by a whole number of at least 0 only, not by {argument!r}.")
    if not types[0].kind.is_number:
        raise TypeError(f"{types[0].phrase} cannot be multiplied; only counts, lengths and flags can.")
    return _numbers(types, argument)


def _ordered(types: Sequence[Type], _: Argument) -> Type:
    if not _same_kind(types).is_number:
        raise TypeError(f"{types[0].phrase} has no order; counts, lengths and pointers have.")
    return Type(FLAG, _joint(types))


def _precedes(types: Sequence[Type], _: Argument) -> Type:
    _same_kind(types)
    _pointer(types[0])
    return Type(FLAG, _joint(types))


def _equal(types: Sequence[Type], _: Argument) -> Type:
    _same_kind(types)
    return Type(FLAG, _joint(types))


def _flags(types: Sequence[Type], _: Argument) -> Type:
    for given in types:
        if given.kind is not FLAG:
            raise TypeError(f"`&`, `|` and `~` join flags; this is {given.phrase}. Compare it with something first.")
    return Type(FLAG, _joint(types))


def _where(types: Sequence[Type], _: Argument) -> Type:
    if types[0].kind is not FLAG:
        raise TypeError(f"the condition must be a flag; this is {types[0].phrase}.")
    return Type(_same_kind(types[1:]), _joint(types))


def _number_of_flag(types: Sequence[Type], _: Argument) -> Type:
    if types[0].kind is not FLAG:
        raise TypeError(f"only a flag counts as 0 or 1; this is {types[0].phrase}.")
    return Type(COUNT, types[0].scope)


def _spread(types: Sequence[Type], argument: Argument) -> Type:
    if types[0].scope is not Scope.SCALAR or not isinstance(argument, Scope):
        raise TypeError("only a scalar can be spread over all rows.")
    return Type(types[0].kind, argument)


def _missing(types: Sequence[Type], _: Argument) -> Type:
    _pointer(types[0])
    return Type(FLAG, types[0].scope)


def _next(types: Sequence[Type], _: Argument) -> Type:
    _pointer(types[0])
    return types[0]


def _pointer(given: Type) -> None:
    if not given.kind.is_pointer:
        raise TypeError(f"this needs a vertex or a hyperedge; it is {given.phrase}.")


def _read(types: Sequence[Type], _: Argument) -> Type:
    array, pointer = types
    if array.scope is Scope.SCALAR:
        raise TypeError(f"{array.phrase} has no entries to read.")
    if pointer.kind is not POINTER_TO[array.scope]:
        raise TypeError(
            f"an array over the {array.scope} is read at a {POINTER_TO[array.scope]}, not at {pointer.phrase}."
        )
    return Type(array.kind, pointer.scope)


def _array(given: Type, what: str) -> Scope:
    if given.scope is Scope.SCALAR:
        raise TypeError(f"{what} looks at all rows of an array; this is one value.")
    return given.scope


def _candidates(types: Sequence[Type]) -> Scope:
    """A number for each row, and perhaps a flag that says which rows count."""
    scope = _array(types[0], "a search")
    if not types[0].kind.is_number:
        raise TypeError(f"a search for the least or greatest needs counts or lengths; this is {types[0].phrase}.")
    if len(types) > 1 and types[1] != Type(FLAG, scope):
        raise TypeError(f"`where=` must be a flag over the {scope}; this is {types[1].phrase}.")
    return scope


def _arg(types: Sequence[Type], _: Argument) -> Type:
    return Type(POINTER_TO[_candidates(types)])


def _best(types: Sequence[Type], _: Argument) -> Type:
    _candidates(types)
    return Type(types[0].kind)


def _first(types: Sequence[Type], _: Argument) -> Type:
    scope = _array(types[0], "`first`")
    _flags(types, None)
    return Type(POINTER_TO[scope])


def _quantified(types: Sequence[Type], _: Argument) -> Type:
    _array(types[0], "`any` or `all`")
    _flags(types, None)
    return Type(FLAG)


def _across(source: Scope, target: Scope, *, flags: bool) -> Rule:
    """From an array over one side of the incidence to an array over the other."""

    def rule(types: Sequence[Type], _: Argument) -> Type:
        [given] = types
        if given.scope is not source:
            raise TypeError(f"this goes from the {source} to the {target}; it was given {given.phrase}.")
        if flags:
            _flags(types, None)
        elif not given.kind.is_number:
            raise TypeError(f"the incidence multiplies counts and lengths; this is {given.phrase}.")
        return Type(given.kind, target)

    return rule


def _from_pointer(kind: Kind, target: Scope) -> Rule:
    def rule(types: Sequence[Type], _: Argument) -> Type:
        if types[0] != Type(kind):
            raise TypeError(f"this needs one {kind}; it was given {types[0].phrase}.")
        return Type(FLAG, target)

    return rule


def _declared(types: Sequence[Type], argument: Argument) -> Type:
    """Leaves have the type that they were declared with; the verifier looks it up."""
    del types, argument
    raise TypeError("a leaf has the type that it was declared with.")


VERTICES, HYPEREDGES = Scope.VERTICES, Scope.HYPEREDGES

# Operations without operands: their types are declared, not derived.
LEAVES = frozenset({"input", "state", "constant", "weight", "size", "own"})

TYPES: Mapping[str, Rule] = {
    **dict.fromkeys(sorted(LEAVES), _declared),
    "add": _numbers,
    "subtract": _numbers,
    "multiple": _multiple,
    "less": _ordered,
    "precedes": _precedes,
    "equal": _equal,
    "and": _flags,
    "or": _flags,
    "not": _flags,
    "where": _where,
    "number": _number_of_flag,
    "spread": _spread,
    "missing": _missing,
    "next": _next,
    "read": _read,
    "argmin": _arg,
    "argmax": _arg,
    "min": _best,
    "max": _best,
    "first": _first,
    "any": _quantified,
    "all": _quantified,
    "members": _from_pointer(Kind.HYPEREDGE, VERTICES),
    "containing": _from_pointer(Kind.VERTEX, HYPEREDGES),
    "touching": _across(VERTICES, HYPEREDGES, flags=True),
    "covered": _across(HYPEREDGES, VERTICES, flags=True),
    "incidence": _across(HYPEREDGES, VERTICES, flags=False),
    "transposed": _across(VERTICES, HYPEREDGES, flags=False),
}

# How many operands each operation takes: least and most.
ARITY: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(TYPES, (1, 1)),
    **dict.fromkeys(sorted(LEAVES), (0, 0)),
    **dict.fromkeys(("add", "subtract", "less", "precedes", "equal", "and", "or", "read"), (2, 2)),
    **dict.fromkeys(("argmin", "argmax", "min", "max"), (1, 2)),
    "where": (3, 3),
}
