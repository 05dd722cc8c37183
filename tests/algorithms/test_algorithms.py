"""Every algorithm against its oracles: algorithms × oracles, on degenerate, random and real hypergraphs."""

import math
import random
import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice, pairwise, product
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyloop
from algorithm_inputs import inputs_of
from effort import examples, sample
from hyloop import HyloopError, Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.algorithms.in_short import IN_SHORT
from hyloop.algorithms.meanings import MEANINGS
from hyloop.lang.matrices import uses_direction
from hyloop.samples import DEGENERATE, hypergraphs
from hypergraph_strategies import plain
from oracles import ITERATIONS, ORACLES, Sets, UnsuitedError, differences, disagreements, shaped
from oracles.overlaps import CLASSES, NUMBER_OF_CODE, NUMBER_OF_PATTERN, code, drawn

pytestmark = pytest.mark.usefixtures("interpreted")

EXAMPLES = Path(__file__).parents[2] / "examples"
SHARE = 200  # of the random sweep; `benchmarks/sweep_algorithms.py` runs all of it

EMPTY = tuple(Hypergraph.from_hyperedges(edges) for edges in ([], [[]], [[], []]))
FROM_A_SOURCE = [name for name, algorithm in ALGORITHMS.items() if algorithm.inputs == ("source",)]
DIRECTED = [name for name, algorithm in ALGORITHMS.items() if uses_direction(algorithm.program)]


