"""`hyloop.run` and its result: labels in and out, exact numbers, errors that say what would be right, JSON, frames."""

import io
import json
import sys
from decimal import Decimal
from fractions import Fraction

import pytest

import hyloop
from algorithm_inputs import inputs_of
from effort import sample
from hyloop import HyloopError, Hypergraph
from hyloop.algorithms import ALGORITHMS, bfs
from hyloop.hypergraph import Annotations, common_unit
from hyloop.lang import (
    INFINITY,
    Count,
    Flag,
    Hyperedge,
    Length,
    Outputs,
    Vertex,
    algorithm,
    argmin,
    at_most,
    known,
    stream,
    total,
)
from hyloop.result import Path, Result, plain

pytestmark = pytest.mark.usefixtures("interpreted")

FERRIES = Hypergraph.from_hyperedges(
    {"ferry": ["Quay", "Isle"], "bridge": ["Isle", 7, "Moor"], "tunnel": ["Quay", "Moor"]},
    weights={"ferry": Fraction(1, 3), "bridge": Decimal("0.25"), "tunnel": 2},
    vertices=["Quay", "Isle", 7, "Moor", "Rock"],
)


# -- labels and exact numbers


def test_labels_in_and_out():
    result = hyloop.run("dijkstra", FERRIES, source="Quay")
    assert result["distance"] == {
        "Quay": 0,
        "Isle": Fraction(1, 3),
        7: Fraction(7, 12),
        "Moor": Fraction(7, 12),
        "Rock": None,
    }
    assert result["predecessor"] == {"Quay": None, "Isle": "Quay", 7: "Isle", "Moor": "Isle", "Rock": None}
    assert result["hyperedge"] == {"Quay": None, "Isle": "ferry", 7: "bridge", "Moor": "bridge", "Rock": None}
    assert result.path("Moor") == Path(("Quay", "Isle", "Moor"), ("ferry", "bridge"))
    assert result.path("Quay") == Path(("Quay",), ())
    assert result.path("Rock") is None


def test_every_kind_of_output_has_its_own_type():
    distance = hyloop.run("dijkstra", FERRIES, source="Quay").vertices["distance"]
    assert all(isinstance(value, Fraction) for value in distance[:4])
    level = hyloop.run("bfs", FERRIES, source="Quay").vertices["level"]
    assert [type(value) for value in level] == [int] * 4 + [type(None)]
    helly = hyloop.run("helly", FERRIES)
    assert helly["helly"] is False
    assert helly["witness"] == ("Quay", "Isle", "Moor")
    counts = hyloop.run("motifs", FERRIES)["counts"]
    assert {type(count) for count in counts} == {int}
    assert len(counts) == 26


def test_a_result_says_how_it_was_made():
    result = hyloop.run("levels", FERRIES, source=7)
    assert (result.algorithm, result.backend, result.iterations, result.halted) == ("levels", "interpreter", 4, True)
    assert result.hypergraph is FERRIES


def test_progress_is_told_every_iteration():
    seen = []
    result = hyloop.run("dijkstra", FERRIES, source="Quay", progress=seen.append)
    assert seen == list(range(1, result.iterations + 1))


@pytest.mark.parametrize(
    ("call", "of"),
    [
        (lambda wrong: hyloop.run("bfs", FERRIES, source="Quay", progress=wrong), "iterations"),
        (lambda wrong: hyloop.run("bfs", FERRIES, source="Quay", progress=wrong, backend="interpreter"), "iterations"),
        (lambda wrong: hyloop.trace("bfs", FERRIES, source="Quay", progress=wrong, backend="cpu"), "iterations"),
        (lambda wrong: hyloop.run_many("bfs", [FERRIES], source="Quay", progress=wrong), "inputs"),
        (lambda wrong: hyloop.check_random("bfs", 1, progress=wrong), "inputs"),
        (lambda wrong: hyloop.check_many("bfs", [FERRIES], progress=wrong), "inputs"),
        (lambda wrong: hyloop.read(io.StringIO("a b"), "edge-list", progress=wrong), "characters"),
    ],
)
def test_progress_is_a_function(call, of):
    with pytest.raises(HyloopError, match=rf"called with a number of {of}; not 5\."):
        call(5)


