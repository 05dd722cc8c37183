"""`hyloop run`: an algorithm on a hypergraph file."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Annotated, Any

import typer

from hyloop.checkpoint import EVERY, iterations_in
from hyloop.cli.given import chosen, chosen_inputs, hint_of_names, read_file, require_order
from hyloop.cli.help import OUTPUT
from hyloop.cli.options import Backend, Edited, File, Inputs, Json, PathTo, Quiet, Reading, Which, grouped
from hyloop.cli.show import as_json, cell, in_line, line, progress, prose, table
from hyloop.errors import HyloopError
from hyloop.execute.given import kinds_of
from hyloop.execute.prepare import program_of
from hyloop.fitting import compiled
from hyloop.hypergraph import Hypergraph, Label
from hyloop.labels import label_in_json
from hyloop.lang import Program
from hyloop.machine.model import Model
from hyloop.numbers import plural, short
from hyloop.result import Result, inputs_in_json, plain, stream_records
from hyloop.running import DEFAULT_BACKEND
from hyloop.running import run as run_algorithm
from hyloop.watching import Watched
from hyloop.watching import watch as watch_run

CHECKPOINTS = "Checkpoints"


@grouped
def run(
    algorithm: Which,
    file: File,
    *,
    inputs: Inputs,
    reading: Reading,
    edited: Edited = False,
    backend: Backend = DEFAULT_BACKEND,
    checkpoint: Annotated[
        str | None,
        typer.Option(
            "--checkpoint",
            metavar="FILE",
            help="Write checkpoints to this file, to resume from.",
            rich_help_panel=CHECKPOINTS,
        ),
    ] = None,
    every: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="SECONDS",
            help=f"The time between two checkpoints (default: {short(EVERY)}).",
            rich_help_panel=CHECKPOINTS,
        ),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume",
            metavar="FILE",
            help="Resume from a checkpoint, and write the next ones to it.",
            rich_help_panel=CHECKPOINTS,
        ),
    ] = None,
    path: PathTo = None,
    watch: Annotated[
        str | None,
        typer.Option(
            "--watch",
            metavar="NAMES",
            help="Also print what these variables of the program hold after every iteration: key,edge.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    json: Json = False,
    json_lines: Annotated[
        bool,
        typer.Option(
            "--json-lines",
            help="One JSON document per line; each column of a stream is a document.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Run an algorithm on a hypergraph file.

    Examples:
      hyloop run dijkstra examples/harbour.hif.json --source Quay --path Dunes
      hyloop run my_algorithm.py examples/harbour.hif.json --source Quay
      hyloop run bfs examples/harbour.hif.json --source Quay --watch edge,level
      hyloop run components - --format edge-list --json < my.edges
    """
    if json and json_lines:
        raise HyloopError("--json is one document and --json-lines is many: leave out one of them.")
    if every is not None and checkpoint is None and resume is None:
        raise HyloopError("--every is the time between two checkpoints: say where to write them, --checkpoint FILE.")
    require_order("run", algorithm, file)
    which = chosen(algorithm, edited=edited)
    program = program_of(which)
    h = read_file(file, reading)
    given = chosen_inputs(program, h, inputs)
    shown = inputs_in_json(given, kinds_of(program))
    goal = None if path is None else _goal(program, h, path)
    if watch is not None and (checkpoint is not None or resume is not None):
        raise HyloopError("--watch shows a run from its first iteration, without checkpoints: leave these out.")
    names = [] if watch is None else list(dict.fromkeys(name.strip() for name in watch.split(",")))
    if names:
        rows = watch_run(which, h, names, backend=backend, ignore_direction=reading.ignore_direction, **given)
        watched = _told(program.name, names, rows, json=json, json_lines=json_lines)
        _tell(rows.result, shown, goal, watched, json=json, json_lines=json_lines, quiet=quiet)
        return
    done = None if resume is None or quiet else iterations_in(resume)
    remark = None if done is None else ("Resuming", f"from iteration {done:,} ({resume}).")
    most = program.most_iterations(len(h.vertices), len(h.hyperedges))
    with progress(f"{program.name}, at most", most, wanted=not quiet, remark=remark) as tell:
        found = run_algorithm(
            which,
            h,
            backend=backend,
            ignore_direction=reading.ignore_direction,
            progress=tell,
            checkpoint=checkpoint,
            every=EVERY if every is None else every,
            resume=resume,
            **given,
        )
    _tell(found, shown, goal, [], json=json, json_lines=json_lines, quiet=quiet)
    if not (quiet or json or json_lines or isinstance(which, Model)):
        _tell_capacity(algorithm, program, found)


def _tell_capacity(algorithm: str, program: Program, found: Result) -> None:
    """Which model it was, where the default one is too small: a proof of that one says nothing about it."""
    default = compiled(program, None).capacity
    if found.capacity in {None, (default.rows, default.weight)}:
        return
    rows, weight = found.capacity
    prose(
        f"Its model was compiled for this input, for {rows:,} rows and weights up to {weight:,}: "
        f"hyloop prove {algorithm} --rows {rows} --weight {weight} proves it."
    )


