"""A recorded run (the document of docs/traces.md): save, load, query, and show it in a notebook."""

from __future__ import annotations

import gzip
import json
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hyloop.atomic import path_of, write_out
from hyloop.errors import FormatError, HyloopError
from hyloop.io.budgets import BUDGETS, Budgets
from hyloop.io.source import opened, os_sentence, unzipped
from hyloop.labels import label_from_json
from hyloop.machine.model import Model
from hyloop.numbers import Exact, fraction_of, plural, read, short
from hyloop.recording.changes import Replay
from hyloop.recording.fits import is_value
from hyloop.recording.run_hash import run_hash
from hyloop.recording.schema import require_trace
from hyloop.references import above
from hyloop.strict import as_browsers_do, read_at_most, require_room

MOST = 2**28  # bytes of a document that is read
MOST_PAGE = 2**26  # bytes of a page, in which the document is compressed
RATIO = 200  # compression ratio; recordings reach 8, a decompression bomb 1,000


@dataclass(frozen=True, eq=False)
class Trace:
    """A run, frame by frame. A notebook displays it in the viewer."""

    document: Mapping[str, Any] = field(repr=False)
    model: Model | None = field(default=None, repr=False)  # whose run it is; not of a trace that was loaded
    embedded: Model | None = field(default=None, repr=False)  # of a page that was loaded: the model in it, if verified

    def __repr__(self) -> str:
        h, recorded = self.document["hypergraph"], self.document["recorded"]
        size = f"{len(h['vertices']):,} vertices, {len(h['hyperedges']):,} hyperedges"
        return (
            f"<Trace of {self.algorithm}: {size}; {plural(self.iterations, 'iteration')}, {plural(len(self), 'frame')}"
            f"{' with layers' if recorded['layers'] else ''}>"
        )

    def __len__(self) -> int:
        return len(self.document["frames"]["iteration"])

    @property
    def algorithm(self) -> str:
        """The name of the algorithm."""
        return str(self.document["algorithm"]["name"])

    @property
    def iterations(self) -> int:
        """How many iterations were run."""
        return int(self.document["recorded"]["iterations"])

    @property
    def agrees(self) -> bool:
        """Whether transformer and interpreter had the same values in every frame."""
        return self.document["differences"]["first"] is None

    @property
    def difference(self) -> str | None:
        """The first difference between transformer and interpreter, in words; None if there is none."""
        first, frames = self.document["differences"]["first"], self.document["frames"]
        if first is None:
            return None
        at = first["frame"]
        return (
            f"iteration {frames['iteration'][at]}, after layer {frames['layer'][at]}: {first['variable']} at row "
            f"{first['row']} is {first['found']}, not {first['expected']}"
        )

    @property
    def run_hash(self) -> str:
        """The SHA-256 of the states at all frames (docs/traces.md): the page shows the same one."""
        return run_hash(self.document)

    def facts(self) -> dict[str, Any]:
        """A summary of the recording, in plain values."""
        recorded = self.document["recorded"]
        return {
            "algorithm": self.algorithm,
            "iterations": self.iterations,
            "frames": len(self),
            "layers": recorded["layers"],
            "halted": recorded["halted"],
            "stopped": recorded["stopped"],
            "agrees": self.agrees,
            "verified": self.document["model"].get("verified"),
            "first_difference": self.document["differences"]["first"],
        }

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables that have columns."""
        return tuple(each["name"] for each in self.document["variables"])

    def at(self, iteration: int, layer: int | None = None) -> dict[str, Any]:
        """The variables in a frame of an iteration (0: before the first), by default its last, decoded.

        An array is a dictionary by label. Locals are included only in frames in which they are in a column. Raises
        `HyloopError` for a pointer to a row that is not there, or a flag that is neither 0 nor 1.
        """
        frame = self._frame(iteration, layer)
        at_layer = self.document["frames"]["layer"][frame]
        found: dict[str, Any] = {}
        for each in self.document["variables"]:
            if each["role"] != "local" or self._stands(each, iteration, at_layer):
                found[each["name"]] = self._value(each, frame)
        return found

    def _frame(self, iteration: int, layer: int | None) -> int:
        frames = self.document["frames"]
        last = len(self.document["model"]["layers"]) if iteration else 0
        wanted = (iteration, last if layer is None else layer)
        for number, place in enumerate(zip(frames["iteration"], frames["layer"], strict=True)):
            if place == wanted:
                return number
        raise HyloopError(f"Iteration {iteration}, layer {wanted[1]} was not recorded.")

    def _stands(self, each: Mapping[str, Any], iteration: int, layer: int) -> bool:
        section = "before" if self.document["algorithm"]["begins"] and iteration == 1 else "body"
        return bool(each["section"] == section and each["from"] <= layer <= each["until"] and iteration)

    def _value(self, each: Mapping[str, Any], frame: int) -> Any:
        h = self.document["hypergraph"]
        column = Replay(self.document["columns"][each["column"]])
        column.advance(frame)
        if each["scope"] == "scalar":
            return self._read(each, 0, column)
        labels = map(label_from_json, h["vertices"] if each["scope"] == "vertices" else h["hyperedges"])
        return {label: self._read(each, row, column) for row, label in enumerate(labels, start=1)}

    def _read(self, each: Mapping[str, Any], row: int, column: Replay) -> Any:
        kind, value = each["kind"], column.value(row)
        if not is_value(self.document, kind, value):
            raise HyloopError(
                f"The transformer holds {short(value)} for {each['name']} at row {row}, which is no {kind}: its "
                "weights were edited, or the trace was. `hyloop check` shows where a model differs from its program."
            )
        if kind == "flag":
            return bool(value)
        if kind == "length":
            infinite = value == self.document["model"]["infinity"]
            return None if infinite else Exact(fraction_of(value) * read(self.document["unit"]))
        if kind == "count":
            return value
        labels: Sequence[object] = self.document["hypergraph"]["vertices" if kind == "vertex" else "hyperedges"]
        return label_from_json(labels[int(value) - 1]) if value else None

    # -- files ------------------------------------------------------------------------------------------------------

    def to_json(self) -> bytes:
        """The document, in one line."""
        text = json.dumps(self.document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode()

    def page(self) -> str:
        """A self-contained HTML page that shows the run."""
        return str(above("Trace.page")(self.document, self.model, self.embedded))

    def save(self, path: str | Path) -> None:
        """Write the trace: a page (.html), the document (.json), or the document compressed (.json.gz)."""
        data = self._bytes(path_of(path).name.lower(), path)
        write_out(path, data)

    def _bytes(self, name: str, path: str | Path) -> bytes:
        if name.endswith((".html", ".htm")):
            return self.page().encode()
        if name.endswith(".json"):
            return self.to_json() + b"\n"
        if name.endswith(".json.gz"):
            return gzip.compress(self.to_json(), mtime=0)
        raise HyloopError(f"A trace is written as .html, .json or .json.gz; {path} ends in none of these.")

    @staticmethod
    def load(path: str | Path) -> Trace:
        """Load a trace from a file that `save` wrote; raises `FormatError` for any other.

        A trace is what its author says. The model in a page is kept if it is the one that its program compiles to, and
        the one that the trace describes; otherwise the trace is marked as unverified, with a warning.
        """
        document, embedded = _document(_read(path), path)
        return Trace(document, embedded=embedded)

    def _repr_html_(self) -> str:
        return str(above("Trace._repr_html_")(self.page()))


def _read(path: str | Path) -> bytes:
    path = path_of(path)
    try:
        with opened(path, BUDGETS) as (file, begun):  # a pipe without a writer is not waited for
            data = begun + read_at_most(file, MOST)
    except (OSError, ValueError) as wrong:
        raise HyloopError(f"{path}: {os_sentence(wrong, 'read')}") from None
    if len(data) > MOST:
        raise FormatError(f"{path}: this has more than {MOST // 2**20:,} MB.")
    if data[:2] == b"\x1f\x8b":
        return b"".join(unzipped([data], str(path), Budgets(stream_bytes=MOST, ratio=RATIO)))
    return data


def _document(data: bytes, path: str | Path) -> tuple[Any, Model | None]:
    """The document, and the model in a page."""
    try:
        page = data[:4096].removeprefix(BOM_UTF8).lstrip()[:1] == b"<"
        if page and len(data) > MOST_PAGE:
            raise FormatError(f"{path}: this page has more than {MOST_PAGE // 2**20:,} MB.")
        if not page:
            require_room(data)
        text = data.decode("utf-8-sig")
        del data  # free the memory of a large file
        if page:
            found: tuple[Any, Model | None] = above("Trace.load")(text, path)
            return found
        document = as_browsers_do(text)
    except RecursionError:
        raise FormatError(f"{path}: this is no trace: it is nested too deeply.") from None
    except ValueError as wrong:
        raise FormatError(f"{path}: this is no trace: {wrong}.") from None
    require_trace(document, path)
    return document, None
