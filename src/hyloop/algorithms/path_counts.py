"""How many shortest paths there are, one step an iteration; each hyperedge leads from its tails to its heads."""

from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, any, known, smaller, where

LIMIT = 1_000_000_000  # so many paths or more are beyond the bound


@algorithm
def path_counts(h, source: Vertex):
    """The fewest steps from `source`, each from a tail to a head of a hyperedge, and in how many ways."""
    reached, beyond = h.vertices.state(Flag, False), h.vertices.state(Flag, False)
    steps, paths = h.vertices.state(Count, 0), h.vertices.state(Count, 0, at_most=LIMIT)
    arriving = h.vertices.state(Count, 0, at_most=LIMIT)
    step = h.state(Count, 0)

    arriving[source] = 1

    with h.loop(at_most=h.vertices.count + 1) as loop:
        fresh = (arriving > 0) & ~reached
        loop.stop_when(~any(fresh))
        paths.assign(arriving, where=fresh)
        steps.assign(step, where=fresh)
        beyond.assign(arriving == LIMIT, where=fresh)
        reached.assign(True, where=fresh)
        step.assign(step + 1)
        through = smaller(h.tails.T @ where(fresh, arriving, 0), LIMIT)
        arriving.assign(smaller(h.heads @ through, LIMIT))
    return Outputs(paths=known(paths, unless=beyond), beyond=beyond, steps=known(steps, where=reached))
