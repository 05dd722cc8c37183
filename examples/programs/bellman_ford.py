"""Bellman and Ford: a round for each number of hyperedges; in a round every hyperedge is looked at once."""

from hyloop.lang import INFINITY, Count, Flag, Length, Outputs, Vertex, algorithm, any, min, smaller


@algorithm
def bellman_ford(h, source: Vertex, most: Count):
    """Least distance from `source` along at most `most` hyperedges, each from a tail to all heads at its weight."""
    distance = h.vertices.state(Length, INFINITY)  # along fewer hyperedges than this round allows
    nearer = h.vertices.state(Length, INFINITY)
    rounds, settled = h.state(Count, 0), h.state(Flag, False)
    distance[source] = 0

    with h.loop(at_most=h.vertices.count) as outer:
        nearer.assign(distance)
        with h.hyperedges.each() as edge:
            through = min(distance, where=h.tails.members(edge)) + h.weight[edge]
            nearer.assign(smaller(nearer, through), where=h.heads.members(edge))
        settled.assign(~any(nearer < distance))
        outer.stop_when(settled | (rounds == most))
        distance.assign(nearer)
        rounds.assign(rounds + 1)
    return Outputs(distance=distance, rounds=rounds, settled=settled)
