"""From the words of a command line to hypergraphs, algorithms and models; errors are reported before the work."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

from hyloop import io
from hyloop.atomic import path_of
from hyloop.build import load
from hyloop.cli.options import Building, Inputs, Reading
from hyloop.cli.show import complain, progress
from hyloop.compiler.compile import compile_program
from hyloop.errors import FormatError, HyloopError, HypergraphError
from hyloop.execute.prepare import require_known
from hyloop.facts import remark_on_capacity
from hyloop.hypergraph import Hypergraph, Label
from hyloop.lang import Program
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.matrices import uses_direction
from hyloop.lookup import (
    MODEL,
    algorithm_named,
    inputs_from_text,
    is_algorithm,
    is_hypergraph_file,
    option,
    program_named,
)
from hyloop.machine.model import Model
from hyloop.relabel import NAME, names_differ

FEW = 3  # labels that a message lists
OTHERS = {MODEL: "a model file", ".py": "a Python file"}
EXAMPLE = "dijkstra"
LABEL_BY = f"--label-by {NAME}"

# -- the algorithm --------------------------------------------------------------------------------------------------


def require_order(command: str, algorithm: str, *files: str | None) -> None:
    """Raise if a file of another kind is in the place of the algorithm; the error shows the right command."""
    if not is_hypergraph_file(algorithm):
        return
    meant = next((each for each in files if each is not None and is_algorithm(each)), EXAMPLE)
    others = [each for each in files if each is not None and each != meant]
    line = shlex.join(["hyloop", *command.split(), meant, algorithm, *others])
    what = "standard input" if algorithm == "-" else "no algorithm"
    raise HyloopError(f"{algorithm} is {what}; the algorithm comes first: {line}")


def require_algorithm(command: str, algorithm: str) -> None:
    """Raise where a hypergraph file stands in the place of the algorithm, of a command that takes no hypergraph."""
    if is_hypergraph_file(algorithm):
        what = "standard input" if algorithm == "-" else "no algorithm"
        raise HyloopError(
            f"{algorithm} is {what}; hyloop {command} takes an algorithm, such as {EXAMPLE}, and no hypergraph. "
            f"What is in the file: {shlex.join(['hyloop', 'describe', algorithm])}"
        )


def chosen(which: str, *, edited: bool = False) -> Program | Model:
    """A model file, or the program of a shipped algorithm or of a user's file."""
    with redirect_stdout(sys.stderr):  # the output of a user's file at import is not a result
        return algorithm_named(which, edited=edited)


def chosen_program(which: str, *, edited: bool = False) -> Program:
    """The program of a shipped algorithm, of a user's file, or of a model file."""
    with redirect_stdout(sys.stderr):
        return program_named(which, edited=edited)


def model_for(which: str, building: Building, *, quiet: bool = False) -> Model:
    """The model in a file, or the compiled form of an algorithm."""
    if which.endswith(MODEL):
        if not building.is_default:
            raise HyloopError(
                f"{which} is a model, with a capacity, precision and schedule of its own: leave out --rows, --weight, "
                f"--dtype, --heads and --schedule, or build another one: hyloop compile {which} -o OTHER.safetensors."
            )
        return load(which, edited=building.edited)
    return compiled(chosen_program(which), building, quiet=quiet)


def compiled(program: Program, building: Building, *, quiet: bool = False) -> Model:
    """Compile a program; warns of a small capacity, unless options request it."""
    with progress(f"compiling {program.name}", None, wanted=not quiet):
        model = compile_program(
            program,
            rows=building.rows,
            weight=building.weight,
            dtype=building.dtype,
            heads=building.heads,
            packing=building.schedule,
        )
    if building.weight is None and (remark := remark_on_capacity(model)) is not None:
        complain("Warning", remark)
    return model


def require_model_name(target: str) -> None:
    """Raise unless the name of a model file has its extension."""
    if not target.endswith(MODEL):
        raise HyloopError(f"A model file ends in .safetensors; {target} does not.")


