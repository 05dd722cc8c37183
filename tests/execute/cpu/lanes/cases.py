"""Inputs side by side, for the tests of lanes: compared with dense after every iteration."""

from dataclasses import replace

import numpy as np

import hyloop
from hyloop.execute import dense
from hyloop.execute.cpu.lanes.engine import Block, lanes_for
from hyloop.execute.encode import encode, encode_columns, encode_without_inputs, pad
from hyloop.execute.prepare import frame_of, given_to, program_of
from hyloop.fitting import compiled
from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, argmax, where
from hyloop.machine.model import Capacity

RNG = np.random.default_rng(5)
EDGES = [RNG.choice(15, RNG.integers(1, 5), replace=False).tolist() for _ in range(12)]
H = hyloop.Hypergraph.from_hyperedges(EDGES, vertices=range(15))


@algorithm
def ties(h, source: Vertex):
    """The vertex of the largest degree, of those that `source` has not; scores that are equal are averaged."""
    degree, left = h.vertices.state(Count, 0), h.vertices.state(Flag, True)
    sums, rounds = h.vertices.state(Count, 0), h.state(Count, 0)
    with h.loop(at_most=6) as loop:
        loop.stop_when(rounds == 5)
        degree.assign(h.incidence @ h.touching(left & (h.vertices.number != source)))
        best, most = argmax(degree, where=left)
        sums.assign(sums + where(h.vertices.number == best, most, 1))
        left[best] = False
        rounds.assign(rounds + 1)
    return Outputs(sums=sums)


def case(name, h=H, capacity=None, **inputs):
    program = program_of(name)
    given = given_to(program, h, {"source": h.vertices[0], **inputs})
    return compiled(program, capacity or Capacity(100, 9)), frame_of(given)


def block_of(model, frame, h=H, sources=range(1, 16)):
    begun = encode_without_inputs(model, frame)
    inputs = [{**frame.inputs, "source": source} for source in sources]
    incidence, wanted = pad(model, h, len(begun)), frozenset(range(len(model.layout)))
    tables = encode_columns(model, frame, begun, inputs)
    lanes = lanes_for(model, begun, incidence, wanted, tables)
    states = [encode(model, replace(frame, inputs=each)) for each in inputs]
    return None if lanes is None else Block(lanes), tables, states, incidence


def equal_after_every_iteration(block, tables, states, incidence, most=40):
    """Compare with dense, whole states; returns the iterations."""
    model, count = block.lanes.model, min(len(states), block.width)
    sessions = [dense.start(model, X, incidence) for X in states[:count]]
    block.begin({column: table[:count] for column, table in tables.items()})
    for done in range(most):
        found = np.stack([block.column(c)[:count].copy() for c in range(len(model.layout))], axis=2)
        assert (found == np.stack([session.state() for session in sessions])).all(), done
        assert block.iterations()[:count] == [int(session.iterations()[0]) for session in sessions]
        if not block.advance(1):
            return done
        for session in sessions:
            session.advance(1)
    return most


def mutant(model, rng):
    layers = list(model.layers)
    at = int(rng.integers(len(layers)))
    mlp = layers[at].mlp
    weights = [each.copy() for each in mlp.weights]
    matrix = weights[int(rng.integers(4))]
    row, column = (int(each) for each in rng.choice(np.argwhere(matrix)))
    matrix[row, column] += int(rng.choice([-2, -1, 1, 2]))
    layers[at] = replace(layers[at], mlp=replace(mlp, weights=tuple(weights)))
    return replace(model, layers=tuple(layers))
