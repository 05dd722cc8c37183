"""Labels of vertices and hyperedges, and their numbers."""

from __future__ import annotations

import difflib
import itertools
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from hyloop.errors import HypergraphError
from hyloop.hypergraph.values import DIGITS, TOO_LONG, Label, as_python, is_integer, shown
from hyloop.numbers import integer_from, writable

LABEL = 10_000  # characters of a label
ALIKE = 100  # integer labels with the same hash; a lookup compares with each of them
SEARCHED = 200_000  # labels among which similar ones are looked for: a tenth of a second
_FEW = 12  # labels that are checked one by one, which is then faster
_INTEGER = re.compile(r"0|-?[1-9][0-9]*+")
_SHORT = 19  # digits of an integer that is read at once with others


def as_label(value: object) -> Label:
    """`value` as a label: a string or an integer; 1 and "1" are different labels, True and 1.0 are invalid."""
    if isinstance(value, str):
        if len(value) > LABEL:
            raise HypergraphError(f"A text of {len(value):,} characters cannot be a label; at most {LABEL:,} are.")
        if not is_unicode(value):
            raise HypergraphError(f"{shown(value)} cannot be a label: it is not valid Unicode text.")
        return str.__str__(value)  # of an enum of strings, the string and not its name
    if is_integer(value):
        number = int(value)
        if abs(number) >= TOO_LONG:
            raise HypergraphError(f"An integer of more than {DIGITS} digits cannot be a label.")
        return writable(number)
    raise HypergraphError(f"{as_python(value)} cannot be a label: labels are strings and integers.")


def label_from_text(text: str) -> Label:
    """The label that `text` stands for: an integer if it looks like one (7, -7; not 07), else the string."""
    if text[:1] > "9" or not looks_like_integer(text):
        return text
    if len(text.lstrip("-")) > DIGITS:
        raise HypergraphError(f"An integer of more than {DIGITS} digits cannot be a label.")
    return integer_from(text)


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


def unknown_label(kind: str, label: object, known: Sequence[Label]) -> HypergraphError:
    """The error for an unknown label, with similar labels."""
    text = label[:100] if isinstance(label, str) else shown(label)
    # difflib is slow per label: a bounded number of labels, and of candidates, keeps the error instant.
    some = [(other, str(other)) for other in itertools.islice(known, SEARCHED)]
    likely = (written for _, written in some if abs(len(written) - len(text)) <= 2)
    close = difflib.get_close_matches(text, itertools.islice(likely, 5000), n=3)
    alike = (shown(other) for other, written in some if written in close or written.casefold() == text.casefold())
    if meant := list(itertools.islice(alike, 3)):
        hint = f" Did you mean {' or '.join(meant)}?"
    else:
        hint = f" There is {shown(known[0])}, for example." if known else ""
    return HypergraphError(f"There is no {kind} {shown(label)} in this hypergraph.{hint}")


def require_known(kind: str, labels: Iterable[Label], known: Numbering) -> None:
    """Raise for a label that is not known, naming similar ones."""
    for label in labels:
        if known.get(label) is None:
            raise unknown_label(kind, label, tuple(known))


def found_label(kind: str, text: str, known: Numbering) -> Label:
    """The label that a text stands for, as in tables and edge lists: `1` is the integer, `"1"` the string."""
    only_string = len(text.lstrip("-")) > DIGITS  # no integer label is as long
    for label in (*_unquoted(text), text if only_string else label_from_text(text), text):
        if label in known:
            return label
    raise unknown_label(kind, text, tuple(known))


def _unquoted(text: str) -> Iterator[str]:
    """What a text in double quotes may stand for: the string that it is in JSON, or what is between the quotes."""
    if len(text) > 1 and text[0] == text[-1] == '"':
        with suppress(ValueError):
            yield json.loads(text)
        yield text[1:-1]


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
    return all(map(str.isascii, texts)) or all(map(is_unicode, texts))


def is_unicode(text: str) -> bool:
    """Whether it can be written as UTF-8: a lone surrogate cannot, neither to a file nor to a terminal."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


class Consecutive(Numbering):
    """The numbering of integers that follow each other, without an object for each."""

    def __init__(self, labels: range) -> None:
        self._labels = labels

    def number(self, value: object) -> int:
        """The number of a label, which must be known."""
        known = self.get(value)
        if known is None:
            raise unknown_label("label", value, ())
        return known

    def get(self, value: object) -> int | None:
        """The number of a label, or None."""
        label = as_label(value)
        return self._labels.index(label) if isinstance(label, int) and label in self._labels else None

    def __iter__(self) -> Iterator[Label]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)


def distinct_labels(kind: str, labels: Iterable[Any]) -> Numbering:
    """The numbers of labels, each of which may occur once."""
    given = labels if isinstance(labels, tuple | list) else list(labels)
    if len(given) > _FEW and (numbering := Numbering.of_distinct(given)) is not None:
        return numbering
    numbering = Numbering()
    for count, label in enumerate(given):
        if numbering.number(label) != count:
            raise HypergraphError(f"There are two records of {kind} {shown(label)}; each label may occur once.")
    return numbering