def test_a_program_or_an_algorithm_will_do():
    one, two, three = (hyloop.run(each, FERRIES, source="Quay") for each in ("bfs", bfs, bfs.program))
    assert one == two == three


def test_the_weights_of_the_hypergraph_are_what_counts():
    """Weights that only differ by a common unit give the same run in integers."""
    assert common_unit([Fraction(1, 3), Fraction(1, 4), Fraction(2)]) == Fraction(1, 12)
    assert common_unit([Fraction(4), Fraction(6)]) == 2
    assert common_unit([Fraction(0)]) == common_unit([]) == 1


# -- errors


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: hyloop.run("dijkstr", FERRIES, source="Quay"), "no algorithm 'dijkstr'.*Did you mean dijkstra"),
        (lambda: hyloop.run("dijkstra", FERRIES), r"dijkstra needs source, a vertex: source="),
        (lambda: hyloop.run("dijkstra", FERRIES, sorce="Quay"), "dijkstra has no input 'sorce'; it takes source"),
        (lambda: hyloop.run("helly", FERRIES, source="Quay"), "helly has no input 'source'; it takes none"),
        (lambda: hyloop.run("dijkstra", FERRIES, source="Quai"), "no vertex 'Quai'.*Did you mean 'Quay'"),
        (lambda: hyloop.run("dijkstra", FERRIES, source="7"), "no vertex '7'"),
        (lambda: hyloop.run("dijkstra", FERRIES, source=True), "True cannot be a label"),
        (lambda: hyloop.run("dijkstra", FERRIES, source=None), "None cannot be a label"),
        (lambda: hyloop.run("dijkstra", FERRIES, backend="gpu", source="Quay"), "no backend 'gpu'.*interpreter"),
        (lambda: hyloop.run("levels", FERRIES, source=7)["distance"], "levels has no output 'distance'; it has level"),
    ],
)
def test_errors_say_what_would_be_right(wrong, message):
    with pytest.raises(HyloopError, match=message):
        wrong()


def test_a_directed_hypergraph_is_refused_unless_its_directions_are_ignored():
    kept = Annotations("directed", {}, {}, {}, {}, {})
    directed = Hypergraph(FERRIES.vertices, FERRIES.hyperedges, FERRIES.incidence, FERRIES.weights, kept)
    with pytest.raises(HyloopError, match=r"directed.*ignore_direction=True"):
        hyloop.run("dijkstra", directed, source="Quay")
    result = hyloop.run("dijkstra", directed, source="Quay", ignore_direction=True)
    assert result["distance"] == hyloop.run("dijkstra", FERRIES, source="Quay")["distance"]


# -- inputs of every kind


@algorithm
def within(h, budget: Length):
    """Which hyperedges cost no more than the budget, and what is left of it after the cheapest."""
    affordable = h.hyperedges.state(Flag, False)
    rest = h.state(Length, 0)
    with h.loop(at_most=1) as loop:
        affordable.assign(h.weight <= budget)
        rest.assign(budget - argmin(h.weight)[1])
        loop.stop_when(True)
    return Outputs(affordable=affordable, rest=rest)


@pytest.mark.parametrize(
    ("budget", "affordable", "rest"),
    [
        (0.25, (False, True, False), Fraction(0)),
        (Fraction(1, 3), (True, True, False), Fraction(1, 12)),
        (Decimal("0.3"), (False, True, False), Fraction(1, 20)),
        (2, (True, True, True), Fraction(7, 4)),
        (0, (False, False, False), Fraction(0)),
        (10**30, (True, True, True), 10**30 - Fraction(1, 4)),
    ],
)
def test_a_length_is_in_the_unit_of_the_weights(budget, affordable, rest):
    result = hyloop.run(within, FERRIES, budget=budget)
    assert result.hyperedges["affordable"] == affordable
    assert result["rest"] == rest


@algorithm
def count_down(h, start: at_most(Count, 10), gently: Flag, through: Hyperedge):
    """Count down from `start`, or drop to nothing at once."""
    left = h.state(Count, 0)
    last = h.state(Hyperedge)
    left.assign(start)
    with h.loop(at_most=12) as loop:
        last.assign(through)
        loop.stop_when(left == 0)
        left.assign(left - 1)
        left.assign(0, where=~gently)
    return Outputs(left=left, last=last)