def some(name, count):
    """How many random hypergraphs: in `make test`, a quarter of them for all but the first nine algorithms.

    Few where a round takes dozens of iterations: the interpreter does 500 a second.
    """
    return (count if name in sample(ALGORITHMS) else count // 4) // (12 if name == "pagerank" else 1)


# -- the table itself


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_has_oracles_and_a_bound(name):
    assert len(ORACLES.get(name, ())) >= 2, "tests/oracles/__init__.py: two oracles"
    assert name in ITERATIONS, "tests/oracles/iterations.py: its bound"
    assert name in TIE_FREE, "TIE_FREE, below: what does not depend on the numbering"


def test_every_algorithm_is_described_in_short():
    assert list(IN_SHORT) == list(ALGORITHMS), "src/hyloop/algorithms/in_short.py: the same, in the same order"
    assert len(set(IN_SHORT.values())) == len(IN_SHORT)


@pytest.mark.parametrize("name", MEANINGS)
def test_what_outputs_mean_is_said_of_outputs_that_there_are(name):
    program = ALGORITHMS[name].program
    known = {each.name for each in (*program.outputs, *program.inputs)}
    assert set(re.findall("`(.*?)`", MEANINGS[name])) <= known | {"k"}
    assert [each for each in ALGORITHMS if each in MEANINGS] == list(MEANINGS)


LONGER = {"helly": 43, "motifs": 62}  # lines; the others have 40 at most, as the page says
WIDER = {"motifs": 95}  # columns; the others have 60 at most


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_is_short_and_its_model_small(name):
    """By the page, whose figures are compared with the models' (tests/docs)."""
    source = Path(ALGORITHMS[name].function.__code__.co_filename).read_text(encoding="utf-8")
    page = (EXAMPLES.parent / "docs" / "how-it-works.md").read_text(encoding="utf-8")
    [row] = [line for line in page.splitlines() if line.startswith(f"| {name} |") and line.count("|") == 10]
    _, _, _, _, compiled, _, columns, *_ = map(str.strip, row.split("|"))
    assert len(source.splitlines()) <= LONGER.get(name, 40)
    assert int(columns) <= WIDER.get(name, 60)
    assert int(compiled.partition(" ")[0]) <= 6


def test_the_tables_have_nothing_else():
    assert set(ORACLES) == set(ITERATIONS) == set(TIE_FREE) == set(ALGORITHMS)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_oracles_together_answer_every_output(name):
    H = Hypergraph.from_hyperedges([[1, 2], [2, 3], [1, 3]])
    answers = [oracle(H, **inputs_of(name, H)[0]) for oracle in ORACLES[name].values()]
    assert set().union(*answers) == {output.name for output in ALGORITHMS[name].program.outputs}


def test_what_the_algorithms_take():
    taken = {name: algorithm.inputs for name, algorithm in ALGORITHMS.items() if algorithm.inputs}
    others = {
        "k_core": ("k",),
        "s_distance": ("source", "s"),
        "label_propagation": ("rounds",),
        "pagerank": ("rounds",),
        "subleq": ("positive", "negative", "budget"),
    }
    assert taken == dict.fromkeys(FROM_A_SOURCE, ("source",)) | others


def test_subleq_looks_at_the_instruction_after_the_budget_but_does_not_carry_it_out():
    """docs/algorithms.md, Steps: `halted` then says whether that one halts; `overflow` is not true."""
    H = Hypergraph.from_hyperedges([], vertices=[*"abcde"])

    def ended(cells, budget):
        result = hyloop.run("subleq", H, positive=cells, negative=[0] * 5, budget=budget)
        return result["steps"], result["halted"], result["overflow"]

    halts, overflows = [9, 0, 0, 0, 0], [3, 4, 0, 10**9, 0]
    assert [ended(halts, budget) for budget in (0, 1)] == [(0, True, False)] * 2
    assert ended(overflows, 0) == (0, False, False)
    assert ended([3, 4, 9, 1, 0], 1) == (1, True, False)


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
    for H in islice(hypergraphs(2024, vertices=8, hyperedges=7), some(name, SHARE)):
        for inputs in draw.sample(every := inputs_of(name, H), min(1, len(every))):
            assert disagreements(name, H, inputs) == [], (Sets.of(H), inputs)


@pytest.mark.parametrize("name", sample(ALGORITHMS))
@examples(12)
@given(st.data())
def test_any_hypergraph_with_any_labels(name, data):
    H = data.draw(plain())
    for inputs in inputs_of(name, H)[:3]:
        assert disagreements(name, H, inputs) == []


@pytest.mark.parametrize("name", DIRECTED)
def test_share_of_the_random_sweep_with_directions(name):
    draw = random.Random(name)
    for H in islice(hypergraphs(2025, vertices=8, hyperedges=9, directed=True), some(name, SHARE)):
        for inputs in draw.sample(inputs_of(name, H), min(2, len(inputs_of(name, H)))):
            assert disagreements(name, H, inputs) == [], (Sets.of(H), inputs)


@pytest.mark.parametrize("name", sorted(ALGORITHMS.keys() - set(DIRECTED)))
def test_the_others_refuse_directions(name):
    H = Hypergraph.from_arcs([([1], [2])])
    inputs = inputs_of(name, H)[0]
    with pytest.raises(HyloopError, match="reads hyperedges as sets of vertices"):
        hyloop.run(name, H, **inputs)
    assert hyloop.run(name, H, ignore_direction=True, **inputs).halted


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
    weights = [H.weight_of(edge) for edge in hyperedges]
    return Hypergraph.from_hyperedges(members, weights, vertices, annotations=H.annotations)


def partition(component):
    return {frozenset(v for v in component if component[v] == root) for root in component.values()}


def chosen(result):
    return {label for label, taken in result["chosen"].items() if taken}


def together(H, v):
    """All that a vertex shares a hyperedge with, itself included."""
    return {v}.union(*(H.members_of(edge) for edge in H.hyperedges_of(v)))


def independent(result):
    """No two share a hyperedge, and nobody can be added."""
    H, found = result.hypergraph, chosen(result)
    assert all(together(H, v) & found == {v} for v in found)
    assert all(together(H, v) & found for v in H.vertices)


def proper(result):
    H, colour = result.hypergraph, result["colour"]
    assert all(colour[u] != colour[v] for v in H.vertices for u in together(H, v) - {v})
    assert {*colour.values()} == {*range(1, result["colours"] + 1)}


def covering(result):
    H = result.hypergraph
    assert set().union(*map(H.members_of, chosen(result))) == {v for v in H.vertices if H.hyperedges_of(v)}


def hitting(result):
    """Every hyperedge is met, and without any of the vertices one is not."""
    H, found = result.hypergraph, chosen(result)
    edges = [set(H.members_of(edge)) for edge in H.hyperedges if H.members_of(edge)]
    assert all(edge & found for edge in edges)
    assert not any(all(edge & (found - {v}) for edge in edges) for v in found)


def alone(result):
    """The labels of the vertices that have no neighbours."""
    return {v: label for v, label in result["label"].items() if together(result.hypergraph, v) == {v}}


def signed(result):
    """A cell is positive, negative or 0."""
    assert all(
        not (up and down) for up, down in zip(result["positive"].values(), result["negative"].values(), strict=True)
    )


def ordered(result):
    """Tails before heads; what has no place is on a cycle or behind one, and so is the cycle that is shown."""
    arcs, place = Sets.of(result.hypergraph).arcs(), [*result["order"].values()]
    before = {v: u for v, u in result["before"].items() if u is not None}
    assert all(place[v] is None or (place[u] is not None and place[u] < place[v]) for u, v in arcs.edges)
    assert bool(before) is not result["acyclic"]
    assert set(before) == set(before.values())
    numbers = {label: number for number, label in enumerate(result.hypergraph.vertices)}
    assert all(arcs.has_edge(numbers[u], numbers[v]) for v, u in before.items())
    return {v for v, number in result["order"].items() if number is None}


# What of the result of each algorithm does not depend on the numbering, by label. Some only have properties.
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
    "core_numbers": lambda result: result["core"],
    "k_core": lambda result: (result["core"], result["kept"]),
    "independent_set": independent,
    "colouring": proper,
    "set_cover": covering,
    "transversal": hitting,
    "spanning_tree": lambda result: result["weight"],
    "s_distance": lambda result: result["distance"],
    "bipartite": lambda result: result["bipartite"],
    "acyclic": lambda result: (result["acyclic"], sum(result["kept"].values())),
    "triangles": lambda result: (result["triangles"], result["count"]),
    "matching": lambda result: result["size"],
    "label_propagation": alone,
    "reachable": lambda result: (result["reached"], result["steps"]),
    "forward_chaining": lambda result: (result["derived"], result["round"]),
    "scc": lambda result: partition(result["component"]),
    "topological": ordered,
    "b_distance": lambda result: (result["distance"], result["beyond"]),
    "path_counts": lambda result: (result["paths"], result["beyond"], result["steps"]),
    "pagerank": lambda result: result["rank"],
    "weighted_set_cover": covering,
    "all_pairs": lambda result: dict(shaped(result["distance"])),
    "closeness": lambda result: (result["closeness"], result["farness"], result["connected"]),
    "diameter": lambda result: result["diameter"],
    "subleq": signed,
}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_renumbering_permutes_what_is_free_of_ties(name):
    draw = random.Random(name)
    for H in islice(hypergraphs(7, directed=name in DIRECTED), 20, 20 + some(name, 60)):
        inputs = draw.choice(inputs_of(name, H) or [None])
        if inputs is None:
            continue
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


