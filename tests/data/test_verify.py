"""Verifiers accept every right answer, and refuse the others: permuted examples, changed entries, cases by hand."""

from itertools import combinations, product

import numpy as np
import pytest

from answer_changes import tried
from hyloop import data
from hyloop.data.problem import Problem
from hyloop.data.standard_set import ALGORITHMS
from hyloop.data.verify import VERIFIERS
from hyloop.errors import FormatError

pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("verify") / "data"
    plan = data.custom(list(VERIFIERS), sizes=[7], generators=list(data.GENERATORS), seeds=[5], count=9, split="test")
    data.make(plan, found, processes=1)
    return found


def test_every_algorithm_of_the_standard_set_has_one():
    assert list(VERIFIERS) == list(ALGORITHMS)


@pytest.mark.parametrize("algorithm", VERIFIERS)
def test_right_answers_are_accepted_and_changed_ones_refused(algorithm, folder):
    [shard] = data.shards(folder, algorithm=algorithm)
    accepted, refused = tried(shard, VERIFIERS[algorithm], np.random.default_rng(7), times=3)
    assert accepted >= 27
    assert refused >= 5


def problem_of(n, hyperedges, weights=None, directions=None, **inputs):
    members = [vertex for each in hyperedges for vertex in each]
    owner = [number for number, each in enumerate(hyperedges) for _ in each]
    arrays = (members, owner, directions or [0] * len(members), weights or [1] * len(hyperedges))
    return Problem(n, len(hyperedges), *(np.array(each, np.int64) for each in arrays), inputs)


def verdict(algorithm, problem, **answer):
    given = {name: np.array(value, np.int64) for name, value in answer.items()}
    return VERIFIERS[algorithm](problem)(given)


SQUARE = problem_of(4, [[0, 1], [0, 2], [1, 3], [2, 3]], source=0)


@pytest.mark.parametrize(("before", "through"), [(1, 2), (2, 3)])
def test_both_ways_around_a_square(before, through):
    told = {"predecessor": [-1, 0, 0, before], "hyperedge": [-1, 0, 1, through]}
    assert verdict("dijkstra", SQUARE, distance=[0, 1, 1, 2], **told).right
    assert verdict("bfs", SQUARE, level=[0, 1, 1, 2], **told).right


def test_a_pair_that_does_not_fit_together():
    found = verdict("dijkstra", SQUARE, distance=[0, 1, 1, 2], predecessor=[-1, 0, 0, 1], hyperedge=[-1, 0, 1, 3])
    assert all(right.all() for right in found.outputs.values())  # each is one of a shortest path
    assert found.places.tolist() == [True, True, True, False]


def test_the_nodes_that_are_right_are_counted():
    found = verdict("dijkstra", SQUARE, distance=[0, 1, 2, 2], predecessor=[-1, 0, 0, 0])
    assert found.outputs["distance"].tolist() == [True, True, False, True]
    assert found.outputs["predecessor"].tolist() == [True, True, True, False]
    assert found.places.tolist() == [True, True, False, False]


def test_depth_first_orders():
    path = problem_of(4, [[0, 1], [1, 2], [0, 3]], source=0)
    assert verdict("dfs", path, order=[1, 2, 3, 4], predecessor=[-1, 0, 1, 0]).right
    assert verdict("dfs", path, order=[1, 3, 4, 2], predecessor=[-1, 0, 1, 0]).right
    breadth_first = verdict("dfs", path, order=[1, 2, 4, 3], predecessor=[-1, 0, 1, 0])
    assert breadth_first.outputs["order"].tolist() == [True, True, True, False]  # 3 must not come before 2
    assert not verdict("dfs", path, order=[2, 1, 3, 4], predecessor=[1, -1, 1, 0]).right


def test_depth_first_parents_alone():
    triangle = problem_of(4, [[0, 1, 2]], source=0)
    assert verdict("dfs", triangle, predecessor=[-1, 2, 0, -1]).right
    assert verdict("dfs", triangle, predecessor=[-1, 0, 1, -1]).right
    assert verdict("dfs", triangle, predecessor=[-1, 0, 0, -1]).places.tolist() == [True, False, False, True]
    assert verdict("dfs", triangle, predecessor=[-1, 2, 1, -1]).places.tolist() == [True, False, False, True]


