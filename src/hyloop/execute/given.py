"""What a user gives for one input, as exact numbers: one, or for an array one a row.

An array over the vertices (or hyperedges) is given as a dictionary by label, as a sequence in the order of
`h.vertices`, or as an `Attribute` of the file; flags also as the set of those for which they hold.

>>> from hyloop.hypergraph import Hypergraph
>>> from hyloop.lang.inputs import Vertices, declared
>>> from hyloop.lang.kinds import Flag
>>> h = Hypergraph.from_hyperedges([["A", "B"], ["B", "C"]])
>>> numbers_of(declared("start", Vertices[Flag]), h, {"A", "C"})
(Fraction(1, 1), Fraction(0, 1), Fraction(1, 1))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from hyloop.errors import HyloopError, HypergraphError
from hyloop.hypergraph import Hypergraph, Label, exact, is_number, shown
from hyloop.lang.kinds import SCOPE_OF, Kind, Scope
from hyloop.lang.program import Input, Program
from hyloop.numbers import short


class _Missing:
    """There is no default: None is one, of pointers."""

    def __repr__(self) -> str:
        return "MISSING"

    def __reduce__(self) -> str:
        return "MISSING"  # a copy, or what another process is sent, is the same


MISSING = _Missing()


@dataclass(frozen=True)
class Attribute:
    """An attribute of every vertex or hyperedge of the file, as an input: `load=Attribute("population", default=0)`.

    `weight` is the weight of a vertex or hyperedge; of a vertex that has none, the attribute of that name. Without a
    default, one that lacks the attribute is an error. In an array of pointers, the default None is a pointer to none.
    """

    name: str
    default: Any = MISSING


def numbers_of(each: Input, h: Hypergraph, value: Any) -> tuple[Fraction, ...]:
    """The exact numbers that are given for an input: rows from 1, flags as 0 and 1."""
    if each.type.scope is Scope.SCALAR:
        if isinstance(value, Attribute):
            raise HyloopError(f"The input {each.name} is {each.type.phrase}, one value; an attribute has one a row.")
        return (_number(each, h, value, f"The input {each.name}"),)
    rows = zip(labels_of(h, each.type.scope), _entries(each, h, value), strict=True)
    return tuple(_entry(each, h, label, entry) for label, entry in rows)


def entries_of(each: Input, h: Hypergraph, value: Any) -> dict[Label, Any]:
    """What is given for each row of an array, by label; not looked at yet."""
    return dict(zip(labels_of(h, each.type.scope), _entries(each, h, value), strict=True))


def settled(program: Program, h: Hypergraph, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs as plain data, whatever way they were given: arrays by label, labels of the hypergraph, exact numbers.

    What is refused stays what it was.
    """
    found = dict(inputs)
    for each in program.inputs:
        if each.name in inputs:
            with suppress(HyloopError):
                values = [_value(each, h, number) for number in numbers_of(each, h, inputs[each.name])]
                one = each.type.scope is Scope.SCALAR
                found[each.name] = values[0] if one else dict(zip(labels_of(h, each.type.scope), values, strict=True))
    return found


def _value(each: Input, h: Hypergraph, number: Fraction) -> Any:
    if each.type.kind.is_pointer:
        return labels_of(h, SCOPE_OF[each.type.kind])[int(number) - 1] if number else None
    if each.type.kind is Kind.FLAG:
        return bool(number)
    return int(number) if each.type.kind is Kind.COUNT and number.denominator == 1 else number


def kinds_of(program: Program) -> dict[str, str]:
    """What the values of each input are, by name: flag, count, length, vertex or hyperedge."""
    return {each.name: str(each.type.kind) for each in program.inputs}


def labels_of(h: Hypergraph, scope: Scope) -> tuple[Label, ...]:
    """The labels of the vertices or of the hyperedges."""
    return h.vertices if scope is Scope.VERTICES else h.hyperedges


def numbers_in(h: Hypergraph, scope: Scope, labels: Sequence[Label]) -> list[int]:
    """The places of labels, from 0; raises for one that is not there, with those that may be meant."""
    find = h.vertex_number if scope is Scope.VERTICES else h.hyperedge_number
    return [find(label) for label in labels]


# -- from what is given to one entry a row --------------------------------------------------------------------------


def _entries(each: Input, h: Hypergraph, value: Any) -> Sequence[Any]:
    """What is given for each row, in order."""
    if isinstance(value, Attribute):
        return [_attributed(each, h, value, label) for label in labels_of(h, each.type.scope)]
    if isinstance(value, Mapping):
        return _by_label(each, h, value)
    if isinstance(value, Set):
        return _where_it_holds(each, h, value)
    if isinstance(value, np.ndarray | Sequence) and not isinstance(value, str | bytes) and _has_items(value):
        return _in_order(each, h, list(value))
    raise HyloopError(f"The input {each.name} is {each.type.phrase}: {_ways(each)}; not {shown(value)}.")


def _has_items(given: object) -> bool:
    """An array of no dimension has none: it is one number."""
    return getattr(given, "ndim", None) != 0


