"""Reachability: a hyperedge leads from any of its tails to all of its heads; one step an iteration."""

from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, any, known


@algorithm
def reachable(h, source: Vertex):
    """Whether hyperedges lead from `source` to a vertex, each from any tail to all heads; and in how many steps."""
    reached = h.vertices.state(Flag, False)
    steps = h.vertices.state(Count, 0)
    fired = h.hyperedges.state(Flag, False)
    step = h.state(Count, 0)

    reached[source] = True
    fired.assign(h.tails.containing(source))

    with h.loop(at_most=h.vertices.count) as loop:
        fresh = h.heads.covered(fired) & ~reached
        loop.stop_when(~any(fresh))
        step.assign(step + 1)
        steps.assign(step, where=fresh)
        reached.assign(True, where=fresh)
        fired.assign(h.tails.touching(fresh))
    return Outputs(reached=reached, steps=known(steps, where=reached))
