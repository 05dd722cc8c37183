"""Inputs for the quiet engine: algorithms, random programs and mutants of their weights, each beside another engine.

`python -m execute.cpu.quiet.sweep [SECONDS]` in `tests/` tries as many as there is time for, from new seeds.
"""

import random
import sys
import time
from collections import Counter
from functools import cache
from itertools import count, islice, takewhile

import numpy as np

from compiler.random_programs import drawn, inputs_for, program_of
from execute.cpu.quiet.cases import beside
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.errors import CapacityError
from hyloop.execute import cpu
from hyloop.execute.cpu.native.library import unusable
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.prepare import encoded, given_to
from hyloop.lang import LanguageError
from hyloop.machine.model import Capacity
from hyloop.prove.mutants import mutants
from hyloop.samples import hypergraphs, random_inputs


@cache
def compiled(name):
    return compile_program(ALGORITHMS[name].program, Capacity(20, 9))


def started(model, seed, size=9):
    """A random input of a model, encoded; None if the hypergraph has none."""
    rng = np.random.default_rng(seed)
    graphs = hypergraphs(seed, vertices=size, hyperedges=size, directed=model.layout.directed)
    h = next(islice(graphs, 30 + seed % 5, None))
    given = random_inputs(model.parsed, h, rng, largest=3)
    if given is None:
        return None
    try:
        first = encoded(model, given_to(model.parsed, h, given), padding=seed % 3)
    except CapacityError:
        return None
    return first.X, first.incidence


def algorithm(name, seed, **options):
    """One algorithm on a random hypergraph."""
    first = started(compiled(name), seed)
    return None if first is None else beside(compiled(name), *first, **options)


def resumed(name, seed, **options):
    """One algorithm from a state in the middle of a run."""
    model, first = compiled(name), started(compiled(name), seed)
    if first is None:
        return None
    session = cpu.start(model, *first, engine="numpy")
    session.advance(1 + seed % 7)
    return beside(model, session.state(), first[1], **options)


def by_native_code(name, seed):
    """One algorithm by generated code; None where there is none."""
    if unusable() is not None:
        return None
    from hyloop.execute.cpu.quiet.native.kernel import NativeKernel

    first = started(compiled(name), seed, size=19)
    return None if first is None else beside(compiled(name), *first, NativeKernel)


KINDS = {"algorithms": algorithm, "resumed": resumed, "by native code": by_native_code}


def random_model(seed):
    """The weights of a random program, and an input; None if there are none."""
    try:
        program = program_of(drawn(seed, 8, every=bool(seed % 3)), before=2 if seed % 2 else 0)
        model = compile_program(program, Capacity(8, 9))
    except (LanguageError, CapacityError):
        return None
    h = next(islice(hypergraphs(seed, vertices=6, hyperedges=6, directed=model.layout.directed), 9, None))
    if inputs_for(h, random.Random(seed)) is None:
        return None
    sizes = len(h.vertices), len(h.hyperedges)
    X = encode(model, Frame(*sizes, (1,) * sizes[1], {each.name: 1 for each in program.inputs}))
    return model, X, pad(model, h, len(X))


def program(seed, **options):
    """A random program on a random hypergraph."""
    found = random_model(seed)
    return None if found is None else beside(*found, **options)


def mutant(name, seed, **options):
    """An algorithm with one weight changed: it may do anything, but the same with sleeping rows."""
    model, first = compiled(name), started(compiled(name), seed)
    if first is None:
        return None
    chosen = random.Random(seed).choice(mutants(model, zeros=500, seed=seed))
    return beside(chosen.model(model), *first, iterations=25, **options)


def sweep(seconds):
    """Try until the time is over; how many of each kind were run, and how many of them with sleeping rows."""
    end, found = time.monotonic() + seconds, Counter()
    names = list(ALGORITHMS)
    for seed in takewhile(lambda _: time.monotonic() < end, count(int(time.time()))):
        name = names[seed % len(names)]
        try:
            for kind, run in (*KINDS.items(), ("mutants", mutant)):
                found[kind, run(name, seed) is not None] += 1
            found["programs", program(seed) is not None] += 1
        except AssertionError as wrong:
            raise AssertionError(f"{name}, seed {seed}") from wrong
    return found


if __name__ == "__main__":
    for (kind, slept), times in sorted(sweep(float(sys.argv[1]) if sys.argv[1:] else 60).items()):
        sys.stdout.write(f"{times:6} {kind} {'with sleeping rows' if slept else 'left out: no input, or refused'}\n")
