"""Hypergraphs: labels, incidence and exact weights, immutable once built.

>>> H = Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"], "road": ["Quay", "Mill"]}, weights={"ferry": 0.5})
>>> H
<Hypergraph: 3 vertices, 2 hyperedges, 4 incidences>
>>> H.members_of("ferry"), H.weights
(('Quay', 'Isle'), (Fraction(1, 2), Fraction(1, 1)))
"""

from __future__ import annotations

import difflib
import itertools
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias, TypeGuard, cast, get_args

import numpy as np
import numpy.typing as npt

from hyloop.errors import HypergraphError
from hyloop.numbers import Exact, short
from hyloop.references import above

Label: TypeAlias = str | int
Number: TypeAlias = "int | Fraction | Decimal | float | np.integer | np.floating"
Json: TypeAlias = "bool | int | Decimal | str | list[Json] | dict[str, Json] | None"
Attributes: TypeAlias = Mapping[str, Json]
Direction: TypeAlias = Literal["head", "tail"]
NetworkType: TypeAlias = Literal["undirected", "directed", "asc"]
_DIRECTIONS: tuple[Direction | None, ...] = (None, "head", "tail")
_ENDS: tuple[Direction, Direction] = ("tail", "head")
Arc: TypeAlias = "tuple[Iterable[Label], Iterable[Label]]"  # tails, then heads
IntArray: TypeAlias = npt.NDArray[np.int64]

# No real label or weight is longer; without a limit, the nine characters 1e9999999 would fill the memory.
DIGITS = 1000
NESTING = 100
LABEL = 10_000  # characters of a label
ALIKE = 100  # integer labels with the same hash; a lookup compares with each of them
_TOO_LONG = 10**DIGITS
KEPT_DIGITS = 4000  # of an integer that is only kept: Python reads and writes 4,300 at once. A Decimal may have more
_NOT_KEPT = 10**KEPT_DIGITS  # computed once: it takes longer than reading a small integer does
_EACH = 12  # entries a row, on average, from which on it is faster to search for where rows begin than to count
_FEW = 12  # labels that are checked one by one, which is then faster
_SOME = 200  # weights that are compared one by one
_INTEGER = re.compile(r"0|-?[1-9][0-9]*+")
_SHORT = 19  # digits of an integer that is read at once with others
_TWO_BYTES = 1 << 16


# -- labels -----------------------------------------------------------------------------------------------------


def as_label(value: object) -> Label:
    """`value` as a label: a string or an integer; 1 and "1" are different labels, True and 1.0 are invalid."""
    if isinstance(value, str):
        if len(value) > LABEL:
            raise HypergraphError(f"A text of {len(value):,} characters cannot be a label; at most {LABEL:,} are.")
        if not _is_unicode(value):
            raise HypergraphError(f"{shown(value)} cannot be a label: it is not valid Unicode text.")
        return str.__str__(value)  # of an enum of strings, the string and not its name
    if is_integer(value):
        number = int(value)
        if abs(number) >= _TOO_LONG:
            raise HypergraphError(f"An integer of more than {DIGITS} digits cannot be a label.")
        return number
    raise HypergraphError(f"{_as_python(value)} cannot be a label: labels are strings and integers.")


def label_from_text(text: str) -> Label:
    """The label that `text` stands for: an integer if it looks like one (7, -7; not 07), else the string."""
    if text[:1] > "9" or not looks_like_integer(text):
        return text
    if len(text.lstrip("-")) > DIGITS:
        raise HypergraphError(f"An integer of more than {DIGITS} digits cannot be a label.")
    return int(text)


def labels_from_texts(texts: Sequence[str]) -> list[Label]:
    """The labels that texts stand for, each as `label_from_text` has it; those that all are integers take less time."""
    if max(map(len, texts), default=0) < _SHORT:
        with suppress(ValueError):
            numbers = list(map(int, texts))
            if list(map(str, numbers)) == list(texts):  # 07, +7, 1_000 and -0 are other texts
                return numbers  # type: ignore[return-value]
    return list(map(label_from_text, texts))


def looks_like_integer(text: str) -> bool:
    """Whether `text` stands for an integer in the text formats, be it too long for a label."""
    return _INTEGER.fullmatch(text) is not None


def shown(value: object) -> str:
    """`value` for error messages: a number as digits, else its `repr`, at most one line."""
    if is_number(value) and (text := _shown_number(value)):
        return text
    return _as_python(value)


def _as_python(value: object) -> str:
    """The `repr` of a value, in one line: it distinguishes 1.0 from 1."""
    try:
        text = str(value) if isinstance(value, Decimal) else repr(value)
    except (ValueError, RecursionError):  # integers of more than 4300 digits, endless lists
        text = f"a huge {type(value).__name__}"
    except Exception as wrong:  # noqa: BLE001  (whatever an object of another library raises)
        text = f"a {type(value).__name__} (its repr raises {type(wrong).__name__})"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _shown_number(number: object) -> str:
    """A number in at most one line; empty for one that is not finite, not real, or too large."""
    if is_integer(number):
        return short(int(number), 60)
    if isinstance(number, Fraction):
        return short(number, 60)
    if not isinstance(number, float | Decimal | np.floating):
        return ""  # complex
    decimal = number if isinstance(number, Decimal) else Decimal(str(number))
    exponent = decimal.as_tuple().exponent
    moderate = isinstance(exponent, int) and abs(exponent) <= 4 * DIGITS
    return short(decimal, 60) if moderate else ""


def _unknown(kind: str, label: object, known: Sequence[Label]) -> HypergraphError:
    """The error for an unknown label, with similar labels."""
    text = label[:100] if isinstance(label, str) else shown(label)
    # difflib is slow per label: a bounded number of candidates keeps the error instant.
    likely = (str(other) for other in known if abs(len(str(other)) - len(text)) <= 2)
    close = difflib.get_close_matches(text, itertools.islice(likely, 5000), n=3)
    alike = (shown(other) for other in known if str(other) in close or str(other).casefold() == text.casefold())
    if meant := list(itertools.islice(alike, 3)):
        hint = f" Did you mean {' or '.join(meant)}?"
    else:
        hint = f" There is {shown(known[0])}, for example." if known else ""
    return HypergraphError(f"There is no {kind} {shown(label)} in this hypergraph.{hint}")


