"""Objects as the users of HyperNetX make them: `make test-interop`."""

from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np
import pytest

from hyloop.errors import HyloopWarning, HypergraphError
from hyloop.hypergraph import Annotations, Hypergraph, IncidenceRecord
from hyloop.interop import as_hypergraph, from_hypernetx, to_hypernetx


@pytest.fixture
def hnx(library):
    return library("hypernetx")


@pytest.fixture
def pd(library):
    return library("pandas")


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # HyperNetX 2.4 with pandas 3.1
def test_hypernetx_tables_are_read_with_all_their_properties(hnx, pd):
    incidences = pd.DataFrame({"e": ["f", "f", 2], "n": ["a", 1, "a"], "weight": [1, 0.5, 1], "role": ["x", None, "y"]})
    hyperedges = pd.DataFrame({"uid": ["f", 2], "weight": [0.1, 3], "colour": ["red", None]})
    made = hnx.Hypergraph(incidences, edge_properties=hyperedges, name="harbour")
    H = from_hypernetx(made)
    assert (H.vertices, H.hyperedges, H.weights) == (("a", 1), ("f", 2), (Fraction(1, 10), 3))
    assert H.annotations.metadata == {"name": "harbour"}
    assert H.annotations.hyperedge_attributes == {"f": {"colour": "red"}}
    assert H.annotations.incidences == {
        ("f", "a"): (IncidenceRecord(None, None, {"role": "x"}),),
        ("f", 1): (IncidenceRecord(None, Fraction(1, 2)),),
        (2, "a"): (IncidenceRecord(None, None, {"role": "y"}),),
    }


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_hypernetx_lists_are_read(hnx):
    H = as_hypergraph(hnx.Hypergraph([[1, 2], [2, 3]]))
    assert (H.vertices, H.hyperedges, H.members_of(1)) == ((1, 2, 3), (0, 1), (2, 3))


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_hypernetx_directions_and_labels(hnx, pd):
    directed = hnx.Hypergraph(pd.DataFrame({"e": ["f", "f"], "n": ["a", "b"], "direction": ["tail", "head"]}))
    assert from_hypernetx(directed).directed
    bad = hnx.Hypergraph(pd.DataFrame({"e": ["f", "f"], "n": [1.5, 2.5]}))
    with pytest.raises(HypergraphError, match=r"1.5.* cannot be a label: .* Rename the uids"):
        from_hypernetx(bad)


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_hypernetx_works_with_what_is_written(hnx):
    made = to_hypernetx(Hypergraph.from_hyperedges({"e": [1, 2, 3], "f": [3, 4]}, weights=[0.5, 2]))
    assert made.edges["e"].weight == 0.5
    assert made.is_connected()
    assert made.restrict_to_edges(["e"]).shape == (3, 1)
    assert set(from_hypernetx(made.restrict_to_edges(["e"])).vertices) == {1, 2, 3}


