"""The model in a page that was loaded: whether it is what it says, and whose run the page shows.

Whoever writes a page can put any model into it. Two things are checked. When the page is loaded: its program compiles
to it (`hyloop.trust`), and the trace describes that model and that program. When a page is written again: the model is
run on the hypergraph of the trace, and must do what was recorded. What then stands in the page is the new recording.
So its source is hyloop's own, or the listing of the program in the model, not whatever text the page had there; and
version, backend and the reason why a recording stopped are those of the new one. Of the page that was loaded are the
hypergraph, its name, and the places in its picture.
"""

from __future__ import annotations

import base64
import json
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hyloop.build import load
from hyloop.errors import HyloopError, HyloopWarning
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import Hypergraph, Label
from hyloop.io.budgets import Budgets
from hyloop.io.source import unzipped
from hyloop.labels import label_from_json
from hyloop.lang.kinds import Scope
from hyloop.machine.files import BYTES
from hyloop.machine.layout import Entries
from hyloop.machine.model import Model
from hyloop.numbers import read
from hyloop.recording.describe import LINES, model_document, operations_document
from hyloop.recording.record import record_run
from hyloop.recording.schema import require_trace
from hyloop.recording.source import source_of
from hyloop.recording.trace import RATIO
from hyloop.trust import OF_COMPILER, is_compiled
from hyloop.viewer.page import document_of, packed_model_of, page

Document = Mapping[str, Any]

WORK = 10**8  # rows × layers × iterations that are run again: some minutes
_OF_RUN = ("inputs", "unit", "frames")  # equal in two recordings of one run; so is what changes in columns
_SIDES = ("vertices", "hyperedges")
_NOTED = ("initial", "frame", "row", "value")


class _DoubtError(Exception):
    """A sentence's end: why the model in a page is not used."""


def contents_of(html: str, path: str | Path) -> tuple[Document, Model | None]:
    """The trace of a page, and the model in it if that is verified and described by the trace.

    Otherwise there is a warning, no model, and the trace says that its model is unverified.
    """
    document, packed = document_of(html), packed_model_of(html)
    require_trace(document, path)
    if not packed:
        return document, None
    try:
        model = _unpacked(packed)
        _require_described(model, document)
    except _DoubtError as doubt:
        return _without(document, doubt), None
    return document, model


def page_of(document: Document, model: Model | None, inside: Model | None) -> str:
    """The page of a trace: one that was recorded here with `model`, or one that was loaded and had `inside` in it."""
    if inside is None:
        return page(document, model=model)
    try:
        return page(_recorded_anew(document, inside), model=inside)
    except _DoubtError as doubt:
        return page(_without(document, doubt))


def _recorded_anew(document: Document, model: Model) -> Document:
    """The run of a trace as the model of its page makes it now."""
    made, said = _again(document, model), document["model"].get("verified", "")
    # Compiled or compiled again: the page may say what it said. A proof counts on the machine where it was made.
    verified = said if said in OF_COMPILER and is_compiled(model) else model.verified
    return {**made, "hypergraph": _pictured(made, document), "model": {**made["model"], "verified": verified}}


def _pictured(made: Document, said: Document) -> Document:
    """The hypergraph of a recording, with its name and the places of a page that was loaded."""
    places = said["hypergraph"]["positions"]
    kept = {"name": said["hypergraph"]["name"], "positions": {side: places[side] for side in _SIDES}}
    return {**made["hypergraph"], **kept}


def _without(document: Document, doubt: _DoubtError) -> Document:
    warnings.warn(
        f"The model in this page {doubt}. It is left out, and the run is marked as unverified.",
        HyloopWarning,
        stacklevel=4,
    )
    return {**document, "model": {**document["model"], "verified": "unverified"}}


# -- the model --------------------------------------------------------------------------------------------------------


def _unpacked(packed: str) -> Model:
    try:
        budgets = Budgets(stream_bytes=BYTES, ratio=RATIO)
        data = b"".join(unzipped([base64.b64decode(packed, validate=True)], "The model in this page", budgets))
        with TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore", HyloopWarning)
            path = Path(folder) / "model.safetensors"
            path.write_bytes(data)
            model = load(path)
    except (HyloopError, ValueError):
        raise _DoubtError("cannot be read") from None
    if model.verified == "unverified":
        raise _DoubtError("is not what its program compiles to")
    return model


