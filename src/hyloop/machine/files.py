"""Model files: one safetensors file with dense, named tensors, and one JSON document that describes them.

Nothing in a file is ever executed. The document carries a hash of everything; a file that is truncated, edited or
inconsistent is refused (`document` has the types and ranges of its fields). The same model gives the same bytes.
Whether the weights implement the program is not checked here but by `hyloop.trust`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load, save

from hyloop._version import __version__
from hyloop.atomic import path_of, write_out
from hyloop.errors import CapacityError, HyloopError, ModelError
from hyloop.lang.program import Program
from hyloop.lang.text import from_text
from hyloop.machine.document import FORMAT, parsed, require_document
from hyloop.machine.layer import Head, Layer, Mlp
from hyloop.machine.layout import (
    Cardinality,
    Column,
    Entries,
    Everywhere,
    Fill,
    InitialTerm,
    Layout,
    Mark,
    Numbers,
    Pointer,
    Position,
    QuarterSquares,
    Weights,
)
from hyloop.machine.model import EXACT, Built, Capacity, Certificate, DType, Model
from hyloop.machine.positions import Parabola
from hyloop.machine.purpose import (
    HeadPurpose,
    Held,
    head_document,
    head_purpose_of,
    purposes_document,
    purposes_of,
    stages_document,
    unit_purpose_of,
)
from hyloop.strict import SENTENCE, integers_only, printable

KEY = "hyloop"
PROOF = "hyloop proof"  # beside the document, so that a model's hash is the same with and without a proof
BYTES = 2**27  # of a file: the largest of ours has one million
PROOF_TEXT = 2**14  # characters of the proof record in a file
TERMS: Mapping[str, type[Any]] = {
    kind.__name__: kind
    for kind in (Fill, Position, Pointer, Mark, Weights, Everywhere, Entries, Cardinality, Numbers, QuarterSquares)
}
Tensors = dict[str, npt.NDArray[np.floating]]


def to_bytes(model: Model, proof: Mapping[str, Any] | None = None) -> bytes:
    """The file of a model. `proof` is kept beside it, as information for readers: nothing relies on it."""
    if not isinstance(model.layout.positions, Parabola):
        raise ModelError("Only models on the parabola are saved; those of the paper are quickly built again.")
    tensors = _tensors(model)
    document = document_of(model)
    document["hash"] = _hash(_plain(document), tensors)
    text = json.dumps(document, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    metadata = {KEY: text}
    if proof is not None:
        metadata[PROOF] = json.dumps(proof, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return _ordered(bytes(save(tensors, metadata)))


def _ordered(data: bytes) -> bytes:
    """The same file with its metadata sorted; safetensors writes the entries in arbitrary order."""
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    metadata = header["__metadata__"]
    if len(metadata) == 1:
        return data
    header["__metadata__"] = dict(sorted(metadata.items()))
    text = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # padding that the format requires
    return len(text).to_bytes(8, "little") + text + data[8 + size :]


def write_model(model: Model, path: str | Path, proof: Mapping[str, Any] | None = None) -> None:
    """Write a model to a file, atomically."""
    path = path_of(path)
    if not isinstance(model, Model):
        raise HyloopError(
            f"A model is written, as hyloop.compile gives it; not a value of the type {type(model).__name__}."
        )
    require_document(_plain(document_of(model)) | {"hash": model_hash(model)})  # else it could not be read again
    size = model.parameters * np.dtype(model.dtype).itemsize
    if size > BYTES:
        raise ModelError(
            f"{path}: {model.name} has {model.parameters:,} weights, zeros counted, which are {size:,} bytes; "
            f"a model file has at most {BYTES:,}."
        )
    write_out(path, to_bytes(model, proof))


@dataclass(frozen=True)
class Contents:
    """The model in a file, and the version of hyloop that wrote it."""

    model: Model
    hyloop: str


def read_model(path: str | Path, *, edited: bool = False) -> Model:
    """The model in a file; raises `ModelError` for a file that is not whole and consistent.

    With `edited`, a file whose hash does not match its weights is accepted.
    """
    return read_contents(path, edited=edited).model


def read_contents(path: str | Path, *, edited: bool = False) -> Contents:
    """What `read_model` reads, and which hyloop wrote it."""
    metadata, tensors = _contents(path)
    with _telling(path):
        document = _document(metadata, str(path))
        return Contents(_model(document, tensors, edited=edited), document["hyloop"])


@dataclass(frozen=True)
class Recipe:
    """What the model in a file was compiled from, and for what; files of older formats may name no capacity."""

    program: Program
    capacity: Capacity | None
    dtype: DType


def read_recipe(path: str | Path, *, edited: bool = False) -> Recipe:
    """The recipe in a model file, also in one of an older format. Of the model nothing else is looked at, nor used."""
    metadata, tensors = _contents(path)
    with _telling(path):
        document = _document(metadata, str(path), any_format=True)
        if document.get("format") != FORMAT:
            return _old_recipe(document)
        require_document(document, str(path))
        model = _model(document, tensors, edited=edited)
        return Recipe(_program(model.program), model.capacity, model.dtype)


def _old_recipe(document: Mapping[str, Any]) -> Recipe:
    if not isinstance(document.get("program"), str):
        raise ModelError("there is no program in it.")
    program, said = _program(document["program"]), document.get("capacity")
    dtype: DType = "float32" if document.get("dtype") == "float32" else "float64"
    try:
        return Recipe(program, Capacity(said["rows"], said["weight"]), dtype)  # type: ignore[index]
    except (CapacityError, TypeError, KeyError):
        return Recipe(program, None, dtype)


def _program(text: str) -> Program:
    try:
        return from_text(text)
    except HyloopError as wrong:
        raise ModelError(f"its program cannot be read: {wrong}") from None


@contextmanager
def _telling(path: str | Path) -> Iterator[None]:
    """The path before what is wrong with a file."""
    try:
        yield
    except (ModelError, CapacityError) as wrong:
        raise _told(path, wrong) from None


def _told(path: str | Path, wrong: Exception, what: str = "{}") -> ModelError:
    """The error about a file. What the message quotes from the file may be cut; the path is not."""
    return ModelError(f"{path}: {what.format(printable(wrong, SENTENCE + len(str(path))))}")


def from_bytes(data: bytes) -> Model:
    """The model that `to_bytes` wrote, in memory or into the cache. Its fields are not checked against the schema."""
    try:
        size = int.from_bytes(data[:8], "little")
        metadata = json.loads(data[8 : 8 + size])["__metadata__"]
        tensors = load(data)
    except (SafetensorError, KeyError, TypeError, ValueError) as wrong:
        raise ModelError(f"this is not a model file ({wrong}).") from None
    if not isinstance(metadata, dict):
        raise ModelError("this is not a model file.")
    try:
        return _model(_document(metadata, any_format=True), tensors, edited=False)
    except (KeyError, TypeError, ValueError, IndexError) as wrong:
        raise ModelError(f"its document is not what it should be ({type(wrong).__name__}: {wrong}).") from None


def read_proof(path: str | Path) -> dict[str, Any] | None:
    """The proof record in a file; None if there is none that can be read.

    It is not verified, and may be about another model (`model` is the hash of the one that was proved).
    """
    metadata, _ = _contents(path)
    try:
        said = integers_only(metadata.get(PROOF, "")[: PROOF_TEXT + 1])
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def _contents(path: str | Path) -> tuple[Mapping[str, str], Tensors]:
    path = path_of(path)
    try:
        if not Path(path).is_file() and Path(path).exists():
            raise ModelError(f"{path}: this is not a model file (it is no plain file).")  # reading a pipe would block
        if (size := Path(path).stat().st_size) > BYTES:
            raise ModelError(f"{path}: this has {size:,} bytes; a model file has at most {BYTES:,}.")
        with safe_open(str(path), framework="numpy") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  (no dictionary)
        _require_said_once(path)
        return metadata, tensors
    except FileNotFoundError:
        raise ModelError(f"{path}: there is no such file.") from None
    except (OSError, SafetensorError, ValueError) as wrong:
        raise _told(path, wrong, "this is not a model file ({}).") from None


def _require_said_once(path: str | Path) -> None:
    """Raise ValueError where a header names a tensor twice: other readers may take another one than is taken here."""
    with Path(path).open("rb") as file:
        integers_only(file.read(int.from_bytes(file.read(8), "little")))


def model_hash(model: Model) -> str:
    """The hash that a model's file carries."""
    return _hash(_plain(document_of(model)), _tensors(model))


