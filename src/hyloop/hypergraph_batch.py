"""Many hypergraphs as packed arrays: nothing in them is an object of Python, so a million take a second.

>>> batch = HypergraphBatch.random(3, seed=1, vertices=4, hyperedges=5)
>>> len(batch), batch.vertices.tolist(), len(batch[2].hyperedges)
(3, [4, 4, 4], 5)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.arrays import assembled, in_units, require_no_index, require_numbers, require_order, require_room
from hyloop.errors import HypergraphError
from hyloop.hypergraph import Arrays, Hypergraph, Incidence, Integers, Label, Numbering, is_integer, multiples, shown
from hyloop.memory import require_memory
from hyloop.numbers import Exact

Array = Any  # of numpy, or of CuPy on a GPU
Labels = tuple[tuple[Label, ...], tuple[Label, ...]]  # of the vertices and of the hyperedges of a hypergraph
ANY, TAIL, HEAD, BOTH = 1, 2, 4, 7  # the roles of a vertex in a hyperedge, as bits; every member has the first
MOST_ENTRIES = 2**31 - 2
ON_CUDA = 2  # as DLPack numbers devices
FIELDS = ("vertices", "hyperedges", "member_at", "member", "role", "weight")
NO_MEMBERS = Incidence([0], [])  # type: ignore[arg-type]
LEAST = {"vertices": 0, "hyperedges": 0, "member": 0, "weight": 1}
LARGEST_WEIGHT = 2**62  # of a weight in integer units that is stored in 64 bits
ONE = Exact(1)
PROBES = 8  # weights after which nearly all hypergraphs are known to have no common factor
BYTES = 48  # of a hypergraph, hyperedge or incidence, while it is drawn, as measured
LIMIT = {"vertices": 2**31, "hyperedges": 2**31, "member_at": 2**31, "member": 2**31, "role": 2**8, "weight": 2**63}


@dataclass(frozen=True, eq=False)
class HypergraphBatch:
    """Hypergraphs one after the other. Vertices and hyperedges are numbered within each.

    `vertices` and `hyperedges` are the counts of each hypergraph. Hyperedge `e` of all of them has the members
    `member[member_at[e]:member_at[e + 1]]`, vertex numbers from 0, with their `role` (bits: 1 always, 2 a tail, 4 a
    head), and the weight `weight[e]`, an integer of the hypergraph's `unit`. Arrays that do not fit together are
    refused.

    Where 64 bits do not hold the integers of a hypergraph that was packed, its entries of `weight` are 0, and
    `batch[i].weights` has them: algorithms that do not read weights run on it.

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
    labels: tuple[Labels, ...] = ()
    _ways: tuple[bool, ...] = field(default=(), init=False, repr=False)  # which are directed; none: as the batch is
    # The weights of hypergraphs of which 64 bits do not hold the integers, None for the others; or nothing at all.
    _long: tuple[tuple[Fraction, ...] | None, ...] = field(default=(), init=False, repr=False)

    def __post_init__(self) -> None:
        given = {name: getattr(self, name) for name in FIELDS}
        for name, array in _checked(given).items():
            object.__setattr__(self, name, array)
        directed = _flag("directed", self.directed) or bool((self.role != BOTH).any())
        object.__setattr__(self, "directed", directed)
        for name in ("units", "labels"):
            require_order(**{name: getattr(self, name)})
            if getattr(self, name) is None or len(getattr(self, name)) not in {0, len(self)}:
                raise HypergraphError(f"These arrays are no batch: {name} has one entry for each hypergraph, or none.")
        object.__setattr__(self, "units", tuple(_unit(each) for each in self.units))
        object.__setattr__(self, "labels", tuple(self._distinct(*each) for each in enumerate(self.labels)))

    def _distinct(self, place: int, labels: Any) -> Labels:
        counts = int(self.vertices[place]), int(self.hyperedges[place])
        if not isinstance(labels, list | tuple) or len(labels) != 2 or any(each is None for each in labels):
            raise HypergraphError(
                f"The labels of hypergraph {place} are a pair: those of the vertices, and those of the hyperedges; not "
                f"{shown(labels)}."
            )
        require_order(**{f"labels[{place}][{side}]": each for side, each in enumerate(labels)})
        given = [tuple(each) for each in labels]
        found = [tuple(Numbering(each)) for each in given]
        if tuple(map(len, given)) != counts or tuple(map(len, found)) != counts:
            raise HypergraphError(
                f"These arrays are no batch: hypergraph {place} has distinct labels, {counts[0]} of vertices and "
                f"{counts[1]} of hyperedges."
            )
        return found[0], found[1]

    def __len__(self) -> int:
        return len(self.vertices)

    def __repr__(self) -> str:
        where = "" if self.xp is np else ", on a GPU"
        return f"<HypergraphBatch: {len(self):,} hypergraphs, {len(self.member):,} incidences{where}>"

    # -- making one

    @staticmethod
    def of(hypergraphs: Iterable[Hypergraph]) -> HypergraphBatch:
        """The hypergraphs packed. Fractions among the weights become integers of a unit; labels stay what they are.

        Weights that 64 bits do not hold as such integers are kept apart; `run_many` raises what `run` raises, where an
        algorithm reads them.
        """
        counts: list[tuple[int, int]] = []
        sizes, members, roles, weights, units = [], [], [], list[int](), []
        ways, labels, long = list[bool](), [], list[tuple[Fraction, ...] | None]()
        if isinstance(hypergraphs, Hypergraph) or not isinstance(hypergraphs, Iterable):
            raise HypergraphError("A batch is packed of several hypergraphs: give a list of them.")
        for h in hypergraphs:
            if not isinstance(h, Hypergraph):
                raise HypergraphError(
                    f"A batch is packed of hypergraphs, and a {type(h).__name__} is none: hyloop.interop makes them."
                )
            labels.append((tuple(h.vertices), tuple(h.hyperedges)))
            counts.append((len(h.vertices), len(h.hyperedges)))
            integers, unit = _integers_of(h)
            units.append(unit)
            weights += [0] * len(h.hyperedges) if integers is None else integers
            long.append(h.weights if integers is None else None)
            by_hyperedge = h.incidence_transposed
            sizes.append(np.diff(by_hyperedge.indptr))
            members.append(by_hyperedge.indices)
            roles.append(_roles(h) if h.directed else np.full(len(by_hyperedge.indices), BOTH, np.uint8))
            ways.append(h.directed)
        n = np.array(counts, np.int32).reshape(-1, 2)
        return _packed(
            n[:, 0].copy(),
            n[:, 1].copy(),
            _prefix(np, np.concatenate([[], *sizes]).astype(np.int64)),
            np.concatenate([[], *members]).astype(np.int32),
            np.concatenate([[], *roles]).astype(np.uint8),
            np.array(weights, np.int64),
            () if all(unit == 1 for unit in units) else tuple(units),
            any(ways),
            () if all(map(_are_numbers, labels)) else tuple(labels),
            tuple(ways),
            () if all(each is None for each in long) else tuple(long),
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
            raise HypergraphError(
                f"A batch has a number of hypergraphs, from 0 to {MOST_ENTRIES:,}; not {shown(count)}."
            )
        _require_library(xp)
        directed, draw = _flag("directed", directed), Draw(seed, xp)
        most = min(ranges[0][1], ranges[2][1])
        if xp is np:
            edges = count * sum(ranges[1]) // 2  # half of them have more, half have less
            members = edges * (min(most, ranges[2][0]) + most) // 2
            told = f"A batch of {count:,} hypergraphs with about {members:,} incidences"
            require_memory(BYTES * (count + edges + members), told)
        n_v = draw.between(0, ranges[0], xp.arange(count)).astype(xp.int32)
        n_e = draw.between(1, ranges[1], xp.arange(count)).astype(xp.int32)
        of = owners(xp, _prefix(xp, n_e.astype(xp.int64)))
        edges = xp.arange(len(of))
        room = n_v.astype(xp.int64)[of]
        size = xp.minimum(draw.between(2, ranges[2], edges), room)
        members = distinct(draw, room, size, most, xp)
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

    @cached_property
    def heaviest(self) -> int:
        """The largest weight of all, in integer units; 1 if there is none."""
        long = (max(self.weights_of(place), default=1) for place in self.long)
        return max([1, int(self.weight.max()) if len(self.weight) else 1, *long])

    @property
    def long(self) -> list[int]:
        """The places of hypergraphs whose weights are too long for 64 bits."""
        return [place for place, weights in enumerate(self._long) if weights is not None]

    def __getitem__(self, place: int) -> Hypergraph:
        place = place_in(place, len(self))
        first, last = int(self.hyperedge_at[place]), int(self.hyperedge_at[place + 1])
        at = on_host(self.member_at[first : last + 1])
        require_room(int(self.vertices[place]), last - first, int(at[-1] - at[0]))
        member, role = (on_host(array[int(at[0]) : int(at[-1])]) for array in (self.member, self.role))
        edge = np.repeat(np.arange(last - first), np.diff(at))
        incidence = Incidence.from_pairs(member, edge, (int(self.vertices[place]), last - first))
        directions = role[np.lexsort((edge, member))] >> 1 if self.directed_at(place) else None
        return self._assembled(place, incidence, directions)

    def without_members(self, place: int) -> Hypergraph:
        """One hypergraph without its incidence, made in a fraction of the time: all that inputs are read by."""
        place = place_in(place, len(self))
        require_room(int(self.vertices[place]), int(self.hyperedges[place]), 0)
        return self._assembled(place, NO_MEMBERS, np.zeros(0, np.uint8) if self.directed_at(place) else None)

    def _assembled(self, place: int, incidence: Incidence, directions: npt.NDArray[np.uint8] | None) -> Hypergraph:
        if self._long and (long := self._long[place]) is not None:
            return assembled(incidence, Arrays(*self._named(place), None, ONE, directions), weights=long)
        own = self._weight_of(place)
        distinct, which = np.unique(own, return_inverse=True)
        weights, unit, kept = in_units([Exact(each * self.unit_of(place)) for each in distinct.tolist()], which)
        return assembled(incidence, Arrays(*self._named(place), weights, unit, directions), weights=kept)

    def _weight_of(self, place: int) -> npt.NDArray[np.int64]:
        own: npt.NDArray[np.int64] = on_host(
            self.weight[int(self.hyperedge_at[place]) : int(self.hyperedge_at[place + 1])]
        )
        return own

    def weights_of(self, place: int) -> tuple[int, ...]:
        """The weights of one hypergraph, as integers of its unit; also those that 64 bits do not hold."""
        place = place_in(place, len(self))
        long = self._long[place] if self._long else None
        return tuple(self._weight_of(place).tolist()) if long is None else multiples(long, self.unit_of(place))

    def directed_at(self, place: int) -> bool:
        """Whether one hypergraph is directed."""
        place = place_in(place, len(self))
        return self._ways[place] if self._ways else self.directed

    def unit_of(self, place: int) -> Fraction:
        """What the integers among the weights of one hypergraph are multiples of."""
        place = place_in(place, len(self))
        return self.units[place] if self.units else ONE

    def labels_of(self, place: int) -> Labels:
        """The labels of the vertices and of the hyperedges of one hypergraph."""
        vertices, hyperedges = self._named(place_in(place, len(self)))
        return tuple(vertices), tuple(hyperedges)

    def _named(self, place: int) -> tuple[range | tuple[Label, ...], range | tuple[Label, ...]]:
        """The same; of numbers from 1, no tuple is made."""
        if self.labels:
            return self.labels[place]
        return range(1, int(self.vertices[place]) + 1), range(1, int(self.hyperedges[place]) + 1)

    def __iter__(self) -> Iterator[Hypergraph]:
        return (self[place] for place in range(len(self)))

    def part(self, first: int, last: int) -> HypergraphBatch:
        """The hypergraphs from `first` up to `last`, that one not included; counted from the end if negative."""
        for each in (first, last):
            if not is_integer(each):
                raise HypergraphError(f"A part of a batch is between two places, integers; not {shown(each)}.")
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
            self._ways[first:last],
            self._long[first:last],
        )

    def undirected(self) -> HypergraphBatch:
        """The same batch without directions: every member is a tail and a head."""
        return self._changed(role=self.xp.full(len(self.role), BOTH, self.xp.uint8), directed=False, _ways=())

    def weighing(self, weights: Any, units: Sequence[Fraction] = ()) -> HypergraphBatch:
        """The same hypergraphs with other weights: an integer for each hyperedge, and a unit for each hypergraph.

        >>> HypergraphBatch.from_arrays([2], [1], [0, 2], [0, 1]).weighing([3], [Fraction(1, 2)])[0].weights
        (Fraction(3, 2),)
        """
        if weights is None:
            raise HypergraphError("weight is an array of integers, of one dimension; not None.")
        arrays = {name: getattr(self, name) for name in FIELDS}
        checked = HypergraphBatch(**arrays | {"weight": weights}, units=units)  # type: ignore[arg-type]
        return self._changed(weight=checked.weight, units=checked.units, _long=())

    def to(self, xp: Any) -> HypergraphBatch:
        """The same batch with arrays of another library: numpy, or CuPy (which copies it to the GPU)."""
        _require_library(xp)
        if xp is self.xp:
            return self
        arrays = {name: getattr(self, name) for name in FIELDS}
        moved = {name: xp.asarray(array) if self.xp is np else on_host(array) for name, array in arrays.items()}
        return self._changed(**moved)

    def _changed(self, **changes: Any) -> HypergraphBatch:
        return _packed(*(changes.get(each.name, getattr(self, each.name)) for each in fields(self)))


