"""Least costs of derivations (Knuth's Dijkstra): each time the cheapest vertex that can be derived."""

from hyloop.lang import INFINITY, Flag, Hyperedge, Length, Outputs, algorithm, argmin, first, known, max, smaller

LIMIT = 200_000  # times the heaviest weight: costs from there on are beyond the bound


@algorithm
def b_distance(h):
    """Least cost of deriving a vertex: the costs of all tails of a hyperedge, and its weight."""
    distance = h.vertices.state(Length, INFINITY)
    hyperedge = h.vertices.state(Hyperedge)
    derived, beyond = h.vertices.state(Flag, False), h.vertices.state(Flag, False)
    key = h.hyperedges.state(Length, 0)  # its weight, and the costs of those tails that are derived
    ready = h.hyperedges.state(Flag, False)
    limit = h.state(Length, 0)

    key.assign(h.weight)
    limit.assign(LIMIT * max(h.weight))
    ready.assign(h.tails.within(derived) & h.heads.touching(~derived))

    with h.loop(at_most=h.vertices.count + 1) as loop:
        edge, best = argmin(key, where=ready)
        loop.stop_when(edge.is_none)
        vertex = first(h.heads.members(edge) & ~derived)
        derived[vertex] = True
        beyond[vertex] = best >= limit
        distance[vertex] = best
        hyperedge[vertex] = edge
        key.assign(smaller(key + best, limit), where=h.tails.containing(vertex))
        ready.assign(h.tails.within(derived) & h.heads.touching(~derived))
    return Outputs(distance=known(distance, unless=beyond), hyperedge=known(hyperedge, unless=beyond), beyond=beyond)