def _ways(each: Input) -> str:
    one = "vertex" if each.type.scope is Scope.VERTICES else "hyperedge"
    as_set = f"a set of {each.type.scope}, " if each.type.kind is Kind.FLAG else ""
    return f"{as_set}a dictionary by label, or a list with one for each {one} in order"


def _by_label(each: Input, h: Hypergraph, given: Mapping[Any, Any]) -> list[Any]:
    places = _places(each, h, list(given))
    found = dict(zip(places, given.values(), strict=True))
    for place, label in enumerate(labels_of(h, each.type.scope)):
        if place not in found:
            raise HyloopError(f"The input {each.name} has no entry for {_row(each, label)}; every one needs its own.")
    return [found[place] for place in range(len(found))]


def _where_it_holds(each: Input, h: Hypergraph, given: Set[Any]) -> list[bool]:
    if each.type.kind is not Kind.FLAG:
        raise HyloopError(f"The input {each.name} is {each.type.phrase}, and a set says only where a flag holds.")
    held = set(_places(each, h, list(given)))
    return [place in held for place in range(len(labels_of(h, each.type.scope)))]


def _places(each: Input, h: Hypergraph, labels: Sequence[Any]) -> list[int]:
    try:
        return numbers_in(h, each.type.scope, labels)
    except (HypergraphError, TypeError) as wrong:
        raise HyloopError(f"The input {each.name}: {wrong}") from None


def _in_order(each: Input, h: Hypergraph, given: list[Any]) -> list[Any]:
    labels = labels_of(h, each.type.scope)
    if len(given) != len(labels):
        text = any(isinstance(entry, str) for entry in given) and each.type.kind is Kind.FLAG
        hint = " Labels are given as a set: {...}." if text else ""
        raise HyloopError(
            f"The input {each.name} is {each.type.phrase}, of which there are {len(labels):,}; "
            f"the list has {len(given):,} entries.{hint}"
        )
    return given


def _attributed(each: Input, h: Hypergraph, wanted: Attribute, label: Label) -> Any:
    notes, vertices = h.annotations, each.type.scope is Scope.VERTICES
    found: Any = (notes.vertex_attributes if vertices else notes.hyperedge_attributes).get(label, {}).get(wanted.name)
    if wanted.name == "weight":
        found = notes.vertex_weights.get(label, found) if vertices else h.weight_of(label)
    if found is not None:
        return found
    if wanted.default is MISSING or (wanted.default is None and not each.type.kind.is_pointer):
        python, words = _DEFAULTS.get(each.type.kind, ("None", ""))
        raise HyloopError(
            f"The input {each.name} takes the attribute {wanted.name!r}, which {_row(each, label)} does not have; a "
            f"default for such: Attribute({wanted.name!r}, default={python}), or {each.name}=@{wanted.name},"
            f"default={words}{'' if words else ' (none)'}."
        )
    return wanted.default


# For each kind that has no none: a default as in Python, and as on a command line.
_DEFAULTS = {Kind.FLAG: ("False", "false"), Kind.COUNT: ("0", "0"), Kind.LENGTH: ("0", "0")}


# -- one entry ------------------------------------------------------------------------------------------------------


def _row(each: Input, label: Label) -> str:
    return f"{'vertex' if each.type.scope is Scope.VERTICES else 'hyperedge'} {shown(label)}"


def what_of(each: Input, label: Label) -> str:
    """An entry of an array, for messages."""
    return f"The input {each.name} of {_row(each, label)}"


def _entry(each: Input, h: Hypergraph, label: Label, value: Any) -> Fraction:
    if value is None and each.type.kind.is_pointer:
        return Fraction(0)
    return _number(each, h, value, what_of(each, label))


def _number(each: Input, h: Hypergraph, value: Any, what: str) -> Fraction:
    kind = each.type.kind
    if kind.is_pointer:
        return Fraction(_pointed(each, h, value, what) + 1)
    if kind is Kind.FLAG:
        if not isinstance(value, bool | np.bool_):
            raise HyloopError(f"{what} is a flag: True or False, not {shown(value)}.")
        return Fraction(bool(value))
    number = exact(value) if each.type.scope is Scope.SCALAR else _exact(value, what)
    if number < 0 or (kind is Kind.COUNT and number.denominator != 1):
        raise HyloopError(f"{what} is a {kind} of at least 0, not {short(number)}.")
    if each.at_most is not None and number > each.at_most:
        raise HyloopError(f"{what} is at most {each.at_most}; {short(number)} is more.")
    return number


def _pointed(each: Input, h: Hypergraph, value: Any, what: str) -> int:
    """The place of a vertex or hyperedge; of an array, an error says which entry is wrong."""
    try:
        return numbers_in(h, SCOPE_OF[each.type.kind], [value])[0]
    except HypergraphError as wrong:
        if each.type.scope is Scope.SCALAR:
            raise
        raise HyloopError(f"{what}: {wrong}") from None


def _exact(value: Any, what: str) -> Fraction:
    try:
        return exact(value)
    except HypergraphError as wrong:
        said = str(wrong) if is_number(value) else f"{shown(value)} is not a number."
        raise HyloopError(f"{what} cannot be used: {said}") from None
