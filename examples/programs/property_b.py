"""Property B by bounded search: two colours, vertex after vertex, and back when a hyperedge has one colour only."""

from hyloop.lang import Count, Flag, Outputs, algorithm, any, at_most, first, max, otherwise, when


@algorithm
def property_b(h, budget: at_most(Count, 1_000_000)):
    """Colours 1 and 2 such that every hyperedge has both, the first in lexicographic order, within `budget` steps."""
    colour = h.vertices.state(Count, 0, at_most=2)  # 0: none yet
    steps = h.state(Count, 0)
    found, impossible = h.state(Flag, False), h.state(Flag, False)

    with h.loop(at_most=budget + 1) as loop:
        size = h.incidence.T @ h.vertices.every
        spoilt = any((h.incidence.T @ (colour == 1) == size) | (h.incidence.T @ (colour == 2) == size))
        free = first(colour == 0)
        turning = max(h.vertices.number, where=colour == 1)  # all after it have had both colours
        found.assign(~spoilt & free.is_none)
        impossible.assign(spoilt & turning.is_none)
        loop.stop_when(found | impossible | (steps == budget))
        with when(spoilt):
            colour.assign(0, where=h.vertices.number > turning)
            colour[turning] = 2
        with otherwise():
            colour[free] = 1
        steps.assign(steps + 1)
    return Outputs(colour=colour, found=found, impossible=impossible, steps=steps)
