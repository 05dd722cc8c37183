"""A greedy matching: hyperedges of which no two share a vertex, the heaviest first. See docs/tutorial.md."""

from hyloop.lang import Flag, Hyperedge, Length, Outputs, algorithm, argmax


@algorithm
def matching(h):
    """Hyperedges of which no two meet, the heaviest first."""
    free = h.hyperedges.state(Flag, True)
    chosen = h.hyperedges.state(Flag, False)
    hyperedge = h.vertices.state(Hyperedge)
    worth = h.state(Length, 0)

    with h.loop(at_most=h.hyperedges.count + 1) as loop:
        edge, weight = argmax(h.weight, where=free)
        loop.stop_when(edge.is_none)
        members = h.members(edge)
        chosen[edge] = True
        hyperedge.assign(edge, where=members)
        worth.assign(worth + weight)
        free.assign(False, where=h.touching(members))
        free[edge] = False  # an empty hyperedge touches nothing, not even itself
    return Outputs(chosen=chosen, hyperedge=hyperedge, worth=worth)
