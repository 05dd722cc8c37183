"""PageRank in fixed point, by long division: a binary digit of all ranks, or of all sums, an iteration."""

from hyloop.lang import Count, Outputs, algorithm, at_most, smaller, where

MEAN, DIGITS, TOP = 100_000, 38, 2**37  # 17 times a rank has so many binary digits, with 131,071 vertices


def divide(h, number, divisor, rest, place):
    """`number` becomes the quotient: each time it doubles, its top digit goes to `rest`, a new digit comes in below."""
    rest.assign(0)
    with h.loop(at_most=DIGITS) as loop:  # in which no `smaller` changes anything
        one = number >= TOP
        brought = 2 * rest + one
        fits = brought >= divisor
        number.assign(smaller(2 * where(one, number - TOP, number) + fits, 2 * TOP))
        rest.assign(smaller(where(fits, brought - divisor, brought), 20 * h.hyperedges.count + h.vertices.count))
        place.assign(where(place < DIGITS, place + 1, 1))
        loop.stop_when(place == DIGITS)
        about = f"one step of a long division, {{number}} by {{divisor}}: binary digit {{place}} of {DIGITS}"
        loop.tell(f"{about}; nothing uses what is divided by 0", "{brought} by {divisor}: digit {fits}, rest {rest}")


@algorithm
def pagerank(h, rounds: at_most(Count, 50)):
    """Rank of every vertex: 15,000, and what hyperedges bring; each vertex shares out 17/20 of its rank along them."""
    rank, leaves, left = (h.vertices.state(Count, 0) for _ in range(3))
    sums, arrives, over = (h.hyperedges.state(Count, 0) for _ in range(3))
    done, place, whole = h.state(Count, 0), h.state(Count, 0), MEAN * h.vertices.count
    rank.assign(3 * MEAN // 20)
    leaves.assign(20 * (h.tails @ h.hyperedges.every))
    arrives.assign(h.heads.T @ h.vertices.every)
    with h.loop(at_most=rounds + 1) as loop:
        loop.stop_when(done == rounds)
        done.assign(done + 1)
        rank.assign(smaller(17 * rank, 2 * TOP))
        divide(h, rank, leaves, left, place)
        sums.assign(smaller(h.tails.T @ smaller(rank, whole), whole))
        divide(h, sums, arrives, over, place)
        rank.assign(smaller(3 * MEAN // 20 + h.heads @ smaller(sums, whole), whole))
    return Outputs(rank=rank)
