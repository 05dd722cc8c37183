"""Closeness: the sum of the distances to each vertex, and from how many it is reached."""

from hyloop.lang import INFINITY, Count, Flag, Length, Outputs, algorithm, argmin, where


@algorithm
def closeness(h):
    """The sum of the least distances between a vertex and those that it is connected with, and their number."""
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
    return Outputs(farness=farness, connected=connected)
