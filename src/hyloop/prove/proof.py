"""Proofs: from a model to a verdict, with every obligation, and the theorem in words."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

from hyloop.known import proved
from hyloop.lang import Algorithm
from hyloop.lang.program import Program
from hyloop.machine.layer import HeadKind
from hyloop.machine.model import Model
from hyloop.prove.attention import AttentionProver, Seen
from hyloop.prove.basis import Basis, program_in
from hyloop.prove.exact import Extent
from hyloop.prove.layout import ANY
from hyloop.prove.solver import Obligation, ProofAnswer
from hyloop.prove.terms import forget
from hyloop.prove.work import Journal, Stopped, Verdict, Work
from hyloop.references import above


@dataclass(frozen=True)
class HeadReport:
    """Which row a head attends to, whether rows may tie, and the margin.

    Rows that tie have equal values, unless the head averages: then all of them tie, and their mean is an integer.
    """

    layer: int
    head: int
    kind: HeadKind
    looks_at: str
    ties: bool
    margin: int
    averages: bool = False


@dataclass(frozen=True)
class Proof:
    """The verdicts on a model, and the conclusion."""

    model: Model
    verdicts: tuple[Verdict, ...]
    heads: tuple[HeadReport, ...]
    largest: Extent | None
    seconds: float
    work: Work

    def __repr__(self) -> str:
        word = "proved" if self.answer == "proved" else "not proved"
        return f"<Proof of {self.model.name}: {word}, {len(self.verdicts):,} obligations>"

    @property
    def answer(self) -> ProofAnswer:
        """Proved if every obligation is; else undecided. Refuted it is by a run, which `bad_run` looks for: a row for
        which an obligation is false (`failure.outcome`) need not be one that any run reaches."""
        answer = self.verdicts[-1].outcome.answer
        return "proved" if answer == "proved" and self.work.finished else "undecided"

    @property
    def failure(self) -> Verdict | None:
        """The obligation that is not proved; the proof ended there."""
        return None if self.answer == "proved" else self.verdicts[-1]

    @property
    def hash(self) -> str:
        """Of all obligations as they are put to a solver, and of the answers."""
        digest = hashlib.sha256()
        for verdict in self.verdicts:
            digest.update(f"{verdict.obligation.script}{verdict.outcome.answer}".encode())
        return digest.hexdigest()

    @property
    def theorem(self) -> str:
        """What has been proved, in words."""
        capacity, program, limit = self.model.capacity, self.work.basis.program, self.work.basis.limit
        least = self.model.layout.least
        padded = f" (to {least:,} rows at least)" if least else ""
        return (
            f"For every hypergraph with at most {capacity.rows:,} vertices, {capacity.rows:,} hyperedges and integer "
            f"weights from 1 to {capacity.weight:,}, for every input of {program.name}{_bounded(self.work)} and any "
            f"padding that the capacity allows{padded}: after every iteration of the transformer, each of the "
            f"{len(program.states)} state columns holds on every row what the program says, and the halt flag is 1 "
            "exactly when the program stops. "
            "So the transformer's run is the program's run, for as many iterations as the program declares. Every "
            f"number on the way is an integer below {limit:,} in absolute value, whatever the order of summation, so "
            f"{self.model.dtype} computes it exactly."
        )


def _bounded(work: Work) -> str:
    """The bounds of the inputs that are numbers, in brackets."""
    numbers = [given.name for given in work.basis.program.inputs if given.type.kind.is_number]
    limits = {name: work.meaning.inputs[name] for name in numbers}
    bounds = ", ".join(f"{name} up to {most:,}" for name, most in limits.items() if most < ANY)
    return f" ({bounds})" if bounds else ""


ASSUMPTIONS = (
    "the solver is right when it answers `unsat` (each obligation can be written out and checked with another one);",
    "this checker states the obligations rightly: the meaning of the language in `hyloop.prove.meaning`, the formulas "
    "of a layer in `hyloop.prove.machine`, and the rules that join them;",
    "the encoder writes what the layout says, and the executor adds, multiplies, compares and divides without rest "
    "as IEEE 754 says (exact on integers of this size);",
    "that the program itself computes what its description says is no part of the proof.",
)


def prove(model: Model | str | Algorithm | Program, watch: Callable[[Obligation], None] | None = None) -> Proof:
    """Prove that a model does what its program says, for every input within its capacity; or find where it does not.

    An algorithm that is no model yet is compiled first. `watch` is called with every obligation before it is put to the
    solver.
    """
    if not isinstance(model, Model):
        model = cast("Model", above("prove")(model))
    began = time.perf_counter()
    forget()
    program = program_in(model)
    basis = Basis(model, program)
    work = Work(basis, basis.layers, Journal(watch))
    with contextlib.suppress(Stopped):
        work.everything()
    proof = _proof(model, work, began)
    return replace(proof, model=proved(model)) if proof.answer == "proved" else proof


def _proof(model: Model, work: Work, began: float) -> Proof:
    heads = tuple(
        _head(work, layer, number, seen) for layer, found in enumerate(work.seen) for number, seen in enumerate(found)
    )
    largest = max(work.sizes, key=lambda size: size.most, default=None)
    return Proof(model, tuple(work.journal.verdicts), heads, largest, time.perf_counter() - began, work)


def _head(work: Work, layer: int, number: int, seen: Seen) -> HeadReport:
    margin = AttentionProver(work.machine, work.meaning, layer).margin(number, seen)
    kind = work.layers[layer].heads[number].kind
    return HeadReport(layer + 1, number + 1, kind, seen.claim.says, seen.ties, margin, seen.claim.averages is not None)
