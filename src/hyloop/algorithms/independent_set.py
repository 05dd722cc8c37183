"""An independent set, greedily: the lowest-numbered vertex comes in, and whoever shares a hyperedge with it is out."""

from hyloop.lang import Flag, Outputs, algorithm, first


@algorithm
def independent_set(h):
    """A maximal set of vertices, no two in one hyperedge: each vertex that can still come in, lowest number first."""
    chosen = h.vertices.state(Flag, False)
    free = h.vertices.state(Flag, True)

    with h.loop(at_most=h.vertices.count + 1) as loop:
        vertex = first(free)
        loop.stop_when(vertex.is_none)
        chosen[vertex] = True
        free[vertex] = False
        free.assign(False, where=h.covered(h.containing(vertex)))
    return Outputs(chosen=chosen)
