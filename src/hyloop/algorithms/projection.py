"""Projection: the size of the intersection of every two hyperedges, one hyperedge per iteration."""

from hyloop.lang import Count, Hyperedge, Outputs, algorithm, stream


@algorithm
def projection(h):
    """For every hyperedge, the size of its intersection with each other one."""
    edge = h.state(Hyperedge)
    coming = h.state(Hyperedge)
    overlap = h.hyperedges.state(Count, 0)

    coming.assign(h.hyperedges.first)

    with h.loop(at_most=h.hyperedges.count + 1) as loop:
        edge.assign(coming)
        loop.stop_when(edge.is_none)
        overlap.assign(h.incidence.T @ h.members(edge))
        overlap[edge] = 0
        coming.assign(edge + 1)
    return Outputs(overlap=stream(overlap, of=edge))
