"""`compile`: how large models are, what fits into them, what is refused, and that builds are reproducible."""

import importlib
import os
import subprocess
import sys
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

import hyloop
from compiler.agreement import SMALL, assert_agrees, compiled
from effort import sample
from hyloop import Capacity, CapacityError, HyloopError, Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.lower import lower
from hyloop.compiler.schedule import least_for_any_schedule, least_layers
from hyloop.lang import Count, Flag, LanguageError, Length, Outputs, algorithm, any, at_most
from hyloop.machine.files import to_bytes
from hyloop.samples import hypergraphs

# layers, most heads a layer, most columns: what the issue asks for, or what is reached where that is better.
SIZES = {
    "degradation": (2, 3, 18),
    "dijkstra": (3, 3, 24),
    "bfs": (3, 3, 24),
    "levels": (2, 3, 18),
    "dfs": (3, 3, 19),
    "components": (2, 3, 18),
    "helly": (5, 3, 28),
    "projection": (2, 3, 19),
    "motifs": (3, 3, 95),
    "core_numbers": (4, 3, 14),
    "k_core": (3, 3, 13),
    "independent_set": (3, 3, 11),
    "colouring": (3, 3, 18),
    "set_cover": (3, 3, 14),
    "transversal": (4, 3, 14),
    "spanning_tree": (4, 3, 23),
    "s_distance": (3, 3, 19),
    "bipartite": (6, 3, 28),
    "acyclic": (6, 3, 16),
    "triangles": (4, 3, 20),
    "matching": (4, 3, 34),
    "label_propagation": (6, 3, 29),
    "reachable": (2, 3, 18),
    "forward_chaining": (2, 3, 16),
    "scc": (3, 3, 38),
    "topological": (5, 3, 26),
    "b_distance": (4, 3, 27),
    "path_counts": (4, 3, 19),
    "pagerank": (3, 3, 54),
    "weighted_set_cover": (5, 3, 31),
    "all_pairs": (4, 3, 48),
    "closeness": (4, 3, 55),
    "diameter": (4, 3, 59),
    "subleq": (5, 3, 39),
}
# What the chains of ReLUs between the attentions, or the number of heads, take besides.
MORE_LAYERS_THAN_ATTENTIONS = {
    "core_numbers": 1,
    "transversal": 1,
    "bipartite": 1,
    "acyclic": 1,
    "triangles": 1,
    "matching": 1,
    "label_propagation": 2,
    "topological": 1,
    "path_counts": 2,
    "pagerank": 2,
    "weighted_set_cover": 2,
    "all_pairs": 1,
    "closeness": 1,
    "diameter": 1,
    "subleq": 3,
}


def matrices(model):
    for layer in model.layers:
        for head in layer.heads:
            yield from (head.query, head.key, head.value)
        yield from layer.mlp.weights


# -- sizes ----------------------------------------------------------------------------------------------------------


def test_every_algorithm_has_a_size():
    assert set(SIZES) == set(ALGORITHMS)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_size(name):
    model, (layers, heads, columns) = compiled(name), SIZES[name]
    assert len(model.layers) == layers
    assert [len(layer.heads) for layer in model.layers if len(layer.heads) > heads] == []
    assert len(model.layout) <= columns
    assert [layer.mlp.width for layer in model.layers if layer.mlp.width > len(model.layout)] == []


@pytest.mark.parametrize("name", ALGORITHMS)
def test_no_schedule_has_fewer_layers(name):
    graph = lower(ALGORITHMS[name].program)
    more = MORE_LAYERS_THAN_ATTENTIONS.get(name, 0)
    assert least_layers(graph) + more == SIZES[name][0]
    assert 1 <= least_for_any_schedule(graph) <= least_layers(graph)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_all_weights_are_integers(name):
    for matrix in matrices(compiled(name)):
        assert np.array_equal(matrix, np.rint(matrix))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_default_capacity(name):
    model = compiled(name)
    # The sum of all distances is a length, and infinity is above all lengths.
    assert model.capacity.rows == (8_191 if name == "closeness" else 131_071)
    assert model.certificate.largest < 2**53


def test_the_largest_weight_is_the_largest():
    model = compiled("dijkstra")
    with pytest.raises(CapacityError, match="exact are those below"):
        hyloop.compile("dijkstra", Capacity(model.capacity.rows, model.capacity.weight + 1))


