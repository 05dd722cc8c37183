"""Degradation: from one vertex to every other, the least weight of a hyperedge that contains both."""

from hyloop.lang import INFINITY, Flag, Length, Outputs, Vertex, algorithm, argmin


@algorithm
def degradation(h, source: Vertex):
    """Least weight of a hyperedge shared with `source`; 0 to itself, infinite where there is none."""
    distance = h.vertices.state(Length, INFINITY)
    waiting = h.hyperedges.state(Flag, False)

    distance[source] = 0
    waiting.assign(h.containing(source))

    with h.loop(at_most=h.hyperedges.count + 1) as loop:
        edge, weight = argmin(h.weight, where=waiting)
        loop.stop_when(edge.is_none)
        waiting[edge] = False
        distance.assign(weight, where=h.members(edge) & (distance == INFINITY))
    return Outputs(distance=distance)
