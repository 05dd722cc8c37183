"""The k-core: vertices in too few hyperedges leave; hyperedges shrink, and one vertex alone is no hyperedge."""

from hyloop.lang import Count, Flag, Outputs, algorithm, any


@algorithm
def k_core(h, k: Count):
    """The largest set of vertices that are each in at least `k` hyperedges with two or more vertices of the set."""
    core = h.vertices.state(Flag, True)
    kept = h.hyperedges.state(Flag, False)  # hyperedges with two vertices of the core

    with h.loop(at_most=h.vertices.count + 1) as loop:
        joining = h.incidence.T @ core >= 2
        kept.assign(joining)
        leaving = core & (h.incidence @ joining < k)
        loop.stop_when(~any(leaving))
        core.assign(False, where=leaving)
    return Outputs(core=core, kept=kept)
