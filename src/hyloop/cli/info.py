"""`hyloop info`: the structure of a compiled model."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hyloop import facts
from hyloop.cli.given import model_for, require_algorithm
from hyloop.cli.help import OUTPUT
from hyloop.cli.options import Building, Json, Which, grouped
from hyloop.cli.show import as_json, line, out, prose, shorten, table
from hyloop.lookup import MODEL
from hyloop.machine.files import model_hash, read_proof
from hyloop.machine.model import Model
from hyloop.numbers import plural


@grouped
def info(
    algorithm: Which,
    *,
    layers: Annotated[
        bool,
        typer.Option("--layers", help="What each layer does, and for which source lines.", rich_help_panel=OUTPUT),
    ] = False,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet",
            help="When rows sleep: what wakes each column, and where nothing lets it.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    building: Building,
    json: Json = False,
) -> None:
    """Show the structure of a compiled model: layers, heads, columns, units, capacity.

    Examples:
      hyloop info dijkstra --layers
      hyloop info dijkstra --quiet
      hyloop info dijkstra.safetensors --json
    """
    require_algorithm("info", algorithm)
    model = model_for(algorithm, building)
    found = facts.of_model(model)
    said = read_proof(algorithm) if algorithm.endswith(MODEL) else None
    if json:
        more = {} if said is None else {"proof_in_the_file": said | {"of_this_model": _is_of(said, model)}}
        more |= {"quiet": facts.of_sleep(model)} if quiet else {}
        as_json(found | more | ({"layer_list": facts.of_layers(model)} if layers else {}))
        return
    rows = [(key.replace("_", " "), _shown(value)) for key, value in found.items()]
    room = out().width - max(len(name) for name, _ in rows) - 7  # of the second column
    table(
        model.name,
        ("", ""),
        [(name, shorten(str(value), room)) if name == "hash" else (name, value) for name, value in rows],
    )
    if said is not None:
        _show_proof(said, model)
    for number, layer in enumerate(facts.of_layers(model) if layers else (), start=1):
        _show_layer(number, layer, {column.name: column.role for column in model.layout.columns})
    if quiet:
        _show_sleep(facts.of_sleep(model))


def _show_sleep(found: dict[str, Any]) -> None:
    """When rows sleep, and the boxes of numbers within which that was shown."""
    if found["refused"]:
        prose(str(found["refused"]))
        return
    rows, before = [], ""
    for each in found["licences"]:
        woken = "; ".join(each["woken_by"])
        same = "the same" if woken == before else woken
        rows.append((str(each["layer"]), each["column"], same, each["sleeps"], "; ".join(each["moved_by"])))
        before = woken
    header = ("layer", "column", "woken by", "sleeps", "else moved by")
    table("A row sleeps", header, rows, fold=("woken by", "sleeps", "else moved by"))
    table("while", ("number", "is"), list(found["numbers"].items()))


def _is_of(said: dict[str, Any], model: Model) -> bool:
    """Whether the proof recorded in a file is about its model."""
    return said.get("model") == model_hash(model)


def _show_proof(said: dict[str, Any], model: Model) -> None:
    """The verdict recorded in a file: a summary, then what was proved. `--json` has all of it."""
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


TIMES = {
    "plain": "",
    "incidence": ", Ã",
    "transposed": ", Ãᵀ",
    "tails": ", Ã of tails",
    "tails_transposed": ", Ãᵀ of tails",
    "heads": ", Ã of heads",
    "heads_transposed": ", Ãᵀ of heads",
}


def _show_layer(number: int, layer: dict[str, Any], roles: dict[str, str]) -> None:
    """A row for each head, and for each name that hidden units compute a part of."""
    files = list(dict.fromkeys(at["file"] for each in layer["parts"] for at in each["at"]))
    rows = [
        (
            f"head {each['head']}{TIMES[each['kind']]}" if "head" in each else plural(each["units"], "unit"),
            ", ".join(each["for"]),
            ", ".join(str(at["line"]) if len(files) == 1 else f"{at['file']}:{at['line']}" for at in each["at"]),
            _columns(each["writes"], roles),
        )
        for each in layer["parts"]
    ]
    heads, units = plural(len(layer["heads"]), "head"), plural(layer["units"], "unit")
    where = f"; lines of {files[0]}" if len(files) == 1 else ""
    table(
        f"Layer {number}: {heads}, {units}{where}",
        ("part", "for", "line", "writes"),
        rows,
        fold=("for", "line", "writes"),
    )


def _columns(names: list[str], roles: dict[str, str]) -> str:
    """Columns in few words: temporaries are counted, since their names say nothing."""
    lasting = [name for name in names if roles[name] != "temporary"]
    few = len(names) - len(lasting)
    return ", ".join([*lasting, *([plural(few, "temporary", "temporaries")] if few else [])])
