"""One transformer layer: heads, then a four-matrix MLP, both with a residual; and the merging of independent layers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from hyloop.errors import ModelError
from hyloop.machine.layout import Layout
from hyloop.machine.purpose import HeadPurpose, UnitPurpose

Matrix = npt.NDArray[np.float64]
HeadKind = Literal["plain", "incidence", "transposed", "tails", "tails_transposed", "heads", "heads_transposed"]
# Kinds that tell tails from heads: a layout declares them.
DIRECTED: frozenset[HeadKind] = frozenset({"tails", "tails_transposed", "heads", "heads_transposed"})
KEY_SIZE = 2
NOTHING = HeadPurpose()

Entries = Mapping[tuple[str, str], float]
KeyEntries = Mapping[tuple[str, int], float]


def _frozen(weight: Matrix) -> Matrix:
    """The same numbers in memory of a `bytes`, which cannot be made writable: what is verified stays what it is."""
    base: object = weight.base
    return weight if isinstance(base, bytes) else np.ndarray(weight.shape, weight.dtype, weight.tobytes())


@dataclass(frozen=True, eq=False)
class Head:
    """`M σ(X Wq Wkᵀ Xᵀ) X Wv`, where `M` is the identity (plain), `Ã` (incidence) or `Ãᵀ` (transposed).

    In directed machines it may also be the incidence of tails or of heads, or one of these transposed.
    """

    kind: HeadKind
    query: Matrix
    key: Matrix
    value: Matrix
    purpose: HeadPurpose = NOTHING

    def __post_init__(self) -> None:
        if self.kind not in get_args(HeadKind):
            raise ModelError(f"A head is {', '.join(get_args(HeadKind))}; not {self.kind!r}.")
        for name in ("query", "key", "value"):
            object.__setattr__(self, name, _frozen(getattr(self, name)))

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Of a copy, or from a pickle: its weights cannot be changed either."""
        self.__dict__.update(state)
        self.__post_init__()

    def looks_like(self, other: Head) -> bool:
        """Whether both heads have the same attention, so that one head with the sum of their values replaces both."""
        return (
            self.kind == other.kind and np.array_equal(self.query, other.query) and np.array_equal(self.key, other.key)
        )

    @cached_property
    def reads(self) -> frozenset[int]:
        """The columns that queries, keys or values depend on."""
        return nonzero_rows(self.query) | nonzero_rows(self.key) | nonzero_rows(self.value)

    @cached_property
    def writes(self) -> frozenset[int]:
        """The columns that the head adds to."""
        return nonzero_rows(self.value.T)


@dataclass(frozen=True, eq=False)
class Mlp:
    """`X + relu(relu(relu(X W1) W2) W3) W4`: `d × h`, `h × h`, `h × h`, `h × d`.

    `purposes` has, for each of the three stages, what each hidden unit is for. The units of a hand-written MLP, as the
    paper's are, have `names` instead.
    """

    weights: tuple[Matrix, Matrix, Matrix, Matrix]
    purposes: tuple[tuple[UnitPurpose, ...], ...] = ()
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", tuple(map(_frozen, self.weights)))

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Of a copy, or from a pickle: its weights cannot be changed either."""
        self.__dict__.update(state)
        self.__post_init__()

    @property
    def width(self) -> int:
        """The number of hidden units of a stage."""
        return int(self.weights[0].shape[1])

    @cached_property
    def reads(self) -> frozenset[int]:
        """The columns that the first stage depends on."""
        return nonzero_rows(self.weights[0])

    @cached_property
    def writes(self) -> frozenset[int]:
        """The columns that the MLP adds to."""
        return nonzero_rows(self.weights[3].T)


@dataclass(frozen=True, eq=False)
class Layer:
    """Attention, then MLP. `notes` name the steps that a hand-written layer, as the paper's are, implements."""

    heads: tuple[Head, ...]
    mlp: Mlp
    notes: tuple[str, ...] = ()

    @cached_property
    def attention_writes(self) -> frozenset[int]:
        """The columns that the heads add to."""
        return frozenset().union(*(head.writes for head in self.heads))

    @cached_property
    def writes(self) -> frozenset[int]:
        """Every column that the layer may change."""
        return self.attention_writes | self.mlp.writes

    def named(self, what: str) -> Layer:
        """The same layer, with a note of what it does."""
        return replace(self, notes=(what,))


def nonzero_rows(matrix: Matrix) -> frozenset[int]:
    """The numbers of the rows of a matrix that are not zero throughout."""
    return frozenset(np.flatnonzero(np.any(matrix != 0, axis=1)).tolist())


