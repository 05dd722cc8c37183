"""Connected components: flood from the first vertex without a label, again and again."""

from hyloop.lang import Flag, Outputs, Vertex, algorithm, any, first, when


@algorithm
def components(h):
    """The component of every vertex, named by its lowest-numbered vertex."""
    component = h.vertices.state(Vertex)
    root = h.state(Vertex)
    touched = h.hyperedges.state(Flag, False)

    with h.loop(at_most=h.vertices.count + 1) as loop:
        start = first(component.is_none)
        loop.stop_when(start.is_none)
        fresh = h.covered(touched) & component.is_none
        growing = any(fresh)
        with when(growing):
            component.assign(root, where=fresh)
            touched.assign(h.touching(fresh))
        with when(~growing):
            root.assign(start)
            component[start] = start
            touched.assign(h.containing(start))
    return Outputs(component=component)