@pytest.mark.parametrize(("gently", "iterations"), [(True, 12), (False, 3)])
def test_counts_flags_and_hyperedges_are_inputs(gently, iterations):
    result = hyloop.run(count_down, FERRIES, start=10, gently=gently, through="tunnel")
    assert (result["left"], result["last"], result.iterations) == (0, "tunnel", iterations)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"start": 11}, "start is at most 10; 11 is more"),
        ({"start": -1}, r"The input start is a count of at least 0, not -1\."),
        ({"start": 1.5}, r"The input start is a count of at least 0, not 1\.5\."),
        ({"start": "3"}, "'3'"),
        ({"start": True}, "True"),
        ({"start": float("nan")}, "NaN is not a finite number"),
        ({"gently": 1}, "gently is a flag: True or False, not 1"),
        ({"gently": None}, "gently is a flag: True or False, not None"),
        ({"through": "tunel"}, "no hyperedge 'tunel'.*Did you mean 'tunnel'"),
    ],
)
def test_inputs_are_checked(inputs, message):
    with pytest.raises(HyloopError, match=message):
        hyloop.run(count_down, FERRIES, **({"start": 1, "gently": True, "through": "ferry"} | inputs))


@pytest.mark.parametrize("budget", [-1, float("inf"), float("nan"), "1", None])
def test_a_length_is_a_number_of_at_least_0(budget):
    with pytest.raises(HyloopError):
        hyloop.run(within, FERRIES, budget=budget)


@algorithm
def short_enough(h, limit: at_most(Length, 3)):
    """A length with a bound of its own."""
    x = h.state(Length, 0)
    with h.loop(at_most=1) as loop:
        x.assign(limit)
        loop.stop_when(True)
    return Outputs(x=x)


def test_a_bound_of_a_length_is_in_the_users_unit():
    assert hyloop.run(short_enough, FERRIES, limit=3)["x"] == 3
    with pytest.raises(HyloopError, match="limit is at most 3"):
        hyloop.run(short_enough, FERRIES, limit=Fraction(10, 3))


# -- forms of outputs


@algorithm
def forms(h, source: Vertex):
    """One output of every form."""
    far = h.hyperedges.state(Length, INFINITY)
    nowhere = h.vertices.state(Hyperedge)
    ones = h.vertices.state(Count, 1)
    start, seen = h.vertices.state(Vertex), h.vertices.state(Flag, False)
    now, coming = h.state(Vertex), h.state(Vertex)
    degree = h.vertices.state(Count, 0)
    coming.assign(h.vertices.first)
    with h.loop(at_most=h.vertices.count + 1) as loop:
        now.assign(coming)
        loop.stop_when(now.is_none)
        start.assign(source)
        seen.assign(True, where=h.vertices.number == source)
        degree.assign(h.incidence @ h.containing(now))
        coming.assign(now + 1)
    return Outputs(
        far=far, nowhere=nowhere, many=total(ones), start=known(start, where=seen), near=stream(degree, of=now)
    )


def test_forms_of_outputs():
    H = Hypergraph.from_hyperedges({"e": ["a", "b"], "f": ["b"]}, vertices=["a", "b", "c"])
    result = hyloop.run(forms, H, source="b")
    assert result["far"] == {"e": None, "f": None}
    assert result["nowhere"] == {"a": None, "b": None, "c": None}
    assert result["many"] == 3
    assert result["start"] == {"a": None, "b": "b", "c": None}
    assert result.to_json()["streams"] == {
        "near": [
            {"vertex": "a", "values": [["a", 1], ["b", 1]]},
            {"vertex": "b", "values": [["a", 1], ["b", 2]]},
            {"vertex": "c", "values": []},
        ]
    }


def test_a_list_of_arrays_loses_none_of_them():
    @algorithm
    def two(h):
        """Two arrays under one name."""
        a, b = h.vertices.state(Count, 1), h.vertices.state(Count, 2)
        with h.loop(at_most=1) as loop:
            loop.stop_when(True)
        return Outputs(both=[a, b])

    try:
        found = hyloop.run(two, FERRIES)["both"]
    except HyloopError:
        return  # refused is as good
    assert "1" in str(found)
    assert "2" in str(found)


# -- JSON


