"""Labels and weights as the text formats write them, and what those formats cannot hold."""

from __future__ import annotations

import re
import warnings
from contextvars import ContextVar
from decimal import Decimal, InvalidOperation
from fractions import Fraction

import numpy as np

from hyloop.errors import HyloopWarning, HypergraphError
from hyloop.hypergraph import Annotations, Hypergraph, shown
from hyloop.io.budgets import BUDGETS
from hyloop.numbers import integer_from

# Characters that only some programs treat as line ends.
OTHER_LINE_ENDS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"

# Some programs begin a file with it. Further down, it shows that another file was appended.
BYTE_ORDER_MARK = "\ufeff"

_RATIO = re.compile(r"([+-]?[0-9]+)/([0-9]+)")
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


# The file that is being read, for warnings: readers receive only its text. One per thread.
READING: ContextVar[str] = ContextVar("READING", default="")


def told_of_file(message: str) -> str:
    """The message, prefixed with the name of the file that is being read."""
    name = READING.get()
    return f"{'standard input' if name == '-' else name}: {message}" if name else message


def number_from_text(text: str, longest: int = BUDGETS.number) -> Fraction | Decimal:
    """The number that `text` states: an integer, a decimal or a fraction p/q."""
    if len(text) > longest:
        raise HypergraphError(f"{shown(text)} has {len(text):,} characters; a number may have {longest:,}.")
    try:
        if ratio := _RATIO.fullmatch(text):
            return Fraction(integer_from(ratio[1]), integer_from(ratio[2]))
        if _DECIMAL.fullmatch(text):
            return Decimal(text)
    except (ValueError, ZeroDivisionError, InvalidOperation):
        pass  # 1/0, or thousands of digits
    hint = " A decimal is written with a point." if _DECIMAL_COMMA.fullmatch(text) else ""
    raise HypergraphError(f"{shown(text)} is not a number; expected one like 3, 0.25 or 1/3.{hint}")


def without_blanks(text: str) -> str:
    """A weight without the blanks around it. Other white space is no blank, and a weight that has it is no number."""
    return text.strip(" \t")


def other_line_end(character: str) -> str:
    """The sentence that refuses one of `OTHER_LINE_ENDS`."""
    return (
        f"here stands the character U+{ord(character):04X}, which some programs take for the end of a line; "
        "end lines with a line feed, or put the label that contains it in double quotes."
    )


def joined_files() -> str:
    """The sentence that refuses a byte order mark that is not at the beginning of a file."""
    return (
        "here stands U+FEFF, the byte order mark with which some programs begin a file, as where files were joined; "
        "take it out, or put the label that contains it in double quotes."
    )


def vertices_appear_in_order(H: Hypergraph) -> bool:
    """Whether the order of vertices follows from the hyperedges alone; if not, the vertices are listed first."""
    vertices, first = np.unique(H.incidence_transposed.indices, return_index=True)
    return len(vertices) == len(H.vertices) and bool((np.diff(first) > 0).all())


def warn_of_loss(H: Hypergraph, format_name: str) -> None:
    """Warn once of what a format without annotations cannot hold of `H`."""
    lost = _lost(H.annotations)
    if lost:
        message = f"The format {format_name} cannot hold {', '.join(lost)}: not written. The format hif holds them."
        warnings.warn(message, HyloopWarning, stacklevel=2)


def _lost(annotations: Annotations) -> list[str]:
    records = [record for records in annotations.incidences.values() for record in records]
    kept = {
        "the metadata": annotations.metadata,
        "the network type": annotations.network_type in ("directed", "asc"),
        "attributes": annotations.vertex_attributes
        or annotations.hyperedge_attributes
        or any(record.attributes for record in records),
        "weights of vertices": annotations.vertex_weights,
        "weights of incidences": any(record.weight is not None for record in records),
        "directions": any(record.direction for record in records),
    }
    return [what for what, there in kept.items() if there]
