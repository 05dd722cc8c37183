"""`hyloop check`: program and transformer side by side, on files and on random hypergraphs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from hyloop import io
from hyloop.answers import load_function
from hyloop.cli.given import chosen_program, model_for, read_for, require_order, require_other
from hyloop.cli.help import MISTAKE, OUTPUT
from hyloop.cli.options import Building, Executor, Inputs, Json, Quiet, Reading, Seed, Which, grouped
from hyloop.cli.show import as_json, complain, line, progress, prose
from hyloop.errors import FormatError, HyloopError
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import Hypergraph
from hyloop.lang import Program
from hyloop.lookup import MODEL, inputs_from_text
from hyloop.machine.model import Model
from hyloop.numbers import plural
from hyloop.sampling import Drawn, draw_cases, require_fixable
from hyloop.survey import Finding, Survey, completed, conditions, input_text, survey
from hyloop.sweep import sweep

RANDOM = "Random hypergraphs"
SHOWN = 3  # findings that are shown with their hypergraphs
SHORT = 40  # lines of an edge list that are shown
SLOW_ROWS = 1000  # with more, an iteration of all pairs of rows takes a second or so


@grouped
def check(
    algorithm: Which,
    files: Annotated[
        list[str] | None, typer.Argument(help="Hypergraph files; - is standard input.", metavar="[FILE]...")
    ] = None,
    *,
    random: Annotated[
        int,
        typer.Option("--random", min=0, metavar="N", help="Also check N random hypergraphs.", rich_help_panel=RANDOM),
    ] = 0,
    seed: Seed = 0,
    graphs: Annotated[
        bool,
        typer.Option("--graphs", help="Only graphs: all hyperedges have two vertices.", rich_help_panel=RANDOM),
    ] = False,
    connected: Annotated[
        bool, typer.Option("--connected", help="Only connected hypergraphs.", rich_help_panel=RANDOM)
    ] = False,
    where: Annotated[
        str | None,
        typer.Option(
            "--where",
            metavar="FILE.py:NAME",
            help="Only those for which your own function of the hypergraph returns True.",
            rich_help_panel=RANDOM,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="FILE.py:NAME",
            help="Compare the outputs with the dictionary that your own function(hypergraph, **inputs) returns.",
        ),
    ] = None,
    save: Annotated[
        str | None,
        typer.Option(
            "--save",
            metavar="FILE",
            help="Write the smallest hypergraph with a difference that the format holds to this file.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    backend: Executor = "dense",
    processes: Annotated[
        int | None,
        typer.Option(
            "--processes", min=1, metavar="N", help="Number of worker processes (default: all cores, if worth it)."
        ),
    ] = None,
    inputs: Inputs,
    reading: Reading,
    building: Building,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run program and transformer side by side, and compare every value, exactly.

    Every state is compared after every iteration, and every other value after the layer that computes it. Inputs that
    are not given are drawn at random; a number or flag that is given is the same on every hypergraph. A hypergraph
    with a difference is shown, and the check continues.

    With --random and --backend cuda, batches of hypergraphs run on the GPU, and each last state is compared with the
    cpu backend's; a sample is also compared with the program.

    Examples:
      hyloop check dijkstra --random 2000
      hyloop check dijkstra examples/harbour.hif.json --source Quay
      hyloop check k_core --random 500 --input k=2
      hyloop check mine.py --random 500 --connected --against answers.py:mine
      hyloop check dijkstra --random 1000000 --backend cuda
    """
    require_order("check", algorithm, *(files or []))
    _require_sense(files or [], random, limited=graphs or connected or where is not None)
    if random and backend == "cuda":
        _require_plain(files or [], asked=graphs or connected or bool(where or against or inputs.texts))
    if save is not None:
        _require_hypergraph_name(save)
        require_other(save, *(files or []), algorithm)
    oracle = None if against is None else load_function(against)
    condition = None if where is None else load_function(where)
    if random and backend == "cuda":
        what = (
            chosen_program(algorithm) if _is_free(algorithm, building) else model_for(algorithm, building, quiet=quiet)
        )
        _swept(what, random, seed, processes, save, json=json, quiet=quiet)
        return
    model = model_for(algorithm, building, quiet=quiet)
    fixed = _fixed(program_of(model), inputs) if random else {}
    asked = conditions(graphs=graphs, connected=connected, where=condition, name=where or "")
    with progress("sampling hypergraphs", random, wanted=not quiet and random > 0) as tell:
        drawn = draw_cases(model, random, seed, asked, tell, fixed) if random else Drawn(())
    read = _read_all(files or [], reading, model, inputs)
    cases = (*completed(model, read, seed), *drawn.cases)
    every = Drawn(cases, drawn.tried, drawn.rejected, drawn.remarks)
    if not quiet and model.layout.least > SLOW_ROWS:
        complain("Note", _slow(model, max((max(case.hypergraph.counts) for case in cases), default=0)))
    with progress(f"checking {model.name}", len(cases), wanted=not quiet) as tell:
        found = survey(model, every, against=oracle, backend=backend, processes=processes, progress=tell)
    if len(cases) == 1 and found.count("refused"):
        raise HyloopError(found.findings[0].told)
    if json:
        as_json(found.document())
    else:
        _show(found, quiet=quiet)
    kept = _written(found.findings, save)
    if kept is not None and not json:
        more = "" if against is None else f" --against {shlex.quote(against)}"
        options = f"{_as_options(kept)}{more}{' --edited' * building.edited}"
        line(f"Wrote {save}. See it: hyloop check {algorithm} {shlex.quote(str(save))}{options}")
    if found.findings:
        raise typer.Exit(MISTAKE if found.count("refused") == len(found.findings) else 1)


