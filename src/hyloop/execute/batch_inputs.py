"""What a user gives for the inputs of a batch, as integers.

`prepare`, which reads the inputs of one run, is the definition: an input of a batch has for each hypergraph a value
that `hyloop.run` takes, and what `prepare` refuses is refused. A few comparisons find the integers that `prepare` would
take as they are (`_as_they_are`), for all hypergraphs at once. Only where they do not hold is `prepare` called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from hyloop.errors import CapacityError, HyloopError
from hyloop.execute.given import Attribute
from hyloop.execute.prepare import Given, check_names, prepare
from hyloop.hypergraph_batch import (
    HypergraphBatch,
    array_of,
    divided,
    divisors,
    entries_of,
    on_host,
    owners,
    rescaled,
)
from hyloop.interpreter import largest_of
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.matrices import uses_direction
from hyloop.lang.program import Input, Program
from hyloop.memory import NotEnoughMemoryError

Array = Any
LARGEST = 2**62  # of an integer in an array
PLAIN = frozenset({str, int, np.int64})  # types of labels of which nothing else needs to be known
ONE_BY_ONE = "run_many also takes a list of hypergraphs (`list(batch)`), and runs them one by one."


@dataclass(frozen=True, eq=False)
class BatchInputs:
    """The inputs of a batch: its hypergraphs, with weights in units that hold the given lengths, too, and the integers.

    There is an array for each input, with a number for each hypergraph or for each of all vertices or hyperedges.
    """

    program: Program
    batch: HypergraphBatch
    arrays: Mapping[str, Array]

    def given(self, place: int, *, members: bool = True) -> Given:
        """The input of one run, in integers; without `members`, the hypergraph has no incidence."""
        batch = self.batch
        inputs = {
            each.name: part_of(self.arrays[each.name], each.type.scope, batch, place) for each in self.program.inputs
        }
        h = batch[place] if members else batch.without_members(place)
        return Given(h, batch.weights_of(place), inputs, batch.unit_of(place))


def span(scope: Scope, batch: HypergraphBatch, first: int, last: int | None = None) -> slice:
    """Where the entries of a hypergraph, or of those from `first` up to `last`, are in an array of all."""
    last = first + 1 if last is None else last
    if scope is Scope.SCALAR:
        return slice(first, last)
    at = _starts(scope, batch)
    return slice(int(at[first]), int(at[last]))


def part_of(array: Array, scope: Scope, batch: HypergraphBatch, place: int) -> Any:
    """What belongs to one hypergraph: a number, or the numbers of its vertices or hyperedges."""
    entries = array[span(scope, batch, place)].tolist()
    return entries[0] if scope is Scope.SCALAR else tuple(entries)


def entries_in(scope: Scope, batch: HypergraphBatch) -> int:
    """How many entries an array has."""
    return int(span(scope, batch, 0, len(batch)).stop)


def candidates(each: Input, batch: HypergraphBatch) -> Array:
    """How many vertices or hyperedges each entry of a pointer input can name."""
    counts = batch.vertices if each.type.kind is Kind.VERTEX else batch.hyperedges
    if each.type.scope is Scope.SCALAR:
        return counts
    return counts[owners(batch.xp, _starts(each.type.scope, batch))]


@contextmanager
def told_of(place: int) -> Iterator[None]:
    """Errors in the block are about one hypergraph of a batch, and say so."""
    try:
        yield
    except HyloopError as wrong:
        kind = next((each for each in (CapacityError, NotEnoughMemoryError) if isinstance(wrong, each)), HyloopError)
        raise kind(f"Hypergraph {place}: {wrong}") from None


# -- reading them -----------------------------------------------------------------------------------------------------


def read_inputs(
    program: Program, batch: HypergraphBatch, inputs: Mapping[str, Any], fit: Callable[[Given], object]
) -> BatchInputs:
    """The inputs of a batch; raises for what `hyloop.run` refuses for one of its hypergraphs, and says for which.

    `fit` raises for one that no model holds.
    """
    _require_direction(program, batch)
    check_names(program, inputs)
    shares = {each.name: _share(each, batch, inputs[each.name]) for each in program.inputs}
    arrays, doubtful = {}, []
    for each in program.inputs:
        share = shares[each.name]
        array = _by_label(each, batch, share) if batch.labels and each.type.kind.is_pointer else share.array
        good = None if array is None else _as_they_are(each, batch, array)
        if array is None or good is None:
            return _one_by_one(program, batch, shares, fit)
        wrong = batch.xp.flatnonzero(~good)[:1].tolist()
        doubtful += [place_of(at, each.type.scope, batch) for at in wrong]
        arrays[each.name] = batch.xp.ascontiguousarray(array.astype(batch.xp.int64))
    if doubtful:
        _prepared(program, batch, shares, min(doubtful))  # raises, as none of these integers is taken
        return _one_by_one(program, batch, shares, fit)
    _require_units(batch)
    return _in_largest_units(program, batch, arrays)


def _require_units(batch: HypergraphBatch) -> None:
    """Raise for weights without a common unit, which one run refuses, too."""
    for place in batch.long:
        with told_of(place):
            batch.without_members(place).integer_weights()


def _in_largest_units(program: Program, batch: HypergraphBatch, arrays: Mapping[str, Array]) -> BatchInputs:
    """The same in the units of single runs: the largest of which all weights and given lengths are multiples."""
    xp, whole = batch.xp, dict(arrays)
    lengths = [each for each in program.inputs if each.type.kind is Kind.LENGTH]
    divisor = divisors(xp, batch.weight, batch.hyperedge_at)
    for each in lengths:
        divisor = xp.gcd(divisor, divisors(xp, arrays[each.name], _starts(each.type.scope, batch)))
    if not bool((divisor > 1).any()):
        return BatchInputs(program, batch, arrays)
    for each in lengths:
        at, of = entries_of(xp, _starts(each.type.scope, batch), xp.arange(len(batch)))
        whole[each.name] = arrays[each.name][at] // xp.maximum(divisor, 1)[of]
    return BatchInputs(program, divided(batch, divisor), whole)


def _starts(scope: Scope, batch: HypergraphBatch) -> Array:
    """Where the entries of each hypergraph begin in an array of all."""
    if scope is Scope.SCALAR:
        return batch.xp.arange(len(batch) + 1)
    return batch.vertex_at if scope is Scope.VERTICES else batch.hyperedge_at


def place_of(entry: int, scope: Scope, batch: HypergraphBatch) -> int:
    """The hypergraph to which an entry of an array belongs."""
    if scope is Scope.SCALAR:
        return entry
    at = _starts(scope, batch)
    return int(np.searchsorted(on_host(at)[1:], entry, side="right"))


def _require_direction(program: Program, batch: HypergraphBatch) -> None:
    if not batch.directed or uses_direction(program):
        return
    for place in filter(batch.directed_at, range(len(batch))):
        with told_of(place):
            batch.without_members(place).require_undirected()


def _as_they_are(each: Input, batch: HypergraphBatch, array: Array) -> Array | None:
    """Which entries `prepare` takes as the integers that they are; None where it takes none of such an array so."""
    kind, xp = each.type.kind, batch.xp
    if kind is Kind.FLAG:
        return xp.ones(len(array), bool) if array.dtype.kind == "b" else None
    if array.dtype.kind not in "iu" or (kind is Kind.LENGTH and (batch.units or batch.long)):
        return None
    if kind.is_pointer:
        return (array >= int(each.type.scope is Scope.SCALAR)) & (array <= candidates(each, batch))
    return (array >= 0) & (array <= (LARGEST if each.at_most is None else min(each.at_most, LARGEST)))


def _by_label(each: Input, batch: HypergraphBatch, share: _Share) -> Array | None:
    """The numbers of what is named by label, 0 for what needs a closer look; None where an array is given."""
    if each.type.scope is not Scope.SCALAR:
        return None
    found, kind = np.zeros(len(batch), np.int64), int(each.type.kind is Kind.HYPEREDGE)
    for place, names in enumerate(batch.labels):
        label = share.at(place)
        if type(label) in PLAIN and label in names[kind]:  # of others, True and 1.0 equal the label 1
            found[place] = names[kind].index(label) + 1
    return batch.xp.asarray(found)


def _one_by_one(
    program: Program, batch: HypergraphBatch, shares: Mapping[str, _Share], fit: Callable[[Given], object]
) -> BatchInputs:
    """The same by `prepare`, for one hypergraph after the other."""
    givens = [_prepared(program, batch, shares, place) for place in range(len(batch))]
    for place, given in enumerate(givens):
        if max(map(largest_of, given.inputs.values()), default=0) > LARGEST:
            with told_of(place):
                fit(given)
    found: dict[str, Array] = {}
    for each in program.inputs:
        numbers: list[Any] = [given.inputs[each.name] for given in givens]
        flat = numbers if each.type.scope is Scope.SCALAR else list(chain.from_iterable(numbers))
        found[each.name] = batch.xp.asarray(np.array(flat, np.int64))
    if any(each.type.kind is Kind.LENGTH for each in program.inputs):
        batch = rescaled(batch, [given.weights for given in givens], [given.unit for given in givens])
        return BatchInputs(program, batch, found)
    return _in_largest_units(program, batch, found)


def _prepared(program: Program, batch: HypergraphBatch, shares: Mapping[str, _Share], place: int) -> Given:
    with told_of(place):
        values = {name: share.at(place) for name, share in shares.items()}
        return prepare(program, batch.without_members(place), values)


# -- from what is given to what each hypergraph gets ------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Share:
    """An input of a batch: what `hyloop.run` is given for each hypergraph; and all of it as an array, if it is one."""

    at: Callable[[int], Any]
    array: Array | None = None


def _share(each: Input, batch: HypergraphBatch, value: Any) -> _Share:
    if isinstance(value, Attribute):
        raise HyloopError(f"The input {each.name} is an attribute, and a batch keeps none. {ONE_BY_ONE}")
    if not _is_listed(value):
        uniform = _uniform([value]) if each.type.scope is Scope.SCALAR else None
        array = None if uniform is None else batch.xp.broadcast_to(batch.xp.asarray(uniform), (len(batch),))
        return _Share(lambda _: value, array)
    count = entries_in(each.type.scope, batch)
    told = f"The input {each.name} of a batch is {_ways(each, batch, count)}"
    entries = value if isinstance(value, list | tuple | range) else _array(batch, value, told)
    array = _uniform(entries) if isinstance(entries, list | tuple | range) else entries
    several = any(map(_is_many, entries)) if array is None else array.ndim > 1
    by_hypergraph = several and each.type.scope is not Scope.SCALAR
    if len(entries) != (len(batch) if by_hypergraph else count):
        raise HyloopError(f"{told}; the list has {len(entries):,} entries.")
    if by_hypergraph:
        return _Share(lambda place: _part(entries, place))
    return _Share(_entries_at(each, batch, entries), None if array is None or several else batch.xp.asarray(array))


def _ways(each: Input, batch: HypergraphBatch, count: int) -> str:
    if each.type.scope is Scope.SCALAR:
        return f"one for all hypergraphs, or a list with one for each of the {count:,}"
    return (
        f"one for all hypergraphs by label, a list of {len(batch):,} such, or a list of the entries of all "
        f"{each.type.scope}, of which there are {count:,}"
    )


def _entries_at(each: Input, batch: HypergraphBatch, entries: Any) -> Callable[[int], Any]:
    """What one hypergraph gets of a list of entries. In an array of numbers from 1, 0 stands for a pointer to none."""
    integers = getattr(getattr(entries, "dtype", None), "kind", "O") in "iu"
    scope, none = each.type.scope, integers and each.type.kind.is_pointer and not batch.labels

    def at(place: int) -> Any:
        own = list(_part(entries, span(scope, batch, place)))
        if scope is Scope.SCALAR:
            return own[0]
        return [None if none and entry == 0 else entry for entry in own]

    return at


def _part(entries: Any, key: int | slice) -> Any:
    """A part of a list, or of an array: of one on a GPU, as an array of numpy."""
    part = entries[key]
    return part if isinstance(entries, list | tuple | range | np.ndarray) else on_host(part)


def _is_listed(value: object) -> bool:
    """Whether it has entries in order. An array of no dimension has none."""
    listed = isinstance(value, Sequence) or hasattr(value, "__dlpack_device__")
    return listed and not isinstance(value, str | bytes) and getattr(value, "ndim", 1) != 0


def _is_many(entry: object) -> bool:
    return isinstance(entry, Mapping | Set) or _is_listed(entry)


def _array(batch: HypergraphBatch, value: Any, told: str) -> Any:
    """An array, or a tensor of another library, where the batch is; masked arrays and other sequences as a list."""
    if np.ma.isMaskedArray(value) or not hasattr(value, "__dlpack_device__"):
        return list(value)
    if isinstance(value, np.ndarray) and value.dtype.kind not in "iub":
        return list(value)
    array = array_of(value, f"{told}.")
    return on_host(array) if batch.xp is np else batch.xp.asarray(array)


def _uniform(values: Sequence[Any]) -> Array | None:
    """Integers, or booleans, as an array; None where there are any others, or both: numpy makes integers of both."""
    kinds = set(map(type, values))
    if not (kinds <= {bool} or kinds <= {int} or all(issubclass(kind, np.integer) for kind in kinds)):
        return None
    try:
        return np.array(values, None if kinds else np.int64)
    except OverflowError:  # integers of more than 64 bits
        return None
