"""What `hyloop prove` does: proves, tells, writes; and decides every model with one weight changed."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import typer

from hyloop import io
from hyloop._version import __version__
from hyloop.atomic import write_whole
from hyloop.cli.show import as_json, line, progress, prose, table
from hyloop.errors import HyloopError
from hyloop.known import whose
from hyloop.machine.files import model_hash, write_model
from hyloop.machine.model import Model
from hyloop.prove import ASSUMPTIONS, BadRow, BadRun, Proof, bad_row, bad_run
from hyloop.prove import prove as prove_model
from hyloop.prove.basis import program_in
from hyloop.prove.counterexample import searched
from hyloop.prove.mutants import CHANGES, Case, Mutant, Reference, mutants, reference
from hyloop.prove.mutate import FATES, Decision, decide
from hyloop.prove.solver import Obligation, library, second_opinion
from hyloop.prove.work import Work
from hyloop.samples import hypergraphs, random_inputs

CASES = 30  # runs that every mutant is tried on before the solver is asked
CHUNK = 50


@dataclass(frozen=True)
class Wanted:
    """What was asked for beside the proof."""

    algorithm: str
    smt: Path | None
    target: str | None
    counterexample: str | None
    recheck: bool
    edited: bool
    json: bool
    quiet: bool


def prove_and_tell(model: Model, wanted: Wanted) -> None:
    """Prove a model, and tell and write what was asked for."""
    proof = _proved(model, quiet=wanted.quiet)
    opinions = _second_opinions(proof, quiet=wanted.quiet) if wanted.recheck else None
    failure = _Failure.of(proof, quiet=wanted.quiet) if proof.answer != "proved" else None
    if wanted.smt is not None:
        _write_scripts(proof, wanted.smt)
    if failure is not None and failure.run is not None and wanted.counterexample is not None:
        io.write(failure.run.hypergraph, wanted.counterexample)
    if wanted.target is not None and failure is None:
        write_model(model, wanted.target, _said(proof))
    if wanted.json:
        as_json(_document(proof, failure, opinions))
    else:
        _show(proof, failure, opinions)
        if failure is not None:
            failure.show(wanted)
        if wanted.target is not None and not (wanted.quiet and failure is None):
            done = "Wrote {} with this verdict beside the model." if failure is None else "{} is not written."
            line(done.format(wanted.target))
    if failure is not None or (opinions is not None and set(opinions) != {"proved"}):
        raise typer.Exit(1)


def leave_interrupts_to_python() -> None:
    """z3 would take Ctrl-C for itself while it thinks: the answer would be lost, and the interrupt too."""
    library().set_param("ctrl_c", False)


def _proved(model: Model, *, quiet: bool) -> Proof:
    leave_interrupts_to_python()
    done = 0
    with progress(f"proving {model.name}", None, wanted=not quiet) as tell:

        def watch(_: Obligation) -> None:
            nonlocal done
            done += 1
            tell(done)

        return prove_model(model, watch)


def _second_opinions(proof: Proof, *, quiet: bool) -> list[str]:
    """What cvc5 says of every obligation that z3 was asked about."""
    asked = [verdict.obligation for verdict in proof.verdicts if not verdict.obligation.is_trivial]
    found: list[str] = []
    with progress("asking cvc5", len(asked), wanted=not quiet) as tell:
        for done, obligation in enumerate(asked, start=1):
            found.append(second_opinion(obligation.script))
            tell(done)
    return found


# -- what comes out -------------------------------------------------------------------------------------------------


def _parts(proof: Proof) -> Iterator[tuple[str, str, list[Any]]]:
    """The verdicts by layer and part, in order."""
    groups: dict[tuple[int | None, str], list[Any]] = {}
    for verdict in proof.verdicts:
        groups.setdefault((verdict.obligation.layer, verdict.obligation.part), []).append(verdict)
    last = len(proof.model.layers) + 1
    for (layer, part), verdicts in sorted(groups.items(), key=lambda each: last if each[0][0] is None else each[0][0]):
        yield "input" if layer == 0 else "all" if layer is None else f"layer {layer}", part, verdicts


def _in_words(proof: Proof, where: str, part: str) -> str:
    for head in proof.heads:
        if where == f"layer {head.layer}" and part == f"head {head.head}":
            ties = "rows that tie bring the same" if head.ties else "no other row"
            margin = f"margin {head.margin:,}" if head.margin else ""
            times = {"plain": "", "incidence": ", then times Ã", "transposed": ", then times Ãᵀ"}[head.kind]
            return f"looks at {head.looks_at}{times}; {ties}; {margin}"
    return {
        "encoder": "every encoded input is a state that the program can start from",
        "invariants": "ranges, flags 0 or 1, pointers to rows that exist, Ω or below, 0 outside an array's rows",
        "units": "columns hold the program's values after the layer",
        "iteration": "one pass through the layers is one iteration of the program, halting included",
        "exactness": "sums that intervals alone do not bound",
    }.get(part, "")


def _show(proof: Proof, failure: _Failure | None, opinions: Sequence[str] | None) -> None:
    rows = []
    for where, part, verdicts in _parts(proof):
        answers = [verdict.outcome.answer for verdict in verdicts]
        asked = sum(not verdict.obligation.is_trivial for verdict in verdicts)
        seconds = sum(verdict.outcome.seconds for verdict in verdicts)
        refuted = failure is not None and failure.run is not None
        worst = "proved" if set(answers) == {"proved"} else "refuted" if refuted else "not proved"
        what = _in_words(proof, where, part)
        rows.append((f"{where}, {part}", worst, f"{asked} of {len(verdicts)}", f"{seconds:.3f}", what))
    if proof.answer == "proved":
        bounded = f"0 of {len(proof.work.sizes)}"
        rows.append(("all, exactness", "proved", bounded, "0.000", "sums, scores and averages that intervals bound"))
    columns = ("where", "verdict", "asked", "seconds", "what")
    table(proof.model.name, columns, rows, right=columns[2:4], fold=("what",))
    if opinions is not None:
        agree = sum(each == "proved" for each in opinions)
        line(
            f"cvc5 agrees on {agree} of {len(opinions)} obligations.",
            style="green" if agree == len(opinions) else "red",
        )
    if proof.answer != "proved":
        return
    if proof.largest is not None:
        line(f"Largest number: {proof.largest.most:,} ({proof.largest.what} of {proof.largest.part}).")
    told = f"{len(proof.verdicts)} obligations, {len(proof.work.sizes)} sums bounded"
    line(f"{proof.model.name}: proved in {proof.seconds:.2f} s: {told}.", style="green")
    prose(proof.theorem)
    prose(f"The program is {whose(proof.work.basis.program)}.")
    prose("Trusted: " + " ".join(ASSUMPTIONS))


def _document(proof: Proof, failure: _Failure | None, opinions: Sequence[str] | None) -> dict[str, Any]:
    return {
        "algorithm": proof.model.name,
        "program": whose(proof.work.basis.program),
        "answer": "proved" if failure is None else "refuted" if failure.run is not None else "undecided",
        "seconds": round(proof.seconds, 3),
        "hash": proof.hash,
        "model": model_hash(proof.model),
        "capacity": {"rows": proof.model.capacity.rows, "weight": proof.model.capacity.weight},
        "dtype": proof.model.dtype,
        "largest": None if proof.largest is None else vars(proof.largest),
        "heads": [vars(head) for head in proof.heads],
        "obligations": [
            {
                "layer": verdict.obligation.layer,
                "part": verdict.obligation.part,
                "says": verdict.obligation.says,
                "answer": _shown(verdict.outcome.answer, failure),
                "asked": not verdict.obligation.is_trivial,
                "seconds": round(verdict.outcome.seconds, 4),
            }
            for verdict in proof.verdicts
        ],
        "second_opinion": opinions,
        "theorem": proof.theorem if proof.answer == "proved" else None,
        "assumptions": list(ASSUMPTIONS),
        "counterexample": None if failure is None else failure.document(),
    }


def _shown(answer: str, failure: _Failure | None) -> str:
    """An answer, refuted only if a run shows it: a row alone may be one that no run reaches."""
    return "undecided" if answer == "refuted" and (failure is None or failure.run is None) else answer


def _said(proof: Proof) -> dict[str, Any]:
    return {
        "answer": proof.answer,
        "hash": proof.hash,
        "model": model_hash(proof.model),
        "obligations": len(proof.verdicts),
        "hyloop": __version__,
        "theorem": proof.theorem if proof.answer == "proved" else "",
    }


def _write_scripts(proof: Proof, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number, verdict in enumerate(proof.verdicts, start=1):
            if not verdict.obligation.is_trivial:
                name = re.sub(r"[^a-z0-9]+", "-", verdict.obligation.says.lower()).strip("-")[:60]
                script = verdict.obligation.script.encode()
                write_whole(folder / f"{number:03d}-{name}.smt2", script, durable=False)
    except OSError as wrong:
        raise HyloopError(f"{folder}: this cannot be written ({wrong.strerror}).") from None


class _Failure:
    """Why a proof failed: the obligation, the smallest row that breaks it, and a run that shows it."""

    def __init__(self, proof: Proof, row: BadRow | None, run: BadRun | None) -> None:
        self.proof, self.row, self.run = proof, row, run

    @staticmethod
    def of(proof: Proof, *, quiet: bool) -> _Failure:
        assert proof.failure is not None  # noqa: S101
        row = bad_row(proof.failure.obligation, proof.failure.outcome)
        with progress("looking for a hypergraph that shows it", searched(), wanted=not quiet) as tell:
            return _Failure(proof, row, bad_run(proof.model, progress=tell))

    def document(self) -> dict[str, Any]:
        failure = self.proof.failure
        assert failure is not None  # noqa: S101
        found: dict[str, Any] = {
            "obligation": failure.obligation.says,
            "layer": failure.obligation.layer,
            "row": None if self.row is None else vars(self.row),
            "run": None,
        }
        if self.run is not None:
            h = self.run.hypergraph
            found["run"] = {
                "vertices": list(h.vertices),
                "hyperedges": {str(label): list(h.members_of(label)) for label in h.hyperedges},
                "weights": [str(weight) for weight in h.weights],
                "inputs": {name: str(value) for name, value in self.run.inputs.items()},
                "difference": str(self.run.difference),
            }
        return found

    def show(self, wanted: Wanted) -> None:
        failure = self.proof.failure
        assert failure is not None  # noqa: S101
        where = f"layer {failure.obligation.layer}, " if failure.obligation.layer else ""
        word = "refuted" if self.run is not None else "not proved"
        line(
            f"{self.proof.model.name}: {word}. {where}{failure.obligation.part}: {failure.obligation.says}.",
            style="red",
        )
        if self.row is not None:
            line(f"The solver's row: {self.row}.")
        if self.run is None:
            line(
                f"None of {searched()} small hypergraphs shows it. The row may be one that no run reaches: the model "
                "is neither proved to be right nor shown to be wrong."
            )
            return
        h, inputs = self.run.hypergraph, self.run.inputs
        edges = ", ".join(
            f"{label}: {{{', '.join(map(str, h.members_of(label)))}}} (weight {weight})"
            for label, weight in zip(h.hyperedges, h.weights, strict=True)
        )
        given = ", ".join(f"{name} = {value}" for name, value in inputs.items()) or "no inputs"
        vertices = ", ".join(map(str, h.vertices)) or "none"
        line(f"A run shows it: vertices {vertices}; hyperedges {edges or 'none'}; {given}")
        line(f"  {self.run.difference}")
        if wanted.counterexample is not None:
            options = "".join(f" --input {name}={value}" for name, value in inputs.items())
            command = f"hyloop check {wanted.algorithm} {wanted.counterexample}{options}{' --edited' * wanted.edited}"
            line(f"Wrote {wanted.counterexample}. See it: {command}")


# -- mutants --------------------------------------------------------------------------------------------------------


def decide_mutants(model: Model, zeros: int, sample: int | None, processes: int, *, json: bool, quiet: bool) -> None:
    """Decide every mutant of a model, and tell how many met which fate."""
    proof = _proved(model, quiet=quiet)
    if proof.answer != "proved":
        raise HyloopError(f"{proof.model.name} is not proved itself; prove it first.")
    began = time.perf_counter()
    every = mutants(proof.model, zeros)
    if sample is not None and sample < len(every):
        chosen = np.random.default_rng(0).choice(len(every), sample, replace=False)
        every = [every[number] for number in sorted(chosen)]
    decisions: list[Decision] = []
    chunks = [every[start : start + CHUNK] for start in range(0, len(every), CHUNK)]
    with (
        progress(f"mutants of {proof.model.name}", len(every), wanted=not quiet) as tell,
        ProcessPoolExecutor(processes, initializer=_prepare, initargs=(proof.model,)) as pool,
    ):
        try:
            for part in pool.map(_decide, chunks):
                decisions += part
                tell(len(decisions))
        except BaseException:  # Ctrl-C, say: what has not begun need not
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    _show_mutants(proof.model, decisions, time.perf_counter() - began, json=json)
    if any(each.fate == "undecided" for each in decisions):
        raise typer.Exit(1)


_WORK: list[tuple[Work, Reference]] = []


def _prepare(model: Model) -> None:
    """Each process proves the model once, and runs it on a few inputs. Ctrl-C is for the first process alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    leave_interrupts_to_python()
    _WORK.append((prove_model(model).work, reference(model, _cases(model))))


