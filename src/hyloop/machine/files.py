"""Model files: one safetensors file with dense tensors of speaking names, and one JSON document that explains them.

Nothing in a file is ever executed. The document carries a hash of everything; a file that is truncated, edited or does
not fit together is refused. The same model gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load, save

from hyloop._version import __version__
from hyloop.atomic import write_whole
from hyloop.errors import CapacityError, HyloopError, ModelError
from hyloop.machine.layer import Head, Layer, Mlp
from hyloop.machine.layout import (
    Column,
    Everywhere,
    Fill,
    Layout,
    Mark,
    Pointer,
    Position,
    Size,
    Term,
    Weights,
)
from hyloop.machine.model import Capacity, Certificate, Local, Model
from hyloop.machine.positions import Parabola

KEY = "hyloop"
PROOF = "hyloop proof"  # beside the document, so that a model's hash is the same with and without a proof
FORMAT = 1
TERMS: Mapping[str, type[Any]] = {
    kind.__name__: kind for kind in (Fill, Position, Pointer, Mark, Weights, Everywhere, Size)
}
Tensors = dict[str, npt.NDArray[np.floating]]


def to_bytes(model: Model, proof: Mapping[str, Any] | None = None) -> bytes:
    """The file of a model. `proof` is kept beside it, as information for readers: nothing relies on it."""
    if not isinstance(model.layout.positions, Parabola):
        raise ModelError("Only models on the parabola are saved; those of the paper are built anew in a moment.")
    tensors = _tensors(model)
    document = document_of(model)
    document["hash"] = _hash(document, tensors)
    text = json.dumps(document, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    metadata = {KEY: text}
    if proof is not None:
        metadata[PROOF] = json.dumps(proof, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return _ordered(bytes(save(tensors, metadata)))


def _ordered(data: bytes) -> bytes:
    """The same file with its metadata in order; safetensors writes several entries in any."""
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    metadata = header["__metadata__"]
    if len(metadata) == 1:
        return data
    header["__metadata__"] = dict(sorted(metadata.items()))
    text = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # as the format wants it
    return len(text).to_bytes(8, "little") + text + data[8 + size :]


def write_model(model: Model, path: str | Path, proof: Mapping[str, Any] | None = None) -> None:
    """Write a model to a file, whole or not at all."""
    try:
        write_whole(path, to_bytes(model, proof))
    except OSError as wrong:
        raise HyloopError(f"{path}: this cannot be written ({wrong.strerror}).") from None


def read_model(path: str | Path, *, edited: bool = False) -> Model:
    """The model in a file; raises `ModelError` for a file that is not whole and consistent.

    `edited` takes a file whose weights are not those that its hash was made of.
    """
    metadata, tensors = _contents(path)
    try:
        return _model(metadata, tensors, edited=edited)
    except ModelError as wrong:
        raise ModelError(f"{path}: {wrong}") from None
    except CapacityError as wrong:
        raise ModelError(f"{path}: {wrong}") from None
    except (KeyError, TypeError, ValueError, IndexError) as wrong:
        raise ModelError(f"{path}: its document is not what it should be ({type(wrong).__name__}: {wrong}).") from None


def from_bytes(data: bytes) -> Model:
    """The model that `to_bytes` wrote."""
    try:
        size = int.from_bytes(data[:8], "little")
        metadata = json.loads(data[8 : 8 + size])["__metadata__"]
        tensors = load(data)
    except (SafetensorError, KeyError, TypeError, ValueError) as wrong:
        raise ModelError(f"this is not a model file ({wrong}).") from None
    return _model(metadata, tensors, edited=False)


def read_proof(path: str | Path) -> dict[str, Any] | None:
    """What a file says of a proof of its model; None if it says nothing. It may say anything: `hyloop prove` tells."""
    metadata, _ = _contents(path)
    try:
        said = json.loads(metadata[PROOF])
    except (KeyError, ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def _contents(path: str | Path) -> tuple[Mapping[str, str], Tensors]:
    try:
        with safe_open(str(path), framework="numpy") as file:
            metadata = file.metadata() or {}
            return metadata, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  (no dictionary)
    except FileNotFoundError:
        raise ModelError(f"{path}: there is no such file.") from None
    except (OSError, SafetensorError, ValueError) as wrong:
        raise ModelError(f"{path}: this is not a model file ({wrong}).") from None


def model_hash(model: Model) -> str:
    """The hash that a model's file carries."""
    return _hash(document_of(model), _tensors(model))


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
    """All that a file says of a model, beside its weights."""
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
        "positions": model.layout.positions.name,
        "columns": [_column(column) for column in model.layout.columns],
        "layers": [_layer(layer) for layer in model.layers],
        "locals": [asdict(local) for local in model.locals],
        "program": model.program,
    }


def _column(column: Column) -> dict[str, Any]:
    initial = [{"term": type(term).__name__, **asdict(term)} for term in column.initial]
    return {"name": column.name, "scope": column.scope, "initial": initial, "holds": column.holds}