# -- writing --------------------------------------------------------------------------------------------------------


def _tensors(model: Model) -> Tensors:
    tensors: Tensors = {}
    for number, layer in enumerate(model.layers):
        for place, head in enumerate(layer.heads):
            name = f"layers.{number}.heads.{place}"
            tensors |= {f"{name}.query": head.query, f"{name}.key": head.key, f"{name}.value": head.value}
        for stage, weight in enumerate(layer.mlp.weights, start=1):
            tensors[f"layers.{number}.mlp.w{stage}"] = weight
    return {name: np.ascontiguousarray(tensor, dtype=model.dtype) for name, tensor in tensors.items()}


def document_of(model: Model) -> dict[str, Any]:
    """The document of a model: everything but its weights."""
    return {
        "format": FORMAT,
        "hyloop": __version__,
        "name": model.name,
        "dtype": model.dtype,
        "capacity": asdict(model.capacity),
        "certificate": None if model.certificate is None else asdict(model.certificate),
        "infinity": model.infinity,
        "halt": model.layout.halt,
        "incidence": model.layout.incidence,
        "directed": model.layout.directed,
        "positions": model.layout.positions.name,
        "least": model.layout.least,
        "columns": [_column(column) for column in model.layout.columns],
        "layers": [_layer(layer) for layer in model.layers],
        "built": None if model.built is None else asdict(model.built),
        "held": [
            {"layer": each.layer, "column": each.column, "for": purposes_document(each.purposes)} for each in model.held
        ],
        "program": model.program,
    }


