"""The attention patterns of all heads: which row attends to which."""

from __future__ import annotations

from hyloop.machine.layer import Entries, Head, HeadKind, KeyEntries, head
from hyloop.machine.layout import B_GLOBAL, B_LOCAL, P1, P2, Layout

Pair = tuple[str, str]


def identity(layout: Layout, value: Entries, kind: HeadKind = "plain") -> Head:
    """Each row attends to itself: erase, copy, or (with `Ã`) multiply columns by the incidence."""
    query = layout.positions.query(P1, P2, (B_GLOBAL, B_LOCAL))
    origin = layout.positions.origin(B_GLOBAL)
    return head(layout, kind, _add(query, origin), _add(layout.positions.key(P1, P2), origin), value)


def pointer(layout: Layout, to: Pair, value: Entries, kind: HeadKind = "plain") -> Head:
    """Row 0 and the row `c` that its pointer names tie, and each attends to both; every other row attends to itself.

    This is the paper's way (both `P` and `P_cur` feed query and key), hence the factor 2 in its values. With a
    pointer to no row (0, or past the end), row 0 attends to itself alone.
    """
    code = layout.positions
    query = _add(code.query(P1, P2, (B_GLOBAL, B_LOCAL)), code.query(*to, bias=()))
    return head(layout, kind, query, _add(code.key(P1, P2), code.key(*to)), value)


def broadcast(layout: Layout, value: Entries) -> Head:
    """Every row attends to row 0."""
    return head(layout, "plain", {(B_GLOBAL, 0): 1, (B_LOCAL, 0): 1}, {(B_GLOBAL, 0): 1}, value)


def least(layout: Layout, of: str, bound: float, value: Entries) -> Head:
    """Row 0 attends to the rows with the least entry in column `of` (at most `bound`); they attend to row 0."""
    query = {(B_GLOBAL, 0): 1.0, (B_LOCAL, 1): 1.0}
    return head(layout, "plain", query, {(of, 0): -1.0, (B_GLOBAL, 0): -2 * bound, (B_GLOBAL, 1): 1.0}, value)


def _add(a: KeyEntries, b: KeyEntries) -> KeyEntries:
    return {entry: a.get(entry, 0) + b.get(entry, 0) for entry in {**a, **b}}
