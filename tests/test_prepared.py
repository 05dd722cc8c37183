"""One hypergraph, prepared once, for many inputs."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import hyloop
from hyloop.errors import HyloopError
from hyloop.execute import many
from hyloop.lang import Count, Flag, Length, Outputs, Vertex, algorithm

H = hyloop.Hypergraph.from_hyperedges(
    {"ferry": ["Quay", "Isle"], "mail": ["Isle", "Mole", "Light"], "tug": ["Wreck"]}, weights=[0.5, 2, 1]
)


@algorithm
def near(h, source: Vertex, radius: Length):
    """Which hyperedges are short, and contain `source`."""
    short, done = h.hyperedges.state(Flag, False), h.state(Flag, False)
    with h.loop(at_most=h.vertices.count + 2) as loop:
        loop.stop_when(done)
        short.assign((h.weight <= radius) & h.touching(h.vertices.number == source))
        done.assign(True)
    return Outputs(short=short)


def rows(name, output, h, sources, **inputs):
    return [hyloop.run(name, h, source=source, **inputs).array(output).tolist() for source in sources]


@pytest.mark.parametrize("name", ["dijkstra", "bfs", "levels"])
def test_the_same_as_many_runs(name):
    prepared = hyloop.prepare(name, H)
    for source in H.vertices:
        assert prepared.run(source=source) == hyloop.run(name, H, source=source)
    output = next(iter(prepared.run(source="Quay")))
    expected = rows(name, output, H, H.vertices)
    assert prepared.matrix(output).tolist() == expected
    assert prepared.matrix(output, source=["Mole", "Quay"]).tolist() == [expected[2], expected[0]]


def test_lengths_have_units_of_their_own():
    prepared = hyloop.prepare(near, H)
    for radius in (0.5, 2.25):
        expected = rows(near, "short", H, H.vertices, radius=radius)
        assert prepared.matrix("short", radius=radius).tolist() == expected
    assert expected[1] == [True, True, False]


def test_a_model_of_the_users_and_a_backend():
    model = hyloop.compile("levels", hyloop.Capacity(rows=10, weight=9))
    prepared = hyloop.prepare(model, H, backend="dense")
    assert prepared.run(source="Quay").backend == "dense"
    assert prepared.matrix("level").tolist() == hyloop.prepare("levels", H).matrix("level").tolist()
    small = hyloop.prepare(hyloop.compile("levels", hyloop.Capacity(rows=3, weight=9)), H)
    with pytest.raises(hyloop.CapacityError, match="5 vertices"):
        small.run(source="Quay")


def test_worker_processes_give_the_same(monkeypatch):
    monkeypatch.setattr(hyloop.prepared, "SHARE", 2)
    prepared = hyloop.prepare("levels", H)
    assert np.array_equal(prepared.matrix("level", processes=2), prepared.matrix("level"))


def test_inputs_may_have_the_names_of_parameters():
    @algorithm
    def named(h, output: Vertex, self: Count):
        counts = h.vertices.state(Count, 0)
        with h.loop(at_most=1) as loop:
            counts[output] = self
            loop.stop_when(True)
        return Outputs(counts=counts)

    prepared = hyloop.prepare(named, H)
    assert prepared.run(output="Quay", self=7)["counts"]["Quay"] == 7
    assert prepared.matrix("counts", output=["Mole", "Quay"], self=2).tolist() == [[0, 0, 2, 0, 0], [2, 0, 0, 0, 0]]


def test_a_matrix_without_rows_has_the_type_of_the_others():
    for name, output, inputs in (("levels", "level", {}), (near, "short", {"radius": 1}), ("dijkstra", "distance", {})):
        prepared = hyloop.prepare(name, H)
        none, all_ = prepared.matrix(output, source=[], **inputs), prepared.matrix(output, **inputs)
        assert (none.dtype, none.shape) == (all_.dtype, (0, all_.shape[1]))


def test_memory_is_asked_for_before_it_is_taken(monkeypatch):
    large = hyloop.Hypergraph.from_arrays([0, 200_000], [0, 0])
    monkeypatch.setattr(hyloop.memory, "free_bytes", lambda: 10**6)
    with pytest.raises(hyloop.memory.NotEnoughMemoryError, match=r"levels on 200,001 rows takes about"):
        hyloop.prepare("levels", large).run(source=0)


def test_directions_and_hypergraphs_without_vertices():
    arcs = hyloop.Hypergraph.from_arcs({"e": ([0], [1])})
    with pytest.raises(HyloopError, match="directed"):
        hyloop.prepare("levels", arcs)
    assert hyloop.prepare("levels", arcs, ignore_direction=True).matrix("level").tolist() == [[0, 1], [1, 0]]
    assert hyloop.prepare("levels", hyloop.Hypergraph.from_hyperedges([])).matrix("level").shape == (0, 0)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: hyloop.prepare("levels", H, backend="gpu"), "There is no backend 'gpu' to prepare for"),
        (lambda: hyloop.prepare("levels", H).run(), "levels needs source"),
        (lambda: hyloop.prepare("levels", H).run(source="Quay", checkpoint="x"), "checkpoint is no input"),
        (lambda: hyloop.prepare("levels", H).matrix("distance"), "no output 'distance' over .*; it has level"),
        (lambda: hyloop.prepare("levels", H).matrix("level", source="Quay"), "0 such that are left out"),
        (lambda: hyloop.prepare("components", H).matrix("component"), "components has no such input. `run`"),
        (lambda: hyloop.prepare("levels", H).matrix("level", source=["Quai"]), "Did you mean 'Quay'"),
        *(
            (lambda many=many: hyloop.prepare("levels", H).matrix("level", processes=many), "processes is how many")
            for many in (0, -5, "x", 1.5, True)
        ),
        (lambda: hyloop.prepare("levels", H).matrix("level", processes=10**6), "At most 1,000 processes"),
        (lambda: hyloop.prepare("levels", H).matrix(["level"]), r"no output \['level'\] over"),
        *(
            (lambda source=source: hyloop.prepare("levels", H).matrix("level", source=source), "one a row; not ")
            for source in (np.array("Quay"), np.array([["Quay"]]), {"Quay", "Mole"}, {"Quay": 1}, b"Quay", 2.5)
        ),
    ],
)
def test_what_is_refused(ask, message):
    with pytest.raises(HyloopError, match=message):
        ask()


RNG = np.random.default_rng(2)
MEDIUM = hyloop.Hypergraph.from_hyperedges(
    [RNG.choice(40, RNG.integers(1, 4), replace=False).tolist() for _ in range(25)], vertices=range(40)
)


@pytest.mark.parametrize("name", ["levels", "bfs", "dijkstra"])
def test_many_inputs_side_by_side_or_not(name, monkeypatch):
    output = "distance" if name == "dijkstra" else "predecessor" if name == "bfs" else "level"
    found = hyloop.prepare(name, MEDIUM).matrix(output, processes=2)
    monkeypatch.setattr(hyloop.prepared, "MANY", 100)
    expected = hyloop.prepare(name, MEDIUM).matrix(output)
    assert found.dtype == expected.dtype
    assert found.tolist() == expected.tolist()


def test_inputs_that_leave_their_lanes(monkeypatch):
    ran = []
    alone = hyloop.Prepared._in_shares
    monkeypatch.setattr(hyloop.Prepared, "_in_shares", lambda self, *rest: ran.append(rest) or alone(self, *rest))
    monkeypatch.setattr(many, "widened", lambda *_: None)
    lanes = many.lanes_for
    level = 8

    def narrow(*given):
        found = lanes(*given)
        assert found.model.layout.columns[level].name == "level"
        boxes = {key: (0.0, 1.0) if key[2] == level else box for key, box in found.boxes.items()}
        return replace(found, boxes=boxes)

    expected = hyloop.prepare("levels", MEDIUM).matrix("level")
    assert not ran
    monkeypatch.setattr(many, "lanes_for", narrow)
    assert hyloop.prepare("levels", MEDIUM).matrix("level").tolist() == expected.tolist()
    assert ran


def test_the_unit_of_a_matrix_is_that_of_its_results():
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[Fraction(1, 3), 0.5])
    prepared = hyloop.prepare("dijkstra", h)
    assert prepared.unit == prepared.run(source="a").unit == Fraction(1, 6)
    assert list(prepared.matrix("distance")[0] * prepared.unit) == [0, Fraction(1, 3), Fraction(5, 6)]


@pytest.mark.parametrize("s", [1, 300, 2_000, 140_000])
def test_counts_beyond_the_rows_of_a_narrow_or_default_model(s):
    h = hyloop.Hypergraph.from_hyperedges([[v, v + 1, 3 * v % 40] for v in range(40)])
    prepared = hyloop.prepare("s_distance", h)
    expected = rows("s_distance", "distance", h, h.hyperedges[:3], s=s)
    assert prepared.matrix("distance", s=s)[:3].tolist() == expected
    assert prepared.run(source=h.hyperedges[0], s=s).array("distance").tolist() == expected[0]


@algorithm
def still(h, source: Vertex):
    """No array ever changes."""
    marked, steps = h.vertices.state(Flag, True), h.state(Count, 0)
    with h.loop(at_most=5) as loop:
        steps.assign(steps + 1)
        loop.stop_when((steps >= 2) | source.is_none)
    return Outputs(marked=marked)


@pytest.mark.parametrize("size", [0, 1, 3, 20, 40])
def test_a_program_in_which_no_array_changes_has_a_matrix(size):
    h = hyloop.Hypergraph.from_hyperedges({}, vertices=range(size))
    assert hyloop.prepare(still, h).matrix("marked").tolist() == [[True] * size] * size
