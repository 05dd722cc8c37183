"""Triangles of the graph of pairs: for every two vertices that share a hyperedge, their common neighbours at once."""

from hyloop.lang import Count, Flag, Outputs, algorithm, first, total, when


@algorithm
def triangles(h):
    """How many triangles each vertex is in, and how many there are; two vertices are joined that share a hyperedge."""
    triangles = h.vertices.state(Count, 0)
    last = h.vertices.state(Count, 0)  # those in which it has the highest number
    unused = h.vertices.state(Flag, True)  # vertices that have not been x yet
    near = h.vertices.state(Flag, False)  # neighbours of x
    seconds = h.vertices.state(Flag, False)  # what may still be y with this x: neighbours with a higher number
    n = h.vertices.count

    with h.loop(at_most=n.choose(2) + n + 1) as loop:
        x, y = first(unused), first(seconds)
        loop.stop_when(x.is_none & y.is_none)
        with when(y.exists):
            third = near & h.covered(h.containing(y)) & (h.vertices.number != y)
            triangles.assign(triangles + 1, where=third)
            last.assign(last + 1, where=third & (h.vertices.number > y))
            seconds[y] = False
        with when(y.is_none):
            unused[x] = False
            near.assign(h.covered(h.containing(x)))
            near[x] = False
            seconds.assign(near & unused)
    return Outputs(triangles=triangles, count=total(last))
