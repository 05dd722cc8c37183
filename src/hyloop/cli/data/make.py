"""`hyloop data make`: a data set of runs, in Parquet files."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

import typer

from hyloop import data
from hyloop.cli.given import chosen_program
from hyloop.cli.help import OUTPUT, one_of
from hyloop.cli.options import Json, Quiet
from hyloop.cli.show import as_json, complain, line, progress
from hyloop.data.making import total_cost
from hyloop.data.plan import LIMIT, Plan
from hyloop.errors import HyloopError
from hyloop.hypergraph import exact, shown
from hyloop.numbers import plural
from hyloop.strict import DIGITS

STANDARD = "standard"
OWN = "Your own data set"


def make(
    algorithms: Annotated[
        list[str],
        typer.Argument(
            metavar="ALGORITHM...",
            help="Algorithms, ours or your own (FILE.py or FILE.py:NAME); or standard, for the standard data set.",
        ),
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FOLDER", help="The folder to make it in.", rich_help_panel=OUTPUT)
    ],
    *,
    share: Annotated[
        str | None, typer.Option("--share", metavar="SHARE", help="Of the standard data set, only this share of it.")
    ] = None,
    real: Annotated[
        list[str] | None, typer.Option("--real", metavar="FILE", help="Also a real hypergraph; once for each.")
    ] = None,
    size: Annotated[
        list[int] | None,
        typer.Option("--size", metavar="N", help="How many vertices; once for each size.", rich_help_panel=OWN),
    ] = None,
    generator: Annotated[
        list[str] | None,
        typer.Option(
            "--generator",
            metavar=one_of(data.GENERATORS),
            help="How hyperedges are drawn; once for each generator (default: all).",
            rich_help_panel=OWN,
        ),
    ] = None,
    seed: Annotated[
        list[int] | None,
        typer.Option(
            "--seed", min=0, metavar="N", help="The seed of the random numbers; once for each.", rich_help_panel=OWN
        ),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(
            "--count",
            min=1,
            metavar="N",
            help="Examples of each algorithm, size and seed, divided among the generators (default: 1000).",
            rich_help_panel=OWN,
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option("--split", metavar="NAME", help="The name of the split (default: train).", rich_help_panel=OWN),
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(
            "--steps",
            min=1,
            metavar="N",
            help=f"Leave out an example that takes more iterations (default: {LIMIT:,}).",
            rich_help_panel=OWN,
        ),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option("--processes", min=1, metavar="N", help="Number of worker processes (default: all cores)."),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a data set: hypergraphs, inputs, outputs, and every state and named local after every iteration.

    The same command gives the same content, and so the same hash, on every machine and with any number of processes.
    A run that was interrupted or killed goes on where it was: give the same command again.

    Examples:
      hyloop data make standard -o standard
      hyloop data make standard --share 0.01 -o small
      hyloop data make dijkstra --size 16 --size 80 --count 1000 -o paths
      hyloop data make levels components --real examples/davis.hif.json -o davis
    """
    own = {"--size": size, "--generator": generator, "--seed": seed, "--count": count, "--split": split}
    plan = _plan(algorithms, share, real or [], own | {"--steps": steps})
    with progress("making examples", total_cost(plan), wanted=not quiet) as tell:
        found = data.make(plan, output, processes=processes, progress=tell)
    _show(found, output, json=json, quiet=quiet)


def _plan(algorithms: list[str], share: str | None, real: list[str], own: dict[str, Any]) -> Plan:
    if STANDARD in algorithms:
        extra = next((name for name, value in own.items() if value not in (None, [])), None)
        if len(algorithms) > 1 or extra is not None:
            told = "no other algorithm" if extra is None else f"no {extra}"
            raise HyloopError(f"The standard data set is always the same: it takes {told}, only --share and --real.")
        return data.standard(_share(share), real)
    if share is not None:
        raise HyloopError("--share is for the standard data set; --count says how many examples yours has.")
    return data.custom(
        [chosen_program(name) for name in algorithms],
        sizes=own["--size"] or [],
        generators=own["--generator"] or list(data.GENERATORS),
        seeds=own["--seed"] or [0],
        count=own["--count"] or 1000,
        split="train" if own["--split"] is None else own["--split"],
        real=real,
        limit=own["--steps"] or LIMIT,
    )


def _share(text: str | None) -> Fraction:
    given = "1" if text is None else text
    try:
        # A fraction of few digits; a decimal such as 1e-999999999 is refused before it is written out.
        return Fraction(given) if "/" in given and len(given) <= DIGITS else exact(Decimal(given))
    except (ValueError, ArithmeticError, HyloopError):
        raise HyloopError(f"--share is a number such as 0.01 or 1/100; not {shown(given)}.") from None


def _show(found: dict[str, Any], output: str, *, json: bool, quiet: bool) -> None:
    examples = sum(each["examples"] for each in found["shards"])
    left_out = sum(len(each["left_out"]) for each in found["shards"])
    if json:
        as_json({"folder": output, "hash": found["hash"], "examples": examples, "left_out": left_out})
        return
    line(f"Wrote {output}: {plural(examples, 'example')} in {plural(len(found['shards']), 'file')}.")
    line(f"hash {found['hash']}")
    if left_out and not quiet:
        complain("Note", f"{plural(left_out, 'example')} left out: too many iterations, or nothing to choose from.")
