"""The shipped algorithms, one short file each, written in the language."""

from collections.abc import Mapping
from difflib import get_close_matches

from hyloop.algorithms.acyclic import acyclic
from hyloop.algorithms.all_pairs import all_pairs
from hyloop.algorithms.b_distance import b_distance
from hyloop.algorithms.bfs import bfs
from hyloop.algorithms.bipartite import bipartite
from hyloop.algorithms.closeness import closeness
from hyloop.algorithms.colouring import colouring
from hyloop.algorithms.components import components
from hyloop.algorithms.core_numbers import core_numbers
from hyloop.algorithms.degradation import degradation
from hyloop.algorithms.dfs import dfs
from hyloop.algorithms.diameter import diameter
from hyloop.algorithms.dijkstra import dijkstra
from hyloop.algorithms.forward_chaining import forward_chaining
from hyloop.algorithms.helly import helly
from hyloop.algorithms.independent_set import independent_set
from hyloop.algorithms.k_core import k_core
from hyloop.algorithms.label_propagation import label_propagation
from hyloop.algorithms.levels import levels
from hyloop.algorithms.matching import matching
from hyloop.algorithms.motifs import motifs
from hyloop.algorithms.pagerank import pagerank
from hyloop.algorithms.path_counts import path_counts
from hyloop.algorithms.projection import projection
from hyloop.algorithms.reachable import reachable
from hyloop.algorithms.s_distance import s_distance
from hyloop.algorithms.scc import scc
from hyloop.algorithms.set_cover import set_cover
from hyloop.algorithms.spanning_tree import spanning_tree
from hyloop.algorithms.subleq import subleq
from hyloop.algorithms.topological import topological
from hyloop.algorithms.transversal import transversal
from hyloop.algorithms.triangles import triangles
from hyloop.algorithms.weighted_set_cover import weighted_set_cover
from hyloop.lang import Algorithm

ALGORITHMS: Mapping[str, Algorithm] = {
    each.name: each
    for each in (
        *(degradation, dijkstra, bfs, levels, dfs, components, helly, projection, motifs),
        *(core_numbers, k_core, independent_set, colouring, set_cover, transversal, spanning_tree, s_distance),
        *(bipartite, acyclic, triangles, matching, label_propagation, weighted_set_cover),
        *(reachable, forward_chaining, scc, topological, b_distance, path_counts, pagerank),  # of directed hypergraphs
        *(all_pairs, closeness, diameter),  # with a loop in a loop
        *(subleq,),  # a computer
    )
}


def meant(name: str) -> str:
    """The end of a message about a name that there is not: what may have been meant, or nothing."""
    near = get_close_matches(str(name).replace("-", "_"), ALGORITHMS, n=1)
    return f" Did you mean {near[0]}?" if near else ""


def shipped(name: str) -> Algorithm | None:
    """The algorithm of that name, `forward-chaining` or `forward_chaining`; None if there is none."""
    return ALGORITHMS.get(str(name).replace("-", "_"))
