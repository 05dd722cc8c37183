"""`hyloop compile`, `hyloop info`, `hyloop check`: programs into transformers, their looks, whether they agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any

import numpy as np
import typer

from hyloop import io
from hyloop.batch import in_parallel, portable, unpacked
from hyloop.build import load
from hyloop.check import Checked, random_inputs
from hyloop.check import check as check_one
from hyloop.cli.files import Json
from hyloop.cli.run import Given, Quiet, Source, Which, chosen_inputs, chosen_program
from hyloop.cli.show import as_json, line, progress, table
from hyloop.compiler.compile import Packing, compile_program
from hyloop.compiler.lower import lower
from hyloop.compiler.schedule import least_for_any_schedule, least_layers
from hyloop.errors import HyloopError
from hyloop.execute.simulate import BACKENDS
from hyloop.hypergraph import Hypergraph
from hyloop.lang.program import Program
from hyloop.machine.files import model_hash, read_proof, write_model
from hyloop.machine.layer import Layer
from hyloop.machine.model import DType, Model
from hyloop.paper.sweep import hypergraphs
from hyloop.run import program_of

MANY = 400  # inputs of a check that are worth several processes
Rows = Annotated[int | None, typer.Option(min=1, help="Capacity: most vertices or hyperedges (default 131071).")]
Weight = Annotated[int | None, typer.Option(min=1, help="Capacity: largest integer weight (default: what fits).")]
Precision = Annotated[DType, typer.Option("--dtype", help="The machine's number format.")]
Heads = Annotated[int, typer.Option(min=1, help="Most heads a layer.")]
Schedule = Annotated[Packing, typer.Option("--schedule", help="Few layers, or the paper's way of counting.")]
Edited = Annotated[bool, typer.Option("--edited", help="Take a model file that was edited: its hash need not fit.")]
WhichOrModel = Annotated[
    str, typer.Argument(help="An algorithm of ours, FILE.py[:name], or a model file.", metavar="ALGORITHM")
]


def compile_command(
    algorithm: Which,
    target: Annotated[str, typer.Option("--output", "-o", help="The model file to write.")],
    circuit: Annotated[
        bool, typer.Option("--circuit", help="Also write what each weight is for, as NAME.circuit.json beside it.")
    ] = False,
    rows: Rows = None,
    weight: Weight = None,
    precision: Precision = "float64",
    heads: Heads = 3,
    schedule: Schedule = "packed",
) -> None:
    """Compile an algorithm into a model file (safetensors): the weights of a looped transformer.

    Example: hyloop compile dijkstra -o dijkstra.safetensors
    """
    if not target.endswith(".safetensors"):
        raise HyloopError(f"A model file ends in .safetensors; {target} does not.")
    program = chosen_program(algorithm)
    model = compile_program(program, rows=rows, weight=weight, dtype=precision, heads=heads, packing=schedule)
    write_model(model, target)
    line(f"Wrote {target}: {_in_words(model)}.")
    if circuit:
        beside = f"{target.removesuffix('.safetensors')}.circuit.json"
        drawn = model.circuit()
        drawn.save(beside)
        line(f"Wrote {beside}: {len(drawn.nodes):,} nodes, {len(drawn.edges):,} edges.")


def info(
    algorithm: WhichOrModel,
    layers: Annotated[
        bool, typer.Option("--layers", help="What each layer does, and the source lines it serves.")
    ] = False,
    rows: Rows = None,
    weight: Weight = None,
    precision: Precision = "float64",
    heads: Heads = 3,
    schedule: Schedule = "packed",
    json: Json = False,
) -> None:
    """What a compiled model looks like: layers, heads, columns, units, capacity.

    Example: hyloop info dijkstra --layers
    """
    model = model_for(algorithm, rows, weight, precision, heads, schedule)
    facts = _facts(model)
    if algorithm.endswith(".safetensors") and (said := read_proof(algorithm)) is not None:
        facts["proof_in_the_file"] = said
    if json:
        as_json(facts | ({"layer_list": [_layer_facts(model, layer) for layer in model.layers]} if layers else {}))
        return
    table(model.name, ("", ""), [(key.replace("_", " "), _shown(value)) for key, value in facts.items()])
    if layers:
        for number, layer in enumerate(model.layers, start=1):
            _show_layer(model, number, layer)


def check(
    algorithm: WhichOrModel,
    files: Annotated[list[str] | None, typer.Argument(help="Hypergraph files.", metavar="[FILE]...")] = None,
    random: Annotated[int, typer.Option(min=0, help="Also so many random hypergraphs.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Of the random hypergraphs and sources.")] = 0,
    source: Source = None,
    given: Given = None,
    backend: Annotated[str, typer.Option(help=f"The executor to check: {', '.join(BACKENDS)}.")] = "dense",
    processes: Annotated[
        int | None, typer.Option(min=1, help="How many run at a time (default: all cores, for many inputs).")
    ] = None,
    rows: Rows = None,
    weight: Weight = None,
    precision: Precision = "float64",
    heads: Heads = 3,
    schedule: Schedule = "packed",
    edited: Edited = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run interpreter and transformer side by side and compare every state after every iteration, and every value
    after the layer that computes it.

    Example: hyloop check dijkstra --random 2000
    """
    model = model_for(algorithm, rows, weight, precision, heads, schedule, edited=edited)
    program = program_of(model)
    inputs = list(_hypergraphs(files or [], random, seed, model))
    if not inputs:
        raise HyloopError("Say what to check on: hypergraph files, or --random N.")
    wanted = [*([f"source={source}"] if source is not None else []), *(given or [])]
    if wanted and random:
        raise HyloopError("Inputs can be given for files only; random hypergraphs have random inputs.")
    outcome = _check_all(model, program, inputs, seed, wanted, backend, processes, quiet=quiet)
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

    def document(self, model: Model) -> dict[str, Any]:
        return {"algorithm": model.name, "agrees": self.difference is None, **vars(self)}

    def show(self, model: Model) -> None:
        if self.difference is None:
            line(
                f"{model.name}: 0 differences on {self.inputs:,} hypergraph{'s' * (self.inputs != 1)}, "
                f"{self.iterations:,} iterations, "
                f"{self.compared:,} values compared.",
                style="green",
            )
        else:
            line(f"{model.name} differs: {self.difference}", style="red")


def _check_all(
    model: Model,
    program: Program,
    inputs: list[tuple[str, Hypergraph]],
    seed: int,
    wanted: Sequence[str],
    backend: str,
    processes: int | None,
    *,
    quiet: bool,
) -> _Outcome:
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
    return _Outcome(len(tasks), iterations, compared, None)


def _check_one(packed: bytes, h: Hypergraph, padding: int, backend: str, given: dict[str, Any]) -> Checked:
    model = unpacked(packed)
    assert isinstance(model, Model)  # noqa: S101  (it was packed as one)
    return check_one(model, h, padding=padding, backend=backend, **given)


def _hypergraphs(files: list[str], count: int, seed: int, model: Model) -> Iterator[tuple[str, Hypergraph]]:
    for file in files:
        yield file, io.read(file).ignoring_direction()
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
    table(f"Layer {number}", ("what", "serves", "writes"), rows)
