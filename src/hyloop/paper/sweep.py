"""Many random hypergraphs, degenerate ones first: the paper's algorithms in the transformer against the oracles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import ModuleType

import numpy as np

from hyloop.errors import HyloopError
from hyloop.hypergraph import Hypergraph
from hyloop.paper import printed
from hyloop.paper.algorithms import ALGORITHMS, Name, OutputValues, PaperAlgorithm
from hyloop.paper.run import Ended, ProblemInstance, expected_iterations, run
from hyloop.paper.steps import Setting
from hyloop.samples import hypergraphs

BATCH = 250


@dataclass(frozen=True)
class Mismatch:
    """An input on which transformer and oracle, or iterations and formula, differ."""

    task: ProblemInstance
    expected: OutputValues
    ended: Ended


@dataclass(frozen=True)
class Swept:
    """The outcome for one algorithm: the number of inputs, the mismatches, and the most iterations."""

    inputs: int
    mismatches: tuple[Mismatch, ...]
    most_iterations: int


def sweep(
    name: Name, count: int, given: Setting, *, seed: int = 0, progress: Callable[[int], None] | None = None
) -> Swept:
    """Run an algorithm on hypergraphs, each from a random source, and compare with its oracle."""
    tasks = list(_tasks(ALGORITHMS[name], count, seed))
    found: list[Mismatch] = []
    most = 0
    for first in range(0, len(tasks), BATCH):
        group = tasks[first : first + BATCH]
        ended = run(name, group, given)
        found += compare(name, group, ended)
        most = max(most, *(each.iterations for each in ended))
        if progress is not None:
            progress(first + len(group))
    return Swept(len(tasks), tuple(found), most)


def compare(name: Name, tasks: Sequence[ProblemInstance], ended: Sequence[Ended]) -> list[Mismatch]:
    """The runs whose outputs or iterations differ from oracle or formula."""
    oracle, algorithm = oracles().ORACLES[name], ALGORITHMS[name]
    expected = [oracle(task.hypergraph, **task.inputs) for task in tasks]
    return [
        Mismatch(task, answer, end)
        for task, answer, end in zip(tasks, expected, ended, strict=True)
        if end.outputs != answer or _runs_over(algorithm, task, end)
    ]


@dataclass(frozen=True)
class AsPrinted:
    """The printed algorithm's counts for each interpretation: right, wrong, not terminating."""

    readings: Mapping[str, tuple[int, int, int]]

    def document(self) -> dict[str, dict[str, int]]:
        """The same for JSON."""
        return {
            reading: {"right": right, "wrong": wrong, "endless": endless}
            for reading, (right, wrong, endless) in self.readings.items()
        }

    def __str__(self) -> str:
        return "; ".join(
            f"{reading}: {right} right, {wrong} wrong, {endless} endless"
            for reading, (right, wrong, endless) in self.readings.items()
        )


# The interpretations of a printed algorithm where the paper is ambiguous.
READINGS: Mapping[str, Mapping[str, str]] = {
    "dijkstra": {"`candidates` starting at 0": "zero", "`candidates` starting at Ω": "omega"},
    "helly": {"from index 0": ""},
}


def sweep_printed(name: Name, count: int, *, seed: int = 0) -> AsPrinted | None:
    """The printed Dijkstra or Helly in plain Python against the oracle; None for algorithms that are not printed."""
    if name not in READINGS:
        return None
    tasks = list(_tasks(ALGORITHMS[name], count, seed))
    readings = {}
    for reading, choice in READINGS[name].items():
        outcomes = [_printed(name, task, choice) for task in tasks]
        right, wrong, endless = (sum(outcome is kind for outcome in outcomes) for kind in (True, False, None))
        readings[reading] = (right, wrong, endless)
    return AsPrinted(readings)


def oracles() -> ModuleType:
    """The oracles; raises if networkx is not installed."""
    try:
        from hyloop.paper import oracles as found
    except ModuleNotFoundError:
        raise HyloopError("The independent answers need networkx: pip install 'hyloop[oracles]'.") from None
    return found


def weighted_incidence(h: Hypergraph) -> list[list[printed.Number]]:
    """The paper's `Ã` with exact entries."""
    size = max(len(h.vertices), len(h.hyperedges)) + 1
    matrix: list[list[printed.Number]] = [[0] * size for _ in range(size)]
    for column, (name, weight) in enumerate(zip(h.hyperedges, h.weights, strict=True), start=1):
        for label in h.members_of(name):
            matrix[h.vertex_number(label) + 1][column] = weight
    return matrix


def _printed(name: Name, task: ProblemInstance, choice: str) -> bool | None:
    h = task.hypergraph
    expected = oracles().ORACLES[name](h, **task.inputs)
    if name == "helly":
        answer = printed.helly(weighted_incidence(h), len(h.vertices))
        return None if answer is None else answer == expected["helly"]
    size = len(h.vertices), len(h.hyperedges)
    found = printed.dijkstra(weighted_incidence(h), *size, task.inputs["source"] + 1, first_candidates=choice)
    if found is None:
        return None
    omega = 1 + sum(map(sum, weighted_incidence(h)))
    distances = [None if value >= omega else value for value in found[1 : size[0] + 1]]
    return bool(distances == expected["distance"])


def _runs_over(algorithm: PaperAlgorithm, task: ProblemInstance, ended: Ended) -> bool:
    """Whether the iterations differ from the formula; a Helly run that finds a failing triple stops early."""
    formula = expected_iterations(algorithm, task.hypergraph)
    stopped_early = ended.outputs.get("helly") is False
    return ended.iterations > formula if stopped_early else ended.iterations != formula


def _tasks(algorithm: PaperAlgorithm, count: int, seed: int) -> Iterator[ProblemInstance]:
    rng = np.random.default_rng(seed + 1)
    for h in islice(hypergraphs(seed), count):
        yield ProblemInstance(h, {name: int(rng.integers(len(h.vertices))) for name in algorithm.inputs})
