"""The backend cuda as a session, in lock-step on the CPU: after every iteration the state of the cpu backend."""

import numpy as np
import pytest

import hyloop
from execute.cpu.test_plan import BOTH, POSITIONS, random_incidence, random_state
from execute.cuda.lockstep import LAYOUT, cases, needs_compiler
from hyloop import Capacity, HyloopError, HyloopWarning, ModelError
from hyloop.algorithms import ALGORITHMS
from hyloop.execute import backends
from hyloop.execute.cuda import machines, session
from hyloop.execute.cuda.machines import LockStep
from hyloop.execute.cuda.session import start
from hyloop.execute.prepare import encoded, encoded_batch
from hyloop.fitting import compiled
from hyloop.machine.layer import Layer, head, no_mlp
from hyloop.machine.model import Certificate, Model


def same(a, b):
    assert np.array_equal(a.state(), b.state())
    assert a.state().dtype == b.state().dtype
    assert a.iterations().tolist() == b.iterations().tolist()
    assert a.halted().tolist() == b.halted().tolist()


def by_hand(*heads):
    """A model of one layer, whose numbers stay small."""
    return Model("by hand", LAYOUT, (Layer(heads, no_mlp(LAYOUT)),), Capacity(9, 9), certificate=Certificate(999, "x"))


@needs_compiler
@pytest.mark.parametrize("name", ["dijkstra", "reachable"])
def test_the_same_state_after_every_stop(name):
    program = ALGORITHMS[name].program
    model = compiled(program, Capacity(30, 100))
    for given in cases(program, 22, rows=7)[::3]:
        ready = encoded(model, given)
        ours, theirs = start(model, ready.X, ready.incidence, machine=LockStep()), ready.start("cpu")
        same(ours, theirs)
        for stride in (0, 1, 1, 2, 1000):
            ours.advance(stride)
            theirs.advance(stride)
            same(ours, theirs)
        assert ours.memory() > 0
        ours.close()


@needs_compiler
def test_several_at_once():
    program = ALGORITHMS["components"].program
    model = compiled(program, Capacity(10, 9))
    X, incidences = encoded_batch(model, cases(program, 20, rows=6)[-3:])
    ours, theirs = start(model, X, incidences, machine=LockStep()), backends.start("cpu", model, X, incidences)
    for stride in (1, 100):
        ours.advance(stride)
        theirs.advance(stride)
        same(ours, theirs)
    with pytest.raises(ModelError, match="cannot advance by -1"):
        ours.advance(-1)


@needs_compiler
def test_an_average_that_is_no_integer_is_computed_by_the_cpu():
    shared = head(LAYOUT, "plain", {}, {}, {("x", "empty"): 1})  # every row attends to all rows alike
    model = by_hand(shared)
    X = random_state(np.random.default_rng(2), 6, encoded=True)
    x, empty = LAYOUT.number("x"), LAYOUT.number("empty")
    A = random_incidence(np.random.default_rng(0), 6, most=1)
    for total in (12, 13):
        X[:, x] = 0, 0, 0, 0, 0, total
        ours, theirs = start(model, X, A, machine=LockStep()), backends.start("cpu", model, X, A)
        for done in (1, 2, 3):
            ours.advance(1)
            theirs.advance(1)
            same(ours, theirs)
            assert np.allclose(ours.state()[:, empty] * 6, done * total)
        assert (ours._items[0]._cpu is not None) == (total == 13), "six rows share twelve, and not thirteen"


def test_a_head_without_a_fast_form_is_the_cpus():
    odd = head(LAYOUT, "plain", {("x", 0): 1.0, ("y", 1): 1.0}, {("x", 0): 1.0, ("y", 1): 2.0}, {("x", "empty"): 1})
    X = random_state(np.random.default_rng(2), 5, encoded=True)
    A = random_incidence(np.random.default_rng(0), 5, most=1)
    with pytest.warns(HyloopWarning, match="a head has no fast form"):
        ours = start(by_hand(odd), X, A, machine=LockStep())
    theirs = backends.start("cpu", by_hand(odd), X, A)
    ours.advance(2)
    theirs.advance(2)
    same(ours, theirs)


@needs_compiler
def test_many_rows_are_the_cpus(monkeypatch):
    monkeypatch.setattr(session, "MOST_ROWS", 4)
    read = head(LAYOUT, "plain", {("P_1", 0): 2.0} | BOTH, POSITIONS, {("y", "empty"): 2})
    X = random_state(np.random.default_rng(2), 6, encoded=True)
    A = random_incidence(np.random.default_rng(0), 6, most=1)
    with pytest.warns(HyloopWarning, match="more than 4 rows are faster there"):
        start(by_hand(read), X, A, machine=LockStep())


def test_without_a_gpu_there_is_a_sentence():
    if machines.gpu_is_missing() is None:
        pytest.skip("there is a GPU here")
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"]])
    with pytest.raises(HyloopError, match="the backend cpu computes the same"):
        hyloop.run("levels", h, source="a", backend="cuda")
