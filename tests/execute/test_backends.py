"""Backends: named in one table, started by name, and no more than a function."""

import sys
from types import ModuleType

import numpy as np
import pytest

import hyloop
from hyloop.errors import CapacityError
from hyloop.execute import dense
from hyloop.execute.backends import BACKENDS, start
from hyloop.execute.encode import Frame, encode, pad
from hyloop.running import BACKENDS as OFFERED

MODEL = hyloop.compile("components", hyloop.Capacity(rows=10, weight=1))
H = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"], ["d"]])
X = encode(MODEL, Frame(4, 3, (1, 1, 1), {}))
INCIDENCE = pad(MODEL, H, len(X))


def ended(session):
    while not session.halted().all():
        session.advance(1)
    return session.state()


@pytest.mark.parametrize("name", [name for name in BACKENDS if name not in {"cuda", "torch"}])
def test_a_backend_by_its_name(name):
    session = start(name, MODEL, X, INCIDENCE)
    assert np.array_equal(session.state(), X)
    assert np.array_equal(ended(session), ended(dense.start(MODEL, X, INCIDENCE)))
    session.close()


def test_every_backend_is_offered():
    assert set(OFFERED) == {*BACKENDS, "interpreter"}


def test_dense_refuses_what_would_not_end():
    with pytest.raises(CapacityError, match="too many for that"):
        start("dense", MODEL, np.zeros((dense.MOST_ROWS + 1, len(MODEL.layout))), INCIDENCE)


def test_a_backend_is_a_function_in_the_table(monkeypatch):
    mine = ModuleType("my_backend")
    mine.begin = lambda *given: ("begun", given)
    monkeypatch.setitem(sys.modules, "my_backend", mine)
    monkeypatch.setitem(BACKENDS, "mine", "my_backend:begin")
    assert start("mine", MODEL, X, INCIDENCE) == ("begun", (MODEL, X, INCIDENCE))
