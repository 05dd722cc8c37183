"""Independent answers to what the algorithms compute: networkx, XGI, and sets. Nothing here runs a program of ours.

An oracle takes a hypergraph and the inputs, and gives some of the outputs, by label. `ORACLES` is the table; the test
suite and `benchmarks/sweep_algorithms.py` both run over it.
"""

from collections.abc import Mapping

from oracles import distances, families, overlaps, searches, tables
from oracles.iterations import ITERATIONS
from oracles.sets import Oracle, Sets, UnsuitedError
from oracles.verdict import answers, compared, differences, disagreements, shaped

ORACLES: Mapping[str, Mapping[str, Oracle]] = {
    "degradation": {
        "networkx, degraded graph": distances.degradation_in_degraded_graph,
        "networkx, star expansion": distances.degradation_in_star,
    },
    "dijkstra": {
        "networkx, degraded graph": distances.dijkstra_in_degraded_graph,
        "networkx, star expansion": distances.dijkstra_in_star,
    },
    "bfs": {
        "networkx, degraded graph": distances.bfs_in_degraded_graph,
        "networkx, star expansion": distances.bfs_in_star,
        "xgi, hops": searches.levels_by_xgi,
    },
    "levels": {
        "networkx, levels": searches.levels_by_networkx,
        "xgi, hops": searches.levels_by_xgi,
    },
    "dfs": {
        "networkx, preorder": searches.dfs_by_networkx,
        "sets, walking to and fro": searches.dfs_by_walking,
    },
    "components": {
        "networkx, star expansion": searches.components_by_networkx,
        "xgi, components": searches.components_by_xgi,
    },
    "helly": {
        "sets, all families": families.helly_by_families,
        "networkx, maximal cliques": families.helly_by_cliques,
        "sets, all triples": families.helly_by_triples,
    },
    "projection": {
        "sets, intersections": overlaps.projection_by_sets,
        "networkx, projected star": overlaps.projection_by_networkx,
        "xgi, line graph": overlaps.projection_by_xgi,
    },
    "motifs": {
        "sets, seven regions": overlaps.motifs_by_regions,
        "sizes, inclusion and exclusion": overlaps.motifs_by_sizes,
    },
    "all_pairs": {
        "networkx, degraded graph": tables.all_pairs_in_degraded_graph,
        "networkx, Floyd and Warshall in the star": tables.all_pairs_in_star,
    },
    "closeness": {
        "networkx, degraded graph": tables.closeness_by_networkx,
        "networkx, Floyd and Warshall in the star": tables.closeness_by_sums,
    },
    "diameter": {
        "networkx, diameter": tables.diameter_by_networkx,
        "networkx, Floyd and Warshall in the star": tables.diameter_by_pairs,
    },
}

__all__ = [
    "ITERATIONS",
    "ORACLES",
    "Oracle",
    "Sets",
    "UnsuitedError",
    "answers",
    "compared",
    "differences",
    "disagreements",
    "shaped",
]