def test_json_of_dijkstra():
    document = hyloop.run("dijkstra", FERRIES, source="Quay").to_json()
    assert document == {
        "algorithm": "dijkstra",
        "backend": "interpreter",
        "verified": None,
        "capacity": None,
        "iterations": 5,
        "halted": True,
        "memory": None,
        "vertices": [
            {"vertex": "Quay", "distance": 0, "predecessor": None, "hyperedge": None},
            {"vertex": "Isle", "distance": "1/3", "predecessor": "Quay", "hyperedge": "ferry"},
            {"vertex": 7, "distance": "7/12", "predecessor": "Isle", "hyperedge": "bridge"},
            {"vertex": "Moor", "distance": "7/12", "predecessor": "Isle", "hyperedge": "bridge"},
            {"vertex": "Rock", "distance": None, "predecessor": None, "hyperedge": None},
        ],
        "hyperedges": [],
        "scalars": {},
        "streams": {},
    }
    assert list(document) == [
        *("algorithm", "backend", "verified", "capacity", "iterations", "halted", "memory"),
        *("vertices", "hyperedges", "scalars", "streams"),
    ]


@pytest.mark.parametrize(
    ("name", "over_vertices"),
    [
        ("degradation", {"distance"}),
        ("bfs", {"level", "predecessor", "hyperedge"}),
        ("levels", {"level"}),
        ("dfs", {"order", "predecessor"}),
        ("components", {"component"}),
    ],
)
def test_names_of_outputs_over_the_vertices(name, over_vertices):
    inputs = {} if name == "components" else {"source": "Quay"}
    document = hyloop.run(name, FERRIES, **inputs).to_json()
    assert all(set(record) == {"vertex"} | over_vertices for record in document["vertices"])
    assert [record["vertex"] for record in document["vertices"]] == list(FERRIES.vertices)
    assert (document["hyperedges"], document["scalars"], document["streams"]) == ([], {}, {})


def test_json_of_scalars_and_streams():
    assert hyloop.run("helly", FERRIES).to_json()["scalars"] == {"helly": False, "witness": ["Quay", "Isle", "Moor"]}
    one = Hypergraph.from_hyperedges([["a", "b"]])
    assert hyloop.run("helly", one).to_json()["scalars"] == {"helly": True, "witness": None}
    counts = hyloop.run("motifs", FERRIES).to_json()["scalars"]["counts"]
    assert (len(counts), sum(counts)) == (26, 1)
    assert hyloop.run("motifs", one).to_json()["scalars"] == {"counts": [0] * 26}
    assert hyloop.run("projection", FERRIES).to_json()["streams"] == {
        "overlap": [
            {"hyperedge": "ferry", "values": [["bridge", 1], ["tunnel", 1]]},
            {"hyperedge": "bridge", "values": [["ferry", 1], ["tunnel", 1]]},
            {"hyperedge": "tunnel", "values": [["ferry", 1], ["bridge", 1]]},
        ]
    }


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_documents_survive_json(name):
    document = hyloop.run(name, FERRIES, **inputs_of(name, FERRIES)[0]).to_json()
    assert json.loads(json.dumps(document, allow_nan=False)) == document


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Fraction(3), 3),
        (Fraction(1, 4), 0.25),
        (Fraction(1, 10), 0.1),
        (Fraction(37, 100), 0.37),
        (Fraction(1, 3), "1/3"),
        (Fraction(10**20 + 1, 10**20), "1.00000000000000000001"),
        (Fraction(2**53), 2**53),
        (Fraction(2**53 + 1), "9007199254740993"),
        (Fraction(2**60), str(2**60)),
        (Fraction(10**400), str(10**400)),
        (Fraction(1, 2**1080 * 3), f"1/{2**1080 * 3}"),
        (None, None),
        (True, True),
        ((1, None, "a"), [1, None, "a"]),
    ],
)
def test_a_number_is_a_json_number_if_a_double_prints_it_again(value, expected):
    assert plain(value) == expected
    assert type(plain(value)) in {type(expected), float, int} if not isinstance(expected, str) else True


