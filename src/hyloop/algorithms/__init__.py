"""The shipped algorithms, one short file each, written in the language."""

from collections.abc import Mapping

from hyloop.algorithms.all_pairs import all_pairs
from hyloop.algorithms.bfs import bfs
from hyloop.algorithms.closeness import closeness
from hyloop.algorithms.components import components
from hyloop.algorithms.degradation import degradation
from hyloop.algorithms.dfs import dfs
from hyloop.algorithms.diameter import diameter
from hyloop.algorithms.dijkstra import dijkstra
from hyloop.algorithms.helly import helly
from hyloop.algorithms.levels import levels
from hyloop.algorithms.motifs import motifs
from hyloop.algorithms.projection import projection
from hyloop.lang import Algorithm

ALGORITHMS: Mapping[str, Algorithm] = {
    each.name: each
    for each in (
        *(degradation, dijkstra, bfs, levels, dfs, components, helly, projection, motifs),
        *(all_pairs, closeness, diameter),  # with a loop in a loop
    )
}
