"""h-motifs (Lee, Ko and Shin, 2020): the 26 ways in which three connected hyperedges can overlap.

Three hyperedges have seven regions in a Venn diagram: one common to all, three common to two, three private. A motif is
determined by which are empty: whether the common region is not, how many private and how many pair regions are not, and
for how many private regions it or the opposite pair region is empty.
"""

from hyloop.lang import Count, Hyperedge, Outputs, algorithm, total, when

# (common, private, pairs, apart) of motif 1 to 26, in the published numbering.
MOTIFS = [
    (1, 2, 0, 3), (1, 3, 0, 3), (1, 1, 1, 3), (1, 2, 1, 3), (1, 2, 1, 2), (1, 3, 1, 2), (1, 0, 2, 3), (1, 1, 2, 3),
    (1, 1, 2, 2), (1, 2, 2, 2), (1, 2, 2, 1), (1, 3, 2, 1), (1, 0, 3, 3), (1, 1, 3, 2), (1, 2, 3, 1), (1, 3, 3, 0),
    (0, 0, 2, 3), (0, 1, 2, 3), (0, 1, 2, 2), (0, 2, 2, 2), (0, 2, 2, 1), (0, 3, 2, 1), (0, 0, 3, 3), (0, 1, 3, 2),
    (0, 2, 3, 1), (0, 3, 3, 0),
]  # fmt: skip


def _code(common, private, pairs, apart):
    """A number below 200, different for each of the 26 motifs."""
    return 31 * common + 9 * private + 12 * pairs + 8 * apart


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
        apart = ~(only_i & pair_jk) + ~(only_j & pair_ik) + ~(only_k & pair_ij)
        after = h.hyperedges.number > j
        shape = _code(common, private, pairs, apart) + 200 * ~after
        for counter, motif in zip(counters, MOTIFS, strict=True):
            counter.assign(counter + 1, where=shape == _code(*motif))

        last = j + 1
        with when(last.exists):
            j.assign(last)
        with when(last.is_none):
            j.assign(i + 1 + 1)
            i.assign(i + 1)
    return Outputs(counts=[total(counter) for counter in counters])