def rescaled(batch: HypergraphBatch, integers: Sequence[Integers], units: Sequence[Fraction]) -> HypergraphBatch:
    """The same weights in other units: the integers of each hypergraph, of any length. They are believed."""
    fit = [max(own, default=0) < LARGEST_WEIGHT for own in map(tuple, integers)]
    stored = [int(weight) if fits else 0 for own, fits in zip(integers, fit, strict=True) for weight in own]
    long = () if all(fit) else tuple(None if fits else batch[place].weights for place, fits in enumerate(fit))
    return batch._changed(weight=batch.xp.asarray(np.array(stored, np.int64)), units=tuple(units), _long=long)


def divided(batch: HypergraphBatch, divisor: Array) -> HypergraphBatch:
    """The same weights in larger units: those of each hypergraph are divided by a number that divides them all."""
    xp, places = batch.xp, batch.xp.flatnonzero(divisor > 1)
    at, of = entries_of(xp, batch.hyperedge_at, places)
    weight = batch.weight.copy()
    weight[at] //= divisor[places][of]
    units, times = list(batch.units or [ONE] * len(batch)), on_host(divisor[places]).tolist()
    scaled = {each: Exact(each) for each in set(times)}  # one object for many hypergraphs
    for place, each in zip(on_host(places).tolist(), times, strict=True):
        units[place] = Exact(units[place] * each) if batch.units else scaled[each]
    return batch._changed(weight=weight, units=tuple(units))


