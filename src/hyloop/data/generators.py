"""Random hypergraphs for data sets: the same for a seed on every machine, with every version of every library.

Every number comes from `hypergraph_batch.Draw`, SplitMix64 scaled in integers: no float, and no distribution of a
library. The seed of an example is a hash of what identifies it, so that no example depends on another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import isqrt

import numpy as np
import numpy.typing as npt

from hyloop.hypergraph import Hypergraph
from hyloop.hypergraph_batch import Draw, distinct, owners

IntArray = npt.NDArray[np.int64]

LEAST, MOST = 2, 5  # vertices of a hyperedge, where sizes are uniform
LONGEST = 64  # vertices of a hyperedge at most, where sizes are heavy-tailed
HEAVIEST = 10  # weights are uniform, from 1
SOURCES, HEADS = 8, 4  # one hyperedge in 8 has no tails; one further member in 4 is a head
# What the numbers are drawn for; `distinct` draws members with the purposes from 4 on.
HYPEREDGES, SIZES, WEIGHTS, GROUPS, BRIDGED, BRIDGES, SOURCE, FIRST_HEAD, HEAD = range(1000, 1009)


@dataclass(frozen=True, eq=False)
class Members:
    """The members of every hyperedge, one hyperedge after the other."""

    size: IntArray
    member: IntArray


@dataclass(frozen=True)
class Generator:
    """A way to draw the members of hyperedges, and what the card says of it."""

    about: str
    members: Callable[[Draw, int, int], Members]


def draw_of(*words: object) -> Draw:
    """The random numbers of whatever these words identify."""
    text = "\0".join(["hyloop data", *map(str, words)])
    return Draw(int.from_bytes(sha256(text.encode()).digest()[:8], "little"), np)


def random_hypergraph(generator: str, vertices: int, draw: Draw, *, directed: bool) -> Hypergraph:
    """A hypergraph of so many vertices, half to all of that number of hyperedges, and weights from 1 to 10."""
    one = np.arange(1)
    n_e = int(draw.between(HYPEREDGES, (-(-vertices // 2), vertices), one)[0])
    found = GENERATORS[generator].members(draw, vertices, n_e)
    edge = owners(np, _starts(found.size))
    weights = draw.between(WEIGHTS, (1, HEAVIEST), np.arange(n_e))
    direction = _directions(draw, found.size) if directed else None
    return Hypergraph.from_arrays(found.member, edge, weights, direction=direction, counts=(vertices, n_e))


def _starts(size: IntArray) -> IntArray:
    return np.concatenate(([0], np.cumsum(size))).astype(np.int64)


def _directions(draw: Draw, size: IntArray) -> IntArray:
    """A head (1) in every hyperedge that has members; the others are tails (-1), or heads: all of them in a source."""
    starts, n_e = _starts(size), len(size)
    edge, place = owners(np, starts), np.arange(int(starts[-1]))
    source = draw.below(SOURCE, SOURCES, np.arange(n_e)) == 0
    first = starts[:-1] + draw.below(FIRST_HEAD, np.maximum(size, 1), np.arange(n_e))
    head = source[edge] | (place == first[edge]) | (draw.below(HEAD, HEADS, place) == 0)
    return np.where(head, 1, -1)


# -- the members ------------------------------------------------------------------------------------------------------


def _of_sizes(draw: Draw, size: IntArray, room: IntArray) -> IntArray:
    return np.asarray(distinct(draw, room, size, int(size.max(initial=0)), np))


def _uniform(draw: Draw, vertices: int, hyperedges: int) -> Members:
    size = np.minimum(draw.between(SIZES, (LEAST, MOST), np.arange(hyperedges)), vertices)
    return Members(size, _of_sizes(draw, size, np.full(hyperedges, vertices)))


def _heavy_tailed(draw: Draw, vertices: int, hyperedges: int) -> Members:
    """Sizes s with a probability in proportion to 1/s², from an integer table."""
    allowed = np.arange(min(LEAST, vertices), min(LONGEST, vertices) + 1)
    upto = np.cumsum(10**9 // np.maximum(allowed, 1) ** 2)
    drawn = draw.below(SIZES, int(upto[-1]), np.arange(hyperedges))
    size = allowed[np.searchsorted(upto, drawn, side="right")]
    return Members(size, _of_sizes(draw, size, np.full(hyperedges, vertices)))


def _communities(draw: Draw, vertices: int, hyperedges: int) -> Members:
    """Vertex v is in community v mod k. A hyperedge has members of one, and every second one a member of any."""
    k, edges = min(max(2, isqrt(vertices)), max(vertices, 1)), np.arange(hyperedges)
    group = draw.below(GROUPS, k, edges)
    room = (vertices - group + k - 1) // k
    size = np.minimum(draw.between(SIZES, (LEAST, MOST), edges), room)
    own = group[owners(np, _starts(size))] + k * _of_sizes(draw, size, room)
    bridge = draw.below(BRIDGES, max(vertices, 1), edges)
    fresh = (draw.below(BRIDGED, 2, edges) == 0) & ~_has(size, own, bridge)
    total = size + fresh
    member = np.zeros(int(total.sum()), np.int64)
    last = _starts(total)[1:][fresh] - 1
    kept = np.ones(len(member), np.bool_)
    kept[last] = False
    member[last], member[kept] = bridge[fresh], own
    return Members(total, member)


def _has(size: IntArray, member: IntArray, wanted: IntArray) -> npt.NDArray[np.bool_]:
    """Whether each hyperedge has the vertex that is wanted of it."""
    edge = owners(np, _starts(size))
    found = np.zeros(len(size), np.bool_)
    found[edge[member == wanted[edge]]] = True
    return found


GENERATORS: Mapping[str, Generator] = {
    "uniform": Generator(f"sizes uniform from {LEAST} to {MOST}, members uniform", _uniform),
    "heavy-tailed": Generator(
        f"sizes s from {LEAST} to {LONGEST} with a probability in proportion to 1/s², members uniform", _heavy_tailed
    ),
    "communities": Generator(
        f"⌊√n⌋ communities, at least 2: vertex v is in community v mod k; a hyperedge has {LEAST} to {MOST} members of "
        "one, and with probability 1/2 one member of any",
        _communities,
    ),
}