class Alike:
    """Refuses integers whose hashes collide so often that a dictionary takes quadratic time, as no real data do."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    def add(self, key: int | tuple[int, int]) -> None:
        """Count a new key of a dictionary: a label, or a pair of labels."""
        self._counts[hash(key)] += 1
        if self._counts[hash(key)] > ALIKE:
            raise HypergraphError(
                f"More than {ALIKE} of the integer labels, {shown(key)} among them, have the same hash value; "
                "it would take too long to look them up. Write them as strings."
            )


class Numbering:
    """Numbers from 0 for labels, in order of first appearance."""

    def __init__(self, labels: Iterable[object] = ()) -> None:
        self._numbers: dict[Label, int] = {}
        self._alike = Alike()
        for label in labels:
            self.number(label)

    def number(self, value: object) -> int:
        """The number of a label; a new label gets the next number."""
        known = self.get(value)
        if known is not None:
            return known
        label = as_label(value)
        if isinstance(label, int) and abs(label) >= sys.hash_info.modulus:
            self._alike.add(label)
        return self._numbers.setdefault(label, len(self._numbers))

    def number_all(self, labels: Sequence[Label]) -> list[int]:
        """The numbers of strings and integers, in order; many at once take a fraction of the time."""
        known = self._numbers
        try:
            return list(map(known.__getitem__, labels))
        except KeyError:
            if len(labels) <= _FEW or not _are_valid(labels):  # before a dictionary: their hashes may collide
                return [self.number(label) for label in labels]
        new = [label for label in dict.fromkeys(labels) if label not in known]
        known.update(zip(new, range(len(known), len(known) + len(new)), strict=True))
        return list(map(known.__getitem__, labels))

    def get(self, value: object) -> int | None:
        """The number of a label, or None."""
        # Checked before the lookup: in a dictionary, True and 1.0 equal the key 1.
        label = value if type(value) is str or type(value) is int else as_label(value)
        return self._numbers.get(label)

    def __contains__(self, value: object) -> bool:
        return self.get(value) is not None

    def has_any(self, labels: Iterable[Label]) -> bool:
        """Whether any of these strings and integers is known."""
        return not self._numbers.keys().isdisjoint(labels)

    def __iter__(self) -> Iterator[Label]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    @classmethod
    def of_distinct(cls, labels: Sequence[Label]) -> Numbering | None:
        """The numbering of labels that are valid and all different; None if any is not, or needs a closer look.

        All of them are checked at once: a million labels take a tenth of a second.
        """
        if not _are_valid(labels):
            return None
        numbers = dict(zip(labels, range(len(labels)), strict=True))
        if len(numbers) != len(labels):
            return None
        found = cls()
        found._numbers = numbers
        return found


def _are_valid(labels: Sequence[Label]) -> bool:
    """Whether all are labels, and none is an integer so large that its hash may be another's (`Alike`)."""
    kinds = set(map(type, labels))
    if not kinds <= {str, int}:
        return False
    texts: Sequence[Any] = labels if kinds == {str} else [label for label in labels if type(label) is str]
    numbers: Sequence[Any] = [] if kinds == {str} else [label for label in labels if type(label) is int]
    if max(map(abs, numbers), default=0) >= sys.hash_info.modulus or max(map(len, texts), default=0) > LABEL:
        return False
    return all(map(str.isascii, texts)) or all(map(_is_unicode, texts))


def _is_unicode(text: str) -> bool:
    """Whether it can be written as UTF-8: a lone surrogate cannot, neither to a file nor to a terminal."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


class Consecutive(Numbering):
    """The numbering of the labels 0, 1, ..., without an object for each."""

    def __init__(self, count: int) -> None:
        self._count = count

    def number(self, value: object) -> int:
        """The number of a label, which is the label itself."""
        known = self.get(value)
        if known is None:
            raise _unknown("label", value, ())
        return known

    def get(self, value: object) -> int | None:
        """The number of a label, or None."""
        label = as_label(value)
        return label if isinstance(label, int) and 0 <= label < self._count else None

    def __iter__(self) -> Iterator[Label]:
        return iter(range(self._count))

    def __len__(self) -> int:
        return self._count


# -- exact numbers ----------------------------------------------------------------------------------------------


def exact(number: object) -> Exact:
    """The rational number that `number` means; a float means the decimal that Python prints for it.

    >>> exact(0.1), exact(Decimal("2.50"))
    (Fraction(1, 10), Fraction(5, 2))
    """
    value = number if type(number) is Exact else Exact(_fraction(number))
    if abs(value.numerator) >= _TOO_LONG or value.denominator >= _TOO_LONG:
        raise HypergraphError(_too_long(number))
    return value


def _fraction(number: object) -> Fraction:
    if isinstance(number, Decimal):
        return _fraction_of_decimal(number)
    if is_integer(number):
        return Fraction(int(number))
    if isinstance(number, float | np.floating):
        return _fraction_of_decimal(_printed(number))
    if isinstance(number, Fraction):
        return number
    raise HypergraphError(f"{shown(number)} is not a number (an int, a Fraction, a Decimal or a float).")


def _printed(number: float | np.floating[Any]) -> Decimal:
    """The decimal that Python prints for a float, whatever its own class prints."""
    return Decimal(float.__repr__(number) if isinstance(number, float) else str(number))


def _fraction_of_decimal(number: Decimal) -> Fraction:
    if not number.is_finite():
        raise HypergraphError(f"{shown(number)} is not a finite number.")
    # Room for 2**-3300, whose numerator and denominator are short though its decimal has 3300 places. Only the
    # exponents of both ends are checked: there may be millions of digits between them.
    ends = number.adjusted(), number.as_tuple().exponent
    if any(not isinstance(end, int) or abs(end) > 4 * DIGITS for end in ends):
        raise HypergraphError(_too_long(number))
    return Fraction(number)


def _too_long(number: object) -> str:
    return f"{shown(number)} is beyond the limit of {DIGITS} digits for the two numbers of a fraction."


def positive_weight(number: object, hyperedge: Label) -> Exact:
    """The exact weight of a hyperedge; an error names the hyperedge."""
    try:
        weight = exact(number)
    except HypergraphError as error:
        raise HypergraphError(f"The weight of hyperedge {shown(hyperedge)} cannot be used: {error}") from None
    if weight.numerator > 0:
        return weight
    raise HypergraphError(f"The weight of hyperedge {shown(hyperedge)} is {shown(number)}; a weight must be positive.")


def common_unit(lengths: Iterable[Fraction]) -> Exact:
    """The largest length of which all these are integer multiples; 1 if all are 0.

    >>> common_unit([Fraction(1, 2), Fraction(3, 4)])
    Fraction(1, 4)
    """
    divisor, denominator = 0, 1
    for length in lengths:  # in lowest terms, so numerators and denominators are independent
        divisor = math.gcd(divisor, length.numerator)
        if denominator % length.denominator:
            denominator = math.lcm(denominator, length.denominator)
            # The common denominator of hundreds of unrelated ones takes minutes, that of thousands fills the memory.
            if denominator >= _TOO_LONG:
                raise HypergraphError(
                    f"The weights have no common unit: their common denominator has more than {DIGITS} digits. "
                    "Round them, or give them as multiples of one unit."
                )
    return Exact(divisor or 1, denominator)


def multiples(lengths: Iterable[Fraction], unit: Fraction) -> tuple[int, ...]:
    """Each length in units; all must be integer multiples."""
    up, down = unit.denominator, unit.numerator
    return tuple(length.numerator // down * (up // length.denominator) for length in lengths)


def is_number(value: object) -> bool:
    """Whether `value` is a number (True and False are not, and a span of time is not)."""
    numbers = int | float | Decimal | Fraction | np.number
    return isinstance(value, numbers) and not isinstance(value, bool | np.timedelta64)


def is_integer(value: object) -> TypeGuard[int | np.integer]:
    """Whether `value` is an integer. Numpy derives its spans of time from its integers; they are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


