"""`hyloop paper run`: a corrected algorithm of the paper on a hypergraph file."""

from __future__ import annotations

from typing import Annotated

import typer

from hyloop.cli.given import read_undirected, such_as
from hyloop.cli.help import CAPACITY
from hyloop.cli.options import File, Format, IgnoreDirection, Json, Precision, Quiet, Reading, Source, Weight
from hyloop.cli.paper.options import Positions
from hyloop.cli.show import as_json, cell, in_line, line, progress, table
from hyloop.errors import HyloopError
from hyloop.hypergraph import Hypergraph
from hyloop.labels import label_in_json
from hyloop.machine.model import Model
from hyloop.numbers import plural
from hyloop.paper.algorithms import ALGORITHMS, Name, PaperAlgorithm
from hyloop.paper.run import ProblemInstance, expected_iterations, model_of, result
from hyloop.paper.run import run as run_tasks
from hyloop.paper.steps import setting
from hyloop.paper.sweep import compare
from hyloop.result import Result


def run(
    algorithm: Annotated[Name, typer.Argument(metavar="ALGORITHM", help=f"One of {', '.join(ALGORITHMS)}.")],
    file: File,
    source: Source = None,
    file_format: Format = None,
    ignore_direction: IgnoreDirection = False,
    positions: Positions = "parabola",
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Most iterations (default: by the formula).")
    ] = None,
    precision: Precision = "float64",
    rows: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Most vertices, and most hyperedges (default: 131071; 100 in float32, 1000 on the circle).",
            rich_help_panel=CAPACITY,
        ),
    ] = None,
    weight: Weight = None,
    verify: Annotated[bool, typer.Option("--verify", help="Compare with an independent answer.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run a corrected algorithm of the paper on a hypergraph file, in the transformer.

    Examples:
      hyloop paper run dijkstra examples/harbour.hif.json --source Quay
      hyloop paper run helly examples/harbour.hif.json --verify
    """
    h = read_undirected(file, Reading(file_format, ignore_direction=ignore_direction))
    chosen = ALGORITHMS[algorithm]
    task = ProblemInstance(h, _inputs(chosen, h, source))
    given = setting(rows, weight, code=positions, dtype=precision)
    total = limit or expected_iterations(chosen, h)
    with progress(f"{algorithm} on {len(h.vertices)} vertices", total, wanted=not quiet) as tell:
        [ended] = run_tasks(algorithm, [task], given, limit=limit, progress=tell)
    found = result(algorithm, task, ended)
    differs = bool(compare(algorithm, [task], [ended])) if verify else None
    if json:
        inputs = {name: label_in_json(h.vertices[number]) for name, number in task.inputs.items()}
        as_json({"inputs": inputs, **found.to_json(), **({"verified": not differs} if verify else {})})
    else:
        _show(found, model_of(algorithm, given), differs)
    if differs:
        raise typer.Exit(1)


def _inputs(chosen: PaperAlgorithm, h: Hypergraph, source: str | None) -> dict[str, int]:
    if "source" not in chosen.inputs:
        if source is not None:
            raise HyloopError(f"{chosen.name} starts from no vertex; leave out --source.")
        return {}
    if source is None:
        raise HyloopError(f"{chosen.name} needs a vertex to start from: --source LABEL{such_as(h.vertices)}")
    return {"source": h.vertex_number(h.find_vertex(source))}


def _show(found: Result, model: Model, differs: bool | None) -> None:
    columns = ["vertex", *found.vertices]
    if found.vertices:
        rows = zip(found.hypergraph.vertices, *found.vertices.values(), strict=True)
        table(found.algorithm, columns, [[cell(value) for value in row] for row in rows], right=columns[1:2])
    for name, value in found.scalars.items():
        line(f"{name}: {in_line(value, found.kinds.get(name))}")
    work = f"{plural(found.iterations, 'iteration')} of {plural(len(model.layers), 'layer')}"
    line(f"{work}, halted by the transformer itself ({model.dtype}).")
    if differs is not None:
        verdict = "DIFFERS from" if differs else "equal to"
        line(f"Checked: {verdict} the independent answer.", style="red" if differs else "green")
