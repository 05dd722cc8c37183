"""`hyloop compile`, `hyloop info`: programs into transformers, and what these look like."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hyloop.build import load
from hyloop.cli import run
from hyloop.cli.capacity import warn_of_small_weights
from hyloop.cli.files import Json, Quiet
from hyloop.cli.help import CAPACITY, OUTPUT, one_of
from hyloop.cli.run import Which, chosen_program
from hyloop.cli.show import as_json, line, prose, table
from hyloop.compiler.compile import Packing, compile_program
from hyloop.compiler.lower import lower
from hyloop.compiler.schedule import least_for_any_schedule, least_layers
from hyloop.errors import HyloopError
from hyloop.execute.prepare import program_of
from hyloop.known import whose
from hyloop.machine.files import model_hash, read_capacity, read_proof, write_model
from hyloop.machine.layer import Layer
from hyloop.machine.model import Capacity, DType, Model
from hyloop.machine.words import Words

Rows = Annotated[
    int | None,
    typer.Option(
        "--rows",
        min=1,
        metavar="N",
        help="Most vertices, and most hyperedges (default: 131071; 100 in float32).",
        rich_help_panel=CAPACITY,
    ),
]
Weight = Annotated[
    int | None,
    typer.Option(
        "--weight", min=1, metavar="N", help="Largest integer weight (default: what fits).", rich_help_panel=CAPACITY
    ),
]
Precision = Annotated[
    DType,
    typer.Option("--dtype", metavar=one_of(DType), help="The machine's number format.", rich_help_panel=CAPACITY),
]
AnyPrecision = Annotated[
    DType | None,
    typer.Option(
        "--dtype",
        metavar=one_of(DType),
        help="The machine's number format (default: float64).",
        rich_help_panel=CAPACITY,
    ),
]
Heads = Annotated[
    int, typer.Option("--heads", min=1, metavar="N", help="Most heads a layer.", rich_help_panel=CAPACITY)
]
Schedule = Annotated[
    Packing,
    typer.Option(
        "--schedule",
        metavar=one_of(Packing),
        help="Few layers, or the paper's way of counting.",
        rich_help_panel=CAPACITY,
    ),
]
Target = Annotated[
    str, typer.Option("--output", "-o", metavar="FILE", help="The model file to write.", rich_help_panel=OUTPUT)
]
Seed = Annotated[int, typer.Option("--seed", min=0, metavar="N", help="The seed of whatever is drawn by chance.")]
Processes = Annotated[
    int | None,
    typer.Option("--processes", min=1, metavar="N", help="How many run at a time (default: all cores, if worth it)."),
]
Edited = run.Edited
WhichOrModel = Which


def compile_command(
    algorithm: Which,
    target: Target,
    circuit: Annotated[
        bool,
        typer.Option(
            "--circuit",
            help="Also write what each weight is for, as NAME.circuit.json beside it.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    rows: Rows = None,
    weight: Weight = None,
    precision: AnyPrecision = None,
    heads: Heads = 3,
    schedule: Schedule = "packed",
    edited: Edited = False,
    quiet: Quiet = False,
) -> None:
    """Compile an algorithm into a model file (safetensors): the weights of a looped transformer.

    A model file is compiled anew in its own number format, and for its own capacity where no option names another.

    Examples:
      hyloop compile dijkstra -o dijkstra.safetensors
      hyloop compile my_algorithm.py -o mine.safetensors --rows 1000 --dtype float32
    """
    require_model_name(target)
    program = chosen_program(algorithm, edited=edited)
    capacity, dtype = _capacity_in(algorithm, precision, edited=edited)
    own = ""
    if capacity is not None and rows is None and weight is None:
        rows, weight, own = capacity.rows, capacity.weight, f", as {algorithm} was"
    model = compile_program(program, rows=rows, weight=weight, dtype=dtype, heads=heads, packing=schedule)
    write_model(model, target)
    written = [f"Wrote {target}: {_in_words(model)}{own}."]
    if circuit:
        beside = f"{target.removesuffix('.safetensors')}.circuit.json"
        drawn = model.circuit()
        drawn.save(beside)
        written.append(f"Wrote {beside}: {len(drawn.nodes):,} nodes, {len(drawn.edges):,} edges.")
    for each in written if not quiet else ():
        line(each)
    warn_of_small_weights(model, weight)


def _capacity_in(which: str, precision: DType | None, *, edited: bool) -> tuple[Capacity | None, DType]:
    """The capacity of a model file, unless it is for another number format than is asked for; and the number format."""
    if not which.endswith(".safetensors"):
        return None, precision or "float64"
    capacity, dtype = read_capacity(which, edited=edited)
    if precision is None or precision == dtype:
        return capacity, dtype
    return None, precision


def require_model_name(target: str) -> None:
    """A model file is called what it is."""
    if not target.endswith(".safetensors"):
        raise HyloopError(f"A model file ends in .safetensors; {target} does not.")


def info(
    algorithm: Which,
    layers: Annotated[
        bool,
        typer.Option(
            "--layers", help="What each layer does, and the source lines it implements.", rich_help_panel=OUTPUT
        ),
    ] = False,
    rows: Rows = None,
    weight: Weight = None,
    precision: Precision = "float64",
    heads: Heads = 3,
    schedule: Schedule = "packed",
    edited: Edited = False,
    json: Json = False,
) -> None:
    """What a compiled model looks like: layers, heads, columns, units, capacity.

    Examples:
      hyloop info dijkstra --layers
      hyloop info dijkstra.safetensors --json
    """
    model = model_for(algorithm, rows, weight, precision, heads, schedule, edited=edited)
    facts = _facts(model)
    said = read_proof(algorithm) if algorithm.endswith(".safetensors") else None
    if json:
        more = {} if said is None else {"proof_in_the_file": said | {"of_this_model": _is_of(said, model)}}
        listed = {"layer_list": [_layer_facts(model, layer) for layer in model.layers]} if layers else {}
        as_json(facts | more | listed)
        return
    table(model.name, ("", ""), [(key.replace("_", " "), _shown(value)) for key, value in facts.items()])
    if said is not None:
        _show_proof(said, model)
    if layers:
        for number, layer in enumerate(model.layers, start=1):
            _show_layer(model, number, layer)


def _is_of(said: dict[str, Any], model: Model) -> bool:
    """Whether what a file says of a proof is about the model in it."""
    return said.get("model") == model_hash(model)


def _show_proof(said: dict[str, Any], model: Model) -> None:
    """The verdict that a file carries: in short, and then what was proved. `--json` has all of it."""
    if not _is_of(said, model):
        line("The file speaks of a proof, but it is one of another model.", style="red")
        return
    facts = [f"{said['obligations']} obligations"] if "obligations" in said else []
    facts += [f"hyloop {said['hyloop']}"] if "hyloop" in said else []
    seen = "" if model.verified == "proved" else " That is a claim; `hyloop prove` proves it."
    prose(f"The file says: {', '.join([str(said.get('answer', 'nothing')), *facts])}.{seen}")
    if said.get("theorem"):
        prose(str(said["theorem"]))


def model_for(
    which: str,
    rows: int | None,
    weight: int | None,
    dtype: DType,
    heads: int,
    packing: Packing,
    *,
    edited: bool = False,
) -> Model:
    """The model in a file, or the compiled form of an algorithm."""
    if which.endswith(".safetensors"):
        if (rows, weight, dtype, heads, packing) != (None, None, "float64", 3, "packed"):
            raise HyloopError(
                f"{which} is a model, with a capacity, precision and schedule of its own: leave out --rows, --weight, "
                f"--dtype, --heads and --schedule, or build another one: hyloop compile {which} -o OTHER.safetensors."
            )
        return load(which, edited=edited)
    program = chosen_program(which)
    model = compile_program(program, rows=rows, weight=weight, dtype=dtype, heads=heads, packing=packing)
    warn_of_small_weights(model, weight)
    return model


def _facts(model: Model) -> dict[str, Any]:
    program = program_of(model)
    graph = lower(program)
    certificate = model.certificate
    return {
        "algorithm": model.name,
        "program": whose(program),
        "verified": model.verified,
        "layers": len(model.layers),
        "heads": [len(layer.heads) for layer in model.layers],
        "columns": len(model.layout),
        "hidden": [layer.mlp.width for layer in model.layers],
        "parameters": model.parameters,
        "nonzeros": model.nonzeros,
        "at_most": f"1 + {program.at_most}" if program.begins else str(program.at_most),
        "least_layers": least_layers(graph),
        "least_for_any_schedule": least_for_any_schedule(graph),
        "capacity": {"rows": model.capacity.rows, "weight": model.capacity.weight, "dtype": model.dtype},
        "largest_value": None if certificate is None else certificate.largest,
        "largest_value_at": None if certificate is None else certificate.largest_at,
        "hash": model_hash(model),
    }


def _shown(value: object) -> object:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_shown(each)}" for key, each in value.items())
    if isinstance(value, list):
        return " ".join(str(each) for each in value)
    return f"{value:,}" if isinstance(value, int) else value


def _in_words(model: Model) -> str:
    heads = max(len(layer.heads) for layer in model.layers)
    return (
        f"{len(model.layers)} layers of at most {heads} heads, {len(model.layout)} columns, "
        f"{model.parameters:,} weights, "
        f"exact for {model.capacity.rows:,} rows and weights up to {model.capacity.weight:,} in {model.dtype}"
    )


def _layer_facts(model: Model, layer: Layer) -> dict[str, Any]:
    names, words = [column.name for column in model.layout.columns], Words(model)
    return {
        "heads": [
            {
                "kind": head.kind,
                "implements": list(words.of_head(head)),
                "writes": [names[n] for n in sorted(head.writes)],
            }
            for head in layer.heads
        ],
        "units": layer.mlp.width,
        "stages": [
            {"implements": list(stage.implements), "carries": stage.carries} for stage in words.of_stages(layer.mlp)
        ],
        "writes": [names[n] for n in sorted(layer.mlp.writes)],
    }


def _show_layer(model: Model, number: int, layer: Layer) -> None:
    facts = _layer_facts(model, layer)
    rows = [
        (f"head, {each['kind']}", "; ".join(each["implements"]), ", ".join(each["writes"])) for each in facts["heads"]
    ]
    for stage, each in enumerate(facts["stages"], start=1):
        carries = [f"{each['carries']} carry"] if each["carries"] else []
        writes = ", ".join(facts["writes"]) if stage == len(facts["stages"]) else ""
        rows.append((f"MLP, stage {stage}", "; ".join([*each["implements"], *carries]), writes))
    table(f"Layer {number}", ("what", "implements", "writes"), rows, fold=("implements", "writes"))
