"""The result of a run as colours and short texts of the vertices or hyperedges."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_hex

from hyloop.draw.text import number, printable
from hyloop.errors import HyloopError
from hyloop.hypergraph import Hypergraph
from hyloop.result import Result, Value

NUMBERS = frozenset({"count", "length", "quotient"})  # the kinds of outputs that are numbers
MISSING = "#d9d9d9"
# Light to dark, so that it works in grey; the ends leave contrast for a black outline and white text.
SCALE = LinearSegmentedColormap.from_list("hyloop", ["#fdf6d8", "#f6c667", "#d9795d", "#8d3f6c", "#38245c"])
# Okabe and Ito's colours, distinguishable with any colour vision.
GROUPS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999")


Of = Literal["vertices", "hyperedges"]


@dataclass(frozen=True)
class ShownValues:
    """A colour and a text for each vertex, or for each hyperedge, and the legend."""

    of: Of
    name: str
    colours: tuple[str, ...]
    texts: tuple[str, ...]
    missing: tuple[bool, ...]
    range: tuple[Fraction, Fraction] | None  # numbers: the ends of the scale
    whole: bool = False  # whether all numbers are
    groups: tuple[tuple[str, str], ...] = ()  # others: the text and colour of each group


def values_of(found: Result, colour_by: str | None) -> ShownValues | None:
    """The values that give colours: the output of that name, or the first numeric one; None if there is none.

    Those of vertices come before those of hyperedges.
    """
    name = _first(found) if colour_by is None else colour_by
    if name is None:
        return None
    if name not in found.vertices and name not in found.hyperedges:
        known = ", ".join((*found.vertices, *found.hyperedges)) or "none"
        raise HyloopError(
            f"{found.algorithm} has no output {name!r} at the vertices or hyperedges; those it has: {known}."
        )
    of: Of = "vertices" if name in found.vertices else "hyperedges"
    given = (found.vertices if of == "vertices" else found.hyperedges)[name]
    kind = found.kinds.get(name)
    return _numbers(of, name, given, "∞" if kind == "length" else "–") if kind in NUMBERS else _groups(of, name, given)


def _first(found: Result) -> str | None:
    for outputs in (found.vertices, found.hyperedges):
        numeric = [name for name in outputs if found.kinds.get(name) in NUMBERS]
        for name in (*numeric, *outputs):
            return name
    return None


@dataclass(frozen=True)
class ShownSet:
    """The hyperedges in the answer, if the answer is a set of them, and what that is called."""

    words: str
    hyperedges: tuple[bool, ...]


def chosen_of(found: Result) -> ShownSet | None:
    """Where the first flag over the hyperedges is set; of pointers only, as in a matching, where the first has one.

    The page has the same rule (`viewer/src/picture/ranges.ts`).
    """
    kinds = {name: found.kinds.get(name) for name in found.hyperedges}
    flags = [name for name, kind in kinds.items() if kind == "flag"]
    pointers = list(kinds) if set(kinds.values()) <= {"vertex", "hyperedge"} else []
    name = next(iter([*flags, *pointers]), None)
    if name is None:
        return None
    taken = tuple(value is not None and value is not False for value in found.hyperedges[name])
    return ShownSet(name if flags else f"has {name}", taken)


@dataclass(frozen=True)
class ShownList:
    """Vertices that the answer names one by one, and the hyperedges with at least two of them."""

    name: str
    vertices: tuple[bool, ...]
    hyperedges: tuple[bool, ...]


def listed_in(found: Result) -> ShownList | None:
    """The first output of several single vertices, such as the witness of `helly`; None where the answer has none.

    The page has the same rule (`viewer/src/picture/ranges.ts`).
    """
    for name, value in found.scalars.items():
        if found.kinds.get(name) == "vertex" and isinstance(value, tuple) and any(each is not None for each in value):
            return _listed(found.hypergraph, name, [label for label in value if label is not None])
    return None


def _listed(h: Hypergraph, name: str, labels: Collection[Value]) -> ShownList:
    marked = np.array([label in labels for label in h.vertices], dtype=bool)
    rows = map(h.incidence_transposed.row, range(len(h.hyperedges)))
    return ShownList(name, tuple(marked.tolist()), tuple(int(marked[row].sum()) >= 2 for row in rows))


def _numbers(of: Of, name: str, given: Sequence[Value], none: str) -> ShownValues:
    """Colours by exact arithmetic: a weight, and so a length, can be larger than any float."""
    numbers = [None if value is None else _as_fraction(value) for value in given]
    there = [value for value in numbers if value is not None]
    low, high = (min(there), max(there)) if there else (Fraction(0), Fraction(1))
    extent = high - low or Fraction(1)
    colours = [MISSING if value is None else to_hex(SCALE(float((value - low) / extent))) for value in numbers]
    texts = [none if value is None else number(value) for value in numbers]
    whole = all(value.denominator == 1 for value in there)
    return ShownValues(of, name, tuple(colours), tuple(texts), tuple(v is None for v in given), (low, high), whole)


def _as_fraction(value: Any) -> Fraction:
    return Fraction(value)


def _groups(of: Of, name: str, given: Sequence[Value]) -> ShownValues:
    """Flags, labels and other values: the most frequent ones have a colour each, the others share the last."""
    texts = [said(value) for value in given]
    kinds, counts = np.unique([text for text in texts if text != "–"] or ["–"], return_counts=True)
    often = [str(kinds[place]) for place in np.argsort(-counts, kind="stable")]
    colour = {text: GROUPS[min(place, len(GROUPS) - 1)] for place, text in enumerate(often)} | {"–": MISSING}
    missing = tuple(value is None for value in given)
    shown = tuple((text, colour[text]) for text in often[: len(GROUPS)] if text != "–")
    return ShownValues(of, name, tuple(colour[text] for text in texts), tuple(texts), missing, None, groups=shown)


def said(value: Value, most: int = 12) -> str:
    """A value in at most that many letters."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return printable(", ".join(said(each, most) for each in value), most)
    return number(value) if isinstance(value, Fraction) else printable(value, most)


def text_on(colour: str) -> str:
    """Black or white, whichever has more contrast."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#000000" if 0.3 * red + 0.59 * green + 0.11 * blue > 135 else "#ffffff"
