"""The model for a program and an input: compiled, or kept from an earlier run."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np

from hyloop._version import __version__
from hyloop.cache import code_digest, keep, kept, key
from hyloop.compiler.compile import compile_program
from hyloop.errors import CapacityError, HyloopError
from hyloop.execute.given import labels_of, what_of
from hyloop.execute.prepare import Given
from hyloop.interpreter import largest_of
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.program import Input, Program
from hyloop.lang.text import to_text
from hyloop.lang.verify import verify
from hyloop.machine.files import from_bytes, to_bytes
from hyloop.machine.model import EXACT, Capacity, Model, vouched
from hyloop.numbers import counted


def fitting_model(program: Program, given: Given) -> Model:
    """The model at its default capacity; one for this hypergraph, if that is too small."""
    model = compiled(program, None)
    rows = max(len(given.hypergraph.vertices), len(given.hypergraph.hyperedges), 1)
    heaviest = max(given.weights, default=1)
    sized = [each for each in program.inputs if _has_the_room_of_weights(each)]
    for each in sized:
        _require_possible(each, given)
    measured = [largest_of(given.inputs[each.name]) for each in sized]
    if rows <= model.capacity.rows and max([heaviest, *measured]) <= model.capacity.weight:
        return model
    return compiled(program, Capacity(rows, max([heaviest, *measured])))


def _require_possible(each: Input, given: Given) -> None:
    """Raise for a number that no model holds at all; as a weight, it is the compiler's to refuse."""
    entries = given.inputs[each.name]
    most = largest_of(entries)
    if most < max(EXACT.values()):
        return
    row = None if isinstance(entries, int) else entries.index(most)
    what = f"The input {each.name}" if row is None else what_of(each, labels_of(given.hypergraph, each.type.scope)[row])
    unit = " times the unit of which all weights and given lengths are multiples" * (each.type.kind is Kind.LENGTH)
    raise CapacityError(
        f'{what} is {counted(most)}{unit}, too large for any model; the interpreter (backend="interpreter", or '
        "--backend interpreter) takes numbers of any size."
    )


def _has_the_room_of_weights(each: Input) -> bool:
    """Whether the capacity's weight bounds an input: a length, or an array of counts without a bound of its own."""
    unbounded = each.type.scope is not Scope.SCALAR and each.at_most is None
    return each.type.kind is Kind.LENGTH or (each.type.kind is Kind.COUNT and unbounded)


def compiled(program: Program, capacity: Capacity | None) -> Model:
    """The model of a program for a capacity, or for the default one."""
    return _made(_Wanted(key((program.key, _in_hex(capacity))), capacity, program))


@dataclass(frozen=True)
class _Wanted:
    """The arguments of a compile. Two are equal if their keys are."""

    key: str
    capacity: Capacity | None = field(compare=False)
    program: Program = field(compare=False)


@lru_cache(maxsize=32)
def _made(wanted: _Wanted) -> Model:
    """The model: kept from an earlier run, or compiled now."""
    made_by = (__version__, np.__version__, code_digest(Path(__file__).parent))
    name = f"{key((*made_by, wanted.key))[:40]}.model"
    data = kept(name)
    if data is not None:
        with contextlib.suppress(HyloopError):
            model = from_bytes(data)
            if model.program == to_text(wanted.program) and wanted.capacity in {None, model.capacity}:
                return vouched(model, "compiled")  # the cache folder is this user's alone
    model = compile_program(verify(wanted.program), wanted.capacity)
    keep(name, to_bytes(model))
    return model


def _in_hex(capacity: Capacity | None) -> str:
    """A capacity as text; Python writes no decimals of more than some thousand digits."""
    return "" if capacity is None else f"{capacity.rows} {capacity.weight:x}"
