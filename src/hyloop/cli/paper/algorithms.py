"""`hyloop paper algorithms`: layers, heads and iterations, the paper's claim beside ours."""

from __future__ import annotations

from typing import Annotated

import typer

from hyloop.cli.options import Json, Precision, Quiet, Seed
from hyloop.cli.paper.options import Positions
from hyloop.cli.show import as_json, line, progress, prose, table
from hyloop.paper.algorithms import ALGORITHMS, Name
from hyloop.paper.steps import Setting, setting
from hyloop.paper.summary import SAMPLE, Summary, summary
from hyloop.paper.sweep import Mismatch

SHOWN = 3  # mismatches of an algorithm


def algorithms(
    sweep: Annotated[
        int, typer.Option(min=0, metavar="N", help="Run each on N random hypergraphs, against oracles.")
    ] = 0,
    seed: Seed = 0,
    positions: Positions = "parabola",
    precision: Precision = "float64",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Each algorithm: layers, heads and iterations, the paper's claim beside ours.

    Examples:
      hyloop paper algorithms
      hyloop paper algorithms --sweep 2000
    """
    given = setting(code=positions, dtype=precision)
    rows = [_summary(name, given, sweep, seed, quiet=quiet) for name in ALGORITHMS]
    if json:
        as_json([each.document() for each in rows])
    else:
        _show(rows, sweep)
    if any(each.swept and each.swept.mismatches for each in rows):
        raise typer.Exit(1)


def _summary(name: Name, given: Setting, count: int, seed: int, *, quiet: bool) -> Summary:
    with progress(name, count, wanted=not quiet and count > 0) as tell:
        return summary(name, given, sweep_on=count, seed=seed, progress=tell)


def _show(rows: list[Summary], count: int) -> None:
    sizes = ("algorithm", "paper: layers", "layers", "lemmas", "heads per layer", "columns", "hidden")
    table("The algorithms of the paper, corrected: layers", sizes, [_sizes(each) for each in rows], right=sizes[1:])
    prose("layers: lemmas that do not depend on each other share one. lemmas: one per layer, as the paper counts.")
    times = ["algorithm", "paper", "here", "measured", *(["most seen", "mismatches"] if count else [])]
    table("Iterations", times, [_iterations(each) for each in rows], right=times[3:])
    size = f"{len(SAMPLE.vertices)} vertices and {len(SAMPLE.hyperedges)} hyperedges"
    prose(f"measured: on {size}. For n_e = 0 read 1, for C(n_v, 3) = 0 too.")
    for each in rows:
        if each.printed:
            line(f"{each.algorithm.name} as printed, in plain Python: {each.printed}.")
        for mismatch in each.swept.mismatches[:SHOWN] if each.swept else ():
            line(f"{each.algorithm.name} differs on {_shown(mismatch)}", style="red")


def _sizes(each: Summary) -> tuple[object, ...]:
    layers = each.model.layers
    return (
        each.algorithm.name,
        each.algorithm.claim.layers or "–",
        len(layers),
        each.operations,
        max(len(layer.heads) for layer in layers),
        len(each.model.layout),
        max(layer.mlp.width for layer in layers),
    )


def _iterations(each: Summary) -> tuple[object, ...]:
    row = (each.algorithm.name, each.algorithm.claim.iterations, each.algorithm.formula, each.measured)
    if each.swept is None:
        return row
    return (*row, each.swept.most_iterations, f"{len(each.swept.mismatches)} of {each.swept.inputs}")


def _shown(mismatch: Mismatch) -> str:
    h = mismatch.task.hypergraph
    edges = [(list(h.members_of(name)), str(weight)) for name, weight in zip(h.hyperedges, h.weights, strict=True)]
    return (
        f"{len(h.vertices)} vertices, {edges}, {mismatch.task.inputs}: {mismatch.ended}, expected {mismatch.expected}"
    )
