"""`hyloop trace`: record a run, as a page to watch it in or as a document for programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from hyloop.cli.given import base_name, chosen, chosen_inputs, read_file, require_order, require_other
from hyloop.cli.help import OUTPUT
from hyloop.cli.options import Edited, Executor, File, Inputs, Json, Quiet, Reading, Which, grouped
from hyloop.cli.show import MEGABYTE, as_json, complain, file_size, line, progress
from hyloop.errors import HyloopError
from hyloop.execute.prepare import program_of
from hyloop.numbers import plural
from hyloop.recording import LIMIT, Trace, record_run
from hyloop.recording.run_hash import state_bytes
from hyloop.running import DEFAULT_BACKEND

RECORDED = "Recording"
HASHED = 2**30  # bytes of states that are hashed without being asked for: about a second


@grouped
def trace(
    algorithm: Which,
    file: File,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="What to write: .html, .json or .json.gz; - prints the JSON.",
            rich_help_panel=OUTPUT,
        ),
    ],
    *,
    inputs: Inputs,
    reading: Reading,
    edited: Edited = False,
    backend: Executor = DEFAULT_BACKEND,
    layers: Annotated[
        bool | None,
        typer.Option(
            "--layers/--no-layers",
            help="Every layer, or iterations only (default: layers, if the run is small).",
            rich_help_panel=RECORDED,
        ),
    ] = None,
    every: Annotated[
        int, typer.Option(min=1, metavar="N", help="Only every N-th iteration.", rich_help_panel=RECORDED)
    ] = 1,
    first: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the first N iterations.", rich_help_panel=RECORDED)
    ] = None,
    last: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the last N iterations.", rich_help_panel=RECORDED)
    ] = None,
    limit: Annotated[
        float,
        typer.Option(min=0.001, metavar="MB", help="Stop recording at MB megabytes of JSON.", rich_help_panel=RECORDED),
    ] = LIMIT / MEGABYTE,
    browser: Annotated[
        bool, typer.Option("--open", help="Open the page in a browser.", rich_help_panel=OUTPUT)
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Record a run: a page to watch it in (.html), or the document for programs (.json).

    The transformer runs beside the interpreter; the exit status is 1 if they differ.

    Examples:
      hyloop trace dijkstra examples/harbour.hif.json --source Quay -o run.html
      hyloop trace components big.csv -o run.html --no-layers --every 10
      hyloop trace helly FILE -o - --quiet | jq .differences
    """
    _require_target(output, browser=browser, json=json)
    require_order("trace", algorithm, file)
    require_other(output, file, algorithm)
    which = chosen(algorithm, edited=edited)
    program = program_of(which)
    h = read_file(file, reading)
    given = chosen_inputs(program, h, inputs)
    most = program.most_iterations(len(h.vertices), len(h.hyperedges))
    with progress(f"{program.name}, at most", most, wanted=not quiet) as tell:
        found = record_run(
            which,
            h,
            given,
            name=base_name(file),
            layers=layers,
            every=every,
            first=first,
            last=last,
            limit=int(min(limit, 10**9) * MEGABYTE),
            backend=backend,
            ignore_direction=reading.ignore_direction,
            progress=tell,
        )
    with progress(f"writing {base_name(output)}", None, wanted=not quiet):
        _write(found, output)
    _tell(found, output, limit * MEGABYTE, json=json, quiet=quiet)
    if browser:
        import webbrowser  # rarely used, and slow to import

        webbrowser.open(Path(output).resolve().as_uri())
    if not found.agrees:
        raise typer.Exit(1)


def _require_target(output: str, *, browser: bool, json: bool) -> None:
    """Raise for inconsistent options, before the run."""
    if output == "-" and json:
        raise HyloopError("With -o - the document itself goes to standard output; --json would be a second one.")
    if output != "-" and not output.lower().endswith((".html", ".htm", ".json", ".json.gz")):
        raise HyloopError(f"A trace is written as .html, .json or .json.gz; {output} ends in none of these.")
    if browser and not output.lower().endswith((".html", ".htm")):
        raise HyloopError("--open shows a page: write one with -o NAME.html.")


def _write(found: Trace, output: str) -> None:
    if output == "-":
        sys.stdout.buffer.write(found.to_json() + b"\n")
    else:
        found.save(output)


def _tell(found: Trace, output: str, limit: float, *, json: bool, quiet: bool) -> None:
    document = len(found.to_json())
    facts = found.facts() | {"output": output, "bytes": None if output == "-" else Path(output).stat().st_size}
    facts["document_bytes"] = document
    facts["run_hash"] = found.run_hash if state_bytes(found.document) <= HASHED else None
    if json:
        as_json(facts)
        return
    if facts["stopped"] and not quiet:
        complain("Note", facts["stopped"])
    if document > limit and not quiet:
        complain(
            "Note",
            f"The document has {file_size(document)} of JSON, more than --limit: hypergraph, program and model are "
            "always in it, and so is the whole iteration that reaches the limit.",
        )
    if not found.agrees:
        complain("Differs", f"{found.difference}.")
    if facts["verified"] == "unverified":
        complain("Warning", "The model is unverified: what is recorded is what it did, not what it should have done.")
    if output != "-" and not quiet:
        line(
            f"Wrote {output}: {plural(found.iterations, 'iteration')} of {found.algorithm}, "
            f"{plural(len(found), 'frame')}{' (every layer)' if facts['layers'] else ''}, {file_size(facts['bytes'])}."
            f"{' Open it in a browser.' if output.lower().endswith(('.html', '.htm')) else ''}"
        )
        line(_hash_text(facts["run_hash"], output))


def _hash_text(run_hash: str | None, output: str) -> str:
    if run_hash is not None:
        return f"Run hash: {run_hash}"
    return f"Run hash: hyloop.Trace.load({output!r}).run_hash (the run is long, so it takes a while)"