def place_in(place: Any, count: int) -> int:
    """A place among so many, counted from the end if it is negative; raises for any other."""
    if not is_integer(place):
        raise HypergraphError(
            f"A batch is read at one place, an integer; not {shown(place)}. `batch.part(first, last)` has several."
        )
    if not -count <= place < count:
        raise IndexError(f"There is no hypergraph {place}; there are {count}.")
    return int(place) % count


def on_host(array: Array) -> Any:
    """An array of numpy, copied from the GPU where it is there."""
    return array if isinstance(array, np.ndarray) else array.get()


def _integers_of(h: Hypergraph) -> tuple[tuple[int, ...] | None, Fraction]:
    """The weights as integers, and their unit; None where 64 bits do not hold them, or there is no unit."""
    try:
        integers, unit = h.integer_weights()
    except HypergraphError:  # no common unit: a run says so
        return None, ONE
    return integers if max(integers, default=0) < LARGEST_WEIGHT else None, unit


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise HypergraphError(f"{name} is True or False; not {shown(value)}.")
    return bool(value)


def _require_library(xp: Any) -> None:
    if getattr(xp, "__name__", "") not in {"numpy", "cupy"}:
        raise HypergraphError("The arrays of a batch are those of numpy or of CuPy; others take them by DLPack.")


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
        if isinstance(value, np.ndarray):
            value.flags.writeable = False  # a batch is frozen
        object.__setattr__(batch, each.name, value)  # type: ignore[union-attr]
    return batch


