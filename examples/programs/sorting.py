"""Sorting by an attribute: the least of those that are left, again and again."""

from hyloop.lang import Count, Flag, Length, Outputs, Vertex, Vertices, algorithm, argmin


@algorithm
def sorting(h, key: Vertices[Length]):
    """The vertices by `key`, the least first, equal ones in the order of the file: `place` from 1, and who is there."""
    place = h.vertices.state(Count, 0)
    ordered = h.vertices.state(Vertex)  # the first row has the least vertex, the next row the next
    left = h.vertices.state(Flag, True)
    row, count = h.state(Vertex), h.state(Count, 0)
    row.assign(h.vertices.first)

    with h.loop(at_most=h.vertices.count + 1) as loop:
        vertex, _ = argmin(key, where=left)
        loop.stop_when(vertex.is_none)
        count.assign(count + 1)
        place[vertex] = count
        ordered[row] = vertex
        left[vertex] = False
        row.assign(row + 1)
    return Outputs(place=place, ordered=ordered)
