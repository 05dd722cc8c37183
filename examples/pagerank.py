"""PageRank in fixed point: where a walk that crosses hyperedges is found, in shares of 4,000."""

from hyloop.lang import Count, Outputs, algorithm, all, smaller

POINTS = 4_000  # all ranks together
DAMPING = 85  # of 100 steps, so many cross a hyperedge; the others go anywhere


@algorithm
def pagerank(h):
    """Rank of every vertex, of 4,000: a walk crosses one of its hyperedges, 85 times of 100, or begins anew anywhere.

    Ranks are rounded down at every step, and grow from 0 until nothing changes: the least fixed point. No sum of them
    exceeds 4,000, so that `smaller` changes nothing; it is for the bounds.
    """
    rank = h.vertices.state(Count, 0)
    share = h.vertices.state(Count, 0)  # of the rank, for each hyperedge of the vertex
    degree = h.vertices.state(Count, 0)
    size = h.hyperedges.state(Count, 0)
    anew = h.state(Count, 0)

    degree.assign(h.incidence @ h.hyperedges.every)
    size.assign(h.incidence.T @ h.vertices.every)
    anew.assign((100 - DAMPING) * POINTS // 100 // h.vertices.count)

    with h.loop(at_most=POINTS + 1) as loop:
        collected = smaller(h.incidence.T @ share, POINTS)
        arriving = smaller(h.incidence @ (collected // size), POINTS)
        grown = anew + DAMPING * arriving // 100
        loop.stop_when(all(grown == rank))
        rank.assign(grown)
        share.assign(grown // degree)
    return Outputs(rank=rank)
