"""Named locals as states: the program stays what it was."""

from dataclasses import replace

import pytest

import hyloop
from hyloop.data.hints import hinted
from hyloop.errors import HyloopError
from hyloop.execute.prepare import given_to, program_of
from hyloop.interpreter import interpret
from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, any

H = hyloop.Hypergraph.from_hyperedges([[1, 2], [2, 3], [3, 4, 5]])


@algorithm
def walk(h, source: Vertex):
    """A state has the name that the state of a local would have."""
    reached = h.vertices.state(Flag, False)
    fresh_hint = h.state(Count, 0)
    start = h.vertices.number == source
    reached.assign(start)
    with h.loop(at_most=h.vertices.count) as loop:
        fresh = h.covered(h.touching(reached)) & ~reached
        loop.stop_when(~any(fresh))
        reached.assign(True, where=fresh)
        fresh_hint.assign(fresh_hint + 1)
    return Outputs(reached=reached, rounds=fresh_hint)


@pytest.mark.parametrize("name", ["dijkstra", "scc", "helly", "motifs", "core_numbers"])
def test_the_same_iterations_and_states(name):
    program = program_of(name)
    inputs = {each.name: 1 for each in program.inputs}
    with_hints = hinted(program).program
    given = given_to(program, H, inputs)
    arguments = given.hypergraph, given.inputs, given.weights
    for old, new in zip(interpret(program, *arguments), interpret(with_hints, *arguments), strict=True):
        assert (old.section, old.halted, old.iteration) == (new.section, new.halted, new.iteration)
        assert all(str(old.states[each.name]) == str(new.states[each.name]) for each in program.states)


def test_names_are_unique():
    before = walk.program.before
    renamed = [replace(op, label=op.label and "fresh") for op in before.ops]  # as a program that was parsed may have it
    found = hinted(replace(walk.program, before=replace(before, ops=tuple(renamed))))
    names = [each.name for each in found.variables]
    assert sorted(names) == ["fresh", "fresh:before", "fresh_hint", "reached"]
    assert len({each.column for each in found.variables}) == len(names)


def test_initial_values():
    initial = {each.name: each.initial for each in hinted(program_of("dijkstra")).variables}
    assert initial["distance"] == initial["predecessor"] == initial["edge"] == -1
    assert initial["settled"] == initial["best"] == 0


def test_streams_are_refused():
    with pytest.raises(HyloopError, match="projection has a stream"):
        hinted(program_of("projection"))
