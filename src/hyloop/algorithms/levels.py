"""Levels: only the breadth-first levels, one level per iteration."""

from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, any, known


@algorithm
def levels(h, source: Vertex):
    """Level of every vertex: the number of hyperedges to cross from `source`."""
    level = h.vertices.state(Count, 0)
    reached = h.vertices.state(Flag, False)
    touched = h.hyperedges.state(Flag, False)
    depth = h.state(Count, 0)

    reached[source] = True
    touched.assign(h.containing(source))

    with h.loop(at_most=h.vertices.count) as loop:
        fresh = h.covered(touched) & ~reached
        loop.stop_when(~any(fresh))
        depth.assign(depth + 1)
        level.assign(depth, where=fresh)
        reached.assign(True, where=fresh)
        touched.assign(h.touching(fresh))
    return Outputs(level=known(level, where=reached))
