"""A result as a mapping of its outputs."""

import copy
import pickle
from collections.abc import Mapping
from fractions import Fraction

import pytest

import hyloop
from hyloop.errors import HyloopError
from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, stream, total, where
from hyloop.result import Matrix, in_line

NAMES = ["degree", "size", "steps", "incidences", "sizes"]


@algorithm
def degrees(h):
    e = h.state(hyloop.lang.Hyperedge)
    coming, steps = h.state(hyloop.lang.Hyperedge), h.state(Count, 0)
    degree, size = h.vertices.state(Count, 0), h.hyperedges.state(Count, 0)
    members = h.vertices.state(Count, 0)
    coming.assign(h.hyperedges.first)
    with h.loop(at_most=h.hyperedges.count + 1) as loop:
        e.assign(coming)
        loop.stop_when(e.is_none)
        members.assign(h.members(e) + 0)
        size.assign(h.incidence.T @ h.vertices.every)
        degree.assign(degree + h.members(e))
        steps.assign(steps + 1)
        coming.assign(e + 1)
    return Outputs(steps=steps, size=size, degree=degree, incidences=total(degree), sizes=stream(members, of=e))


@pytest.fixture(scope="module")
def result():
    h = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"], "mail": ["Isle", "Mole", "Light"]})
    return hyloop.run(degrees, h)


def test_the_names_of_the_outputs(result):
    assert isinstance(result, Mapping)
    assert [*result] == [*result.keys()] == NAMES
    assert len(result) == 5


def test_the_outputs_by_name(result):
    assert result["degree"] == {"Quay": 1, "Isle": 2, "Mole": 1, "Light": 1}
    assert result["size"] == {"ferry": 2, "mail": 3}
    assert (result["steps"], result["incidences"]) == (2, 5)
    assert [entry.about for entry in result["sizes"].entries] == ["ferry", "mail"]


def test_every_way_to_them_leads_to_the_same(result):
    assert dict(result) == {**result} == dict(result.items()) == {name: result[name] for name in NAMES}
    assert [*result.values()] == [result.get(name) for name in NAMES]
    assert result["degree"] == dict(zip(result.hypergraph.vertices, result.vertices["degree"], strict=True))
    assert result["steps"] == result.scalars["steps"]
    assert result["sizes"] is result.streams["sizes"]


def test_a_name_that_is_none(result):
    assert "degree" in result
    assert "distance" not in result
    assert 3 not in result
    assert result.get("distance") is None
    assert result.get("distance", 7) == 7
    sentence = "degrees has no output 'distance'; it has degree, size, steps, incidences, sizes."
    for kind in (HyloopError, KeyError):
        with pytest.raises(kind) as caught:
            result["distance"]
        assert str(caught.value) == sentence


def test_an_output_is_no_attribute(result):
    with pytest.raises(AttributeError, match=r"outputs are taken by name: result\['degree'\]"):
        _ = result.degree
    with pytest.raises(AttributeError, match="a Result has no 'distance'"):
        _ = result.distance
    assert "iterations" not in result


def test_it_is_still_a_record(result):
    again = pickle.loads(pickle.dumps(result))
    assert again == result == copy.deepcopy(result)
    assert again != dict(result)
    assert repr(again) == (
        "<Result of degrees: degree, size, steps, incidences, sizes; 4 vertices, 2 hyperedges; 4 iterations "
        f"({result.backend})>"
    )
    assert bool(result)


def test_an_output_is_made_once_and_cannot_be_changed(result):
    name = next(iter(result.vertices))
    values = result[name]
    assert result[name] is values
    before = dict(values)
    changes = (
        lambda: values.__setitem__("a", 1),
        lambda: values.__delitem__(next(iter(values))),
        lambda: values.__ior__({"a": 1}),
        values.clear,
        values.popitem,
        lambda: values.pop(next(iter(values))),
        lambda: values.setdefault("a", 1),
        lambda: values.update(a=1),
    )
    for change in changes:
        with pytest.raises(HyloopError, match="cannot be changed"):
            change()
    assert (values, repr(values)) == (before, repr(before))
    for again in (copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert again == result
        assert again[name] == before
    assert type(values | {}) is type(values.copy()) is dict


HARBOUR = {"ferry": ["Quay", "Isle"], "mail": ["Isle", "Mole", "Light"], "tug": ["Wreck"]}


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_arrays(backend):
    h = hyloop.Hypergraph.from_hyperedges(HARBOUR, weights=[0.5, 2, 1])
    found = hyloop.run("dijkstra", h, source="Quay", backend=backend)
    assert found.unit == Fraction(1, 2)
    assert found.array("distance").tolist() == [0, 1, 5, 5, -1]
    assert found.array("predecessor").tolist() == [-1, 0, 1, 1, -1]
    assert found.array("hyperedge").tolist() == [-1, 0, 1, 1, -1]
    assert [*found.arrays] == ["distance", "predecessor", "hyperedge"]
    for name, array in found.arrays.items():
        assert not array.flags.writeable
        meant = {"distance": lambda number: number * found.unit, "predecessor": h.vertices.__getitem__}
        decode = meant.get(name, h.hyperedges.__getitem__)
        assert [None if number < 0 else decode(number) for number in array.tolist()] == [*found[name].values()]


def test_arrays_of_other_kinds(result):
    assert result.array("degree").tolist() == [1, 2, 1, 1]
    assert result.array("sizes").tolist() == [[1, 1, 0, 0], [0, 1, 1, 1]]
    assert [part.tolist() for part in result.pairs("sizes")] == [[0, 0, 1, 1, 1], [0, 1, 1, 2, 3], [1] * 5]
    for ask, message in (
        (lambda: result.array("steps"), "steps is one value, no array"),
        (lambda: result.array("distance"), "degrees has no output 'distance'"),
        (lambda: result.pairs("degree"), "degrees has no stream 'degree'"),
        (lambda: result.array(["degree"]), r"degrees has no output \['degree'\]"),
        (lambda: result[["degree"]], r"degrees has no output \['degree'\]"),
        (lambda: result.pairs(["sizes"]), r"degrees has no output \['sizes'\]"),
        (lambda: result.matrix(["sizes"]), r"degrees has no output \['sizes'\]"),
    ):
        with pytest.raises(HyloopError, match=message):
            ask()
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["c"]])
    reached = hyloop.run("reachable", h, source="a", ignore_direction=True)
    [flags] = [array for name, array in reached.arrays.items() if reached.kinds[name] == "flag"]
    assert (flags.dtype, flags.tolist()) == (bool, [True, True, False])