def test_components_by_any_name():
    two = problem_of(5, [[0, 1, 2], [3, 4]])
    assert verdict("components", two, component=[7, 7, 7, 0, 0]).right
    assert verdict("components", two, component=[7, 7, 3, 7, 7]).places.tolist() == [True] * 2 + [False] * 3
    assert not verdict("components", two, component=[7, 7, 7, -1, -1]).places[3:].any()
    assert verdict("components", two, component=[5, 5, 5, 5, 5]).places.tolist() == [True] * 3 + [False] * 2


def test_strongly_connected_by_direction():
    cycle = problem_of(3, [[0, 1], [0, 1], [1, 2]], directions=[-1, 1, 1, -1, -1, 1])
    assert verdict("scc", cycle, component=[9, 9, 2]).right
    assert not verdict("scc", cycle, component=[1, 1, 1]).right


@pytest.mark.parametrize("algorithm", ["components", "scc"])
def test_every_answer_about_sets(algorithm):
    """All numbers around those that stand for something, against the definition."""
    directed = [-1, 1] if algorithm == "scc" else [0, 0]
    pair = problem_of(4, [[0, 1], [1, 0], [2, 3]], directions=directed * 3)
    together = {(0, 1)} if algorithm == "scc" else {(0, 1), (2, 3)}
    for told in product(range(-3, 3), repeat=4):
        same = {(a, b) for a, b in combinations(range(4), 2) if told[a] == told[b]}
        assert verdict(algorithm, pair, component=told).right == (same == together and -1 not in told), told


def test_parents_of_what_was_not_visited_are_wrong():
    path = problem_of(3, [[0, 1], [1, 2]], source=0)
    for parent in range(-4, 4):
        found = verdict("dfs", path, order=[1, 2, -1], predecessor=[-1, 0, parent])
        assert found.outputs["predecessor"].tolist() == [True, True, False]


def test_any_witness_against_helly():
    triangles = problem_of(6, [[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5]])
    assert verdict("helly", triangles, helly=[0], witness=[0, 1, 2]).right
    assert verdict("helly", triangles, helly=[0], witness=[5, 3, 4]).right
    assert not verdict("helly", triangles, helly=[0], witness=[0, 1, 3]).right
    assert not verdict("helly", triangles, helly=[1], witness=[-1, -1, -1]).right
    assert not verdict("helly", triangles, helly=[0], witness=[0, 0, 1]).right


@pytest.mark.parametrize("algorithm", ["dijkstra", "bfs", "levels", "dfs", "components"])
def test_numbers_that_are_nothing_are_wrong(algorithm):
    names = {"dijkstra": ["distance", "predecessor", "hyperedge"], "bfs": ["level", "predecessor", "hyperedge"]}
    names |= {"levels": ["level"], "dfs": ["order", "predecessor"], "components": ["component"]}
    for huge in (-7, 99, 2**62):
        answer = {name: [huge, huge - 1, huge - 2, huge - 3] for name in names[algorithm]}
        assert verdict(algorithm, SQUARE, **answer).places.sum() <= 1


def test_weights_whose_sum_64_bits_do_not_hold():
    """A data set from elsewhere may have them; a distance that wraps around would be the shortest of all."""
    heavy = problem_of(3, [[0, 1], [1, 2]], weights=[1, 2**63 - 1], source=0)
    with pytest.raises(FormatError, match=r"add up to 2\^62 or more: make the data set anew"):
        VERIFIERS["dijkstra"](heavy)


def test_without_hyperedges():
    alone = problem_of(2, [], source=1)
    assert verdict("dijkstra", alone, distance=[-1, 0], predecessor=[-1, -1], hyperedge=[-1, -1]).right
    assert not verdict("dijkstra", alone, distance=[-1, 0], predecessor=[1, -1], hyperedge=[0, -1]).right
    assert verdict("dfs", alone, order=[-1, 1], predecessor=[-1, -1]).right
    assert verdict("core_numbers", alone, core=[0, 0]).right
    assert verdict("motifs", alone, counts=[0] * 26).right