def _fixed(program: Program, inputs: Inputs) -> dict[str, Any]:
    """The inputs that all random hypergraphs have."""
    require_fixable(program, [text.partition("=")[0] for text in inputs.texts])
    return inputs_from_text(program, Hypergraph.from_hyperedges({}), inputs.texts)


def _written(findings: Sequence[Finding], save: str | None) -> Finding | None:
    """Write the first of these hypergraphs that the format holds; what was found is told before, and counts."""
    refused: HyloopError | None = None
    for finding in findings if save is not None else ():
        try:
            io.write(finding.hypergraph, str(save))
        except FormatError as wrong:
            refused = refused or wrong
        else:
            return finding
    if refused is not None:
        complain("Note", f"Nothing was written to {save}. {refused}")
    return None


def _slow(model: Model, rows: int) -> str:
    """Why even hypergraphs of so many rows take long, and what to do about it."""
    why = (
        f"{model.name} looks numbers up in {model.layout.least:,} rows, so every hypergraph has as many here, and all "
        "pairs of them are compared in each iteration."
    )
    if rows >= model.capacity.rows:
        return f"{why} This takes long."
    return f"{why} With a model for no more rows than these hypergraphs have, this takes less time: --rows {rows}."


def _is_free(algorithm: str, building: Building) -> bool:
    """Whether a program may be compiled for the hypergraphs that it runs on."""
    return building.is_default and not algorithm.endswith(MODEL)


def _require_plain(files: Sequence[str], *, asked: bool) -> None:
    """Raise where a sweep on the GPU is asked for what it has not."""
    if files:
        raise HyloopError("Random hypergraphs run on the GPU by the batch, files one by one: check them apart.")
    if asked:
        raise HyloopError(
            "--graphs, --connected, --where, --against and --input are for hypergraphs that are drawn one by one: "
            "leave out --backend cuda."
        )


def _swept(
    what: Program | Model, count: int, seed: int, processes: int | None, save: str | None, *, json: bool, quiet: bool
) -> None:
    """Random hypergraphs by the batch."""
    with progress(f"checking {what.name} on the GPU", count, wanted=not quiet) as tell:
        found = sweep(what, count, seed=seed, processes=processes, progress=tell)
    if json:
        as_json(found.document())
    else:
        for each in found.findings[:SHOWN]:
            line(f"{found.algorithm} {_says(each)}", style="red")
        line(found.verdict, style="green" if found.agrees else "red")
        if not quiet:
            prose(found.tested)
    _written(found.findings, save)
    if not found.agrees:
        raise typer.Exit(1)


def _require_sense(files: Sequence[str], random: int, *, limited: bool) -> None:
    """Raise where options contradict each other."""
    if not files and not random:
        raise HyloopError("Say what to check on: hypergraph files, or --random N.")
    if limited and not random:
        raise HyloopError("--graphs, --connected and --where choose among random hypergraphs: give --random N, too.")


def _require_hypergraph_name(save: str) -> None:
    """Raise before the run if the name does not determine the format."""
    endings = [ending for each in io.EVERY_FORMAT for ending in each.extensions]
    if Path(save).suffix.lower() not in endings:
        raise HyloopError(f"--save writes a hypergraph file: its name ends in {', '.join(endings)}; {save} does not.")


def _read_all(
    files: Sequence[str], reading: Reading, model: Model, inputs: Inputs
) -> Iterator[tuple[str, Hypergraph, dict[str, Any]]]:
    if files.count("-") > 1:
        raise HyloopError("Standard input can be read only once: give - once.")
    for file in files:
        h = read_for(program_of(model), file, reading)
        yield file, h, inputs_from_text(program_of(model), h, inputs.texts)


def _show(found: Survey, *, quiet: bool) -> None:
    for each in found.findings[:SHOWN]:
        line(f"{found.algorithm} {_says(each)}", style="red")
        text = each.hif if each.hypergraph.directed else each.edge_list
        lines = text.splitlines() if each.number is not None else []  # the user has the file
        for text in lines[:SHORT]:
            line(f"    {text}")
        if len(lines) > SHORT:
            line(f"    ... and {len(lines) - SHORT:,} lines more")
    if len(found.findings) > SHOWN:
        more = plural(len(found.findings) - SHOWN, "more hypergraph")
        line(f"... and {more}; --json has them all.", style="red")
    line(found.verdict, style="green" if found.agrees else "red")
    if not quiet and found.inputs > 1:
        prose(found.tested)
    if found.agrees and found.verified == "unverified":
        line("The model is unverified: it agrees on these inputs, and nothing is known of others.", style="red")
    for remark in found.remarks if not quiet else ():
        complain("Note", remark)


def _as_options(each: Finding) -> str:
    given = (shlex.quote(f"{name}={input_text(value)}") for name, value in each.inputs.items())
    return "".join(f" --input {text}" for text in given)


def _says(each: Finding) -> str:
    """What differs and where; the hypergraph follows."""
    verb = {"differs": "differs", "did not stop": "does not stop", "another answer": "has another answer"}
    return f"{verb.get(each.wrong, 'cannot be run')}: {each}"
