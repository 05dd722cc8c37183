"""`hyloop paper capacity`: how many rows each position code holds."""

from __future__ import annotations

from typing import Annotated

import typer

from hyloop.cli.help import one_of
from hyloop.cli.options import Json, Quiet
from hyloop.cli.show import as_json, progress, table
from hyloop.paper.capacity import CODES, Largest, Precision, largest


def capacity(
    precision: Annotated[
        Precision,
        typer.Option("--dtype", metavar=one_of(Precision), help="The machine's number format."),
    ] = "float32",
    quarter: Annotated[
        bool, typer.Option("--quarter", help="Also the quarter circle, where the printed increment works.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Search the capacity of each position code: the largest n up to which every pointer finds its own row.

    Examples:
      hyloop paper capacity
      hyloop paper capacity --dtype bfloat16 --quarter
    """
    found = []
    for code in CODES if quarter else CODES[:2]:
        with progress(f"{code}, {precision}: n reached", None, wanted=not quiet) as tell:
            found.append(largest(code, precision, tell))
    if json:
        as_json([vars(each) for each in found])
    else:
        shown = [(each.code, f"{'at least ' if each.at_least else ''}{each.rows:,}", _how(each)) for each in found]
        table(f"Largest n in {precision}", ("position code", "rows", "how"), shown, right=("rows",))


def _how(found: Largest) -> str:
    if found.at_least:
        return "search stopped there"
    return "neighbouring rows, sampled n" if found.sampled else "every n, every pair of rows"
