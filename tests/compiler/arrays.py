"""A program with inputs that are arrays, a hypergraph with attributes, and what it gives there."""

from hyloop import Attribute, Hypergraph
from hyloop.hypergraph import Annotations
from hyloop.lang import Count, Flag, Hyperedges, Length, Outputs, Vertices, algorithm, any, max, where

TOWNS = Hypergraph.from_hyperedges(
    {"ferry": ["Quay", "Isle"], "mail": ["Isle", "Mole", "Light"], "tug": ["Quay", "Mole"]},
    weights={"ferry": 4, "mail": 2, "tug": 1.5},
    annotations=Annotations(vertex_attributes={"Quay": {"people": 30}, "Isle": {"people": 7}}),
)
GIVEN = {"start": {"Light"}, "load": Attribute("people", default=1), "toll": {"ferry": 0.25, "mail": 1, "tug": 0}}


@algorithm
def spread(h, start: Vertices[Flag], load: Vertices[Count], toll: Hyperedges[Length]):
    """What is reached from `start`, and of each hyperedge how much it carries and costs."""
    seen = h.vertices.state(Flag, False)
    carried, fare = h.hyperedges.state(Count, 0), h.hyperedges.state(Length, 0)
    dearest = h.state(Length, 0)
    seen.assign(start)
    with h.loop(at_most=h.vertices.count + 1) as loop:
        fresh = h.covered(h.touching(seen)) & ~seen
        carried.assign(h.incidence.T @ where(seen, load, 0))
        fare.assign(toll + h.weight)
        dearest.assign(max(toll, where=h.touching(seen)))
        loop.stop_when(~any(fresh))
        seen.assign(True, where=fresh)
    return Outputs(seen=seen, carried=carried, fare=fare, dearest=dearest)


EXPECTED = {
    "seen": dict.fromkeys(TOWNS.vertices, True),
    "carried": {"ferry": 37, "mail": 9, "tug": 31},
    "fare": {"ferry": 4.25, "mail": 3, "tug": 1.5},
    "dearest": 1,
}
