"""Label propagation: in a round each vertex takes the label that is most frequent around it; a label an iteration."""

from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, any, at_most, first, when, where


@algorithm
def label_propagation(h, rounds: at_most(Count, 20)):
    """Communities: the label most frequent among those it shares hyperedges with, the lowest of equal ones, at once."""
    label, coming = h.vertices.state(Vertex), h.vertices.state(Vertex)
    most = h.vertices.state(Count, 0)
    used, untried = h.vertices.state(Flag, True), h.vertices.state(Flag, True)  # labels
    done, stable = h.state(Count, 0), h.state(Flag, False)

    label.assign(h.vertices.number)

    with h.loop(at_most=21 * h.vertices.count + 21) as loop:
        which = first(untried)
        with when(which.exists):
            has = label == which
            around = h.incidence @ (h.incidence.T @ has) - where(has, h.incidence @ h.hyperedges.every, 0)
            coming.assign(which, where=around > most)
            most.assign(around, where=around > most)
            used[which] = any(has)
            untried[which] = False
        with when(which.is_none):
            moving = coming.exists & (coming != label)
            stable.assign(~any(moving))
            loop.stop_when(stable | (done == rounds))
            label.assign(coming, where=moving)
            done.assign(done + 1)
            most.assign(0)
            untried.assign(used)
    return Outputs(label=label, stable=stable)
