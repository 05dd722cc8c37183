"""s-distance: breadth-first search over hyperedges that share at least `s` vertices, one hyperedge an iteration."""

from hyloop.lang import Count, Flag, Hyperedge, Outputs, algorithm, argmin, known


@algorithm
def s_distance(h, source: Hyperedge, s: Count):
    """Steps from the hyperedge `source` to every other, each to one with at least `s` vertices in common."""
    distance = h.hyperedges.state(Count, 0)
    previous = h.hyperedges.state(Hyperedge)
    reached = h.hyperedges.state(Flag, False)
    waiting = h.hyperedges.state(Flag, False)

    reached[source] = True
    waiting[source] = True

    with h.loop(at_most=h.hyperedges.count + 1) as loop:
        edge, steps = argmin(distance, where=waiting)
        loop.stop_when(edge.is_none)
        fresh = (h.incidence.T @ h.members(edge) >= s) & ~reached
        distance.assign(steps + 1, where=fresh)
        previous.assign(edge, where=fresh)
        reached.assign(True, where=fresh)
        waiting.assign(True, where=fresh)
        waiting[edge] = False
    return Outputs(distance=known(distance, where=reached), previous=previous)
