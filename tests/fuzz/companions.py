"""Other hypergraphs for the program of a case: of very different sizes, for batches and for lanes.

They are drawn from the note of the case, which stays the same while the case is made smaller, and each input by its
name: so a companion does not change when something else goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from fuzz.generate import directions, given
from fuzz.runs import Run, fits, run_of
from fuzz.syntax import Case, Source, is_directed
from hyloop.machine.model import Model

# Vertices and hyperedges: none at all, one side only, as many as small models hold, more than a warp has threads, and
# more than one or two rows for each of them.
SMALL = ((0, 0), (1, 0), (0, 2), (1, 1), (2, 5), (5, 2), (4, 4), (5, 5), (7, 3), (3, 7))
LARGE = ((33, 3), (2, 40), (64, 64), (65, 20), (30, 90), (129, 4), (6, 140))
WEIGHTS = (["1"], ["1", "2", "9"], ["1/2", "3/2", "1"], ["1/3", "0.37"], ["5", "700"])


def companions(run: Run, model: Model, count: int, purpose: str, *, large: bool) -> list[Run]:
    """The run itself, and about as many others of its program that the model holds."""
    found = [run]
    for number in range(count):
        case = companion(run.case, Random(f"{run.case.note}, {purpose} {number}"), large=large)
        if case is not None:
            other = run_of(case, run.program)
            if other.steps and fits(other, model):
                found.append(other)
    return found


def companion(case: Case, rng: Random, *, large: bool) -> Case | None:
    """The case with another hypergraph; None where that has nothing for an input to point to."""
    vertices, count = rng.choice(LARGE if large and rng.random() < 0.5 else SMALL)
    inside = min(1.0, rng.choice([1.0, 2.0, 5.0]) / max(vertices, 1)) if vertices > 8 else rng.choice([0.2, 0.45, 1.0])
    hyperedges = [[v for v in range(vertices) if rng.random() < inside] for _ in range(count)]
    pool = rng.choice(WEIGHTS)
    inputs = inputs_by_name(case.source, rng.random(), vertices, count)
    sides = directions(rng, hyperedges) if is_directed(case.source) and rng.random() < 0.8 else (None, None)
    if inputs is None:
        return None
    return replace(
        case,
        vertices=vertices,
        hyperedges=hyperedges,
        weights=[rng.choice(pool) for _ in range(count)],
        inputs=inputs,
        tails=sides[0],
        leads=sides[1],
    )


def inputs_by_name(source: Source, seed: float, vertices: int, hyperedges: int) -> dict[str, Any] | None:
    """A value for every input, each drawn by itself; None where there is none to choose."""
    found: dict[str, Any] = {}
    for one in source.inputs:
        drawn = given(Random(f"{seed} {one[0]}"), replace(source, inputs=[one]), vertices, hyperedges)
        if drawn is None:
            return None
        found |= drawn
    return found


def other_inputs(run: Run, count: int, purpose: str) -> Iterator[Run]:
    """The run itself, and others of its hypergraph. Lengths stay as they are: they have a say in the unit."""
    yield run
    kept = {name for name, kind, *_ in run.case.source.inputs if kind == "length"}
    for number in range(count if run.case.source.inputs else 0):
        seed = Random(f"{run.case.note}, {purpose} {number}").random()
        drawn = inputs_by_name(run.case.source, seed, *run.counts)
        if drawn is not None:
            fresh = {name: value for name, value in drawn.items() if name not in kept}
            yield run_of(replace(run.case, inputs={**run.case.inputs, **fresh}), run.program)
