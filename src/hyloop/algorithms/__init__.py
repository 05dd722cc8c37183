"""The shipped algorithms, one short file each, written in the language."""

from collections.abc import Mapping

from hyloop.algorithms.bfs import bfs
from hyloop.algorithms.components import components
from hyloop.algorithms.degradation import degradation
from hyloop.algorithms.dfs import dfs
from hyloop.algorithms.dijkstra import dijkstra
from hyloop.algorithms.forward_chaining import forward_chaining
from hyloop.algorithms.helly import helly
from hyloop.algorithms.levels import levels
from hyloop.algorithms.motifs import motifs
from hyloop.algorithms.projection import projection
from hyloop.algorithms.reachable import reachable
from hyloop.algorithms.scc import scc
from hyloop.lang import Algorithm

ALGORITHMS: Mapping[str, Algorithm] = {
    each.name: each
    for each in (
        *(degradation, dijkstra, bfs, levels, dfs, components, helly, projection, motifs),
        *(reachable, forward_chaining, scc),  # of directed hypergraphs
    )
}


def shipped(name: str) -> Algorithm | None:
    """The algorithm of that name, `forward-chaining` or `forward_chaining`; None if there is none."""
    return ALGORITHMS.get(str(name).replace("-", "_"))
