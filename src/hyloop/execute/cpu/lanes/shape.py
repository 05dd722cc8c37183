"""Which plans can run in lanes, and what of the state they need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from hyloop.execute.cpu.expressions import Ref, Sum
from hyloop.execute.cpu.memory import stores
from hyloop.execute.cpu.plan import LayerPlan, Plan

Guarded = tuple[int, str, int]  # a layer, "first", "rest" or "body", and the column that it writes there


def runs_in_lanes(plan: Plan) -> bool:
    """Whether all heads are products, scans and identities; pointers would read another row in each lane."""
    return not any(layer.reads or layer.gathers or layer.slow for layer in plan.layers)


@dataclass(frozen=True, eq=False)
class Shape:
    """A plan in lanes. `given` are the columns that depend on the input, `wanted` those that are read at the end."""

    plan: Plan
    given: frozenset[int]
    wanted: frozenset[int]

    @cached_property
    def written(self) -> tuple[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], ...]:
        """For each layer the columns that it writes on row 0, as numbers of the body, and as vectors that are read."""
        return tuple(self._written(number) for number in range(len(self.plan.layers)))

    def _written(self, number: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        here, after = self.plan.layers[number], self.plan.after(number)
        body = stores(here.before, after, here.body.new, 1)
        vectors = tuple(c for c in body if after[c].vector and c in self._read_after[number])
        numbers = tuple(c for c in body if not after[c].vector)
        return tuple(stores(here.before, after, here.first.new, 0)), numbers, vectors

    @cached_property
    def _read_after(self) -> list[frozenset[int]]:
        """For each layer the columns whose vectors are read after it, before they are written again."""
        layers = self.plan.layers
        after = [frozenset[int]()] * len(layers)
        while True:
            found = []
            for number in range(len(layers)):
                following = (number + 1) % len(layers)
                kept = after[following] - _replaced(layers[following], self.plan.after(following))
                end = self.wanted if following == 0 else frozenset()
                found.append(_read(layers[following]) | kept | end)
            if found == after:
                return after
            after = found

    @cached_property
    def shared(self) -> dict[int, int]:
        """The vectors that are the same in all lanes, as no layer writes them, and their places."""
        changed = {c for n, layer in enumerate(self.plan.layers) for c in _replaced(layer, self.plan.after(n))}
        return _numbered(c for c in self._vectors if c not in changed | self.given)

    @cached_property
    def places(self) -> dict[int, int]:
        """The vectors that each lane has for itself, and their places."""
        return _numbered(c for c in self._vectors if c not in self.shared)

    @property
    def _vectors(self) -> list[int]:
        read = frozenset[int]().union(self.wanted, *map(_read, self.plan.layers))
        vectors = {c for layer in self.plan.layers for c, fact in enumerate(layer.before) if fact.vector}
        return sorted(read & vectors)

    @cached_property
    def guarded(self) -> dict[Guarded, int]:
        """All that is written, with a number for each."""
        kinds = ("first", "rest", "body")
        written = ((n, dict(zip(kinds, each, strict=True))) for n, each in enumerate(self.written))
        keys = ((n, kind, column) for n, by_kind in written for kind, columns in by_kind.items() for column in columns)
        return {key: at for at, key in enumerate(keys)}

    @cached_property
    def brought(self) -> dict[tuple[int, int], int]:
        """Products that must be complete before a row is written, by layer and number, and their places."""
        return {key: at for at, key in enumerate(self._before_rows())}

    def _before_rows(self) -> Iterator[tuple[int, int]]:
        for number, layer in enumerate(self.plan.layers):
            for product in layer.products:
                if any(ref.number in self.written[number][2] for ref, _ in product.source.terms):
                    yield number, product.to


@lru_cache(maxsize=16)
def shape_of(plan: Plan, given: frozenset[int], wanted: frozenset[int]) -> Shape:
    """The shape: one object for the same plan, which code is kept for."""
    return Shape(plan, given, wanted)


def sums_of(layer: LayerPlan) -> Iterator[Sum]:
    """All sums of vectors that a layer computes on the body."""
    yield from (node.of for node in layer.body.nodes)
    yield from (product.source for product in layer.products)
    for scan in layer.scans:
        yield scan.score[1]
        yield from (body for _, body in scan.values)


def _read(layer: LayerPlan) -> frozenset[int]:
    """The columns whose vectors a layer reads."""
    refs = {ref for each in sums_of(layer) for ref, _ in each.terms}
    refs |= {value for c, value in enumerate(layer.body.new) if isinstance(value, Ref) and value != Ref("column", c)}
    return frozenset(r.number for r in refs if r.space == "column" and layer.before[r.number].vector)


def _replaced(layer: LayerPlan, after: tuple[object, ...]) -> frozenset[int]:
    return frozenset(stores(layer.before, after, layer.body.new, 1)) | frozenset(  # type: ignore[arg-type]
        c for c, value in enumerate(layer.body.new) if value != Ref("column", c)
    )


def _numbered(columns: Iterator[int]) -> dict[int, int]:
    return {column: place for place, column in enumerate(columns)}
