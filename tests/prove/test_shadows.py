"""What columns that work ahead may hold: a reading for each part, and for whatever the compiler can move ahead."""

import itertools
import random
from contextlib import suppress
from functools import cache
from typing import get_args

import pytest

import hyloop
from compiler.random_programs import drawn, program_of
from hyloop import Capacity
from hyloop.compiler.bounds import bound
from hyloop.compiler.emit import emit
from hyloop.compiler.hoist import candidates, hoist
from hyloop.compiler.lower import lower
from hyloop.compiler.schedule import schedule
from hyloop.lang import INFINITY, Count, Flag, Hyperedge, LanguageError, Length, Outputs, algorithm, argmax
from hyloop.lang import all as all_of
from hyloop.lang import any as any_of
from hyloop.lang.purpose import Part, Purpose
from hyloop.prove import prove
from hyloop.prove.basis import Basis, program_in
from hyloop.prove.shadows import PARTS, shadow
from hyloop.prove.terms import Valuation, constant

CAPACITY = Capacity(6, 9)


def moved_ahead(program, seed, most=3):
    """A model of a program with values moved ahead, whether that saves a layer or not; None if there are none."""
    graph, draw = lower(program), random.Random(seed)
    for _ in range(most):
        if movable := candidates(graph):
            graph = hoist(graph, draw.choice(movable))
    if all(state.role != "ahead" for state in graph.states):
        return None
    return emit(graph, bound(graph, CAPACITY), schedule(graph, bound(graph, CAPACITY), 2), "float64")


def models_with_values_moved_ahead():
    """Of random programs, those that can be written down: a minimum over no rows is infinite and cannot be added up."""
    for seed in range(80):
        with suppress(LanguageError):
            model = moved_ahead(program_of(drawn(seed, 8), before=seed % 3, infinite=False), seed)
            if model is not None:
                yield model


def test_whatever_can_be_moved_ahead_has_a_reading():
    read = 0
    for model in models_with_values_moved_ahead():
        basis = Basis(model, program_in(model))
        assert {column.name for column in model.layout.columns if column.role == "ahead"} == basis.ahead.keys()
        read += len(basis.ahead)
    assert read > 10


@algorithm
def roundabout(h):
    """The one-hot of a pointer that is simpler than it looks: the number of the hyperedge there."""
    e = h.state(Hyperedge)
    x = h.vertices.state(Count, 0)
    with h.loop(at_most=4) as loop:
        x.assign(x + h.members(h.hyperedges.number[e]))
        e.assign(argmax(h.incidence.T @ x)[0])
        loop.stop_when(any_of(x >= 2))
    return Outputs(x=x)


def test_what_is_simpler_than_it_looks_is_proved():
    model = moved_ahead(roundabout.program, 0, most=1)
    assert [each.part for column in model.layout.columns for each in column.purposes] == ["one-hot"]
    assert prove(model).answer == "proved"


def test_values_moved_ahead_are_proved():
    found = list(itertools.islice(models_with_values_moved_ahead(), 4))
    assert [prove(model).answer for model in found] == ["proved"] * 4


# -- each part ------------------------------------------------------------------------------------------------------


@algorithm
def parts(h):
    e = h.state(Hyperedge)
    x = h.hyperedges.state(Length, INFINITY)
    chosen = h.hyperedges.state(Flag, False)
    done = h.state(Flag, False)
    with h.loop(at_most=4) as loop:
        members = h.members(e)
        done.assign(all_of(chosen) & any_of(members))
        e.assign(argmax(x, where=chosen)[0])
        chosen.assign(h.weight < x)
        x.assign(h.weight)
        loop.stop_when(done)
    return Outputs(x=x)


# Rows 0 to 5; four hyperedges, `e` is the second, and None is an infinite length. What each part is then.
STATE = {"state x": [0, 5, None, 7, None, 0], "state chosen": [0, 1, 1, 0, 0, 0]}
EXPECTED = {
    ("members", "one-hot"): [0, 0, 1, 0, 0, 0],
    ("all", "lacking"): [0, 0, 0, 1, 1, 0],
    ("argmax", "candidates"): [0, 1, 0, 0, 0, 0],
    ("state", "value"): [2] * 6,
}


@cache
def basis_of_parts():
    model = hyloop.compile(parts.program, CAPACITY)
    return Basis(model, program_in(model))


@pytest.mark.parametrize(("op", "part"), EXPECTED)
def test_what_a_part_is(op, part):
    meaning = basis_of_parts().meaning
    ops = meaning.program.body.ops
    number = next(n for n, each in enumerate(ops) if each.name == op and (op != "state" or each.argument == "e"))
    held = shadow(meaning, [Purpose("body", number, part)]).read(meaning.now)
    state = {
        name: {row: meaning.infinity if value is None else value for row, value in enumerate(values)}
        for name, values in STATE.items()
    }
    known = Valuation({"K": 6, "n_v": 3, "n_e": 4, "state e": 2}, state)
    terms = [held(constant(row)) for row in range(6)]
    at = known.of(terms)
    assert [at.term(term) for term in terms] == EXPECTED[op, part]


def test_every_part_of_every_operation_is_read_or_is_not():
    """Also where an operation has no such part, or there is no such operation."""
    meaning = basis_of_parts().meaning
    for section in ("before", "body"):
        for number in range(-2, len(meaning.program.body.ops) + 2):
            for part in get_args(Part):
                held = shadow(meaning, [Purpose(section, number, part)])
                assert held is None or held.read(meaning.now)(meaning.one) is not None
                assert held is None or PARTS[part] is not None
    assert shadow(meaning, []) is None