# -- incidence --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class Incidence:
    """A 0/1 matrix in compressed rows: row i has its ones in the columns `indices[indptr[i]:indptr[i + 1]]`, sorted."""

    indptr: IntArray
    indices: IntArray

    def __post_init__(self) -> None:
        for name in ("indptr", "indices"):
            object.__setattr__(self, name, _read_only(getattr(self, name)))
        if len(self.indptr) == 0 or self.indptr[0] != 0 or self.indptr[-1] != len(self.indices):
            raise HypergraphError("indptr must begin with 0 and end with the number of indices.")
        if (np.diff(self.indptr) < 0).any():
            raise HypergraphError("indptr must not decrease.")
        if not self._sorted():
            raise HypergraphError("The indices of each row must increase, and no index may be negative.")

    def _sorted(self) -> bool:
        if len(self.indices) == 0:
            return True
        increases = np.diff(self.indices, prepend=-1) > 0
        begins = self.indptr[:-1][np.diff(self.indptr) > 0]
        increases[begins] = True
        return bool(increases.all() and self.indices.min() >= 0)

    @classmethod
    def from_pairs(cls, rows: npt.ArrayLike, columns: npt.ArrayLike, shape: tuple[int, int]) -> Incidence:
        """The matrix with a one at every (row, column); duplicates are merged."""
        of_rows, of_columns = _in_order(np.asarray(rows, np.int64), np.asarray(columns, np.int64), max(shape[1], 1))
        found = object.__new__(cls)  # in order, so that it need not be looked through
        for name, part in (("indptr", _begins(of_rows, shape[0])), ("indices", of_columns)):
            object.__setattr__(found, name, _read_only(part))
        return found

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.indptr) - 1

    def row(self, number: int) -> IntArray:
        """The columns of a row's ones."""
        return self.indices[self.indptr[number] : self.indptr[number + 1]]

    def row_numbers(self) -> IntArray:
        """The row of each nonzero entry, in the order of `indices`."""
        return np.repeat(np.arange(self.rows, dtype=np.int64), np.diff(self.indptr))

    def transposed(self, columns: int) -> Incidence:
        """The same matrix with rows and columns exchanged; `columns` is how many columns this one has."""
        return Incidence.from_pairs(self.indices, self.row_numbers(), (columns, self.rows))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Incidence):
            return NotImplemented
        return np.array_equal(self.indptr, other.indptr) and np.array_equal(self.indices, other.indices)

    __hash__ = None  # type: ignore[assignment]


def _in_order(rows: IntArray, columns: IntArray, width: int) -> tuple[IntArray, IntArray]:
    """Each (row, column) once, in order: often they are; short numbers are sorted by their digits."""
    cells = rows * width + columns
    if (cells[1:] > cells[:-1]).all() and _within(columns, width):
        return rows, columns
    if not _within(rows, _TWO_BYTES) or not _within(columns, min(width, _TWO_BYTES)):
        cells = np.sort(cells)
    else:
        order = np.argsort(columns.astype(np.uint16), kind="stable")
        cells = cells[order[np.argsort(rows.astype(np.uint16)[order], kind="stable")]]
    of_rows, of_columns = np.divmod(cells[np.diff(cells, prepend=-1) > 0], width)
    return of_rows, of_columns


def _begins(rows: IntArray, count: int) -> IntArray:
    """Where the entries of each row begin, and where the last ones end; rows are in order."""
    if len(rows) > _EACH * count and rows[0] >= 0 and rows[-1] < count:
        return np.searchsorted(rows, np.arange(count + 1))
    return np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=count))))


def _within(numbers: IntArray, end: int) -> bool:
    return bool(numbers.min(initial=0) >= 0 and numbers.max(initial=0) < end)


def _read_only(values: npt.ArrayLike) -> IntArray:
    given = np.asarray(values)
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise HypergraphError("indptr and indices must be one-dimensional arrays of integers.")
    array = np.array(given, np.int64)
    array.flags.writeable = False
    return array.view()  # which cannot be made writable, as the array itself could


