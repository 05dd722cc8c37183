"""Every algorithm against its oracles: algorithms × oracles, on degenerate, random and real hypergraphs."""

import math
import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice, pairwise, product

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyloop
from effort import examples
from hyloop import HyloopError, Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.samples import DEGENERATE, hypergraphs
from hypergraph_strategies import plain
from oracles import ITERATIONS, ORACLES, Sets, UnsuitedError, differences, disagreements, shaped
from oracles.overlaps import CLASSES, NUMBER_OF_CODE, NUMBER_OF_PATTERN, code, drawn

pytestmark = pytest.mark.usefixtures("interpreted")

SHARE = 200  # of the random sweep; `benchmarks/sweep_algorithms.py` runs all of it

EMPTY = tuple(Hypergraph.from_hyperedges(edges) for edges in ([], [[]], [[], []]))
FROM_A_SOURCE = [name for name, algorithm in ALGORITHMS.items() if algorithm.inputs]
OF_ALL = [name for name in ALGORITHMS if name not in FROM_A_SOURCE]


def inputs_of(name, H):
    """All inputs that an algorithm can have on a hypergraph: none, or each vertex as the source."""
    return [{"source": vertex} for vertex in H.vertices] if name in FROM_A_SOURCE else [{}]


# -- the table itself


def test_every_algorithm_has_oracles_and_a_bound():
    assert set(ORACLES) == set(ITERATIONS) == set(ALGORITHMS)
    assert all(len(oracles) >= 2 for oracles in ORACLES.values())


@pytest.mark.parametrize("name", ALGORITHMS)
def test_oracles_together_answer_every_output(name):
    H = Hypergraph.from_hyperedges([[1, 2], [2, 3], [1, 3]])
    answers = [oracle(H, **inputs_of(name, H)[0]) for oracle in ORACLES[name].values()]
    assert set().union(*answers) == {output.name for output in ALGORITHMS[name].program.outputs}


def test_sources_are_the_only_inputs():
    assert {ALGORITHMS[name].inputs for name in FROM_A_SOURCE} == {("source",)}


# -- agreement


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("H", [*EMPTY, *DEGENERATE], ids=lambda H: str([sorted(m) for m in Sets.of(H).members]))
def test_degenerate_hypergraphs(name, H):
    for inputs in inputs_of(name, H):
        assert disagreements(name, H, inputs) == []


@pytest.mark.parametrize("name", FROM_A_SOURCE)
@pytest.mark.parametrize("H", EMPTY)
def test_without_vertices_there_is_no_source(name, H):
    with pytest.raises(HyloopError, match="no vertex 1"):
        hyloop.run(name, H, source=1)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_share_of_the_random_sweep(name):
    draw = random.Random(name)
    for H in islice(hypergraphs(2024, vertices=8, hyperedges=7), SHARE):
        inputs = draw.choice(inputs_of(name, H))
        assert disagreements(name, H, inputs) == [], (Sets.of(H), inputs)


@pytest.mark.parametrize("name", ALGORITHMS)
@examples(12)
@given(st.data())
def test_any_hypergraph_with_any_labels(name, data):
    H = data.draw(plain())
    for inputs in inputs_of(name, H)[:3]:
        assert disagreements(name, H, inputs) == []


# -- what the oracles rest on


def test_motif_codes_separate_the_26_classes_and_what_is_none():
    three = list(product((0, 1), repeat=3))
    assert len(CLASSES) == len(NUMBER_OF_CODE) == 26
    for pattern in product((0, 1), three, three):
        assert NUMBER_OF_CODE.get(code(pattern)) == NUMBER_OF_PATTERN.get(pattern)


def test_an_oracle_that_cannot_judge_says_so():
    H = Hypergraph.from_hyperedges([[1]] * 13)
    with pytest.raises(UnsuitedError, match="13 hyperedges"):
        ORACLES["helly"]["sets, all families"](H)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_wrong_output_does_not_pass(name):
    H = Hypergraph.from_hyperedges([[1, 2], [2, 3], [1, 3]])
    inputs = inputs_of(name, H)[0]
    right = hyloop.run(name, H, **inputs)
    assert list(differences(right, inputs)) == []
    for side in ("vertices", "scalars", "streams"):
        for output in getattr(right, side):
            wrong = replace(right, **{side: {**getattr(right, side), output: ("wrong",) * 3}})
            assert any(said.startswith(f"{output}:") for said in differences(wrong, inputs))
    late = replace(right, iterations=right.iterations + 100)
    assert [said.split(":")[0] for said in differences(late, inputs)] == ["iterations"]


# -- renumbering


def renumbered(H, draw):
    """The same hypergraph with its records in another order."""
    vertices, hyperedges = list(H.vertices), list(H.hyperedges)
    draw.shuffle(vertices)
    draw.shuffle(hyperedges)
    members = {edge: draw.sample(H.members_of(edge), len(H.members_of(edge))) for edge in hyperedges}
    return Hypergraph.from_hyperedges(members, [H.weight_of(edge) for edge in hyperedges], vertices)


def partition(component):
    return {frozenset(v for v in component if component[v] == root) for root in component.values()}


