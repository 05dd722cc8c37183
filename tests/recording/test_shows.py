"""What a picture shows follows from what a program does, not from what its variables are called."""

from dataclasses import replace

import pytest

from hyloop.algorithms import ALGORITHMS
from hyloop.lang import Count, Flag, Hyperedge, Length, Outputs, Vertex, algorithm, any, argmin, first, when
from hyloop.lang.kinds import INFINITY
from hyloop.recording.describe import named_locals
from hyloop.recording.shows import shows
from hyloop.recording.source import source_of

# value, settled, frontier of vertices and of hyperedges, current, predecessor, through
SHOWN = {
    "degradation": ("distance", None, None, "waiting", ["edge"], None, None),
    "dijkstra": ("distance", "settled", "fresh", "key", ["edge", "tail"], "predecessor", "hyperedge"),
    "bfs": ("level", "settled", "fresh", "waiting", ["edge", "tail"], "predecessor", "hyperedge"),
    "levels": ("level", "reached", "fresh", "touched", [], None, None),
    "dfs": ("order", "visited", "fresh", None, ["vertex"], "predecessor", None),
    "components": ("component", None, "fresh", "touched", ["root", "start"], None, None),
    "helly": (None, "unused", "thirds", None, ["x", "y", "z", "next_x", "next_y", "next_z"], None, None),
    "projection": (None, None, None, None, ["edge", "coming"], None, None),
    "motifs": (None, None, None, None, ["i", "j", "last"], None, None),
    "scc": ("component", "visited", "fresh", "onward", ["current", "to", "lowest", "root", "back"], None, None),
    "label_propagation": ("label", None, "moving", None, ["which"], None, None),
    "all_pairs": ("distance", None, "fresh", "key", ["done", "source", "coming", "edge"], None, None),
    "closeness": ("farness", None, "fresh", "key", ["source", "coming", "edge"], None, None),
    "diameter": (
        *("distance", None, "fresh", "key"),
        *(["one", "other", "source", "coming", "edge", "farthest"], None, None),
    ),
}


def shown(program):
    found = shows(program, named_locals(program, source_of(program)))
    frontier = found["frontier"]
    current = (found["current"], found["predecessor"], found["through"])
    return (found["value"], found["settled"], frontier["vertices"], frontier["hyperedges"], *current)


def renamed(program, to):
    """The same program with other names for its states and locals."""

    def operation(op):
        return replace(
            op, argument=to(op.argument) if op.name == "state" else op.argument, label=op.label and to(op.label)
        )

    def section(each):
        updates = {to(state): number for state, number in each.updates.items()}
        return replace(each, ops=tuple(map(operation, each.ops)), updates=updates)

    def output(each):
        told = {part: name and to(name) for part in ("known", "unless", "of") for name in [getattr(each, part)]}
        return replace(each, state=to(each.state), **told)

    return replace(
        program,
        states=tuple(replace(state, name=to(state.name)) for state in program.states),
        before=section(program.before),
        body=section(program.body),
        outputs=tuple(map(output, program.outputs)),
    )


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_shown_of_ours(name):
    assert shown(ALGORITHMS[name].program) == SHOWN[name]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_other_names_change_the_names_alone(name):
    known: dict[str, str] = {}

    def to(word):
        return known.setdefault(word, f"a{len(known)}")

    found = shown(renamed(ALGORITHMS[name].program, to))
    assert known
    before = shown(ALGORITHMS[name].program)
    assert found == tuple([to(each) for each in one] if isinstance(one, list) else one and to(one) for one in before)


@algorithm
def misleading(h):
    """Names that say the opposite of what the program does."""
    settled = h.vertices.state(Flag, False)  # comes and goes
    predecessor = h.vertices.state(Vertex)  # the name of a component
    waiting = h.vertices.state(Flag, False)  # set once, by `|`
    key = h.hyperedges.state(Length, INFINITY)  # never infinite again
    queued = h.hyperedges.state(Flag, True)  # lost once, by `&`
    root = h.state(Vertex)

    with h.loop(at_most=h.vertices.count) as loop:
        start = first(~waiting)
        loop.stop_when(start.is_none)
        root.assign(start)
        settled.assign(h.covered(h.containing(start)))
        with when(any(settled)):
            predecessor.assign(root, where=settled)
        waiting.assign(waiting | settled)
        key.assign(h.weight, where=h.touching(settled))
        queued.assign(queued & ~h.touching(settled))
    return Outputs(predecessor=predecessor, waiting=waiting)


def test_names_mislead_nobody():
    value, settled, vertices, hyperedges, *_ = shown(misleading.program)
    assert (value, settled, vertices, hyperedges) == ("predecessor", "waiting", "settled", None)


@algorithm
def labelled(h):
    """A pointer that was found in an earlier iteration is no predecessor."""
    label = h.vertices.state(Vertex)
    size = h.vertices.state(Count, 0)
    parent = h.vertices.state(Hyperedge)
    back = h.vertices.state(Vertex)
    root = h.state(Vertex)
    key = h.hyperedges.state(Length, INFINITY)

    key.assign(h.weight)
    root.assign(h.vertices.first)

    with h.loop(at_most=h.hyperedges.count) as loop:
        edge, _ = argmin(key)
        loop.stop_when(edge.is_none)
        key[edge] = INFINITY
        inside = h.members(edge)
        label.assign(root, where=inside)
        size.assign(1, where=inside)
        parent.assign(edge, where=inside)
        back.assign(first(inside), where=inside & label.is_none)
    return Outputs(label=label, back=back, size=size)


def test_a_label_is_no_predecessor():
    assert shown(labelled.program) == ("size", None, "inside", "key", ["root", "edge"], "back", "parent")