def test_a_stream_of_flags_without_entries_holds_flags():
    @algorithm
    def flagged(h, k: Count):
        flags, at = h.vertices.state(Flag, True), h.state(Vertex)
        with h.loop(at_most=1) as loop:
            at.assign(where(k > 0, h.vertices.first, at))
            loop.stop_when(True)
        return Outputs(flags=stream(flags, of=at))

    h = hyloop.Hypergraph.from_hyperedges([["a", "b"]])
    for k in (0, 1):
        found = hyloop.run(flagged, h, k=k)
        assert [array.dtype for array in found.pairs("flags")] == [int, int, bool]
        assert (found.array("flags").dtype, found.array("flags").sum()) == (bool, 2 * k)


def test_nothing_is_decoded_before_it_is_asked_for():
    h = hyloop.Hypergraph.from_arrays([0, 1, 1, 2], [0, 0, 1, 1], weights=[2, 3])
    found = hyloop.run("dijkstra", h, source=0)
    assert found.array("distance").tolist() == [0, 2, 5]
    assert repr(found).endswith("3 vertices, 2 hyperedges; 4 iterations (cpu)>")
    assert not {"vertices", "hyperedges", "weights", "annotations"} & h.__dict__.keys()
    again = pickle.loads(pickle.dumps(found))
    assert found["distance"] == {0: 0, 1: 2, 2: 5}
    assert again == found
    assert again.array("predecessor").tolist() == [-1, 0, 1]
    assert found.vertices != 3
    assert found.vertices == dict(found.vertices)


def test_a_stream_that_no_run_made():
    by_hand = hyloop.result.Stream("vertex", (hyloop.result.Entry("a", {"b": 1}),))
    with pytest.raises(HyloopError, match="was not made by a run"):
        by_hand.pairs()
    with pytest.raises(AttributeError, match="a Stream has no 'other'"):
        _ = by_hand.other
    with pytest.raises(AttributeError, match="an Entry has no 'other'"):
        _ = by_hand.entries[0].other


def test_a_matrix_is_read_at_a_pair():
    """A label of two letters is no pair of labels."""
    matrix = Matrix(("a", "b", "ab"), ("a", "b"), ((1, 2), (3, 4), (5, 6)))
    assert (matrix["a", "b"], matrix["ab", "a"]) == (2, 5)
    for given in ("ab", "a", ("a",), ("a", "b", "ab"), ["a", "b"], 0, None, slice(None)):
        with pytest.raises(HyloopError, match=r"A matrix is read at a row and a column, by labels: matrix"):
            matrix[given]
    with pytest.raises(HyloopError, match="The matrix has no entry for 'a' and 'c'"):
        matrix["a", "c"]


@pytest.mark.parametrize("part", ["vertices", "scalars", "streams", "kinds"])
def test_no_part_of_a_result_can_be_changed(part):
    found = hyloop.run("helly", hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"], ["c", "a"]]))
    with pytest.raises((HyloopError, TypeError), match=r"cannot be changed|does not support item assignment"):
        getattr(found, part)["helly"] = True
    assert found["helly"] is False
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        ((0, 2, 0, 0, 0, 3), "count", "number 2 = 2, number 6 = 3, the other 4 are 0"),
        ((0,) * 7, "count", "all 7 are 0"),
        ((1,) * 6, "count", ", ".join(f"number {place} = 1" for place in range(1, 7))),
        ((Fraction(1, 3), None, 0, 0, 0, 0), "length", "number 1 = 1/3, number 2 = –, the other 4 are 0"),
        ((0, 2, 0, 1, 5), "count", "0, 2, 0, 1, 5"),  # few are listed
        ((0, 2, 0, 0, 0, 3), "vertex", "0, 2, 0, 0, 0, 3"),  # labels, of which 0 is one
        ((False,) * 6, "flag", "no, no, no, no, no, no"),
        (7, "count", "7"),
    ],
)
def test_many_numbers_are_written_by_their_places(value, kind, text):
    assert in_line(value, kind, str) == text