def head(layout: Layout, kind: HeadKind, query: KeyEntries, key: KeyEntries, value: Entries) -> Head:
    """A head from its non-zero entries: `{(column, dimension): weight}`, and `{(from, to): weight}` for the value."""
    wq, wk = (np.zeros((len(layout), KEY_SIZE)) for _ in range(2))
    for weights, entries in ((wq, query), (wk, key)):
        for (column, dimension), weight in entries.items():
            weights[layout.number(column), dimension] += weight
    wv = np.zeros((len(layout), len(layout)))
    for (source, target), weight in value.items():
        wv[layout.number(source), layout.number(target)] += weight
    return Head(kind, wq, wk, wv)


def mlp(layout: Layout, w1: Entries, w2: Entries, w3: Entries, w4: Entries) -> Mlp:
    """An MLP from its non-zero entries; hidden units are made as they are named."""
    named = [b for _, b in w1] + [unit for entry in (*w2, *w3) for unit in entry] + [a for a, _ in w4]
    units = tuple(dict.fromkeys(named))
    at = {unit: number for number, unit in enumerate(units)}
    d, h = len(layout), len(units)
    first, last = np.zeros((d, h)), np.zeros((h, d))
    middle = np.zeros((h, h)), np.zeros((h, h))
    for (column, unit), weight in w1.items():
        first[layout.number(column), at[unit]] += weight
    for weights, entries in zip(middle, (w2, w3), strict=True):
        for (source, target), weight in entries.items():
            weights[at[source], at[target]] += weight
    for (unit, column), weight in w4.items():
        last[at[unit], layout.number(column)] += weight
    return Mlp((first, *middle, last), names=units)


def linear(*parts: Mapping[str, float]) -> dict[str, float]:
    """The sum of linear forms, each `{column: weight}`; a column may occur in several of them."""
    total: dict[str, float] = {}
    for part in parts:
        for column, weight in part.items():
            total[column] = total.get(column, 0.0) + weight
    return total


def no_mlp(layout: Layout) -> Mlp:
    """The MLP that changes nothing."""
    return mlp(layout, {}, {}, {}, {})


def one_stage(layout: Layout, units: Mapping[str, Mapping[str, float]], out: Entries) -> Mlp:
    """An MLP that needs one ReLU: each unit is relu(Σ weight·column); stages two and three pass it on.

    Units whose weights cancel (a target that is also a source, say) are left out.
    """
    live = [unit for unit, weights in units.items() if any(weights.values())]
    first = {(column, unit): weight for unit in live for column, weight in units[unit].items()}
    carry = {(unit, unit): 1.0 for unit in live}
    return mlp(layout, first, carry, carry, {entry: weight for entry, weight in out.items() if entry[0] in live})


def merge(layout: Layout, layers: Sequence[Layer]) -> Layer:
    """One layer that does what several independent ones do. Heads with the same attention become one.

    Every part reads the state as it was before the layer: a part whose MLP would read what another's attention has
    just written, or two parts that write one column, are refused.
    """
    for number, a in enumerate(layers):
        for b in layers[number + 1 :]:
            _require_independent(layout, a, b)
    heads: list[Head] = reduce(join, (head for layer in layers for head in layer.heads), [])
    notes = tuple(what for layer in layers for what in layer.notes)
    return Layer(tuple(heads), _side_by_side(layout, [layer.mlp for layer in layers]), notes)


def _require_independent(layout: Layout, a: Layer, b: Layer) -> None:
    clash = (a.writes & b.writes) | (a.attention_writes & b.mlp.reads) | (b.attention_writes & a.mlp.reads)
    if clash:
        columns = ", ".join(layout.columns[number].name for number in sorted(clash))
        raise ModelError(
            f"{' and '.join(a.notes + b.notes) or 'Two layers'} cannot share a layer: "
            f"both use column {columns} and one writes it."
        )


def join(heads: list[Head], head: Head) -> list[Head]:
    """The heads with one more, which is merged into another of the same attention if there is one."""
    for number, other in enumerate(heads):
        if other.looks_like(head):
            joined = replace(other, value=other.value + head.value, purpose=other.purpose + head.purpose)
            return [*heads[:number], joined, *heads[number + 1 :]]
    return [*heads, head]


def _side_by_side(layout: Layout, mlps: Iterable[Mlp]) -> Mlp:
    parts = [part for part in mlps if part.width]
    if not parts:
        return no_mlp(layout)
    first = np.hstack([part.weights[0] for part in parts])
    last = np.vstack([part.weights[3] for part in parts])
    second, third = (_block_diagonal([part.weights[stage] for part in parts]) for stage in (1, 2))
    return Mlp((first, second, third, last), names=tuple(name for part in parts for name in part.names))


def _block_diagonal(blocks: Sequence[Matrix]) -> Matrix:
    size = sum(len(block) for block in blocks)
    whole, at = np.zeros((size, size)), 0
    for block in blocks:
        whole[at : at + len(block), at : at + len(block)] = block
        at += len(block)
    return whole
