"""Reports of a proof: its parts in words, why it failed, a document, SMT-LIB files, a verdict beside the model.

>>> import hyloop
>>> from hyloop.prove import prove
>>> from hyloop.prove.report import document
>>> document(prove(hyloop.compile("levels", hyloop.Capacity(9, 9))))["answer"]
'proved'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hyloop._version import __version__
from hyloop.atomic import write_whole
from hyloop.errors import HyloopError
from hyloop.known import whose
from hyloop.machine.files import model_hash, write_model
from hyloop.machine.layer import HeadKind
from hyloop.prove.counterexample import BadRow, BadRun, bad_row, bad_run
from hyloop.prove.proof import ASSUMPTIONS, HeadReport, Proof
from hyloop.prove.solver import Obligation, ProofAnswer, second_opinion
from hyloop.prove.work import Verdict

Progress = Callable[[int], None]
TIMES: Mapping[HeadKind, str] = {
    "plain": "",
    "incidence": ", then times Ã",
    "transposed": ", then times Ãᵀ",
    "tails": ", then times Ã of tails",
    "tails_transposed": ", then times Ãᵀ of tails",
    "heads": ", then times Ã of heads",
    "heads_transposed": ", then times Ãᵀ of heads",
}
ABOUT = {
    "encoder": "every encoded input is a state that the program can start from",
    "invariants": "ranges, flags 0 or 1, pointers to rows that exist, Ω or below, 0 outside an array's rows",
    "units": "columns hold the program's values after the layer",
    "iteration": "one pass through the layers is one iteration of the program, halting included",
    "exactness": "sums that intervals alone do not bound",
}


@dataclass(frozen=True)
class Part:
    """The obligations about one part of a layer (1, 2, ...), of the input (0) or of the whole (None)."""

    layer: int | None
    name: str
    verdicts: tuple[Verdict, ...]
    about: str

    @property
    def where(self) -> str:
        """The place, in words."""
        layer = "input" if self.layer == 0 else "all" if self.layer is None else f"layer {self.layer}"
        return f"{layer}, {self.name}"

    @property
    def answer(self) -> ProofAnswer:
        """Proved, if all are; else the first other answer."""
        answers = (verdict.outcome.answer for verdict in self.verdicts)
        return next((answer for answer in answers if answer != "proved"), "proved")

    @property
    def asked(self) -> int:
        """How many were put to the solver; the others are trivial."""
        return sum(not verdict.obligation.is_trivial for verdict in self.verdicts)

    @property
    def seconds(self) -> float:
        """The solver's time."""
        return sum(verdict.outcome.seconds for verdict in self.verdicts)


def parts(proof: Proof) -> list[Part]:
    """The verdicts by layer and part, in the order of the layers."""
    groups: dict[tuple[int | None, str], list[Verdict]] = {}
    for verdict in proof.verdicts:
        groups.setdefault((verdict.obligation.layer, verdict.obligation.part), []).append(verdict)
    last = len(proof.model.layers) + 1
    ordered = sorted(groups.items(), key=lambda each: last if each[0][0] is None else each[0][0])
    heads = {(head.layer, f"head {head.head}"): _of_head(head) for head in proof.heads}
    return [
        Part(layer, name, tuple(found), heads.get((layer or 0, name), ABOUT.get(name, "")))
        for (layer, name), found in ordered
    ]


def _of_head(head: HeadReport) -> str:
    ties = "rows that tie have the same value" if head.ties else "no other row"
    if head.averages:
        ties = "their mean is an integer"
    margin = f"margin {head.margin:,}" if head.margin else ""
    return f"looks at {head.looks_at}{TIMES[head.kind]}; {ties}; {margin}"


def second_opinions(proof: Proof, progress: Progress | None = None) -> list[ProofAnswer]:
    """The answer of cvc5 to every obligation that z3 was asked."""
    found: list[ProofAnswer] = []
    for obligation in asked(proof):
        found.append(second_opinion(obligation.script))
        if progress is not None:
            progress(len(found))
    return found


def asked(proof: Proof) -> list[Obligation]:
    """The obligations that were put to the solver."""
    return [verdict.obligation for verdict in proof.verdicts if not verdict.obligation.is_trivial]


