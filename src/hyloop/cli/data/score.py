"""`hyloop data score`: predictions against the problems of a data set."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hyloop import data
from hyloop.cli.options import Json, Quiet
from hyloop.cli.show import as_json, line, table
from hyloop.numbers import plural


def score(
    predictions: Annotated[
        str, typer.Argument(metavar="PREDICTIONS", help="A Parquet file of predictions, or a folder of them.")
    ],
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="The folder of the data set.")],
    *,
    hint: Annotated[
        list[str] | None,
        typer.Option(
            "--hint", metavar="NAME", help="Compare the steps of this variable; once for each (default: all)."
        ),
    ] = None,
    each: Annotated[bool, typer.Option("--each", help="In the JSON, also a verdict for every example.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Compute the hashes of what is scored from its content, too.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Score predictions against the problem, not against one answer: every right answer is accepted.

    A node is right if all that is predicted for it is; a graph, if all of its nodes are. An example without a
    prediction is wrong. Where hints are predicted, the first wrong step is shown. The reference, scored by the same
    verifiers, is the compiled transformer that made the data set: 100 % at every size.

    Examples:
      hyloop data score predictions.parquet mine
      hyloop data score predictions.parquet mine --verify
      hyloop data score predictions.parquet mine --json
    """
    found = data.score(predictions, folder, hints=hint or (), each=each, verify=verify)
    if json:
        as_json(found)
    else:
        _table(found, quiet=quiet)
    if not all(_whole(part["reference"]["graphs"]) for part in found["parts"]):
        raise typer.Exit(1)


def _table(found: dict[str, Any], *, quiet: bool) -> None:
    parts = found["parts"]
    columns = ["algorithm", "part", "examples", "nodes", "graphs", "reference"]
    hinted = any("hints" in part for part in parts)
    columns += ["first wrong step"] if hinted else []
    table("", columns, [_row(part, hinted=hinted) for part in parts], right=columns[2:])
    wrong = [part for part in parts if not _whole(part["reference"]["graphs"])]
    if wrong:
        told = ", ".join(f"{part['part']} of {part['algorithm']}" for part in wrong)
        line(f"The answers of the data set itself are wrong in {told}; see hyloop data info --verify.", style="red")
    else:
        checked = "its hashes were computed anew" if found["verified"] else "as dataset.json says it (--verify checks)"
        line(f"Reference: {found['reference']}, {checked}; 100 % of the graphs at every size scored here.")
    if not quiet:
        _remarks(found)


def _remarks(found: dict[str, Any]) -> None:
    told = found["predictions"]
    if told["without_hash"]:
        some = (
            "The predictions carry"
            if told["without_hash"] == told["all"]
            else f"{told['without_hash']:,} predictions carry"
        )
        line(
            f"{some} no hash of a data set: whether they are for this one is not known. "
            "write_predictions(..., data_set=FOLDER) stores it."
        )
    for part in found["parts"]:
        if part["missing"]:
            line(
                f"{plural(part['missing'], 'example')} of {part['part']} of {part['algorithm']}: no prediction, wrong."
            )
        if part["against"] != "the problem":
            line(f"{part['algorithm']} has no verifier: its answers are compared with {part['against']}.")


def _row(part: dict[str, Any], *, hinted: bool) -> list[object]:
    first = _first(part["hints"]) if "hints" in part else ""
    shares = [part["nodes"], part["graphs"], part["reference"]["graphs"]]
    row = [part["algorithm"], part["part"], f"{part['examples']:,}", *map(percent, shares)]
    return [*row, first] if hinted else row


def _first(hints: dict[str, Any]) -> str:
    found = hints["first_wrong_step"]
    return f"none in {hints['right']:,}" if found is None else f"{found['least']:,} (median {found['median']:,})"


def _whole(share: dict[str, int]) -> bool:
    return share["right"] == share["all"]


def percent(share: dict[str, int]) -> str:
    """A share, rounded down: 100 % is all of them."""
    return f"{1000 * share['right'] // max(share['all'], 1) / 10:g} %" if not _whole(share) else "100 %"
