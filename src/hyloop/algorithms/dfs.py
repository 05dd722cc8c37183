"""Depth-first search: the vertex that was stamped last comes next, the lowest number first."""

from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, argmax, known


@algorithm
def dfs(h, source: Vertex):
    """Preorder number (from 1) and parent in the search that tries neighbours in increasing number."""
    order = h.vertices.state(Count, 0)
    predecessor = h.vertices.state(Vertex)
    visited = h.vertices.state(Flag, False)
    stamp = h.vertices.state(Count, 0)  # when a visited neighbour last saw it; 0 is never
    clock = h.state(Count, 0)

    stamp[source] = 1

    with h.loop(at_most=h.vertices.count + 1) as loop:
        vertex, _ = argmax(stamp, where=~visited & (stamp > 0))
        loop.stop_when(vertex.is_none)
        clock.assign(clock + 1)
        order[vertex] = clock
        visited[vertex] = True
        waiting = h.covered(h.containing(vertex)) & ~visited
        stamp.assign(clock + 1, where=waiting)
        predecessor.assign(vertex, where=waiting)
    return Outputs(order=known(order, where=visited), predecessor=predecessor)
