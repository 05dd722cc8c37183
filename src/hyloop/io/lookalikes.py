"""Different labels that look the same: probably two vertices where the author meant one."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterator

from hyloop.errors import HyloopWarning
from hyloop.hypergraph import Arrays, Hypergraph, Label, shown

_PLAIN = re.compile(r"[!-~]+(?: [!-~]+)*+")
# Zero-width, but not of the category of format characters: the grapheme joiner and variation selectors.
_HIDDEN = frozenset(map(chr, (0x34F, *range(0xFE00, 0xFE10))))
_SHOWN = 3
_LONG = 200


def warn_of_lookalikes(H: Hypergraph, name: str, stacklevel: int = 3) -> None:
    """Warn of different labels that look the same; they stay different. `name` is the file, or says where they are."""
    arrays: Arrays | None = H.__dict__.get("_arrays")
    for kind in ("vertices", "hyperedges"):
        if arrays is not None and not isinstance(getattr(arrays, kind), tuple):
            continue  # integers, of which no two look the same
        pairs = list(_pairs(getattr(H, kind)))
        if not pairs:
            continue
        told = "; ".join(f"{_told(first)} and {_told(second)}" for first, second in pairs[:_SHOWN])
        more = f"; and {len(pairs) - _SHOWN:,} more" if len(pairs) > _SHOWN else ""
        message = f"{name}: these are different {kind}, though they look the same: {told}{more}."
        warnings.warn(message, HyloopWarning, stacklevel=stacklevel)


def _pairs(labels: tuple[Label, ...]) -> Iterator[tuple[Label, Label]]:
    """Each label that looks like an earlier one, with the first of them."""
    kinds = set(map(type, labels))
    if kinds <= {int} or (kinds == {str} and all(map(_PLAIN.fullmatch, labels))):  # type: ignore[arg-type]
        return  # as in most files: no label looks like another
    looks = {look for label in labels if (look := _look(label)) != label}
    if not looks:
        return
    first: dict[str, Label] = {}
    for label in labels:
        look = _look(label)
        if look in looks and first.setdefault(look, label) is not label:
            yield first[look], label


def _look(label: Label) -> str:
    """A key, equal for labels that look the same: 1 and "1", both forms of é, outer blanks, zero-width characters."""
    if isinstance(label, int):
        return str(label)
    if _PLAIN.fullmatch(label):
        return label
    if len(label) > _LONG:  # normalising is quadratic in a run of combining marks; nobody compares such labels
        return label
    composed = unicodedata.normalize("NFC", label)
    return " ".join("".join(letter for letter in composed if not _is_hidden(letter)).split())


def _is_hidden(letter: str) -> bool:
    return unicodedata.category(letter) == "Cf" or letter in _HIDDEN


def _told(label: Label) -> str:
    """A label with invisible or ambiguous characters escaped."""
    if isinstance(label, int):
        return f"{shown(label)} (an integer)"
    return ascii(label if len(label) <= 40 else f"{label[:20]}...{label[-17:]}")
