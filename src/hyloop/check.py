"""`hyloop.check`: an algorithm on a hypergraph, the transformer against the interpreter."""

from __future__ import annotations

from typing import Any

from hyloop.compare import Checked, compare
from hyloop.compiler.compile import compile_program
from hyloop.errors import NotStoppedError
from hyloop.execute.prepare import prepare, program_of
from hyloop.interop import as_hypergraph
from hyloop.lang import Algorithm
from hyloop.lang.program import Program
from hyloop.machine.model import Model


def check(
    model: Model | str | Algorithm | Program,
    hypergraph: object,
    *,
    padding: int = 0,
    backend: str = "dense",
    **inputs: Any,
) -> Checked:
    """Run interpreter and transformer side by side on a hypergraph; stop at the first difference.

    An algorithm that is no model yet is compiled first. The dense formulas are compared with the interpreter after
    every layer. Any other backend is run beside them and its whole state is compared with theirs after every iteration.
    """
    if not isinstance(model, Model):
        model = compile_program(program_of(model))
    program, h = program_of(model), as_hypergraph(hypergraph)
    h.require_undirected()
    found = compare(model, prepare(program, h, inputs), padding=padding, backend=backend)
    if not found.stopped:
        raise NotStoppedError(
            f"{program.name} did not stop within the {found.iterations} iterations that it declares (`at_most`)."
        )
    return found
