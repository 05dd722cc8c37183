"""`hyloop data info`: what a data set has."""

from __future__ import annotations

from typing import Annotated

import typer

from hyloop import data
from hyloop.cli.options import Json, Quiet
from hyloop.cli.show import as_json, file_size, line, table
from hyloop.numbers import plural


def info(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="The folder of a data set.")],
    *,
    verify: Annotated[bool, typer.Option("--verify", help="Compute every hash anew, from the content.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show what a data set has: examples, steps, sizes and hashes; and whether they are those that were published.

    Examples:
      hyloop data info mine
      hyloop data info mine --verify --json
    """
    found = data.info(folder, verify=verify)
    bad = bool(found["wrong"]) or found["published"] is False
    if json:
        as_json(found)
    else:
        if not quiet:
            _tables(found)
        style = "red" if bad else "green" if found["verified"] else ""
        line(f"hash {found['hash']}: {_verdict(found)}", style=style)
        for path in found["wrong"]:
            line(f"{path}: its content is not what its hash says.", style="red")
    if bad:
        raise typer.Exit(1)


def _tables(found: dict[str, object]) -> None:
    parts = found["parts"]
    assert isinstance(parts, list)
    columns = ("algorithm", "part", "examples", "longest", "changes", "files", "size")
    rows = [
        (
            each["algorithm"],
            each["part"],
            f"{each['examples']:,}",
            plural(each["longest"], "step"),
            f"{each['changes']:,}",
            each["shards"],
            file_size(each["bytes"]),
        )
        for each in parts
    ]
    table(str(found["name"]), columns, rows, right=columns[2:])
    hashes = found["algorithms"]
    assert isinstance(hashes, dict)
    table("", ("algorithm", "hash"), list(hashes.items()))


def _verdict(found: dict[str, object]) -> str:
    told = {True: "the published one", False: "NOT the published one", None: "none was published for it"}
    published = told[found["published"]]  # type: ignore[index]
    if found["wrong"]:
        return "not that of the content"
    if found["verified"]:
        return f"{published}; computed anew from the content"
    return f"{published}, as dataset.json says it; --verify computes it from the content"
