"""Hypergraphs with exact weights, immutable once built: labels, incidence, annotations."""

from hyloop.hypergraph.annotations import (
    KEPT_DIGITS,
    NESTING,
    Annotations,
    Attributes,
    Direction,
    IncidenceRecord,
    Json,
    NetworkType,
    json_copy,
)
from hyloop.hypergraph.core import HEAD, TAIL, Arrays, Hypergraph, Integers
from hyloop.hypergraph.given import by_label, index_of, series_entries, weights_in_order
from hyloop.hypergraph.incidence import Incidence, IntArray
from hyloop.hypergraph.labels import (
    ALIKE,
    LABEL,
    Alike,
    Consecutive,
    Numbering,
    as_label,
    label_from_text,
    labels_from_texts,
    looks_like_integer,
)
from hyloop.hypergraph.rational import common_unit, exact, multiples, positive_weight
from hyloop.hypergraph.values import DIGITS, Label, Number, is_integer, is_number, shown

__all__ = [
    "ALIKE",
    "DIGITS",
    "HEAD",
    "KEPT_DIGITS",
    "LABEL",
    "NESTING",
    "TAIL",
    "Alike",
    "Annotations",
    "Arrays",
    "Attributes",
    "Consecutive",
    "Direction",
    "Hypergraph",
    "Incidence",
    "IncidenceRecord",
    "IntArray",
    "Integers",
    "Json",
    "Label",
    "NetworkType",
    "Number",
    "Numbering",
    "as_label",
    "by_label",
    "common_unit",
    "exact",
    "index_of",
    "is_integer",
    "is_number",
    "json_copy",
    "label_from_text",
    "labels_from_texts",
    "looks_like_integer",
    "multiples",
    "positive_weight",
    "series_entries",
    "shown",
    "weights_in_order",
]
