"""`hyloop compile`, `hyloop info`, `hyloop check`: programs into transformers, their looks, whether they agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any

import numpy as np
import typer

from hyloop.batch import in_parallel, portable, unpacked
from hyloop.build import load
from hyloop.check import Checked, random_inputs
from hyloop.check import check as check_one
from hyloop.cli import complete, run
from hyloop.cli.files import Format, IgnoreDirection, Json, Quiet, read_file
from hyloop.cli.help import CAPACITY, OUTPUT, one_of
from hyloop.cli.run import Given, Source, Which, chosen_inputs, chosen_program, given_inputs
from hyloop.cli.show import as_json, line, progress, prose, table
from hyloop.compiler.compile import Packing, compile_program
from hyloop.compiler.lower import lower
from hyloop.compiler.schedule import least_for_any_schedule, least_layers
from hyloop.errors import HyloopError
from hyloop.execute.simulate import BACKENDS
from hyloop.hypergraph import Hypergraph
from hyloop.machine.files import model_hash, read_proof, write_model
from hyloop.machine.layer import Layer
from hyloop.machine.model import DType, Model
from hyloop.result import plain
from hyloop.run import program_of
from hyloop.trust import whose

MANY = 400  # inputs of a check that are worth several processes
Rows = Annotated[
    int | None,
    typer.Option(
        "--rows",
        min=1,
        metavar="N",
        help="Most vertices, and most hyperedges (default: 131071).",
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
    precision: Precision = "float64",
    heads: Heads = 3,
    schedule: Schedule = "packed",
    edited: Edited = False,
    quiet: Quiet = False,
) -> None:
    """Compile an algorithm into a model file (safetensors): the weights of a looped transformer.

    Examples:
      hyloop compile dijkstra -o dijkstra.safetensors
      hyloop compile my_algorithm.py -o mine.safetensors --rows 1000 --dtype float32
    """
    require_model_name(target)
    program = chosen_program(algorithm, edited=edited)
    model = compile_program(program, rows=rows, weight=weight, dtype=precision, heads=heads, packing=schedule)
    write_model(model, target)
    written = [f"Wrote {target}: {_in_words(model)}."]
    if circuit:
        beside = f"{target.removesuffix('.safetensors')}.circuit.json"
        drawn = model.circuit()
        drawn.save(beside)
        written.append(f"Wrote {beside}: {len(drawn.nodes):,} nodes, {len(drawn.edges):,} edges.")
    for each in written if not quiet else ():
        line(each)


def require_model_name(target: str) -> None:
    """A model file is called what it is."""
    if not target.endswith(".safetensors"):
        raise HyloopError(f"A model file ends in .safetensors; {target} does not.")


def info(
    algorithm: Which,
    layers: Annotated[
        bool,
        typer.Option("--layers", help="What each layer does, and the source lines it serves.", rich_help_panel=OUTPUT),
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


def check(
    algorithm: Which,
    files: Annotated[
        list[str] | None, typer.Argument(help="Hypergraph files; - is standard input.", metavar="[FILE]...")
    ] = None,
    random: Annotated[int, typer.Option("--random", min=0, metavar="N", help="Also so many random hypergraphs.")] = 0,
    seed: Seed = 0,
    backend: Annotated[
        str,
        typer.Option(
            "--backend", metavar=one_of(BACKENDS), help="The executor to check.", autocompletion=complete.executors
        ),
    ] = "dense",
    processes: Processes = None,
    source: Source = None,
    given: Given = None,
    file_format: Format = None,
    ignore_direction: IgnoreDirection = False,
    edited: Edited = False,
    rows: Rows = None,
    weight: Weight = None,
    precision: Precision = "float64",
    heads: Heads = 3,
    schedule: Schedule = "packed",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run program and transformer side by side, and compare every value.

    Every state is compared after every iteration, and every other value after the layer that computes it. Inputs that
    are not given are drawn by chance.

    Examples:
      hyloop check dijkstra --random 2000
      hyloop check dijkstra examples/harbour.hif.json --source Quay
    """
    model = model_for(algorithm, rows, weight, precision, heads, schedule, edited=edited)
    wanted = given_inputs(source, given)
    if not files and not random:
        raise HyloopError("Say what to check on: hypergraph files, or --random N.")
    if wanted and random:
        raise HyloopError("Inputs can be given for files only; random hypergraphs have random inputs.")
    inputs = [*_read_all(files or [], file_format, ignore_direction), *_drawn(random, seed, model)]
    outcome = _check_all(model, inputs, seed, wanted, backend, processes, quiet=quiet)
    if json:
        as_json(outcome.document(model))
    else:
        outcome.show(model)
    if outcome.difference is not None:
        raise typer.Exit(1)


