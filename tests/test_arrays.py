"""Hypergraphs from arrays: equal to those from labels, and refused for the same reasons."""

import copy
import json
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop.errors import HypergraphError
from hyloop.hypergraph import Consecutive, Hypergraph
from hyloop.io import hif

from_arrays = Hypergraph.from_arrays
WEIGHTS = st.one_of(st.integers(1, 2**70), st.fractions(min_value=Fraction(1, 50), max_value=9), st.just(0.1))


def spelled_out(h):
    """The same hypergraph, every object made."""
    return Hypergraph(h.vertices, h.hyperedges, h.incidence, h.weights, h.annotations)


@st.composite
def pieces(draw):
    n_v, n_e = draw(st.integers(0, 6)), draw(st.integers(0, 6))
    pairs = draw(st.lists(st.tuples(st.integers(0, n_v - 1), st.integers(0, n_e - 1)))) if n_v and n_e else []
    weights = draw(st.one_of(st.none(), st.lists(WEIGHTS, min_size=n_e, max_size=n_e)))
    return n_v, n_e, pairs, weights


@given(pieces())
def test_equal_to_those_from_hyperedges(given_):
    n_v, n_e, pairs, weights = given_
    rows, columns = [row for row, _ in pairs], [column for _, column in pairs]
    members = {e: [v for v, other in pairs if other == e] for e in range(n_e)}
    expected = Hypergraph.from_hyperedges(members, weights, range(n_v))
    found = from_arrays(np.array(rows, np.int32), columns, weights, counts=(n_v, n_e))
    assert repr(found) == repr(expected)
    assert found.counts == expected.counts == (n_v, n_e)
    assert found.integer_weights() == expected.integer_weights()
    assert found.incidence_transposed == expected.incidence_transposed
    assert found == expected == spelled_out(found)
    for again in (pickle.loads(pickle.dumps(from_arrays(rows, columns, weights, counts=(n_v, n_e)))), copy.copy(found)):
        assert again == expected


def test_no_label_is_made_before_it_is_asked_for():
    h = from_arrays([0, 1], [0, 0], counts=(10**6, 10))
    assert h.vertex_number(999_999) == 999_999
    assert h.directed is False
    assert h.tails is h.heads is h.incidence
    assert not {"vertices", "hyperedges", "weights", "annotations"} & h.__dict__.keys()
    assert (h.members_of(0), h.hyperedges[-1]) == ((0, 1), 9)
    with pytest.raises(HypergraphError, match="There is no vertex 1000000"):
        h.vertex_number(10**6)
    with pytest.raises(HypergraphError, match="labels are strings and integers"):
        h.vertex_number(1.0)
    with pytest.raises(AttributeError, match="a Hypergraph has no 'edges'"):
        _ = h.edges


@pytest.mark.parametrize(
    "labels", [["a", "b", 1], np.array([7, 5, 9]), np.array(["x", "y", "é"]), ("a", "b", "c"), np.arange(3)]
)
def test_labels(labels):
    h = from_arrays([0, 2], [0, 0], vertex_labels=labels)
    plain = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
    assert h == Hypergraph.from_hyperedges({0: [plain[0], plain[2]]}, vertices=plain)
    assert [h.vertex_number(label) for label in plain] == [0, 1, 2]
    assert all(type(label) in {str, int} for label in h.vertices)


def test_directions():
    h = from_arrays([0, 1, 0, 2, 1], [0, 0, 0, 0, 1], direction=[-1, 1, 1, 0, -1], hyperedge_labels=["burn", "rest"])
    assert (h.directed, h.tails_of("burn"), h.heads_of("burn")) == (True, (0, 2), (0, 1, 2))
    assert (h.tails_of("rest"), h.heads_of("rest")) == ((1,), ())
    assert "annotations" not in h.__dict__
    same = spelled_out(h)
    assert (same, same.tails, same.heads) == (h, h.tails, h.heads)
    undirected = from_arrays([0, 1], [0, 0], direction=[-1, 1]).ignoring_direction()
    assert undirected == Hypergraph.from_arcs({0: ([0], [1])}).ignoring_direction()
    arcs = Hypergraph.from_arcs({0: ([0], [1]), 1: ([1], [0, 2])})
    assert from_arrays([0, 1, 1, 0, 2], [0, 0, 1, 1, 1], direction=np.array([-1, 1, -1, 1, 1])) == arcs


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 1), st.sampled_from([("tail", -1), ("head", 1), (None, 0)])),
        min_size=1,
    )
)
def test_directions_that_are_stated_several_times_mean_what_they_mean_in_a_file(incidences):
    names = [name for _, _, (name, _) in incidences]
    records = [
        {"edge": edge, "node": node, **({"direction": name} if name else {})} for node, edge, (name, _) in incidences
    ]
    document = {
        "network-type": "directed",
        "nodes": [{"node": node} for node in range(3)],
        "edges": [{"edge": edge} for edge in range(2)],
        "incidences": records,
    }
    in_file = hif.read(json.dumps(document))
    rows, columns, given_as = zip(*((node, edge, sign) for node, edge, (_, sign) in incidences), strict=True)
    found = from_arrays(rows, columns, direction=given_as, counts=(3, 2))
    assert (found.tails, found.heads) == (in_file.tails, in_file.heads), names
    assert found.annotations.incidences == in_file.annotations.incidences


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64, np.uint64])
def test_integer_weights_are_those_of_a_list(dtype):
    numbers = [6, 4, 10, 4]
    one, other = (
        Hypergraph.from_arrays([0, 1, 1, 2], [0, 1, 2, 3], weights=weights)
        for weights in (np.array(numbers, dtype), numbers)
    )
    assert one.weights == other.weights
    assert [list(each.in_units[0]) for each in (one, other)] == [[3, 2, 5, 2]] * 2
    assert one.in_units[1] == other.in_units[1] == 2


