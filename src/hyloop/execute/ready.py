"""What a backend makes once for a model, made before anybody waits for a run: imports, plans, native code."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from hyloop.execute.backends import start
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import Hypergraph
from hyloop.machine.model import Model


@lru_cache(maxsize=32)
def make_ready(backend: str, model: Model) -> None:
    """Begin a run of the model on one vertex and one hyperedge, and leave it: all that is made for the model is kept.

    Whatever fails here fails again in the run itself, where it is told.
    """
    with suppress(Exception):
        h = Hypergraph.from_hyperedges([["a"]])
        inputs = {each.name: int(each.type.kind.is_pointer) for each in program_of(model).inputs}
        frame = Frame(len(h.vertices), len(h.hyperedges), (1,), inputs)
        X = encode(model, frame)
        start(backend, model, X, pad(model, h, len(X))).close()
