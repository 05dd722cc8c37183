"""The ten lemmas of the paper, one file each: the layer as printed, and corrected."""

from __future__ import annotations

from hyloop.paper.lemma import Lemma
from hyloop.paper.lemmas import (
    comparison,
    conjunction,
    increment,
    read_incidence,
    read_scalar,
    repeat_addition,
    repeat_and,
    selection,
    termination,
    write_scalar,
)

LEMMAS: tuple[Lemma, ...] = (
    selection.LEMMA,
    increment.LEMMA,
    comparison.LEMMA,
    read_scalar.LEMMA,
    write_scalar.LEMMA,
    termination.LEMMA,
    read_incidence.LEMMA,
    conjunction.LEMMA,
    repeat_and.LEMMA,
    repeat_addition.LEMMA,
)