def test_weights_mean_what_they_print():
    h = from_arrays([0, 0, 0], [0, 1, 2], np.array([0.1, 0.25, 3], np.float32))
    assert h.weights == (Fraction(1, 10), Fraction(1, 4), 3)
    assert h.in_units[0].tolist() == [2, 5, 60]
    huge = from_arrays([0, 0], [0, 1], [2**80, 3])
    assert (huge.weights, huge.integer_weights()) == ((2**80, 3), ((2**80, 3), 1))


MASKED = np.ma.array([0, 1], mask=[False, True])


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0, 1], [0]), {}, "2 numbers of vertices and 1 of hyperedges"),
        (([0.5], [0]), {}, "holds float64"),
        (([[0]], [0]), {}, "2 dimensions"),
        (([-1], [0]), {}, "The vertex -1 of an incidence"),
        (([5], [0]), {"counts": (5, 1)}, "names vertex 5, counted from 0; there are 5"),
        (([0], [3]), {"weights": [1, 1]}, "names hyperedge 3, counted from 0; there are 2"),
        (([0], [0]), {"weights": [1, 1], "counts": (1, 3)}, "disagree on how many hyperedges there are: 2 or 3"),
        (([0], [0]), {"counts": 3}, "counts is how many vertices"),
        (([0], [0]), {"counts": (1, True)}, "counts is how many vertices"),
        (([0], [0]), {"weights": np.array([0])}, "The weight of hyperedge 0 is 0; a weight must be positive"),
        (([0], [0]), {"weights": np.array([1, np.nan])}, "The weight of hyperedge 1 cannot be used: "),
        (([0], [0]), {"weights": np.array([-0.5]), "hyperedge_labels": np.array([8])}, "hyperedge 8 is -0.5"),
        (([0], [0]), {"weights": ["heavy"]}, "The weight of hyperedge 0 cannot be used: 'heavy' is not a number"),
        (([0], [0]), {"vertex_labels": ["a", "a"]}, "two records of vertex 'a'"),
        (([0], [0]), {"vertex_labels": np.array([4, 4])}, "two records of vertex 4"),
        (([0], [0]), {"vertex_labels": [1.5]}, "1.5 cannot be a label"),
        (([0], [0]), {"vertex_labels": ["\ud800"]}, "not valid Unicode text"),
        (([0], [0]), {"direction": [2]}, "-1 a tail, 1 a head, 0 neither"),
        (([0], [0]), {"direction": [0, 0]}, "an entry for each incidence"),
        (([[0], [0, 1]], [0, 0]), {}, r"vertices is a one-dimensional array of numbers, not \[\[0\], \[0, 1\]\]"),
        (([0, 0], [[0], [0, 1]]), {}, "hyperedges is a one-dimensional array"),
        (([0], [0]), {"direction": [[0], [0, 1]]}, "direction is a one-dimensional array"),
        (([0], [0]), {"direction": ["1"]}, "-1 a tail, 1 a head, 0 neither"),
        (([0], [0]), {"direction": [True]}, "direction is a .* of numbers; True and False are none"),
        (([0, 0], [0, 0]), {"direction": [1, True]}, "direction is a .* of numbers; True and False are none"),
        (([0], [0]), {"direction": np.array([True])}, "-1 a tail, 1 a head, 0 neither"),
        (([0], [0]), {"direction": np.array([True], object)}, "-1 a tail, 1 a head, 0 neither"),
        (([0], [0]), {"direction": np.array([[1]], object)}, "-1 a tail, 1 a head, 0 neither"),
        (([0], [0]), {"direction": [Decimal("sNaN")]}, "-1 a tail, 1 a head, 0 neither"),
        (([0], [0]), {"direction": np.array([1], "m8")}, "-1 a tail, 1 a head, 0 neither"),
        (([True, 0], [0, 0]), {}, "vertices is a .* of numbers; True and False are none"),
        (([0, 0], (0, np.True_)), {}, "hyperedges is a .* of numbers; True and False are none"),
        (([0], [0]), {"weights": np.array([5], "m8[s]")}, "The weight of hyperedge 0 cannot be used: .* not a number"),
        (([0], [0]), {"weights": np.array([5], "m8")}, "The weight of hyperedge 0 cannot be used: .* not a number"),
        (([0], [0]), {"counts": (np.timedelta64(1), 1)}, "counts is how many vertices"),
        (([0], [0]), {"vertex_labels": np.array([5], "m8[ns]")}, "cannot be a label"),
        (([0], [0]), {"hyperedge_labels": np.array([5], "M8[ns]")}, "cannot be a label"),
        (([0, 2**62], [0, 0]), {}, "The vertex 4611686018427387904 of an incidence is too large: vertices are"),
        (([0], np.array([2**63], np.uint64)), {}, "The hyperedge 9223372036854775808 of an incidence is too large"),
        ((MASKED, [0, 0]), {}, "vertices is an array with masked entries"),
        (([0, 0], MASKED), {}, "hyperedges is an array with masked entries"),
        (([0, 0], [0, 0]), {"direction": MASKED}, "direction is an array with masked entries"),
        (([0], [0]), {"weights": MASKED}, "weights is an array with masked entries"),
        (([0], [0]), {"vertex_labels": MASKED}, "vertex_labels is an array with masked entries"),
        (([0], [0]), {"vertex_labels": (x for x in "ab")}, "vertex_labels is a list or an array, in order, not <gen"),
        (([0], [0]), {"vertex_labels": {"a", "b"}}, "vertex_labels is a list or an array, in order, not {"),
        (([0], [0]), {"hyperedge_labels": "ab"}, "hyperedge_labels is a list or an array, in order, not 'ab'"),
        (([0], [0]), {"hyperedge_labels": 3}, "hyperedge_labels is a list or an array, in order, not 3"),
        (([0], [0]), {"weights": {1: 5}}, "weights is a list or an array, in order, not {1: 5}"),
        (([0], [0]), {"weights": np.array(5)}, r"weights is a list or an array, in order, not array\(5\)"),
        (([2**50], [0]), {}, "takes about 90,072.0 TB of memory"),
    ],
)
def test_what_is_refused(arguments, options, message):
    with pytest.raises((HypergraphError, MemoryError), match=message):
        from_arrays(*arguments, **options)