def _cases(model: Model) -> list[Case]:
    program, rng, found = program_in(model), np.random.default_rng(0), list[Case]()
    for h in hypergraphs(0, vertices=6, hyperedges=6):
        inputs = random_inputs(program, h, rng)
        fits = max(len(h.vertices), len(h.hyperedges)) <= model.capacity.rows
        if inputs is not None and fits and max(h.integer_weights()[0], default=1) <= model.capacity.weight:
            found.append((h, inputs))
        if len(found) == CASES:
            return found
    return found


def _decide(chunk: list[Mutant]) -> list[Decision]:
    work, runs = _WORK[0]
    return [_without_terms(decide(work, runs, mutant)) for mutant in chunk]


def _without_terms(decision: Decision) -> Decision:
    """What can travel between processes."""
    why = "" if decision.verdict is None else decision.verdict.obligation.says
    return Decision(decision.mutant, decision.fate, None, why)


def _show_mutants(model: Model, decisions: Sequence[Decision], seconds: float, *, json: bool) -> None:
    if json:
        as_json(
            {
                "algorithm": model.name,
                "seconds": round(seconds, 2),
                "mutants": [
                    {"mutant": str(each.mutant), "change": each.mutant.change, "fate": each.fate, "why": each.why}
                    for each in decisions
                ],
            }
        )
        return
    rows = []
    for change in (*CHANGES, None):
        chosen = [each for each in decisions if change is None or each.mutant.change == change]
        counts = [sum(each.fate == fate for each in chosen) for fate in FATES]
        rows.append((change or "all", f"{len(chosen):,}", *(f"{count:,}" for count in counts)))
    table(f"{model.name}: mutants, {seconds:.0f} s", ("change", "mutants", *FATES), rows, right=("mutants", *FATES))
