"""Checkpoints: the state of a long run in a file, so that it can be resumed after a crash or Ctrl-C.

A file is written atomically: to a temporary file, flushed to the disk, then renamed. It carries the hashes of the model
and of the input, and one of itself: a damaged file, or one of another run, is refused.
"""

from __future__ import annotations

import hashlib
import json
import time
import warnings
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from hyloop.atomic import path_of, require_place, write_whole
from hyloop.errors import HyloopError, HyloopWarning, HypergraphError
from hyloop.hypergraph import Hypergraph, Integers, Label, exact, shown
from hyloop.lang.budgets import ITERATIONS
from hyloop.lang.program import InputValue
from hyloop.memory import require_memory
from hyloop.numbers import json_text, writable
from hyloop.packed import pack, shape_of, unpack
from hyloop.result import Entry
from hyloop.strict import integer, integers_only, printable, record, require_room, validator

KEY = "hyloop checkpoint"
FORMAT = 3  # 2 named models of format 3, 1 those before
EVERY = 60.0  # seconds between two checkpoints
MOST_HEADER = 65_536  # bytes of a checkpoint's header, with room to spare

MANY = 10_000  # labels that are hashed at a time
PACKED = 2**22  # bytes of a state from which on it is packed: less is quicker as it is
MOST_STREAMS = 2**32  # bytes of memory that the streams of a run may take when they are read
LABEL_DIGITS = 4_000  # of a label that is a number; Python itself reads few more

HASH = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
LABEL = {"type": ["string", "integer"]}
VALUES = {
    "type": "array",
    "items": {"type": "array", "items": [LABEL, {"type": "integer"}], "minItems": 2, "maxItems": 2},
}
ENTRY = {"type": "array", "items": [LABEL, VALUES], "minItems": 2, "maxItems": 2}
check_document = validator(
    record(format={"const": FORMAT}, model=HASH, input=HASH, iterations=integer(0, ITERATIONS), hash=HASH)
)
check_streams = validator({"type": "object", "additionalProperties": {"type": "array", "items": ENTRY}})

FloatArray = npt.NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A run between two iterations: hashes of model and input, iterations done, the state, and the streams so far."""

    model: str
    input: str
    iterations: int
    X: FloatArray
    streams: Mapping[str, Sequence[Entry]] = field(default_factory=dict)


def input_hash(h: Hypergraph, weights: Sequence[int] | Integers, inputs: Mapping[str, InputValue]) -> str:
    """The hash of what a run was given: labels, incidence, directions, integer weights and inputs."""
    digest = hashlib.sha256()
    # The text of one JSON document, a part at a time: of a million labels it would take as much memory as the run.
    parts = map(_word, h.vertices), map(_word, h.hyperedges), (f'"{writable(int(weight))}"' for weight in weights)
    for begin, part in zip("[,,", parts, strict=True):
        digest.update(f"{begin}{' ' * (begin == ',')}[".encode())
        digest.update(next(part, "").encode())
        while some := list(islice(part, MANY)):
            digest.update("".join(f", {word}" for word in some).encode())
        digest.update(b"]")
    digest.update(f", {json_text(sorted(inputs.items()), ascii_only=True)}]".encode())
    directions = () if h.tails is h.heads else (h.tails, h.heads)
    for matrix in (h.incidence, *directions):
        for array in (matrix.indptr, matrix.indices):
            digest.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
    return digest.hexdigest()


def _word(label: Label) -> str:
    return f'["int", {label}]' if isinstance(label, int) else f'["str", {json.dumps(label)}]'  # 1 and "1" are two


def write_checkpoint(path: str | Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint, atomically."""
    target = Path(path)
    streams = {
        name: [[entry.about, list(entry.values.items())] for entry in entries]
        for name, entries in checkpoint.streams.items()
    }
    # Streams may be larger than a header can be.
    tensors = {
        **_state_tensors(checkpoint.X),
        "streams": np.frombuffer(json_text(streams, ascii_only=True).encode(), dtype=np.uint8),
    }
    document = {
        "format": FORMAT,
        "model": checkpoint.model,
        "input": checkpoint.input,
        "iterations": checkpoint.iterations,
    }
    document["hash"] = _hash(document, tensors)
    with _told(target):
        write_whole(target, save(tensors, {KEY: json.dumps(document)}))


