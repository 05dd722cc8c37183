"""The k-core of a hypergraph, by peeling. See docs/tutorial.md."""

from hyloop.lang import Count, Flag, Outputs, algorithm, any


@algorithm
def core(h, k: Count):
    """What is left when vertices in fewer than `k` hyperedges go, with their hyperedges, again and again."""
    core = h.vertices.state(Flag, True)
    kept = h.hyperedges.state(Flag, True)

    with h.loop(at_most=h.vertices.count + 1) as loop:
        degree = h.incidence @ kept
        leaving = core & (degree < k)
        loop.stop_when(~any(leaving))
        core.assign(False, where=leaving)
        kept.assign(False, where=h.touching(leaving))
    return Outputs(core=core, kept=kept)
