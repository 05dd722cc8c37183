"""There and back through the real packages: what comes back is what went in, less the losses that are documented."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, given, settings

import hyloop
from effort import installed
from hyloop.errors import HyloopWarning, HypergraphError
from hyloop.hypergraph import Annotations, Hypergraph, IncidenceRecord, is_number
from hyloop.interop import (
    as_hypergraph,
    from_hypergraphx,
    from_hypernetx,
    from_networkx,
    from_pandas,
    from_pyg,
    from_scipy,
    from_xgi,
    to_hypergraphx,
    to_hypernetx,
    to_networkx,
    to_pandas,
    to_pyg,
    to_scipy,
    to_xgi,
)
from hypergraph_strategies import annotated, plain

# -- what each library can hold ---------------------------------------------------------------------------------


def without_names(attributes, *names):
    return {name: value for name, value in attributes.items() if name not in names}


def number_first(weight, attributes):
    """A weight and attributes after a place that has one entry `weight` for both."""
    if weight is not None:
        return weight, without_names(attributes, "weight")
    if is_number(attributes.get("weight")):
        return Fraction(attributes["weight"]), without_names(attributes, "weight")
    return None, attributes


def merged(H: Hypergraph) -> Hypergraph:
    """`H` where weights are entries of the attributes, and an undirected hypergraph needs no word for it."""
    kept = H.annotations
    pairs = {v: number_first(kept.vertex_weights.get(v), kept.vertex_attributes.get(v, {})) for v in H.vertices}
    weighted = any(weight != 1 for weight in H.weights)
    own = ("weight",) if weighted else ()
    return with_annotations(
        H,
        network_type=kept.network_type if H.directed else None,
        vertex_weights={v: weight for v, (weight, _) in pairs.items() if weight is not None},
        vertex_attributes={v: attributes for v, (_, attributes) in pairs.items()},
        hyperedge_attributes={e: without_names(said, *own) for e, said in kept.hyperedge_attributes.items()},
        incidences={
            pair: tuple(IncidenceRecord(r.direction, *number_first(r.weight, r.attributes)) for r in records)
            for pair, records in kept.incidences.items()
        },
    )


def with_annotations(H: Hypergraph, **changes) -> Hypergraph:
    return replace(H, annotations=replace(H.annotations, **changes))


def bare(H: Hypergraph) -> Hypergraph:
    return replace(H, annotations=Annotations())


def through_xgi(H):
    H = merged(H)
    directions = {
        pair: tuple(IncidenceRecord(record.direction) for record in records)
        for pair, records in H.annotations.incidences.items()
    }
    return with_annotations(H, incidences=directions)


def through_networkx(H):
    H = merged(H)
    kept = H.annotations
    return with_annotations(
        H,
        vertex_attributes={v: without_names(said, "bipartite") for v, said in kept.vertex_attributes.items()},
        hyperedge_attributes={e: without_names(said, "bipartite") for e, said in kept.hyperedge_attributes.items()},
    )


def through_hypernetx(H):
    def said(attributes):  # a column of numbers has the name weight there
        return {name: value for name, value in attributes.items() if name != "weight" or is_number(value)}

    H = without_lonely(merged(H))
    kept = H.annotations
    name = kept.metadata.get("name")
    return with_annotations(
        H,
        metadata={"name": name} if isinstance(name, str) else {},
        vertex_weights={v: weight for v, weight in kept.vertex_weights.items() if weight != 1},
        vertex_attributes={v: said(attributes) for v, attributes in kept.vertex_attributes.items()},
        hyperedge_attributes={e: said(attributes) for e, attributes in kept.hyperedge_attributes.items()},
        incidences={
            pair: tuple(
                replace(r, weight=None if r.weight == 1 else r.weight, attributes=said(r.attributes)) for r in records
            )
            for pair, records in kept.incidences.items()
        },
    )


def without_lonely(H):
    members = {e: H.members_of(e) for e in H.hyperedges if H.members_of(e)}
    vertices = [v for v in H.vertices if H.hyperedges_of(v)]
    kept = H.annotations
    fewer = replace(
        kept,
        vertex_weights={v: weight for v, weight in kept.vertex_weights.items() if v in vertices},
        vertex_attributes={v: said for v, said in kept.vertex_attributes.items() if v in vertices},
        hyperedge_attributes={e: said for e, said in kept.hyperedge_attributes.items() if e in members},
    )
    return Hypergraph.from_hyperedges(members, {e: H.weight_of(e) for e in members}, vertices, annotations=fewer)


def through_hypergraphx(H):
    H = merged(H)
    members = {e: H.members_of(e) for e in sorted(H.hyperedges, key=lambda e: not H.members_of(e))}
    kept = H.annotations
    less = replace(
        kept,
        metadata=without_names(kept.metadata, "weighted", "type"),
        hyperedge_attributes={e: without_names(said, "edge") for e, said in kept.hyperedge_attributes.items()},
    )
    return Hypergraph.from_hyperedges(members, {e: H.weight_of(e) for e in members}, H.vertices, annotations=less)


def through_pandas(H):
    def said(attributes):
        return {name: value for name, value in attributes.items() if value is not None}

    own = ("vertex", "hyperedge", "node", "edge", "weight", "direction", "incidence_weight")
    incidences = H.annotations.incidences
    H = merged(H)
    kept = H.annotations
    directed = any(record.direction for records in incidences.values() for record in records)
    return with_annotations(
        H,
        network_type="directed" if directed else None,
        metadata={},
        vertex_attributes={v: said(attributes) for v, attributes in kept.vertex_attributes.items()},
        hyperedge_attributes={e: said(attributes) for e, attributes in kept.hyperedge_attributes.items()},
        incidences={
            pair: tuple(replace(r, attributes=said(without_names(r.attributes, *own))) for r in records)
            for pair, records in incidences.items()
        },
    )


def anything(_H):
    return True


def sortable(H):
    members = [H.members_of(e) for e in H.hyperedges if H.members_of(e)]
    return len({frozenset(each) for each in members}) == len(members) and all(
        len({type(vertex) for vertex in each}) <= 1 for each in members
    )


@dataclass(frozen=True)
class Case:
    package: str
    there: Callable
    back: Callable
    through: Callable
    holds: Callable = anything
    exact: bool = True  # holds Fractions; if not, floats only
    complete: bool = True  # holds vertices in no hyperedge, empty hyperedges, and their order

    def __str__(self) -> str:
        return self.package


XGI = Case("xgi", to_xgi, from_xgi, through_xgi)
NETWORKX = Case("networkx", to_networkx, from_networkx, through_networkx)
PANDAS = Case("pandas", to_pandas, lambda tables: from_pandas(*tables), through_pandas)
CASES = tuple(
    case
    for case in (
        XGI,
        NETWORKX,
        PANDAS,
        Case("hypernetx", to_hypernetx, from_hypernetx, through_hypernetx, complete=False),
        Case("hypergraphx", to_hypergraphx, from_hypergraphx, through_hypergraphx, sortable, complete=False),
        Case("torch_geometric", to_pyg, from_pyg, bare, exact=False),
        Case("scipy", to_scipy, lambda matrix: from_scipy(*matrix), bare, exact=False),
    )
    if installed(case.package)
)
every_case = pytest.mark.parametrize("case", CASES, ids=str)
own_fixture = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@pytest.fixture(autouse=True)
def package(case, library):
    """The library of the case, imported before the test begins."""
    library(case.package)


def float_means(weight: Fraction) -> bool:
    return hyloop.hypergraph.exact(float(weight)) == weight


# -- properties -------------------------------------------------------------------------------------------------


@every_case
@own_fixture
@given(H=plain())
def test_plain_hypergraphs_come_back_exactly(case, H):
    assume(case.holds(H) and (case.exact or all(map(float_means, H.weights))))
    with warnings.catch_warnings():
        warnings.simplefilter("error" if case.complete else "ignore")
        warnings.filterwarnings("ignore", message="The sparse matrix is square and symmetric")
        again = case.back(case.there(H))
    assert again == case.through(H)
    if case.complete:
        assert again == H


@every_case
@own_fixture
@given(H=annotated())
def test_annotations_come_back_as_far_as_the_library_holds_them(case, H):
    H = H.ignoring_direction()
    assume(case.holds(H))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HyloopWarning)
        again = case.back(case.there(H))
    assert again == case.through(H)


@pytest.mark.parametrize("case", [XGI, NETWORKX, PANDAS], ids=str)
@own_fixture
@given(H=annotated())
def test_directions_come_back(case, H):
    both = {
        pair: tuple(record for record in records if record.direction)
        or (IncidenceRecord("tail", records[0].weight, records[0].attributes),)
        for pair, records in H.annotations.incidences.items()
    }
    every = {(e, v): both.get((e, v), (IncidenceRecord("head"),)) for e in H.hyperedges for v in H.members_of(e)}
    H = with_annotations(H, incidences=every, network_type="directed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HyloopWarning)
        again = case.back(case.there(H))
    assert again == case.through(H)


# -- examples ---------------------------------------------------------------------------------------------------

HARBOUR = Hypergraph.from_hyperedges(
    {"ferry": ["Quay", "Isle", "Mill"], "road": ["Quay", "Mill"], "lane": ["Mill"]},
    weights={"ferry": 0.1, "road": 3},
)


@every_case
def test_real_data_goes_through_the_library_and_gives_the_same_distances(case, davis):
    if not case.holds(davis):  # two events had the same guests: one of them is left
        guests = {frozenset(davis.members_of(event)): event for event in davis.hyperedges}
        davis = Hypergraph.from_hyperedges({event: davis.members_of(event) for event in guests.values()})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HyloopWarning)
        again = case.back(case.there(davis))
        taken = as_hypergraph(case.there(davis))
    assert again == taken == case.through(davis)
    assert again.weights == davis.weights
    source = davis.vertices[0]
    distance = hyloop.run("dijkstra", davis, source=source, backend="interpreter")["distance"]
    assert hyloop.run("dijkstra", taken, source=source, backend="interpreter")["distance"] == distance


@every_case
def test_weights_come_back_as_the_decimals_they_were(case):
    assert case.back(case.there(HARBOUR)) == HARBOUR
    assert case.back(case.there(HARBOUR)).weights == (Fraction(1, 10), 3, 1)


@every_case
def test_a_weight_that_no_float_means_is_kept_or_warned_of(case):
    third = Hypergraph.from_hyperedges({"e": ["a", "b"]}, weights=[Fraction(1, 3)])
    if case.exact:
        assert case.back(case.there(third)) == third
    else:
        with pytest.warns(HyloopWarning, match="cannot hold the exact weight 1/3 of hyperedge 'e'"):
            matrix = case.there(third)
        assert case.back(matrix).weights == (Fraction(3333333333333333, 10**16),)


@every_case
def test_a_weight_beyond_floats_is_kept_or_refused(case):
    huge = Hypergraph.from_hyperedges({"e": ["a", "b"]}, weights=[10**400])
    if case.exact:
        assert case.back(case.there(huge)) == huge
    else:
        with pytest.raises(HypergraphError, match="beyond all floats"):
            case.there(huge)


@every_case
def test_lonely_vertices_and_empty_hyperedges_are_kept_or_warned_of(case):
    H = Hypergraph.from_hyperedges({"none": [], "e": ["b", "c"]}, weights={"none": 5}, vertices=["alone", "b"])
    if case.package == "hypernetx":
        with pytest.warns(
            HyloopWarning, match=r"vertices in no hyperedge \(there are 1\); hyperedges without vertices"
        ):
            made = case.there(H)
        assert case.back(made) == Hypergraph.from_hyperedges({"e": ["b", "c"]})
    else:
        again = case.back(case.there(H))
        assert again == case.through(H)
        assert set(again.hyperedges) == {"none", "e"}
        assert again.vertices == H.vertices
        assert again.weight_of("none") == 5


@every_case
def test_what_is_lost_is_said(case):
    kept = Annotations(
        "asc",
        {"source": "a map"},
        {"Quay": Fraction(2)},
        {"Quay": {"deep": True}},
        {"ferry": {"colour": "red"}},
        {("ferry", "Quay"): (IncidenceRecord(None, Fraction(2), {"role": "end"}),)},
    )
    H = replace(HARBOUR, annotations=kept)
    expected = {
        "xgi": "the network type asc; weights of incidences; attributes of incidences",
        "networkx": "the network type asc",
        "pandas": "the metadata; the network type asc",
        "hypernetx": "the network type asc; metadata other than a name",
        "hypergraphx": "the network type asc",
    }
    everything = (
        "the metadata; the network type asc; weights of vertices; attributes of vertices; attributes of hyperedges; "
        "weights of incidences; attributes of incidences"
    )
    with pytest.warns(HyloopWarning) as caught:
        made = case.there(H)
    assert [f"cannot hold {expected.get(case.package, everything)}. " in str(each.message) for each in caught] == [True]
    assert caught[0].filename == __file__
    assert case.back(made) == case.through(H)


@every_case
def test_hostile_labels_survive(case):
    names = ["", "1", " ", "nan", "None", "NaN", "a\nb", "é", "💧", "hyperedge", "NA", "True", "\ufeff"]
    strings = Hypergraph.from_hyperedges({name: [name, *names[:3]] for name in names[3:]}, vertices=names[3:])
    integers = [0, 1, -1, 2**63, -(2**64), 10**30]
    numbers = Hypergraph.from_hyperedges({n: [n, 7] for n in integers}, vertices=[7, *integers])
    for H in (strings, numbers):
        assert case.back(case.there(H)) == H
    mixed = Hypergraph.from_hyperedges({1: ["1", "2"], "1": [1, 2]}, weights={"1": 2}, vertices=[1, "1", 2, "2"])
    assert case.back(case.there(mixed)) == mixed


@every_case
def test_the_empty_hypergraph_goes_through(case):
    H = Hypergraph.from_hyperedges([])
    assert case.back(case.there(H)) == H


@every_case
def test_a_directed_hypergraph_is_held_or_refused(case):
    directions = {("road", "Quay"): (IncidenceRecord("tail"),), ("road", "Mill"): (IncidenceRecord("head"),)}
    H = Hypergraph.from_hyperedges(
        {"road": ["Quay", "Mill"]}, annotations=Annotations("directed", incidences=directions)
    )
    if case in (XGI, NETWORKX, PANDAS):
        assert case.back(case.there(H)) == H
        with pytest.raises(HypergraphError, match="ignore_direction=True"):
            case.back(case.there(H)).require_undirected()
    else:
        with pytest.raises(HypergraphError, match=r"cannot hold directions here; convert h.ignoring_direction\(\)"):
            case.there(H)
