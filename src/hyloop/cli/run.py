"""`hyloop run`, `hyloop algorithms`, `hyloop new`: algorithms written in the language, ours and the user's."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from fractions import Fraction
from itertools import islice
from keyword import iskeyword
from pathlib import Path
from typing import Annotated, Any

import typer

from hyloop import io, lang
from hyloop.algorithms import ALGORITHMS
from hyloop.atomic import write_whole
from hyloop.build import (
    compile,  # noqa: A004
    in_file,
)
from hyloop.build import load as load_model
from hyloop.checkpoint import EVERY, iterations_in
from hyloop.cli import complete, files
from hyloop.cli.files import File, Format, Json, LabelBy, read_file
from hyloop.cli.help import INPUT, OUTPUT, one_of
from hyloop.cli.show import as_json, cell, complain, line, progress, table
from hyloop.compiler.lower import lower
from hyloop.compiler.schedule import least_layers
from hyloop.errors import HyloopError, HypergraphError
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import Hypergraph, Label, exact
from hyloop.io.fields import number_from_text
from hyloop.lang import Algorithm, Program
from hyloop.lang.kinds import Kind
from hyloop.lang.program import Input
from hyloop.lang.text import to_text
from hyloop.lang.trace import load
from hyloop.machine.model import Model
from hyloop.numbers import short
from hyloop.result import Result, stream_records
from hyloop.run import BACKENDS, DEFAULT_BACKEND
from hyloop.run import run as run_algorithm

CHECKPOINTS = "Checkpoints"
FEW = 3  # labels that a sentence names

# What several commands take: each has one meaning, and one help text.
Quiet = files.Quiet
IgnoreDirection = files.IgnoreDirection
Which = Annotated[
    str,
    typer.Argument(
        metavar="ALGORITHM",
        help="One of ours (hyloop algorithms lists them), your own (FILE.py or FILE.py:NAME), or a model file.",
        autocompletion=complete.algorithms,
    ),
]
Source = Annotated[
    str | None,
    typer.Option(
        "--source",
        metavar="LABEL",
        help="The vertex to start from.",
        autocompletion=complete.labels,
        rich_help_panel=INPUT,
    ),
]
Given = Annotated[
    list[str] | None,
    typer.Option(
        "--input",
        "-i",
        metavar="NAME=VALUE",
        help="An input of the algorithm, by its name; once for each.",
        autocompletion=complete.inputs,
        rich_help_panel=INPUT,
    ),
]
Edited = Annotated[
    bool,
    typer.Option("--edited", help="Take a model file that was edited: its hash need not fit.", rich_help_panel=INPUT),
]
Backend = Annotated[
    str,
    typer.Option(
        "--backend", metavar=one_of(BACKENDS), help="What runs the algorithm.", autocompletion=complete.backends
    ),
]


def run(
    algorithm: Which,
    file: File,
    source: Source = None,
    given: Given = None,
    file_format: Format = None,
    label_by: LabelBy = None,
    ignore_direction: IgnoreDirection = False,
    edited: Edited = False,
    backend: Backend = DEFAULT_BACKEND,
    checkpoint: Annotated[
        str | None,
        typer.Option(
            "--checkpoint",
            metavar="FILE",
            help="Keep the run in a file, to go on from later.",
            rich_help_panel=CHECKPOINTS,
        ),
    ] = None,
    every: Annotated[
        float,
        typer.Option(min=0, metavar="SECONDS", help="The time between two checkpoints.", rich_help_panel=CHECKPOINTS),
    ] = EVERY,
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume", metavar="FILE", help="Go on from a checkpoint, and keep it up.", rich_help_panel=CHECKPOINTS
        ),
    ] = None,
    path: Annotated[
        str | None,
        typer.Option(
            "--path",
            metavar="LABEL",
            help="Also the way to this vertex.",
            autocompletion=complete.labels,
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    json: Json = False,
    json_lines: Annotated[
        bool,
        typer.Option(
            "--json-lines",
            help="One JSON document a line; each column of a stream on its own.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Run an algorithm on a hypergraph file.

    Examples:
      hyloop run dijkstra examples/harbour.hif.json --source Quay --path Dunes
      hyloop run my_algorithm.py examples/harbour.hif.json --source Quay
      hyloop run components - --format edge-list --json < my.edges
    """
    if json and json_lines:
        raise HyloopError("--json is one document and --json-lines is many: leave out one of them.")
    which = chosen(algorithm, edited=edited)
    program = program_of(which)
    h = read_file(file, file_format, label_by)
    inputs = chosen_inputs(program, h, given_inputs(source, given))
    require_inputs(program, inputs, h)
    goal = None if path is None else _goal(program, h, path)
    if resume is not None and not quiet and (done := iterations_in(resume)) is not None:
        complain("Going on", f"from iteration {done:,} ({resume}).")
    most = program.most_iterations(len(h.vertices), len(h.hyperedges))
    with progress(f"{program.name}, at most", most, wanted=not quiet) as tell:
        found = run_algorithm(
            which,
            h,
            backend=backend,
            ignore_direction=ignore_direction,
            progress=tell,
            checkpoint=checkpoint,
            every=every,
            resume=resume,
            **inputs,
        )
    way = None if goal is None else {"path": _path_document(found, goal)}
    if json_lines:
        _print_lines(found, way or {})
    elif json:
        as_json(found.to_json() | (way or {}))
    else:
        show(found, quiet=quiet)
        if goal is not None:
            _show_path(found, goal)


