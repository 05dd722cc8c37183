"""The Helly property: every pairwise-intersecting family of hyperedges has a common vertex.

By Berge and Duchet (and Gilmore) it is enough that, for every three vertices, the hyperedges with at least two of them
have a common vertex; and only for three that pairwise share a hyperedge. They are tried in lexicographic order.
"""

from hyloop.lang import Flag, Outputs, Vertex, algorithm, any, first, known, when


@algorithm
def helly(h):
    """Whether the Helly property holds, and else the first three vertices that show it does not."""
    holds = h.state(Flag, True)
    x, y, z = h.state(Vertex), h.state(Vertex), h.state(Vertex)
    unused = h.vertices.state(Flag, True)  # vertices that have not been x yet
    seconds = h.vertices.state(Flag, False)  # what may still be y with this x: neighbours with a higher number
    thirds = h.vertices.state(Flag, False)  # what may still be z with this x and y
    n = h.vertices.count

    with h.loop(at_most=n.choose(3) + n.choose(2) + n + 1) as loop:
        next_x, next_y, next_z = first(unused), first(seconds), first(thirds)

        with when(next_z.exists):
            z.assign(next_z)
            thirds[next_z] = False
            at_x, at_y, at_z = h.containing(x), h.containing(y), h.containing(next_z)
            meeting = h.incidence @ ((at_x & at_y) | (at_x & at_z) | (at_y & at_z))
            twice_all = meeting[x] + meeting[y] + meeting[next_z] - (h.incidence @ (at_x & at_y & at_z))[x]
            fails = next_z.exists & ~any(2 * meeting == twice_all)
            holds.assign(False, where=fails)

        with when(next_z.is_none & next_y.exists):
            y.assign(next_y)
            seconds[next_y] = False
            thirds.assign(seconds & h.covered(h.containing(next_y)))

        with when(next_z.is_none & next_y.is_none):
            x.assign(next_x)
            unused[next_x] = False
            seconds.assign(unused & h.covered(h.containing(next_x)))

        loop.stop_when(fails | (next_x.is_none & next_y.is_none & next_z.is_none))
    return Outputs(helly=holds, witness=known([x, y, z], unless=holds))
