"""Compiled algorithms, and that a model agrees with its program: shared by the tests of the compiler."""

import random
from functools import cache
from itertools import islice

import hyloop
from algorithm_inputs import inputs_of
from hyloop import Capacity, Hypergraph
from hyloop.samples import hypergraphs

__all__ = ["EMPTY", "SMALL", "assert_agrees", "compiled", "inputs_of", "random_cases"]

SMALL = Capacity(20, 100)
EMPTY = tuple(Hypergraph.from_hyperedges(edges) for edges in ([], [[]], [[], []]))


@cache
def compiled(name, capacity=None, dtype="float64", schedule="packed", heads=3):
    return hyloop.compile(name, capacity, dtype=dtype, schedule=schedule, heads=heads)


def random_cases(name, seed, count, *, size=8):
    """Random hypergraphs that the algorithm has an input on, with a random one."""
    draw = random.Random(f"{name} {seed}")
    for H in islice(hypergraphs(seed, vertices=size, hyperedges=size), count):
        if options := inputs_of(name, H):
            yield H, draw.choice(options), draw.randrange(3)


def assert_agrees(model, H, inputs, padding=0):
    checked = hyloop.check(model, H, padding=padding, **inputs)
    members = [H.members_of(each) for each in H.hyperedges]
    assert checked.agrees, f"{members}, weights {H.weights}, {inputs}: {checked.difference}"
    return checked