# -- annotations ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IncidenceRecord:
    """The annotations of one incidence: weight, direction and attributes."""

    direction: Direction | None = None
    weight: Fraction | None = None
    attributes: Attributes = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Annotations:
    """The annotations of a hypergraph, besides its structure and weights. Algorithms read directions only; files keep
    all.

    All mappings are sparse: what is not in them has no weight, no direction and no attributes. `incidences` is
    keyed by (hyperedge, vertex) and has at most one record for each direction (head, tail, none); empty records are
    left out. A record without a direction is one of a tail and of a head: beside a tail, there is then a head, too. Do
    not modify the dictionaries.
    """

    network_type: NetworkType | None = None
    metadata: Attributes = field(default_factory=dict)
    vertex_weights: Mapping[Label, Fraction] = field(default_factory=dict)
    vertex_attributes: Mapping[Label, Attributes] = field(default_factory=dict)
    hyperedge_attributes: Mapping[Label, Attributes] = field(default_factory=dict)
    incidences: Mapping[tuple[Label, Label], tuple[IncidenceRecord, ...]] = field(default_factory=dict)

    @property
    def directed(self) -> bool:
        """Whether the network type says so, or any incidence has a direction."""
        records = itertools.chain.from_iterable(self.incidences.values())
        return self.network_type == "directed" or any(record.direction for record in records)


def _checked_annotations(given: Annotations, vertices: Numbering, hyperedges: Numbering) -> Annotations:
    """A copy of `given` in which every value is JSON, every label known, and nothing is empty."""
    if given.network_type not in (None, *get_args(NetworkType)):
        raise HypergraphError(
            f"The network type is {shown(given.network_type)}; it must be one of {', '.join(get_args(NetworkType))}."
        )
    return Annotations(
        given.network_type,
        _json_object(given.metadata, "The metadata"),
        _checked_vertex_weights(given.vertex_weights, vertices),
        _checked_attributes("vertex", given.vertex_attributes, vertices),
        _checked_hyperedge_attributes(given.hyperedge_attributes, hyperedges),
        _checked_incidences(given.incidences, vertices, hyperedges),
    )


def _checked_vertex_weights(given: Mapping[Label, Fraction], vertices: Numbering) -> dict[Label, Fraction]:
    _all_known("vertex", given, vertices)
    return {as_label(label): exact(weight) for label, weight in given.items()}


def _checked_attributes(kind: str, given: Mapping[Label, Attributes], known: Numbering) -> dict[Label, dict[str, Json]]:
    _all_known(kind, given, known)
    return {
        as_label(label): _json_object(attributes, f"The attributes of {kind} {shown(label)}")
        for label, attributes in given.items()
        if attributes
    }


def _checked_hyperedge_attributes(
    given: Mapping[Label, Attributes], hyperedges: Numbering
) -> dict[Label, dict[str, Json]]:
    checked = _checked_attributes("hyperedge", given, hyperedges)
    for label, attributes in checked.items():
        # One weight only: in other libraries, weights get lost where there are two that may differ.
        if is_number(attributes.get("weight")):
            raise HypergraphError(
                f"Hyperedge {shown(label)} has a number as its attribute 'weight'; give it as the weight itself."
            )
    return checked


def _checked_incidences(
    given: Mapping[tuple[Label, Label], tuple[IncidenceRecord, ...]], vertices: Numbering, hyperedges: Numbering
) -> dict[tuple[Label, Label], tuple[IncidenceRecord, ...]]:
    _all_known("hyperedge", (hyperedge for hyperedge, _ in given), hyperedges)
    _all_known("vertex", (vertex for _, vertex in given), vertices)
    checked = {}
    for pair, records in given.items():
        try:
            said = _checked_records(records)
        except HypergraphError as error:
            where = f"vertex {shown(pair[1])} in hyperedge {shown(pair[0])}"
            raise HypergraphError(f"The annotations of {where} cannot be kept: {error}") from None
        if said:
            checked[pair] = said
    return checked


def _checked_records(records: Iterable[IncidenceRecord]) -> tuple[IncidenceRecord, ...]:
    by_direction: dict[Direction | None, IncidenceRecord] = {}
    for record in records:
        if record.direction not in _DIRECTIONS:
            raise HypergraphError(f"the direction {shown(record.direction)} is neither head nor tail.")
        if record.direction in by_direction:
            raise HypergraphError(f"there are two records with the direction {record.direction}.")
        by_direction[record.direction] = _checked_record(record)
    if None in by_direction and len(by_direction) > 1:
        for end in _ENDS:
            by_direction.setdefault(end, IncidenceRecord(end))
    ordered = sorted(by_direction, key=_DIRECTIONS.index)
    return tuple(by_direction[direction] for direction in ordered if _says_something(by_direction[direction]))


def _checked_record(record: IncidenceRecord) -> IncidenceRecord:
    weight = None if record.weight is None else exact(record.weight)
    return IncidenceRecord(record.direction, weight, _json_mapping(record.attributes, 1))


def _says_something(record: IncidenceRecord) -> bool:
    return record.direction is not None or record.weight is not None or bool(record.attributes)


def _all_known(kind: str, labels: Iterable[Label], known: Numbering) -> None:
    for label in labels:
        if known.get(label) is None:
            raise _unknown(kind, label, tuple(known))


def _json_object(value: object, what: str) -> dict[str, Json]:
    if not isinstance(value, Mapping):
        raise HypergraphError(f"{what} must be a mapping from names to values, not {shown(value)}.")
    try:
        return _json_mapping(value, 1)
    except HypergraphError as error:
        raise HypergraphError(f"{what} cannot be kept: {error}") from None


def _json_mapping(value: Mapping[str, object], depth: int) -> dict[str, Json]:
    copy: dict[str, Json] = {}
    for name, item in value.items():
        if not isinstance(name, str):
            raise HypergraphError(f"the name {shown(name)} is not a string.")
        copy[name] = json_copy(item, depth + 1)
    return copy


def json_copy(value: object, depth: int) -> Json:
    """A copy of `value` with exact numbers, so that reading gives back what was written."""
    if depth > NESTING + 1:
        raise HypergraphError(f"it is nested more than {NESTING} deep.")
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Mapping):
        return _json_mapping(value, depth)
    if isinstance(value, list | tuple):
        return [json_copy(item, depth + 1) for item in value]
    return bool(value) if isinstance(value, np.bool_) else _json_number(value)


