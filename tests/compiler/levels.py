"""A program at every level of the compiler, each run by the interpreter on the same inputs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

import numpy as np

from compiler.random_programs import drawn, program_of
from effort import TIMES, sample
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.bounds import bound
from hyloop.compiler.hoist import candidates, hoist
from hyloop.compiler.lower import Core, lower
from hyloop.errors import NotStoppedError
from hyloop.hypergraph import Hypergraph
from hyloop.interpreter import IterationEnd, interpret
from hyloop.lang import LanguageError
from hyloop.lang.kinds import Kind
from hyloop.lang.program import Program
from hyloop.machine.model import Capacity
from hyloop.paper.sweep import hypergraphs

CAPACITY = Capacity(8, 30)
SEEDS = range(16 * TIMES)
GRAPHS = [
    h
    for h in islice(hypergraphs(7, vertices=5, hyperedges=5), 60)
    if h.vertices and h.hyperedges and max(h.integer_weights()[0]) <= CAPACITY.weight
]


def random_program(seed: int) -> Program | None:
    """A random program, with up to four statements before the loop; None where none of the machine's comes of it."""
    try:
        program = program_of(drawn(seed, 14), before=seed % 5, infinite=seed % 2 == 0)
        bound(lower(program), CAPACITY)
    except LanguageError:  # something infinite was added up, or a state grows without bound
        return None
    return program


SAMPLES: dict[str, Program] = {
    **{name: algorithm.program for name, algorithm in sample(ALGORITHMS.items()) if name != "motifs"},
    **{f"seed {seed}": program for seed in SEEDS if (program := random_program(seed)) is not None},
}


def hoisted(core: Core) -> Core:
    """The program with all that can be hoisted in shadow states, as the compiler tries it."""
    for op in [core[number] for number in candidates(core)]:
        for number in candidates(core):
            if (core[number].name, core[number].where) == (op.name, op.where):
                core = hoist(core, number)
                break
    return core


def runs(program: Program, seed: int, count: int = 3) -> Iterator[tuple[Hypergraph, dict[str, int]]]:
    """Hypergraphs and inputs within the capacity."""
    draw = random.Random(seed)
    for h in draw.sample(GRAPHS, count):
        most = {
            Kind.FLAG: 1,
            Kind.LENGTH: CAPACITY.weight,
            Kind.VERTEX: len(h.vertices),
            Kind.HYPEREDGE: len(h.hyperedges),
            Kind.COUNT: 5,
        }
        low = {Kind.VERTEX: 1, Kind.HYPEREDGE: 1}
        yield (
            h,
            {given.name: draw.randint(low.get(given.type.kind, 0), most[given.type.kind]) for given in program.inputs},
        )


def steps(program: Program, h: Hypergraph, inputs: dict[str, int]) -> list[IterationEnd]:
    """What the interpreter does: every iteration, up to the bound that the program declares."""
    found: list[IterationEnd] = []
    with suppress(NotStoppedError):
        found.extend(interpret(program, h, inputs))
    return found


def told(value: object, infinity: int) -> object:
    """A value that two runs can be compared by: they may have chosen other integers for infinity."""
    if isinstance(value, np.ndarray):
        return [told(each, infinity) for each in value.tolist()]
    return "infinity" if value == infinity else int(value)  # type: ignore[call-overload]


def states(step: IterationEnd, program: Program) -> dict[str, object]:
    """The states of a program after an iteration."""
    return {state.name: told(step.states[state.name], step.infinity) for state in program.states}
