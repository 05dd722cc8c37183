"""Columns that rarely change: each is added a tent of its own, and all tents stand on one number of the row.

A choice among many classes, such as that of motifs, adds to one column a class `relu(a + h + c) - 2 relu(a + c) +
relu(a - h + c)`, with a constant `c` for each. Where the height h is 0 such a tent is 0; where it is 1 or -1, it is 0
unless `a = -c`, since all numbers are integers. So whether any of the columns changes is seen from `a` and `h`, at once
for all of them. Whatever else h may be, the sums are computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from hyloop.execute.cpu.expressions import Expression, Formulas, Ref, Sum, summed
from hyloop.execute.cpu.native.emit import CodeLines, Function

LEAST = 4  # columns for which it pays
BITS = 64  # of a mask: all places are within it, and its first and last bit are 0


@dataclass(frozen=True)
class Comb:
    """Columns that stay as they are where `upper - middle` is 0, or 1 or -1 and `middle` is none of the places."""

    upper: Ref
    middle: Ref
    places: frozenset[int]
    nodes: tuple[int, ...]  # what is needed for these columns only, in order
    columns: tuple[int, ...]


@dataclass(frozen=True)
class _Tooth:
    """A column, and the tent that is added to it."""

    column: int
    ends: frozenset[Ref]
    upper: Ref
    middle: Ref
    place: int
    nodes: tuple[int, ...]


def combs(program: Formulas, columns: Collection[int]) -> list[Comb]:
    """The combs of a program, of columns whose new values nothing else needs."""
    groups: dict[tuple[frozenset[Ref], Ref], list[_Tooth]] = {}
    for tooth in _teeth(program, columns):
        groups.setdefault((tooth.ends, tooth.middle), []).append(tooth)
    found = []
    for teeth in groups.values():
        places = frozenset(tooth.place for tooth in teeth)
        if len(teeth) >= LEAST and max(places) - min(places) < BITS - 2:
            nodes = tuple(sorted(number for tooth in teeth for number in tooth.nodes))
            names = tuple(tooth.column for tooth in teeth)
            found.append(Comb(teeth[0].upper, teeth[0].middle, places, nodes, names))
    return found


def _teeth(program: Formulas, columns: Collection[int]) -> Iterator[_Tooth]:
    uses = Counter(ref for node in program.nodes for ref, _ in node.of.terms)
    uses.update(value for value in program.new if isinstance(value, Ref))
    for column in columns:
        value = program.new[column]
        if isinstance(value, Ref) and value.space == "node" and uses[value] == 1:
            tent = _tent(program.nodes, column, program.nodes[value.number])
            inner = [] if tent is None else [ref for ref, _ in program.nodes[value.number].of.terms if ref in tent[1]]
            if tent is not None and all(uses[ref] == 1 for ref in inner):
                yield _Tooth(column, *tent[0], (*(ref.number for ref in inner), value.number))


def _tent(
    nodes: tuple[Expression, ...], column: int, node: Expression
) -> tuple[tuple[frozenset[Ref], Ref, Ref, int], frozenset[Ref]] | None:
    """What a tent stands on and where, and its ReLUs, if a node is a column and a tent."""
    weights = dict(node.of.terms)
    if node.relu or node.of.constant or len(weights) != 4 or weights.pop(Ref("column", column), 0) != 1:
        return None
    middle = next((ref for ref, weight in weights.items() if {weight / -2} == _others(weights, ref)), None)
    if middle is None:
        return None
    upper, lower = (ref for ref in weights if ref != middle)
    stands = [_stands_on(nodes, ref) for ref in (upper, middle, lower)]
    known = [each for each in stands if each is not None]
    if len(known) < len(stands) or len({constant for _, constant in known}) > 1:
        return None
    (a, constant), (b, _), (c, _) = known
    rises = _less(nodes, a, b)
    if rises is None or rises != _less(nodes, b, c):
        return None
    return (frozenset({a, c}), a, b, -int(constant)), frozenset(weights)


def _others(weights: Mapping[Ref, float], ref: Ref) -> set[float]:
    return {weight for each, weight in weights.items() if each != ref}


def _stands_on(nodes: tuple[Expression, ...], ref: Ref) -> tuple[Ref, float] | None:
    """Of the ReLU of a node and a constant, the two."""
    node = nodes[ref.number] if ref.space == "node" else None
    if node is None or not node.relu or len(node.of.terms) != 1:
        return None
    [(inner, weight)] = node.of.terms
    return (inner, node.of.constant) if weight == 1 and inner.space == "node" else None


def _less(nodes: tuple[Expression, ...], one: Ref, other: Ref) -> tuple[float, frozenset[tuple[Ref, float]]] | None:
    """The difference of two sums; None if one of them is a ReLU, or the same on all rows."""
    both = nodes[one.number], nodes[other.number]
    if any(node.relu or not node.vector for node in both):
        return None
    difference = summed([*_terms(both[0].of, 1), *_terms(both[1].of, -1)])
    return difference.constant, frozenset(difference.terms)


def _terms(of: Sum, sign: int) -> list[tuple[Ref | float, float]]:
    return [(of.constant, sign), *((ref, sign * weight) for ref, weight in of.terms)]


def changes(function: Function, text: CodeLines, comb: Comb, upper: str, middle: str) -> str:
    """A condition: some row of a vector may change in a column of a comb."""
    f, first = function, min(comb.places) - 1
    flags, wide = f"<{f.lanes} x i1>", f"<{f.lanes} x i64>"
    at = f.relu(text, f.vector, text.let(f"fsub {f.vector} {middle}, {f.filled(first)}"))
    below = text.let(f"fcmp olt {f.vector} {at}, {f.filled(BITS - 1)}")
    at = text.let(f"select {flags} {below}, {f.vector} {at}, {f.vector} {f.filled(BITS - 1)}")
    place = text.let(f"fptosi {f.vector} {at} to {wide}")
    mask = sum(1 << (each - first) for each in comb.places)
    moved = text.let(f"lshr {wide} <{', '.join([f'i64 {mask}'] * f.lanes)}>, {place}")
    some = text.let(f"trunc {wide} {moved} to {flags}")
    height = text.let(f"fsub {f.vector} {upper}, {middle}")
    other = text.let(f"fcmp une {f.vector} {height}, zeroinitializer")
    for each in (1, -1):
        differs = text.let(f"fcmp une {f.vector} {height}, {f.filled(each)}")
        other = text.let(f"and {flags} {other}, {differs}")
    some = text.let(f"or {flags} {some}, {other}")
    bits = text.let(f"bitcast {flags} {some} to i{f.lanes}")
    return text.let(f"icmp ne i{f.lanes} {bits}, 0")
