"""The simulation check: interpreter and transformer side by side, after every layer and every iteration.

The paper's definition of simulation, to the letter: every state and the halt flag after each iteration, and every value
of the program after the layer where the model's layout says that a column holds it (`compare.py`).
"""

from __future__ import annotations

from typing import Any

from hyloop.compare import Checked, compare
from hyloop.compiler.compile import compile_program
from hyloop.execute.prepare import given_to, program_of
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
    program = program_of(model)
    found = compare(model, given_to(program, hypergraph, inputs), padding=padding, backend=backend)
    found.require_stopped(program.name)
    return found
