"""`hyloop info`: what a compiled model looks like."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hyloop import facts
from hyloop.cli.given import MODEL, model_for, require_algorithm
from hyloop.cli.help import OUTPUT
from hyloop.cli.options import Building, Json, Which, grouped
from hyloop.cli.show import as_json, line, prose, table
from hyloop.machine.files import model_hash, read_proof
from hyloop.machine.model import Model


@grouped
def info(
    algorithm: Which,
    *,
    layers: Annotated[
        bool,
        typer.Option("--layers", help="What each layer does, and for which source lines.", rich_help_panel=OUTPUT),
    ] = False,
    building: Building,
    json: Json = False,
) -> None:
    """What a compiled model looks like: layers, heads, columns, units, capacity.

    Examples:
      hyloop info dijkstra --layers
      hyloop info dijkstra.safetensors --json
    """
    require_algorithm("info", algorithm)
    model = model_for(algorithm, building)
    found = facts.of_model(model)
    said = read_proof(algorithm) if algorithm.endswith(MODEL) else None
    if json:
        more = {} if said is None else {"proof_in_the_file": said | {"of_this_model": _is_of(said, model)}}
        as_json(found | more | ({"layer_list": facts.of_layers(model)} if layers else {}))
        return
    table(model.name, ("", ""), [(key.replace("_", " "), _shown(value)) for key, value in found.items()])
    if said is not None:
        _show_proof(said, model)
    for number, layer in enumerate(facts.of_layers(model) if layers else (), start=1):
        _show_layer(number, layer)


def _is_of(said: dict[str, Any], model: Model) -> bool:
    """Whether the proof that a file names is about the model in it."""
    return said.get("model") == model_hash(model)


def _show_proof(said: dict[str, Any], model: Model) -> None:
    """The verdict that a file carries: in short, and then what was proved. `--json` has all of it."""
    if not _is_of(said, model):
        line("The file speaks of a proof, but it is one of another model.", style="red")
        return
    known = [f"{said['obligations']} obligations"] if "obligations" in said else []
    known += [f"hyloop {said['hyloop']}"] if "hyloop" in said else []
    seen = "" if model.verified == "proved" else " That is a claim; `hyloop prove` proves it."
    prose(f"The file says: {', '.join([str(said.get('answer', 'nothing')), *known])}.{seen}")
    if said.get("theorem"):
        prose(str(said["theorem"]))


def _shown(value: object) -> object:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_shown(each)}" for key, each in value.items())
    if isinstance(value, list):
        return " ".join(str(each) for each in value)
    return f"{value:,}" if isinstance(value, int) else value


def _show_layer(number: int, layer: dict[str, Any]) -> None:
    rows = [
        (f"head, {each['kind']}", "; ".join(each["implements"]), ", ".join(each["writes"])) for each in layer["heads"]
    ]
    for stage, each in enumerate(layer["stages"], start=1):
        carries = [f"{each['carries']} carry"] if each["carries"] else []
        writes = ", ".join(layer["writes"]) if stage == len(layer["stages"]) else ""
        rows.append((f"MLP, stage {stage}", "; ".join([*each["implements"], *carries]), writes))
    table(f"Layer {number}", ("what", "implements", "writes"), rows, fold=("implements", "writes"))
