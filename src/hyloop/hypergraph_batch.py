"""Many hypergraphs as packed arrays: nothing in them is an object of Python, so a million take a second.

>>> batch = HypergraphBatch.random(3, seed=1, vertices=4, hyperedges=5)
>>> len(batch), batch.vertices.tolist(), len(batch[2].hyperedges)
(3, [4, 4, 4], 5)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.errors import HypergraphError
from hyloop.hypergraph import Hypergraph, IncidenceRecord, Label, common_unit, is_integer, multiples

Array = Any  # of numpy, or of CuPy on a GPU
ANY, TAIL, HEAD, BOTH = 1, 2, 4, 7  # the roles of a vertex in a hyperedge, as bits; every member has the first
MOST_ENTRIES = 2**31 - 2
ON_CUDA = 2  # as DLPack numbers devices
FIELDS = ("vertices", "hyperedges", "member_at", "member", "role", "weight")
LEAST = {"vertices": 0, "hyperedges": 0, "member": 0, "weight": 1}
LIMIT = {"vertices": 2**31, "hyperedges": 2**31, "member_at": 2**31, "member": 2**31, "role": 2**8, "weight": 2**63}


@dataclass(frozen=True, eq=False)
class HypergraphBatch:
    """Hypergraphs one after the other. Vertices and hyperedges are numbered within each.

    `vertices` and `hyperedges` are the counts of each hypergraph. Hyperedge `e` of all of them has the members
    `member[member_at[e]:member_at[e + 1]]`, vertex numbers from 0, with their `role` (bits: 1 always, 2 a tail, 4 a
    head), and the weight `weight[e]`, an integer of the hypergraph's `unit`. Arrays that do not fit together are
    refused.

    Labels are numbers from 1. A batch that was packed of hypergraphs with other labels keeps those (`labels`, of the
    vertices and of the hyperedges of each): inputs name vertices and hyperedges by them, and results do.
    """

    vertices: Array
    hyperedges: Array
    member_at: Array
    member: Array
    role: Array
    weight: Array
    units: tuple[Fraction, ...] = ()  # one for each hypergraph; none: all are 1
    directed: bool = False
    labels: tuple[tuple[tuple[Label, ...], tuple[Label, ...]], ...] = ()

    def __post_init__(self) -> None:
        given = {name: getattr(self, name) for name in FIELDS}
        for name, array in _checked(given).items():
            object.__setattr__(self, name, array)
        object.__setattr__(self, "directed", bool(self.directed) or bool((self.role != BOTH).any()))
        object.__setattr__(self, "units", tuple(_unit(each) for each in self.units))
        for name in ("units", "labels"):
            if len(getattr(self, name)) not in {0, len(self)}:
                raise HypergraphError(f"These arrays are no batch: {name} has one entry for each hypergraph, or none.")
        for place, names in enumerate(self.labels):
            counts = int(self.vertices[place]), int(self.hyperedges[place])
            if tuple(len(set(each)) for each in names) != counts or tuple(len(each) for each in names) != counts:
                raise HypergraphError(
                    f"These arrays are no batch: hypergraph {place} has distinct labels, {counts[0]} of vertices and "
                    f"{counts[1]} of hyperedges."
                )

    def __len__(self) -> int:
        return len(self.vertices)

    def __repr__(self) -> str:
        where = "" if self.xp is np else ", on a GPU"
        return f"<HypergraphBatch: {len(self):,} hypergraphs, {len(self.member):,} incidences{where}>"

    # -- making one

    @staticmethod
    def of(hypergraphs: Iterable[Hypergraph]) -> HypergraphBatch:
        """The hypergraphs packed. Fractions among the weights become integers of a unit; labels stay what they are."""
        counts: list[tuple[int, int]] = []
        sizes, members, roles, weights, units = [], [], [], list[int](), []
        directed, labels = False, []
        if isinstance(hypergraphs, Hypergraph) or not isinstance(hypergraphs, Iterable):
            raise HypergraphError("A batch is packed of several hypergraphs: give a list of them.")
        for h in hypergraphs:
            if not isinstance(h, Hypergraph):
                raise HypergraphError(
                    f"A batch is packed of hypergraphs, and a {type(h).__name__} is none: hyloop.interop makes them."
                )
            labels.append((tuple(h.vertices), tuple(h.hyperedges)))
            counts.append((len(h.vertices), len(h.hyperedges)))
            unit = common_unit(h.weights)
            units.append(unit)
            weights += multiples(h.weights, unit)
            by_hyperedge = h.incidence.transposed(len(h.hyperedges))
            sizes.append(np.diff(by_hyperedge.indptr))
            members.append(by_hyperedge.indices)
            roles.append(_roles(h) if h.annotations.directed else np.full(len(by_hyperedge.indices), BOTH, np.uint8))
            directed = directed or h.annotations.directed
        if weights and max(weights) >= 2**63:
            raise HypergraphError("A weight of a packed hypergraph is below 2^63 in integer units.")
        n = np.array(counts, np.int32).reshape(-1, 2)
        return _packed(
            n[:, 0].copy(),
            n[:, 1].copy(),
            _prefix(np, np.concatenate([[], *sizes]).astype(np.int64)),
            np.concatenate([[], *members]).astype(np.int32),
            np.concatenate([[], *roles]).astype(np.uint8),
            np.array(weights, np.int64),
            () if all(unit == 1 for unit in units) else tuple(units),
            directed,
            () if all(map(_are_numbers, labels)) else tuple(labels),
        )

    @staticmethod
    def random(
        count: int,
        *,
        seed: int = 0,
        vertices: int | tuple[int, int] = 20,
        hyperedges: int | tuple[int, int] = 20,
        sizes: int | tuple[int, int] = (2, 5),
        weights: int | tuple[int, int] = (1, 10),
        directed: bool = False,
        xp: Any = np,
    ) -> HypergraphBatch:
        """Random hypergraphs, the same for a seed on every machine and in every array library (`xp`).

        Every number is drawn uniformly between two bounds, both included; the members of a hyperedge are distinct
        vertices, as many as there are at most. With `directed` every member is a tail, a head, or (one in four) both.
        """
        ranges = [_range(name, given) for name, given in _given(vertices, hyperedges, sizes, weights)]
        if not is_integer(count) or not 0 <= count <= MOST_ENTRIES:
            raise HypergraphError(f"A batch has a number of hypergraphs, from 0 to {MOST_ENTRIES:,}; not {count!r}.")
        draw = Draw(seed, xp)
        n_v = draw.between(0, ranges[0], xp.arange(count)).astype(xp.int32)
        n_e = draw.between(1, ranges[1], xp.arange(count)).astype(xp.int32)
        of = owners(xp, _prefix(xp, n_e.astype(xp.int64)))
        edges = xp.arange(len(of))
        room = n_v.astype(xp.int64)[of]
        size = xp.minimum(draw.between(2, ranges[2], edges), room)
        members = _distinct(draw, room, size, ranges[2][1], xp)
        role = draw.below(4 + 2 * ranges[2][1], 4, xp.arange(len(members)))
        one_way = xp.where(role == 1, ANY | HEAD, ANY | TAIL)
        roles = xp.where(role == 0, BOTH, one_way) if directed else xp.full(len(members), BOTH)
        return _packed(
            n_v,
            n_e,
            _prefix(xp, size),
            members.astype(xp.int32),
            roles.astype(xp.uint8),
            draw.between(3, ranges[3], edges),
            (),
            directed,
        )

    @staticmethod
    def from_arrays(
        vertices: Any,
        hyperedges: Any,
        member_at: Any,
        member: Any,
        *,
        weight: Any = None,
        role: Any = None,
    ) -> HypergraphBatch:
        """A batch of arrays that are there: of numpy, of CuPy, or of any library that speaks DLPack, such as torch.

        They mean what the fields of the same names mean. All lie on the CPU, or all on the GPU; there, what has the
        right type (32-bit integers, bytes for roles, 64-bit weights) is not copied. Without `weight` all weights are 1,
        without `role` nothing is directed.

        >>> HypergraphBatch.from_arrays([2, 3], [1, 1], [0, 2, 5], [0, 1, 0, 1, 2])[1].hyperedges
        (1,)
        """
        return HypergraphBatch(vertices, hyperedges, member_at, member, role, weight, directed=role is not None)

    # -- reading one

    @property
    def xp(self) -> Any:
        """The library of the arrays: numpy or CuPy."""
        return _library_of(self.vertices)

    @cached_property
    def vertex_at(self) -> Array:
        """Where the vertices of each hypergraph begin among all."""
        return _prefix(self.xp, self.vertices.astype(self.xp.int64))

    @cached_property
    def hyperedge_at(self) -> Array:
        """Where the hyperedges of each hypergraph begin among all."""
        return _prefix(self.xp, self.hyperedges.astype(self.xp.int64))

    @cached_property
    def incidents(self) -> tuple[Array, Array, Array]:
        """The same by vertex: where its hyperedges begin, their numbers from 0, and its role in each."""
        xp = self.xp
        edge = owners(xp, self.member_at)
        owner = owners(xp, self.hyperedge_at)[edge]
        vertex = self.vertex_at[owner].astype(xp.int64) + self.member
        order = xp.argsort(vertex * max(len(self.weight), 1) + edge)
        number = edge - self.hyperedge_at[owner]
        starts = _prefix(xp, xp.bincount(vertex, minlength=int(self.vertex_at[-1])))
        return starts, number[order].astype(xp.int32), self.role[order]

    def __getitem__(self, place: int) -> Hypergraph:
        if not -len(self) <= place < len(self):
            raise IndexError(f"There is no hypergraph {place}; there are {len(self)}.")
        place %= len(self)
        first, last = int(self.hyperedge_at[place]), int(self.hyperedge_at[place + 1])
        names, edge_names = self.labels_of(place)
        at = [int(each) for each in self.member_at[first : last + 1]]
        member: list[Label] = [names[int(each)] for each in self.member[at[0] : at[-1]]]
        edges: dict[Label, list[Label]] = {
            edge_names[e]: member[at[e] - at[0] : at[e + 1] - at[0]] for e in range(last - first)
        }
        unit = self.units[place] if self.units else Fraction(1)
        weights = {edge_names[e]: int(w) * unit for e, w in enumerate(self.weight[first:last])}
        h = Hypergraph.from_hyperedges(edges, vertices=names, weights=weights)
        return self._with_direction(h, edges, at) if self.directed else h

    def labels_of(self, place: int) -> tuple[Sequence[Label], Sequence[Label]]:
        """The labels of the vertices and of the hyperedges of one hypergraph."""
        if self.labels:
            return self.labels[place]
        return range(1, int(self.vertices[place]) + 1), range(1, int(self.hyperedges[place]) + 1)

    def _with_direction(self, h: Hypergraph, edges: dict[Label, list[Label]], at: list[int]) -> Hypergraph:
        records: dict[tuple[Any, Any], tuple[IncidenceRecord, ...]] = {}
        roles = iter(int(each) for each in self.role[at[0] : at[-1]])
        for edge, members in edges.items():
            for vertex in members:
                role = next(roles)
                ways = [way for bit, way in ((TAIL, "tail"), (HEAD, "head")) if role & bit]
                records[edge, vertex] = tuple(IncidenceRecord(direction=way) for way in ways)  # type: ignore[arg-type]
        notes = replace(h.annotations, network_type="directed", incidences=records)
        return replace(h, annotations=notes)

    def __iter__(self) -> Iterator[Hypergraph]:
        return (self[place] for place in range(len(self)))

    def part(self, first: int, last: int) -> HypergraphBatch:
        """The hypergraphs from `first` up to `last`, that one not included."""
        first, last, _ = slice(first, last).indices(len(self))
        last = max(first, last)
        edges = slice(int(self.hyperedge_at[first]), int(self.hyperedge_at[last]))
        members = slice(int(self.member_at[edges.start]), int(self.member_at[edges.stop]))
        return _packed(
            self.vertices[first:last],
            self.hyperedges[first:last],
            self.member_at[edges.start : edges.stop + 1] - members.start,
            self.member[members],
            self.role[members],
            self.weight[edges],
            self.units[first:last],
            self.directed,
            self.labels[first:last],
        )

    def undirected(self) -> HypergraphBatch:
        """The same batch without directions: every member is a tail and a head."""
        role = self.xp.full(len(self.role), BOTH, self.xp.uint8)
        return _packed(
            *(role if name == "role" else getattr(self, name) for name in FIELDS), self.units, False, self.labels
        )

    def in_parts_of_one(self) -> HypergraphBatch:
        """The same batch in units that are 1 divided by an integer: integers are integers of such a unit."""
        if all(unit.numerator == 1 for unit in self.units):
            return self
        factors, host = np.array([unit.numerator for unit in self.units], dtype=object), self.to(np)
        weights = host.weight.astype(object) * factors[owners(np, host.hyperedge_at)]
        if len(weights) and max(weights) >= 2**63:
            raise HypergraphError("A weight of a packed hypergraph is below 2^63 in integer units.")
        weight = self.xp.asarray(weights.astype(np.int64))
        units = tuple(Fraction(1, unit.denominator) for unit in self.units)
        arrays = (weight if name == "weight" else getattr(self, name) for name in FIELDS)
        return _packed(*arrays, units, self.directed, self.labels)

    def to(self, xp: Any) -> HypergraphBatch:
        """The same batch with arrays of another library: numpy, or CuPy (which copies it to the GPU)."""
        if xp is self.xp:
            return self
        if getattr(xp, "__name__", "") not in {"numpy", "cupy"}:
            raise HypergraphError("The arrays of a batch are those of numpy or of CuPy; others take them by DLPack.")
        arrays = [getattr(self, name) for name in FIELDS]
        moved = [xp.asarray(array) if self.xp is np else self.xp.asnumpy(array) for array in arrays]
        return _packed(*moved, self.units, self.directed, self.labels)


def _library_of(array: Array) -> Any:
    """The library of an array: numpy or CuPy."""
    if isinstance(array, np.ndarray):
        return np
    import cupy

    return cupy


def array_of(value: Any, told: str) -> Array:
    """An array of numpy, or of CuPy where it lies on a GPU: as it is, or by DLPack; numpy's of anything else.

    What cannot be one is refused by what is told.
    """
    try:
        return _array_of(value)
    except (TypeError, ValueError, OverflowError, BufferError, RuntimeError) as wrong:
        raise HypergraphError(f"{told} ({wrong})") from None


def _array_of(value: Any) -> Array:
    if isinstance(value, np.ndarray) or not hasattr(value, "__dlpack_device__"):
        return np.asarray(value)
    if int(value.__dlpack_device__()[0]) != ON_CUDA:
        return np.from_dlpack(value)
    import cupy

    return value if isinstance(value, cupy.ndarray) else cupy.from_dlpack(value)


def _packed(*values: Any) -> HypergraphBatch:
    """A batch of arrays that were made here, and so fit together: not looked at again."""
    batch = object.__new__(HypergraphBatch)
    for each, value in zip_longest(fields(HypergraphBatch), values, fillvalue=()):
        object.__setattr__(batch, each.name, value)  # type: ignore[union-attr]
    return batch


def _are_numbers(labels: tuple[tuple[Label, ...], tuple[Label, ...]]) -> bool:
    """Whether vertices and hyperedges are called 1, 2, 3 …"""
    return all(names == tuple(range(1, len(names) + 1)) for names in labels)


def _checked(given: Mapping[str, Any]) -> dict[str, Array]:
    """The arrays as code that reads them by their addresses needs them; raises for what does not fit together."""
    may_lack = ("weight", "role")
    arrays = {
        name: _integers(name, value) for name, value in given.items() if value is not None or name not in may_lack
    }
    if len({isinstance(array, np.ndarray) for array in arrays.values()}) > 1:
        raise HypergraphError("Some of these arrays are on the CPU, others on the GPU: put all in one place.")
    xp = _library_of(arrays["vertices"])
    edges, entries = len(arrays["member_at"]) - 1, len(arrays["member"])
    arrays.setdefault("weight", xp.ones(max(edges, 0), xp.int64))
    arrays.setdefault("role", xp.full(entries, BOTH, xp.uint8))
    if any(len(array) and int(array.max()) >= LIMIT[name] for name, array in arrays.items()):
        raise HypergraphError("These arrays are no batch: counts and numbers are below 2^31, weights below 2^63.")
    wide = {name: array.astype(xp.int64, copy=False) for name, array in arrays.items()}
    told = _misfit(xp, wide)
    if told is not None:
        raise HypergraphError(f"These arrays are no batch: {told}.")
    kinds = {"weight": xp.int64, "role": xp.uint8}
    # A member that is neither tail nor head is both, as in files. A copy on the CPU: code reads it by its address, and
    # whoever gave the array might change it.
    arrays["role"] = xp.where(wide["role"] & (TAIL | HEAD), wide["role"], BOTH)
    narrow = {name: array.astype(kinds.get(name, xp.int32), copy=xp is np) for name, array in arrays.items()}
    found = {name: xp.ascontiguousarray(array) for name, array in narrow.items()}
    for array in found.values() if xp is np else ():
        array.flags.writeable = False
    return found


def _unit(value: Any) -> Fraction:
    if not isinstance(value, int | Fraction) or isinstance(value, bool) or value <= 0:
        raise HypergraphError(f"A unit is an integer or a fraction, more than 0; not {value!r}.")
    return Fraction(value)


def _integers(name: str, value: Any) -> Array:
    told = f"{name} is an array of integers, of one dimension."
    array = array_of(value, told)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and len(array)):
        raise HypergraphError(told)
    return array


def _misfit(xp: Any, wide: Mapping[str, Array]) -> str | None:
    """What does not fit together, if anything. Each line may rely on those before it."""
    counts, at, member, role = (wide[name] for name in ("hyperedges", "member_at", "member", "role"))
    edges, entries = len(at) - 1, len(member)
    rules: tuple[tuple[str, Callable[[], bool]], ...] = (
        ("vertices and hyperedges have a number for each hypergraph", lambda: len(wide["vertices"]) == len(counts)),
        (
            "counts and vertex numbers begin at 0, weights at 1",
            lambda: not any(bool((wide[name] < least).any()) for name, least in LEAST.items()),
        ),
        (
            f"there are at most {MOST_ENTRIES:,} vertices, hyperedges and incidences each",
            lambda: max(edges, entries, int(wide["vertices"].sum())) <= MOST_ENTRIES,
        ),
        (
            "member_at has a number for each hyperedge and one more, weight one for each",
            lambda: edges == int(counts.sum()) == len(wide["weight"]),
        ),
        (
            "member_at rises from 0 to the length of member, and role is as long as that",
            lambda: (int(at[0]), int(at[-1])) == (0, entries) and not (xp.diff(at) < 0).any() and len(role) == entries,
        ),
        (
            "a role has the bit 1, and may have 2 (a tail) and 4 (a head)",
            lambda: not bool(((role & ~BOTH) | (~role & ANY)).any()),
        ),
        (
            "the members of a hyperedge are distinct, and below the number of vertices",
            lambda: _are_members(xp, wide["vertices"], counts, at, member),
        ),
    )
    return next((told for told, holds in rules if not holds()), None)


def _are_members(xp: Any, vertices: Array, counts: Array, at: Array, member: Array) -> bool:
    edge = owners(xp, at)
    cells = xp.sort(edge * 2**31 + member)
    there = member < vertices[owners(xp, _prefix(xp, counts))[edge]]
    return bool(there.all()) and not bool((cells[1:] == cells[:-1]).any())


def _roles(h: Hypergraph) -> npt.NDArray[np.uint8]:
    """The roles of the members, hyperedge by hyperedge."""
    columns = max(len(h.vertices), 1)

    def cells(part: Any) -> npt.NDArray[np.int64]:
        found: npt.NDArray[np.int64] = part.indices * columns + part.row_numbers()
        return found

    order = np.sort(cells(h.incidence))
    roles = np.full(len(order), ANY, np.uint8)
    for bit, part in ((TAIL, h.tails), (HEAD, h.heads)):
        roles[np.searchsorted(order, cells(part))] |= bit
    return roles


def _prefix(xp: Any, counts: Array) -> Array:
    """Where each begins, and where the last one ends."""
    found = xp.zeros(len(counts) + 1, xp.int64)
    found[1:] = xp.cumsum(counts)
    if len(counts) and int(found[-1]) > MOST_ENTRIES:
        raise HypergraphError(f"A batch has at most {MOST_ENTRIES:,} vertices, hyperedges and incidences each.")
    return found.astype(xp.int32)


def owners(xp: Any, starts: Array) -> Array:
    """For each entry the number of the group that it belongs to."""
    return xp.searchsorted(starts[1:], xp.arange(int(starts[-1])), side="right")


# -- random numbers ---------------------------------------------------------------------------------------------------


def _given(*values: int | tuple[int, int]) -> list[tuple[str, int | tuple[int, int]]]:
    return list(zip(("vertices", "hyperedges", "sizes", "weights"), values, strict=True))


def _range(name: str, given: Any) -> tuple[int, int]:
    low, high = given if isinstance(given, tuple) and len(given) == 2 else (given, given)
    least = 1 if name in {"weights", "vertices"} else 0
    if not (isinstance(low, int) and isinstance(high, int)) or not least <= low <= high < 2**31:
        raise HypergraphError(f"{name} is a number or a pair (least, most), from {least} on; not {given!r}.")
    return low, high


class Draw:
    """Random integers that depend on a seed, on what they are for, and on their place, not on any other draw."""

    def __init__(self, seed: int, xp: Any) -> None:
        if not is_integer(seed) or not 0 <= seed < 2**64:
            raise HypergraphError(f"A seed is a whole number below 2^64; not {seed!r}.")
        self._seed, self._xp = seed, xp

    def below(self, purpose: int, bound: Any, places: Array) -> Array:
        """An integer from 0 to `bound - 1` for each place: the upper 32 bits of a hash, scaled."""
        xp = self._xp
        start = _mixed_number((self._seed + 0x9E3779B97F4A7C15 * (purpose + 1)) % 2**64)
        bits = _mixed(places.astype(xp.uint64) + xp.uint64(start), xp) >> xp.uint64(32)
        scaled = bits * xp.asarray(bound).astype(xp.uint64)
        return (scaled >> xp.uint64(32)).astype(xp.int64)

    def between(self, purpose: int, bounds: tuple[int, int], places: Array) -> Array:
        """An integer between two bounds, both included."""
        return self.below(purpose, bounds[1] - bounds[0] + 1, places) + bounds[0]


def _mixed(x: Array, xp: Any) -> Array:
    """The finaliser of SplitMix64 (Steele, Lea, Flood 2014), which spreads each bit over all."""
    x = x * xp.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> xp.uint64(30))) * xp.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> xp.uint64(27))) * xp.uint64(0x94D049BB133111EB)
    return x ^ (x >> xp.uint64(31))


def _mixed_number(x: int) -> int:
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> shift)) * factor % 2**64
    return x ^ (x >> 31)


def _distinct(draw: Draw, room: Array, size: Array, most: int, xp: Any) -> Array:
    """Distinct vertices for each hyperedge (Floyd's way): the one drawn, or the last allowed if that one is taken."""
    chosen = xp.full((len(size), max(most, 1)), -1, xp.int64)
    places = xp.arange(len(size))
    for step in range(most):
        last = room - size + step
        drawn = draw.below(4 + step, xp.maximum(last + 1, 1), places)
        taken = (chosen[:, :step] == drawn[:, None]).any(axis=1) if step else xp.zeros(len(size), bool)
        chosen[:, step] = xp.where(step < size, xp.where(taken, last, drawn), -1)
    return chosen[chosen >= 0]
