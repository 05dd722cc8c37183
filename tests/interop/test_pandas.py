"""Objects as the users of pandas make them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from hyloop.errors import HyloopWarning, HypergraphError
from hyloop.hypergraph import Annotations, Hypergraph, IncidenceRecord
from hyloop.hypergraph_batch import HypergraphBatch
from hyloop.interop import as_hypergraph, from_pandas, to_pandas


@pytest.fixture
def pd(library):
    return library("pandas")


def test_pandas_columns_are_understood(pd):
    table = pd.DataFrame({"node": ["a", "b", "b"], "edge": [1, 1, 2], "weight": np.array([0.1, 0.1, 2], np.float32)})
    H = as_hypergraph(table)
    assert (H.vertices, H.hyperedges, H.weights) == (("a", "b"), (1, 2), (Fraction(1, 10), 2))
    other = table.rename(columns={"node": "who", "edge": "where", "weight": "cost"})
    assert from_pandas(other, vertex="who", hyperedge="where", weight="cost") == H
    assert from_pandas(table, weight=None).weights == (1, 1)


def test_pandas_further_columns_and_tables_are_attributes(pd):
    table = pd.DataFrame({"vertex": ["a", "b"], "hyperedge": ["e", "e"], "role": ["x", None]})
    vertices = pd.DataFrame({"age": [3.5, np.nan], "weight": [2, 1]}, index=["b", "alone"])
    hyperedges = pd.DataFrame({"weight": [0.1], "colour": ["red"]}, index=["e"])
    H = from_pandas(table, vertices, hyperedges)
    assert (H.vertices, H.weights) == (("b", "alone", "a"), (Fraction(1, 10),))
    assert H.annotations == Annotations(
        vertex_weights={"b": Fraction(2), "alone": Fraction(1)},
        vertex_attributes={"b": {"age": 3.5}},
        hyperedge_attributes={"e": {"colour": "red"}},
        incidences={("e", "a"): (IncidenceRecord(None, None, {"role": "x"}),)},
    )


def test_pandas_holds_lonely_things_in_the_table_of_incidences_alone(pd):
    H = Hypergraph.from_hyperedges({"e": [1, 2], "none": []}, weights=[1, Fraction(1, 3)], vertices=[1, 2, 3])
    table = to_pandas(H).incidences
    assert list(table.columns) == ["vertex", "hyperedge", "weight"]
    assert len(table) == 4
    assert as_hypergraph(table) == H
    plain = to_pandas(Hypergraph.from_hyperedges({"e": [1, 2]})).incidences
    assert list(plain.columns) == ["vertex", "hyperedge"]
    assert plain["vertex"].dtype == np.int64


def test_pandas_holds_integers_beyond_all_floats_beside_floats(pd):
    H = Hypergraph.from_hyperedges([["a"], ["a", "b"]], weights=[10**400, Fraction(1, 2)])
    assert from_pandas(*to_pandas(H)) == H


def test_pandas_does_not_round_integers_beside_floats(pd):
    weights = [2**60 + 1, 0.5, 10**30]
    H = Hypergraph.from_hyperedges([[1], [2], [3]], weights=weights)
    assert from_pandas(*to_pandas(H)).weights == (2**60 + 1, Fraction(1, 2), 10**30)


@pytest.mark.parametrize("weights", [[10**400], [10**400, 3], [2**63, 1], [2**64 + 1, 1], [2**62, 0.5]])
def test_pandas_holds_large_integers(pd, weights):
    H = Hypergraph.from_hyperedges([["a"], ["a", "b"]][: len(weights)], weights=weights)
    assert from_pandas(*to_pandas(H)) == H


PANDAS_FAULTS = {
    "columns": ({"a": [1], "b": [2]}, "Expected one column vertex or node .* columns are 'a', 'b'"),
    "both": ({"vertex": [1], "node": [1], "edge": [2]}, "Expected one column vertex or node"),
    "float labels": ({"vertex": [1, None], "edge": [1, 2]}, r"Row 0 of the table: .* astype\('Int64'\)"),
    "two weights": ({"vertex": [1, 2], "edge": [1, 1], "weight": [1, 2]}, "Row 1 .* is 2 here and 1 elsewhere"),
    "weight zero": ({"vertex": [1], "edge": [1], "weight": [0]}, "must be positive"),
    "weight text": ({"vertex": [1], "edge": [1], "weight": ["x"]}, "'x' is not a number"),
    "nothing": ({"vertex": ["a", None], "edge": ["e", None]}, "Row 1 of the table: it names no hyperedge"),
    "direction": ({"vertex": [1], "edge": [1], "direction": ["up"]}, "must be head or tail"),
    "no vertex": ({"vertex": ["a", None], "edge": ["e", "f"], "role": [None, "x"]}, "Row 1 .* names no vertex"),
}


@pytest.mark.parametrize("name", PANDAS_FAULTS)
def test_pandas_faults_say_where(pd, name):
    columns, message = PANDAS_FAULTS[name]
    with pytest.raises(HypergraphError, match=message):
        as_hypergraph(pd.DataFrame(columns))


def test_pandas_columns_with_several_names_each_are_refused(pd):
    table = pd.DataFrame([["a", "e"]], columns=pd.MultiIndex.from_tuples([("x", "vertex"), ("x", "edge")]))
    with pytest.raises(HypergraphError, match=r"2 rows of column names.*get_level_values\(-1\)"):
        as_hypergraph(table)
    table.columns = table.columns.get_level_values(-1)
    assert as_hypergraph(table).members_of("e") == ("a",)


def test_pandas_tables_have_each_label_once(pd):
    table = pd.DataFrame({"vertex": ["a"], "hyperedge": ["e"]})
    with pytest.raises(HypergraphError, match="two rows of vertex 'a'"):
        from_pandas(table, pd.DataFrame(index=["a", "a"]))
    with pytest.raises(HypergraphError, match="two hyperedges 'e'"):
        from_pandas(table, None, pd.DataFrame(index=["e", "e"]))
    with pytest.raises(HypergraphError, match="no column 'cost'; its columns are 'vertex', 'hyperedge'"):
        from_pandas(table, weight="cost")


def test_the_labels_of_attributes_are_in_a_column_or_in_the_index(pd):
    table = pd.DataFrame({"vertex": ["a", "b"], "hyperedge": ["e", "e"]})
    by_column = pd.DataFrame({"hyperedge": ["f", "e"], "weight": [2, 7]})
    expected = Hypergraph.from_hyperedges({"f": [], "e": ["a", "b"]}, weights={"e": 7, "f": 2})
    filtered = pd.concat([by_column[:0], by_column]).set_axis([5, 3])
    for hyperedges in (
        by_column,
        filtered,
        by_column.rename(columns={"hyperedge": "edge"}),
        by_column.set_index("hyperedge"),
    ):
        assert from_pandas(table, hyperedges=hyperedges) == expected
    vertices = pd.DataFrame({"who": ["b"], "age": [3]})
    H = from_pandas(table.rename(columns={"vertex": "who"}), vertices, vertex="who")
    assert (H.vertices, H.annotations.vertex_attributes) == (("b", "a"), {"b": {"age": 3}})
    costs = by_column.rename(columns={"weight": "cost"})
    assert from_pandas(table, hyperedges=costs, weight="cost") == expected


def test_attributes_named_like_labels_come_back(pd):
    kept = Annotations(vertex_attributes={"a": {"vertex": "x"}}, hyperedge_attributes={0: {"edge": 1, "node": 2}})
    H = Hypergraph.from_hyperedges({0: ["a"]}, annotations=kept)
    assert from_pandas(*to_pandas(H)) == H


def test_rows_of_one_incidence_that_contradict_each_other_are_warned_of(pd):
    table = pd.DataFrame({"vertex": ["a", "a"], "hyperedge": ["e", "e"], "role": ["x", "y"]})
    with pytest.warns(HyloopWarning, match=r"the attribute 'role' of vertex 'a' in hyperedge 'e' is 'y', before 'x'\."):
        assert from_pandas(table).annotations.incidences["e", "a"][0].attributes == {"role": "y"}


def test_attributes_without_labels_are_refused(pd):
    table = pd.DataFrame({"vertex": ["a"], "hyperedge": ["e"]})
    with pytest.raises(HypergraphError, match=r"no column hyperedge or edge, .* its columns are 'id'"):
        from_pandas(table, hyperedges=pd.DataFrame({"id": ["e"]}))
    with pytest.raises(HypergraphError, match=r"may be its index or its column 'node': name the index 'vertex'"):
        from_pandas(table, pd.DataFrame({"node": ["b"]}, index=["a"]))
    with pytest.raises(HypergraphError, match="two columns 'weight'"):
        from_pandas(table, None, pd.DataFrame([[1, 2]], columns=["weight", "weight"]))
    numbered = from_pandas(table.assign(hyperedge=[1]), hyperedges=pd.DataFrame({"weight": [2, 3]}))
    assert (numbered.hyperedges, numbered.weights) == ((0, 1), (2, 3))


@pytest.mark.parametrize("what", ["vertex", "hyperedge"])
def test_numbers_of_rows_that_name_some_labels_are_refused(pd, what):
    other = {"vertex": "hyperedge", "hyperedge": "vertex"}[what]
    table = pd.DataFrame({other: ["a", "a", "a"], what: [1, 2, 3]})
    attributes = pd.DataFrame({"weight": [10, 20, 30]})  # of 1, 2 and 3, or of 0, 1 and 2
    given = {"vertex": "vertices", "hyperedge": "hyperedges"}[what]
    with pytest.raises(HypergraphError, match=rf"only some in .*index\.name = '{what}' says"):
        from_pandas(table, **{given: attributes})
    named = attributes.rename_axis(what)
    chosen = attributes.set_index(pd.RangeIndex(1, 4))
    assert getattr(from_pandas(table, **{given: named}), given) == (0, 1, 2, 3)
    assert getattr(from_pandas(table, **{given: chosen}), given) == (1, 2, 3)
    assert getattr(from_pandas(table, **{given: chosen[:2]}), given) == (1, 2, 3)


def test_pandas_integers_with_empty_cells_can_be_kept(pd):
    table = pd.DataFrame({"vertex": pd.array([1, None], "Int64"), "edge": pd.array([1, 2], "Int64")})
    assert as_hypergraph(table) == Hypergraph.from_hyperedges({1: [1], 2: []})


@pytest.mark.parametrize("directions", [(None, "tail"), ("tail", None)])
@pytest.mark.parametrize("role", [None, "x"])
def test_pandas_a_row_without_a_direction_beside_one_with_a_direction_is_both(pd, directions, role):
    roles = [role if each is None else None for each in directions]
    table = pd.DataFrame({"vertex": ["c", "c"], "hyperedge": ["e", "e"], "direction": directions, "role": roles})
    H = from_pandas(table)
    assert (H.tails_of("e"), H.heads_of("e")) == (("c",), ("c",))
    assert from_pandas(*to_pandas(H)) == H


def test_from_pandas_takes_what_to_pandas_makes(pd):
    H = Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"], "tug": ["Mole"]}, vertices=["Light"], weights=[0.5, 2])
    made = to_pandas(H)
    assert from_pandas(made) == from_pandas(*made) == as_hypergraph(made) == H
    assert from_pandas(made, weight=None).weights == (1, 1)
    assert from_pandas(made, pd.DataFrame({"vertex": ["Mole"]})).vertices[0] == "Mole"


def test_pandas_incidence_weight_counts_before_a_weight_that_is_not_asked_for(pd):
    table = pd.DataFrame({"vertex": ["a"], "hyperedge": ["e"], "weight": [7], "incidence_weight": [2], "fare": [3]})
    with pytest.warns(HyloopWarning, match="'weight' of vertex 'a' in hyperedge 'e', 7, beside which 2 counts"):
        H = from_pandas(table, weight="fare")
    assert H.weights == (3,)
    assert H.annotations.incidences == {("e", "a"): (IncidenceRecord(None, Fraction(2)),)}


def test_pandas_direction_that_is_an_array_is_refused(pd):
    table = pd.DataFrame({"vertex": ["a"], "hyperedge": ["e"], "direction": pd.Series([np.array([1, 2])])})
    with pytest.raises(HypergraphError, match=r"the direction is array.*; it must be head or tail"):
        from_pandas(table)


def test_pandas_narrow_floats_mean_the_same_however_they_are_held(pd):
    pa = pytest.importorskip("pyarrow")
    numbers = np.array([0.1, 0.25], np.float32)
    arrow = pd.array(numbers, dtype=pd.ArrowDtype(pa.float32()))
    for held in (numbers, arrow, pd.array(numbers, dtype="Float32"), pd.Categorical(numbers), pd.Categorical(arrow)):
        table = pd.DataFrame({"vertex": ["a", "b"], "hyperedge": [1, 2], "weight": held})
        assert from_pandas(table).weights == (Fraction(1, 10), Fraction(1, 4))


def test_a_series_is_a_dictionary_by_its_index(pd):
    members = {"e": ["a"], "f": ["b"]}
    weights = pd.Series({"f": 2, "e": 5})
    assert Hypergraph.from_hyperedges(members, weights).weights == (5, 2)
    assert Hypergraph.from_hyperedges(pd.Series(members)) == Hypergraph.from_hyperedges(members)
    with pytest.raises(HypergraphError, match=r"this Series has an index of its own; weights\.to_numpy\(\)"):
        Hypergraph.from_arrays([0, 1], [0, 1], weights)
    with pytest.raises(HypergraphError, match="has 'e' twice"):
        Hypergraph.from_hyperedges(members, pd.Series([1, 2], index=["e", "e"]))


def test_a_series_that_counts_its_entries_is_a_list(pd):
    members = [["a"], ["b"]]
    weights = pd.Series([0.1, 0.5], dtype="float32")
    assert Hypergraph.from_hyperedges(members, weights).weights == (Fraction(1, 10), Fraction(1, 2))
    assert Hypergraph.from_arrays([0, 1], [0, 1], weights).weights == (Fraction(1, 10), Fraction(1, 2))
    counted = Hypergraph.from_hyperedges({1: ["a"], 0: ["b"]}, weights)  # unless these are the labels
    assert counted.weights == (Fraction(1, 2), Fraction(1, 10))


def test_columns_of_incidences_belong_together(pd):
    table = pd.DataFrame({"v": [0, 1, 1, 2], "e": [0, 0, 1, 1], "d": [-1, 1, -1, 1]}, index=[4, 3, 2, 1])
    assert Hypergraph.from_arrays(table["v"], table["e"]).members_of(1) == (1, 2)
    for order in ({"vertices": table["v"].sort_index()}, {"direction": table["d"].sort_index()}):
        with pytest.raises(HypergraphError, match="these Series have another index each"):
            Hypergraph.from_arrays(**{"vertices": table["v"], "hyperedges": table["e"], **order})
    beside = {"vertices": [0, 1, 1, 2], "hyperedges": [0, 0, 1, 1]}  # lists have an order and no index
    for name, column in (("vertices", "v"), ("hyperedges", "e"), ("direction", "d")):
        with pytest.raises(HypergraphError, match=f"{name} is in order, and this Series has an index of its own"):
            Hypergraph.from_arrays(**{**beside, name: table[column]})
        assert Hypergraph.from_arrays(**{**beside, name: table[column].reset_index(drop=True)}).members_of(1) == (1, 2)
    with pytest.raises(HypergraphError, match="weight is in order, and this Series has an index of its own"):
        HypergraphBatch.from_arrays([2], [2], [0, 1, 2], [0, 1], weight=pd.Series([5, 7], index=[1, 0]))