# -- the hypergraph -------------------------------------------------------------------------------------------------


def read_file(file: str, reading: Reading) -> Hypergraph:
    """The hypergraph in a file of the command line; a file of another kind is refused by its extension."""
    for ending, what in OTHERS.items():
        if file.endswith(ending):
            raise FormatError(f"{file} is {what}, not a hypergraph file; the algorithm comes first, then FILE.")
    with progress("reading", _size(file)) as tell:
        h = io.read(file, format=reading.file_format, progress=tell)
    return h if reading.label_by is None else h.labelled_by(reading.label_by)


def _size(file: str) -> int | None:
    """How long a plain file is, for a bar; None for others, of which nobody knows it."""
    path = Path(file)
    return path.stat().st_size if path.is_file() and path.suffix.lower() != ".gz" else None


def read_undirected(file: str, reading: Reading) -> Hypergraph:
    """The same; a directed hypergraph is refused, unless an option ignores its directions."""
    h = read_file(file, reading)
    if reading.ignore_direction:
        return h.ignoring_direction()
    h.require_undirected()
    return h


def read_for(program: Program, file: str, reading: Reading) -> Hypergraph:
    """The same, for a program: directions are refused where it does not use them."""
    if uses_direction(program) and not reading.ignore_direction:
        return read_file(file, reading)
    return read_undirected(file, reading)


def base_name(file: str) -> str:
    """The name of a file without its folders, as valid text for a page; empty for standard input."""
    return "" if file == "-" else Path(file).name.encode(errors="replace").decode()


def require_other(target: str, *sources: str) -> None:
    """Raise before the run if the result would overwrite its own input, or cannot be written."""
    if target == "-":
        return
    path_of(target)  # raises for an empty name, which pathlib takes for the folder
    if not Path(target).resolve().parent.is_dir():
        raise HyloopError(f"{target} cannot be written: there is no such folder.")
    if Path(target).is_dir():
        raise HyloopError(f"{target} cannot be written: it is a folder.")
    for source in sources:
        with suppress(OSError):
            if Path(source).samefile(target):
                raise HyloopError(
                    f"{target} would be written over {source}, which it is made from; choose another name."
                )


# -- its inputs -----------------------------------------------------------------------------------------------------


def chosen_inputs(program: Program, h: Hypergraph, given: Inputs) -> dict[str, Any]:
    """Every input of a program, from `--source` and `--input`; the error for a missing one has example labels."""
    try:
        inputs = inputs_from_text(program, h, given.texts)
    except HypergraphError as wrong:
        if not _are_names(program, h, given):
            raise
        raise HyloopError(f"{wrong} There is one of that name: add {LABEL_BY}.") from None
    require_known(program, inputs)
    labels = {Kind.VERTEX: h.vertices, Kind.HYPEREDGE: h.hyperedges}
    for each in program.inputs:
        if each.name not in inputs:
            such = such_as(labels.get(each.type.kind, ()) if each.type.scope is Scope.SCALAR else ())
            raise HyloopError(f"{program.name} needs {each.name}, {each.type.phrase}: {option(each)}{such}")
    return inputs


def _are_names(program: Program, h: Hypergraph, given: Inputs) -> bool:
    """Whether the inputs that were given are names of what the file calls by numbers."""
    with suppress(HyloopError):
        return names_differ(h) and bool(inputs_from_text(program, h.labelled_by(NAME), given.texts))
    return False


def hint_of_names(h: Hypergraph) -> str | None:
    """Where labels are bare numbers and there are names: the option that shows them."""
    return f"Labels are numbers here; {LABEL_BY} shows names." if names_differ(h) else None


def such_as(labels: Sequence[Label]) -> str:
    """A few labels, for the end of a sentence."""
    few = [str(label) for label in labels[:FEW]]
    return f" (such as {', '.join(few[:-1])}{' or ' * (len(few) > 1)}{few[-1]})." if few else "."