def _state_tensors(X: FloatArray) -> dict[str, npt.NDArray[Any]]:
    """The state: as it is if it is small, else packed."""
    if X.nbytes < PACKED:
        return {"X": np.ascontiguousarray(X)}
    data, about = pack(X)
    return {"packed": data, "about": about}


def require_writable(path: str | Path) -> None:
    """Raise `HyloopError`, before a long run rather than after it, where no checkpoint can be written.

    A file that is not a checkpoint is not overwritten: it may be the hypergraph itself.
    """
    target = path_of(path)
    if target.is_dir():
        raise HyloopError(f"{target}: the checkpoint cannot be written (this is a folder).")
    with _told(target):
        require_place(target)
        if target.exists() and not target.is_file():  # reading a pipe might never end
            raise HyloopError(f"{target}: the checkpoint cannot be written (this is not a plain file).")
        if target.exists() and target.stat().st_size and not _is_checkpoint(target):
            raise HyloopError(f"{target}: this file exists and is not a checkpoint; it is not overwritten.")


def _is_checkpoint(path: Path) -> bool:
    """Whether a file is a safetensors file whose header is that of a checkpoint; to contain its key is not enough."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = file.read(size) if size <= MOST_HEADER else b""
    try:
        return KEY in json.loads(header)["__metadata__"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def require_no_run(path: str | Path) -> None:
    """Raise where a file holds the checkpoint of a run, which a new run would overwrite."""
    iterations = iterations_in(path)
    if iterations is not None:  # else it is damaged or no checkpoint: `require_writable` decides
        raise HyloopError(
            f"{path} has a run until iteration {iterations:,}: resume it (--resume, `resume=`), or remove the file."
        )


def iterations_in(path: str | Path) -> int | None:
    """The iterations of the checkpoint in a file, by its header; None where there is none. The rest is not read."""
    try:
        if not Path(path).is_file():
            return None
        with safe_open(str(path), framework="numpy") as file:
            document = integers_only((file.metadata() or {})[KEY])
        check_document(document)
        return int(document["iterations"])
    except (OSError, SafetensorError, KeyError, TypeError, ValueError):
        return None


@contextmanager
def _told(target: Path) -> Iterator[None]:
    """Turn an error of the operating system into a sentence."""
    try:
        yield
    except OSError as wrong:
        raise HyloopError(f"{target}: the checkpoint cannot be written ({wrong.strerror}).") from None


def read_checkpoint(path: str | Path) -> Checkpoint:
    """The checkpoint in a file; raises `HyloopError` for a damaged file, or another one."""
    path = path_of(path)
    try:
        document, tensors = _contents(path)
        _require_format(document, path)
        check_document(document)
        streams = _streams(tensors["streams"])
        whole = document["hash"] == _hash(document, tensors)
        X = _state(tensors, path) if whole else np.zeros((0, 0))
    except FileNotFoundError:
        raise HyloopError(f"{path}: there is no such checkpoint.") from None
    except (OSError, SafetensorError, KeyError, TypeError, ValueError, zlib.error, RecursionError):
        raise HyloopError(f"{path}: this is not a checkpoint, or a damaged one.") from None
    if not whole:
        raise HyloopError(f"{path}: the checkpoint is damaged or was edited; its hash does not match.")
    return Checkpoint(document["model"], document["input"], document["iterations"], X, streams)


def _require_format(document: object, path: str | Path) -> None:
    """A checkpoint belongs to the model that it was made with, and models of another format are other models."""
    written = document.get("format") if isinstance(document, dict) else FORMAT
    if type(written) is int and written != FORMAT:
        raise HyloopError(
            f"{path}: this checkpoint is of format {printable(written)}; this hyloop reads format {FORMAT}. Run it "
            "again from the start, with a new file: --checkpoint OTHER (or remove this one)."
        )


def _contents(path: str | Path) -> tuple[Any, dict[str, npt.NDArray[Any]]]:
    """The document and the arrays of a file; raises any of several errors where it is none."""
    if not Path(path).is_file() and Path(path).exists():
        raise ValueError("no plain file: a pipe would be waited for")
    with safe_open(str(path), framework="numpy") as file:
        metadata = file.metadata() or {}
        state = ("packed", "about") if "packed" in file.keys() else ("X",)  # noqa: SIM118  (it is no dictionary)
        tensors = {name: file.get_tensor(name) for name in (*state, "streams")}
    floats = {name for name, tensor in tensors.items() if np.issubdtype(tensor.dtype, np.floating)}
    if floats != {"X"} & tensors.keys() or any(tensors[name].dtype != np.uint8 for name in tensors.keys() - floats):
        raise ValueError("arrays of other types")
    return integers_only(metadata[KEY]), tensors


def _state(tensors: Mapping[str, npt.NDArray[Any]], path: str | Path) -> FloatArray:
    if "X" in tensors:
        return tensors["X"]
    rows, columns, _ = shape_of(tensors["about"])
    require_memory(8 * rows * columns, f"{path}: the state of this checkpoint")
    return unpack(tensors["packed"], tensors["about"])


def _streams(array: npt.NDArray[Any]) -> dict[str, list[Entry]]:
    data = array.tobytes()
    try:
        require_room(data, MOST_STREAMS)
    except ValueError as wrong:
        raise HyloopError(f"The streams of this checkpoint are too large: {wrong}.") from None
    said = integers_only(data, digits=LABEL_DIGITS, room=MOST_STREAMS)
    check_streams(said)
    return {name: [Entry(about, dict(values)) for about, values in entries] for name, entries in said.items()}


def _hash(document: Mapping[str, Any], tensors: Mapping[str, npt.NDArray[Any]]) -> str:
    plain = json.dumps({key: value for key, value in document.items() if key != "hash"}, sort_keys=True)
    digest = hashlib.sha256(plain.encode())
    for name, array in tensors.items():
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def require_seconds(every: object) -> None:
    """Raise unless this is a time between two checkpoints. After infinite seconds there is none but the last."""
    try:
        at_least = (isinstance(every, float) and every >= 0) or exact(every) >= 0
    except HypergraphError:  # text, NaN, what has too many digits
        at_least = False
    if not at_least:
        raise HyloopError(f"The time between two checkpoints is at least 0 seconds; not {shown(every)}.")


@dataclass
class CheckpointWriter:
    """The checkpoint writer of a run: one every `every` seconds, for at most half of the time; 0: whenever it can."""

    path: str | Path
    model: str
    input: str
    every: float = EVERY
    last: float = field(default_factory=time.monotonic)
    took: float = 0.0

    def __post_init__(self) -> None:
        require_seconds(self.every)
        require_writable(self.path)

    @property
    def due(self) -> bool:
        """Whether it is time for the next one."""
        return self.every == 0 or time.monotonic() - self.last >= max(self.every, self.took)

    def keep(self, X: FloatArray, iterations: int, streams: Mapping[str, Sequence[Entry]]) -> bool:
        """Write one now, and return whether that succeeded: a full disk must not end the run."""
        begun = time.monotonic()
        try:
            write_checkpoint(self.path, Checkpoint(self.model, self.input, iterations, X, streams))
        except HyloopError as wrong:
            warnings.warn(f"{wrong} The run continues; the previous checkpoint is kept.", HyloopWarning, stacklevel=2)
            return False
        finally:
            self.last = time.monotonic()
            self.took = self.last - begun
        return True