def _json_number(value: object) -> int | Decimal:
    if is_integer(value):
        if abs(int(value)) >= _NOT_KEPT:
            raise HypergraphError(f"it has an integer of more than {KEPT_DIGITS:,} digits; give it as a Decimal.")
        return int(value)
    if isinstance(value, Decimal | float | np.floating):
        number = value if isinstance(value, Decimal) else _printed(value)
        if number.is_finite():
            return number
    raise HypergraphError(f"{shown(value)} is not a value that JSON has.")


# -- hypergraphs ------------------------------------------------------------------------------------------------

Integers: TypeAlias = "tuple[int, ...] | IntArray"  # an array, where the hypergraph was made from arrays
TAIL, HEAD = 1, 2  # what is said of an incidence, as bits


@dataclass(frozen=True, eq=False)
class Arrays:
    """A hypergraph without a Python object for each label, weight or direction: those are made when asked for.

    Labels are a range, an array of integers, or a tuple of valid labels. Weights are integers, and their unit; None,
    where 64 bits do not hold them.
    `directions` says of each entry of the incidence, in its order, whether it is a tail, a head, or both (as bits).
    """

    vertices: range | IntArray | tuple[Label, ...]
    hyperedges: range | IntArray | tuple[Label, ...]
    weights: IntArray | None
    unit: Exact
    directions: npt.NDArray[np.uint8] | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Hypergraph:
    """Vertices, hyperedges, which vertices each hyperedge contains, and an exact positive weight for each.

    `incidence` has a row for each vertex and a column for each hyperedge; both are numbered from 0 in the order of
    `vertices` and `hyperedges`. Equality compares everything, including order and annotations.
    `Hypergraph.from_hyperedges` is the convenient way to build one, `Hypergraph.from_arrays` the one for large ones.
    `counts` says how many vertices and hyperedges there are.
    """

    vertices: tuple[Label, ...]
    hyperedges: tuple[Label, ...]
    incidence: Incidence
    weights: tuple[Fraction, ...]
    annotations: Annotations = field(default_factory=Annotations)
    counts: tuple[int, int] = field(init=False)
    _vertex_numbers: Numbering = field(init=False)
    _hyperedge_numbers: Numbering = field(init=False)

    def __post_init__(self) -> None:
        self._set("_vertex_numbers", _distinct("vertex", self.vertices))
        self._set("_hyperedge_numbers", _distinct("hyperedge", self.hyperedges))
        self._set("vertices", tuple(self._vertex_numbers))
        self._set("hyperedges", tuple(self._hyperedge_numbers))
        self._set("counts", (len(self.vertices), len(self.hyperedges)))
        self._check_sizes()
        self._set("weights", tuple(map(positive_weight, self.weights, self.hyperedges)))
        self._check_annotations()

    def _check_annotations(self) -> None:
        if self.annotations != Annotations():
            checked = _checked_annotations(self.annotations, self._vertex_numbers, self._hyperedge_numbers)
            self._set("annotations", checked)
            if checked.incidences:
                self._check_annotated_incidences()

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        """What is made when it is first asked for, of a hypergraph that was made from arrays."""
        if name not in _LATER or "_arrays" not in self.__dict__:
            raise AttributeError(f"a Hypergraph has no {name!r}")
        made = _LATER[name](self, self.__dict__["_arrays"])
        self._set(name, made)
        return made

    @classmethod
    def _of_arrays(cls, incidence: Incidence, arrays: Arrays, **known: object) -> Hypergraph:
        """A hypergraph of what has been checked; `known` are parts that need not be made."""
        found = cls.__new__(cls)
        counts = len(arrays.vertices), len(arrays.hyperedges)
        for name, value in {"incidence": incidence, "counts": counts, "_arrays": arrays, **known}.items():
            found._set(name, value)
        return found

    def _check_sizes(self) -> None:
        if self.incidence.rows != len(self.vertices):
            raise HypergraphError(
                f"The incidence has {self.incidence.rows:,} rows for {len(self.vertices):,} vertices."
            )
        if (self.incidence.indices >= len(self.hyperedges)).any():
            raise HypergraphError(f"The incidence names a hyperedge beyond the {len(self.hyperedges):,} there are.")
        if len(self.weights) != len(self.hyperedges):
            raise HypergraphError(f"There are {len(self.weights):,} weights for {len(self.hyperedges):,} hyperedges.")

    def _check_annotated_incidences(self) -> None:
        pairs = tuple(self.annotations.incidences)
        rows = np.array([self._vertex_numbers.number(vertex) for _, vertex in pairs], np.int64)
        columns = np.array([self._hyperedge_numbers.number(hyperedge) for hyperedge, _ in pairs], np.int64)
        width = max(len(self.hyperedges), 1)
        cells = self.incidence.row_numbers() * width + self.incidence.indices
        missing = np.flatnonzero(~np.isin(rows * width + columns, cells))
        if len(missing):
            hyperedge, vertex = pairs[missing[0]]
            raise HypergraphError(
                f"There are annotations for vertex {shown(vertex)} in hyperedge {shown(hyperedge)}, "
                "which does not contain it."
            )

    @classmethod
    def of_numbered(
        cls,
        vertices: Numbering,
        hyperedges: Numbering,
        incidence: Incidence,
        weights: tuple[Fraction, ...],
        annotations: Annotations | None = None,
    ) -> Hypergraph:
        """A hypergraph of labels and weights that have been checked, as readers of files have them."""
        found = cls.__new__(cls)
        parts = {
            "vertices": tuple(vertices),
            "hyperedges": tuple(hyperedges),
            "incidence": incidence,
            "weights": weights,
            "annotations": annotations or Annotations(),
            "counts": (len(vertices), len(hyperedges)),
            "_vertex_numbers": vertices,
            "_hyperedge_numbers": hyperedges,
        }
        for name, part in parts.items():
            found._set(name, part)
        found._check_sizes()
        found._check_annotations()
        return found

    @classmethod
    def from_hyperedges(
        cls,
        hyperedges: Mapping[Label, Iterable[Label]] | Iterable[Iterable[Label]],
        weights: Mapping[Label, Number] | Iterable[Number] | None = None,
        vertices: Iterable[Label] = (),
        *,
        annotations: Annotations | None = None,
    ) -> Hypergraph:
        """A hypergraph from the members of its hyperedges, given by label or, labelled 1, 2, ..., one after another.

        `vertices` come first in the numbering, then the others as they appear. A weight that is not given is 1.

        >>> Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[2, Fraction(1, 3)]).hyperedges_of("b")
        (1, 2)
        """
        named = _named(hyperedges)
        labels = _distinct("hyperedge", named)
        numbering = Numbering(_collection(vertices, "The vertices"))
        members = [[numbering.number(vertex) for vertex in _members(*item)] for item in named.items()]
        columns = np.repeat(np.arange(len(members), dtype=np.int64), [len(row) for row in members])
        rows = np.fromiter(itertools.chain.from_iterable(members), np.int64, len(columns))
        incidence = Incidence.from_pairs(rows, columns, (len(numbering), len(labels)))
        return cls.of_numbered(numbering, labels, incidence, _weights(weights, labels), annotations)

    @classmethod
    def from_arcs(
        cls,
        hyperedges: Mapping[Label, Arc] | Iterable[Arc],
        weights: Mapping[Label, Number] | Iterable[Number] | None = None,
        vertices: Iterable[Label] = (),
    ) -> Hypergraph:
        """A directed hypergraph from the tails and the heads of its hyperedges, labelled as by `from_hyperedges`.

        Either side may be empty, and a vertex may be on both.

        >>> H = Hypergraph.from_arcs({"burn": (["H2", "O2"], ["H2O"])})
        >>> H.tails_of("burn"), H.heads_of("burn")
        (('H2', 'O2'), ('H2O',))
        """
        sides = {label: _sides(label, arc) for label, arc in _named(hyperedges).items()}
        said: dict[tuple[Label, Label], dict[Direction, IncidenceRecord]] = {}
        for label, ends in sides.items():
            for direction, side in zip(_ENDS, ends, strict=True):
                for vertex in side:
                    said.setdefault((label, as_label(vertex)), {})[direction] = IncidenceRecord(direction)
        records = {pair: tuple(found.values()) for pair, found in said.items()}
        members = {label: [*tails, *heads] for label, (tails, heads) in sides.items()}
        annotations = Annotations("directed", incidences=records)
        return cls.from_hyperedges(members, weights, vertices, annotations=annotations)

    @classmethod
    def from_arrays(
        cls,
        vertices: npt.ArrayLike,
        hyperedges: npt.ArrayLike,
        weights: npt.ArrayLike | None = None,
        *,
        direction: npt.ArrayLike | None = None,
        vertex_labels: Sequence[Label] | npt.ArrayLike | None = None,
        hyperedge_labels: Sequence[Label] | npt.ArrayLike | None = None,
        counts: tuple[int, int] | None = None,
    ) -> Hypergraph:
        """A hypergraph from its incidences: vertex `vertices[i]` is in hyperedge `hyperedges[i]`, numbered from 0.

        There is one weight for each hyperedge; without, all are 1. `direction` says of each incidence whether it is a
        tail (-1), a head (1) or neither (0). One that is stated as a tail and as a head, or as one of them and as
        neither, is both. Labels are 0, 1, ... unless they are given. `counts`, how many vertices and hyperedges there
        are, follows from labels, weights and the largest numbers unless it is given. No Python object is made for a
        label or a weight before it is asked for.

        >>> Hypergraph.from_arrays([0, 1, 1, 2], [0, 0, 1, 1], weights=[2, 3]).members_of(1)
        (1, 2)
        """
        found: Hypergraph = above("Hypergraph.from_arrays")(
            vertices, hyperedges, weights, direction, vertex_labels, hyperedge_labels, counts
        )
        return found

    @cached_property
    def incidence_transposed(self) -> Incidence:
        """The incidence with a row for each hyperedge and a column for each vertex."""
        return self.incidence.transposed(self.counts[1])

    @cached_property
    def tails(self) -> Incidence:
        """The incidence of tails: the vertices that a hyperedge leads from. A member without a direction is one."""
        return self._ends("tail")

    @cached_property
    def heads(self) -> Incidence:
        """The incidence of heads: the vertices that a hyperedge leads to. A member without a direction is one."""
        return self._ends("head")

    @cached_property
    def tails_transposed(self) -> Incidence:
        """The incidence of tails with a row for each hyperedge."""
        same = self.tails is self.incidence
        return self.incidence_transposed if same else self.tails.transposed(self.counts[1])

    @cached_property
    def heads_transposed(self) -> Incidence:
        """The incidence of heads with a row for each hyperedge."""
        same = self.heads is self.incidence
        return self.incidence_transposed if same else self.heads.transposed(self.counts[1])

    def _ends(self, direction: Direction) -> Incidence:
        """The incidence without the members that have the other direction only."""
        if "annotations" not in self.__dict__:  # of arrays: it need not be made
            return self._ends_of_arrays(HEAD if direction == "tail" else TAIL)
        other = [
            (self._vertex_numbers.number(vertex), self._hyperedge_numbers.number(hyperedge))
            for (hyperedge, vertex), records in self.annotations.incidences.items()
            if {record.direction for record in records} - {None} not in (set(), {direction}, set(_ENDS))
        ]
        if not other:
            return self.incidence
        width = max(self.counts[1], 1)
        rows, columns = self.incidence.row_numbers(), self.incidence.indices
        kept = ~np.isin(rows * width + columns, np.array(other, np.int64) @ np.array([width, 1]))
        return Incidence.from_pairs(rows[kept], columns[kept], self.counts)

    def _ends_of_arrays(self, other: int) -> Incidence:
        directions = self._arrays.directions
        if directions is None:
            return self.incidence
        kept = directions != other
        if kept.all():
            return self.incidence
        indptr = np.concatenate(([0], np.cumsum(kept)))[self.incidence.indptr]
        return Incidence(indptr, self.incidence.indices[kept])

    def vertex_number(self, label: Label) -> int:
        """The place of a vertex in `vertices`, from 0."""
        number = self._vertex_numbers.get(label)
        if number is None:
            raise _unknown("vertex", label, self.vertices)
        return number

    def hyperedge_number(self, label: Label) -> int:
        """The place of a hyperedge in `hyperedges`, from 0."""
        number = self._hyperedge_numbers.get(label)
        if number is None:
            raise _unknown("hyperedge", label, self.hyperedges)
        return number

    def find_vertex(self, text: str) -> Label:
        """The vertex that `text` stands for: `1` is the integer if there is one, `"1"` the string."""
        return _found("vertex", text, self._vertex_numbers)

    def find_hyperedge(self, text: str) -> Label:
        """The hyperedge that `text` stands for: `1` is the integer if there is one, `"1"` the string."""
        return _found("hyperedge", text, self._hyperedge_numbers)

    def members_of(self, hyperedge: Label) -> tuple[Label, ...]:
        """The vertices of a hyperedge, in the order of `vertices`."""
        row = self.incidence_transposed.row(self.hyperedge_number(hyperedge))
        return tuple(self.vertices[number] for number in row)

    def tails_of(self, hyperedge: Label) -> tuple[Label, ...]:
        """The vertices that a hyperedge leads from; without direction, all of its members."""
        row = self.tails_transposed.row(self.hyperedge_number(hyperedge))
        return tuple(self.vertices[number] for number in row)

    def heads_of(self, hyperedge: Label) -> tuple[Label, ...]:
        """The vertices that a hyperedge leads to; without direction, all of its members."""
        row = self.heads_transposed.row(self.hyperedge_number(hyperedge))
        return tuple(self.vertices[number] for number in row)

    def hyperedges_of(self, vertex: Label) -> tuple[Label, ...]:
        """The hyperedges that contain a vertex, in the order of `hyperedges`."""
        return tuple(self.hyperedges[number] for number in self.incidence.row(self.vertex_number(vertex)))

    def weight_of(self, hyperedge: Label) -> Fraction:
        """The weight of a hyperedge."""
        return self.weights[self.hyperedge_number(hyperedge)]

    def _repr_html_(self) -> str:
        return str(above("Hypergraph._repr_html_")(self))

    def integer_weights(self) -> tuple[tuple[int, ...], Fraction]:
        """The smallest integers in proportion to the weights, and the unit: weight = integer * unit, exactly.

        >>> Hypergraph.from_hyperedges([[1], [2]], weights=[0.5, 0.75]).integer_weights()
        ((2, 3), Fraction(1, 4))
        """
        integers, unit = self.in_units
        return integers if isinstance(integers, tuple) else tuple(integers.tolist()), unit

    @cached_property
    def in_units(self) -> tuple[Integers, Exact]:
        """What `integer_weights` gives; as an array, if the hypergraph was made from arrays."""
        arrays: Arrays | None = self.__dict__.get("_arrays")
        if arrays is not None and arrays.weights is not None:
            return arrays.weights, arrays.unit
        if len(self.weights) <= _SOME:
            unit = common_unit(self.weights)
            return multiples(self.weights, unit), unit
        # Equal weights of a large hypergraph are nearly always one object, and fractions take long to compare.
        distinct = {id(weight): weight for weight in self.weights}
        unit = common_unit(distinct.values())
        integers = dict(zip(distinct, multiples(distinct.values(), unit), strict=True))
        return tuple(map(integers.__getitem__, map(id, self.weights))), unit

    @property
    def directed(self) -> bool:
        """Whether the network type says so, or any incidence has a direction."""
        if "annotations" not in self.__dict__:  # of arrays: it need not be made
            return self._arrays.directions is not None
        return self.annotations.directed

    def ignoring_direction(self) -> Hypergraph:
        """The undirected hypergraph of the same members; head and tail records are merged."""
        if not self.directed:
            return self
        if "annotations" not in self.__dict__:
            return self._of_arrays(
                self.incidence, replace(self._arrays, directions=None), annotations=Annotations("undirected")
            )
        merged = {pair: (_undirected(records),) for pair, records in self.annotations.incidences.items()}
        return replace(self, annotations=replace(self.annotations, network_type="undirected", incidences=merged))

    def labelled_by(self, attribute: str) -> Hypergraph:
        """The same hypergraph, with an attribute as labels, such as `name` in many files.

        A vertex or hyperedge without the attribute keeps its label; duplicate labels are refused.
        """
        found: Hypergraph = above("Hypergraph.labelled_by")(self, attribute)
        return found

    def require_undirected(self) -> None:
        """Raise HypergraphError if this hypergraph is directed."""
        if self.directed:
            raise HypergraphError(
                "This hypergraph is directed, and this algorithm reads hyperedges as sets of vertices. "
                "To run on it as if it had no directions, pass ignore_direction=True "
                "(on the command line, --ignore-direction)."
            )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hypergraph):
            return NotImplemented
        return (
            self.counts == other.counts
            and self.incidence == other.incidence
            and (self.vertices, self.hyperedges, self.weights) == (other.vertices, other.hyperedges, other.weights)
            and self.annotations == other.annotations
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        name = self.annotations.metadata.get("name") if "annotations" in self.__dict__ else None
        title = f" {shown(name)}" if isinstance(name, str) else ""
        directed = ", directed" if self.directed else ""
        return (
            f"<Hypergraph{title}: {_count(self.counts[0], 'vertex', 'vertices')}, "
            f"{_count(self.counts[1], 'hyperedge', 'hyperedges')}, "
            f"{_count(len(self.incidence.indices), 'incidence', 'incidences')}{directed}>"
        )


# -- parts of a hypergraph of arrays, made when asked for -------------------------------------------------------


def _labels_of(labels: range | IntArray | tuple[Label, ...]) -> tuple[Label, ...]:
    return tuple(labels.tolist() if isinstance(labels, np.ndarray) else labels)


def _vertex_numbering(h: Hypergraph, arrays: Arrays) -> Numbering:
    given = arrays.vertices
    return Consecutive(len(given)) if isinstance(given, range) else _distinct("vertex", h.vertices)


def _hyperedge_numbering(h: Hypergraph, arrays: Arrays) -> Numbering:
    given = arrays.hyperedges
    return Consecutive(len(given)) if isinstance(given, range) else _distinct("hyperedge", h.hyperedges)


def _weights_of(_: Hypergraph, arrays: Arrays) -> tuple[Fraction, ...]:
    """The weights; equal ones are one object."""
    assert arrays.weights is not None
    integers, places = np.unique(arrays.weights, return_inverse=True)
    each = [Exact(integer * arrays.unit) for integer in integers.tolist()]
    return tuple(map(each.__getitem__, places.tolist()))


_SAID: Mapping[int, tuple[IncidenceRecord, ...]] = {
    TAIL: (IncidenceRecord("tail"),),
    HEAD: (IncidenceRecord("head"),),
    TAIL | HEAD: (IncidenceRecord("head"), IncidenceRecord("tail")),
}


def _annotations_of(h: Hypergraph, arrays: Arrays) -> Annotations:
    if arrays.directions is None:
        return Annotations()
    said = arrays.directions.nonzero()[0]
    rows, columns = h.incidence.row_numbers()[said].tolist(), h.incidence.indices[said].tolist()
    pairs = ((h.hyperedges[column], h.vertices[row]) for row, column in zip(rows, columns, strict=True))
    records = map(_SAID.__getitem__, arrays.directions[said].tolist())
    return Annotations("directed", incidences=dict(zip(pairs, records, strict=True)))


_LATER: Mapping[str, Callable[[Hypergraph, Arrays], object]] = {
    "vertices": lambda _, arrays: _labels_of(arrays.vertices),
    "hyperedges": lambda _, arrays: _labels_of(arrays.hyperedges),
    "weights": _weights_of,
    "annotations": _annotations_of,
    "_vertex_numbers": _vertex_numbering,
    "_hyperedge_numbers": _hyperedge_numbering,
}


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _distinct(kind: str, labels: Iterable[Any]) -> Numbering:
    given = labels if isinstance(labels, tuple | list) else list(labels)
    if len(given) > _FEW and (numbering := Numbering.of_distinct(given)) is not None:
        return numbering
    numbering = Numbering()
    for count, label in enumerate(given):
        if numbering.number(label) != count:
            raise HypergraphError(f"There are two records of {kind} {shown(label)}; each label may occur once.")
    return numbering


def _named(hyperedges: Mapping[Label, object] | Iterable[object]) -> Mapping[Label, object]:
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


def _members(label: Label, members: object) -> Iterable[object]:
    return _collection(members, f"The members of hyperedge {shown(label)}")


def _collection(members: object, what: str) -> Iterable[object]:
    if not _is_collection(members):
        raise HypergraphError(f"{what} must be a collection of vertices, not {shown(members)}.")
    return _sorted(members) if isinstance(members, set | frozenset) else members


def _sorted(labels: Iterable[object]) -> list[object]:
    """The labels of a set, integers first: the order that Python visits it in differs from process to process."""
    return sorted(map(as_label, labels), key=lambda label: (isinstance(label, str), label))


def _is_collection(given: object) -> TypeGuard[Iterable[object]]:
    """Whether it has items. An array of no dimension has none, and a string is probably a forgotten bracket."""
    return isinstance(given, Iterable) and not isinstance(given, str | bytes) and getattr(given, "ndim", 1) != 0


def _sides(label: Label, arc: object) -> tuple[list[Label], list[Label]]:
    if not isinstance(arc, tuple | list) or len(arc) != 2:
        raise HypergraphError(f"Hyperedge {shown(label)} must be given as (tails, heads), not {shown(arc)}.")
    tails, heads = (list(_members(label, side)) for side in arc)
    return cast("list[Label]", tails), cast("list[Label]", heads)


def by_label(given: object, labels: Collection[object] = ()) -> Any:
    """A pandas Series as the dictionary that it is by its index; whatever has no labels of its own, as it is.

    An index that counts from 0 is that of a plain list, unless `labels` are these numbers.
    """
    index = index_of(given)
    if index is None or (list(index) == list(range(len(index))) and set(labels) != set(index)):
        return given
    twice = [label for label, count in Counter(index).items() if count > 1]
    if twice:
        raise HypergraphError(f"The index of the Series has {shown(twice[0])} twice; each label may occur once.")
    return dict(zip(index, series_entries(given), strict=True))


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


def _weights(given: Mapping[Label, Number] | Iterable[Number] | None, labels: Numbering) -> tuple[Fraction, ...]:
    """One weight for each label, exact."""
    if given is None:
        return (Exact(1),) * len(labels)
    numbers = weights_in_order(given, tuple(labels))
    return tuple(map(positive_weight, numbers, labels))


def weights_in_order(given: Mapping[Label, Number] | Iterable[Number], labels: Sequence[Label]) -> list[Any]:
    """What is given as the weight of each label, in the order of the labels; 1 where a dictionary has none."""
    given = by_label(given, labels)
    if isinstance(given, Mapping):
        _all_known("hyperedge", given, Numbering(labels))
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


def _found(kind: str, text: str, known: Numbering) -> Label:
    """The label that a text stands for, as in tables and edge lists: `1` is the integer, `"1"` the string."""
    only_string = len(text.lstrip("-")) > DIGITS  # no integer label is as long
    for label in (*_unquoted(text), text if only_string else label_from_text(text), text):
        if label in known:
            return label
    raise _unknown(kind, text, tuple(known))


def _unquoted(text: str) -> Iterator[str]:
    """What a text in double quotes may stand for: the string that it is in JSON, or what is between the quotes."""
    if len(text) > 1 and text[0] == text[-1] == '"':
        with suppress(ValueError):
            yield json.loads(text)
        yield text[1:-1]


def _undirected(records: Iterable[IncidenceRecord]) -> IncidenceRecord:
    weight: Fraction | None = None
    attributes: dict[str, Json] = {}
    for record in records:
        weight = weight if record.weight is None else record.weight
        attributes.update(record.attributes)
    return IncidenceRecord(None, weight, attributes)