def _are_numbers(labels: Labels) -> bool:
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
        raise HypergraphError(f"A unit is an integer or a fraction, more than 0; not {shown(value)}.")
    return Exact(value)


def _integers(name: str, value: Any) -> Array:
    told = f"{name} is an array of integers, of one dimension."
    require_numbers(name, value)
    require_no_index(name, value)
    array = array_of(value, told)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and len(array)):
        raise HypergraphError(f"{told[:-1]}, in at most 64 bits; this one has {array.ndim} and holds {array.dtype}.")
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
    if xp is np:  # CuPy repeats all entries equally often
        return np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return xp.searchsorted(starts[1:], xp.arange(int(starts[-1])), side="right")


def entries_of(xp: Any, starts: Array, groups: Array) -> tuple[Array, Array]:
    """The places of the entries of some groups, one group after the other, and for each the number of its group."""
    begins = _prefix(xp, (starts[1:] - starts[:-1])[groups].astype(xp.int64))
    of = owners(xp, begins)
    return starts[groups][of] + xp.arange(len(of)) - begins[of], of


def divisors(xp: Any, values: Array, starts: Array) -> Array:
    """The greatest common divisor of each group of integers; 0 where there is none but 0."""
    first, sizes = starts[:-1], starts[1:] - starts[:-1]
    found = xp.zeros(len(sizes), xp.int64)
    left = xp.flatnonzero(sizes)
    for step in range(PROBES):
        found[left] = xp.gcd(found[left], values[first[left] + step])
        left = left[(found[left] != 1) & (sizes[left] > step + 1)]
        if not len(left):
            return found
    at, of = entries_of(xp, starts, left)
    own = found[left][of]
    # In the other groups it divides all.
    left = left[xp.unique(of[(own == 0) | (values[at] % xp.maximum(own, 1) != 0)])]
    at, _ = entries_of(xp, starts, left)
    found[left] = _halved(xp, values[at], sizes[left].astype(xp.int64))
    return found