@pytest.mark.parametrize("name", ["dijkstra", "degradation"])
@pytest.mark.parametrize("digits", [20, 400, 5000])
def test_a_weight_that_no_float_holds_is_refused_with_a_sentence(name, digits):
    for dtype in ("float64", "float32"):
        with pytest.raises(CapacityError) as caught:
            hyloop.compile(name, Capacity(3, 10**digits), dtype=dtype)
        sentence = str(caught.value)
        assert "Lower the capacity" in sentence
        assert "too large for any model" in sentence
        assert len(sentence) < 600


def test_weights_of_any_size_are_told_to_go_to_the_interpreter():
    H = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[10**400, Fraction(1, 3)])
    with pytest.raises(CapacityError, match=r"about 10\^400 times the unit .*--backend interpreter"):
        hyloop.run("dijkstra", H, source="a")
    found = hyloop.run("dijkstra", H, source="a", backend="interpreter")
    assert found["distance"]["c"] == 10**400 + Fraction(1, 3)
    assert hyloop.run("bfs", H, source="a")["level"] == {"a": 0, "b": 1, "c": 2}  # which looks at no weights


# -- capacity -------------------------------------------------------------------------------------------------------


def test_more_rows_than_the_capacity():
    H = Hypergraph.from_hyperedges([[1, 2]], vertices=range(21))
    with pytest.raises(CapacityError, match=r"21 vertices and 1 hyperedges; this model holds at most 20"):
        hyloop.check(compiled("dijkstra", SMALL), H, source=1)


def test_a_heavier_weight_than_the_capacity():
    H = Hypergraph.from_hyperedges([[1, 2], [2, 3]], weights=[1, 101])
    with pytest.raises(CapacityError, match=r"weighs 101 in integer units; this model holds at most 100"):
        hyloop.check(compiled("dijkstra", SMALL), H, source=1)


@algorithm
def of_inputs(h, k: at_most(Count, 9), many: Count, limit: Length):
    """Inputs of every kind of number."""
    sums = h.hyperedges.state(Length, 0)
    counts = h.state(Count, 0)
    done = h.state(Flag, False)
    with h.loop(at_most=2) as loop:
        loop.stop_when(done)
        done.assign(True)
        sums.assign(h.weight + limit)
        counts.assign(k + many)
    return Outputs(sums=sums, counts=counts)


@pytest.mark.parametrize(
    ("inputs", "figures"),
    [
        ({"k": 0, "many": 21, "limit": 0}, ("21", "20")),
        ({"k": 0, "many": 10**30, "limit": 0}, ("20",)),
        ({"k": 0, "many": 0, "limit": 101}, ("101", "100")),
        ({"k": 0, "many": 0, "limit": 10**20}, ("100",)),
    ],
)
def test_an_input_past_the_capacity(inputs, figures):
    H = Hypergraph.from_hyperedges([[1, 2], [2, 3]], weights=[1, 7])
    model = hyloop.compile(of_inputs, SMALL)
    assert_agrees(model, H, {"k": 9, "many": 20, "limit": 100})
    with pytest.raises(CapacityError) as caught:
        hyloop.check(model, H, **inputs)
    assert [figure for figure in figures if figure not in str(caught.value)] == []


def doubling(h):
    x = h.state(Count, 1)
    with h.loop(at_most=h.vertices.count) as loop:
        loop.stop_when(x > 5)
        x.assign(x + x)
    return Outputs(x=x)


def faster_and_faster(h):
    x, y = h.state(Count, 1), h.state(Count, 1)
    with h.loop(at_most=h.vertices.count) as loop:
        loop.stop_when(x > 5)
        x.assign(x + y)
        y.assign(y + 1)
    return Outputs(x=x)


def along_the_incidence(h):
    x = h.vertices.state(Count, 1)
    with h.loop(at_most=h.vertices.count) as loop:
        loop.stop_when(any(x > 5))
        x.assign(h.incidence @ (h.incidence.T @ x))
    return Outputs(x=x)


@pytest.mark.parametrize("function", [doubling, faster_and_faster, along_the_incidence])
def test_what_fits_no_capacity_is_refused(function):
    program = algorithm(function).program
    with pytest.raises(LanguageError, match=r"x .*has no bound.*`smaller\(value, c\)`") as caught:
        hyloop.compile(program)
    assert caught.value.location.file == "test_compile.py"
    assert caught.value.location.text.strip().startswith("x.assign(")


def test_settings_that_there_are_not():
    with pytest.raises(HyloopError, match="There is no schedule"):
        hyloop.compile("levels", SMALL, schedule="at random")
    with pytest.raises(HyloopError, match="float64 or float32"):
        hyloop.compile("levels", SMALL, dtype="float16")
    with pytest.raises(HyloopError, match="0 heads"):
        hyloop.compile("levels", SMALL, heads=0)


