"""How much the simulation check sees: of all models with one weight changed, the share that it catches.

    python benchmarks/mutations.py [ALGORITHM ...] [--zeros 1000] [--inputs 25] [--capacity-rows 20] [--json FILE]

Every weight that is not 0, plus 1 and minus 1; and so many weights that are 0, set to 1. A mutant is caught when on one
of the inputs a value that `hyloop.check` compares is another than the interpreter's. The sound model agrees with the
interpreter (that is checked first), so its own states serve as the interpreter's: a mutated layer is applied to all of
them at once, and a mutant is run on only from where it first departs.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

import hyloop
from hyloop import Capacity, Hypergraph, Model
from hyloop.algorithms import ALGORITHMS
from hyloop.execute.dense import Blocks, apply, cast
from hyloop.execute.encode import Frame, encode, pad
from hyloop.machine.layer import Head, Layer, Mlp
from hyloop.paper.sweep import hypergraphs
from hyloop.run import prepare, program_of

HARBOUR = Path(__file__).parents[1] / "examples" / "harbour.hif.json"
WORKERS = 2
CHUNK = 100
WEIGHT = 100
VERTICES, HYPEREDGES = 6, 6
LONGEST = 40  # iterations of an input; longer ones are left out
KINDS = ("+1", "-1", "0 to 1")

Matrix = npt.NDArray[np.floating]


# -- mutants --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant:
    """One weight changed: in which layer and tensor (`heads.0.query`, `mlp.w1`), at which entry, by how much."""

    layer: int
    tensor: str
    entry: tuple[int, int]
    kind: str

    @property
    def change(self) -> int:
        """What is added to the weight."""
        return -1 if self.kind == "-1" else 1

    def of(self, layer: Layer) -> Layer:
        """The mutated layer."""
        part, *rest = self.tensor.split(".")
        if part == "mlp":
            stage = int(rest[0][1]) - 1
            weights = list(layer.mlp.weights)
            weights[stage] = self._changed(weights[stage])
            return replace(layer, mlp=Mlp((weights[0], weights[1], weights[2], weights[3]), layer.mlp.units))
        place, name = int(rest[0]), rest[1]
        head = layer.heads[place]
        matrices = {"query": head.query, "key": head.key, "value": head.value}
        matrices[name] = self._changed(matrices[name])
        changed = Head(head.kind, matrices["query"], matrices["key"], matrices["value"], head.serves)
        return replace(layer, heads=(*layer.heads[:place], changed, *layer.heads[place + 1 :]))

    def _changed(self, weight: Matrix) -> Matrix:
        weight = weight.copy()
        weight[self.entry] += self.change
        return weight


def tensors(model: Model) -> Iterator[tuple[int, str, Matrix]]:
    """Every tensor of a model."""
    for number, layer in enumerate(model.layers):
        for place, head in enumerate(layer.heads):
            yield from (
                (number, f"heads.{place}.query", head.query),
                (number, f"heads.{place}.key", head.key),
                (number, f"heads.{place}.value", head.value),
            )
        yield from ((number, f"mlp.w{stage}", weight) for stage, weight in enumerate(layer.mlp.weights, start=1))


def mutants(model: Model, zeros: int, seed: int) -> list[Mutant]:
    """All mutants of the weights that are not 0, and some of the others."""
    found, empty = [], []
    for layer, name, weight in tensors(model):
        for row, column in np.argwhere(weight != 0).tolist():
            found += [Mutant(layer, name, (row, column), kind) for kind in ("+1", "-1")]
        empty += [Mutant(layer, name, (row, column), "0 to 1") for row, column in np.argwhere(weight == 0).tolist()]
    draw = random.Random(seed)  # noqa: S311  (no secret)
    return found + draw.sample(empty, min(zeros, len(empty)))


# -- the states of the sound model ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reference:
    """What the sound model holds: `states[l]` after layer `l` (0: before the first), over all inputs and iterations.

    `item` is the input of each, `last` the place of that input's last iteration, `begins` whether it is the
    iteration of the statements before the loop; `compared[l]` are the columns that the check compares after
    layer `l`, in that iteration and in the others.
    """

    layers: tuple[Layer, ...]
    states: tuple[Matrix, ...]
    blocks: Blocks
    item: npt.NDArray[np.intp]
    last: npt.NDArray[np.intp]
    begins: npt.NDArray[np.bool_]
    compared: tuple[tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]], ...]


def cases(name: str, count: int, seed: int) -> list[tuple[Hypergraph, dict[str, Any]]]:
    """The harbour, then random hypergraphs, each from a random source."""
    draw = random.Random(f"{name} {seed}")  # noqa: S311  (no secret)
    endless = hypergraphs(seed, vertices=VERTICES, hyperedges=HYPEREDGES)
    found: list[tuple[Hypergraph, dict[str, Any]]] = []
    later = islice(endless, 2 * count)
    for h in [hyloop.read(HARBOUR), *sorted(later, key=lambda h: -len(h.incidence.indices))]:
        if not ALGORITHMS[name].inputs:
            found.append((h, {}))
        elif h.vertices:
            found.append((h, {"source": draw.choice(h.vertices)}))
    # The richest and the poorest.
    return found[: count - count // 4] + found[-(count // 4) :] if count >= 4 else found[:count]


def reference(model: Model, inputs: list[tuple[Hypergraph, dict[str, Any]]]) -> Reference:
    """Run the sound model on all inputs, padded to one size, after `hyloop.check` has found no difference."""
    size = max(max(len(h.vertices), len(h.hyperedges), 1) for h, _ in inputs) + 2
    program = program_of(model)
    layers = tuple(cast(layer, model.dtype) for layer in model.layers)
    incidences, runs = [], []
    for h, given in inputs:
        padding = size - max(len(h.vertices), len(h.hyperedges), 1) - 1
        checked = hyloop.check(model, h, padding=padding, **given)
        if checked.difference is not None:
            raise SystemExit(f"The sound {model.name} differs: {checked.difference}")
        if checked.iterations > LONGEST:
            continue
        prepared = prepare(program, h, given)
        frame = Frame(len(h.vertices), len(h.hyperedges), prepared.weights, prepared.inputs, padding)
        incidences.append(pad(model, h, size))
        runs.append((encode(model, frame), checked.iterations))
    blocks = Blocks.of(incidences, size, size, model.dtype)
    states: list[list[Matrix]] = [[] for _ in range(len(layers) + 1)]
    for item, (first, iterations) in enumerate(runs):
        only, X = blocks.only(np.array([item])), first[np.newaxis]
        for _ in range(iterations):
            states[0].append(X[0])
            for number, layer in enumerate(layers, start=1):
                X = apply(layer, X, only)
                states[number].append(X[0])
    lengths = [iterations for _, iterations in runs]
    starts = np.cumsum([0, *lengths[:-1]])
    item = np.repeat(np.arange(len(runs)), lengths)
    begins = np.zeros(len(item), dtype=bool)
    begins[starts] = program.begins
    last = np.repeat(np.cumsum(lengths) - 1, lengths)
    compared = tuple(_compared(model, number) for number in range(len(layers) + 1))
    return Reference(layers, tuple(np.stack(each) for each in states), blocks, item, last, begins, compared)


def _compared(model: Model, layer: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    always = [state.name for state in program_of(model).states] + [model.layout.halt]
    sections = []
    for section in ("before", "body"):
        columns = np.zeros(len(model.layout), dtype=bool)
        names = [local.column for local in model.locals if (local.layer, local.section) == (layer, section)]
        for name in names + (always if layer == len(model.layers) else []):
            columns[model.layout.number(name)] = True
        sections.append(columns)
    return sections[0], sections[1]


# -- the hunt -------------------------------------------------------------------------------------------------------


def caught(ref: Reference, mutant: Mutant) -> bool:
    """Whether the check sees a mutant on some input."""
    mutated = mutant.of(ref.layers[mutant.layer])
    layers = [*ref.layers[: mutant.layer], mutated, *ref.layers[mutant.layer + 1 :]]
    everywhere = np.arange(len(ref.item))
    X = apply(mutated, ref.states[mutant.layer], ref.blocks.only(ref.item))
    departs = np.not_equal(X, ref.states[mutant.layer + 1]).any(axis=(1, 2))
    # Of each input, the first departure; what came before it is as it was, what came after it is not what would be.
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


_REFERENCE: Reference | None = None


def _work(chunk: list[Mutant]) -> list[bool]:
    assert _REFERENCE is not None  # noqa: S101  (workers are forked after it is set)
    with np.errstate(all="ignore"):  # a mutant may overflow; that is a difference like any other
        return [caught(_REFERENCE, mutant) for mutant in chunk]


@dataclass(frozen=True)
class Row:
    """Of the mutants of one layer (None: of all) and one kind: how many, and how many were caught."""

    algorithm: str
    layer: int | None
    kind: str
    mutants: int
    caught: int


@dataclass(frozen=True)
class Hunted:
    """The outcome for one model."""

    rows: list[Row]
    missed: list[Mutant]
    inputs: int
    iterations: int
    seconds: float


def hunt(name: str, zeros: int, inputs: int, rows: int, seed: int) -> Hunted:
    """All mutants of one algorithm's model, in two processes."""
    global _REFERENCE  # noqa: PLW0603  (what the forked workers share)
    began = time.perf_counter()
    model = hyloop.compile(name, Capacity(rows, WEIGHT))
    _REFERENCE = reference(model, cases(name, inputs, seed))
    every = mutants(model, zeros, seed)
    chunks = [every[start : start + CHUNK] for start in range(0, len(every), CHUNK)]
    with multiprocessing.get_context("fork").Pool(WORKERS) as pool:
        verdicts = [verdict for part in pool.imap(_work, chunks) for verdict in part]
    counts: dict[tuple[int | None, str], list[bool]] = defaultdict(list)
    for mutant, verdict in zip(every, verdicts, strict=True):
        for key in ((mutant.layer + 1, mutant.kind), (None, mutant.kind)):
            counts[key].append(verdict)
    order = sorted(counts, key=lambda key: (key[0] is None, key[0] or 0, KINDS.index(key[1])))
    table = [Row(name, layer, kind, len(counts[layer, kind]), sum(counts[layer, kind])) for layer, kind in order]
    missed = [mutant for mutant, verdict in zip(every, verdicts, strict=True) if not verdict]
    seen = len(set(_REFERENCE.item.tolist()))
    return Hunted(table, missed, seen, len(_REFERENCE.item), time.perf_counter() - began)


