"""Hypergraphs from arrays: `Hypergraph.from_arrays`. Everything is checked at once, nothing label by label."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.errors import HypergraphError
from hyloop.hypergraph import (
    HEAD,
    TAIL,
    Annotations,
    Arrays,
    Hypergraph,
    Incidence,
    IntArray,
    Label,
    Numbering,
    by_label,
    common_unit,
    exact,
    index_of,
    is_integer,
    multiples,
    positive_weight,
    shown,
)
from hyloop.memory import require_memory
from hyloop.numbers import Exact, plural

_SENTENCE = {"vertex": "vertices", "hyperedge": "hyperedges"}
_LARGEST = 2**62  # of an integer weight, or a number of a vertex: sums of two fit into 64 bits
_BOOLEANS = frozenset({bool, np.bool_})
BYTES = 80  # of an incidence, while it is sorted, and of a vertex or hyperedge, at most
Labels = range | IntArray | tuple[Label, ...]


def hypergraph_of(
    vertices: npt.ArrayLike,
    hyperedges: npt.ArrayLike,
    weights: Any = None,
    direction: npt.ArrayLike | None = None,
    vertex_labels: Any = None,
    hyperedge_labels: Any = None,
    counts: tuple[int, int] | None = None,
) -> Hypergraph:
    """The hypergraph of incidence arrays; see `Hypergraph.from_arrays`."""
    _require_one_index(vertices=vertices, hyperedges=hyperedges, direction=direction)
    rows, last_vertex = _numbers("vertex", vertices)
    columns, last_hyperedge = _numbers("hyperedge", hyperedges)
    if len(rows) != len(columns):
        raise HypergraphError(
            f"There are {len(rows):,} numbers of vertices and {len(columns):,} of hyperedges; an incidence has both."
        )
    require_order(vertex_labels=vertex_labels, hyperedge_labels=hyperedge_labels, weights=weights)
    if weights is not None:
        _require_numbers_alone(weights)
    known = (None, None) if counts is None else _pair(counts)
    n_v = _how_many("vertex", last_vertex, known[0], vertex_labels)
    n_e = _how_many("hyperedge", last_hyperedge, known[1], hyperedge_labels, weights)
    require_room(n_v, n_e, len(rows))
    labels = _labels("vertex", vertex_labels, n_v), _labels("hyperedge", hyperedge_labels, n_e)
    incidence = Incidence.from_pairs(rows, columns, (n_v, n_e))
    bits = None if direction is None else _directions(direction, rows, columns, incidence, n_e)
    integers, unit, kept = weights_of(weights, n_e, labels[1])
    return assembled(incidence, Arrays(*labels, integers, unit, bits), weights=kept)


def require_room(n_v: int, n_e: int, incidences: int) -> None:
    """Raise `NotEnoughMemoryError` if a hypergraph of so many takes more memory than is free."""
    require_memory(BYTES * (incidences + n_v + n_e), f"A hypergraph of {n_v:,} vertices and {n_e:,} hyperedges")


def assembled(
    incidence: Incidence,
    arrays: Arrays,
    *,
    weights: tuple[Fraction, ...] | None = None,
    numberings: tuple[Numbering, Numbering] | None = None,
    annotations: Annotations | None = None,
) -> Hypergraph:
    """A hypergraph of parts that have been checked; those that are not given are made when they are asked for."""
    known: dict[str, object] = {"weights": weights, "annotations": annotations}
    if numberings is not None:
        known |= dict(zip(("_vertex_numbers", "_hyperedge_numbers"), numberings, strict=True))
    there = {name: part for name, part in known.items() if part is not None}
    return Hypergraph._of_arrays(incidence, arrays, **there)


# -- numbers and labels ---------------------------------------------------------------------------------------------


def _require_one_index(**given: Any) -> None:
    """Raise for columns of pandas whose rows belong together otherwise than their entries in order do."""
    known = {name: index for name, each in given.items() if (index := index_of(each)) is not None}
    first = next(iter(known), "")
    for name, index in known.items():
        if list(index) != list(known[first]):
            raise HypergraphError(
                f"{first} and {name} are in order, and these Series have another index each; to_numpy() has the "
                "entries alone."
            )
    if any(each is not None and name not in known for name, each in given.items()):
        for name in known:
            require_no_index(name, given[name])


def require_order(**given: Any) -> None:
    """Raise for what has no first and second entry, or not all of them: a set, a generator, a masked array."""
    for name, each in given.items():
        ordered = isinstance(each, Collection) and not isinstance(each, str | bytes | set | frozenset | Mapping)
        if each is not None and not (ordered and getattr(each, "ndim", 1) != 0):
            raise HypergraphError(f"{name} is a list or an array, in order, not {shown(each)}.")
        require_no_index(name, each)
        _require_unmasked(name, each)


def require_no_index(name: str, given: Any) -> None:
    """Raise for a Series of pandas that says by its index, otherwise than by order, what its entries belong to."""
    if by_label(given) is not given:
        raise HypergraphError(
            f"{name} is in order, and this Series has an index of its own; {name}.to_numpy() has its entries alone."
        )


def _require_numbers_alone(weights: Any) -> None:
    """Raise for a table of weights: its length says how many rows it has, and not how many weights."""
    nested = getattr(weights, "ndim", 1) != 1 or getattr(next(iter(weights), 0), "ndim", 0)
    if nested or isinstance(next(iter(weights), 0), list | tuple):
        raise HypergraphError("weights is a list or an array of one dimension, with a number for each hyperedge.")


def _require_unmasked(name: str, given: object) -> None:
    if np.ma.is_masked(given):  # numpy's functions go by the mask or ignore it, each as it likes
        raise HypergraphError(f"{name} is an array with masked entries; leave these out, or fill them in.")


def require_numbers(name: str, given: object) -> None:
    """Raise for masked entries, and for True and False in a list: numpy makes integers of [True, 0]."""
    _require_unmasked(name, given)
    if isinstance(given, list | tuple) and not _BOOLEANS.isdisjoint(map(type, given)):
        raise HypergraphError(f"{name} is a one-dimensional array of numbers; True and False are none.")


def _array(name: str, given: npt.ArrayLike) -> npt.NDArray[Any]:
    require_numbers(name, given)
    try:
        return np.asarray(given)
    except (ValueError, TypeError, OverflowError):  # rows of several lengths, and what numpy cannot visit
        raise HypergraphError(f"{name} is a one-dimensional array of numbers, not {shown(given)}.") from None


def _numbers(kind: str, given: npt.ArrayLike) -> tuple[IntArray, int]:
    """Numbers of vertices or hyperedges, and the largest of them; -1 if there are none."""
    array = _array(_SENTENCE[kind], given)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise HypergraphError(
            f"The {_SENTENCE[kind]} of incidences are a one-dimensional array of integers from 0; this one has "
            f"{plural(array.ndim, 'dimension')} and holds {array.dtype}."
        )
    if not array.size:
        return array.astype(np.int64), -1
    if array.dtype == np.int64 and (largest := int(array.view(np.uint64).max())) < _LARGEST:
        return array, largest  # looked at once: a negative number would be a large one
    if array.min() < 0:
        wrong = array[np.flatnonzero(array < 0)[0]]
        raise HypergraphError(f"The {kind} {wrong} of an incidence is no number of a {kind}; they begin at 0.")
    if array.max() >= _LARGEST:
        raise HypergraphError(
            f"The {kind} {array.max()} of an incidence is too large: {_SENTENCE[kind]} are numbered from 0, one by one."
        )
    return array.astype(np.int64, copy=False), int(array.max())  # an incidence copies it


def _pair(counts: object) -> tuple[int, int]:
    if isinstance(counts, tuple | list) and len(counts) == 2 and all(map(_is_count, counts)):
        return int(counts[0]), int(counts[1])
    raise HypergraphError(f"counts is how many vertices and how many hyperedges there are, not {shown(counts)}.")


def _is_count(value: object) -> bool:
    return is_integer(value) and int(value) >= 0


def _how_many(kind: str, largest: int, count: int | None, *beside: Any) -> int:
    """How many there are: as labels, weights or `counts` say, else up to the largest number."""
    said = {len(each) for each in beside if each is not None} | ({count} if count is not None else set())
    if len(said) > 1:
        raise HypergraphError(
            f"Labels, weights and counts disagree on how many {_SENTENCE[kind]} there are: "
            f"{' or '.join(f'{each:,}' for each in sorted(said))}."
        )
    known = said.pop() if said else largest + 1
    if largest >= known:
        raise HypergraphError(f"An incidence names {kind} {largest:,}, counted from 0; there are {known:,}.")
    return known


def _labels(kind: str, given: Any, count: int) -> Labels:
    if given is None:
        return range(count)
    if isinstance(given, np.ndarray) and given.ndim == 1 and given.dtype.kind in "iu" and given.dtype != np.uint64:
        return _integer_labels(kind, given.astype(np.int64))
    labels = _listed(given) if isinstance(given, np.ndarray) else given
    numbering = Numbering.of_distinct(labels) if isinstance(labels, list | tuple) else None
    if numbering is not None:
        return tuple(numbering)
    checked = Numbering()
    for place, label in enumerate(labels):
        if checked.number(label) != place:
            raise _twice(kind, label)
    return tuple(checked)


def _listed(labels: npt.NDArray[Any]) -> list[Any]:
    """The entries of an array. Of times and spans of time, `tolist` would give integers: their nanoseconds."""
    return list(labels) if labels.dtype.kind in "mM" else labels.tolist()


def _integer_labels(kind: str, labels: IntArray) -> Labels:
    if np.array_equal(labels, np.arange(len(labels))):
        return range(len(labels))
    ordered = np.sort(labels)
    same = np.flatnonzero(ordered[1:] == ordered[:-1])
    if len(same):
        raise _twice(kind, int(ordered[same[0]]))
    return labels


def _twice(kind: str, label: object) -> HypergraphError:
    return HypergraphError(f"There are two records of {kind} {shown(label)}; each label may occur once.")


def _directions(
    given: npt.ArrayLike, rows: IntArray, columns: IntArray, incidence: Incidence, n_e: int
) -> npt.NDArray[np.uint8]:
    """What is said of each entry of the incidence; of one that is named several times, all of it."""
    direction = _array("direction", given)
    if direction.dtype.kind == "O":
        direction = np.array(list(map(_sign, direction.flat)), np.int64).reshape(direction.shape)
    # Text is none: numpy would find "1" in the numbers, as text.
    if direction.dtype.kind not in "iuf" or direction.shape != rows.shape or not np.isin(direction, (-1, 0, 1)).all():
        raise HypergraphError("direction is an array with an entry for each incidence: -1 a tail, 1 a head, 0 neither.")
    width = max(n_e, 1)
    cells = incidence.row_numbers() * width + incidence.indices
    places = np.searchsorted(cells, rows * width + columns)
    bits = np.zeros(len(cells), np.uint8)
    for value, bit in ((-1, TAIL), (1, HEAD)):
        bits[places[direction == value]] |= bit
    neither = places[direction == 0]
    bits[neither[bits[neither] != 0]] = TAIL | HEAD  # neither is both, also beside one of them
    return bits


def _sign(entry: object) -> int:
    """A direction that is no number of numpy's; 2 if it is none."""
    try:
        number = exact(entry)
    except HypergraphError:
        return 2
    return int(number) if number in (-1, 0, 1) else 2