def _told(
    name: str, names: list[str], rows: Iterator[Watched], *, json: bool, json_lines: bool
) -> list[dict[str, Any]]:
    """Run a watched run to its end and print its iterations; those of one document are given back instead."""
    if json:
        return [_watched_document(row) for row in rows]
    if json_lines:
        for row in rows:
            as_json(_watched_document(row), indent=None)
    else:
        _show_watched(name, names, rows)
    return []


def _tell(
    found: Result,
    inputs: dict[str, Any],
    goal: Label | None,
    watched: list[dict[str, Any]],
    *,
    json: bool,
    json_lines: bool,
    quiet: bool,
) -> None:
    """Print a result."""
    if json or json_lines:
        _print_json(_document(found, inputs, goal), found, watched, lines=json_lines)
        return
    _show(found, quiet=quiet)
    if goal is not None:
        _show_path(found, goal)


def _goal(program: Program, h: Hypergraph, path: str) -> Label:
    """The target of the path; refused before the run if there can be no path."""
    if not any(output.name == "predecessor" for output in program.outputs):
        raise HyloopError(f"{program.name} gives no predecessors, so there is no path to follow.")
    return h.find_vertex(path)


# -- for programs ---------------------------------------------------------------------------------------------------


def _document(found: Result, inputs: dict[str, Any], goal: Label | None) -> dict[str, Any]:
    """The result with its query: the inputs, and the target of the path."""
    way = {} if goal is None else {"path": _path_document(found, goal)}
    return {"inputs": inputs, **found.to_json(), **way}


def _path_document(found: Result, goal: Label) -> dict[str, Any] | None:
    way = found.path(goal)
    return None if way is None else {name: [*map(label_in_json, labels)] for name, labels in vars(way).items()}


def _print_json(document: dict[str, Any], found: Result, watched: list[dict[str, Any]], *, lines: bool) -> None:
    if not lines:
        as_json({**document, "watched": watched} if watched else document)
        return
    del document["streams"]
    for record in _line_documents(document, found):
        as_json(record, indent=None)


def _watched_document(row: Watched) -> dict[str, Any]:
    """An iteration; arrays as lists of pairs, since a label may be a number."""
    values = {name: plain(each, row.kinds[name]) for name, each in row.values.items()}
    return {"iteration": row.iteration, "values": values}


def _line_documents(document: dict[str, Any], found: Result) -> Iterator[dict[str, Any]]:
    yield document
    for name, stream in found.streams.items():
        for record in stream_records(stream):
            yield {"stream": name, **record}


# -- for people -----------------------------------------------------------------------------------------------------

SHOWN = 60  # entries of a stream
FEW = 12  # entries of an array that is watched
MEGABYTE = 10**6
ROWS = 1000  # rows of a table; drawing more takes longer than computing them


def _show(found: Result, *, quiet: bool = False) -> None:
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
        line(f"{name}: {in_line(value, found.kinds.get(name))}")
    for name, stream in found.streams.items():
        entries = [
            (entry.about, ", ".join(f"{label}: {cell(value)}" for label, value in entry.values.items()) or "–")
            for entry in stream.entries[:SHOWN]
        ]
        table(f"{found.algorithm}: {name}", [stream.kind, name], entries)
        if len(stream.entries) > SHOWN:
            line(f"... and {len(stream.entries) - SHOWN:,} more; --json or --json-lines has them all.")
    if not quiet:
        held = "" if found.memory is None or found.memory < MEGABYTE else f", {found.memory / MEGABYTE:,.0f} MB"
        line(f"{plural(found.iterations, 'iteration')} ({found.backend}{held}).")
        if (hint := hint_of_names(h)) is not None:
            line(hint)
    if found.doubt:
        line(f"Computed {found.doubt}: this may be wrong.", style="red")


def _show_watched(name: str, names: list[str], rows: Iterator[Watched]) -> None:
    """A row an iteration: arrays as `label value`, flags as the labels where they hold."""
    first = list(islice(rows, ROWS))
    cells = [
        [row.iteration, *(_watched_cell(row.values[each]) if each in row.values else "" for each in names)]
        for row in first
    ]
    table(f"{name}, iteration by iteration", ["iteration", *names], cells, right=["iteration"])
    if more := sum(1 for _ in rows):
        line(f"... and {plural(more, 'iteration')} more; --json-lines has them all.")


def _watched_cell(value: Any) -> object:
    if not isinstance(value, dict):
        return cell(value)
    told = [
        str(label) if each is True else f"{label} {cell(each)}"
        for label, each in value.items()
        if each is not None and each is not False
    ]
    return ", ".join(told[:FEW]) + (f" and {len(told) - FEW:,} more" if len(told) > FEW else "") or "–"


def _is_numeric(value: object) -> bool:
    return value is None or (isinstance(value, int | Fraction) and not isinstance(value, bool))


def _show_path(found: Result, to: Label) -> None:
    way = found.path(to)
    if way is None:
        line(f"There is no path to {to}.")
        return
    steps = [str(way.vertices[0])]
    for number, vertex in enumerate(way.vertices[1:]):
        steps.append(f"—[{way.hyperedges[number]}]→ {vertex}" if way.hyperedges else f"→ {vertex}")
    line(" ".join(steps))
