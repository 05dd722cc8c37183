"""Diameter: the greatest of the least distances, with two vertices that are so far apart."""

from hyloop.lang import INFINITY, Flag, Length, Outputs, Vertex, algorithm, any, argmax, argmin, first, where


@algorithm
def diameter(h):
    """The greatest distance between two vertices, and the first two that have it; infinite if no path joins them."""
    distance = h.vertices.state(Length, INFINITY)
    key = h.hyperedges.state(Length, INFINITY)  # distance through a waiting hyperedge
    queued = h.hyperedges.state(Flag, False)
    greatest = h.state(Length, 0)
    one, other = h.state(Vertex), h.state(Vertex)

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
        apart = distance == INFINITY
        farthest, far = argmax(distance)
        further = where(any(apart), greatest < INFINITY, greatest < far)
        other.assign(where(any(apart), first(apart), farthest), where=further)
        one.assign(source, where=further)
        greatest.assign(where(any(apart), INFINITY, far), where=further)
    return Outputs(diameter=greatest, ends=[one, other])
