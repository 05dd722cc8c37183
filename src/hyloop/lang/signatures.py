"""The typing rules of the operations. The records of `lang.ops` refer to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hyloop.lang.kinds import POINTER_TO, SCOPE_OF, Kind, Scope, Type
from hyloop.lang.program import Argument

# From the operands' types and the argument to the type of the result; raises TypeError with a sentence.
TypeRule = Callable[[Sequence[Type], Argument], Type]

FLAG, COUNT, LENGTH = Kind.FLAG, Kind.COUNT, Kind.LENGTH


def joint(types: Sequence[Type]) -> Scope:
    """The joint scope: a scalar combines with any scope, vertices and hyperedges do not combine."""
    scopes = {given.scope for given in types} - {Scope.SCALAR}
    if len(scopes) > 1:
        raise TypeError(
            "a value over the vertices cannot meet one over the hyperedges row by row; "
            "carry it over with `h.touching`, `h.covered` or `h.incidence @ x` first."
        )
    return scopes.pop() if scopes else Scope.SCALAR


def same_kind(types: Sequence[Type]) -> Kind:
    """The common kind, or TypeError."""
    kinds = {given.kind for given in types}
    if len(kinds) > 1:
        raise TypeError(_mixed(types))
    return types[0].kind


def _mixed(types: Sequence[Type]) -> str:
    kinds = {given.kind for given in types}
    if kinds == {COUNT, LENGTH}:
        return "lengths and counts do not mix: a length is in units of the weights, a count is not."
    return f"{types[0].phrase} and {types[-1].phrase} do not go together."


def added(types: Sequence[Type], _: Argument) -> Type:
    """Numbers of one kind; the result is of the same."""
    kind = same_kind(types)
    if not kind.is_number:
        raise TypeError(f"{types[0].phrase} cannot be added or subtracted; only counts, lengths and flags can.")
    return Type(kind, joint(types))


def measured(types: Sequence[Type], _: Argument) -> Type:
    """Two numbers of one kind; the result is one of them."""
    kind = same_kind(types)
    if not kind.is_number:
        raise TypeError(f"of two counts or two lengths one is the smaller; this is {types[0].phrase}.")
    return Type(kind, joint(types))


def multiplied(types: Sequence[Type], argument: Argument) -> Type:
    """A number, times the argument."""
    if isinstance(argument, bool) or not isinstance(argument, int) or argument < 0:
        raise TypeError(f"a value can be multiplied by a whole number of at least 0 only, not by {argument!r}.")
    if not types[0].kind.is_number:
        raise TypeError(f"{types[0].phrase} cannot be multiplied; only counts, lengths and flags can.")
    return added(types, argument)


def product(types: Sequence[Type], _: Argument) -> Type:
    """Two numbers, of which one may be a length; a product of two lengths would be in squares of their unit."""
    _numbers(types, "multiplied")
    kinds = [given.kind for given in types]
    if kinds == [LENGTH, LENGTH]:
        raise TypeError("a length times a length is no length: multiply a length by a count.")
    return Type(LENGTH if LENGTH in kinds else COUNT, joint(types))


def quotient(types: Sequence[Type], _: Argument) -> Type:
    """Two numbers of one kind; how often the one goes into the other is a count."""
    return Type(COUNT, _divided(types))


def remainder(types: Sequence[Type], _: Argument) -> Type:
    """Two numbers of one kind; what is left over is of that kind."""
    return Type(types[0].kind, _divided(types))


def _divided(types: Sequence[Type]) -> Scope:
    _numbers(types, "divided")
    if types[0].kind is not types[1].kind:
        raise TypeError(
            "a length divided by a count, rounded down, would depend on the unit of the weights; divide lengths by "
            "lengths and counts by counts."
        )
    return joint(types)


def _numbers(types: Sequence[Type], what: str) -> None:
    for given in types:
        if not given.kind.is_number:
            raise TypeError(f"{given.phrase} cannot be {what}; only counts, lengths and flags can.")


def ordered(types: Sequence[Type], _: Argument) -> Type:
    """Two numbers of one kind."""
    if not same_kind(types).is_number:
        raise TypeError(f"{types[0].phrase} has no order; counts, lengths and pointers have.")
    return Type(FLAG, joint(types))


def preceding(types: Sequence[Type], _: Argument) -> Type:
    """Two pointers of one kind."""
    same_kind(types)
    _pointer(types[0])
    return Type(FLAG, joint(types))


def compared(types: Sequence[Type], _: Argument) -> Type:
    """Any two of one kind."""
    same_kind(types)
    return Type(FLAG, joint(types))


def joined(types: Sequence[Type], _: Argument) -> Type:
    """Flags only."""
    for given in types:
        if given.kind is not FLAG:
            raise TypeError(f"`&`, `|` and `~` join flags; this is {given.phrase}. Compare it with something first.")
    return Type(FLAG, joint(types))


def chosen(types: Sequence[Type], _: Argument) -> Type:
    """A condition, and two values of one kind."""
    if types[0].kind is not FLAG:
        raise TypeError(f"the condition must be a flag; this is {types[0].phrase}.")
    return Type(same_kind(types[1:]), joint(types))


def counted(types: Sequence[Type], _: Argument) -> Type:
    """A flag that counts as a number."""
    if types[0].kind is not FLAG:
        raise TypeError(f"only a flag counts as 0 or 1; this is {types[0].phrase}.")
    return Type(COUNT, types[0].scope)


def spread(types: Sequence[Type], argument: Argument) -> Type:
    """A scalar, broadcast over the rows that the argument names."""
    if types[0].scope is not Scope.SCALAR or not isinstance(argument, Scope):
        raise TypeError("only a scalar can be spread over all rows.")
    return Type(types[0].kind, argument)


def missing(types: Sequence[Type], _: Argument) -> Type:
    """A pointer; the result is a flag."""
    _pointer(types[0])
    return Type(FLAG, types[0].scope)


def following(types: Sequence[Type], _: Argument) -> Type:
    """A pointer; the next one is of the same type, and the one before."""
    _pointer(types[0])
    return types[0]


def numbered(types: Sequence[Type], argument: Argument) -> Type:
    """A pointer into the scope that the argument names; its number is a count."""
    _pointer(types[0])
    scope = SCOPE_OF[types[0].kind]
    if argument is not scope:
        raise TypeError(f"{types[0].phrase} is one of the {scope}, not of {argument}.")
    return Type(COUNT, types[0].scope)


def _pointer(given: Type) -> None:
    if not given.kind.is_pointer:
        raise TypeError(f"this needs a vertex or a hyperedge; it is {given.phrase}.")


def entry(types: Sequence[Type], _: Argument) -> Type:
    """An array and a pointer into it."""
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
    """A number or a pointer for each row, and an optional mask."""
    scope = _array(types[0], "a search")
    if types[0].kind is FLAG:
        raise TypeError(
            f"a search for the least or greatest needs counts, lengths or pointers; this is {types[0].phrase}."
        )
    if len(types) > 1 and types[1] != Type(FLAG, scope):
        raise TypeError(f"`where=` must be a flag over the {scope}; this is {types[1].phrase}.")
    return scope


def place(types: Sequence[Type], _: Argument) -> Type:
    """A pointer to the row that a search finds."""
    return Type(POINTER_TO[_candidates(types)])


def best(types: Sequence[Type], _: Argument) -> Type:
    """The entry that a search finds."""
    _candidates(types)
    return Type(types[0].kind)


def first(types: Sequence[Type], _: Argument) -> Type:
    """A pointer to a row with a flag."""
    scope = _array(types[0], "`first`")
    joined(types, None)
    return Type(POINTER_TO[scope])


def quantified(types: Sequence[Type], _: Argument) -> Type:
    """One flag about all rows of an array of flags."""
    _array(types[0], "`any` or `all`")
    joined(types, None)
    return Type(FLAG)


def averaged(types: Sequence[Type], _: Argument) -> Type:
    """One number from all rows of an array of numbers."""
    _array(types[0], "`sum`")
    _numbers(types, "added up")
    return Type(types[0].kind)


def across(source: Scope, target: Scope, *, flags: bool) -> TypeRule:
    """From an array over one side of the incidence to an array over the other."""

    def rule(types: Sequence[Type], _: Argument) -> Type:
        [given] = types
        if given.scope is not source:
            raise TypeError(f"this goes from the {source} to the {target}; it was given {given.phrase}.")
        if flags:
            joined(types, None)
        elif not given.kind.is_number:
            raise TypeError(f"the incidence multiplies counts and lengths; this is {given.phrase}.")
        return Type(given.kind, target)

    return rule


def from_pointer(kind: Kind, target: Scope) -> TypeRule:
    """From one pointer to flags over the other side of the incidence."""

    def rule(types: Sequence[Type], _: Argument) -> Type:
        if types[0] != Type(kind):
            raise TypeError(f"this needs one {kind}; it was given {types[0].phrase}.")
        return Type(FLAG, target)

    return rule


def declared(types: Sequence[Type], argument: Argument) -> Type:
    """Leaves have their declared type, which the verifier looks up."""
    del types, argument
    raise TypeError("a leaf has the type that it was declared with.")