def require_inputs(program: Program, inputs: dict[str, Any], h: Hypergraph | None = None) -> None:
    """Every input of a program is given; else a sentence that says how to, and names a few labels."""
    labels = {} if h is None else {Kind.VERTEX: h.vertices, Kind.HYPEREDGE: h.hyperedges}
    for each in program.inputs:
        if each.name not in inputs:
            option = "--source LABEL" if each.name == "source" else f"--input {each.name}=VALUE"
            such = such_as(labels.get(each.type.kind, ()))
            raise HyloopError(f"{program.name} needs {each.name}, a {each.type.kind}: {option}{such}")


def such_as(labels: Sequence[Label]) -> str:
    """A few labels, for the end of a sentence."""
    few = [str(label) for label in labels[:FEW]]
    return f" (such as {', '.join(few[:-1])}{' or ' * (len(few) > 1)}{few[-1]})." if few else "."


def _goal(program: Program, h: Hypergraph, path: str) -> str | int:
    """The vertex that a path is wanted to; told before the run, not after it, where there can be none."""
    if not any(output.name == "predecessor" for output in program.outputs):
        raise HyloopError(f"{program.name} gives no predecessors, so there is no path to follow.")
    return h.find_vertex(path)


def _path_document(found: Result, goal: str | int) -> dict[str, Any] | None:
    way = found.path(goal)
    return None if way is None else {"vertices": list(way.vertices), "hyperedges": list(way.hyperedges)}


def algorithms(
    sizes: Annotated[bool, typer.Option("--sizes", help="Compile each, and compare with the paper.")] = False,
    json: Json = False,
) -> None:
    """The algorithms that come with hyloop.

    Examples:
      hyloop algorithms
      hyloop algorithms --sizes
    """
    if sizes:
        show_sizes(json=json)
        return
    rows = [_facts(each) for each in ALGORITHMS.values()]
    if json:
        as_json(rows)
    else:
        table(
            "Algorithms: hyloop run NAME FILE",
            ("name", "inputs", "outputs", "iterations, at most", "what it finds"),
            [
                (row["algorithm"], _names(row["inputs"]), _names(row["outputs"]), row["at_most"], row["about"])
                for row in rows
            ],
        )


def program(algorithm: Which, edited: Edited = False) -> None:
    """Print the program that an algorithm was traced into: its operations, typed, with their places in the source.

    Examples:
      hyloop program dijkstra
      hyloop program my_algorithm.py
    """
    sys.stdout.write(to_text(chosen_program(algorithm, edited=edited)))


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The Python file to write, such as my_algorithm.py.")],
    quiet: Quiet = False,
) -> None:
    """Write a small algorithm to start from. It runs as it is.

    Examples:
      hyloop new my_algorithm.py
      hyloop run my_algorithm.py examples/harbour.hif.json --source Quay
    """
    if file.suffix != ".py":
        raise HyloopError(f"{file} should end in .py, for it is a Python file.")
    if file.exists():
        raise HyloopError(f"{file} is there already; it is left alone.")
    name = file.stem if _is_free(file.stem) else "my_algorithm"
    try:
        write_whole(file, TEMPLATE.format(name=name).encode())
    except OSError as wrong:
        raise HyloopError(f"{file} cannot be written: {wrong.strerror}.") from None
    if not quiet:
        line(f"Wrote {file}. Run it: hyloop run {file} HYPERGRAPH --source LABEL; watch it: hyloop view -a {file}")


