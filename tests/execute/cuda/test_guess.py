"""What is guessed and watched: a wrong guess is noticed, and the run is run again without it."""

import numpy as np
import pytest

import hyloop
from effort import EVERYTHING
from execute.cpu.test_plan import random_layer, small_enough
from execute.cuda.lockstep import LAYOUT, needs_compiler
from hyloop import Capacity, HyloopError, Hypergraph, HypergraphBatch, lang
from hyloop.algorithms import ALGORITHMS
from hyloop.execute import cpu, dense
from hyloop.execute.cpu.claims import claims
from hyloop.execute.cpu.plan import analyse
from hyloop.execute.cuda.guess import Tent, guessed, unguarded
from hyloop.execute.cuda.launch import Launch, bits_of
from hyloop.execute.cuda.machines import LockStep
from hyloop.execute.cuda.source import INEXACT, MISGUESSED
from hyloop.execute.encode import Frame, encode, pad
from hyloop.fitting import compiled
from hyloop.lang import INFINITY, Flag, Length, Outputs, algorithm
from hyloop.machine.layer import Layer, Mlp
from hyloop.machine.model import Certificate, Model

pytestmark = needs_compiler
WARP = [(32, 32, 1)]


def model_of(*layers):
    """A model without a program, of which only a bound is known."""
    return Model("by hand", LAYOUT, tuple(layers), Capacity(9, 9), certificate=Certificate(2**40, "test"))


def units(read, weights, bias, write):
    """A layer that writes one ReLU: of a sum of columns and a constant, times `write`."""
    first, last = np.zeros((len(LAYOUT), 1)), np.zeros((1, len(LAYOUT)))
    for name, weight in zip(read, weights, strict=True):
        first[LAYOUT.number(name), 0] = weight
    for side in ("B_global", "B_local"):
        first[LAYOUT.number(side), 0] += bias
    for name, weight in write.items():
        last[0, LAYOUT.number(name)] = weight
    one = np.ones((1, 1))
    return Layer((), Mlp((first, one, one, last), names=("unit",)))


def states(model, batch, inputs, iterations):
    """The last states by the cpu backend; None where numbers grow too large to be sure of."""
    found = []
    for place, h in enumerate(batch):
        frame = Frame(len(h.vertices), len(h.hyperedges), h.integer_weights()[0], {"number": int(inputs[place])})
        X = encode(model, frame)
        session = cpu.start(model, X, pad(model, h, len(X)))
        for _ in range(iterations):
            if session.halted()[0] or not small_enough(session.state()):
                break
            session.advance(1)
        enough = session.iterations()[0] == iterations or session.halted()[0]
        found.append(session.state() if enough else None)
    return found


def run(model, batch, inputs, iterations, **options):
    launch = Launch(model, LockStep(), whole=True, shapes=WARP, **options)
    return launch, launch.run(batch, {"number": inputs}, np.full(len(batch), iterations))


def equal(model, batch, inputs, iterations, **options):
    """How many runs were compared with cpu, and the launch."""
    launch, ran = run(model, batch, inputs, iterations, **options)
    done = 0
    for place, expected in enumerate(states(model, batch, inputs, iterations)):
        assert ran.status[place] != MISGUESSED
        if expected is not None and ran.status[place] != INEXACT:
            found = ran.state[ran.state_at[place] : ran.state_at[place + 1]].reshape(len(LAYOUT), -1).T
            assert np.array_equal(found, expected), (place, np.argwhere(found != expected)[:4])
            done += 1
    return done, launch


BATCH = HypergraphBatch.random(12, seed=3, vertices=(1, 7), hyperedges=(0, 7), sizes=(0, 3), weights=(1, 9))
INPUTS = 1 + np.arange(12) % BATCH.vertices