def _layer(layer: Layer) -> dict[str, Any]:
    heads = [{"kind": head.kind, "serves": list(head.serves)} for head in layer.heads]
    return {"serves": list(layer.serves), "heads": heads, "units": list(layer.mlp.units)}


def _hash(document: Mapping[str, Any], tensors: Tensors) -> str:
    digest = hashlib.sha256(json.dumps(_plain(document), sort_keys=True).encode())
    for name in sorted(tensors):
        digest.update(f"{name} {tensors[name].dtype} {tensors[name].shape}".encode())
        digest.update(np.ascontiguousarray(tensors[name]).tobytes())
    return digest.hexdigest()


def _plain(document: Mapping[str, Any]) -> Any:  # noqa: ANN401  (JSON)
    """The document as it comes back from a file, without the hash."""
    return json.loads(json.dumps({key: value for key, value in document.items() if key != "hash"}))


# -- reading --------------------------------------------------------------------------------------------------------


def _model(metadata: Mapping[str, str], tensors: Tensors, *, edited: bool) -> Model:
    if KEY not in metadata:
        raise ModelError("this is a safetensors file, but not one of hyloop's.")
    try:
        document = json.loads(metadata[KEY])
    except (ValueError, RecursionError):
        raise ModelError("its document is not JSON.") from None
    if not isinstance(document, dict):
        raise ModelError("its document is not a JSON object.")
    if document.get("format") != FORMAT:
        raise ModelError(f"it is of another format than {FORMAT}; written by hyloop {document.get('hyloop', '?')}.")
    if not edited and document.get("hash") != _hash(document, tensors):
        raise ModelError("its hash does not fit: the file was damaged or edited (--edited takes it all the same).")
    _check_words(document, tensors)
    layout = _read_layout(document)
    layers = tuple(_read_layer(number, each, tensors) for number, each in enumerate(document["layers"]))
    if sum(len(layer.heads) * 3 + 4 for layer in layers) != len(tensors):
        raise ModelError("it has tensors that no layer uses.")
    certificate = document["certificate"]
    if certificate is not None:
        certificate = Certificate(certificate["largest"], certificate["largest_at"], tuple(certificate["margins"]))
    model = Model(
        document["name"],
        layout,
        layers,
        Capacity(**document["capacity"]),
        document["dtype"],
        program=document["program"],
        certificate=certificate,
        infinity=document["infinity"],
        locals=tuple(Local(**each) for each in document["locals"]),
    )
    _check_locals(model)
    return model


def _check_words(document: Mapping[str, Any], tensors: Tensors) -> None:
    """The words and numbers of a document that nothing else would stumble over."""
    if any(tensor.dtype != document["dtype"] for tensor in tensors.values()):
        raise ModelError(f"its tensors are not in {document['dtype']}, as its document says.")
    if document["incidence"] not in {"ones", "weights"} or document["positions"] != Parabola.name:
        raise ModelError("its document names an incidence or a position code that there is not.")
    if not isinstance(document["program"], str) or type(document["infinity"]) is not int:
        raise ModelError("its program is not text, or its infinity no integer.")


def _check_locals(model: Model) -> None:
    for local in model.locals:
        model.layout.number(local.column)
        if local.section not in {"before", "body"} or local.op < 0 or not 0 <= local.layer <= len(model.layers):
            raise ModelError(f"it says that a value stands in {local.column!r} where there is none.")


def _read_layout(document: Mapping[str, Any]) -> Layout:
    columns = tuple(
        Column(each["name"], each["scope"], tuple(_read_term(term) for term in each["initial"]), each["holds"])
        for each in document["columns"]
    )
    return Layout(columns, Parabola(), document["halt"], document["incidence"])


def _read_term(document: Mapping[str, Any]) -> Term:
    fields = {key: value for key, value in document.items() if key != "term"}
    term: Term = TERMS[document["term"]](**fields)
    return term


def _read_layer(number: int, document: Mapping[str, Any], tensors: Tensors) -> Layer:
    heads = tuple(
        Head(
            each["kind"],
            _weight(tensors, f"layers.{number}.heads.{place}.query"),
            _weight(tensors, f"layers.{number}.heads.{place}.key"),
            _weight(tensors, f"layers.{number}.heads.{place}.value"),
            tuple(each["serves"]),
        )
        for place, each in enumerate(document["heads"])
    )
    w1, w2, w3, w4 = (_weight(tensors, f"layers.{number}.mlp.w{stage}") for stage in (1, 2, 3, 4))
    return Layer(heads, Mlp((w1, w2, w3, w4), tuple(document["units"])), tuple(document["serves"]))


def _weight(tensors: Tensors, name: str) -> npt.NDArray[np.float64]:
    if name not in tensors:
        raise ModelError(f"the tensor {name} is missing.")
    weight = tensors[name].astype(np.float64)
    if not np.all(np.isfinite(weight)) or np.any(weight != np.rint(weight)):
        raise ModelError(f"the tensor {name} has entries that are not whole numbers.")
    return weight
