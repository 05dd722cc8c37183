"""Labels that differ and look the same: two vertices where the writer of the file knew one."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterator

from hyloop.hypergraph import HyloopWarning, Hypergraph, Label, shown

_PLAIN = re.compile(r"[!-~]+(?: [!-~]+)*+")
# Without a width, and not among the format characters: the grapheme joiner and the selectors of variants.
_HIDDEN = frozenset(map(chr, (0x34F, *range(0xFE00, 0xFE10))))
_SHOWN = 3
_LONG = 200


def warn_of_lookalikes(H: Hypergraph, name: str) -> None:
    """Name the labels of a file that are the same to the eye; they are kept apart."""
    for kind, labels in (("vertices", H.vertices), ("hyperedges", H.hyperedges)):
        pairs = list(_pairs(labels))
        if not pairs:
            continue
        told = "; ".join(f"{_told(first)} and {_told(second)}" for first, second in pairs[:_SHOWN])
        more = f"; and {len(pairs) - _SHOWN:,} more" if len(pairs) > _SHOWN else ""
        message = f"{name}: these are different {kind}, though they look the same: {told}{more}."
        warnings.warn(message, HyloopWarning, stacklevel=3)


def _pairs(labels: tuple[Label, ...]) -> Iterator[tuple[Label, Label]]:
    """Each label that looks like an earlier one, with the first of them."""
    if all(isinstance(label, int) for label in labels):
        return
    looks = {look for label in labels if (look := _look(label)) != label}
    if not looks:  # as in most files: every label looks like what it is
        return
    first: dict[str, Label] = {}
    for label in labels:
        look = _look(label)
        if look in looks and first.setdefault(look, label) is not label:
            yield first[look], label


def _look(label: Label) -> str:
    """What people see of a label: 1 and "1", é in its two forms, blanks at the ends and characters without a width."""
    if isinstance(label, int):
        return str(label)
    if _PLAIN.fullmatch(label):
        return label
    if len(label) > _LONG:  # normalising takes time with the square of a run of marks, and nobody compares such labels
        return label
    composed = unicodedata.normalize("NFC", label)
    return " ".join("".join(letter for letter in composed if not _is_hidden(letter)).split())


def _is_hidden(letter: str) -> bool:
    return unicodedata.category(letter) == "Cf" or letter in _HIDDEN


def _told(label: Label) -> str:
    """A label in which everything that cannot be seen, or can be written in two ways, is shown as its code."""
    if isinstance(label, int):
        return f"{shown(label)} (an integer)"
    return ascii(label if len(label) <= 40 else f"{label[:20]}...{label[-17:]}")
