"""Prim's algorithm: the lightest hyperedge that leads out of the tree brings one vertex; a new tree where none does."""

from hyloop.lang import Flag, Hyperedge, Length, Outputs, Vertex, algorithm, argmin, first, where


@algorithm
def spanning_tree(h):
    """A least spanning forest of the graph in which a hyperedge joins each two of its vertices at its weight."""
    predecessor = h.vertices.state(Vertex)
    hyperedge = h.vertices.state(Hyperedge)
    settled = h.vertices.state(Flag, False)
    weight = h.state(Length, 0)

    with h.loop(at_most=h.vertices.count + 1) as loop:
        edge, least = argmin(h.weight, where=h.touching(settled) & h.touching(~settled))
        members = h.members(edge)
        vertex = first(where(edge.exists, members, h.vertices.every) & ~settled)
        loop.stop_when(vertex.is_none)
        predecessor[vertex] = first(members & settled)
        hyperedge[vertex] = edge
        settled[vertex] = True
        weight.assign(weight + where(edge.exists, least, 0))
    return Outputs(predecessor=predecessor, hyperedge=hyperedge, weight=weight)