def table_of(name: str, hunted: Hunted) -> Table:
    """The outcome for one model, by layer."""
    title = f"{name}: {hunted.inputs} inputs, {hunted.iterations} iterations, {hunted.seconds:.0f} s"
    table = Table(title=title, title_justify="left")
    table.add_column("layer")
    for kind in KINDS:
        table.add_column(kind, justify="right")
    for layer in dict.fromkeys(row.layer for row in hunted.rows):
        cells = {row.kind: row for row in hunted.rows if row.layer == layer}
        table.add_row(
            "all" if layer is None else str(layer),
            *(_share(cells[kind]) if kind in cells else "" for kind in KINDS),
            style="bold" if layer is None else None,
        )
    return table


def _share(row: Row) -> str:
    return f"{row.caught:,} / {row.mutants:,} ({100 * row.caught / row.mutants:.1f} %)"


def main() -> int:
    """Hunt, print, and write the JSON if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("algorithms", nargs="*", metavar="ALGORITHM", help=", ".join(ALGORITHMS))
    parser.add_argument("--zeros", type=int, default=1000, help="so many weights that are 0, set to 1")
    parser.add_argument("--inputs", type=int, default=25, help="hypergraphs that every mutant is checked on")
    parser.add_argument("--capacity-rows", type=int, default=20, help="rows of the model's capacity")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="also write rows and missed mutants to this file")
    given = parser.parse_args()
    if unknown := [name for name in given.algorithms if name not in ALGORITHMS]:
        parser.error(f"there is no algorithm {', '.join(unknown)}; there are {', '.join(ALGORITHMS)}")
    console = Console(width=max(Console().width, 100))
    outcomes = {}
    for name in given.algorithms or ALGORITHMS:
        outcomes[name] = hunt(name, given.zeros, given.inputs, given.capacity_rows, given.seed)
        console.print(table_of(name, outcomes[name]))
    if given.json is not None:
        document = {name: asdict(hunted) for name, hunted in outcomes.items()}
        given.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
