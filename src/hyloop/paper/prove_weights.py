"""The weights of a layer as terms: fractions at one `Ω`, or terms in an unknown `Ω`.

The weights are those of the layer itself. For an unknown `Ω` they are interpolated as `a + bΩ + d/Ω` from layers built
at several `Ω`, and checked at more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

import numpy as np
import numpy.typing as npt

from hyloop.errors import ModelError
from hyloop.machine.layer import HeadKind, Layer
from hyloop.machine.layout import Layout
from hyloop.paper.judge import FormName
from hyloop.paper.lemma import Lemma, Names
from hyloop.paper.prove_promises import NOTHING, SymbolicRow
from hyloop.paper.prove_terms import Term, add, inverse, relu, times, total

Matrix = npt.NDArray[np.float64]
# The non-zero weights of a matrix: target -> source -> weight.
SparseTerms = Mapping[int, Mapping[int, Term]]


@dataclass(frozen=True)
class HeadWeights:
    """The weights of a head; query and key by their dimension."""

    kind: HeadKind
    query: SparseTerms
    key: SparseTerms
    value: SparseTerms

    def score(self, seeing: SymbolicRow, seen: SymbolicRow) -> Term:
        """The score of one row for another."""
        shared = self.query.keys() & self.key.keys()
        return total(times(_sum(self.query[k], seeing.cells), _sum(self.key[k], seen.cells)) for k in sorted(shared))

    def brings(self, row: SymbolicRow) -> dict[int, Term]:
        """The value of an attended row, by column."""
        return {target: _sum(weights, row.cells) for target, weights in self.value.items()}


@dataclass(frozen=True)
class LayerWeights:
    """The weights of a layer."""

    heads: tuple[HeadWeights, ...]
    mlp: tuple[SparseTerms, ...]
    width: int

    def feed_forward(self, cells: Sequence[Term]) -> tuple[Term, ...]:
        """The MLP on a row, with its residual."""
        inner: Sequence[Term] = cells
        for stage in self.mlp[:3]:
            inner = [relu(_sum(stage.get(unit, {}), inner)) for unit in range(self.width)]
        return tuple(add(cell, _sum(self.mlp[3].get(k, {}), inner)) for k, cell in enumerate(cells))


def weights_at(build: Callable[[float], Layer], omega: float) -> LayerWeights:
    """The weights of the layer built at one `Ω`, as fractions."""
    layer = build(omega)
    return _gather(layer, [_sparse(matrix, lambda weight: Fraction(float(weight))) for matrix in _matrices(layer)])


def weights_in(build: Callable[[float], Layer], omega: Term) -> LayerWeights:
    """The weights as terms in an unknown `Ω`."""
    fitted = (1, 2, 4)
    layers = {number: build(float(number)) for number in (*fitted, 3, 8, 1000, 2**20)}
    if len({tuple(matrix.shape for matrix in _matrices(layer)) for layer in layers.values()}) > 1:
        raise ModelError("The layer has another shape at another Ω.")
    result: list[SparseTerms] = []
    for matrices in zip(*(_matrices(layer) for layer in layers.values()), strict=True):
        at = dict(zip(layers, matrices, strict=True))
        entries: dict[int, dict[int, Term]] = {}
        for place in map(tuple, np.argwhere(np.any([matrix != 0 for matrix in matrices], axis=0)).tolist()):
            a, b, d = _fit(*(Fraction(float(at[number][place])) for number in fitted))
            for number, matrix in at.items():
                if float(a + b * number + d / number) != matrix[place]:
                    raise ModelError("A weight of the layer is not of the form a + bΩ + d/Ω.")
            term = add(add(a, times(b, omega)), times(d, inverse(omega)) if d else NOTHING)
            entries.setdefault(place[1], {})[place[0]] = term
        result.append(entries)
    return _gather(layers[1], result)


def _fit(one: Fraction, two: Fraction, four: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """`a`, `b`, `d` of `a + bΩ + d/Ω` from its values at 1, 2 and 4."""
    d = Fraction(4, 3) * ((four - two) - 2 * (two - one))
    b = two - one + d / 2
    return one - b - d, b, d


def _matrices(layer: Layer) -> list[Matrix]:
    heads = chain.from_iterable((head.query, head.key, head.value) for head in layer.heads)
    return [*heads, *layer.mlp.weights]


def _sparse(matrix: Matrix, read: Callable[[float], Term]) -> SparseTerms:
    entries: dict[int, dict[int, Term]] = {}
    for source, target in np.argwhere(matrix != 0).tolist():
        entries.setdefault(target, {})[source] = read(matrix[source, target])
    return entries


def _gather(layer: Layer, matrices: Sequence[SparseTerms]) -> LayerWeights:
    heads = tuple(HeadWeights(head.kind, *matrices[3 * k : 3 * k + 3]) for k, head in enumerate(layer.heads))
    return LayerWeights(heads, tuple(matrices[3 * len(heads) :]), layer.mlp.width)


def _sum(weights: Mapping[int, Term], cells: Sequence[Term]) -> Term:
    return total(times(weight, cells[source]) for source, weight in weights.items())


def layer_of(lemma: Lemma, form: FormName, layout: Layout, names: Names) -> Callable[[float], Layer]:
    """The lemma's layer for each `Ω`."""
    own = {column.name: column.name for column in layout.columns}
    build = lemma.printed if form == "printed" else lemma.corrected
    return lambda omega: build(layout, {**own, **names}, omega)
