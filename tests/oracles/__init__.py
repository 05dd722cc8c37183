"""Independent answers to what the algorithms compute: networkx, XGI, and sets. Nothing here runs a program of ours.

An oracle takes a hypergraph and the inputs, and gives some of the outputs, by label. `ORACLES` is the table; the test
suite and `benchmarks/sweep_algorithms.py` both run over it.
"""

from collections.abc import Mapping

from oracles import (
    choices,
    computers,
    cores,
    directions,
    distances,
    families,
    matchings,
    overlaps,
    pairs,
    searches,
    tables,
    trees,
)
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
    "core_numbers": {
        "sets, peeling": cores.core_numbers_by_peeling,
        "sets, all families": cores.core_numbers_by_families,
        "networkx, plain graphs": cores.core_numbers_by_networkx,
    },
    "k_core": {
        "sets, peeling": cores.k_core_by_peeling,
        "sets, all families": cores.k_core_by_families,
    },
    "independent_set": {
        "networkx, greedy colouring": choices.independent_set_by_networkx,
        "sets, going through": choices.independent_set_by_going_through,
    },
    "colouring": {
        "networkx, greedy colouring": choices.colouring_by_networkx,
        "sets, going through": choices.colouring_by_going_through,
    },
    "set_cover": {
        "sets, greedy": choices.set_cover_by_sets,
        "sets, lazy heap": choices.set_cover_by_heap,
    },
    "transversal": {
        "sets, greedy": choices.transversal_by_sets,
        "sets, cover of the dual": choices.transversal_by_counting,
    },
    "spanning_tree": {
        "networkx, least forest": trees.spanning_tree_by_networkx,
        "sets, heap": trees.spanning_tree_by_heap,
    },
    "s_distance": {
        "networkx, overlaps": pairs.s_distance_by_networkx,
        "numpy, powers": pairs.s_distance_by_matrices,
    },
    "bipartite": {
        "networkx, two sides": pairs.bipartite_by_networkx,
        "sets, all divisions": pairs.bipartite_by_all_sides,
    },
    "acyclic": {
        "sets, deleting": trees.acyclic_by_deleting,
        "networkx, heaviest tree of overlaps": trees.acyclic_by_networkx,
        "sets, ear after ear": trees.acyclic_by_ears,
    },
    "triangles": {
        "networkx, triangles": pairs.triangles_by_networkx,
        "sets, all triples": pairs.triangles_by_triples,
    },
    "matching": {
        "networkx, Hopcroft and Karp": matchings.matching_by_networkx,
        "sets, searching": matchings.matching_by_searching,
    },
    "label_propagation": {
        "sets, counting": pairs.labels_by_counting,
        "numpy, matrices": pairs.labels_by_matrices,
    },
    "reachable": {
        "networkx, arcs from tails to heads": directions.reachable_along_arcs,
        "networkx, directed star": directions.reachable_in_star,
    },
    "forward_chaining": {
        "sets, a queue of rules": directions.derived_by_queue,
        "sets, all closed ones": directions.derived_by_closed_sets,
    },
    "scc": {
        "networkx, components of arcs": directions.scc_by_networkx,
        "networkx, reach in the directed star": directions.scc_by_reach,
    },
    "topological": {
        "networkx, least order": directions.topological_by_networkx,
        "sets, counting arcs": directions.topological_by_counting,
    },
    "b_distance": {
        "sets, round after round": directions.b_distance_by_rounds,
        "sets, heap": directions.b_distance_by_heap,
    },
    "path_counts": {
        "networkx, all paths in the directed star": directions.paths_in_star,
        "numpy, powers": directions.paths_by_powers,
    },
    "pagerank": {
        "sets, by the definition": directions.pagerank_by_sets,
        "numpy, matrices": directions.pagerank_by_matrices,
    },
    "weighted_set_cover": {
        "sets, greedy with fractions": choices.weighted_cover_by_sets,
        "sets, lazy heap": choices.weighted_cover_by_heap,
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
    "subleq": {
        "lists, signed integers": computers.subleq_by_lists,
        "numpy, words with an offset": computers.subleq_by_words,
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
