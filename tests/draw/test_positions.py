"""Where things go in a picture: within the square, the same every time, and apart."""

import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import examples
from hyloop import HyloopError, Hypergraph
from hyloop.draw.hulls import hull, outwards
from hyloop.draw.positions import Positions, _placed, positions
from hypergraph_strategies import plain

HARBOUR = {
    "ferry": ["Quay", "Isle", "Cove"],
    "launch": ["Quay", "Mole"],
    "mail boat": ["Mole", "Isle", "Light"],
    "dinghy": ["Light", "Cove"],
    "barge": ["Cove", "Dunes", "Mill"],
    "steamer": ["Quay", "Mill"],
}
ODD = {
    "nothing": Hypergraph.from_hyperedges({}),
    "one vertex": Hypergraph.from_hyperedges({}, vertices=["a"]),
    "two vertices": Hypergraph.from_hyperedges({}, vertices=["a", "b"]),
    "an empty hyperedge": Hypergraph.from_hyperedges({"e": []}),
    "empty hyperedges": Hypergraph.from_hyperedges({e: [] for e in range(7)}, vertices=["a"]),
    "a loop": Hypergraph.from_hyperedges({"e": ["a"]}),
    "a pair": Hypergraph.from_hyperedges({"e": ["a", "b"]}),
    "parallel": Hypergraph.from_hyperedges({e: ["a", "b", "c"] for e in range(12)}),
    "a long path": Hypergraph.from_hyperedges([[v, v + 1] for v in range(150)]),
    "one large hyperedge": Hypergraph.from_hyperedges([range(100)]),
    "many isolated": Hypergraph.from_hyperedges({"e": ["a", "b"]}, vertices=range(100)),
    "many components": Hypergraph.from_hyperedges([[3 * v, 3 * v + 1, 3 * v + 2] for v in range(80)]),
    "over the exact limit": Hypergraph.from_hyperedges([[v, v + 1, v * 7 % 700] for v in range(700)]),
}


def sound(h: Hypergraph, found: Positions) -> None:
    for points, count in ((found.vertices, len(h.vertices)), (found.hyperedges, len(h.hyperedges))):
        assert points.shape == (count, 2)
        assert points.dtype == np.float64
        assert np.isfinite(points).all()
        assert (points >= 0).all()
        assert (points <= 1).all()


@pytest.mark.parametrize("name", ODD)
def test_odd_hypergraphs_have_places(name):
    sound(ODD[name], positions(ODD[name]))


def test_a_crowd_that_has_no_regions_is_spread_over_the_square():
    rng = np.random.default_rng(1)
    core = [rng.choice(50, 4, replace=False).tolist() for _ in range(60)]
    tails = [[50 + v, 51 + v] for v in range(30)] + [[0, 50]]
    found = positions(Hypergraph.from_hyperedges([*core, *tails])).vertices
    gaps = np.sqrt(((found[:, None] - found[None]) ** 2).sum(2))[~np.eye(len(found), dtype=bool)]
    assert gaps.min() > 0.6 * 0.9 / np.sqrt(len(found))
    cells = {(int(4 * x), int(4 * y)) for x, y in found.tolist()}
    assert len(cells) >= 14  # of 16


@pytest.mark.parametrize("name", ["parallel", "many components", "over the exact limit"])
def test_the_same_every_time(name):
    _placed.cache_clear()
    first = positions(ODD[name])
    assert positions(ODD[name]).vertices.tobytes() == first.vertices.tobytes()  # from memory
    _placed.cache_clear()
    again = positions(ODD[name])
    assert np.array_equal(first.vertices, again.vertices)
    assert np.array_equal(first.hyperedges, again.hyperedges)


@examples(20)
@given(plain())
def test_any_hypergraph_has_places_and_vertices_have_their_own(h):
    found = positions(h)
    sound(h, found)
    for u, v in combinations(found.vertices, 2):
        assert np.hypot(*(u - v)) > 0.01


@examples(20)
@given(plain(), st.dictionaries(st.integers(-20, 20), st.tuples(st.floats(-1, 2), st.floats(0, 1)), max_size=4))
def test_what_is_kept_stays(h, keep):
    found = positions(h, keep)
    sound(h, found)
    for label, place in keep.items():
        if label in h.vertices:
            assert found.vertices[h.vertex_number(label)] == pytest.approx(np.clip(place, 0, 1), abs=1e-5)


