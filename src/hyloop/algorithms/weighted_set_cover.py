"""Weighted set cover, greedily: the least weight for each newly covered vertex, compared exactly, by products."""

from hyloop.lang import INFINITY, Count, Flag, Hyperedge, Length, Outputs, algorithm, argmin, known, where


@algorithm
def weighted_set_cover(h):
    """Hyperedges that cover every vertex that is in one, each time the cheapest for what it adds; and in which step."""
    chosen, step = h.hyperedges.state(Flag, False), h.hyperedges.state(Count, 0)
    uncovered = h.vertices.state(Flag, True)
    gains = h.hyperedges.state(Count, 0)
    most = h.state(Count, 0)  # of the gains looked at; what is heavier must gain more to be better
    best, steps = h.state(Hyperedge), h.state(Count, 0)
    product = h.hyperedges.state(Length, 0)  # the weight of the best one times each gain

    gains.assign(h.incidence.T @ h.vertices.every)

    n = h.vertices.count
    with h.loop(at_most=(n + 1).choose(2) + n + 1) as loop:
        light, weight = argmin(h.weight, where=gains > most)
        loop.stop_when(light.is_none & best.is_none)
        other = h.incidence.T @ where(uncovered & (weight < INFINITY), weight, 0)  # its weight times each gain
        better = light.exists & (best.is_none | (other[best] < product[light]))
        most.assign(gains[light])  # 0 if there was none
        taken = where(light.is_none, best, None)
        steps.assign(steps + 1, where=taken.exists)
        chosen[taken] = True
        step[taken] = steps
        uncovered.assign(False, where=h.members(taken))
        gains.assign(h.incidence.T @ uncovered)
        best.assign(where(light.is_none, None, best))
        product.assign(other, where=better)
        best.assign(light, where=better)
    return Outputs(chosen=chosen, step=known(step, where=chosen))
