"""`hyloop paper ...`: the paper's lemmas, algorithms and limits, run when the command runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from hyloop.cli.compile import Precision, Seed, Weight
from hyloop.cli.files import File, Format, IgnoreDirection, Json, Quiet, read_file
from hyloop.cli.help import CAPACITY, Command, Group, one_of
from hyloop.cli.run import Source, such_as
from hyloop.cli.show import as_json, cell, line, progress, prose, table
from hyloop.errors import HyloopError
from hyloop.hypergraph import Hypergraph
from hyloop.machine.model import DType, Model
from hyloop.machine.positions import Circle, Parabola
from hyloop.paper import capacity as limits
from hyloop.paper import sweep as sweeps
from hyloop.paper.algorithms import ALGORITHMS, Algorithm, Name
from hyloop.paper.judge import LAST, Verdict, judge
from hyloop.paper.lemma import Lemma
from hyloop.paper.lemmas import LEMMAS
from hyloop.paper.run import Task, expected_iterations, model_of, result
from hyloop.paper.run import run as run_tasks
from hyloop.paper.steps import CodeName, setting
from hyloop.result import Result

app = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="""The paper's lemmas, algorithms and limits, as printed and corrected.

    Examples:
      hyloop paper lemmas
      hyloop paper run dijkstra examples/harbour.hif.json --source Quay
    """,
)

PositionsOption = Annotated[
    CodeName,
    typer.Option("--positions", metavar=one_of(CodeName), help="How rows are numbered: exact, or the paper's way."),
]


@app.command(cls=Command)
def lemmas(
    trials: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Random inputs of each size for each layer (default: 300)."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="The seed of whatever is drawn by chance (default: 0).")
    ] = None,
    prove: Annotated[
        bool, typer.Option("--prove", help="No trials: let an SMT solver prove or refute each (needs z3).")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Each lemma: does it hold as printed, what is the smallest counterexample found, what does the correction need?

    Printed layers run on the paper's circle (with a tie tolerance), corrected ones on the parabola, exactly, and again
    with every pair of columns that may be one and the same. With --prove, the layers' weights are handed to z3 instead:
    a proof holds for every number of rows, every Ω ≥ 1 and every entry of the range shown, on both position codes.

    Examples:
      hyloop paper lemmas
      hyloop paper lemmas --prove
    """
    if prove:
        if (trials, seed) != (None, None):
            raise HyloopError("A proof runs no trials: leave out --trials and --seed, or --prove.")
        _prove_lemmas(json, quiet)
        return
    judged = [_judge(lemma, 300 if trials is None else trials, seed or 0) for lemma in LEMMAS]
    if json:
        as_json([each.document() for each in judged])
    else:
        columns = ("lemma", "as printed", "it holds if", "smallest counterexample found", "corrected", "heads", "units")
        table("The lemmas of the paper", columns, [each.row() for each in judged], right=("heads", "units"))
    if not all(each.corrected_holds for each in judged):
        raise typer.Exit(1)


def _prove_lemmas(json: bool, quiet: bool) -> None:
    from hyloop.cli.proving import leave_interrupts_to_python
    from hyloop.paper import prove as proofs

    leave_interrupts_to_python()
    with progress("proving", len(LEMMAS), wanted=not quiet) as tell:
        found = proofs.prove_all(LEMMAS, tell)
    if json:
        as_json([each.document() for each in found])
    else:
        rows = [each.row() for each in found]
        table("The lemmas of the paper, proved or refuted", proofs.COLUMNS, rows, right=("heads", "units"))
        seconds = sum(each.printed.seconds + each.corrected.seconds for each in found)
        line(f"z3 took {seconds:.1f} s. Counterexamples were run and do break the promise.")
    if not all(each.as_wanted for each in found):
        raise typer.Exit(1)