@pytest.mark.parametrize(
    ("layer", "wrong"),
    [
        (units(["y"], [1], 0, {"empty": 1}), False),
        (units(["y"], [1], 0, {"empty": -1}), True),  # the body becomes negative
        (units(["B_global"], [1], 0, {"x": 2}), True),  # row 0 of an array is no longer 0
    ],
)
def test_a_wrong_guess_is_noticed_and_run_again(layer, wrong):
    model = model_of(layer, units(["empty", "x"], [1, 1], 0, {"y": 1}))
    done, launch = equal(model, BATCH, INPUTS, 3)
    assert done == len(BATCH)
    assert launch.misguessed == (len(BATCH) if wrong else 0)


def test_a_guess_shortens_the_code():
    model = compiled(ALGORITHMS["dijkstra"].program, Capacity(32, 8))
    guess, plain = guessed(model, claims(model), 32, bits_of(model)), unguarded(analyse(model, claims(model)))

    def length(found):
        return sum(len(layer.body.nodes) + len(layer.first.nodes) for layer in found.steady.layers)

    assert length(guess) < length(plain) / 2
    assert any(isinstance(node, Tent) for layer in guess.steady.layers for node in layer.body.nodes)
    assert len(guess.phases) == 2
    assert len(plain.phases) == 1


@algorithm
def infinities(h):
    """Numbers at the end of the exact range, a gate times a gate of which would be beyond it."""
    least = h.vertices.state(Length, 0)
    done = h.state(Flag, False)
    with h.loop(at_most=1) as loop:
        loop.stop_when(done)
        least.assign(lang.min(h.weight) - (INFINITY + lang.max(h.weight)))
    return Outputs(least=least)


def test_no_number_of_shorter_code_is_beyond_what_floats_hold():
    model = hyloop.compile(infinities, schedule="one operation per layer")
    assert model.certificate.largest > 2**52
    batch = HypergraphBatch.of([Hypergraph.from_hyperedges([]), Hypergraph.from_hyperedges([["a"], ["a", "b"]])])
    ran = Launch(model, LockStep(), whole=True, shapes=WARP).run(batch, {}, np.full(2, 1))
    for place, h in enumerate(batch):
        X = encode(model, Frame(len(h.vertices), len(h.hyperedges), h.integer_weights()[0], {}))
        session = dense.start(model, X, pad(model, h, len(X)))
        session.advance(1)
        found = ran.state[ran.state_at[place] : ran.state_at[place + 1]].reshape(len(model.layout), -1).T
        assert np.array_equal(found, session.state())


def test_numbers_of_shorter_code_fit_their_bits():
    for name in ("dijkstra", "pagerank", "motifs"):
        model = compiled(ALGORITHMS[name].program, Capacity(32, 8))
        short = guessed(model, claims(model), 32, bits_of(model))
        assert largest(short) < 2 ** (bits_of(model) - 1)
        for bits in (2, 8):  # too few for the numbers of these models: little is put together
            assert numbers(guessed(model, claims(model), 32, bits)) >= numbers(short)


def nodes(guess):
    layers = [layer for phase in guess.phases for layer in phase.layers]
    return [node for layer in layers for side in (layer.first, layer.body) for node in side.nodes]


def numbers(guess):
    """How many numbers the code adds up."""
    return sum(len(node.of.terms) for node in nodes(guess))


def largest(guess):
    """The largest constant or weight in the code."""
    return max(abs(each) for node in nodes(guess) for each in (node.of.constant, *(w for _, w in node.of.terms)))


@pytest.mark.parametrize("seed", range(40 if EVERYTHING else 2))
def test_random_weights(seed):
    rng = np.random.default_rng([seed, 5])
    layers = tuple(random_layer(rng, keep=True) for _ in range(int(rng.integers(1, 3))))
    model = model_of(*layers)
    if any(layer.slow for layer in analyse(model, claims(model)).layers):
        with pytest.raises(HyloopError, match="head without a fast form"):
            run(model, BATCH, INPUTS, 2)
        return
    for guess in (True, False) if EVERYTHING else (True,):
        equal(model, BATCH, INPUTS, 2, guess=guess)
