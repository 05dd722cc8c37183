"""Certificates of random programs, for benchmarks/sweep_certificates.py."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hyloop
from compiler.random_programs import drawn as steps
from compiler.random_programs import program_of
from fuzz.differential import Counts, Failure, compiled_or_none, failure_of, traced
from fuzz.worker import Job, drawn
from hyloop import Capacity
from hyloop.errors import CapacityError
from hyloop.lang import LanguageError
from hyloop.lang.program import Program
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
    try:
        if job.get("small"):
            return hyloop.compile(small_program(job["seed"]), Capacity(9, 9))
        return compiled_or_none(cases[0], traced(cases[0].source), counts) if cases else None
    except (CapacityError, LanguageError):
        counts.add("refused")
        return None


def small_program(seed: int) -> Program:
    """A program of eight operations at most, as in tests/thorough/prove/test_certificates.py."""
    return program_of(steps(seed, 8, every=True), before=3 * (seed % 2), infinite=bool(seed % 3))


def timed(counts: Counts, what: str, action: Callable[[], Any]) -> Any:
    """What an action gives; its milliseconds are counted."""
    began = time.perf_counter()
    try:
        return action()
    finally:
        counts.of[f"ms to {what}"] += round(1000 * (time.perf_counter() - began))


def tried(job: Job, counts: Counts) -> list[Failure]:
    """Prove, certify and check one program; every obligation without an accepted proof is a failure.

    The limit is in seconds of the processor: other processes may want it too.
    """
    counts.add("programs")
    signal.signal(signal.SIGPROF, _over)
    signal.setitimer(signal.ITIMER_PROF, job["seconds"])
    try:
        return certified(job, counts)
    except TimeoutError:
        counts.add("out of time")
        return []
    except Exception as wrong:  # whatever else comes out is a failure
        return [failure_of(wrong)]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _over(*_: object) -> None:
    raise TimeoutError


def certified(job: Job, counts: Counts) -> list[Failure]:
    """The obligations that have no accepted proof."""
    model = model_of(job, counts)
    if model is None:
        return []
    proof = timed(counts, "prove", lambda: prove(model))
    if proof.answer != "proved":
        counts.add(f"not proved: {proof.answer}")
        return []
    made = timed(counts, "certify", lambda: certificate(proof))
    counts.add("proved")
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
