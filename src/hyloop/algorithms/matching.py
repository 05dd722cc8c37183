"""Bipartite matching by augmenting paths: every hyperedge, one after the other, looks for a vertex of its own."""

from hyloop.lang import Count, Flag, Hyperedge, Outputs, Vertex, algorithm, first, when


@algorithm
def matching(h):
    """A largest matching of hyperedges with vertices in them, no vertex twice: distinct representatives."""
    vertex, hyperedge = h.hyperedges.state(Vertex), h.vertices.state(Hyperedge)
    finder = h.vertices.state(Hyperedge)  # from which hyperedge this search came to it
    waiting = h.hyperedges.state(Flag, False)
    untried = h.hyperedges.state(Flag, True)
    end = h.state(Vertex)  # of the rest of an augmenting path
    size = h.state(Count, 0)
    m = h.hyperedges.count

    with h.loop(at_most=m * (m + 2) + 1) as loop:
        edge, root = first(waiting), first(untried)
        turning, scanning = end.exists, end.is_none & edge.exists
        starting = end.is_none & edge.is_none
        with when(turning):
            through = finder[end]
            before = vertex[through]
            hyperedge[end] = through
            vertex[through] = end
            end.assign(before)
        with when(scanning):
            fresh = h.members(edge) & finder.is_none
            finder.assign(edge, where=fresh)
            end.assign(first(fresh & hyperedge.is_none))
            size.assign(size + end.exists)
            waiting.assign((waiting | fresh[vertex]) & (h.hyperedges.number != edge) & end.is_none)
        with when(starting):
            loop.stop_when(root.is_none)
            untried[root] = False
            waiting.assign(h.hyperedges.number == root)
            finder.assign(None)
    return Outputs(vertex=vertex, hyperedge=hyperedge, size=size)
