"""The simulation check: interpreter and transformer side by side, after every layer and every iteration.

The paper's definition of simulation, to the letter: every state and the halt flag after each iteration, and every value
of the program after the layer where the model's layout says that a column holds it (`compare.py`).
"""

from __future__ import annotations

from typing import Any, Protocol

from hyloop.compare import Checked, compare
from hyloop.compiler.compile import compile_program
from hyloop.execute.prepare import given_to, program_of
from hyloop.hypergraph import Hypergraph
from hyloop.lang import Algorithm
from hyloop.lang.kinds import Kind
from hyloop.lang.program import Program
from hyloop.machine.model import Model
from hyloop.numbers import Exact


def check(
    model: Model | str | Algorithm | Program,
    hypergraph: object,
    *,
    padding: int = 0,
    backend: str = "dense",
    **inputs: Any,  # noqa: ANN401  (labels and numbers of any kind)
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


class Chance(Protocol):
    """Where random numbers come from: a generator of numpy, or `hyloop.sampling.Draw`."""

    def integers(self, low: int, /) -> Any:  # noqa: ANN401  (an integer of Python or numpy)
        """An integer from 0 on, below `low`."""


def random_inputs(program: Program, h: Hypergraph, rng: Chance, *, largest: int = 9) -> dict[str, Any] | None:
    """A random value for every input, lengths up to `largest` units; None where there is nothing to choose from."""
    found: dict[str, Any] = {}
    for each in program.inputs:
        kind = each.type.kind
        if kind.is_pointer:
            labels = h.vertices if kind is Kind.VERTEX else h.hyperedges
            if not labels:
                return None
            found[each.name] = labels[int(rng.integers(len(labels)))]
        elif kind is Kind.FLAG:
            found[each.name] = bool(rng.integers(2))
        elif kind is Kind.LENGTH:
            _, unit = h.integer_weights()
            most = largest if each.at_most is None else min(largest, int(each.at_most / unit))
            found[each.name] = Exact(int(rng.integers(most + 1)) * unit)
        else:
            most = len(h.vertices) if each.at_most is None else each.at_most
            found[each.name] = int(rng.integers(most + 1))
    return found