def test_an_attribute_that_becomes_the_direction_is_warned_of(library):
    library("hypernetx")
    named = Annotations(incidences={("e", "a"): (IncidenceRecord(None, None, {"direction": "head"}),)})
    with pytest.warns(HyloopWarning, match="'direction' among the attributes of incidences other than"):
        made = to_hypernetx(Hypergraph.from_hyperedges({"e": ["a"]}, annotations=named))
    assert from_hypernetx(made).directed


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_hypernetx_columns_count_before_misc_properties(hnx, pd):
    incidences = pd.DataFrame({"e": ["f"], "n": ["a"]})
    hyperedges = pd.DataFrame({"uid": ["f"], "weight": [3], "misc_properties": [{"weight": 7, "colour": "red"}]})
    made = hnx.Hypergraph(incidences, edge_properties=hyperedges, misc_properties_col="misc_properties")
    made.edges.property_store.properties.loc["f", "weight"] = 3
    with pytest.warns(HyloopWarning, match="'weight' of hyperedge 'f', 7, beside which 3 counts"):
        H = from_hypernetx(made)
    assert H.weights == (3,)
    assert H.annotations.hyperedge_attributes == {"f": {"colour": "red"}}


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_hypernetx_properties_that_are_arrays_are_left_out(hnx, pd):
    pair = np.array([1, 2])
    incidences = pd.DataFrame({"e": ["f"], "n": ["a"], "misc_properties": [{"direction": pair}]})
    vertices = pd.DataFrame({"uid": ["a"], "weight": pd.Series([pair], dtype=object)})
    made = hnx.Hypergraph(incidences, misc_cell_properties_col="misc_properties", node_properties=vertices)
    with pytest.warns(HyloopWarning, match="cannot be kept in a hypergraph and was left out, and so were 1 more"):
        assert from_hypernetx(made).annotations == Annotations()


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # HyperNetX 2.4 with pandas 3.1
@pytest.mark.filterwarnings("ignore:From HyperNetX, nan among the attributes")
def test_hypernetx_weights_of_those_that_state_none(hnx):
    columns = {"misc_cell_properties_col": "misc_properties", "misc_edge_properties_col": "misc_properties"}
    sets = {"ferry": ["Quay", "Isle"], "road": ["Isle", "Mill"]}
    assert as_hypergraph(hnx.Hypergraph(sets, default_edge_weight=3, **columns)).weights == (3, 3)
    stated = hnx.Hypergraph(sets, edge_properties={"ferry": {"weight": 5}}, default_edge_weight=3, **columns)
    assert as_hypergraph(stated).weights == (5, 3)
    assert from_hypernetx(stated, weight=None).weights == (1, 1)


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # HyperNetX 2.4 with pandas 3.1
def test_hypernetx_order_is_its_own(hnx):
    """The tables of what it derives are in the order of a set, which differs from process to process."""
    labels = [f"v{n}" for n in range(40)]
    H = hnx.Hypergraph({"e": labels, "f": labels[::-3]}, misc_cell_properties_col="misc_properties")
    for derived in (H, H.clone(), H.rename(nodes={"v3": "w"}, inplace=False), H + H):
        assert from_hypernetx(derived).vertices == tuple(derived.nodes)
        assert from_hypernetx(derived).hyperedges == tuple(derived.edges)


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_hypernetx_made_here_has_the_order_of_the_hypergraph(hnx):
    H = Hypergraph.from_hyperedges({"f": ["b"], "e": ["a", "c"]}, vertices=["c", "a"])
    made = to_hypernetx(H)
    assert from_hypernetx(made).vertices == H.vertices != tuple(made.nodes)
    kept = made.remove_nodes("a", inplace=False)
    assert set(from_hypernetx(kept).vertices) == {"b", "c"}


def test_hypernetx_has_no_label_beyond_all_floats(hnx):
    assert from_hypernetx(to_hypernetx(Hypergraph.from_hyperedges([[2**64 + 1, 2]]))).vertices == (2**64 + 1, 2)
    with pytest.raises(HypergraphError, match="an integer beyond all floats; make it a string"):
        to_hypernetx(Hypergraph.from_hyperedges([[10**400, 2]]))


@pytest.mark.filterwarnings("ignore:Downcasting object dtype")  # HyperNetX 2.4 with pandas 2
@pytest.mark.parametrize(
    "weights", [[10**400], [10**400, 3], [2**63, 1], [2**64 + 1, 1], [2**53 + 1, 0.5], [2**63, 0.5], [10**400, 0.1]]
)
def test_hypernetx_rounds_no_weight(hnx, weights):
    H = Hypergraph.from_hyperedges([["a"], ["a", "b"]][: len(weights)], weights=weights)
    with warnings.catch_warnings():
        warnings.simplefilter("error", HyloopWarning)
        assert from_hypernetx(to_hypernetx(H)).weights == H.weights
