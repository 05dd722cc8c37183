"""Set cover, greedily: the hyperedge with the most uncovered vertices, the lowest number first."""

from hyloop.lang import Count, Flag, Outputs, algorithm, argmax, known


@algorithm
def set_cover(h):
    """Hyperedges that cover every vertex that is in one, and in which step each was taken, from 1."""
    chosen = h.hyperedges.state(Flag, False)
    step = h.hyperedges.state(Count, 0)
    uncovered = h.vertices.state(Flag, True)
    steps = h.state(Count, 0)

    with h.loop(at_most=h.hyperedges.count + 1) as loop:
        edge, gain = argmax(h.incidence.T @ uncovered)
        loop.stop_when(gain == 0)
        steps.assign(steps + 1)
        chosen[edge] = True
        step[edge] = steps
        uncovered.assign(False, where=h.members(edge))
    return Outputs(chosen=chosen, step=known(step, where=chosen))