def _require_described(model: Model, document: Document) -> None:
    """Whether a trace says of its model and program what they are; whatever lines of source it has."""
    program, said = program_of(model), document["algorithm"]
    ops = operations_document(program, source_of(program))
    same = (
        _plain({**model_document(model), "verified": ""}) == {**document["model"], "verified": ""}
        and (said["name"], said["about"], said["begins"]) == (program.name, program.about, program.begins)
        and [_unlined(op) for op in _plain(ops)] == [_unlined(op) for op in said["ops"]]
    )
    if not same:
        raise _DoubtError("is not the one whose run it shows")


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _unlined(op: Document) -> Document:
    return {name: part for name, part in op.items() if name not in LINES}


# -- its run ----------------------------------------------------------------------------------------------------------


def _again(document: Document, model: Model) -> Document:
    """The run of a trace, recorded anew."""
    said = document["recorded"]
    rows = max(len(document["hypergraph"]["vertices"]), len(document["hypergraph"]["hyperedges"])) + 1
    if said["iterations"] * rows * len(model.layers) > WORK:
        raise _DoubtError("has a run that is too long to be run again here")
    try:
        made = record_run(
            model,
            _hypergraph(document["hypergraph"]),
            _inputs(model, document),
            layers=said["layers"],
            every=said["every"],
            first=_first(model, document),
            last=said["last"],
            limit=2**62,
        ).document
    except HyloopError:
        raise _DoubtError("does not run on the hypergraph of the page") from None
    if not _same_run(made, document):
        raise _DoubtError("does not do what the page shows")
    return made


def _first(model: Model, document: Document) -> int | None:
    """How many iterations are recorded again: as many as the page asked for, or as it has if it stopped before."""
    said, h = document["recorded"], document["hypergraph"]
    most = program_of(model).most_iterations(*(len(h[side]) for side in _SIDES))
    asked: int | None = said["first"]
    stopped = not said["halted"] and said["last"] is None and said["iterations"] not in (asked, most)
    return said["iterations"] or None if stopped else asked


def _same_run(made: Document, said: Document) -> bool:
    return (
        all(_plain(made[name]) == said[name] for name in _OF_RUN)
        and made["recorded"]["iterations"] == said["recorded"]["iterations"]
        and made["recorded"]["halted"] == said["recorded"]["halted"]
        and [_noted(column) for column in made["columns"]] == [_noted(column) for column in said["columns"]]
        and _plain(made["differences"]["first"]) == said["differences"]["first"]
    )


def _noted(column: Document) -> list[Any]:
    return [_plain(column[name]) for name in _NOTED]


def _hypergraph(said: Document) -> Hypergraph:
    vertices, hyperedges = ([label_from_json(label) for label in said[side]] for side in _SIDES)
    weights = [read(weight) for weight in said["weights"]]

    def named(side: str) -> list[list[Label]]:
        return [[vertices[number - 1] for number in rows] for rows in said[side]]

    if "tails" in said:
        arcs = dict(zip(hyperedges, zip(named("tails"), named("heads"), strict=True), strict=True))
        return Hypergraph.from_arcs(arcs, dict(zip(hyperedges, weights, strict=True)), vertices)
    members = dict(zip(hyperedges, named("members"), strict=True))
    return Hypergraph.from_hyperedges(members, dict(zip(hyperedges, weights, strict=True)), vertices)


def _inputs(model: Model, document: Document) -> dict[str, Any]:
    """The inputs of a run, as they were given."""
    single = {each["name"]: each["value"] for each in document["inputs"]}
    beside = {each["name"]: each["values"] for each in document.get("arrays", ())}
    found: dict[str, Any] = {}
    for each in program_of(model).inputs:
        kind = str(each.type.kind)
        if each.type.scope is Scope.SCALAR:
            found[each.name] = _given(document, kind, single.get(each.name, 0))
            continue
        count = len(document["hypergraph"][str(each.type.scope)])
        entries = beside[each.name] if each.name in beside else _entries(model, document, each.name, count)
        found[each.name] = [_given(document, kind, value) for value in entries]
    return found


def _entries(model: Model, document: Document, name: str, count: int) -> Sequence[float]:
    """An array from the first state."""
    columns = [
        number
        for number, column in enumerate(model.layout.columns)
        if any(isinstance(term, Entries) and term.name == name for term in column.initial)
    ]
    if not columns:
        raise _DoubtError("takes an input that the page does not tell")
    initial = document["columns"][columns[0]]["initial"]
    return initial[1 : count + 1] if isinstance(initial, list) else [initial] * count


def _given(document: Document, kind: str, value: float) -> Any:
    if kind == "flag":
        return bool(value)
    if kind in ("vertex", "hyperedge"):
        labels = document["hypergraph"]["vertices" if kind == "vertex" else "hyperedges"]
        return label_from_json(labels[int(value) - 1]) if 0 < value <= len(labels) else None
    return value * read(document["unit"]) if kind == "length" else value
