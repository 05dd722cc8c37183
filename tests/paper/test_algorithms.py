"""The algorithms of the paper in the transformer: one table of algorithms × hypergraphs, then many random ones."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import TIMES, examples
from hyloop.errors import CapacityError, HyloopError, ModelError
from hyloop.machine.layout import STANDARD, Column, Layout
from hyloop.machine.positions import Parabola
from hyloop.paper.algorithms import ALGORITHMS, FinalState
from hyloop.paper.oracles import ORACLES
from hyloop.paper.run import ProblemInstance, model_of, run
from hyloop.paper.steps import setting
from hyloop.paper.sweep import compare, sweep
from hyloop.samples import DEGENERATE
from paper.cases import SETTINGS, all_algorithms, all_settings, hypergraph, hypergraphs, task

# Worked by hand. What Helly says holds for both of its forms.
TABLE = {
    "a_line_and_an_isolated_vertex": (
        hypergraph([[1, 2], [2, 3], [3, 4]], [2, 3, 1], vertices=5),
        0,
        {
            "minimum": {"hyperedge": 2, "weight": 1},
            "degradation": {"distance": [0, 2, None, None, None]},
            "dijkstra": {"distance": [0, 2, 5, 6, None], "predecessor": [None, 0, 1, 2, None]},
            "bfs": {"level": [0, 1, 2, 3, None], "predecessor": [None, 0, 1, 2, None]},
            "dfs": {"order": [1, 2, 3, 4, None], "predecessor": [None, 0, 1, 2, None]},
            "helly": {"helly": True, "witness": None},
        },
    ),
    "a_triangle_with_a_detour": (
        hypergraph([[1, 2], [2, 3], [1, 3]], [1, 1, 3]),
        0,
        {
            "minimum": {"hyperedge": 0, "weight": 1},
            "degradation": {"distance": [0, 1, 3]},
            "dijkstra": {"distance": [0, 1, 2], "predecessor": [None, 0, 1]},
            "bfs": {"level": [0, 1, 1], "predecessor": [None, 0, 0]},
            "dfs": {"order": [1, 2, 3], "predecessor": [None, 0, 1]},
            "helly": {"helly": False, "witness": [0, 1, 2]},
        },
    ),
    "rational_weights": (
        hypergraph([[1, 2, 3], [3, 4]], [Fraction(1, 2), Fraction(1, 3)]),
        3,
        {
            "minimum": {"hyperedge": 1, "weight": Fraction(1, 3)},
            "degradation": {"distance": [None, None, Fraction(1, 3), 0]},
            "dijkstra": {
                "distance": [Fraction(5, 6), Fraction(5, 6), Fraction(1, 3), 0],
                "predecessor": [2, 2, 3, None],
            },
            "bfs": {"level": [2, 2, 1, 0], "predecessor": [2, 2, 3, None]},
            "dfs": {"order": [3, 4, 2, 1], "predecessor": [2, 0, 3, None]},
            "helly": {"helly": True, "witness": None},
        },
    ),
    "all_triples_of_four": (
        hypergraph([[1, 2, 3], [1, 2, 4], [1, 3, 4], [2, 3, 4]]),
        1,
        {
            "minimum": {"hyperedge": 0, "weight": 1},
            "degradation": {"distance": [1, 0, 1, 1]},
            "dijkstra": {"distance": [1, 0, 1, 1], "predecessor": [1, None, 1, 1]},
            "bfs": {"level": [1, 0, 1, 1], "predecessor": [1, None, 1, 1]},
            "dfs": {"order": [2, 1, 3, 4], "predecessor": [1, None, 0, 2]},
            "helly": {"helly": False, "witness": [0, 1, 2]},
        },
    ),
    "a_triangle_that_is_not_the_first_triple": (
        hypergraph([[2, 4], [4, 5], [2, 5], [1, 3]], [1, 2, 3, 4], vertices=5),
        4,
        {
            "minimum": {"hyperedge": 0, "weight": 1},
            "degradation": {"distance": [None, 3, None, 2, 0]},
            "dijkstra": {"distance": [None, 3, None, 2, 0], "predecessor": [None, 4, None, 4, None]},
            "bfs": {"level": [None, 1, None, 1, 0], "predecessor": [None, 4, None, 4, None]},
            "dfs": {"order": [None, 2, None, 3, 1], "predecessor": [None, 4, None, 1, None]},
            "helly": {"helly": False, "witness": [1, 3, 4]},
        },
    ),
    "one_vertex_and_nothing_else": (
        hypergraph([], vertices=1),
        0,
        {
            "minimum": {"hyperedge": None, "weight": None},
            "degradation": {"distance": [0]},
            "dijkstra": {"distance": [0], "predecessor": [None]},
            "bfs": {"level": [0], "predecessor": [None]},
            "dfs": {"order": [1], "predecessor": [None]},
            "helly": {"helly": True, "witness": None},
        },
    ),
    "empty_and_repeated_hyperedges": (
        hypergraph([[], [1, 2], [1, 2]], [1, 7, 5], vertices=2),
        1,
        {
            "minimum": {"hyperedge": 0, "weight": 1},
            "degradation": {"distance": [5, 0]},
            "dijkstra": {"distance": [5, 0], "predecessor": [1, None]},
            "bfs": {"level": [1, 0], "predecessor": [1, None]},
            "dfs": {"order": [2, 1], "predecessor": [1, None]},
            "helly": {"helly": True, "witness": None},
        },
    ),
}
CASES = [
    pytest.param(name, h, source, answers[name.removesuffix("-lemmas")], id=f"{name}-{label}")
    for label, (h, source, answers) in TABLE.items()
    for name in ALGORITHMS
]


class TestByHand:
    @pytest.mark.parametrize(("name", "h", "source", "answer"), CASES)
    def test_the_transformer_gives_the_answer_with_every_code_and_precision(self, name, h, source, answer):
        for given_setting in SETTINGS.values():
            (ended,) = run(name, [task(name, h, source)], given_setting)
            assert ended.outputs == answer

    @pytest.mark.parametrize(("name", "h", "source", "answer"), CASES)
    def test_so_does_the_oracle(self, name, h, source, answer):
        assert ORACLES[name](h, **task(name, h, source).inputs) == answer

    @pytest.mark.parametrize("name", ["minimum", "helly", "helly-lemmas"])
    @pytest.mark.parametrize("hyperedges", [0, 1, 3])
    def test_no_vertices_at_all(self, name, hyperedges):
        h = hypergraph([[]] * hyperedges)
        (ended,) = run(name, [task(name, h)], setting())
        assert ended.outputs == ORACLES[name](h)


@all_settings
@all_algorithms
def test_a_share_of_the_sweep_shows_no_mismatch(name, given_setting):
    swept = sweep(name, 60 * TIMES, given_setting, seed=7)
    assert swept.inputs == 60 * TIMES
    assert swept.mismatches == ()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("code", ["parabola", "circle"])
@all_algorithms
def test_a_capacity_no_larger_than_the_input_suffices(name, code, dtype):
    """On the circle, pointers that run on through both loops go around once."""
    assert sweep(name, 40 * TIMES, setting(rows=6, weight=90, code=code, dtype=dtype), seed=3).mismatches == ()


@all_algorithms
@examples(15)
@given(h=hypergraphs(), data=st.data())
def test_every_hypergraph_gets_the_answer_of_the_oracle(name, h, data):
    source = data.draw(st.integers(0, len(h.vertices) - 1))
    one = task(name, h, source)
    assert compare(name, [one], run(name, [one], SETTINGS["parabola-float64"])) == []


def test_larger_hypergraphs_too():
    rng = np.random.default_rng(11)
    for name in ("dijkstra", "bfs", "dfs"):
        tasks = [
            task(
                name,
                hypergraph(
                    [[v for v in range(1, 13) if rng.random() < 0.25] for _ in range(9)],
                    [int(w) for w in rng.integers(1, 99, 9)],
                    vertices=12,
                ),
                int(rng.integers(12)),
            )
            for _ in range(3)
        ]
        assert compare(name, tasks, run(name, tasks, SETTINGS["parabola-float32"])) == []


class TestSize:
    """The bounds of the issue, and of the architecture."""

    @pytest.mark.parametrize(
        ("name", "layers", "heads"),
        [
            ("minimum", 7, 3),
            ("degradation", 12, 3),
            ("dijkstra", 25, 3),
            ("bfs", 25, 3),
            ("dfs", 25, 3),
            ("helly", 16, 3),
            ("helly-lemmas", 19, 3),
        ],
    )
    @all_settings
    def test_layers_and_heads_stay_within_the_bounds(self, name, layers, heads, given_setting):
        model = model_of(name, given_setting)
        assert len(model.layers) <= layers
        assert max(len(layer.heads) for layer in model.layers) <= heads

    @all_algorithms
    def test_no_hidden_layer_is_wider_than_the_state(self, name):
        model = model_of(name, SETTINGS["parabola-float64"])
        assert max(layer.mlp.width for layer in model.layers) <= len(model.layout)

    @all_algorithms
    def test_every_layer_and_head_says_what_it_is_for(self, name):
        for layer in model_of(name, SETTINGS["parabola-float64"]).layers:
            assert all(layer.notes)

    def test_only_helly_with_the_product_multiplies_a_column_by_the_incidence(self):
        """The other form keeps to the ten lemmas: it brings columns of the incidence, never sums of them."""

        def products(name):
            return [what for layer in model_of(name, setting()).layers for what in layer.notes if "Ã F" in what]

        assert products("helly")
        assert not products("helly-lemmas")


def rounds(h):
    return len(h.vertices) * (len(h.vertices) + max(len(h.hyperedges), 1) - 1)


def triples(h):
    """Up to the witness where there is one."""
    witness = ORACLES["helly"](h)["witness"]
    every = list(combinations(range(len(h.vertices)), 3))
    return every.index(tuple(witness)) + 1 if witness else max(len(every), 1)


ITERATIONS = {
    "minimum": lambda h: max(len(h.hyperedges), 1),
    "degradation": lambda h: max(len(h.hyperedges), 1),
    "dijkstra": rounds,
    "bfs": rounds,
    "dfs": rounds,
    "helly": triples,
    "helly-lemmas": lambda h: triples(h) * max(len(h.hyperedges), 1),
}


@all_settings
@all_algorithms
def test_it_runs_exactly_as_many_iterations_as_the_formula_says(name, given_setting):
    tasks = [task(name, h) for h in (*DEGENERATE, *(h for h, _, _ in TABLE.values()))]
    ended = run(name, tasks, given_setting)
    assert [each.iterations for each in ended] == [ITERATIONS[name](one.hypergraph) for one in tasks]


def test_the_formula_for_helly_counts_the_triples():
    assert ALGORITHMS["helly"].iterations(9, 4) == math.comb(9, 3)


@all_algorithms
def test_one_model_runs_one_vertex_and_many_unchanged(name):
    """Its weights are those that were built, before and after, whatever it ran."""
    given_setting = SETTINGS["parabola-float64"]
    model = model_of(name, given_setting)
    weights = [
        weight for layer in model.layers for head in layer.heads for weight in (head.query, head.key, head.value)
    ]
    weights += [weight for layer in model.layers for weight in layer.mlp.weights]
    before = [weight.copy() for weight in weights]
    small, large = (
        hypergraph([[1]], vertices=1),
        hypergraph([[1, 2, 3], [3, 4, 5], [5, 6, 7, 8]], [4, 5, 6], vertices=9),
    )
    alone = [run(name, [task(name, h)], given_setting)[0] for h in (small, large, small)]
    together = run(name, [task(name, h) for h in (small, large, small)], given_setting)
    assert alone == together
    assert compare(name, [task(name, h) for h in (small, large, small)], alone) == []
    assert model_of(name, given_setting) is model
    assert all(np.array_equal(*pair) for pair in zip(weights, before, strict=True))


class TestSetting:
    def test_what_does_not_fit_the_precision_is_refused_with_both_figures(self):
        with pytest.raises(CapacityError, match=r"1,000 rows with weights up to 5 need .* exact up to 16,777,216"):
            setting(rows=1000, weight=5, dtype="float32")

    @pytest.mark.parametrize(("rows", "weight"), [(0, None), (0, 1), (-1, 5), (5, 0)])
    def test_a_capacity_for_nothing_is_refused(self, rows, weight):
        with pytest.raises(CapacityError, match=f"at least 1 row and weight 1; given {rows}"):
            setting(rows=rows, weight=weight)

    @pytest.mark.parametrize(("rows", "dtype"), [(200_000, "float64"), (300, "float32")])
    def test_a_circle_whose_neighbours_would_tie_within_the_tolerance_is_refused(self, rows, dtype):
        with pytest.raises(CapacityError, match="too little for the tie tolerance"):
            setting(rows=rows, weight=1, code="circle", dtype=dtype)

    @pytest.mark.parametrize("dtype", ["float64", "float32"])
    @pytest.mark.parametrize("rows", [1, 6, 100])
    def test_the_default_weight_is_the_largest_that_fits(self, rows, dtype):
        most = setting(rows=rows, dtype=dtype).capacity.weight
        with pytest.raises(CapacityError):
            setting(rows=rows, weight=most + 1, dtype=dtype)

    def test_an_input_beyond_the_capacity_is_refused_with_both_figures(self):
        line = hypergraph([[1, 2], [2, 3]], [1, 50])
        with pytest.raises(CapacityError, match="3 vertices and 2 hyperedges; this model holds at most 2"):
            run("dijkstra", [task("dijkstra", line)], setting(rows=2, weight=90))
        with pytest.raises(CapacityError, match="weighs 50 in integer units; this model holds at most 49"):
            run("dijkstra", [task("dijkstra", line)], setting(rows=3, weight=49))

    def test_a_run_without_its_source_names_it(self):
        with pytest.raises(ModelError, match="The input 'source' is missing"):
            run("dijkstra", [ProblemInstance(hypergraph([[1, 2]]), {})], setting())

    @pytest.mark.parametrize("source", [-1, 2, 50])
    def test_a_source_that_is_no_vertex_is_refused(self, source):
        with pytest.raises(HyloopError, match="source"):
            run("dijkstra", [ProblemInstance(hypergraph([[1, 2], [1], [2], [1]]), {"source": source})], setting())

    def test_nothing_to_run_is_nothing(self):
        assert run("dijkstra", [], setting()) == []


# -- the final state is read as it is: what is no integer is not rounded to one ---------------------------------------


def answer_with(value):
    """An answer whose columns hold a value on every row."""
    layout = Layout((*STANDARD, Column("keys", "uniform"), Column("halt", "uniform")), Parabola(), "halt")
    return FinalState(layout, np.full((3, len(layout)), value), 2, Fraction(1, 2), 1000)


def test_integers():
    answer = answer_with(6.0)
    assert (answer.scalar("keys"), answer.array("keys")) == (6, [6, 6])
    assert answer.length(answer.scalar("keys")) == 3
    assert answer.length(answer_with(1000.0).scalar("keys")) is None


@pytest.mark.parametrize("value", [6.5, 6.0000001, np.inf, -np.inf])
def test_what_is_no_integer_stays_what_it_is(value):
    answer = answer_with(value)
    assert answer.scalar("keys") == value
    assert answer.length(answer.array("keys")[0]) == value  # and so differs from what any oracle says