def _column(column: Column) -> dict[str, Any]:
    initial = [{"term": type(term).__name__, **asdict(term)} for term in column.initial]
    return {
        "name": column.name,
        "scope": column.scope,
        "initial": initial,
        "role": column.role,
        "of": column.of,
        "for": purposes_document(column.purposes),
    }


def _layer(layer: Layer) -> dict[str, Any]:
    return {
        "notes": list(layer.notes),
        "heads": [{"kind": head.kind, **head_document(head.purpose)} for head in layer.heads],
        "units": stages_document(layer.mlp.purposes),
    }


def _hash(document: Mapping[str, Any], tensors: Tensors) -> str:
    """Of a document as it comes from a file, without the hash in it, and of the tensors."""
    plain = {key: value for key, value in document.items() if key != "hash"}
    digest = hashlib.sha256(json.dumps(plain, sort_keys=True).encode())
    for name in sorted(tensors):
        digest.update(f"{name} {tensors[name].dtype} {tensors[name].shape}".encode())
        digest.update(np.ascontiguousarray(tensors[name]).tobytes())
    return digest.hexdigest()


def _plain(document: Mapping[str, Any]) -> Any:
    """The document as it comes back from a file."""
    return json.loads(json.dumps(document))


# -- reading --------------------------------------------------------------------------------------------------------


def _document(metadata: Mapping[str, str], where: str = "FILE", *, any_format: bool = False) -> dict[str, Any]:
    if not isinstance(metadata.get(KEY), str):
        raise ModelError("this is a safetensors file, but not one of hyloop's.")
    document = parsed(metadata[KEY])
    if not any_format:
        require_document(document, where)
    return document


