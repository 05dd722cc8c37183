"""Greedy colouring, colour by colour: an independent set of what has no colour yet, lowest number first.

That gives every vertex the same colour as going through the vertices once does.
"""

from hyloop.lang import Count, Flag, Outputs, algorithm, first, when, where


@algorithm
def colouring(h):
    """Colours from 1: the least that no lower-numbered vertex has with which the vertex shares a hyperedge."""
    colour = h.vertices.state(Count, 0)
    colours = h.state(Count, 0)
    free = h.vertices.state(Flag, False)  # what may still have the current colour

    with h.loop(at_most=h.vertices.count + 1) as loop:
        plain = colour == 0
        another, start = first(free), first(plain)
        loop.stop_when(start.is_none)
        vertex = where(another.exists, another, start)
        with when(another.is_none):
            colours.assign(colours + 1)
            free.assign(plain)
        colour[vertex] = colours
        free[vertex] = False
        free.assign(False, where=h.covered(h.containing(vertex)))
    return Outputs(colour=colour, colours=colours)
