"""Random hypergraphs for property tests, with every awkward thing that a hypergraph may have."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from hypothesis import strategies as st

from hyloop.hypergraph import Annotations, Hypergraph, IncidenceRecord

# Few short labels, so that they meet; with the characters that formats trip over.
AWKWARD = ["", "1", "-7", "007", "*", "a b", " a", "a ", "a:b", "x|y", "#c", 'q"q', "a,b", "é", "\n", "\r", "\ufeffz"]
strings = st.sampled_from(AWKWARD) | st.text(st.characters(codec="utf-8"), max_size=4)
labels = st.integers(-20, 20) | strings

decimals = st.builds(Decimal, st.integers(1, 10**6)).flatmap(
    lambda number: st.integers(-30, 30).map(lambda places: Decimal(f"{number}E{places}"))
)
positive_decimals = decimals.map(Fraction)
positive_fractions = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | decimals | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
attributes = st.dictionaries(st.text(max_size=5), json_values, max_size=3)


def plain(labels=labels, weights=positive_fractions):
    """Hypergraphs without annotations."""
    members = st.dictionaries(labels, st.lists(labels, max_size=4), max_size=5)
    return st.builds(
        lambda members, weights, vertices: Hypergraph.from_hyperedges(members, weights[: len(members)], vertices),
        members,
        st.lists(weights, min_size=5, max_size=5) | st.just([1] * 5),
        st.lists(labels, max_size=3),
    )


@st.composite
def annotated(draw):
    """Hypergraphs that carry everything HIF can hold."""
    H = draw(plain(weights=positive_decimals))
    pairs = [(hyperedge, vertex) for hyperedge in H.hyperedges for vertex in H.members_of(hyperedge)]
    signed = positive_decimals | positive_decimals.map(lambda number: -number) | st.just(Fraction(0))
    records = st.builds(
        IncidenceRecord,
        st.sampled_from([None, "head", "tail"]),
        st.none() | signed,
        attributes,
    )
    not_weight = attributes.map(lambda attrs: {name: value for name, value in attrs.items() if name != "weight"})
    some = st.lists(records, max_size=3, unique_by=lambda record: record.direction).map(tuple)
    kept = Annotations(
        draw(st.sampled_from([None, "undirected", "directed", "asc"])),
        draw(attributes),
        _for_some(draw, H.vertices, signed),
        _for_some(draw, H.vertices, attributes),
        _for_some(draw, H.hyperedges, not_weight | st.just({"weight": "heavy"})),
        _for_some(draw, pairs, some),
    )
    return Hypergraph(H.vertices, H.hyperedges, H.incidence, H.weights, kept)


def _for_some(draw, keys, values):
    return {key: draw(values) for key in keys if draw(st.booleans())}
