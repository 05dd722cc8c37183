"""The model for a program and an input: compiled, or kept from an earlier run."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import numpy as np

from hyloop._version import __version__
from hyloop.cache import code_digest, keep, kept, key
from hyloop.compiler.anyway import INTERPRETER
from hyloop.compiler.compile import compile_program
from hyloop.compiler.heaviest import TooLargeError
from hyloop.errors import CapacityError, HyloopError
from hyloop.execute.prepare import Given
from hyloop.hypergraph import shown
from hyloop.interpreter import largest_of
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.program import Input, InputValue, Program
from hyloop.lang.text import to_text
from hyloop.lang.verify import verify
from hyloop.machine.files import from_bytes, to_bytes
from hyloop.machine.layout import Everywhere
from hyloop.machine.model import Capacity, Model, vouched
from hyloop.numbers import counted, plural, short


def fitting_model(program: Program, given: Given) -> Model:
    """The model at its default capacity; one for this hypergraph, if that is too small."""
    model = compiled(program, None)
    counts = _counts(model, program, given)
    rows = max([given.rows, *map(largest_of, counts.values())])
    heaviest = given.heaviest if program.reads_weights else 1
    measured = [largest_of(given.inputs[each.name]) for each in program.inputs if _has_the_room_of_weights(each)]
    largest = max([heaviest, *measured])
    if rows <= model.capacity.rows and largest <= model.capacity.weight:
        return model
    try:
        return compiled(program, Capacity(rows, largest))
    except TooLargeError as wrong:
        if rows > given.rows:  # a model has as many rows as a count that has no bound of its own may be
            most = max(counts, key=lambda name: largest_of(counts[name]))
            raise CapacityError(
                f"{program.name}: {wrong.why}. The input {most} is {counted(rows)}. Make that number smaller, bound it "
                f"in the program (at_most), or {INTERPRETER}"
            ) from None
        raise CapacityError(
            f"{program.name}: {wrong.why}. This input has {plural(rows, 'row')}, and its largest number is "
            f"{_named(program, given, largest)}. {wrong.fits}{_advice(largest, given.unit, wrong.weight)}, "
            f"or {INTERPRETER}"
        ) from None


def _advice(largest: int, unit: Fraction, most: int) -> str:
    """What makes lengths fit: fewer decimals, where that makes the unit larger; else smaller numbers."""
    decimals = -1
    while largest * unit * 10 ** (decimals + 1) <= most:
        decimals += 1
    if decimals < 0 or unit >= Fraction(1, 10**decimals):
        return "Make that number smaller"
    return f"Round lengths to {plural(decimals, 'decimal')} (an array: weights.round({decimals}))"


def _named(program: Program, given: Given, largest: int) -> str:
    """Which number of an input is the largest: a phrase with its place."""
    h = given.hypergraph
    unit = f"the unit of which all weights and given lengths are multiples, {short(given.unit, 40)}"
    scaled = f"{counted(largest)} times {unit}"
    for each in program.inputs:
        if not _has_the_room_of_weights(each):  # it is too small, and a hypergraph that is prepared has none yet
            continue
        value = given.inputs[each.name]
        if largest_of(value) != largest:
            continue
        amount = counted(largest) if each.type.kind is Kind.COUNT else scaled
        if isinstance(value, int):
            return f"the input {each.name}, {amount}"
        labels, what = (h.vertices, "vertex") if each.type.scope is Scope.VERTICES else (h.hyperedges, "hyperedge")
        return f"that of the input {each.name} for {what} {shown(labels[list(value).index(largest)])}, {amount}"
    if largest in list(given.weights):
        return f"the weight of hyperedge {shown(h.hyperedges[list(given.weights).index(largest)])}, {scaled}"
    return counted(largest)


def _has_the_room_of_weights(each: Input) -> bool:
    """Whether the capacity's weight bounds an input: a length, or an array of counts without a bound of its own."""
    unbounded = each.type.scope is not Scope.SCALAR and each.at_most is None
    return each.type.kind is Kind.LENGTH or (each.type.kind is Kind.COUNT and unbounded)


def holds_counts(model: Model, program: Program, given: Given) -> bool:
    """Whether a model that holds a hypergraph also holds the counts among its inputs."""
    return max(map(largest_of, _counts(model, program, given).values()), default=0) <= model.capacity.rows


def _counts(model: Model, program: Program, given: Given) -> dict[str, InputValue]:
    """The inputs that the capacity's rows bound, as far as they are given: counts without a bound of their own.

    One that nothing depends on has no column.
    """
    written = {term.name for column in model.layout.columns for term in column.initial if isinstance(term, Everywhere)}
    return {
        each.name: given.inputs[each.name]
        for each in program.inputs
        if each.type.kind is Kind.COUNT and each.at_most is None
        if each.name in written & given.inputs.keys()
    }


def compiled(program: Program, capacity: Capacity | None) -> Model:
    """The model of a program for a capacity, or for the default one."""
    return _made(_Wanted((program.key, _in_hex(capacity)), capacity, program))


@dataclass(frozen=True)
class _Wanted:
    """The arguments of a compile. Two are equal if their keys are."""

    key: tuple[str, str]
    capacity: Capacity | None = field(compare=False)
    program: Program = field(compare=False)


@lru_cache(maxsize=32)
def _made(wanted: _Wanted) -> Model:
    """The model: kept from an earlier run, or compiled now."""
    made_by = (__version__, np.__version__, code_digest(Path(__file__).parent))
    name = f"{key((*made_by, key(wanted.key)))[:40]}.model"
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
    """A capacity as text; Python writes no decimals of more than some hundred digits."""
    return "" if capacity is None else f"{capacity.rows:x} {capacity.weight:x}"