def _is_free(name: str) -> bool:
    """Whether a function can have this name, and leaves the words of the language as they are."""
    return name.isidentifier() and not iskeyword(name) and name not in lang.__all__


TEMPLATE = '''\
"""An algorithm of my own. Run it with: hyloop run THIS_FILE HYPERGRAPH --source LABEL"""

from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, any, known


@algorithm
def {name}(h, source: Vertex):
    """How far each vertex is from `source`, counted in hyperedges."""
    steps = h.vertices.state(Count, 0)
    reached = h.vertices.state(Flag, False)
    depth = h.state(Count, 0)

    reached[source] = True

    with h.loop(at_most=h.vertices.count) as loop:
        fresh = h.covered(h.touching(reached)) & ~reached
        loop.stop_when(~any(fresh))
        depth.assign(depth + 1)
        steps.assign(depth, where=fresh)
        reached.assign(True, where=fresh)
    return Outputs(steps=known(steps, where=reached))
'''


def chosen(which: str, *, edited: bool = False) -> Program | Model:
    """A model file, or the program of one of our algorithms or of a file of the user's own."""
    return load_model(which, edited=edited) if which.endswith(".safetensors") else chosen_program(which)


def chosen_program(which: str, *, edited: bool = False) -> Program:
    """The program of one of our algorithms, of a file of the user's own, or of a model file."""
    if which.endswith(".safetensors"):
        return program_of(in_file(which, edited=edited))
    name, _, wanted = which.rpartition(":") if ".py:" in which else (which, "", "")
    if name.endswith(".py"):
        return _chosen(_load(Path(name)), name, wanted).program
    if which == "-" or Path(which).suffix.lower() in {ending for each in io.FORMATS for ending in each.extensions}:
        raise HyloopError(f"{which} looks like a hypergraph file; an algorithm belongs there: ALGORITHM, then FILE.")
    return program_of(which)


def _load(file: Path) -> list[Algorithm]:
    """The algorithms in a file of the user's own. What it prints while it is read is no result."""
    try:
        with redirect_stdout(sys.stderr):
            return load(file)
    except SystemExit:
        raise HyloopError(f"{file} cannot be run: it ends Python (sys.exit) before its algorithms are read.") from None


def _chosen(found: Sequence[Algorithm], file: str, wanted: str) -> Algorithm:
    names = ", ".join(each.name for each in found)
    if not found:
        raise HyloopError(f"{file} has no function with @algorithm.")
    if not wanted:
        if len(found) > 1:
            raise HyloopError(f"{file} has several algorithms: {names}. Say which: {file}:{found[0].name}")
        return found[0]
    for each in found:
        if each.name == wanted:
            return each
    raise HyloopError(f"{file} has no algorithm {wanted!r}; it has {names}.")


def given_inputs(source: str | None, given: Sequence[str] | None) -> list[str]:
    """What `--source` and `--input` gave, as `NAME=VALUE`."""
    return [*([f"source={source}"] if source is not None else []), *(given or [])]


def chosen_inputs(program: Program, h: Hypergraph, given: Sequence[str]) -> dict[str, Any]:
    """The inputs that were given as `NAME=VALUE`."""
    by_name = {each.name: each for each in program.inputs}
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise HyloopError(f"--input needs NAME=VALUE; {text!r} has no =.")
        if name in found:
            raise HyloopError(f"The input {name!r} is given twice.")
        found[name] = _read_input(by_name[name], h, value) if name in by_name else value
    return found


def _read_input(each: Input, h: Hypergraph, text: str) -> object:
    if each.type.kind is Kind.VERTEX:
        return h.find_vertex(text)
    if each.type.kind is Kind.HYPEREDGE:
        return h.find_hyperedge(text)
    if each.type.kind is Kind.FLAG:
        flags = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if text.lower() not in flags:
            raise HyloopError(f"The input {each.name} is a flag: true or false, not {text!r}.")
        return flags[text.lower()]
    try:
        return exact(number_from_text(text.strip()))
    except HypergraphError:
        raise HyloopError(f"The input {each.name} is a number, not {text!r}.") from None


def _facts(each: Algorithm) -> dict[str, Any]:
    return {
        "algorithm": each.name,
        "about": each.about.partition("\n")[0],
        "inputs": {given.name: str(given.type) for given in each.program.inputs},
        "outputs": list(dict.fromkeys(output.name for output in each.program.outputs)),
        "at_most": f"1 + {each.program.at_most}" if each.program.begins else str(each.program.at_most),
    }


