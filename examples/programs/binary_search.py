"""Binary search: powers of two, the largest first, lead to where an array that does not decrease reaches a value."""

from hyloop.lang import Count, Flag, Length, Outputs, Vertex, Vertices, algorithm, all, first, log2, number, smaller


@algorithm
def binary_search(h, values: Vertices[Length], wanted: Length):
    """The first vertex whose value is at least `wanted`, or none, and how many come before it."""
    power = h.vertices.state(Count, 0, at_most=h.vertices.count + 1)  # row i has 2^i: there is nothing to halve with
    size = h.state(Count, 1, at_most=h.vertices.count + 1)
    row, at = h.state(Vertex), h.state(Vertex)
    below, ordered = h.state(Count, 0, at_most=h.vertices.count), h.state(Flag, False)
    after = h.vertices.number + 1
    ordered.assign(all(after.is_none | (values <= values[after])))
    row.assign(h.vertices.first)

    with h.loop(at_most=1) as search:
        with h.loop(at_most=log2(h.vertices.count) + 1) as doubling:
            power[row] = size
            doubling.stop_when(size + size > h.vertices.count)
            size.assign(smaller(size + size, h.vertices.count + 1))
            row.assign(row + 1)
        with h.loop(at_most=log2(h.vertices.count) + 1) as halving:
            step = power[row]
            probe = first(number(h.vertices.number) + 1 == below + step)
            below.assign(smaller(below + step, h.vertices.count), where=probe.exists & (values[probe] < wanted))
            at.assign(first(number(h.vertices.number) == below))
            halving.stop_when((row - 1).is_none)
            row.assign(row - 1)
        search.stop_when(True)
    return Outputs(at=at, below=below, ordered=ordered)
