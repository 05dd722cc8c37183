"""Models with one weight changed, and whether running them shows it.

The sound model's own states, after every layer of every iteration of many small runs, are kept. A changed layer is
applied to all of them at once, and a mutant is run on only from where it first departs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from hyloop.compare import compare
from hyloop.errors import HyloopError
from hyloop.execute.dense import Blocks, apply, cast
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.prepare import prepare, program_of
from hyloop.hypergraph import Hypergraph
from hyloop.machine.layer import Head, Layer, Mlp
from hyloop.machine.layout import state_column
from hyloop.machine.model import Model
from hyloop.prove.basis import tensors

Matrix = npt.NDArray[np.float64]
State = npt.NDArray[np.floating]
Change = Literal["+1", "-1", "sign", "zero", "0 to 1"]
CHANGES: tuple[Change, ...] = get_args(Change)
LONGEST = 40  # iterations of a run; longer ones are left out
Case = tuple[Hypergraph, dict[str, Any]]


@dataclass(frozen=True)
class Mutant:
    """One weight changed: in which layer (from 0) and tensor (`heads.0.query`, `mlp.w1`), at which entry, and how."""

    layer: int
    tensor: str
    entry: tuple[int, int]
    change: Change

    def __str__(self) -> str:
        row, column = self.entry
        return f"layers.{self.layer}.{self.tensor}[{row}, {column}] {self.change}"

    def of(self, layer: Layer) -> Layer:
        """The changed layer."""
        part, *rest = self.tensor.split(".")
        if part == "mlp":
            stage = int(rest[0][1]) - 1
            weights = list(layer.mlp.weights)
            weights[stage] = self._changed(weights[stage])
            return replace(layer, mlp=Mlp((weights[0], weights[1], weights[2], weights[3]), layer.mlp.purposes))
        place, name = int(rest[0]), rest[1]
        head = layer.heads[place]
        matrices = {"query": head.query, "key": head.key, "value": head.value}
        matrices[name] = self._changed(matrices[name])
        changed = Head(head.kind, matrices["query"], matrices["key"], matrices["value"], head.purpose)
        return replace(layer, heads=(*layer.heads[:place], changed, *layer.heads[place + 1 :]))

    def model(self, model: Model) -> Model:
        """The changed model."""
        layers = [self.of(each) if number == self.layer else each for number, each in enumerate(model.layers)]
        return replace(model, layers=tuple(layers))

    def _changed(self, weight: Matrix) -> Matrix:
        weight = weight.copy()
        weight[self.entry] = changed(weight[self.entry], self.change)
        return weight


def changed(weight: float, change: Change) -> float:
    """A weight after a change."""
    return {"+1": weight + 1, "-1": weight - 1, "sign": -weight, "zero": 0.0, "0 to 1": 1.0}[change]


def mutants(model: Model, zeros: int, seed: int = 0) -> list[Mutant]:
    """Every change of every weight that is not 0, and so many weights that are 0 set to 1.

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
    states: tuple[State, ...]
    blocks: Blocks
    item: npt.NDArray[np.intp]
    last: npt.NDArray[np.intp]
    begins: npt.NDArray[np.bool_]
    compared: tuple[tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]], ...]

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(np.unique(self.item))


def reference(model: Model, cases: Sequence[Case]) -> Reference:
    """The sound model on all cases, padded to one size, after `check` has found no difference."""
    size = max(max(len(h.vertices), len(h.hyperedges), 1) for h, _ in cases) + 2
    size = min(size, model.capacity.rows + 1)
    program = program_of(model)
    layers = tuple(cast(layer, model.dtype) for layer in model.layers)
    incidences, runs = [], []
    for h, given in cases:
        padding = size - max(len(h.vertices), len(h.hyperedges), 1) - 1
        prepared = prepare(program, h, given)
        checked = compare(model, prepared, padding=padding)
        if checked.difference is not None:
            raise HyloopError(f"{model.name} differs from its program before any change: {checked.difference}.")
        if not checked.stopped:
            raise HyloopError(f"{model.name} did not stop within the {checked.iterations} iterations that it declares.")
        if checked.iterations <= LONGEST:
            frame = Frame(len(h.vertices), len(h.hyperedges), prepared.weights, prepared.inputs, padding)
            incidences.append(pad(model, h, size))
            runs.append((encode(model, frame), checked.iterations))
    blocks = Blocks.of(incidences, size, size, model.dtype)
    states: list[list[State]] = [[] for _ in range(len(layers) + 1)]
    for run, (first, iterations) in enumerate(runs):
        only, X = blocks.only(np.array([run])), first[np.newaxis]
        for _ in range(iterations):
            states[0].append(X[0])
            for number, layer in enumerate(layers, start=1):
                X = apply(layer, X, only)
                states[number].append(X[0])
    lengths = [iterations for _, iterations in runs]
    starts = np.cumsum([0, *lengths[:-1]])
    item = np.repeat(np.arange(len(runs)), lengths)
    begins = np.zeros(len(item), dtype=np.bool_)
    begins[starts] = program.begins
    last = np.repeat(np.cumsum(lengths) - 1, lengths)
    compared = tuple(_compared(model, number) for number in range(len(layers) + 1))
    return Reference(layers, tuple(np.stack(each) for each in states), blocks, item, last, begins, compared)


def _compared(model: Model, layer: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    always = [state_column(state.name) for state in program_of(model).states] + [model.layout.halt]
    sections = []
    for section in ("before", "body"):
        columns = np.zeros(len(model.layout), dtype=np.bool_)
        names = [local.column for local in model.locals if (local.layer, local.section) == (layer, section)]
        for name in names + (always if layer == len(model.layers) else []):
            columns[model.layout.number(name)] = True
        sections.append(columns)
    return sections[0], sections[1]


def caught(ref: Reference, mutant: Mutant) -> bool:
    """Whether a run shows a mutant: a value that `check` compares is another than the program's."""
    mutated = mutant.of(ref.layers[mutant.layer])
    layers = [*ref.layers[: mutant.layer], mutated, *ref.layers[mutant.layer + 1 :]]
    everywhere = np.arange(len(ref.item))
    X = apply(mutated, ref.states[mutant.layer], ref.blocks.only(ref.item))
    departs = np.not_equal(X, ref.states[mutant.layer + 1]).any(axis=(1, 2))
    # Of each run, the first departure; what came before it is as it was, what came after it is not what would be.
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
