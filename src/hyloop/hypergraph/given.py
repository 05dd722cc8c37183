"""What people give as hyperedges, members and weights: in order, or by label."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from fractions import Fraction
from typing import Any, TypeGuard, cast

import numpy as np

from hyloop.errors import HypergraphError
from hyloop.hypergraph.labels import Numbering, as_label, require_known
from hyloop.hypergraph.rational import positive_weight
from hyloop.hypergraph.values import Label, Number, is_integer, shown
from hyloop.numbers import Exact


def as_named(hyperedges: Mapping[Label, object] | Iterable[object]) -> Mapping[Label, object]:
    """The hyperedges by label; those of a list are numbered from 1."""
    hyperedges = by_label(hyperedges)
    if isinstance(hyperedges, Mapping):
        return hyperedges
    if not _is_collection(hyperedges) or isinstance(hyperedges, set | frozenset):  # a set does not say which is 1
        raise HypergraphError(
            "The hyperedges must be a dictionary from labels to members, or a list of collections of vertices; not "
            f"{shown(hyperedges)}."
        )
    numbered: Iterable[tuple[Label, object]] = enumerate(hyperedges, 1)
    return dict(numbered)


def as_members(label: Label, members: object) -> Iterable[object]:
    """The members of a hyperedge, in order."""
    return as_collection(members, f"The members of hyperedge {shown(label)}")


def as_collection(members: object, what: str) -> Iterable[object]:
    """Vertices in order: that of the collection, or of the labels if it is a set."""
    if not _is_collection(members):
        raise HypergraphError(f"{what} must be a collection of vertices, not {shown(members)}.")
    return _sorted(members) if isinstance(members, set | frozenset) else members


def _sorted(labels: Iterable[object]) -> list[object]:
    """The labels of a set, integers first: the order that Python visits it in differs from process to process."""
    return sorted(map(as_label, labels), key=lambda label: (isinstance(label, str), label))


def _is_collection(given: object) -> TypeGuard[Iterable[object]]:
    """Whether it has items. An array of no dimension has none, and a string is probably a forgotten bracket."""
    return isinstance(given, Iterable) and not isinstance(given, str | bytes) and getattr(given, "ndim", 1) != 0


def as_sides(label: Label, arc: object) -> tuple[list[Label], list[Label]]:
    """The tails and the heads of a directed hyperedge."""
    if not isinstance(arc, tuple | list) or len(arc) != 2:
        raise HypergraphError(f"Hyperedge {shown(label)} must be given as (tails, heads), not {shown(arc)}.")
    tails, heads = (list(as_members(label, side)) for side in arc)
    return cast("list[Label]", tails), cast("list[Label]", heads)


def by_label(given: object, labels: Collection[object] = ()) -> Any:
    """A pandas Series as the dictionary that it is by its index; whatever has no labels of its own, as it is.

    An index that counts from 0 is that of a plain list, unless `labels` are these numbers. Where only some are, it is
    not clear what is meant, unless they count from 1 as those of a list do.
    """
    index = index_of(given)
    if index is None:
        return given
    if list(index) == list(range(len(index))) and set(labels) != set(index):
        _require_clear(labels, len(index))
        return given
    twice = [label for label, count in Counter(index).items() if count > 1]
    if twice:
        raise HypergraphError(f"The index of the Series has {shown(twice[0])} twice; each label may occur once.")
    return dict(zip(index, series_entries(given), strict=True))


def _require_clear(labels: Collection[object], count: int) -> None:
    """Raise where the index 0, 1, ... of a Series may name some of these labels, or be no index at all."""
    numbers = [label for label in labels if is_integer(label)]
    if list(labels) != list(range(1, len(labels) + 1)) and any(0 <= number < count for number in numbers):
        raise HypergraphError(
            "The index of the Series counts from 0, and some of the labels are such numbers: give it an index of all "
            "labels, or its entries in order (to_numpy())."
        )


def index_of(given: object) -> Any:
    """The index of a pandas Series; None of anything else."""
    index = getattr(given, "index", None)
    return None if callable(index) or getattr(given, "ndim", 1) != 1 else index  # a list has a method of that name


def series_entries(column: Any) -> list[Any]:
    """The entries of a pandas Series. Where pandas makes Python's floats of narrower ones, they get their type back."""
    categories = getattr(column.dtype, "categories", None)
    held = column.dtype if categories is None else categories.dtype
    plain = getattr(held, "numpy_dtype", held)
    entries = list(column.array)
    if plain not in (np.float16, np.float32):
        return entries
    return [plain.type(entry) if isinstance(entry, float) else entry for entry in entries]


def exact_weights(given: Mapping[Label, Number] | Iterable[Number] | None, labels: Numbering) -> tuple[Fraction, ...]:
    """One weight for each label, exact."""
    if given is None:
        return (Exact(1),) * len(labels)
    numbers = weights_in_order(given, tuple(labels))
    return tuple(map(positive_weight, numbers, labels))


def weights_in_order(given: Mapping[Label, Number] | Iterable[Number], labels: Sequence[Label]) -> list[Any]:
    """What is given as the weight of each label, in the order of the labels; 1 where a dictionary has none."""
    given = by_label(given, labels)
    if isinstance(given, Mapping):
        require_known("hyperedge", given, Numbering(labels))
        usual = getattr(given, "default_factory", None)  # a defaultdict has its own
        return [given[label] if label in given else usual() if usual else 1 for label in labels]
    if not _is_collection(given) or isinstance(given, set | frozenset) or getattr(given, "ndim", 1) != 1:
        raise HypergraphError(
            f"The weights must be a dictionary from labels to numbers, or a list of numbers; not {shown(given)}."
        )
    # One more than there may be is enough to refuse an iterator without end.
    numbers = list(itertools.islice(given if index_of(given) is None else series_entries(given), len(labels) + 1))
    if len(numbers) != len(labels):
        many = f"{len(given):,}" if isinstance(given, Sized) else f"{len(numbers):,} or more"
        raise HypergraphError(f"There are {many} weights for {len(labels):,} hyperedges.")
    return numbers