# Methane burns; the water-gas shift lacks carbon monoxide.
RULES = Hypergraph.from_arcs(
    {
        "air": ([], ["O2"]),
        "well": ([], ["CH4"]),
        "burn": (["CH4", "O2"], ["CO2", "H2O"]),
        "shift": (["CO", "H2O"], ["CO2", "H2"]),
        "nothing": ([], []),
        "waste": (["CO2"], []),
        "rest": (["H2O"], ["H2O"]),
    }
)


def test_what_follows_from_facts():
    found = hyloop.run("forward_chaining", RULES)
    assert [v for v, derived in found["derived"].items() if derived] == ["O2", "CH4", "CO2", "H2O"]
    assert found["round"] == {"O2": 1, "CH4": 1, "CO2": 2, "H2O": 2, "CO": None, "H2": None}
    assert hyloop.run("forward_chaining", RULES, ignore_direction=True)["derived"]["CO2"] is False


def test_any_tail_is_enough_to_reach_and_all_are_needed_to_derive():
    H = Hypergraph.from_arcs({"fact": ([], ["a"]), "rule": (["a", "b"], ["c"])})
    assert hyloop.run("reachable", H, source="a")["reached"] == {"a": True, "b": False, "c": True}
    assert hyloop.run("forward_chaining", H)["derived"] == {"a": True, "b": False, "c": False}


def test_strong_components_of_a_ring_with_a_tail():
    H = Hypergraph.from_arcs([([3], [4]), ([4], [5]), ([5], [3, 9]), ([9], [1])], vertices=range(1, 10))
    found = hyloop.run("scc", H)["component"]
    assert found == {1: 1, 2: 2, 3: 3, 4: 3, 5: 3, 6: 6, 7: 7, 8: 8, 9: 9}


def test_without_directions_strong_components_are_components():
    for H in islice(hypergraphs(3), 40):
        assert hyloop.run("scc", H)["component"] == hyloop.run("components", H)["component"]


def test_the_citric_acid_cycle_is_a_cycle():
    found = hyloop.run("topological", hyloop.read(EXAMPLES / "citric_acid_cycle.hif.json"))
    assert found["acyclic"] is False
    before, way = found["before"], ["citrate"]
    while len(set(way)) == len(way):
        way.append(before[way[-1]])
    assert len(way) == 9
    assert way[:3] == ["citrate", "oxaloacetate", "malate"]
    assert way[-2:] == ["isocitrate", "citrate"]
    assert {v: place for v, place in found["order"].items() if place} == {"acetyl-CoA": 1, "NAD+": 2, "GDP": 3, "Q": 4}


