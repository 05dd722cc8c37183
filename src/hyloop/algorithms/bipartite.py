"""Two sides, if there are: flood from the first vertex without a side, and change sides with every step."""

from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, any, first, known, when, where


@algorithm
def bipartite(h):
    """Whether the graph of the pairs in a hyperedge has two sides; else an edge of it that joins a side to itself."""
    holds = h.state(Flag, True)
    side = h.vertices.state(Count, 0)  # 1 or 2: an even or odd number of steps from the first vertex of its component
    touched = h.hyperedges.state(Flag, False)
    now = h.state(Count, 0)  # the side that was last given
    x, y = h.state(Vertex), h.state(Vertex)

    with h.loop(at_most=h.vertices.count + 1) as loop:
        start = first(side == 0)
        fresh = h.covered(touched) & (side == 0)
        growing = any(fresh)
        one, two = (h.incidence.T @ (side == number) >= 2 for number in (1, 2))
        edge = first(one | two)
        alike = h.members(edge) & (side == where(one[edge], 1, 2))
        x.assign(first(alike))
        y.assign(first(alike & (h.vertices.number > x)))
        holds.assign(edge.is_none)

        with when(growing):
            now.assign(3 - now)
            side.assign(now, where=fresh)
            touched.assign(h.touching(fresh))
        with when(~growing):
            now.assign(1)
            side[start] = 1
            touched.assign(h.containing(start))
        loop.stop_when(start.is_none)
    return Outputs(bipartite=holds, side=side, odd=known([x, y], unless=holds))
