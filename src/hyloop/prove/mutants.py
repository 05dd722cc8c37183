"""Models with one weight changed, and whether running them shows it.

The sound model's own states, after every layer of every iteration of many small runs, are kept. A changed layer is
applied to all of them at once, and a mutant is run further only from its first difference.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt

from hyloop.compare import Place, compare, places
from hyloop.errors import HyloopError
from hyloop.execute.dense import Blocks, apply, cast, start
from hyloop.execute.loop import iterate
from hyloop.execute.prepare import Encoded, Given, encoded, given_to, program_of
from hyloop.hypergraph import Hypergraph
from hyloop.interpreter import IterationEnd
from hyloop.machine.layer import DIRECTED, Head, HeadKind, Layer
from hyloop.machine.model import Model
from hyloop.prove.basis import MLP, Tensor, tensors

Matrix = npt.NDArray[np.float64]
StateMatrix = npt.NDArray[np.floating]
Change = Literal["+1", "-1", "sign", "zero", "0 to 1"]
CHANGES: tuple[Change, ...] = get_args(Change)
LONGEST = 40  # iterations of a run; of longer ones the first, and only where there are no others
RunInput = tuple[Hypergraph, dict[str, Any]]


@dataclass(frozen=True)
class Mutant:
    """One weight changed: in which layer (from 0) and tensor, at which entry, and how."""

    layer: int
    tensor: Tensor
    entry: tuple[int, int]
    change: Change

    def __str__(self) -> str:
        row, column = self.entry
        return f"layers.{self.layer}.{self.tensor}[{row}, {column}] {self.change}"

    def of(self, layer: Layer) -> Layer:
        """The changed layer."""
        place = self.tensor.head
        if place is None:
            pairs = zip(MLP, layer.mlp.weights, strict=True)
            w1, w2, w3, w4 = (self._changed(weight) if each == self.tensor else weight for each, weight in pairs)
            return replace(layer, mlp=replace(layer.mlp, weights=(w1, w2, w3, w4)))
        return replace(layer, heads=(*layer.heads[:place], self._head(layer.heads[place]), *layer.heads[place + 1 :]))

    def _head(self, head: Head) -> Head:
        matrices = {"query": head.query, "key": head.key, "value": head.value}
        matrices[self.tensor.part] = self._changed(matrices[self.tensor.part])
        return replace(head, query=matrices["query"], key=matrices["key"], value=matrices["value"])

    def model(self, model: Model) -> Model:
        """The changed model."""
        layers = [self.of(each) if number == self.layer else each for number, each in enumerate(model.layers)]
        return replace(model, layers=tuple(layers))

    def _changed(self, weight: Matrix) -> Matrix:
        weight = weight.copy()
        weight[self.entry] = changed(weight[self.entry], self.change)
        return weight


@dataclass(frozen=True)
class OtherKind:
    """One head of another kind: with another incidence, transposed or not, or with none."""

    layer: int
    head: int
    kind: HeadKind
    change: ClassVar[Literal["kind"]] = "kind"

    def __str__(self) -> str:
        return f"layers.{self.layer}.heads.{self.head} {self.kind}"

    def of(self, layer: Layer) -> Layer:
        """The changed layer."""
        heads = [*layer.heads]
        heads[self.head] = replace(heads[self.head], kind=self.kind)
        return replace(layer, heads=tuple(heads))


def other_kinds(model: Model) -> list[OtherKind]:
    """Every head with every other kind that the machine has."""
    kinds = [kind for kind in get_args(HeadKind) if model.layout.directed or kind not in DIRECTED]
    return [
        OtherKind(number, place, kind)
        for number, layer in enumerate(model.layers)
        for place, head in enumerate(layer.heads)
        for kind in kinds
        if kind != head.kind
    ]


def changed(weight: float, change: Change) -> float:
    """A weight after a change."""
    return {"+1": weight + 1, "-1": weight - 1, "sign": -weight, "zero": 0.0, "0 to 1": 1.0}[change]


def mutants(model: Model, zeros: int, seed: int = 0) -> list[Mutant]:
    """Every change of every weight that is not 0, and `zeros` weights that are 0 set to 1.

    A change that gives the same weight as another (1 minus 1 is 0) is made once.
    """
    found: list[Mutant] = []
    empty: list[Mutant] = []
    for layer, name, weight in tensors(model):
        for row, column in np.argwhere(weight != 0).tolist():
            values: dict[float, Change] = {}
            for change in CHANGES[:4]:
                values.setdefault(changed(weight[row, column], change), change)
            found += [Mutant(layer, name, (row, column), change) for change in values.values()]
        empty += [Mutant(layer, name, (row, column), "0 to 1") for row, column in np.argwhere(weight == 0).tolist()]
    draw = random.Random(seed)
    return found + draw.sample(empty, min(zeros, len(empty)))


# -- the states of the sound model ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reference:
    """What the sound model holds: `states[l]` after layer `l` (0: before the first), over all runs and iterations.

    `item` is the run of each, `last` the place of that run's last iteration, `begins` whether it is the iteration of
    the statements before the loop; `compared[l]` are the columns that the check compares after layer `l`, in that
    iteration and in the others.
    """

    layers: tuple[Layer, ...]
    states: tuple[StateMatrix, ...]
    blocks: Blocks
    item: npt.NDArray[np.intp]
    last: npt.NDArray[np.intp]
    begins: npt.NDArray[np.bool_]
    compared: tuple[tuple[npt.NDArray[np.bool_], ...], ...]

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(np.unique(self.item))


def reference(model: Model, cases: Sequence[RunInput]) -> Reference:
    """The sound model on all cases, padded to one size, after `check` has found no difference."""
    size = max(max(len(h.vertices), len(h.hyperedges), 1) for h, _ in cases) + 2
    size = max(min(size, model.capacity.rows + 1), model.layout.least + 1)
    program = program_of(model)
    layers = tuple(cast(layer, model.dtype) for layer in model.layers)
    runs: list[Encoded] = []
    long: list[Encoded] = []
    for h, given in cases:
        padding = size - max(len(h.vertices), len(h.hyperedges), 1) - 1
        prepared = given_to(program, h, given)
        (runs if _ends_soon(model, prepared, padding) else long).append(encoded(model, prepared, padding))
    runs = runs or long
    blocks = Blocks.of([run.incidence for run in runs], size, size, model.dtype)
    states: list[list[StateMatrix]] = [[] for _ in range(len(layers) + 1)]
    lengths = [_note(run, states) for run in runs]
    starts = np.cumsum([0, *lengths[:-1]])
    item = np.repeat(np.arange(len(runs)), lengths)
    begins = np.zeros(len(item), dtype=np.bool_)
    begins[starts] = program.begins
    last = np.repeat(np.cumsum(lengths) - 1, lengths)
    standing = places(model, program)
    compared = tuple(_compared(standing, len(model.layout), number) for number in range(len(layers) + 1))
    return Reference(layers, tuple(np.stack(each) for each in states), blocks, item, last, begins, compared)


class _LongError(Exception):
    """More iterations than are looked at."""


def _ends_soon(model: Model, given: Given, padding: int) -> bool:
    """Whether a run ends within `LONGEST` iterations. Raises `HyloopError` where it differs from the program before."""

    def watch(_: StateMatrix, end: IterationEnd) -> None:
        if end.iteration > LONGEST:
            raise _LongError

    try:
        checked = compare(model, given, padding=padding, watch=watch)
    except _LongError:
        return False
    if checked.difference is not None:
        raise HyloopError(f"{model.name} differs from its program before any change: {checked.difference}.")
    checked.require_stopped(program_of(model).name)
    return True


def _note(run: Encoded, states: Sequence[list[StateMatrix]]) -> int:
    """Add the states of a run, before the first layer and after each; returns how many iterations it has."""
    before, iterations = run.X, 0
    session = start(run.model, run.X, run.incidence, layers=True)
    for pause in islice(iterate(session, LONGEST), 1, None):
        after = [each[0] for each in session.after_layers()]
        for held, X in zip(states, (before, *after), strict=True):
            held.append(X)
        before, iterations = after[-1], pause.iteration
    return iterations


def _compared(standing: Sequence[Place], columns: int, layer: int) -> tuple[npt.NDArray[np.bool_], ...]:
    """Which columns hold a value of the program after a layer, in each section."""
    found = []
    for section in ("before", "body"):
        compared = np.zeros(columns, dtype=np.bool_)
        compared[[place.column for place in standing if place.stands(layer, section)]] = True
        found.append(compared)
    return tuple(found)


def caught(ref: Reference, mutant: Mutant | OtherKind) -> bool:
    """Whether a run shows a mutant: a value that `check` compares differs from the program's."""
    mutated = mutant.of(ref.layers[mutant.layer])
    layers = [*ref.layers[: mutant.layer], mutated, *ref.layers[mutant.layer + 1 :]]
    everywhere = np.arange(len(ref.item))
    X = apply(mutated, ref.states[mutant.layer], ref.blocks.only(ref.item))
    departs = np.not_equal(X, ref.states[mutant.layer + 1]).any(axis=(1, 2))
    # Of each run, the first difference only: the reference states after it are not those of the mutant.
    _, firsts = np.unique(ref.item[departs], return_index=True)
    places = everywhere[departs][firsts]
    X, layer = X[places], mutant.layer + 1
    while len(places):
        wrong = np.not_equal(X, ref.states[layer][places])
        columns = np.where(ref.begins[places, np.newaxis], *ref.compared[layer])
        if (wrong.any(axis=1) & columns).any():
            return True
        if layer == len(layers):
            going = places < ref.last[places]
            X, places, layer = X[going], places[going] + 1, 0
            if not len(places):
                return False
        X = apply(layers[layer], X, ref.blocks.only(ref.item[places]))
        layer += 1
    return False