@app.command(cls=Command)
def algorithms(
    sweep: Annotated[
        int, typer.Option(min=0, metavar="N", help="Run each on so many random hypergraphs, against oracles.")
    ] = 0,
    seed: Seed = 0,
    positions: PositionsOption = "parabola",
    precision: Precision = "float64",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Each algorithm: layers, heads and iterations, the paper's claim beside ours.

    Examples:
      hyloop paper algorithms
      hyloop paper algorithms --sweep 2000
    """
    rows = [_summary(name, sweep, seed, positions, precision, quiet) for name in ALGORITHMS]
    if json:
        as_json([each.document() for each in rows])
    else:
        _show_summaries(rows, sweep)
    if any(each.swept and each.swept.mismatches for each in rows):
        raise typer.Exit(1)


@app.command(cls=Command)
def run(
    algorithm: Annotated[Name, typer.Argument(metavar="ALGORITHM", help=f"One of {', '.join(ALGORITHMS)}.")],
    file: File,
    source: Source = None,
    file_format: Format = None,
    ignore_direction: IgnoreDirection = False,
    positions: PositionsOption = "parabola",
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Most iterations (default: what the formula says).")
    ] = None,
    precision: Precision = "float64",
    rows: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Most vertices, and most hyperedges (default: 131071; 100 in float32, 1000 on the circle).",
            rich_help_panel=CAPACITY,
        ),
    ] = None,
    weight: Weight = None,
    verify: Annotated[bool, typer.Option("--verify", help="Compare with an independent answer.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run a corrected algorithm of the paper on a hypergraph file, in the transformer.

    Examples:
      hyloop paper run dijkstra examples/harbour.hif.json --source Quay
      hyloop paper run helly examples/harbour.hif.json --verify
    """
    h = _undirected(read_file(file, file_format), ignore_direction)
    chosen = ALGORITHMS[algorithm]
    task = Task(h, _inputs(chosen, h, source))
    given = setting(rows, weight, code=positions, dtype=precision)
    total = limit or expected_iterations(chosen, h)
    with progress(f"{algorithm} on {len(h.vertices)} vertices", total, wanted=not quiet) as tell:
        [ended] = run_tasks(algorithm, [task], given, limit=limit, progress=tell)
    found = result(algorithm, task, ended)
    differs = bool(sweeps.compare(algorithm, [task], [ended])) if verify else None
    if json:
        as_json(found.to_json() | ({"verified": not differs} if verify else {}))
    else:
        _show_result(found, model_of(algorithm, given), differs)
    if differs:
        raise typer.Exit(1)


@app.command(cls=Command)
def capacity(
    precision: Annotated[
        limits.Precision,
        typer.Option("--dtype", metavar=one_of(limits.Precision), help="The machine's number format."),
    ] = "float32",
    quarter: Annotated[
        bool, typer.Option("--quarter", help="Also the quarter circle, where the printed increment works.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Search how many rows each position code holds: up to which n every pointer finds its own row.

    Examples:
      hyloop paper capacity
      hyloop paper capacity --dtype bfloat16 --quarter
    """
    codes = limits.CODES if quarter else limits.CODES[:2]
    found = []
    for code in codes:
        with progress(f"{code}, {precision}: n reached", None, wanted=not quiet) as tell:
            found.append(limits.largest(code, precision, tell))
    if json:
        as_json([vars(each) for each in found])
    else:
        shown = [(each.code, f"{'at least ' if each.at_least else ''}{each.rows:,}", _how(each)) for each in found]
        table(f"Largest n in {precision}", ("position code", "rows", "how"), shown, right=("rows",))


@dataclass(frozen=True)
class _Judged:
    lemma: Lemma
    printed: Verdict
    corrected: tuple[Verdict, ...]

    @property
    def corrected_holds(self) -> bool:
        return all(verdict.holds for verdict in self.corrected)

    @property
    def units(self) -> int:
        return self.corrected[0].layer.mlp.width

    def row(self) -> tuple[object, ...]:
        printed = "holds" if self.printed.holds else f"fails, {self.printed.failures} of {self.printed.trials}"
        trials = sum(verdict.trials for verdict in self.corrected)
        corrected = f"holds, {trials} trials" if self.corrected_holds else "FAILS"
        heads = len(self.corrected[0].layer.heads)
        return self.lemma.name, printed, self.lemma.holds_if, self.printed.smallest, corrected, heads, self.units

    def document(self) -> dict[str, Any]:
        return {
            "lemma": self.lemma.name,
            "label": self.lemma.label,
            "says": self.lemma.says,
            "printed": {
                "holds": self.printed.holds,
                "holds_if": self.lemma.holds_if,
                "trials": self.printed.trials,
                "failures": self.printed.failures,
                "counterexample": None if self.printed.smallest is None else str(self.printed.smallest),
            },
            "corrected": {
                "holds": self.corrected_holds,
                "trials": sum(verdict.trials for verdict in self.corrected),
                "correction": self.lemma.mend,
                "heads": len(self.corrected[0].layer.heads),
                "units": self.units,
            },
        }


def _judge(lemma: Lemma, trials: int, seed: int) -> _Judged:
    printed = judge(lemma, "printed", Circle(LAST), trials=trials, seed=seed)
    plainly = judge(lemma, "corrected", Parabola(), trials=trials, seed=seed)
    on_circle = judge(lemma, "corrected", Circle(LAST), trials=trials, seed=seed)
    aliased = [judge(lemma, "corrected", Parabola(), trials=trials, seed=seed, names=names) for names in lemma.aliases]
    return _Judged(lemma, printed, (plainly, on_circle, *aliased))


# A hypergraph to measure iterations on, of a size that tells n_v from n_e.
SAMPLE = Hypergraph.from_hyperedges([[1, 2], [2, 3], [3, 4, 5], [1, 5]])


@dataclass(frozen=True)
class _Summary:
    algorithm: Algorithm
    model: Model
    measured: int
    swept: sweeps.Swept | None
    printed: sweeps.AsPrinted | None

    @property
    def operations(self) -> int:
        return sum(len(layer.notes) for layer in self.model.layers)

    def document(self) -> dict[str, Any]:
        heads = [len(layer.heads) for layer in self.model.layers]
        swept = self.swept and {
            "inputs": self.swept.inputs,
            "mismatches": len(self.swept.mismatches),
            "most_iterations": self.swept.most_iterations,
        }
        return {
            "algorithm": self.algorithm.name,
            "title": self.algorithm.title,
            "claimed_layers": self.algorithm.claim.layers,
            "claimed_iterations": self.algorithm.claim.iterations,
            "layers": len(self.model.layers),
            "lemmas": self.operations,
            "heads": heads,
            "columns": len(self.model.layout),
            "hidden": [layer.mlp.width for layer in self.model.layers],
            "iterations": self.algorithm.formula,
            "measured_iterations": {"vertices": 5, "hyperedges": 4, "iterations": self.measured},
            "sweep": swept,
            "as_printed": self.printed and self.printed.document(),
        }


def _summary(name: Name, count: int, seed: int, positions: CodeName, precision: DType, quiet: bool) -> _Summary:
    given = setting(code=positions, dtype=precision)
    model = model_of(name, given)
    [ended] = run_tasks(name, [Task(SAMPLE, dict.fromkeys(ALGORITHMS[name].inputs, 0))], given)
    if not count:
        return _Summary(ALGORITHMS[name], model, ended.iterations, None, None)
    with progress(name, count, wanted=not quiet) as tell:
        swept = sweeps.sweep(name, count, given, seed=seed, progress=tell)
    return _Summary(ALGORITHMS[name], model, ended.iterations, swept, sweeps.sweep_printed(name, count, seed=seed))


def _show_summaries(rows: list[_Summary], count: int) -> None:
    sizes = ("algorithm", "paper: layers", "layers", "lemmas", "heads a layer", "columns", "hidden")
    table("The algorithms of the paper, corrected: layers", sizes, [_sizes(each) for each in rows], right=sizes[1:])
    prose(
        "layers: lemmas that do not depend on each other share one. lemmas: one a layer, the paper's way of counting."
    )
    times = ["algorithm", "paper", "here", "measured", *(["most seen", "mismatches"] if count else [])]
    table("Iterations", times, [_iterations(each) for each in rows], right=times[3:])
    prose("measured: on 5 vertices and 4 hyperedges. For n_e = 0 read 1, for C(n_v, 3) = 0 too.")
    for each in rows:
        if each.printed:
            line(f"{each.algorithm.name} as printed, in plain Python: {each.printed}.")
        for mismatch in each.swept.mismatches[:3] if each.swept else ():
            line(f"{each.algorithm.name} differs on {_shown(mismatch)}", style="red")


def _sizes(each: _Summary) -> tuple[object, ...]:
    layers = each.model.layers
    return (
        each.algorithm.name,
        each.algorithm.claim.layers or "–",
        len(layers),
        each.operations,
        max(len(layer.heads) for layer in layers),
        len(each.model.layout),
        max(layer.mlp.width for layer in layers),
    )


def _iterations(each: _Summary) -> tuple[object, ...]:
    row = (each.algorithm.name, each.algorithm.claim.iterations, each.algorithm.formula, each.measured)
    if each.swept is None:
        return row
    return (*row, each.swept.most_iterations, f"{len(each.swept.mismatches)} of {each.swept.inputs}")


def _shown(mismatch: sweeps.Mismatch) -> str:
    h = mismatch.task.hypergraph
    edges = [(list(h.members_of(name)), str(weight)) for name, weight in zip(h.hyperedges, h.weights, strict=True)]
    return (
        f"{len(h.vertices)} vertices, {edges}, {mismatch.task.inputs}: {mismatch.ended}, expected {mismatch.expected}"
    )


def _undirected(h: Hypergraph, ignore: bool) -> Hypergraph:
    if ignore:
        return h.ignoring_direction()
    h.require_undirected()
    return h


def _inputs(chosen: Algorithm, h: Hypergraph, source: str | None) -> dict[str, int]:
    if "source" not in chosen.inputs:
        if source is not None:
            raise HyloopError(f"{chosen.name} starts from no vertex; leave out --source.")
        return {}
    if source is None:
        raise HyloopError(f"{chosen.name} needs a vertex to start from: --source LABEL{such_as(h.vertices)}")
    return {"source": h.vertex_number(h.find_vertex(source))}


def _show_result(found: Result, model: Model, differs: bool | None) -> None:
    columns = ["vertex", *found.vertices]
    if found.vertices:
        rows = zip(found.hypergraph.vertices, *found.vertices.values(), strict=True)
        table(found.algorithm, columns, [[cell(value) for value in row] for row in rows], right=columns[1:2])
    for name, value in found.scalars.items():
        line(f"{name}: {cell(value)}")
    layers, iterations = len(model.layers), found.iterations
    line(f"{iterations} iterations of {layers} layers, halted by the transformer itself ({model.dtype}).")
    if differs is not None:
        verdict = "DIFFERS from" if differs else "equal to"
        line(f"Checked: {verdict} the independent answer.", style="red" if differs else "green")


def _how(found: limits.Largest) -> str:
    if found.at_least:
        return "broken off there"
    return "neighbouring rows, sampled n" if found.sampled else "every n, every pair of rows"
