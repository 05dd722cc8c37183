"""A recorded run: the document of docs/traces.md, saved, loaded, looked into, and shown in a notebook."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hyloop.atomic import write_whole
from hyloop.errors import FormatError, HyloopError
from hyloop.numbers import Exact, fraction_of, read
from hyloop.recording.schema import require_trace
from hyloop.references import above
from hyloop.strict import as_browsers_do, read_at_most

MOST = 2**30  # bytes of a document that is read


@dataclass(frozen=True, eq=False)
class Trace:
    """What a run did, frame by frame. In a notebook it shows itself in the viewer."""

    document: Mapping[str, Any] = field(repr=False)

    def __repr__(self) -> str:
        h, recorded = self.document["hypergraph"], self.document["recorded"]
        size = f"{len(h['vertices']):,} vertices, {len(h['hyperedges']):,} hyperedges"
        return (
            f"<Trace of {self.algorithm}: {size}; {self.iterations:,} iterations, {len(self):,} frames"
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
    def variables(self) -> tuple[str, ...]:
        """The names of the variables that stand in columns."""
        return tuple(each["name"] for each in self.document["variables"])

    def at(self, iteration: int, layer: int | None = None) -> dict[str, Any]:
        """The variables in the frame of an iteration (0: before the first), by default at its end; as people read them.

        An array is a dictionary by label. Locals are there only in frames in which they stand in a column.
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

    def _value(self, each: Mapping[str, Any], frame: int) -> Any:  # noqa: ANN401  (a value, or a dictionary)
        h = self.document["hypergraph"]
        column = _replayed(self.document["columns"][each["column"]], frame)
        if each["scope"] == "scalar":
            return self._read(each["kind"], column(0))
        labels = h["vertices"] if each["scope"] == "vertices" else h["hyperedges"]
        return {label: self._read(each["kind"], column(row)) for row, label in enumerate(labels, start=1)}

    def _read(self, kind: str, value: float) -> Any:  # noqa: ANN401  (a flag, a number, a label, or none)
        if kind == "flag":
            return bool(value)
        if kind == "length":
            infinite = value == self.document["model"]["infinity"]
            return None if infinite else Exact(fraction_of(value) * read(self.document["unit"]))
        if kind == "count":
            return value
        labels: Sequence[str | int] = self.document["hypergraph"]["vertices" if kind == "vertex" else "hyperedges"]
        return labels[int(value) - 1] if 0 < value <= len(labels) else None

    # -- files ------------------------------------------------------------------------------------------------------

    def to_json(self) -> bytes:
        """The document, in one line."""
        text = json.dumps(self.document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode()

    def page(self) -> str:
        """A page that shows the run in a browser, with all that it needs inside."""
        return str(above("Trace.page")(self.document))

    def save(self, path: str | Path) -> None:
        """Write the trace: a page (.html), the document (.json), or the document compressed (.json.gz)."""
        data = self._bytes(Path(path).name.lower(), path)
        try:
            write_whole(path, data)
        except OSError as wrong:
            raise HyloopError(f"{path}: this cannot be written ({wrong.strerror}).") from None

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
        """The trace in a file that `save` wrote; raises `FormatError` for any other."""
        try:
            with Path(path).open("rb") as file:
                data = read_at_most(file, MOST)
        except (OSError, ValueError) as wrong:
            raise HyloopError(f"{path}: this cannot be read ({getattr(wrong, 'strerror', wrong)}).") from None
        if len(data) > MOST:
            raise FormatError(f"{path}: this has more than {MOST // 2**20:,} MB.")
        document = _document(data, path)
        require_trace(document, path)
        return Trace(document)

    def _repr_html_(self) -> str:
        return str(above("Trace._repr_html_")(self.page()))


def _replayed(changes: Mapping[str, Any], frame: int) -> Any:  # noqa: ANN401  (a function of the row)
    """What each row holds at a frame."""
    initial = changes["initial"]
    base: float | None = None
    now: dict[int, float] = {}
    for at in range(bisect_right(changes["frame"], frame)):
        row, value = changes["row"][at], changes["value"][at]
        if row < 0:
            now, base = {}, value
        else:
            now[row] = value

    def value_of(row: int) -> float:
        if row in now:
            return now[row]
        if base is not None:
            return base
        found: float = initial[row] if isinstance(initial, list) else initial
        return found

    return value_of


def _document(data: bytes, path: str | Path) -> Any:  # noqa: ANN401  (whatever the file holds)
    if data[:2] == b"\x1f\x8b":
        data = _unzipped(data, path)
    try:
        text = data.decode("utf-8-sig")
        if text.lstrip()[:1] == "<":
            return above("Trace.load")(text)
        return as_browsers_do(text)
    except RecursionError:
        raise FormatError(f"{path}: this is no trace: it is nested too deeply.") from None
    except ValueError as wrong:
        raise FormatError(f"{path}: this is no trace: {wrong}.") from None


def _unzipped(data: bytes, path: str | Path) -> bytes:
    try:
        with gzip.open(io.BytesIO(data)) as file:
            found = read_at_most(file, MOST)
    except (OSError, EOFError, zlib.error) as wrong:
        raise FormatError(f"{path}: this cannot be unpacked ({wrong}).") from None
    if len(found) > MOST:
        raise FormatError(f"{path}: this unpacks to more than {MOST // 2**20:,} MB.")
    return found
