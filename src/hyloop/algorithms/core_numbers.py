"""Core numbers: vertices of least degree leave in rounds; hyperedges shrink, and one vertex alone is no hyperedge."""

from hyloop.lang import Count, Flag, Outputs, algorithm, any, larger, min


@algorithm
def core_numbers(h):
    """The largest `k` for which a vertex is in the `k`-core; see `k_core`."""
    core = h.vertices.state(Count, 0)
    kept = h.vertices.state(Flag, True)
    level = h.state(Count, 0)

    with h.loop(at_most=h.vertices.count + 1) as loop:
        degree = h.incidence @ (h.incidence.T @ kept >= 2)
        loop.stop_when(~any(kept))
        level.assign(larger(level, min(degree, where=kept)))
        leaving = kept & (degree <= level)
        core.assign(level, where=leaving)
        kept.assign(False, where=leaving)
    return Outputs(core=core)