@dataclass(frozen=True)
class _Outcome:
    inputs: int
    iterations: int
    compared: int
    difference: str | None
    given: dict[str, Any] | None = None  # the inputs of a single hypergraph

    def document(self, model: Model) -> dict[str, Any]:
        facts = {key: value for key, value in vars(self).items() if key != "given"}
        given = {} if self.given is None else {"given": {name: plain(value) for name, value in self.given.items()}}
        return {
            "algorithm": model.name,
            "verified": model.verified,
            "agrees": self.difference is None,
            **facts,
            **given,
        }

    def show(self, model: Model) -> None:
        if self.difference is not None:
            line(f"{model.name} differs: {self.difference}", style="red")
            return
        given = ", ".join(f"{name} = {plain(value)}" for name, value in (self.given or {}).items())
        line(
            f"{model.name}: 0 differences on {self.inputs:,} hypergraph{'s' * (self.inputs != 1)}"
            f"{f' ({given})' * bool(given)}, {self.iterations:,} iterations, {self.compared:,} values compared.",
            style="green",
        )
        if model.doubtful:
            line("The model is unverified: it agrees on these inputs, and nothing is known of others.", style="red")


def _check_all(
    model: Model,
    inputs: list[tuple[str, Hypergraph]],
    seed: int,
    wanted: Sequence[str],
    backend: str,
    processes: int | None,
    *,
    quiet: bool,
) -> _Outcome:
    program = program_of(model)
    rng = np.random.default_rng(seed)
    named: list[tuple[str, dict[str, Any]]] = []
    tasks: list[tuple[Any, ...]] = []
    packed = portable(model)
    for name, h in inputs:
        given = random_inputs(program, h, rng)
        room = model.capacity.rows - max(len(h.vertices), len(h.hyperedges), 1)
        padding = int(rng.integers(min(room, 2) + 1)) if room >= 0 else 0
        if given is not None:
            given |= chosen_inputs(program, h, wanted)
            named.append((name, given))
            tasks.append((packed, h, padding, backend, given))
    if not tasks:
        raise HyloopError(f"Nothing was compared: {program.name} needs a vertex or hyperedge, and there is none.")
    iterations = compared = 0
    # Few inputs are checked sooner than other processes have started.
    processes = 1 if processes is None and len(tasks) < MANY else processes
    with progress(f"checking {model.name}", len(tasks), wanted=not quiet) as tell:
        for done, found in enumerate(in_parallel(_check_one, tasks, processes), start=1):
            iterations, compared = iterations + found.iterations, compared + found.compared
            if found.difference is not None:
                name, given = named[done - 1]
                return _Outcome(done, iterations, compared, f"{name}, {given or 'no inputs'}: {found.difference}")
            tell(done)
    return _Outcome(len(tasks), iterations, compared, None, named[0][1] if len(inputs) == 1 else None)


def _check_one(packed: bytes, h: Hypergraph, padding: int, backend: str, given: dict[str, Any]) -> Checked:
    model = unpacked(packed)
    assert isinstance(model, Model)  # noqa: S101  (it was packed as one)
    return check_one(model, h, padding=padding, backend=backend, **given)


def _read_all(files: list[str], file_format: str | None, ignore_direction: bool) -> Iterator[tuple[str, Hypergraph]]:
    if files.count("-") > 1:
        raise HyloopError("Standard input can be read once only: give - once.")
    for file in files:
        h = read_file(file, file_format)
        if ignore_direction:
            h = h.ignoring_direction()
        h.require_undirected()
        yield file, h


def _drawn(count: int, seed: int, model: Model) -> Iterator[tuple[str, Hypergraph]]:
    from hyloop.paper.sweep import hypergraphs  # noqa: PLC0415  (whoever draws none need not wait for the paper)

    fitting = (h for h in hypergraphs(seed, vertices=8, hyperedges=8) if _fits(model, h))
    for number, h in enumerate(islice(fitting, count)):
        yield f"random hypergraph {number} ({list(map(h.members_of, h.hyperedges))})", h


def _fits(model: Model, h: Hypergraph) -> bool:
    rows = max(len(h.vertices), len(h.hyperedges))
    return rows <= model.capacity.rows and max(h.integer_weights()[0], default=1) <= model.capacity.weight


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
        return load(which, edited=edited)
    return compile_program(chosen_program(which), rows=rows, weight=weight, dtype=dtype, heads=heads, packing=packing)


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
        "smallest_margin": None if certificate is None else min(certificate.margins),
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
    names = [column.name for column in model.layout.columns]
    return {
        "heads": [
            {"kind": head.kind, "serves": list(head.serves), "writes": [names[n] for n in sorted(head.writes)]}
            for head in layer.heads
        ],
        "units": list(layer.mlp.units),
        "writes": [names[n] for n in sorted(layer.mlp.writes)],
    }


def _show_layer(model: Model, number: int, layer: Layer) -> None:
    facts = _layer_facts(model, layer)
    rows = [(f"head, {each['kind']}", "; ".join(each["serves"]), ", ".join(each["writes"])) for each in facts["heads"]]
    units = "; ".join(dict.fromkeys(facts["units"]))
    rows.append((f"{layer.mlp.width} units", units, ", ".join(facts["writes"])))
    table(f"Layer {number}", ("what", "serves", "writes"), rows, fold=("serves", "writes"))