def test_a_count_that_no_double_holds_is_a_string_too():
    @algorithm
    def echo(h, n: Count):
        """The number itself."""
        x = h.state(Count, 0)
        with h.loop(at_most=1) as loop:
            x.assign(n)
            loop.stop_when(True)
        return Outputs(x=x)

    H = Hypergraph.from_hyperedges([[1]])
    assert hyloop.run(echo, H, n=2**53).to_json()["scalars"] == {"x": 2**53}
    assert hyloop.run(echo, H, n=2**53 + 1).to_json()["scalars"] == {"x": "9007199254740993"}


# -- data frames


def test_a_frame_over_the_vertices():
    pytest.importorskip("pandas")
    frame = hyloop.run("dijkstra", FERRIES, source="Quay").to_frame()
    assert list(frame.columns) == ["distance", "predecessor", "hyperedge"]
    assert (frame.index.name, list(frame.index)) == ("vertex", list(FERRIES.vertices))
    assert frame.loc["Moor", "distance"] == Fraction(7, 12)
    assert frame.loc["Moor", "hyperedge"] == "bridge"
    assert frame["distance"].isna().tolist() == [False, False, False, False, True]


def test_a_frame_over_the_hyperedges():
    pytest.importorskip("pandas")
    frame = hyloop.run(within, FERRIES, budget=1).to_frame()
    assert (frame.index.name, list(frame.index)) == ("hyperedge", ["ferry", "bridge", "tunnel"])
    assert frame["affordable"].tolist() == [True, True, False]


def test_a_frame_keeps_integers_beside_none():
    pytest.importorskip("pandas")
    a, b, c = 2**60 + 1, 2**60 + 3, 7
    h = Hypergraph.from_hyperedges({2**53 + 1: [a, b], 10**30: [b, c]}, vertices=[a, b, c, 8])
    frame = hyloop.run("bfs", h, source=a).to_frame()
    assert frame["predecessor"].tolist()[1:3] == [a, b]
    assert frame["predecessor"].isna().tolist() == [True, False, False, True]
    assert frame["hyperedge"].tolist()[1:3] == [2**53 + 1, 10**30]
    assert str(frame["level"].dtype) == "Int64"
    assert frame["level"].tolist()[:3] == [0, 1, 2]
    whole = hyloop.run("core_numbers", h).to_frame()
    assert {str(dtype) for dtype in whole.dtypes} == {"int64"}


@pytest.mark.parametrize("labels", [[10**400, 1], [10**400, "a"], [2**63, -1], [2**63, 1], [2**64 + 1, 1]])
def test_the_labels_of_a_frame_are_those_of_the_hypergraph(labels):
    pytest.importorskip("pandas")
    h = Hypergraph.from_hyperedges([labels])
    assert hyloop.run("components", h).to_frame().index.tolist() == list(h.vertices)


def test_a_frame_needs_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(HyloopError, match="pip install pandas"):
        hyloop.run("components", FERRIES).to_frame()


def test_a_path_by_predecessors_alone():
    h = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"], ["d"]])

    def found(*predecessors):
        return Result("own", "cpu", 1, True, h, {"predecessor": predecessors})

    way = found(None, "a", "b", None).path("c")
    assert way is not None
    assert way.vertices == ("a", "b", "c")
    assert found(None, "a", "b", None).path("a").vertices == ("a",)
    assert found(None, "a", "b", None).path("d") is None
    with pytest.raises(HyloopError, match="in a circle"):
        found("a", "a", "b", None).path("c")
    with pytest.raises(HyloopError, match="no hyperedge has both"):
        found(None, "a", "a", None).path("c")


def test_short_reprs():
    h = Hypergraph.from_hyperedges([["a", "b"]])
    model = hyloop.compile("levels")
    assert repr(model) == "<Model levels: 2 layers, 18 columns, rows ≤ 131,071, float64>"
    shown = repr(hyloop.run(model, h, source="a", backend="cpu"))
    assert shown == "<Result of levels: level; 2 vertices, 1 hyperedges; 3 iterations (cpu)>"


def test_check_and_prove_take_what_run_takes():
    h = Hypergraph.from_hyperedges([["a", "b"]])
    assert hyloop.check("levels", h, source="a").agrees
    assert hyloop.check(ALGORITHMS["levels"], h, source="a").agrees
    pytest.importorskip("z3")
    from hyloop.prove import prove

    assert prove("levels").answer == "proved"
