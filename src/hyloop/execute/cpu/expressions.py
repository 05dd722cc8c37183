"""What the layers compute on one row, as a list of sums and ReLUs, which both engines share.

Rows fall into two classes: row 0, and all the others, the *body*. A column (or anything computed from columns) is on
the body a known constant, one number for all rows, or a vector; on row 0 it is a known constant or a number. Sums of
constants are folded, what cancels is left out, and a sum that occurs twice is computed once, also within larger sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple


class Ref(NamedTuple):
    """A value: of a column before the layer, of the output of a head, or of a node of the program."""

    space: Literal["column", "brought", "node"]
    number: int


Value = float | Ref


@dataclass(frozen=True)
class Fact:
    """What is known of a column: its constant on row 0, its constant on the body, or whether the body is a vector."""

    first: float | None
    rest: float | None
    vector: bool

    def joined(self, other: Fact) -> Fact:
        """What holds if either of the two facts holds."""
        rest = self.rest if self.rest == other.rest else None
        return Fact(self.first if self.first == other.first else None, rest, self.vector or other.vector)


Facts = tuple[Fact, ...]


@dataclass(frozen=True)
class Sum:
    """`constant + Σ weight · value`; all terms are non-constant values, each once."""

    constant: float
    terms: tuple[tuple[Ref, float], ...]

    @property
    def plain(self) -> Ref | None:
        """The value that this sum is, where it is nothing but one value."""
        alone = not self.constant and len(self.terms) == 1 and self.terms[0][1] == 1
        return self.terms[0][0] if alone else None


@dataclass(frozen=True)
class Expression:
    """A sum, or the ReLU of one, and whether it is a vector."""

    of: Sum
    relu: bool
    vector: bool


@dataclass(frozen=True)
class Formulas:
    """The nodes in order, and the new value of every column after them."""

    nodes: tuple[Expression, ...]
    new: tuple[Value, ...]


def summed(terms: Iterable[tuple[Value, float]]) -> Sum:
    """The sum of weighted values, constants folded."""
    constant, weights = 0.0, dict[Ref, float]()
    for value, weight in terms:
        if isinstance(value, Ref):
            weights[value] = weights.get(value, 0.0) + weight
        else:
            constant += value * weight
    return Sum(constant, tuple((ref, weight) for ref, weight in weights.items() if weight))


ONE = Sum(1.0, ())


class Builder:
    """Makes a program for one class of rows, node by node."""

    def __init__(self, is_vector: Callable[[Ref], bool]) -> None:
        self.nodes: list[Expression] = []
        self._is_vector = is_vector
        self._known: dict[tuple[float, frozenset[tuple[Ref, float]], bool], Ref] = {}
        self._positive: set[Ref] = set()

    def vector(self, value: Value) -> bool:
        """Whether a value differs from row to row of the body."""
        if not isinstance(value, Ref):
            return False
        return self.nodes[value.number].vector if value.space == "node" else self._is_vector(value)

    def add(self, terms: Iterable[tuple[Value, float]], *, relu: bool = False) -> Value:
        """The value of a sum, or of its ReLU."""
        total = summed(terms)
        if not total.terms:
            return max(total.constant, 0.0) if relu else total.constant
        positive = total.constant >= 0 and all(ref in self._positive and weight > 0 for ref, weight in total.terms)
        relu = relu and not positive
        if not relu and total.plain is not None:
            return total.plain
        key = (total.constant, frozenset(total.terms), relu)
        if key not in self._known:
            ref = Ref("node", len(self.nodes))
            self.nodes.append(Expression(total, relu, any(self.vector(each) for each, _ in total.terms)))
            self._known[key] = ref
            if relu or positive:
                self._positive.add(ref)
        return self._known[key]

    def program(self, new: Sequence[Value]) -> Formulas:
        """The nodes that the new values need, renumbered."""
        needed: set[int] = set()
        waiting = [value.number for value in new if isinstance(value, Ref) and value.space == "node"]
        while waiting:
            number = waiting.pop()
            if number not in needed:
                needed.add(number)
                waiting += [ref.number for ref, _ in self.nodes[number].of.terms if ref.space == "node"]
        place = {number: at for at, number in enumerate(sorted(needed))}
        nodes = tuple(_moved(self.nodes[number], place) for number in sorted(needed))
        return shared(Formulas(nodes, tuple(_moved_value(value, place) for value in new)), self._is_vector)


LEAST = 6  # terms that sums have in common where it pays to add them up once
Term = tuple[Ref, float]


def shared(program: Formulas, is_vector: Callable[[Ref], bool]) -> Formulas:
    """The same program; terms that many sums have in common are added up once, in a node of their own.

    A choice among many classes, as in motifs, has one long sum a class, all alike but for a constant. `is_vector` is
    asked of columns and of what heads bring.
    """
    once = _rewritten(program, _common(program.nodes), is_vector)
    return _rewritten(once, _alike(once.nodes), is_vector)


def _rewritten(program: Formulas, common: Mapping[int, frozenset[Term]], is_vector: Callable[[Ref], bool]) -> Formulas:
    """The same program, with a node for each part that sums have in common."""
    place: dict[int, int] = {}
    nodes: list[Expression] = []
    made: dict[frozenset[Term], Ref] = {}
    for number, node in enumerate(program.nodes):
        part = common.get(number)
        if part is not None and part not in made:
            made[part] = Ref("node", len(nodes))
            inner = Sum(0.0, tuple(term for term in node.of.terms if term in part))
            vector = any(program.nodes[r.number].vector if r.space == "node" else is_vector(r) for r, _ in part)
            nodes.append(_moved(Expression(inner, False, vector), place))
        place[number] = len(nodes)
        nodes.append(_moved(node, place) if part is None else _with_part(node, part, made[part], place))
    return Formulas(tuple(nodes), tuple(_moved_value(value, place) for value in program.new))


def _alike(nodes: Sequence[Expression]) -> dict[int, frozenset[Term]]:
    """For each node that has a long sum for a term and differs from two others or more by a constant, its terms."""
    groups: dict[frozenset[Term], list[int]] = {}
    for number, node in enumerate(nodes):
        inner = [nodes[ref.number] for ref, _ in node.of.terms if ref.space == "node"]
        if len(node.of.terms) > 1 and any(not each.relu and len(each.of.terms) >= LEAST for each in inner):
            groups.setdefault(frozenset(node.of.terms), []).append(number)
    return {number: part for part, members in groups.items() if len(members) > 2 for number in members}


def _with_part(node: Expression, part: frozenset[Term], made: Ref, place: Mapping[int, int]) -> Expression:
    others = tuple((_moved_ref(ref, place), weight) for ref, weight in node.of.terms if (ref, weight) not in part)
    return Expression(Sum(node.of.constant, ((made, 1.0), *others)), node.relu, node.vector)


def _common(nodes: Sequence[Expression]) -> dict[int, frozenset[Term]]:
    """For each node that shares many terms with two others or more, these terms."""
    groups: list[tuple[frozenset[Term], list[int]]] = []
    for number, node in enumerate(nodes):
        terms = frozenset(node.of.terms)
        if len(terms) < LEAST:
            continue
        for at, (part, members) in enumerate(groups):
            both = part & terms
            if len(both) >= max(LEAST, 3 * len(part) // 4):
                groups[at] = (both, [*members, number])
                break
        else:
            groups.append((terms, [number]))
    return {number: part for part, members in groups if len(members) > 2 for number in members}


def _moved(node: Expression, place: Mapping[int, int]) -> Expression:
    terms = tuple((_moved_ref(ref, place), weight) for ref, weight in node.of.terms)
    return Expression(Sum(node.of.constant, terms), node.relu, node.vector)


def _moved_ref(ref: Ref, place: Mapping[int, int]) -> Ref:
    return Ref("node", place[ref.number]) if ref.space == "node" else ref


def _moved_value(value: Value, place: Mapping[int, int]) -> Value:
    return _moved_ref(value, place) if isinstance(value, Ref) else value
