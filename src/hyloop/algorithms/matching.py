"""Bipartite matching by augmenting paths: every hyperedge, one after the other, looks for a vertex of its own."""

from hyloop.lang import Count, Flag, Hyperedge, Outputs, Vertex, algorithm, first, when


@algorithm
def matching(h):
    """A largest matching of hyperedges with vertices in them, no vertex twice: distinct representatives."""
    vertex, hyperedge = h.hyperedges.state(Vertex), h.vertices.state(Hyperedge)
    finder = h.vertices.state(Hyperedge)  # from which hyperedge this search came to it
    dead = h.vertices.state(Flag, False)  # what a search in vain came to: no later one gets further from there
    waiting, untried = h.hyperedges.state(Flag, False), h.hyperedges.state(Flag, True)
    end = h.state(Vertex)  # of the rest of an augmenting path
    found, size = h.state(Flag, False), h.state(Count, 0)
    n, m = h.vertices.count, h.hyperedges.count

    with h.loop(at_most=n * (n + 1) + 2 * m + 1) as loop:
        edge, root = first(waiting), first(untried)
        turning, scanning, starting = end.exists, end.is_none & edge.exists, end.is_none & edge.is_none
        with when(turning):
            through = finder[end]
            before = vertex[through]
            hyperedge[end] = through
            vertex[through] = end
            end.assign(before)
        with when(scanning):
            fresh = h.members(edge) & finder.is_none & ~dead
            finder.assign(edge, where=fresh)
            end.assign(first(fresh & hyperedge.is_none))
            found.assign(end.exists)
            size.assign(size + end.exists)
            waiting.assign((waiting | fresh[vertex]) & (h.hyperedges.number != edge) & end.is_none)
        with when(starting):
            dead.assign(True, where=finder.exists & ~found)
            finder.assign(None)
            untried[root] = False
            waiting.assign(h.hyperedges.number == root)
            loop.stop_when(root.is_none)
    return Outputs(vertex=vertex, hyperedge=hyperedge, size=size)
