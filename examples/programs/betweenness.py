"""Betweenness after Brandes, in fixed point: paths are counted level by level, and shared out on the way back."""

from hyloop.lang import Count, Flag, Outputs, algorithm, any, smaller, where

BITS, UNIT, PATHS, MOST = 20, 2**19, 2**20 - 1, 2**30 - 1  # a pair of vertices is two units, one from either end


@algorithm
def betweenness(h):
    """The share of shortest paths through each vertex, for all pairs of others together, in parts of 2^20."""
    level, paths, share, behind, rest, between = (h.vertices.state(Count, 0) for _ in range(6))
    depth, bit, exact = h.state(Count, 0, at_most=h.vertices.count), h.state(Count, 0), h.state(Flag, True)
    exact.assign(h.vertices.count < 2_048)  # more units than MOST
    with h.vertices.each() as source:
        for each in (level, share, behind, depth, bit):
            each.assign(0)
        paths.assign(where(h.vertices.number == source, 1, 0))
        with h.loop(at_most=h.vertices.count) as search:
            arriving = h.incidence @ smaller(h.incidence.T @ where(level == depth, paths, 0), PATHS + 1)
            fresh = (paths == 0) & (arriving > 0)
            search.stop_when(~any(fresh))
            exact.assign(exact & ~any(fresh & (arriving > PATHS)))
            depth.assign(smaller(depth + 1, h.vertices.count))
            level.assign(depth, where=fresh)
            paths.assign(smaller(arriving, PATHS), where=fresh)
        rest.assign(1)
        with h.loop(at_most=BITS) as divide:  # share = UNIT // paths, a bit in a round
            share.assign(smaller(2 * share + (rest >= paths), UNIT))
            rest.assign(smaller(2 * where(rest >= paths, rest - paths, rest), 2 * PATHS))
            bit.assign(bit + 1)
            divide.stop_when(bit == BITS)
        with h.loop(at_most=h.vertices.count) as back:  # what comes after, for each path to a vertex
            sharing = smaller(h.incidence.T @ where(level == depth, share + behind, 0), MOST)
            behind.assign(smaller(h.incidence @ sharing, MOST), where=level + 1 == depth)
            depth.assign(depth - 1)
            back.stop_when(depth == 0)
        share.assign(0)
        rest.assign(paths)
        with h.loop(at_most=BITS) as multiply:  # share = paths * behind
            share.assign(smaller(2 * share + where(rest >= UNIT, behind, 0), MOST))
            rest.assign(smaller(2 * where(rest >= UNIT, rest - UNIT, rest), 2 * PATHS))
            bit.assign(bit + 1)
            multiply.stop_when(bit == 2 * BITS)
        between.assign(between + share, where=h.vertices.number != source)
    return Outputs(betweenness=between, exact=exact)
