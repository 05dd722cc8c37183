"""A minimal transversal: vertices that hit the most come in while something is not hit; then the superfluous go."""

from hyloop.lang import Flag, Outputs, algorithm, argmax, first, when


@algorithm
def transversal(h):
    """Vertices that meet every non-empty hyperedge, none of which can be left out."""
    chosen = h.vertices.state(Flag, False)

    with h.loop(at_most=2 * h.vertices.count + 1) as loop:
        hits = h.incidence.T @ chosen
        vertex, gain = argmax(h.incidence @ (hits == 0))
        spare = first(chosen & ~h.covered(hits == 1))
        loop.stop_when((gain == 0) & spare.is_none)
        with when(gain > 0):
            chosen[vertex] = True
        with when(gain == 0):
            chosen[spare] = False
    return Outputs(chosen=chosen)
