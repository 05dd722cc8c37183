"""Inputs for the shipped algorithms: every source, and a few of each number."""

from itertools import product
from typing import Any

from hyloop import Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.lang.kinds import Kind

NUMBERS = (2, 1, 0, 3)
FEW = (1, 0)  # where a round takes dozens of iterations
# Numbers of theirs are bounded by constants that only float64 holds, beside a useful number of rows.
WIDE = frozenset({"b_distance", "path_counts", "pagerank"})


def inputs_of(name: str, H: Hypergraph) -> list[dict[str, Any]]:
    """All sources on a hypergraph, with some numbers where an algorithm takes them; none, where there is no source."""
    given = ALGORITHMS[name].program.inputs
    kinds = {Kind.VERTEX: H.vertices, Kind.HYPEREDGE: H.hyperedges, Kind.COUNT: FEW if name == "pagerank" else NUMBERS}
    return [
        dict(zip([each.name for each in given], values, strict=True))
        for values in product(*(kinds[each.type.kind] for each in given))
    ]
