"""Union of sets by labels: a hyperedge unites the sets of its vertices, one after the other."""

from hyloop.lang import Count, Flag, Hyperedge, Outputs, Vertex, algorithm, first, min, otherwise, when


@algorithm
def union(h):
    """Sets of vertices, named by their lowest-numbered one, and which hyperedges united some, in increasing number."""
    label = h.vertices.state(Vertex)
    united = h.hyperedges.state(Flag, False)
    edge, sets = h.state(Hyperedge), h.state(Count, 0)
    label.assign(h.vertices.number)
    edge.assign(h.hyperedges.first)
    sets.assign(h.vertices.count)

    with h.loop(at_most=h.vertices.count + h.hyperedges.count + 1) as loop:
        loop.stop_when(edge.is_none)
        members = h.members(edge)
        lowest = min(label, where=members)
        other = label[first(members & (label != lowest))]
        with when(other.exists):
            label.assign(lowest, where=label == other)
            united[edge] = True
            sets.assign(sets - 1)
        with otherwise():
            edge.assign(edge + 1)
    return Outputs(label=label, united=united, sets=sets)
