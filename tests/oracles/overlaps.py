"""Overlaps of hyperedges: the projection, and the 26 h-motifs with a table derived from the seven regions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, permutations, product
from typing import Any

import networkx as nx
import xgi

from hyloop import Hypergraph
from oracles.sets import Sets, UnsuitedError

# -- projection


def projection_by_sets(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    shared = Counter(pair for edges in sets.hyperedges_of() for pair in combinations(edges, 2))
    return _projected(sets, shared)


def projection_by_networkx(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    if not sets.vertices:
        raise UnsuitedError("networkx projects no bipartite graph with an empty side.")
    star = sets.star().to_undirected()
    graph = nx.bipartite.weighted_projected_graph(star, [("e", number) for number in range(len(sets.members))])
    return _projected(sets, {(a, b): weight for (_, a), (_, b), weight in graph.edges(data="weight")})


def projection_by_xgi(H: Hypergraph) -> Mapping[str, Any]:
    sets = Sets.of(H)
    graph = xgi.to_line_graph(sets.xgi(), weights="absolute")
    return _projected(sets, {(a, b): weight for a, b, weight in graph.edges(data="weight")})


def _projected(sets: Sets, shared: Mapping[tuple[int, int], int]) -> Mapping[str, Any]:
    """For every hyperedge, in order, what it shares with each other one; nothing is not listed."""
    rows: list[dict[int, int]] = [{} for _ in sets.members]
    for (a, b), weight in shared.items():
        rows[a][b] = rows[b][a] = weight
    names = sets.hyperedges
    named = [{names[b]: weight for b, weight in sorted(row.items())} for row in rows]
    return {"overlap": list(zip(names, named, strict=True))}


# -- h-motifs

# Which of the seven regions are not empty: common to all; private to a, b, c; common to b and c, a and c, a and b only.
Pattern = tuple[int, tuple[int, int, int], tuple[int, int, int]]
Code = tuple[int, int, int, int]


def code(pattern: Pattern) -> Code:
    """(g, s, t, x): common to all, private ones, pairs, private ones opposite a pair."""
    common, private, pairs = pattern
    return common, sum(private), sum(pairs), sum(p * q for p, q in zip(private, pairs, strict=True))


def drawn(pattern: Pattern) -> list[frozenset[str]]:
    """Three hyperedges with one vertex in every region that is not empty."""
    common, private, pairs = pattern
    whose = [("abc", common), *zip("abc", private, strict=True), *zip(("bc", "ac", "ab"), pairs, strict=True)]
    regions = [region for region, full in whose if full]
    return [frozenset(region for region in regions if name in region) for name in "abc"]


def _is_motif(pattern: Pattern) -> bool:
    """Three different hyperedges, connected: at least two pairs intersect."""
    three = drawn(pattern)
    return len(set(three)) == 3 and sum(bool(a & b) for a, b in combinations(three, 2)) >= 2


def _alike(pattern: Pattern) -> Iterator[Pattern]:
    """The pattern with the hyperedges in every order."""
    common, private, pairs = pattern
    for i, j, k in permutations(range(3)):
        yield common, (private[i], private[j], private[k]), (pairs[i], pairs[j], pairs[k])


def _classes() -> list[list[Pattern]]:
    """The patterns that are alike. The published numbering has the common region first, then pairs, private ones,
    opposite ones in increasing number."""
    three = list(product((0, 1), repeat=3))
    patterns = [pattern for pattern in product((0, 1), three, three) if _is_motif(pattern)]
    classes = {min(_alike(pattern)): sorted(set(_alike(pattern))) for pattern in patterns}

    def published(alike: list[Pattern]) -> Code:
        g, s, t, x = code(alike[0])
        return 1 - g, t, s, x

    return sorted(classes.values(), key=published)


CLASSES = _classes()
NUMBER_OF_PATTERN = {pattern: number for number, alike in enumerate(CLASSES) for pattern in alike}
NUMBER_OF_CODE = {code(alike[0]): number for number, alike in enumerate(CLASSES)}


def motifs_by_regions(H: Hypergraph) -> Mapping[str, Any]:
    """Every three hyperedges, their seven regions as sets."""
    sets = Sets.of(H)
    counts = [0] * len(CLASSES)
    neighbours = {edge: set(around) for edge, around in sets.intersecting().adjacency()}
    for i, j, k in combinations(neighbours, 3):
        if (j in neighbours[i]) + (k in neighbours[i]) + (k in neighbours[j]) >= 2:
            number = NUMBER_OF_PATTERN.get(_regions(*(sets.members[edge] for edge in (i, j, k))))
            if number is not None:
                counts[number] += 1
    return {"counts": tuple(counts)}


def _regions(a: frozenset[int], b: frozenset[int], c: frozenset[int]) -> Pattern:
    private = (a - b - c, b - a - c, c - a - b)
    pairs = ((b & c) - a, (a & c) - b, (a & b) - c)
    return int(bool(a & b & c)), tuple(map(int, map(bool, private))), tuple(map(int, map(bool, pairs)))


def motifs_by_sizes(H: Hypergraph) -> Mapping[str, Any]:
    """Sizes of hyperedges and their intersections, counted vertex by vertex; regions by inclusion and exclusion."""
    sets = Sets.of(H)
    containing = sets.hyperedges_of()
    one, two, three = (Counter(each for es in containing for each in combinations(es, n)) for n in (1, 2, 3))
    neighbours: dict[int, set[int]] = {}
    for i, j in two:
        neighbours.setdefault(i, set()).add(j)
        neighbours.setdefault(j, set()).add(i)
    connected = {tuple(sorted((i, *ends))) for i, around in neighbours.items() for ends in combinations(around, 2)}
    counts = [0] * len(CLASSES)
    for i, j, k in connected:
        all_three, with_jk, with_ik, with_ij = three[i, j, k], two[j, k], two[i, k], two[i, j]
        private = (
            one[i,] - with_ij - with_ik + all_three,
            one[j,] - with_ij - with_jk + all_three,
            one[k,] - with_ik - with_jk + all_three,
        )
        pairs = (with_jk - all_three, with_ik - all_three, with_ij - all_three)
        filled = [tuple(int(size > 0) for size in sizes) for sizes in (private, pairs)]
        number = NUMBER_OF_CODE.get(code((int(all_three > 0), *filled)))  # none where two of the three are equal
        if number is not None:
            counts[number] += 1
    return {"counts": tuple(counts)}