def test_after_an_edit_the_rest_stays_and_the_new_vertex_is_near_its_neighbours():
    before = Hypergraph.from_hyperedges(HARBOUR, vertices=["Wreck"])
    places = {label: tuple(point) for label, point in zip(before.vertices, positions(before).vertices, strict=True)}
    after = Hypergraph.from_hyperedges(HARBOUR | {"raft": ["Dunes", "Sandbank"]}, vertices=["Wreck", "Buoy"])
    found = positions(after, places)
    for label, place in places.items():
        assert tuple(found.vertices[after.vertex_number(label)]) == place
    sandbank = found.vertices[after.vertex_number("Sandbank")]
    assert 0.05 < np.hypot(*(sandbank - places["Dunes"])) < 0.4
    others = np.delete(found.vertices, after.vertex_number("Buoy"), axis=0)
    assert np.hypot(*(others - found.vertices[after.vertex_number("Buoy")]).T).min() > 0.02


def test_few_of_many_can_be_kept():
    h = Hypergraph.from_hyperedges([[v, v + 1, (v * 31) % 5_000] for v in range(5_000)])
    sound(h, positions(h, {0: (0.1, 0.1)}))


def test_no_pier_of_the_harbour_lies_in_the_hull_of_a_boat_that_does_not_call_there():
    h = Hypergraph.from_hyperedges(HARBOUR, vertices=["Wreck"])
    at = positions(h).vertices
    for boat in h.hyperedges:
        members = [h.vertex_number(pier) for pier in h.members_of(boat)]
        others = np.delete(at, members, axis=0)
        assert (outwards(hull(at[members]), others)[0] > 0.03).all(), boat


def test_members_are_nearer_to_each_other_than_strangers_are():
    groups = [[f"{g}{v}" for v in range(6)] for g in "abcd"]
    h = Hypergraph.from_hyperedges([*groups, ["a0", "b0"], ["b1", "c1"], ["c2", "d2"]])
    at = positions(h).vertices
    centres = np.array([at[[h.vertex_number(v) for v in group]].mean(0) for group in groups])
    for number, group in enumerate(groups):
        for v in group:
            away = np.hypot(*(centres - at[h.vertex_number(v)]).T)
            assert away.argmin() == number


def test_components_are_apart_and_isolated_vertices_are_in_a_row_at_the_lower_edge():
    h = Hypergraph.from_hyperedges([["a", "b", "c"], ["c", "d"], ["x", "y", "z"]], vertices=["p", "q", "r"])
    at = positions(h).vertices
    row = at[:3]
    assert len(set(row[:, 1])) == 1
    assert row[0, 1] < at[3:, 1].min()
    one, two = (at[[h.vertex_number(v) for v in group]] for group in ("abcd", "xyz"))
    assert (one.max(0) < two.min(0)).any() or (two.max(0) < one.min(0)).any()


def test_hyperedges_do_not_lie_on_each_other_nor_on_vertices():
    found = positions(ODD["parallel"])
    everyone = np.concatenate([found.vertices, found.hyperedges])
    for a, b in combinations(everyone, 2):
        assert np.hypot(*(a - b)) > 0.02


def test_positions_need_neither_matplotlib_nor_scipy():
    script = (
        "import sys, hyloop\n"
        "from hyloop.draw.positions import positions\n"
        "positions(hyloop.Hypergraph.from_hyperedges([['a', 'b', 'c']]))\n"
        "assert not {'matplotlib', 'scipy'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("points", [[(0, 0)], [(0, 0), (1, 1)], [(0, 0), (1, 1), (2, 2)]])
def test_hulls_of_a_point_and_of_a_line(points):
    corners = hull(np.array(points, float))
    assert len(corners) == min(len(points), 2)
    away, direction = outwards(corners, np.array([[0.0, 3.0], [0.0, 0.0]]))
    assert away[0] > 0
    assert away[1] == 0
    assert np.isfinite(direction).all()


def test_a_point_leaves_a_square_by_its_nearest_side():
    corners = hull(np.array([(0, 0), (4, 0), (4, 4), (0, 4), (2, 2)], float))
    assert len(corners) == 4
    away, direction = outwards(corners, np.array([[1.0, 2.0], [5.0, 2.0]]))
    assert away.tolist() == [-1, 1]
    assert direction.tolist() == [[-1, 0], [1, 0]]


@pytest.mark.parametrize("place", [(1, 2, 3), 1, "ab", None, (None, 1), (10**400, 0)])
def test_a_place_is_two_numbers(place):
    with pytest.raises(HyloopError, match="A vertex is kept at two numbers"):
        positions(Hypergraph.from_hyperedges([["a", "b"]]), keep={"a": place})