def _model(document: Mapping[str, Any], tensors: Tensors, *, edited: bool) -> Model:
    needed = sum(len(layer["heads"]) * 3 + 4 for layer in document["layers"])
    if needed < len(tensors):
        raise ModelError("it has tensors that no layer uses.")
    if needed > len(tensors):  # said before the hash is made of what may be thousands of layers
        for number, each in enumerate(document["layers"]):
            _read_layer(number, each, tensors)  # raises for the first tensor that is missing
    if not edited and document["hash"] != _hash(document, tensors):
        raise ModelError("its hash does not fit: the file was damaged or edited (--edited takes it all the same).")
    if any(tensor.dtype != document["dtype"] for tensor in tensors.values()):
        raise ModelError(f"its tensors are not in {document['dtype']}, as its document says.")
    layout = _read_layout(document)
    layers = tuple(_read_layer(number, each, tensors) for number, each in enumerate(document["layers"]))
    certificate, built = document["certificate"], document["built"]
    if certificate is not None:
        certificate = Certificate(certificate["largest"], certificate["largest_at"])
    model = Model(
        document["name"],
        layout,
        layers,
        Capacity(**document["capacity"]),
        document["dtype"],
        program=document["program"],
        certificate=certificate,
        infinity=document["infinity"],
        held=tuple(Held(each["layer"], each["column"], purposes_of(each["for"])) for each in document["held"]),
        built=None if built is None else Built(**built),
    )
    _check_places(model)
    return model


def _check_places(model: Model) -> None:
    """Whatever names a column, a row or a layer names one that there is."""
    columns = [column for layer in model.layers for head in layer.heads for column in _columns_of(head.purpose)]
    if any(column >= len(model.layout) for column in columns) or any(e.layer > len(model.layers) for e in model.held):
        raise ModelError("it has purposes for columns or layers that do not exist.")
    rows = [term.to for each in model.layout.columns for term in each.initial if isinstance(term, Pointer)]
    if any(row > model.capacity.rows for row in rows if isinstance(row, int)):
        raise ModelError("a pointer in it starts at a row beyond its capacity.")


def _columns_of(purpose: HeadPurpose) -> Iterator[int]:
    yield from (each.column for each in purpose.value)
    yield from purpose.empties


def _read_layout(document: Mapping[str, Any]) -> Layout:
    columns = tuple(
        Column(
            _column_name(each["name"]),
            each["scope"],
            tuple(_read_term(term) for term in each["initial"]),
            each["role"],
            each["of"],
            purposes_of(each["for"]),
        )
        for each in document["columns"]
    )
    facts = {name: document[name] for name in ("halt", "incidence", "directed", "least")}
    return Layout(columns, Parabola(), **facts)


def _column_name(name: str) -> str:
    """The name of a column; it must be printable, since messages and tables show it."""
    if not name.isprintable():
        raise ModelError(f"the name of a column cannot be printed: {name}.")
    return name


def _read_term(document: Mapping[str, Any]) -> InitialTerm:
    fields = {key: value for key, value in document.items() if key != "term"}
    term: InitialTerm = TERMS[document["term"]](**fields)
    return term


def _read_layer(number: int, document: Mapping[str, Any], tensors: Tensors) -> Layer:
    heads = tuple(
        Head(
            each["kind"],
            _weight(tensors, f"layers.{number}.heads.{place}.query"),
            _weight(tensors, f"layers.{number}.heads.{place}.key"),
            _weight(tensors, f"layers.{number}.heads.{place}.value"),
            head_purpose_of(each),
        )
        for place, each in enumerate(document["heads"])
    )
    w1, w2, w3, w4 = (_weight(tensors, f"layers.{number}.mlp.w{stage}") for stage in (1, 2, 3, 4))
    units = tuple(tuple(unit_purpose_of(each) for each in stage) for stage in document["units"])
    if any(len(stage) != w1.shape[-1] for stage in units):
        raise ModelError(f"its purposes of hidden units do not match the units of layer {number + 1}.")
    return Layer(heads, Mlp((w1, w2, w3, w4), units), tuple(document["notes"]))


def _weight(tensors: Tensors, name: str) -> npt.NDArray[np.float64]:
    if name not in tensors:
        raise ModelError(f"the tensor {name} is missing.")
    weight = tensors[name].astype(np.float64)
    if not np.all(np.isfinite(weight)) or np.any(weight != np.rint(weight)):
        raise ModelError(f"the tensor {name} has entries that are not whole numbers.")
    if np.any(np.abs(weight) > EXACT["float64"]):
        raise ModelError(f"the tensor {name} has entries beyond {EXACT['float64']:,}.")
    return weight
