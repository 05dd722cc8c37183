"""Shell completion of algorithms, backends, formats, inputs, and labels of the file on the command line.

Some shells interpret completions as shell code, and labels come from untrusted files. So a label with a character that
is special to a shell is not offered. No Python file of the user is run.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from hyloop import io
from hyloop.algorithms import ALGORITHMS
from hyloop.errors import HyloopError
from hyloop.execute.backends import BACKENDS as EXECUTORS
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import Hypergraph
from hyloop.lookup import MODEL
from hyloop.machine.files import read_recipe
from hyloop.running import BACKENDS

LARGEST = 10**6  # bytes of a file whose labels are offered; reading more would be slow
HARMLESS = re.compile(r"\w[\w .,+@-]*")


def algorithms(incomplete: str) -> list[tuple[str, str]]:
    """The names of the shipped algorithms, each with the first line of its description."""
    return [(each.name, _first_line(each.about)) for each in ALGORITHMS.values() if each.name.startswith(incomplete)]


def backends(incomplete: str) -> list[str]:
    """The backends that run an algorithm."""
    return [name for name in BACKENDS if name.startswith(incomplete)]


def executors(incomplete: str) -> list[str]:
    """The backends that run a transformer."""
    return [name for name in EXECUTORS if name.startswith(incomplete)]


def formats(incomplete: str) -> list[str]:
    """The formats of hypergraph files."""
    return [each.name for each in io.EVERY_FORMAT if each.name.startswith(incomplete)]


def labels(ctx: typer.Context, incomplete: str) -> list[str]:
    """The vertices of the file on the command line, if it is small."""
    found = (str(label) for h in _hypergraphs(ctx) for label in h.vertices)
    return [_for_the_shell(label) for label in found if label.startswith(incomplete) and HARMLESS.fullmatch(label)]


def inputs(ctx: typer.Context, incomplete: str) -> list[str]:
    """`NAME=` for each input of the algorithm on the command line."""
    which = _algorithm(ctx)
    try:
        program = program_of(read_recipe(which).program if which.endswith(MODEL) and _is_small(which) else which)
    except HyloopError:
        return []
    names = [each.name for each in program.inputs if HARMLESS.fullmatch(each.name)]
    return [f"{name}=" for name in names if name.startswith(incomplete)]


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def _hypergraphs(ctx: typer.Context) -> Iterator[Hypergraph]:
    for file in _files(ctx):
        if _is_small(file):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    yield io.read(file, format=ctx.params.get("file_format"), max_bytes=LARGEST)
                except HyloopError:
                    continue


def _files(ctx: typer.Context) -> Sequence[str]:
    """The hypergraph files before the word to complete."""
    found = ctx.params.get("file") or ctx.params.get("files") or ctx.args[1:]
    return (found,) if isinstance(found, str) else found


def _algorithm(ctx: typer.Context) -> str:
    # After an option that still lacks its value, arguments are not parsed into parameters yet.
    return str(ctx.params.get("algorithm") or next(iter(ctx.args), ""))


def _is_small(file: str) -> bool:
    try:
        return Path(file).is_file() and Path(file).stat().st_size < LARGEST
    except OSError:
        return False


def _for_the_shell(label: str) -> str:
    """Bash inserts completions unquoted; other shells quote them."""
    bash = any(key.endswith("_COMPLETE") and value == "complete_bash" for key, value in os.environ.items())
    return label.replace(" ", "\\ ") if bash else label
