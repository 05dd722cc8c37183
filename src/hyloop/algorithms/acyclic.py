"""GYO reduction (Graham; Yu and Özsoyoğlu): an ear, a hyperedge whose shared vertices are all in one other, goes."""

from hyloop.lang import Flag, Hyperedge, Outputs, algorithm, any, first, when


@algorithm
def acyclic(h):
    """Whether the hypergraph is alpha-acyclic: ears go, the lowest number first, until nothing is left; a join tree."""
    holds = h.state(Flag, False)
    parent = h.hyperedges.state(Hyperedge)
    kept = h.hyperedges.state(Flag, True)
    untried = h.hyperedges.state(Flag, True)
    m = h.hyperedges.count

    with h.loop(at_most=m.choose(2) + m + 1) as loop:
        edge = first(untried)
        holds.assign(~any(kept))
        shared = h.members(edge) & (h.incidence @ kept >= 2)
        overlap = h.incidence.T @ shared
        other = first(kept & (overlap == overlap[edge]) & (h.hyperedges.number != edge))
        with when(other.exists | (overlap[edge] == 0)):
            untried.assign(True, where=kept & (overlap > 0))  # these have fewer shared vertices now
            parent[edge] = other
            kept[edge] = False
        untried[edge] = False
        loop.stop_when(edge.is_none)
    return Outputs(acyclic=holds, parent=parent, kept=kept)
