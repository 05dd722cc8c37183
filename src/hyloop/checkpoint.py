"""Checkpoints: a long run kept in a file, so that it can be gone on with after a crash or Ctrl-C.

A file is written whole or not at all: beside the old one first, flushed to the disk, then put in its place. It carries
the hashes of the model and of the input, and one of itself: a torn file, or one of another run, is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from hyloop.errors import HyloopError
from hyloop.hypergraph import Hypergraph, Label
from hyloop.result import Entry

KEY = "hyloop checkpoint"
FORMAT = 1
EVERY = 60.0  # seconds between two checkpoints

FloatArray = npt.NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A run between two iterations: of which model and input, how far, the state, and what was streamed until then."""

    model: str
    input: str
    iterations: int
    X: FloatArray
    streams: Mapping[str, Sequence[Entry]] = field(default_factory=dict)


def input_hash(h: Hypergraph, weights: Sequence[int], inputs: Mapping[str, int]) -> str:
    """The hash of what a run was given: labels, incidence, integer weights and inputs."""
    digest = hashlib.sha256()
    words = [
        list(map(_word, h.vertices)),
        list(map(_word, h.hyperedges)),
        list(map(str, weights)),
        sorted(inputs.items()),
    ]
    digest.update(json.dumps(words).encode())
    for array in (h.incidence.indptr, h.incidence.indices):
        digest.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
    return digest.hexdigest()


def _word(label: Label) -> list[Label]:
    return [type(label).__name__, label]  # 1 and "1" are two labels


def write_checkpoint(path: str | Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint, whole or not at all."""
    target = Path(path)
    unfinished = target.with_name(f".{target.name}.unfinished")
    document = {
        "format": FORMAT,
        "model": checkpoint.model,
        "input": checkpoint.input,
        "iterations": checkpoint.iterations,
        "streams": {
            name: [[entry.about, list(entry.values.items())] for entry in entries]
            for name, entries in checkpoint.streams.items()
        },
    }
    X = np.ascontiguousarray(checkpoint.X)
    document["hash"] = _hash(document, X)
    try:
        with unfinished.open("wb") as file:
            file.write(save({"X": X}, {KEY: json.dumps(document)}))
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(target)
    except OSError as wrong:
        raise HyloopError(f"{target}: the checkpoint cannot be written ({wrong.strerror}).") from None
    finally:
        unfinished.unlink(missing_ok=True)


def read_checkpoint(path: str | Path) -> Checkpoint:
    """The checkpoint in a file; raises `HyloopError` for one that is torn, or none."""
    try:
        with safe_open(str(path), framework="numpy") as file:
            metadata, X = file.metadata() or {}, file.get_tensor("X")
        document = json.loads(metadata[KEY])
        whole = document["format"] == FORMAT and document["hash"] == _hash(document, X)
        streams = {
            name: [Entry(about, {label: int(value) for label, value in values}) for about, values in entries]
            for name, entries in document["streams"].items()
        }
        found = Checkpoint(document["model"], document["input"], int(document["iterations"]), X, streams)
    except FileNotFoundError:
        raise HyloopError(f"{path}: there is no such checkpoint.") from None
    except (OSError, SafetensorError, KeyError, TypeError, ValueError, RecursionError):
        raise HyloopError(f"{path}: this is no checkpoint, or a torn one.") from None
    if not whole:
        raise HyloopError(f"{path}: the checkpoint is torn or was edited; its hash does not fit.")
    return found


def _hash(document: Mapping[str, Any], X: FloatArray) -> str:
    plain = json.dumps({key: value for key, value in document.items() if key != "hash"}, sort_keys=True)
    digest = hashlib.sha256(json.dumps(json.loads(plain), sort_keys=True).encode())
    digest.update(f"{X.dtype} {X.shape}".encode())
    digest.update(np.ascontiguousarray(X).tobytes())
    return digest.hexdigest()


@dataclass
class Keeper:
    """Writes a checkpoint every so many seconds."""

    path: str | Path
    model: str
    input: str
    every: float = EVERY
    last: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        if not self.every >= 0:
            raise HyloopError(f"Checkpoints are written every so many seconds, at least 0; not every {self.every}.")

    @property
    def due(self) -> bool:
        """Whether it is time for the next one."""
        return time.monotonic() - self.last >= self.every

    def keep(self, X: FloatArray, iterations: int, streams: Mapping[str, Sequence[Entry]]) -> None:
        """Write one now."""
        write_checkpoint(self.path, Checkpoint(self.model, self.input, iterations, X, streams))
        self.last = time.monotonic()
