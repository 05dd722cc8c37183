"""`hyloop algorithms`: the shipped algorithms."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from hyloop import facts
from hyloop.algorithms import ALGORITHMS
from hyloop.cli.options import Json
from hyloop.cli.show import as_json, table


def algorithms(
    sizes: Annotated[bool, typer.Option("--sizes", help="Compile each, and compare with the paper.")] = False,
    json: Json = False,
) -> None:
    """List the shipped algorithms.

    Examples:
      hyloop algorithms
      hyloop algorithms --sizes
    """
    found = _sizes() if sizes else [facts.of_algorithm(each) for each in ALGORITHMS.values()]
    if json:
        as_json(found)
    elif sizes:
        columns = [key.replace("_", " ") for key in found[0]]
        sized = [["–" if value is None else value for value in each.values()] for each in found]
        table("Layers", columns, sized, right=columns[1:])
    else:
        rows = [row for each in found for row in _rows(each)]
        table("Algorithms: hyloop run NAME FILE", ("name", "what it finds"), rows, group=3)


def _sizes() -> list[dict[str, Any]]:
    from hyloop.paper.sizes import sizes as sizes_of  # only this option needs the paper's modules

    return [asdict(sizes_of(each)) for each in ALGORITHMS.values()]


def _rows(each: dict[str, Any]) -> list[tuple[str, str]]:
    """The description; below it inputs, outputs and the most iterations."""
    inputs = ", ".join(f"{name}: {kind}" for name, kind in each["inputs"].items()) or "no inputs"
    return [
        (each["algorithm"], each["about"]),
        ("", f"{inputs} → {', '.join(each['outputs'])}"),
        ("", f"at most {each['at_most']} iterations"),
    ]
