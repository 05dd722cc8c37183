"""What the tests of the exports share: models by name, and random hypergraphs encoded as one padded batch."""

from functools import lru_cache
from itertools import islice

import numpy as np
import pytest

import hyloop
from hyloop.execute.encode import Frame, batch, pad
from hyloop.execute.prepare import prepare, program_of
from hyloop.samples import hypergraphs, random_inputs


@lru_cache(maxsize=64)
def _model(name, dtype, schedule):
    return hyloop.compile(name, dtype=dtype, schedule=schedule)


@pytest.fixture
def compiled():
    """A model by the name of its algorithm, compiled once."""

    def get(name, dtype="float64", schedule="packed"):
        return _model(name, dtype, schedule)

    return get


class Inputs:
    """Hypergraphs with inputs, and what an executor is started with for them, padded to one size."""

    def __init__(self, model, pairs, padding=0):
        program = program_of(model)
        self.pairs = pairs
        givens = [prepare(program, h, inputs) for h, inputs in pairs]
        frames = [
            Frame(len(h.vertices), len(h.hyperedges), given.weights, given.inputs, padding)
            for (h, _), given in zip(pairs, givens, strict=True)
        ]
        self.X = batch(model, frames)
        self.incidences = [pad(model, h, self.X.shape[1]) for h, _ in pairs]
        self.limit = max(program.most_iterations(len(h.vertices), len(h.hyperedges)) for h, _ in pairs)

    def alone(self, model):
        """Each by itself, without padding."""
        for pair in self.pairs:
            yield Alone(Inputs(model, [pair]))


class Alone:
    """One input: its state, its incidence, and that as a matrix."""

    def __init__(self, inputs):
        self.X, self.incidence = inputs.X[0], inputs.incidences[0]
        self.A = self.incidence.rows(0, self.incidence.size, str(self.X.dtype))
        kinds = ("tails", "heads") if self.incidence.directed else ()
        self.sides = {kind: self.incidence.of_kind(kind).rows(0, len(self.A), str(self.X.dtype)) for kind in kinds}


@pytest.fixture
def some():
    """So many random hypergraphs, the degenerate ones among them, with random inputs that fit the model."""

    def make(model, count, seed=0, padding=0):
        rng = np.random.default_rng(seed)
        program, pairs = program_of(model), []
        for h in islice(hypergraphs(seed, directed=model.layout.directed), 10 * count):
            inputs = random_inputs(program, h, rng)
            heaviest = max(h.integer_weights()[0], default=1)
            if inputs is not None and heaviest <= model.capacity.weight:
                pairs.append((h, inputs))
        # Half of them from the degenerate ones that come first.
        return Inputs(model, [*pairs[: count // 2], *pairs[-(count - count // 2) :]], padding)

    return make