# -- builds ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in sample(ALGORITHMS) if name != "motifs"])
def test_the_same_bytes_again(name):
    assert to_bytes(hyloop.compile(name, SMALL)) == to_bytes(hyloop.compile(name, SMALL))


def test_the_same_bytes_under_any_hash_seed():
    code = (
        "import hashlib, hyloop; from hyloop.machine.files import to_bytes; "
        "[print(hashlib.sha256(to_bytes(hyloop.compile(name))).hexdigest()) "
        "for name in ('dijkstra', 'helly', 'components', 'projection')]"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "77")
    }
    assert len(seen) == 1
    assert len(seen.pop().split()) == 4


# -- names ----------------------------------------------------------------------------------------------------------


@algorithm
def named_like_columns(h):
    halt, n_v, P_1 = h.state(Count, 0), h.state(Count, 0), h.state(Count, 0)
    started, vertices, weight = h.state(Flag, False), h.vertices.state(Flag, False), h.hyperedges.state(Length, 0)
    n_v.assign(h.vertices.count)
    with h.loop(at_most=3) as loop:
        halt.assign(halt + 1)
        P_1.assign(n_v)
        started.assign(True)
        vertices.assign(h.covered(h.hyperedges.every))
        weight.assign(h.weight)
        loop.stop_when(halt == 2)
    return Outputs(halt=halt, vertices=vertices, weight=weight, started=started, P_1=P_1)


@pytest.mark.parametrize("schedule", ["packed", "one operation per layer"])
def test_states_may_be_named_like_the_columns_of_the_machine(schedule):
    model = hyloop.compile(named_like_columns, Capacity(8, 300), schedule=schedule)
    graphs = (H for H in hypergraphs(48, vertices=5, hyperedges=5) if H.vertices and H.hyperedges)
    for H in islice(graphs, 12):
        assert_agrees(model, H, {}, 1)


@pytest.mark.parametrize(("weight", "heads"), [(2**53, 3), (10**400, 3), (1, 10**20)])
def test_what_a_file_does_not_hold_is_refused(weight, heads):
    with pytest.raises(HyloopError, match="below 9,007,199,254,740,992"):
        hyloop.compile("levels", Capacity(5, weight), heads=heads)
    largest = 2**53 - 1
    assert to_bytes(hyloop.compile("levels", Capacity(5, min(weight, largest)), heads=min(heads, largest)))


@pytest.mark.parametrize("rows", [10**60, 10**900])
def test_what_would_fit_is_looked_for_where_anything_can(rows, monkeypatch):
    tried = []
    compiling = importlib.import_module("hyloop.compiler.compile")
    fitted = compiling._fitted
    monkeypatch.setattr(compiling, "_fitted", lambda *given: (tried.append(given[1]), fitted(*given))[1])
    with pytest.raises(CapacityError, match="weights up to 1 fit with 47,453,132 rows"):
        hyloop.compile("dijkstra", Capacity(rows, 1))
    assert len(tried) < 8


def test_where_rows_to_look_up_do_not_depend_on_the_capacity_it_is_not_searched(monkeypatch):
    """Both numbers may be 3,000, so that 6,001 rows are looked up, whatever the capacity."""

    @algorithm
    def multiplied(h, a: at_most(Count, 3000), b: at_most(Count, 3000)):
        product = h.state(Count, 0)
        with h.loop(at_most=1) as loop:
            product.assign(a * b)
            loop.stop_when(True)
        return Outputs(product=product)

    tried = []
    compiling = importlib.import_module("hyloop.compiler.compile")
    fitted = compiling._fitted
    monkeypatch.setattr(compiling, "_fitted", lambda *given: (tried.append(given[1]), fitted(*given))[1])
    made = hyloop.compile(multiplied)
    assert made.layout.least > compiling.TABLE
    assert tried == [131_071]


def test_a_program_is_lowered_and_planned_once_for_each_number_of_rows(monkeypatch):
    planned = []
    compiling = importlib.import_module("hyloop.compiler.compile")
    plan = compiling._planned
    monkeypatch.setattr(
        compiling, "_planned", lambda core, *rest: (planned.append((core, *rest)), plan(core, *rest))[1]
    )
    hyloop.compile("projection", dtype="float32")
    assert len({id(core) for core, *_ in planned}) == 1
    assert len(planned) == len({capacity for _, capacity, *_ in planned})
