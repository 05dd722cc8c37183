"""Strongly connected components (Kosaraju): from the vertex that a depth-first search leaves last, flood backwards."""

from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, any, argmax, first, when, where


@algorithm
def scc(h):
    """The strongly connected component of every vertex, named by its lowest-numbered vertex; tails lead to heads."""
    component, parent = h.vertices.state(Vertex), h.vertices.state(Vertex)
    visited, inside = h.vertices.state(Flag, False), h.vertices.state(Flag, False)
    left = h.vertices.state(Count, 0)  # when the search left it
    onward, leading = h.hyperedges.state(Flag, False), h.hyperedges.state(Flag, False)
    current, clock = h.state(Vertex), h.state(Count, 0)

    with h.loop(at_most=3 * h.vertices.count + 1) as loop:
        to = first(where(current.is_none, h.vertices.every, h.heads.covered(onward)) & ~visited)
        leaving, gathering = to.is_none & current.exists, to.is_none & current.is_none
        fresh = h.tails.covered(leading) & component.is_none & ~inside
        growing, lowest = any(fresh), first(inside)
        root, _ = argmax(left, where=component.is_none & ~inside)
        left.assign(clock, where=leaving & (h.vertices.number == current))
        clock.assign(clock + 1)
        back = parent[current]
        visited[to] = True
        parent[to] = current
        current.assign(where(to.exists, to, back))
        onward.assign(h.tails.containing(current))

        with when(gathering & growing):
            inside.assign(True, where=fresh)
            leading.assign(h.heads.touching(fresh))
        with when(gathering & ~growing):
            component.assign(lowest, where=inside)
            loop.stop_when(root.is_none)
            inside.assign(h.vertices.number == root)
            leading.assign(h.heads.containing(root))
    return Outputs(component=component)