# What of the result of each algorithm does not depend on the numbering, by label.
TIE_FREE = {
    "degradation": lambda result: result["distance"],
    "dijkstra": lambda result: result["distance"],
    "bfs": lambda result: result["level"],
    "levels": lambda result: result["level"],
    "dfs": lambda result: {v for v, order in result["order"].items() if order is not None},
    "components": lambda result: partition(result["component"]),
    "helly": lambda result: result["helly"],
    "projection": lambda result: dict(shaped(result["overlap"])),
    "motifs": lambda result: result["counts"],
    "all_pairs": lambda result: dict(shaped(result["distance"])),
    "closeness": lambda result: (result["farness"], result["connected"]),
    "diameter": lambda result: result["diameter"],
}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_renumbering_permutes_what_is_free_of_ties(name):
    draw = random.Random(name)
    for H in islice(hypergraphs(7), 20, 80):
        inputs = draw.choice(inputs_of(name, H))
        other = renumbered(H, draw)
        assert TIE_FREE[name](hyloop.run(name, H, **inputs)) == TIE_FREE[name](hyloop.run(name, other, **inputs))


def test_scaling_all_weights_scales_the_distances():
    for H in islice(hypergraphs(8), 60):
        scaled = Hypergraph.from_hyperedges(
            {edge: H.members_of(edge) for edge in H.hyperedges}, [w * Fraction(7, 3) for w in H.weights], H.vertices
        )
        one, other = (hyloop.run("dijkstra", each, source=1) for each in (H, scaled))
        assert [d and d * Fraction(7, 3) for d in one["distance"].values()] == list(other["distance"].values())
        assert (one["predecessor"], one["hyperedge"]) == (other["predecessor"], other["hyperedge"])


# -- paths


@pytest.mark.parametrize(("name", "output"), [("dijkstra", "distance"), ("bfs", "level")])
@examples(20)
@given(plain(), st.data())
def test_paths_add_up(name, output, H, data):
    if not H.vertices:
        return
    source = data.draw(st.sampled_from(H.vertices))
    result = hyloop.run(name, H, source=source)
    for vertex, length in result[output].items():
        path = result.path(vertex)
        assert (path is None) == (length is None)
        if path is not None:
            assert path.vertices[0] == source
            assert path.vertices[-1] == vertex
            assert len(set(path.vertices)) == len(path.vertices) == len(path.hyperedges) + 1
            for pair, hyperedge in zip(pairwise(path.vertices), path.hyperedges, strict=True):
                assert set(pair) <= set(H.members_of(hyperedge))
            cost = H.weight_of if name == "dijkstra" else lambda _: 1
            assert sum(map(cost, path.hyperedges)) == length


def test_path_of_dfs_goes_from_parent_to_child():
    H = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"], ["a", "d"]])
    assert hyloop.run("dfs", H, source="a").path("c").vertices == ("a", "b", "c")


def test_no_path_without_predecessors_or_to_an_unknown_vertex():
    H = Hypergraph.from_hyperedges([["a", "b"]])
    with pytest.raises(HyloopError, match="levels gives no predecessors"):
        hyloop.run("levels", H, source="a").path("b")
    with pytest.raises(HyloopError, match="no vertex 'x'"):
        hyloop.run("dijkstra", H, source="a").path("x")


# -- known answers


def test_a_triangle_is_not_helly_and_a_star_is():
    triangle = hyloop.run("helly", Hypergraph.from_hyperedges([["a", "b"], ["b", "c"], ["a", "c"]]))
    assert (triangle["helly"], triangle["witness"]) == (False, ("a", "b", "c"))
    star = hyloop.run("helly", Hypergraph.from_hyperedges([["a", "b"], ["a", "c"], ["a", "d"]]))
    assert (star["helly"], star["witness"]) == (True, None)


def test_empty_hyperedges_do_not_count_against_helly():
    assert hyloop.run("helly", Hypergraph.from_hyperedges([[], [1, 2], []]))["helly"] is True


def test_each_motif_is_counted_where_it_alone_occurs():
    for number, alike in enumerate(CLASSES):
        counts = hyloop.run("motifs", Hypergraph.from_hyperedges(map(sorted, drawn(alike[0]))))["counts"]
        assert counts == tuple(int(place == number) for place in range(26))


def test_weights_beyond_64_bits_are_exact():
    weights = [2**63 - 1, 2**63 + 1, 2**64 - 1, 2**64 + 3, Fraction(10**40, 3)]
    H = Hypergraph.from_hyperedges([[1, 2], [2, 3], [3, 4], [1, 4], [4, 5, 6]], weights)
    for name in ALGORITHMS:
        for inputs in inputs_of(name, H):
            assert disagreements(name, H, inputs) == []


# -- iterations by hand


@pytest.mark.parametrize(
    ("name", "iterations"),
    [("degradation", 4), ("dijkstra", 5), ("bfs", 5), ("levels", 4), ("dfs", 6), ("projection", 6), ("motifs", 8)],
)
def test_iterations_on_a_known_hypergraph(name, iterations):
    """Degree 2, 3 hyperedges in the source's component of 4 vertices, eccentricity 2; 4 hyperedges in all."""
    H = Hypergraph.from_hyperedges([["a", "b"], ["a", "c"], ["c", "d"], ["x", "y"]])
    inputs = {"source": "a"} if name in FROM_A_SOURCE else {}
    assert hyloop.run(name, H, **inputs).iterations == iterations


def test_helly_iterations_grow_with_triangles_not_with_all_triples():
    path = Hypergraph.from_hyperedges(list(pairwise(range(40))))
    assert nx.number_of_edges(Sets.of(path).degraded()) == 39
    assert hyloop.run("helly", path).iterations <= 39 + 40 + 2 < math.comb(40, 3)


def test_most_iterations_are_declared_for_the_worst_case():
    """One hyperedge with all vertices: every three form a triangle, and every pair is adjacent."""
    H = Hypergraph.from_hyperedges([list(range(7))])
    program = ALGORITHMS["helly"].program
    assert hyloop.run("helly", H).iterations == program.most_iterations(7, 1)
    assert program.most_iterations(7, 1) == sum(1 for k in (1, 2, 3) for _ in combinations(range(7), k)) + 1
