"""A computer with one instruction, "subtract and branch if less than or equal to zero"; its cells are the vertices."""

from hyloop.lang import Count, Flag, Outputs, Vertex, Vertices, algorithm, at_most, first, number, smaller, where

MOST = 10**9  # the largest absolute value of a cell
STEPS = 10**6


@algorithm
def subleq(h, positive: Vertices[at_most(Count, MOST)], negative: Vertices[at_most(Count, MOST)], budget: Count):
    """The cells `a b c` from `pc` on: subtract cell a from cell b, then go to c if that is 0 or less, else go on."""
    plus, minus = h.vertices.state(Count, 0), h.vertices.state(Count, 0)  # a cell is plus - minus; one of them is 0
    pc = h.state(Vertex)  # none: outside of the memory
    steps = h.state(Count, 0)
    halted, overflow = h.state(Flag, False), h.state(Flag, False)

    plus.assign(positive - negative)
    minus.assign(negative - positive)
    pc.assign(h.vertices.first)

    with h.loop(at_most=STEPS + 1) as loop:
        second, third = pc + 1, pc + 1 + 1
        address = number(h.vertices.number)
        a, b, c = [first((address == plus[p]) & (minus[p] == 0)) for p in (pc, second, third)]
        halted.assign(third.is_none | a.is_none | b.is_none)
        loop.stop_when(halted | (steps >= smaller(budget, STEPS)))
        gain, loss = plus[b] + minus[a], minus[b] + plus[a]
        up, down = gain - loss, loss - gain
        overflow.assign((up > MOST) | (down > MOST))
        loop.stop_when(overflow)
        plus[b] = smaller(up, MOST)
        minus[b] = smaller(down, MOST)
        pc.assign(where(up > 0, third + 1, c))
        steps.assign(steps + 1)
    return Outputs(positive=plus, negative=minus, pc=pc, steps=steps, halted=halted, overflow=overflow)