def test_of_all_orders_the_first():
    H = Hypergraph.from_arcs([([5], [1, 2]), ([3, 1], [4]), ([], [5]), ([2], [])], vertices=range(1, 6))
    found = hyloop.run("topological", H)
    assert (found["acyclic"], found["order"]) == (True, {3: 1, 5: 2, 1: 3, 2: 4, 4: 5})
    assert {*found["before"].values()} == {None}


def test_a_cost_beyond_the_bound_is_no_number():
    """Each step pays for the two before it: 2ᵏ - 1 times the weight."""
    steps = {0: ([], ["a0", "b0"])} | {k: ([f"a{k - 1}", f"b{k - 1}"], [f"a{k}", f"b{k}"]) for k in range(1, 60)}
    H = Hypergraph.from_arcs(steps, weights=dict.fromkeys(steps, Fraction(1, 3)))
    found = hyloop.run("b_distance", H)
    costs = [Fraction(2 ** (k + 1) - 1, 3) for k in range(60)]
    assert [found["distance"][f"a{k}"] for k in range(60)] == [
        cost if cost < Fraction(200_000, 3) else None for cost in costs
    ]
    assert [k for k in range(60) if found["beyond"][f"b{k}"]] == [*range(17, 60)]
    assert found["hyperedge"] == {v: int(v[1:]) if int(v[1:]) < 17 else None for v in H.vertices}


def test_more_paths_than_the_bound_are_no_number():
    H = Hypergraph.from_arcs([([k], [k + 1]) for k in range(40) for _ in range(2)])
    found = hyloop.run("path_counts", H, source=0)
    assert [*found["paths"].values()] == [2**k if k < 30 else None for k in range(41)]
    assert [k for k, beyond in found["beyond"].items() if beyond] == [*range(30, 41)]
    assert [*found["steps"].values()] == [*range(41)]


def test_weights_of_a_cover_are_compared_exactly():
    """Floats cannot tell 10²⁰/3 from (10²⁰ + 1)/3."""
    H = Hypergraph.from_hyperedges([[1, 2, 3], [4, 5, 6], [1, 4]], weights=[10**20 + 1, 10**20, 10**20])
    assert hyloop.run("weighted_set_cover", H)["step"] == {1: 2, 2: 1, 3: None}
    cheap = Hypergraph.from_hyperedges([[1, 2, 3], [1], [2], [3]], weights=[4, 1, 1, 1])
    assert [*hyloop.run("weighted_set_cover", cheap)["chosen"].values()] == [False, True, True, True]


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


# -- names


def test_a_dash_in_a_name_is_an_underscore():
    H = Hypergraph.from_hyperedges([[1, 2], [2, 3], [1, 3], [3, 4]])
    assert hyloop.run("k-core", H, k=2)["core"] == {1: True, 2: True, 3: True, 4: False}
    with pytest.raises(HyloopError, match=r"There is no algorithm 'k-cor'.*Did you mean k_core\?"):
        hyloop.run("k-cor", H, k=2)


# -- answers by hand


def test_a_hyperedge_that_shrinks_to_one_vertex_counts_no_more():
    H = Hypergraph.from_hyperedges([["a", "b"], ["a", "b", "c"], ["a", "c"], ["c", "d"]])
    assert hyloop.run("core_numbers", H)["core"] == {"a": 2, "b": 2, "c": 2, "d": 1}


def test_a_triangle_is_cyclic_unless_a_hyperedge_fills_it():
    triangle = [["a", "b"], ["b", "c"], ["a", "c"]]
    assert hyloop.run("acyclic", Hypergraph.from_hyperedges(triangle))["acyclic"] is False
    filled = hyloop.run("acyclic", Hypergraph.from_hyperedges([*triangle, ["a", "b", "c"]]))
    assert filled["acyclic"] is True
    assert list(filled["parent"].values()) == [4, 4, 4, None]


def test_prim_takes_a_light_hyperedge_inside_a_heavy_one():
    H = Hypergraph.from_hyperedges({"heavy": ["a", "x", "y"], "light": ["x", "y"]}, weights={"heavy": 5, "light": 1})
    found = hyloop.run("spanning_tree", H)
    assert (found["weight"], found["hyperedge"]) == (6, {"a": None, "x": "heavy", "y": "light"})


@pytest.mark.parametrize(
    ("name", "output", "nothing"), [("b_distance", "distance", None), ("forward_chaining", "derived", False)]
)
def test_what_begins_with_facts_says_so_where_there_are_none(name, output, nothing):
    """Where every hyperedge has tails nothing is derived; the answer alone does not say why."""
    h = Hypergraph.from_hyperedges({"ferry": ["Quay", "Cove"]})
    assert set(hyloop.run(name, h)[output].values()) == {nothing}
    assert "hyperedges without tails" in MEANINGS[name]
