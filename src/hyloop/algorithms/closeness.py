"""Closeness: from how many vertices each is reached, divided by the sum of their distances."""

from hyloop.lang import INFINITY, Count, Flag, Length, Outputs, algorithm, argmin, quotient, where


@algorithm
def closeness(h):
    """The number of vertices that a vertex is connected with, divided by the sum of the least distances to them."""
    distance = h.vertices.state(Length, INFINITY)
    key = h.hyperedges.state(Length, INFINITY)  # distance through a waiting hyperedge
    queued = h.hyperedges.state(Flag, False)
    farness = h.vertices.state(Length, 0)
    connected = h.vertices.state(Count, 0)

    with h.vertices.each() as source:
        distance.assign(INFINITY)
        distance[source] = 0
        around = h.containing(source)
        queued.assign(around)
        key.assign(where(around, h.weight, INFINITY))
        with h.loop(at_most=h.hyperedges.count + 1) as search:
            edge, best = argmin(key)
            search.stop_when(edge.is_none)
            fresh = h.members(edge) & (distance == INFINITY)
            distance.assign(best, where=fresh)
            key[edge] = INFINITY
            reached = h.touching(fresh) & ~queued
            key.assign(best + h.weight, where=reached)
            queued.assign(True, where=reached)
        finite = distance < INFINITY
        farness.assign(farness + where(finite, distance, 0))
        connected.assign(connected + 1, where=finite & (h.vertices.number != source))
    return Outputs(farness=farness, connected=connected, closeness=quotient(connected, farness))
