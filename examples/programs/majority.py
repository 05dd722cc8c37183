"""Majority dynamics: everybody takes the opinion of most of those around."""

from hyloop.lang import Count, Flag, Outputs, Vertices, algorithm, any, at_most, where


@algorithm
def majority(h, opinion: Vertices[Flag], rounds: at_most(Count, 1000)):
    """In a round all take the opinion of most neighbours, counted for each common hyperedge; a tie changes nothing."""
    holds = h.vertices.state(Flag, False)
    done, stable = h.state(Count, 0), h.state(Flag, False)
    holds.assign(opinion)

    with h.loop(at_most=rounds + 1) as loop:
        degree = h.incidence @ h.hyperedges.every
        around = h.incidence @ (h.incidence.T @ h.vertices.every) - degree
        agree = h.incidence @ (h.incidence.T @ holds) - where(holds, degree, 0)
        changing = where(holds, 2 * agree < around, 2 * agree > around)
        stable.assign(~any(changing))
        loop.stop_when(stable | (done == rounds))
        holds.assign(~holds, where=changing)
        done.assign(done + 1)
    return Outputs(opinion=holds, rounds=done, stable=stable)
