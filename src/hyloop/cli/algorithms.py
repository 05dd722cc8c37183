"""`hyloop algorithms`: the shipped algorithms."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from hyloop import facts
from hyloop.algorithms import ALGORITHMS, meant, shipped
from hyloop.algorithms.in_short import IN_SHORT
from hyloop.cli import complete
from hyloop.cli.options import Json
from hyloop.cli.show import as_json, line, progress, prose, table
from hyloop.errors import HyloopError
from hyloop.lang.tracing import Algorithm

# Short headers of the table of sizes, so that it fits into 80 columns.
HEADERS = {"claimed": "paper", "corrected": "corr.", "one_a_layer": "one a layer"}


def algorithms(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...", help="Only these: what they take and give.", autocompletion=complete.algorithms
        ),
    ] = None,
    sizes: Annotated[bool, typer.Option("--sizes", help="Compile each, and compare with the paper.")] = False,
    json: Json = False,
) -> None:
    """List the shipped algorithms.

    Examples:
      hyloop algorithms
      hyloop algorithms dijkstra scc
      hyloop algorithms --sizes
    """
    found = [_named(each) for each in names] if names else list(ALGORITHMS.values())
    if sizes:
        _show_sizes(found, json=json)
    elif json:
        as_json([facts.of_algorithm(each) for each in found])
    elif names:
        for each in found:
            _show(each)
    else:
        rows = [(each.name, IN_SHORT[each.name]) for each in found]
        table("Algorithms: hyloop run NAME FILE", ("name", "what it finds"), rows)
        prose("What one finds, takes and gives: hyloop algorithms NAME. Definitions and tie rules: docs/algorithms.md.")


def _named(name: str) -> Algorithm:
    found = shipped(name)
    if found is None:
        raise HyloopError(f"There is no algorithm {name!r}.{meant(name) or ' hyloop algorithms lists them.'}")
    return found


def _show_sizes(found: list[Algorithm], *, json: bool) -> None:
    from hyloop.paper.sizes import sizes  # only this option needs the paper's modules

    sized: list[dict[str, Any]] = []
    with progress("compiling", len(found)) as tell:
        for each in found:
            sized.append(asdict(sizes(each)))
            tell(len(sized))
    if json:
        as_json(sized)
        return
    columns = [HEADERS.get(key, key) for key in sized[0]]
    rows = [["–" if value is None else value for value in each.values()] for each in sized]
    table(
        "Layers: as the paper claims, of its corrected form, and compiled", columns, rows, right=columns[1:], tight=True
    )


def _show(algorithm: Algorithm) -> None:
    """What the algorithm finds, takes and gives, and how long it takes."""
    each = facts.of_algorithm(algorithm)
    line(each["algorithm"], style="bold")
    prose(" ".join(algorithm.about.split()))
    if each["meaning"]:
        prose(each["meaning"])
    inputs = ", ".join(f"{name}: {kind}" for name, kind in each["inputs"].items()) or "none"
    table("", ("inputs", "outputs", "iterations"), [(inputs, ", ".join(each["outputs"]), f"at most {each['at_most']}")])
