"""Depth-first search: the vertex that was stamped last comes next, the lowest number first."""

from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, argmax, known


@algorithm
def dfs(h, source: Vertex):
    """Preorder number (from 1) and parent in the search that tries neighbours in increasing number."""
    order = h.vertices.state(Count, 0)
    predecessor = h.vertices.state(Vertex)
    visited = h.vertices.state(Flag, False)
    waiting = h.vertices.state(Flag, False)
    stamp = h.vertices.state(Count, 0)  # when a visited neighbour last stamped it
    clock = h.state(Count, 0)

    waiting[source] = True

    with h.loop(at_most=h.vertices.count + 1) as loop:
        vertex, _ = argmax(stamp, where=waiting)
        loop.stop_when(vertex.is_none)
        clock.assign(clock + 1)
        order[vertex] = clock
        visited[vertex] = True
        waiting[vertex] = False
        fresh = h.covered(h.containing(vertex)) & ~visited
        waiting.assign(True, where=fresh)
        stamp.assign(clock, where=fresh)
        predecessor.assign(vertex, where=fresh)
    return Outputs(order=known(order, where=visited), predecessor=predecessor)
