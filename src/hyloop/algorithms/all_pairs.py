"""All pairs: Dijkstra's search from every vertex, one after the other."""

from hyloop.lang import INFINITY, Flag, Length, Outputs, Vertex, algorithm, argmin, stream, where


@algorithm
def all_pairs(h):
    """Least distance between every two vertices; crossing a hyperedge costs its weight."""
    distance = h.vertices.state(Length, INFINITY)
    key = h.hyperedges.state(Length, INFINITY)  # distance through a waiting hyperedge
    queued = h.hyperedges.state(Flag, False)
    done = h.state(Vertex)  # the source, once its distances are known

    with h.vertices.each() as source:
        done.assign(None)
        distance.assign(INFINITY)
        distance[source] = 0
        around = h.containing(source)
        queued.assign(around)
        key.assign(where(around, h.weight, INFINITY))
        with h.loop(at_most=h.hyperedges.count + 1) as search:
            edge, best = argmin(key)
            search.stop_when(edge.is_none)
            fresh = h.members(edge) & (distance == INFINITY)
            distance.assign(best, where=fresh)
            key[edge] = INFINITY
            reached = h.touching(fresh) & ~queued
            key.assign(best + h.weight, where=reached)
            queued.assign(True, where=reached)
        done.assign(source)
    return Outputs(distance=stream(distance, of=done))