def test_the_numbers_of_consecutive_labels():
    numbers = Consecutive(range(3))
    assert (list(numbers), len(numbers), 2 in numbers, 3 in numbers, "1" in numbers) == (
        [0, 1, 2],
        3,
        True,
        False,
        False,
    )
    assert (numbers.number(np.int64(2)), numbers.get(-1)) == (2, None)
    with pytest.raises(HypergraphError, match="There is no label 7"):
        numbers.number(7)
    later = Consecutive(range(1, 4))
    assert (list(later), 0 in later, later.get(1), later.get(3), 4 in later) == ([1, 2, 3], False, 0, 2, False)


@pytest.mark.parametrize(("later", "unit"), [(4, 4), (6, 2), (7, 1)])
def test_the_unit_of_integer_weights_divides_all_of_them(later, unit):
    weights = np.array([4] * 70 + [later])
    h = Hypergraph.from_arrays(np.zeros(71, np.int64), np.arange(71), weights)
    integers, found = h.in_units
    assert found == unit
    assert (np.asarray(integers) * unit).tolist() == weights.tolist()


@pytest.mark.parametrize("weights", [[[1, 2]], np.ones((1, 2)), [(1,), (2,)], [np.ones(1), np.ones(1)]])
def test_weights_have_one_dimension(weights):
    with pytest.raises(HypergraphError, match="weights is a list or an array of one dimension"):
        Hypergraph.from_arrays([0, 0], [0, 1], weights)


def test_weights_in_a_column_of_pandas_are_those_of_its_array():
    pandas = pytest.importorskip("pandas")
    for dtype in ("float32", "float16", "float64", "int8"):
        numbers = np.array([0.1, 2, 3.7] if dtype.startswith("float") else [1, 2, 3], dtype)
        column = Hypergraph.from_arrays([0, 0, 0], [0, 1, 2], weights=pandas.Series(numbers))
        assert column.weights == Hypergraph.from_arrays([0, 0, 0], [0, 1, 2], weights=numbers).weights
