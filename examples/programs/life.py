"""Conway's Game of Life on any hypergraph; on a grid, a hyperedge joins each two cells that touch."""

from hyloop.lang import Count, Flag, Outputs, Vertices, algorithm, any, at_most, where


@algorithm
def life(h, alive: Vertices[Flag], generations: at_most(Count, 10_000)):
    """A cell with 3 living neighbours lives, one with 2 stays as it is, others die; one for each common hyperedge."""
    lives = h.vertices.state(Flag, False)
    done, still = h.state(Count, 0), h.state(Flag, False)
    lives.assign(alive)

    with h.loop(at_most=generations + 1) as loop:
        itself = where(lives, h.incidence @ h.hyperedges.every, 0)
        around = h.incidence @ (h.incidence.T @ lives) - itself
        coming = (around == 3) | (lives & (around == 2))
        still.assign(~any(coming != lives))
        loop.stop_when(still | (done == generations))
        lives.assign(coming)
        done.assign(done + 1)
    return Outputs(alive=lives, generations=done, still=still)