def _names(things: Any) -> str:  # noqa: ANN401  (a list, or a dictionary)
    return ", ".join(f"{key}: {things[key]}" if isinstance(things, dict) else key for key in things)


def show_sizes(*, json: bool) -> None:
    """The paper's claim, its corrected form and the compiled form of every algorithm."""
    facts = [sizes_of(each) for each in ALGORITHMS.values()]
    if json:
        as_json(facts)
        return
    columns = [key.replace("_", " ") for key in facts[0]]
    table(
        "Layers", columns, [["–" if value is None else value for value in each.values()] for each in facts], columns[1:]
    )


def sizes_of(each: Algorithm) -> dict[str, Any]:
    """How large an algorithm is in each of its forms."""
    from hyloop.paper.algorithms import ALGORITHMS as PAPER  # noqa: PLC0415  (no other command here needs the paper)
    from hyloop.paper.steps import setting  # noqa: PLC0415

    model, spread_out = compile(each), compile(each, schedule="one operation per layer")
    corrected = PAPER.get(each.name)  # type: ignore[call-overload]
    return {
        "algorithm": each.name,
        "claimed": corrected and corrected.claim.layers,
        "corrected": corrected and len(corrected.build(setting()).layers),
        "compiled": len(model.layers),
        "least": least_layers(lower(each.program)),
        "one_a_layer": len(spread_out.layers),
        "heads": max(len(layer.heads) for layer in model.layers),
        "columns": len(model.layout),
        "hidden": max(layer.mlp.width for layer in model.layers),
    }


# -- showing --------------------------------------------------------------------------------------------------------

SHOWN = 60  # entries of a stream
MEGABYTE = 10**6
ROWS = 1000  # rows of a table; drawing more takes longer than computing them


def show(found: Result, *, quiet: bool = False) -> None:
    """A result, for people."""
    h = found.hypergraph
    for what, labels, outputs in (
        ("vertex", h.vertices, found.vertices),
        ("hyperedge", h.hyperedges, found.hyperedges),
    ):
        if outputs:
            rows = zip(labels, *outputs.values(), strict=True)
            numeric = [name for name, values in outputs.items() if all(_is_numeric(value) for value in values)]
            shown = [[cell(value) for value in row] for row in islice(rows, ROWS)]
            table(found.algorithm, [what, *outputs], shown, right=numeric)
            if len(labels) > ROWS:
                line(f"... and {len(labels) - ROWS:,} more; --json has them all.")
    for name, value in found.scalars.items():
        line(f"{name}: {cell(value)}")
    for name, stream in found.streams.items():
        entries = [
            (entry.about, ", ".join(f"{label}: {short(value)}" for label, value in entry.values.items()) or "–")
            for entry in stream.entries[:SHOWN]
        ]
        table(f"{found.algorithm}: {name}", [stream.kind, name], entries)
        if len(stream.entries) > SHOWN:
            line(f"... and {len(stream.entries) - SHOWN:,} more; --json or --json-lines has them all.")
    if not quiet:
        held = "" if found.memory is None or found.memory < MEGABYTE else f", {found.memory / MEGABYTE:,.0f} MB"
        line(f"{found.iterations:,} iterations ({found.backend}{held}).")
    if found.doubt:
        line(f"Computed {found.doubt}: this may be wrong.", style="red")


def _is_numeric(value: object) -> bool:
    return value is None or (isinstance(value, int | Fraction) and not isinstance(value, bool))


def _show_path(found: Result, to: str | int) -> None:
    way = found.path(to)
    if way is None:
        line(f"There is no way to {to}.")
        return
    steps = [str(way.vertices[0])]
    for number, vertex in enumerate(way.vertices[1:]):
        steps.append(f"—[{way.hyperedges[number]}]→ {vertex}" if way.hyperedges else f"→ {vertex}")
    line(" ".join(steps))


def _print_lines(found: Result, more: dict[str, Any]) -> None:
    document = found.to_json() | more
    streams = document.pop("streams")
    for record in _line_documents(document, found, streams):
        as_json(record, indent=None)


def _line_documents(document: dict[str, Any], found: Result, streams: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield document
    for name in streams:
        for record in stream_records(found.streams[name]):
            yield {"stream": name, **record}
