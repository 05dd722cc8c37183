from __future__ import annotations

import subprocess
import sys
import warnings
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest

import hyloop
from effort import installed
from hyloop.errors import HyloopError, HyloopWarning
from hyloop.hypergraph import Annotations, IncidenceRecord
from hyloop.interop import ADAPTERS, as_hypergraph
from hyloop.interop.common import float_for, number_for, value_for

H = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]}, weights={"ferry": 2})
adapters = pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda adapter: adapter.kind.package)


def test_a_hypergraph_is_taken_as_it_is():
    assert as_hypergraph(H) is H


@pytest.mark.parametrize(
    "adapter",
    [adapter for adapter in ADAPTERS if installed(adapter.kind.package)],
    ids=lambda adapter: adapter.kind.package,
)
def test_every_object_that_is_written_is_recognised(adapter, library):
    library(adapter.kind.package)
    assert as_hypergraph(adapter.write(H)) == H


NAMED_WEIGHT = hyloop.Hypergraph.from_hyperedges(
    {"e": ["a"]},
    annotations=Annotations(
        vertex_attributes={"a": {"weight": 7}}, incidences={("e", "a"): (IncidenceRecord(None, None, {"weight": 9}),)}
    ),
)


@pytest.mark.parametrize("package", ["xgi", "hypernetx", "networkx", "hypergraphx", "pandas"])
def test_an_attribute_that_becomes_the_weight_is_warned_of(package, library):
    library(package)
    adapter = next(each for each in ADAPTERS if each.kind.package == package)
    told = r"cannot hold .*'weight' among the attributes of vertices other than as their weight"
    with pytest.warns(HyloopWarning, match=told):
        made = adapter.write(NAMED_WEIGHT)
    assert as_hypergraph(made).annotations.vertex_weights == {"a": 7}


BORDERS = (1, 2**53 + 1, 2**53 + 2, 2**62, 2**63, 2**64, 2**64 + 1, 10**22, 10**23, 10**400,
           Fraction(1, 2), Fraction(1, 10), Fraction(1, 3), Fraction(3, 10**320))  # fmt: skip


@pytest.mark.filterwarnings("ignore:Downcasting object dtype")  # HyperNetX 2.4 with pandas 2
@pytest.mark.parametrize("package", ["xgi", "hypernetx", "networkx", "hypergraphx", "pandas"])
def test_numbers_at_the_limits_of_their_types_are_kept_in_pairs(package, library):
    library(package)
    adapter = next(each for each in ADAPTERS if each.kind.package == package)
    for first, second in product(BORDERS, BORDERS):
        attributes = {"a": {"q": _in_json(first)}, "b": {"q": _in_json(second)}, "c": {}}
        given = hyloop.Hypergraph.from_hyperedges(
            {"e": ["a", "b"], "f": ["b", "c"]},
            weights=[first, second],
            annotations=Annotations(vertex_weights={"a": first, "b": second}, vertex_attributes=attributes),
        )
        found = as_hypergraph(adapter.write(given))
        assert found.weights == given.weights, (first, second)
        for vertex, weight in (("a", first), ("b", second)):  # HyperNetX does not say which weights of 1 were stated
            assert found.annotations.vertex_weights.get(vertex, 1) == weight, (first, second)
            assert found.annotations.vertex_attributes[vertex] == attributes[vertex], (first, second)


NO_WEIGHTS = (None, True, "heavy", "3", [1], {"a": 1})


@pytest.mark.filterwarnings("ignore:Downcasting object dtype")
@pytest.mark.parametrize("package", ["xgi", "hypernetx", "networkx", "hypergraphx", "pandas"])
@pytest.mark.parametrize("value", NO_WEIGHTS, ids=repr)
def test_attributes_named_weight_that_are_no_numbers_are_kept_or_told(package, value, library):
    library(package)
    adapter = next(each for each in ADAPTERS if each.kind.package == package)
    record = IncidenceRecord(None, None, {"weight": value})
    for weights in ([1, 1], [Fraction(1, 2), 1]):
        given = hyloop.Hypergraph.from_hyperedges(
            {"e": ["a", "b"], "f": ["b", "c"]},
            weights=weights,
            annotations=Annotations(
                vertex_attributes={"a": {"weight": value}},
                hyperedge_attributes={"e": {"weight": value}},
                incidences={("e", "a"): (record,)},
            ),
        )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", HyloopWarning)
            found = as_hypergraph(adapter.write(given))
        assert found.weights == given.weights
        told = "".join(str(each.message) for each in caught if each.category is HyloopWarning)
        for what in ("vertex_attributes", "hyperedge_attributes", "incidences"):
            kept = getattr(found.annotations, what) == getattr(given.annotations, what)
            assert kept or "attributes of" in told, (what, told)


def _in_json(number):
    return int(number) if number == int(number) else Decimal(number.numerator) / number.denominator


@pytest.mark.parametrize("thing", [None, [["a", "b"]], {"e": ["a"]}, 3, object()])
def test_anything_else_is_refused_with_a_list_of_what_is_taken(thing):
    with pytest.raises(HyloopError) as caught:
        as_hypergraph(thing)
    message = str(caught.value)
    assert f"not an object of type {type(thing).__name__}" in message
    assert "Hypergraph.from_hyperedges" in message
    assert all(adapter.kind.in_words in message for adapter in ADAPTERS)


def test_the_name_of_a_file_is_told_apart(tmp_path):
    for name in ("lesmis.json", tmp_path):
        with pytest.raises(HyloopError, match=r"read it first: hyloop\.read"):
            as_hypergraph(name)


@adapters
def test_each_function_refuses_what_is_not_its_own(adapter):
    with pytest.raises(HyloopError, match=r"^Expected .*, not an object of type dict\.$"):
        adapter.read({})


@adapters
def test_a_missing_package_is_named_with_the_line_that_installs_it(adapter, monkeypatch):
    for name in [*sys.modules]:
        if name.partition(".")[0] == adapter.kind.package:
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, adapter.kind.package, None)
    with pytest.raises(
        HyloopError, match=rf"is not installed; pip install 'hyloop\[{adapter.kind.extra}\]' installs it"
    ):
        adapter.write(H)


def test_no_library_is_imported_before_it_is_needed():
    packages = sorted(adapter.kind.package for adapter in ADAPTERS)
    code = f"import sys, hyloop.interop; print([name for name in {packages} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_class_of_the_same_name_from_elsewhere_is_not_recognised():
    class DataFrame:
        pass

    with pytest.raises(HyloopError, match="A hypergraph is needed"):
        as_hypergraph(DataFrame())


def test_numbers_are_exact_or_stay_fractions():
    assert [number_for(Fraction(text)) for text in ("3", "0.1", "1/3")] == [3, 0.1, Fraction(1, 3)]
    assert type(number_for(Fraction(3))) is int
    assert float_for(Fraction(2**53 + 1)) is None
    assert float_for(Fraction(10**400)) is None
    assert value_for(Decimal("0.1")) == 0.1
    long = Decimal("0.12345678901234567890123")
    assert value_for([{"a": long}]) == [{"a": long}]
