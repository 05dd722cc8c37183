"""`hyloop compile`: a program into the weights of a looped transformer."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from hyloop.cli.given import chosen_program, compiled, require_algorithm, require_model_name
from hyloop.cli.help import OUTPUT
from hyloop.cli.options import Building, Quiet, Which, grouped
from hyloop.cli.show import line
from hyloop.facts import reason_for_few_rows
from hyloop.lookup import MODEL
from hyloop.machine.files import Recipe, read_recipe, write_model
from hyloop.machine.model import Model
from hyloop.numbers import plural


@grouped
def compile_command(
    algorithm: Which,
    target: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The model file to write.", rich_help_panel=OUTPUT)
    ],
    *,
    circuit: Annotated[
        bool,
        typer.Option(
            "--circuit",
            help="Also write the purpose of each weight, as NAME.circuit.json beside it.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    building: Building,
    quiet: Quiet = False,
) -> None:
    """Compile an algorithm into a model file (safetensors): the weights of a looped transformer.

    Examples:
      hyloop compile dijkstra -o dijkstra.safetensors
      hyloop compile my_algorithm.py -o mine.safetensors --rows 1000 --dtype float32
    """
    require_model_name(target)
    require_algorithm("compile", algorithm)
    if algorithm.endswith(MODEL):
        recipe = read_recipe(algorithm, edited=building.edited)
        program, like = recipe.program, _as_the_file_was(recipe, building)
    else:
        program, like = chosen_program(algorithm), building
    model = compiled(program, like, quiet=quiet)
    write_model(model, target)
    own = f", as {algorithm} was" if (like.rows, like.weight) != (building.rows, building.weight) else ""
    written = [f"Wrote {target}: {_in_words(model)}{own}."]
    if like.rows is None and (reason := reason_for_few_rows(model)) is not None:
        written.append(reason)
    if circuit:
        beside = f"{target.removesuffix('.safetensors')}.circuit.json"
        drawn = model.circuit()
        drawn.save(beside)
        written.append(f"Wrote {beside}: {len(drawn.nodes):,} nodes, {len(drawn.edges):,} edges.")
    for each in written if not quiet else ():
        line(each)


def _as_the_file_was(recipe: Recipe, building: Building) -> Building:
    """A model file is compiled for its own capacity and number format, unless options name others."""
    capacity, dtype = recipe.capacity, recipe.dtype
    given = building.rows is not None or building.weight is not None
    if given or capacity is None or building.precision not in {None, dtype}:
        return replace(building, precision=building.precision or dtype)
    return replace(building, rows=capacity.rows, weight=capacity.weight, precision=dtype)


def _in_words(model: Model) -> str:
    heads = max(len(layer.heads) for layer in model.layers)
    return (
        f"{plural(len(model.layers), 'layer')} of at most {plural(heads, 'head')}, {len(model.layout)} columns, "
        f"{model.parameters:,} weights, "
        f"exact for {model.capacity.rows:,} rows and weights up to {model.capacity.weight:,} in {model.dtype}"
    )
