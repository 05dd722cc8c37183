"""Breadth-first search: Dijkstra's algorithm with every hyperedge costing one step, whatever its weight."""

from hyloop.lang import Count, Flag, Hyperedge, Outputs, Vertex, algorithm, argmin, first, known


@algorithm
def bfs(h, source: Vertex):
    """Level of every vertex: the number of hyperedges to cross from `source`."""
    level = h.vertices.state(Count, 0)
    predecessor = h.vertices.state(Vertex)
    hyperedge = h.vertices.state(Hyperedge)
    settled = h.vertices.state(Flag, False)
    key = h.hyperedges.state(Count, 0)  # level of what a waiting hyperedge leads to
    waiting = h.hyperedges.state(Flag, False)
    queued = h.hyperedges.state(Flag, False)

    settled[source] = True
    queued.assign(True, where=h.containing(source))
    waiting.assign(True, where=h.containing(source))
    key.assign(1, where=h.containing(source))

    with h.loop(at_most=h.hyperedges.count + 1) as loop:
        edge, best = argmin(key, where=waiting)
        loop.stop_when(edge.is_none)
        members = h.members(edge)
        fresh = members & ~settled
        tail = first(members & settled & (level + 1 == best))
        level.assign(best, where=fresh)
        hyperedge.assign(edge, where=fresh)
        predecessor.assign(tail, where=fresh)
        settled.assign(True, where=fresh)
        waiting[edge] = False
        reached = h.touching(fresh) & ~queued
        key.assign(best + 1, where=reached)
        waiting.assign(True, where=reached)
        queued.assign(True, where=reached)
    return Outputs(level=known(level, where=settled), predecessor=predecessor, hyperedge=hyperedge)
