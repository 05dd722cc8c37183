"""`hyloop.compile`, `hyloop.save` and `hyloop.load`: from an algorithm to a model, and to a file and back."""

from __future__ import annotations

import warnings
from pathlib import Path

from hyloop import trust
from hyloop.compiler.compile import Packing, compile_program
from hyloop.errors import HyloopError, HyloopWarning, ModelError
from hyloop.execute.prepare import program_of
from hyloop.hypergraph.values import require_flags
from hyloop.lang import Algorithm, Program
from hyloop.machine.files import read_contents, write_model
from hyloop.machine.model import Capacity, DType, Model, vouched
from hyloop.strict import SENTENCE, printable


def compile(
    algorithm: str | Algorithm | Program,
    capacity: Capacity | None = None,
    *,
    dtype: DType = "float64",
    heads: int = 3,
    schedule: Packing = "packed",
) -> Model:
    """The looped transformer that runs an algorithm on every hypergraph within the capacity.

    By default that is 131,071 rows (float32: 100) and the largest weight that then fits. `schedule` is "packed", for
    few layers, or "one operation per layer", the paper's way of counting.

    >>> import hyloop
    >>> model = hyloop.compile("dijkstra", hyloop.Capacity(rows=100, weight=50))
    >>> len(model.layers), len(model.layout)
    (3, 23)
    """
    return compile_program(program_of(algorithm), capacity, dtype=dtype, heads=heads, packing=schedule)


def save(model: Model, path: str | Path) -> None:
    """Write a model to a safetensors file."""
    write_model(model, path)


def load(path: str | Path, *, edited: bool = False) -> Model:
    """The model in a safetensors file; raises `ModelError` for one that is damaged, edited or inconsistent.

    `edited=True` accepts a file whose weights were changed by hand, so that its hash does not match.

    The weights in a file are not trusted: its program is compiled again, and the model is "reproduced" if the result is
    the same; "proved", if `hyloop.prove` has proved it here; else "unverified", with a warning, unless `edited` is set.
    `model.verified` says it, and so does every result of a run.
    """
    require_flags(edited=edited)
    contents = read_contents(path, edited=edited)
    model = contents.model
    try:
        program = program_of(model)
    except HyloopError as wrong:
        raise ModelError(f"{path}: its program cannot be read: {printable(wrong, SENTENCE)}") from None
    for local in model.locals:
        if local.op >= len(program.section(local.section).ops):
            raise ModelError(f"{path}: it names an operation that its program does not have.")
    if model.name != program.name:
        raise ModelError(
            f"{path}: it is called '{printable(model.name)}', and its program '{printable(program.name)}'."
        )
    found = trust.standing(model, contents.hyloop)
    if found.verified == "unverified" and not edited:  # with `edited`, the user knows
        warnings.warn(_unverified(path, found.doubt), HyloopWarning, stacklevel=2)
    return vouched(model, found.verified, reproduced=found.reproduced)


def _unverified(path: str | Path, doubt: str) -> str:
    return (
        f"{path} is unverified: {doubt}. Its answers may be wrong. `hyloop prove {path}` settles it; "
        f"`hyloop compile {path} -o NEW.safetensors` compiles its program anew."
    )
