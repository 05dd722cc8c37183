"""Warm-up of a backend: what it prepares once per model (imports, plans, native code), done before the run."""

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
    """Start and close a session on one vertex and one hyperedge: what is prepared for the model stays cached.

    Errors are suppressed here; they occur again in the run itself, which reports them.
    """
    with suppress(Exception):
        h = Hypergraph.from_hyperedges([["a"]])
        inputs = {each.name: int(each.type.kind.is_pointer) for each in program_of(model).inputs}
        frame = Frame(len(h.vertices), len(h.hyperedges), (1,), inputs)
        X = encode(model, frame)
        start(backend, model, X, pad(model, h, len(X))).close()