# -- failures -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Failure:
    """Why a proof failed: the obligation, the smallest row that breaks it, and a run that shows it."""

    verdict: Verdict
    row: BadRow | None
    run: BadRun | None

    @property
    def word(self) -> str:
        """Refuted, if a run shows it; a row alone may be one that no run reaches."""
        return "refuted" if self.run is not None else "not proved"

    def document(self) -> dict[str, Any]:
        """As JSON."""
        obligation = self.verdict.obligation
        return {
            "obligation": obligation.says,
            "layer": obligation.layer,
            "row": None if self.row is None else vars(self.row),
            "run": None if self.run is None else _run_document(self.run),
        }


def failure_of(proof: Proof, progress: Progress | None = None) -> Failure | None:
    """Why a proof failed, with a counterexample if the search finds one; None if it did not fail."""
    if proof.failure is None:
        return None
    row = bad_row(proof.failure.obligation, proof.failure.outcome)
    return Failure(proof.failure, row, bad_run(proof.model, progress=progress))


def _given(value: object) -> str | dict[str, str]:
    """An input as text; an array by label."""
    return {str(label): str(each) for label, each in value.items()} if isinstance(value, dict) else str(value)


def _run_document(run: BadRun) -> dict[str, Any]:
    """The run of a counterexample. Its labels are small integers, so that no two look alike as text."""
    h = run.hypergraph
    tails = {str(label): list(h.tails_of(label)) for label in h.hyperedges}
    heads = {str(label): list(h.heads_of(label)) for label in h.hyperedges}
    return {
        "vertices": list(h.vertices),
        "hyperedges": {str(label): list(h.members_of(label)) for label in h.hyperedges},
        **({"tails": tails, "heads": heads} if h.directed else {}),
        "weights": [str(weight) for weight in h.weights],
        "inputs": {name: _given(value) for name, value in run.inputs.items()},
        "difference": str(run.difference),
    }


# -- documents and files --------------------------------------------------------------------------------------------


def document(
    proof: Proof, failure: Failure | None = None, opinions: Sequence[ProofAnswer] | None = None
) -> dict[str, Any]:
    """A proof as JSON: what `hyloop prove --json` prints."""
    return {
        "algorithm": proof.model.name,
        "program": whose(proof.work.basis.program),
        "answer": "proved" if proof.answer == "proved" else _shown("refuted", failure),
        "seconds": round(proof.seconds, 3),
        "hash": proof.hash,
        "model": model_hash(proof.model),
        "capacity": {"rows": proof.model.capacity.rows, "weight": proof.model.capacity.weight},
        "dtype": proof.model.dtype,
        "largest": None if proof.largest is None else vars(proof.largest),
        "heads": [vars(head) for head in proof.heads],
        "obligations": [_obligation_document(verdict, failure) for verdict in proof.verdicts],
        "second_opinion": opinions,
        "theorem": proof.theorem if proof.answer == "proved" else None,
        "assumptions": list(ASSUMPTIONS),
        "counterexample": None if failure is None else failure.document(),
    }


def _shown(answer: ProofAnswer, failure: Failure | None) -> ProofAnswer:
    """An answer, refuted only if a run shows it: a row alone may be one that no run reaches."""
    return "undecided" if answer == "refuted" and (failure is None or failure.run is None) else answer


def _obligation_document(verdict: Verdict, failure: Failure | None) -> dict[str, Any]:
    return {
        "layer": verdict.obligation.layer,
        "part": verdict.obligation.part,
        "says": verdict.obligation.says,
        "answer": _shown(verdict.outcome.answer, failure),
        "asked": not verdict.obligation.is_trivial,
        "seconds": round(verdict.outcome.seconds, 4),
    }


def write_scripts(proof: Proof, folder: Path) -> None:
    """Write each obligation that was put to the solver as an SMT-LIB file."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number, verdict in enumerate(proof.verdicts, start=1):
            if not verdict.obligation.is_trivial:
                name = re.sub(r"[^a-z0-9]+", "-", verdict.obligation.says.lower()).strip("-")[:60]
                script = verdict.obligation.script.encode()
                write_whole(folder / f"{number:03d}-{name}.smt2", script, durable=False)
    except OSError as wrong:
        raise HyloopError(f"{folder}: this cannot be written ({wrong.strerror}).") from None


def save_proved(proof: Proof, path: str | Path) -> None:
    """Write a copy of a proved model that carries the verdict: information for readers, which nothing relies on."""
    if proof.answer != "proved":
        raise HyloopError(f"{proof.model.name} is not proved, so {path} is not written.")
    said = {
        "answer": proof.answer,
        "hash": proof.hash,
        "model": model_hash(proof.model),
        "obligations": len(proof.verdicts),
        "hyloop": __version__,
        "theorem": proof.theorem,
    }
    write_model(proof.model, path, said)