# -- weights --------------------------------------------------------------------------------------------------------


def weights_of(
    given: Any, count: int, labels: Sequence[Any] | Labels
) -> tuple[IntArray | None, Exact, tuple[Fraction, ...] | None]:
    """Weights as integers and their unit; and, where 64 bits do not hold those, as they are."""
    if given is None:
        return np.ones(count, np.int64), Exact(1), None
    if isinstance(getattr(given, "dtype", None), np.dtype):
        given = np.asarray(given)  # a column of pandas gives floats of 64 bits, one by one
    if isinstance(given, np.ndarray) and given.ndim == 1 and given.dtype.kind in "iuf":
        if given.dtype.kind in "iu" and given.size and given.min() > 0 and given.max() < _LARGEST:
            unit = int(np.gcd.reduce(given[:64]))  # no number of Python's for each; mostly it is 1 by then
            unit = unit if unit == 1 else int(np.gcd.reduce(given))
            return given.astype(np.int64) if unit == 1 else given.astype(np.int64) // unit, Exact(unit), None
        distinct, places = np.unique(given, return_inverse=True)
        _require_positive(distinct, given, labels)
        return in_units([exact(number) for number in distinct], places)  # as numpy prints them: 0.1 of 32 bits is 0.1
    return in_units(*_shared([positive_weight(number, labels[place]) for place, number in enumerate(given)]))


