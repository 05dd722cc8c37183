"""Dijkstra's algorithm on a hypergraph: hyperedges wait in a queue, keyed by the distance through them."""

from hyloop.lang import INFINITY, Flag, Hyperedge, Length, Outputs, Vertex, algorithm, argmin, first


@algorithm
def dijkstra(h, source: Vertex):
    """Least distance from `source`; crossing a hyperedge costs its weight."""
    distance = h.vertices.state(Length, INFINITY)
    predecessor = h.vertices.state(Vertex)
    hyperedge = h.vertices.state(Hyperedge)
    settled = h.vertices.state(Flag, False)
    key = h.hyperedges.state(Length, INFINITY)  # distance through a waiting hyperedge
    queued = h.hyperedges.state(Flag, False)

    distance[source] = 0
    settled[source] = True
    queued.assign(True, where=h.containing(source))
    key.assign(h.weight, where=h.containing(source))

    with h.loop(at_most=h.hyperedges.count + 1) as loop:
        edge, best = argmin(key)
        loop.stop_when(edge.is_none)
        members = h.members(edge)
        fresh = members & ~settled
        tail = first(members & settled & (distance + h.weight[edge] == best))
        distance.assign(best, where=fresh)
        hyperedge.assign(edge, where=fresh)
        predecessor.assign(tail, where=fresh)
        settled.assign(True, where=fresh)
        key[edge] = INFINITY
        reached = h.touching(fresh) & ~queued
        key.assign(best + h.weight, where=reached)
        queued.assign(True, where=reached)
    return Outputs(distance=distance, predecessor=predecessor, hyperedge=hyperedge)
