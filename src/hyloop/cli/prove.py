"""`hyloop prove`: a proof that a model implements its program, or why there is none; and mutants.

The prover is slow to import, so it is imported when the command runs.
"""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hyloop import io
from hyloop.atomic import path_of
from hyloop.cli.given import model_for, require_algorithm, require_model_name, require_other
from hyloop.cli.help import OUTPUT
from hyloop.cli.options import Building, Json, Quiet, Which, grouped
from hyloop.cli.show import as_json, line, out, progress, prose, table
from hyloop.errors import HyloopError, HyloopWarning
from hyloop.known import whose
from hyloop.machine.model import Model
from hyloop.survey import input_text

if TYPE_CHECKING:
    from hyloop.prove import BadRun, Obligation, Proof
    from hyloop.prove.certificate import Certificate
    from hyloop.prove.report import Failure
    from hyloop.prove.solver import ProofAnswer

MUTANTS = "Mutants"
WIDE = 100  # columns of a terminal that has place for the seconds
PER_MILLE = 1000  # how many obligations there are is known only when they are stated
DEFAULTS = {"zeros": 300, "processes": 2}


@grouped
def prove(
    algorithm: Which,
    *,
    recheck: Annotated[bool, typer.Option("--recheck", help="Ask a second solver, cvc5, too.")] = False,
    building: Building,
    mutate: Annotated[
        bool,
        typer.Option("--mutate", help="Decide every model with one weight changed.", rich_help_panel=MUTANTS),
    ] = False,
    zeros: Annotated[
        int | None,
        typer.Option(
            "--zeros",
            min=0,
            metavar="N",
            help=f"Number of zero weights to set to 1 (default: {DEFAULTS['zeros']}).",
            rich_help_panel=MUTANTS,
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option("--sample", min=1, metavar="N", help="Only N mutants, drawn at random.", rich_help_panel=MUTANTS),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(
            "--processes",
            min=1,
            metavar="N",
            help=f"Number of worker processes (default: {DEFAULTS['processes']}).",
            rich_help_panel=MUTANTS,
        ),
    ] = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1, metavar="N", hidden=True)] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="If proved, write a copy of the model that says so.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    smt: Annotated[
        str | None,
        typer.Option(
            "--smt", metavar="FOLDER", help="Write each obligation as an SMT-LIB file.", rich_help_panel=OUTPUT
        ),
    ] = None,
    certificate: Annotated[
        str | None,
        typer.Option(
            "--certificate",
            metavar="FILE",
            help="If proved, write every obligation with a proof that needs no solver.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    counterexample: Annotated[
        str | None,
        typer.Option(
            "--counterexample",
            metavar="FILE",
            help="Write the hypergraph that refutes it, if any.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Prove with an SMT solver that a model does what its program says, for every hypergraph within its capacity.

    Where that fails, the solver's row and, if one is found, a small hypergraph show why; the exit status is 1.

    Examples:
      hyloop prove dijkstra
      hyloop prove model.safetensors --edited --counterexample bad.hif.json
      hyloop prove dijkstra --mutate --processes 4
    """
    require_algorithm("prove", algorithm)
    processes = processes or workers  # --workers is the old name of --processes
    _require_files(algorithm, target, certificate, counterexample)
    folder = None if smt is None else path_of(smt, folder=True)
    if mutate and (smt, target, certificate, counterexample, recheck) != (None, None, None, None, False):
        raise HyloopError(
            "--mutate decides mutants only: leave out --smt, --recheck, --output, --certificate and --counterexample."
        )
    if not mutate and (zeros, sample, processes) != (None, None, None):
        raise HyloopError("--zeros, --sample and --processes go with --mutate.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HyloopWarning)  # no warning that the model is unverified: it is being verified
        model = model_for(algorithm, building, quiet=quiet)
    proof = _proved(model, quiet=quiet)
    if mutate:
        _decide_mutants(proof, zeros, sample, processes, json=json, quiet=quiet)
        return
    opinions = _second_opinions(proof, quiet=quiet) if recheck else None
    failure = _failure(proof, quiet=quiet)
    _write(proof, failure, folder, target, counterexample)
    certified = _certified(proof, certificate, quiet=quiet)
    if json:
        _print_document(proof, failure, opinions, certified)
    else:
        _show(proof, failure, opinions)
        if failure is not None:
            again = f"{shlex.quote(algorithm)} {shlex.quote(counterexample or '')}"
            edited = " --edited" * building.edited
            _show_failure(proof, failure, counterexample, f"hyloop check {again}{_options(failure.run)}{edited}")
        if target is not None and not (quiet and failure is None):
            done = "Wrote {} with this verdict beside the model." if failure is None else "{} is not written."
            line(done.format(target))
        if certificate is not None:
            _show_certificate(proof, certified, certificate, quiet=quiet)
    if (
        failure is not None
        or (opinions is not None and set(opinions) != {"proved"})
        or (certified and certified.missing)
    ):
        raise typer.Exit(1)


def _proved(model: Model, *, quiet: bool) -> Proof:
    from hyloop.prove import prove as prove_model  # slow to import
    from hyloop.prove.solver import leave_interrupts_to_python

    leave_interrupts_to_python()
    done = 0
    with progress(f"proving {model.name}", None, wanted=not quiet) as tell:

        def watch(_: Obligation) -> None:
            nonlocal done
            done += 1
            tell(done)

        return prove_model(model, watch)


def _second_opinions(proof: Proof, *, quiet: bool) -> list[ProofAnswer]:
    from hyloop.prove.report import asked, second_opinions

    with progress("asking cvc5", len(asked(proof)), wanted=not quiet) as tell:
        return second_opinions(proof, tell)


def _failure(proof: Proof, *, quiet: bool) -> Failure | None:
    from hyloop.prove.counterexample import searched
    from hyloop.prove.report import failure_of

    if proof.answer == "proved":
        return None
    with progress("looking for a hypergraph that shows it", searched(), wanted=not quiet) as tell:
        return failure_of(proof, tell)


def _require_files(algorithm: str, target: str | None, certificate: str | None, counterexample: str | None) -> None:
    """Raise before the proof where something cannot be written, or two things would be in one file."""
    if target is not None:
        require_model_name(target)
    for made in (certificate, counterexample):
        if made is not None:
            require_other(made, algorithm)
    files = [Path(each).resolve() for each in (target, certificate, counterexample) if each not in (None, "-")]
    if len(set(files)) < len(files):
        raise HyloopError("--output, --certificate and --counterexample each need a file of their own.")


def _write(
    proof: Proof, failure: Failure | None, smt: Path | None, target: str | None, counterexample: str | None
) -> None:
    from hyloop.prove.report import save_proved, write_scripts

    if smt is not None:
        write_scripts(proof, smt)
    if failure is not None and failure.run is not None and counterexample is not None:
        io.write(failure.run.hypergraph, counterexample)
    if target is not None and failure is None:
        save_proved(proof, target)


def _certified(proof: Proof, path: str | None, *, quiet: bool) -> Certificate | None:
    """Write the certificate of a proof, if one is wanted and it is proved."""
    if path is None or proof.answer != "proved":
        return None
    from hyloop.prove.certificate import certificate, save_certificate

    with progress(f"certifying {proof.model.name}", PER_MILLE, wanted=not quiet) as tell:
        made = certificate(proof, lambda done, of: tell(PER_MILLE * done // of))
    save_certificate(made, path)
    return made


# -- output ---------------------------------------------------------------------------------------------------------


def _print_document(
    proof: Proof, failure: Failure | None, opinions: Sequence[ProofAnswer] | None, certified: Certificate | None
) -> None:
    from hyloop.prove.report import document

    more = {} if certified is None else {"certificate": certified.summary()}
    as_json(document(proof, failure, opinions) | more)


def _show(proof: Proof, failure: Failure | None, opinions: Sequence[ProofAnswer] | None) -> None:
    _show_parts(proof, "proved" if failure is None else failure.word)
    if opinions is not None:
        agree = sum(each == "proved" for each in opinions)
        style = "green" if agree == len(opinions) else "red"
        line(f"cvc5 agrees on {agree} of {len(opinions)} obligations.", style=style)
    if proof.answer == "proved":
        _show_theorem(proof)


def _show_parts(proof: Proof, word: str) -> None:
    from hyloop.prove.report import parts

    rows = [
        (
            each.where,
            "proved" if each.answer == "proved" else word,
            f"{each.asked} of {len(each.verdicts)}",
            f"{each.seconds:.3f}",
            each.about,
        )
        for each in parts(proof)
    ]
    if proof.answer == "proved":
        bounded = f"0 of {len(proof.work.sizes)}"
        rows.append(("all, exactness", "proved", bounded, "0.000", "sums, scores and averages that intervals bound"))
    columns = ("where", "verdict", "asked", "seconds", "what")
    kept = [each for each in columns if each != "seconds" or out().width >= WIDE]  # the sentences need the place
    shown = [[cell for name, cell in zip(columns, row, strict=True) if name in kept] for row in rows]
    table(proof.model.name, kept, shown, right=("asked", "seconds"), fold=("what",))


def _show_theorem(proof: Proof) -> None:
    from hyloop.prove import ASSUMPTIONS

    if proof.largest is not None:
        line(f"Largest number: {proof.largest.most:,} ({proof.largest.what} of {proof.largest.part}).")
    told = f"{len(proof.verdicts)} obligations, {len(proof.work.sizes)} sums bounded"
    line(f"{proof.model.name}: proved in {proof.seconds:.2f} s: {told}.", style="green")
    prose(proof.theorem)
    prose(f"The program is {whose(proof.work.basis.program)}.")
    prose("Trusted: " + " ".join(ASSUMPTIONS))


def _show_certificate(proof: Proof, made: Certificate | None, path: str, *, quiet: bool) -> None:
    if made is None:
        line(f"{path} is not written.")
        return
    if made.missing:
        line(
            f"Wrote {path}. {len(made.missing)} of {len(made.obligations)} obligations have no certificate:",
            style="red",
        )
        for name in made.missing:
            line(f"  {name}")
    elif not quiet:
        line(f"Wrote {path}: {len(made.obligations)} obligations of {proof.model.name}, each with a certificate.")
        line(f"obligations {made.stated}")
        line(f"Check it: python checker/check_certificate.py {shlex.quote(path)}")
        line(f"Compare:  python checker/state_obligations.py MODEL {shlex.quote(path)}  (MODEL: of hyloop compile)")


def _show_failure(proof: Proof, failure: Failure, written: str | None, command: str) -> None:
    from hyloop.prove.counterexample import searched

    obligation = failure.verdict.obligation
    where = f"layer {obligation.layer}, " if obligation.layer else ""
    line(f"{proof.model.name}: {failure.word}. {where}{obligation.part}: {obligation.says}.", style="red")
    if failure.row is not None:
        line(f"The solver's row: {failure.row}.")
    if failure.run is None:
        line(
            f"None of {searched()} small hypergraphs shows it. The row may be one that no run reaches: the model "
            "is neither proved to be right nor shown to be wrong."
        )
        return
    _show_run(failure.run)
    if written is not None:
        line(f"Wrote {written}. See it: {command}")


def _show_run(run: BadRun) -> None:
    h = run.hypergraph
    edges = ", ".join(
        f"{label}: {{{', '.join(map(str, h.members_of(label)))}}} (weight {weight})"
        for label, weight in zip(h.hyperedges, h.weights, strict=True)
    )
    given = ", ".join(f"{name} = {input_text(value)}" for name, value in run.inputs.items()) or "no inputs"
    vertices = ", ".join(map(str, h.vertices)) or "none"
    line(f"A run shows it: vertices {vertices}; hyperedges {edges or 'none'}; {given}")
    line(f"  {run.difference}")


def _options(run: BadRun | None) -> str:
    given = {} if run is None else run.inputs
    return "".join(f" --input {shlex.quote(f'{name}={input_text(value)}')}" for name, value in given.items())


# -- mutants --------------------------------------------------------------------------------------------------------


def _decide_mutants(
    proof: Proof, zeros: int | None, sample: int | None, processes: int | None, *, json: bool, quiet: bool
) -> None:
    """Decide every mutant of a model, and print the counts."""
    from hyloop.prove.decide import FATES, chosen, decide_all

    zeros = DEFAULTS["zeros"] if zeros is None else zeros
    processes = DEFAULTS["processes"] if processes is None else processes
    total = len(chosen(proof.model, zeros, sample)) if proof.answer == "proved" else 0
    with progress(f"mutants of {proof.model.name}", total, wanted=not quiet) as tell:
        found = decide_all(proof, zeros=zeros, sample=sample, processes=processes, progress=tell)
    if json:
        as_json(found.document())
    else:
        rows = [(change, f"{many:,}", *(f"{count:,}" for count in counts)) for change, many, counts in found.table()]
        title = f"{found.algorithm}: mutants, {found.seconds:.0f} s"
        table(title, ("change", "mutants", *FATES), rows, right=("mutants", *FATES))
    if found.count("undecided"):
        raise typer.Exit(1)
