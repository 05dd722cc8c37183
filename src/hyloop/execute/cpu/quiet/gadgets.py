"""Sums of ReLUs that are bounded though their terms are not: steps and tents.

A *step* is `relu(a) - relu(a - h)`: it rises from 0 to h. A *tent* is `relu(a + h) - 2 relu(a) + relu(a - h)`: h at
`a = 0`, and 0 from `|a| = h` on. Comparisons are compiled to them. Term by term, an interval of `a` says nothing of
such a sum; as a whole its range is exact. Where `a` is the number of a row less a number of the iteration, the value of
a row changes only when that number reaches the row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hyloop.execute.cpu.expressions import Ref, Sum


@dataclass(frozen=True)
class Linear:
    """`constant + Σ weight · value`, in integers."""

    constant: int
    terms: tuple[tuple[Ref, int], ...]

    @staticmethod
    def of(sum_: Sum) -> Linear:
        """The same sum; all its numbers are integers."""
        return Linear(int(sum_.constant), tuple((ref, int(weight)) for ref, weight in sum_.terms))

    def renamed(self, names: Mapping[Ref, Ref]) -> Linear:
        """The same sum, of values that have other names."""
        if not any(ref in names for ref, _ in self.terms):
            return self
        weights: dict[Ref, int] = {}
        for ref, weight in self.terms:
            name = names.get(ref, ref)
            weights[name] = weights.get(name, 0) + weight
        return Linear(self.constant, tuple((r, w) for r, w in weights.items() if w))

    def at(self, ref: Ref, value: int) -> Linear:
        """The same sum where a value is known."""
        known = sum(weight * value for each, weight in self.terms if each == ref)
        return Linear(self.constant + known, tuple(term for term in self.terms if term[0] != ref))

    def less(self, other: Linear) -> Linear:
        """The difference of two sums."""
        weights = dict(self.terms)
        for ref, weight in other.terms:
            weights[ref] = weights.get(ref, 0) - weight
        return Linear(self.constant - other.constant, tuple((r, w) for r, w in weights.items() if w))

    def split(self, kept: Callable[[Ref], bool]) -> tuple[Linear, Linear]:
        """The terms that are kept, without the constant; and all the rest."""
        some = tuple(term for term in self.terms if kept(term[0]))
        rest = tuple(term for term in self.terms if not kept(term[0]))
        return Linear(0, some), Linear(self.constant, rest)


@dataclass(frozen=True)
class Gadget:
    """`weight` times a step or a tent whose `a` is the argument of a node; `height` is h.

    `watched`: `a` is plus or minus the row's number, and numbers of the iteration.
    """

    kind: Literal["step", "tent"]
    weight: int
    node: int
    height: Linear
    watched: bool


@dataclass(frozen=True)
class Shape:
    """How a sum is bounded: constant, terms one by one, and gadgets."""

    constant: int
    plain: tuple[tuple[Ref, int], ...]
    gadgets: tuple[Gadget, ...]


def shape(
    of: Linear,
    argument: Callable[[Ref], Linear | None],
    sways: Callable[[Ref], bool],
    watched: Callable[[Linear], bool],
) -> Shape:
    """Find the gadgets of a sum. `argument` is what a node is the ReLU of, `sways` whether it depends on a number."""
    groups: dict[frozenset[tuple[Ref, int]], dict[Ref, int]] = {}
    for ref, weight in of.terms:
        inner = argument(ref)
        if inner is not None and sways(ref):
            groups.setdefault(frozenset(t for t in inner.terms if sways(t[0])), {})[ref] = weight
    found: list[Gadget] = []
    left = dict(of.terms)
    for group in groups.values():
        if len(group) > 1:
            found += _tents(group, argument, watched) + _steps(group, argument, watched)
            left.update(group)
    return Shape(of.constant, tuple((ref, weight) for ref, weight in left.items() if weight), tuple(found))


def _tents(
    group: dict[Ref, int], argument: Callable[[Ref], Linear | None], watched: Callable[[Linear], bool]
) -> list[Gadget]:
    """Take the tents out of a group of nodes whose arguments differ by what no number moves."""
    found = []
    for middle in list(group):
        if group[middle] % 2 or not group[middle]:
            continue
        weight, inner = -group[middle] // 2, _argument(argument, middle)
        for high in [ref for ref, each in group.items() if each == weight and ref != middle]:
            height = _argument(argument, high).less(inner)
            low = _opposite(group, argument, inner, height, weight, (middle, high))
            if low is not None:
                found.append(Gadget("tent", weight, middle.number, height, watched(inner)))
                group[middle] = group[high] = group[low] = 0
                break
    return found


def _opposite(
    group: dict[Ref, int],
    argument: Callable[[Ref], Linear | None],
    inner: Linear,
    height: Linear,
    weight: int,
    used: Sequence[Ref],
) -> Ref | None:
    wanted = (height.constant, frozenset(height.terms))
    for ref, each in group.items():
        if each == weight and ref not in used:
            difference = inner.less(_argument(argument, ref))
            if (difference.constant, frozenset(difference.terms)) == wanted:
                return ref
    return None


def _steps(
    group: dict[Ref, int], argument: Callable[[Ref], Linear | None], watched: Callable[[Linear], bool]
) -> list[Gadget]:
    found = []
    for upper in list(group):
        if group[upper] <= 0:
            continue
        lower = next((ref for ref, each in group.items() if each == -group[upper]), None)
        if lower is not None:
            inner = _argument(argument, upper)
            height = inner.less(_argument(argument, lower))
            found.append(Gadget("step", group[upper], upper.number, height, watched(inner)))
            group[upper] = group[lower] = 0
    return found


def _argument(argument: Callable[[Ref], Linear | None], ref: Ref) -> Linear:
    found = argument(ref)
    assert found is not None
    return found
