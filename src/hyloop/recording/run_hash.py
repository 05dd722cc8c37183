"""The hash of a recorded run: equal for equal states, whoever computed them.

It is the SHA-256 of the states at all frames, in order: of each state column after column, and of each column row after
row, every number as a float64 in little-endian bytes. `viewer/src/machine/hash.ts` is the same function in the page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Columns = npt.NDArray[np.float64]


def run_hash(document: Mapping[str, Any]) -> str:
    """The hash of the run in a trace document, in 64 hexadecimal digits."""
    digest = hashlib.sha256()
    for columns in states(document):
        digest.update(columns.tobytes())
    return digest.hexdigest()


def state_bytes(document: Mapping[str, Any]) -> int:
    """How many bytes are hashed: those of the states at all frames."""
    changes = document["columns"]
    return 8 * len(document["frames"]["iteration"]) * len(changes) * _rows(changes)


def states(document: Mapping[str, Any]) -> Iterator[Columns]:
    """The state at every frame, by columns. It is one array, changed in place: whoever keeps it needs a copy."""
    changes = document["columns"]
    now = np.empty((len(changes), _rows(changes)), dtype="<f8")
    for number, each in enumerate(changes):
        now[number] = each["initial"]
    at = [0] * len(changes)
    for frame in range(len(document["frames"]["iteration"])):
        for number, each in enumerate(changes):
            at[number] = _advance(now[number], each, at[number], frame)
        yield now


def _rows(changes: list[Mapping[str, Any]]) -> int:
    """The number of rows: positions differ from row to row, so their column is never one number."""
    return max((len(each["initial"]) for each in changes if isinstance(each["initial"], list)), default=1)


def _advance(column: Columns, changes: Mapping[str, Any], at: int, frame: int) -> int:
    """Apply the changes up to a frame; returns the place of the next one."""
    frames, rows, values = changes["frame"], changes["row"], changes["value"]
    while at < len(frames) and frames[at] <= frame:
        if rows[at] < 0:
            column[:] = values[at]
        else:
            column[rows[at]] = values[at]
        at += 1
    return at
