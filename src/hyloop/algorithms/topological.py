"""Topological order (Kahn): the lowest-numbered vertex that nothing left leads to; if there is none, a cycle."""

from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, exists, first, known, otherwise, when


@algorithm
def topological(h):
    """An order in which tails come before heads, from 1; or a cycle, on which each vertex has one `before` it."""
    left = h.vertices.state(Flag, True)
    order = h.vertices.state(Count, 0)  # when it was ordered, or came up on the way back
    before = h.vertices.state(Vertex)
    cycle = h.vertices.state(Flag, False)
    current, clock = h.state(Vertex), h.state(Count, 0)
    acyclic = h.state(Flag, True)

    with h.loop(at_most=h.vertices.count + 2) as loop:
        clock.assign(clock + 1)
        free = first(left & ~h.heads.covered(h.tails.touching(left)))
        back = first(left & h.tails.covered(h.heads.containing(current)))
        order[free] = clock
        left[free] = False
        with when(free.is_none):
            loop.stop_when(current.is_none & ~exists(first(left)))
            acyclic.assign(False)
            closed = before[current].exists
            with when(closed):
                cycle.assign((order >= order[current]) & left)
            loop.stop_when(closed)
            order[current] = clock
            before[current] = back
            with when(current.exists):
                current.assign(back)
            with otherwise():
                current.assign(first(left))
    return Outputs(acyclic=acyclic, order=known(order, unless=left), before=known(before, where=cycle))