def _require_positive(distinct: npt.NDArray[Any], given: npt.NDArray[Any], labels: Sequence[Any] | Labels) -> None:
    """Raise for the first weight that is none, as `positive_weight` does."""
    if len(distinct) and not (distinct[0] > 0 and np.isfinite(distinct[-1])):
        place = int(np.flatnonzero(~((given > 0) & np.isfinite(given)))[0])
        label = labels[place]
        positive_weight(given[place], int(label) if isinstance(label, np.integer) else label)


def _shared(weights: list[Exact]) -> tuple[list[Exact], npt.NDArray[np.intp]]:
    """The distinct weights, and which of them each is."""
    numbers: dict[Exact, int] = {}
    places = np.fromiter((numbers.setdefault(weight, len(numbers)) for weight in weights), np.intp, len(weights))
    return list(numbers), places


def in_units(
    distinct: Sequence[Exact], places: npt.NDArray[np.intp]
) -> tuple[IntArray | None, Exact, tuple[Fraction, ...] | None]:
    """Weights, given by the distinct ones and which of them each is, as `weights_of` gives them."""
    try:
        unit = common_unit(distinct)
        integers = multiples(distinct, unit)
    except HypergraphError:  # no common unit: a run says so
        integers, unit = (_LARGEST,), Exact(1)
    if max(integers, default=0) < _LARGEST:
        return np.array(integers, np.int64)[places] if integers else np.zeros(0, np.int64), unit, None
    return None, Exact(1), tuple(map(distinct.__getitem__, places.tolist()))
