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
from fuzz.differential import compiled_or_none
from fuzz.runs import Counts, Failure, failure_of, traced
from fuzz.worker import Job, drawn
from hyloop import Capacity
from hyloop.errors import CapacityError
from hyloop.lang import LanguageError
from hyloop.lang.program import Program
from hyloop.lang.tracing import load
from hyloop.machine.files import to_bytes
from hyloop.machine.model import Model
from hyloop.prove import prove
from hyloop.prove.certificate import Certificate, certificate, save_certificate
from prove.mutilations import checker
from prove.second_statement import second

CHECKER = checker()


def model_of(job: Job, counts: Counts) -> Model | None:
    """The model of a seed, an algorithm or a file; none if the language refuses the program, or no model holds it."""
    if "name" in job:
        return hyloop.compile(job["name"])
    if "path" in job:
        return hyloop.compile(load(Path(job["path"]))[0])
    try:
        if job.get("small"):
            return hyloop.compile(small_program(job["seed"]), Capacity(9, 9))
        cases = drawn(job["seed"])
        return compiled_or_none(cases[0], traced(cases[0].source), counts) if cases else None
    except (CapacityError, LanguageError):
        counts.add("refused")
        return None


def small_program(seed: int) -> Program:
    """A program of eight operations at most, as in tests/thorough/prove/test_certificates.py."""
    return program_of(steps(seed, 8, every=True), before=3 * (seed % 2), infinite=bool(seed % 3))


def timed(counts: Counts, what: str, action: Callable[[], Any]) -> Any:
    """What an action gives; its milliseconds of the processor are counted. What is over time says in which action."""
    began = time.process_time()
    try:
        return action()
    except TimeoutError:
        raise TimeoutError(what) from None
    finally:
        counts.of[f"ms to {what}"] += round(1000 * (time.process_time() - began))


def tried(job: Job, counts: Counts) -> list[Failure]:
    """Prove, certify and check one program, and state its obligations again. Every obligation without an accepted
    proof is a failure, and so are two statements that differ.

    The limit is in seconds of the processor: other processes may want it too.
    """
    counts.add("programs")
    signal.signal(signal.SIGPROF, _over)
    signal.setitimer(signal.ITIMER_PROF, job["seconds"])
    try:
        return certified(job, counts)
    except TimeoutError as late:
        counts.add(f"out of time to {late}")
        return []
    except Exception as wrong:  # whatever else comes out is a failure
        return [failure_of(wrong)]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _over(*_: object) -> None:
    raise TimeoutError


def certified(job: Job, counts: Counts) -> list[Failure]:
    """The obligations that have no accepted proof, or in what the second statement differs."""
    model = timed(counts, "compile", lambda: model_of(job, counts))
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
    return checked(model, made, Path(job["into"]), counts)


def checked(model: Model, made: Certificate, into: Path, counts: Counts) -> list[Failure]:
    """What the checker and the second statement refuse of a certificate, read from files as they read them."""
    file = into.with_suffix(".safetensors")
    file.write_bytes(to_bytes(model))
    save_certificate(made, into)
    counts.of["bytes"] += into.stat().st_size
    stating = second()  # a new one each time: it keeps all terms that it has seen
    try:
        timed(counts, "check", lambda: CHECKER.check_file(into, file))
        counts.add("accepted")
        timed(counts, "state again", lambda: stating.check(file, into))
        counts.add("stated equally")
    except (CHECKER.Refused, stating.Refused) as why:
        return [Failure("not accepted" if isinstance(why, CHECKER.Refused) else "stated otherwise", str(why))]
    return []
