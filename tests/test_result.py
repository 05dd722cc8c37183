"""A result as a mapping of its outputs."""

import copy
import pickle
from collections.abc import Mapping

import pytest

import hyloop
from hyloop.errors import HyloopError
from hyloop.lang import Count, Outputs, algorithm, stream, total
from hyloop.result import Matrix

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


@pytest.mark.parametrize("asked", ["a", "ab", 1, ("a",), ("a", "b", "c")])
def test_a_matrix_is_asked_for_two_labels(asked):
    matrix = Matrix(("a",), ("b",), ((1,),))
    assert matrix["a", "b"] == 1
    with pytest.raises(HyloopError, match=r"A matrix is asked for a row and a column, matrix\[row, column\]; not"):
        matrix[asked]
