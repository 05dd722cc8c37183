"""Certificates of random programs, for benchmarks/sweep_certificates.py."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hyloop
from fuzz.differential import Counts, Failure, compiled_or_none, failure_of, traced
from fuzz.worker import Job, drawn
from hyloop.lang import LanguageError
from hyloop.lang.tracing import load
from hyloop.machine.model import Model
from hyloop.prove import prove
from hyloop.prove.certificate import certificate, save_certificate
from prove.mutilations import checker

CHECKER = checker()


def model_of(job: Job, counts: Counts) -> Model | None:
    """The model of a seed or a file; none if the language refuses the program, or no model holds it."""
    if "path" in job:
        return hyloop.compile(load(Path(job["path"]))[0])
    cases = drawn(job["seed"])
    if not cases:
        return None
    try:
        return compiled_or_none(cases[0], traced(cases[0].source), counts)
    except LanguageError:
        counts.add("refused by the language")
        return None


def timed(counts: Counts, what: str, action: Callable[[], Any]) -> Any:
    """What an action gives; its milliseconds are counted."""
    began = time.perf_counter()
    try:
        return action()
    finally:
        counts.of[f"ms to {what}"] += round(1000 * (time.perf_counter() - began))


def tried(job: Job, counts: Counts) -> list[Failure]:
    """Prove, certify and check one program; every obligation without an accepted proof is a failure."""
    counts.add("programs")
    try:
        return certified(job, counts)
    except Exception as wrong:  # whatever else comes out is a failure
        return [failure_of(wrong)]


def certified(job: Job, counts: Counts) -> list[Failure]:
    """The obligations that have no accepted proof."""
    model = model_of(job, counts)
    if model is None:
        return []
    proof = timed(counts, "prove", lambda: prove(model))
    if proof.answer != "proved":
        counts.add(f"not proved: {proof.answer}")
        return []
    counts.add("proved")
    made = timed(counts, "certify", lambda: certificate(proof))
    counts.of["obligations"] += len(made.obligations)
    if made.missing:
        return [Failure("no certificate", name) for name in made.missing]
    save_certificate(made, job["into"])
    try:
        timed(counts, "check", lambda: CHECKER.check_file(job["into"]))
    except CHECKER.Refused as why:
        return [Failure("not accepted", str(why))]
    counts.add("accepted")
    return []