def _halved(xp: Any, values: Array, counts: Array) -> Array:
    """The same of groups with so many entries each: of pairs, until one is left. CuPy has no `gcd.reduceat`."""
    while bool((counts > 1).any()):
        half = (counts + 1) // 2
        begins, halves = _prefix(xp, counts), _prefix(xp, half)
        of = owners(xp, halves)
        one = begins[of] + 2 * (xp.arange(len(of)) - halves[of])
        values = xp.gcd(values[one], values[xp.minimum(one + 1, begins[of + 1] - 1)])
        counts = half
    return values


# -- random numbers ---------------------------------------------------------------------------------------------------


def _given(*values: int | tuple[int, int]) -> list[tuple[str, int | tuple[int, int]]]:
    return list(zip(("vertices", "hyperedges", "sizes", "weights"), values, strict=True))


def _range(name: str, given: Any) -> tuple[int, int]:
    low, high = given if isinstance(given, tuple) and len(given) == 2 else (given, given)
    least = 1 if name in {"weights", "vertices"} else 0
    if not (is_integer(low) and is_integer(high)) or not least <= low <= high < 2**31:
        raise HypergraphError(f"{name} is a number or a pair (least, most), from {least} on; not {shown(given)}.")
    return int(low), int(high)


class Draw:
    """Random integers that depend on a seed, on what they are for, and on their place, not on any other draw."""

    def __init__(self, seed: int, xp: Any) -> None:
        if not is_integer(seed) or not 0 <= seed < 2**64:
            raise HypergraphError(f"A seed is a whole number below 2^64; not {shown(seed)}.")
        self._seed, self._xp = int(seed), xp

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


def distinct(draw: Draw, room: Array, size: Array, most: int, xp: Any) -> Array:
    """Distinct vertices for each hyperedge (Floyd's way): the one drawn, or the last allowed if that one is taken."""
    chosen = xp.full((len(size), max(most, 1)), -1, xp.int64)
    places = xp.arange(len(size))
    for step in range(most):
        last = room - size + step
        drawn = draw.below(4 + step, xp.maximum(last + 1, 1), places)
        taken = (chosen[:, :step] == drawn[:, None]).any(axis=1) if step else xp.zeros(len(size), bool)
        chosen[:, step] = xp.where(step < size, xp.where(taken, last, drawn), -1)
    return chosen[chosen >= 0]
