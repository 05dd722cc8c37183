"""h-motifs (Lee, Ko and Shin, 2020): the 26 ways in which three connected hyperedges can overlap.

Three hyperedges cut the plane into seven regions: one common to all, three common to two, three private. A motif is
told by which are empty: whether the common one is not, how many private and how many pair regions are not, and how
many private regions lie opposite a pair region with both not empty.
"""

from hyloop.lang import Count, Hyperedge, Outputs, algorithm, total, when

# (common, private, pairs, opposite) of motif 1 to 26, in the published numbering.
MOTIFS = [
    (1, 2, 0, 0), (1, 3, 0, 0), (1, 1, 1, 0), (1, 2, 1, 0), (1, 2, 1, 1), (1, 3, 1, 1), (1, 0, 2, 0), (1, 1, 2, 0),
    (1, 1, 2, 1), (1, 2, 2, 1), (1, 2, 2, 2), (1, 3, 2, 2), (1, 0, 3, 0), (1, 1, 3, 1), (1, 2, 3, 2), (1, 3, 3, 3),
    (0, 0, 2, 0), (0, 1, 2, 0), (0, 1, 2, 1), (0, 2, 2, 1), (0, 2, 2, 2), (0, 3, 2, 2), (0, 0, 3, 0), (0, 1, 3, 1),
    (0, 2, 3, 2), (0, 3, 3, 3),
]  # fmt: skip


@algorithm
def motifs(h):
    """How often each of the 26 h-motifs occurs; hyperedges with the same vertices form none together."""
    i, j = h.state(Hyperedge), h.state(Hyperedge)
    size = h.hyperedges.state(Count, 0)
    counters = [h.hyperedges.state(Count, 0) for _ in MOTIFS]

    i.assign(h.hyperedges.first)
    j.assign(h.hyperedges.first + 1)
    size.assign(h.incidence.T @ h.vertices.every)

    with h.loop(at_most=h.hyperedges.count.choose(2) + 1) as loop:
        loop.stop_when(j.is_none)
        # every k after j at once
        all_three = h.incidence.T @ (h.members(i) & h.members(j))
        with_i, with_j = h.incidence.T @ h.members(i), h.incidence.T @ h.members(j)
        i_and_j = with_i[j]

        common = all_three > 0
        pair_ij, pair_ik, pair_jk = i_and_j > all_three, with_i > all_three, with_j > all_three
        only_i = size[i] + all_three > i_and_j + with_i
        only_j = size[j] + all_three > i_and_j + with_j
        only_k = size + all_three > with_i + with_j

        private = only_i + only_j + only_k
        pairs = pair_ij + pair_ik + pair_jk
        opposite = (only_i & pair_jk) + (only_j & pair_ik) + (only_k & pair_ij)
        after = h.hyperedges.number > j
        for counter, (c, s, t, o) in zip(counters, MOTIFS, strict=True):
            found = (common if c else ~common) & (private == s) & (pairs == t) & (opposite == o)
            counter.assign(counter + 1, where=after & found)

        last = j + 1
        with when(last.exists):
            j.assign(last)
        with when(last.is_none):
            j.assign(i + 1 + 1)
            i.assign(i + 1)
    return Outputs(counts=[total(counter) for counter in counters])
