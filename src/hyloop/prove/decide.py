"""Every mutant of a model decided: refuted by a run, refuted by a row that the solver finds, or proved harmless.

>>> import hyloop
>>> from hyloop.prove.decide import decide_all
>>> found = decide_all(hyloop.compile("levels", hyloop.Capacity(9, 9)), sample=4, processes=1)
>>> len(found.decisions), found.count("undecided")
(4, 0)
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from hyloop.errors import HyloopError
from hyloop.hypergraph import shown
from hyloop.machine.model import Model
from hyloop.prove.counterexample import small_inputs
from hyloop.prove.machine import SparseLayer
from hyloop.prove.mutants import CHANGES, Change, Mutant, OtherKind, Reference, caught, mutants, reference
from hyloop.prove.proof import Proof, prove
from hyloop.prove.solver import discharge, leave_interrupts_to_python
from hyloop.prove.terms import equal
from hyloop.prove.work import Stopped, Verdict, Work

Fate = Literal["shown by a run", "refuted by a row", "harmless", "undecided"]
FATES: tuple[Fate, ...] = get_args(Fate)
ZEROS = 300  # weights that are 0, set to 1
PROCESSES = 2
CASES = 30  # runs that every mutant is tried on before the solver is asked
CHUNK = 50


@dataclass(frozen=True)
class Decision:
    """The fate of a mutant, with the verdict that refutes it if it was refuted by a row."""

    mutant: Mutant | OtherKind
    fate: Fate
    verdict: Verdict | None = None
    why: str = ""


def decide(work: Work, ref: Reference | None, mutant: Mutant | OtherKind) -> Decision:
    """Decide a mutant of a model that was proved by `work`; `ref` holds runs to try first."""
    if ref is not None:
        with np.errstate(all="ignore"):  # a mutant may overflow; that is a difference like any other
            if caught(ref, mutant):
                return Decision(mutant, "shown by a run")
    changed = SparseLayer.of(mutant.of(work.basis.model.layers[mutant.layer]))
    trial = work.with_layer(mutant.layer, changed)
    try:
        _again(work, trial, mutant.layer)
    except Stopped:
        verdict = trial.journal.verdicts[-1]
        answer = verdict.outcome.answer
        return Decision(mutant, "refuted by a row" if answer == "refuted" else "undecided", verdict)
    return Decision(mutant, "harmless")


def _again(sound: Work, trial: Work, layer: int) -> None:
    """The proof from a changed layer on, as far as it may differ from the sound one."""
    claims = [seen.claim for seen in sound.seen[layer]]
    pairs = enumerate(zip(trial.layers[layer].heads, sound.layers[layer].heads, sound.seen[layer], strict=True))
    same = {number: seen for number, (head, other, seen) in pairs if head == other}
    trial.heads(layer, claims, same)
    right = sound.machine.after(layer, sound.row)
    trial.locals(layer, right)
    if _same_columns(sound, trial, layer):
        trial.exactness(layer)
        return
    for later in range(layer + 1, len(trial.layers)):
        trial.heads(later, [seen.claim for seen in sound.seen[later]])
        trial.locals(later)
    trial.iteration(sound.machine.before(len(trial.layers), sound.row))
    # It may leave larger numbers behind than the sound model does, and every layer may read them.
    trial.left.clear()
    trial.leftovers()
    del trial.tight
    for each in range(len(trial.layers)):
        trial.exactness(each)


def _same_columns(sound: Work, trial: Work, layer: int) -> bool:
    """Whether every column after a layer is proved to be what it was."""
    before = sound.machine.before(layer + 1, sound.row)
    now = trial.machine.before(layer + 1, sound.row)
    for column, (old, new) in enumerate(zip(before, now, strict=True)):
        if old is not new:
            goal = equal(old, new)
            obligation = sound.basis.obligation(layer + 1, "units", f"column {column} is what it was", goal)
            if discharge(obligation).answer != "proved":
                return False
    return True


# -- all of them ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Decisions:
    """The fates of all mutants of a model, and how long the decisions took."""

    algorithm: str
    decisions: tuple[Decision, ...]
    seconds: float

    def count(self, fate: Fate | None = None, change: Change | None = None) -> int:
        """How many mutants have this fate, of those with this change; None is any."""
        return sum(fate in (None, each.fate) and change in (None, each.mutant.change) for each in self.decisions)

    def table(self) -> list[tuple[str, int, list[int]]]:
        """For each change, and for all: how many mutants there are, and how many have each of `FATES`."""
        kinds: tuple[Change | None, ...] = (*CHANGES, None)
        return [(kind or "all", self.count(None, kind), [self.count(fate, kind) for fate in FATES]) for kind in kinds]

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "algorithm": self.algorithm,
            "seconds": round(self.seconds, 2),
            "mutants": [
                {"mutant": str(each.mutant), "change": each.mutant.change, "fate": each.fate, "why": each.why}
                for each in self.decisions
            ],
        }


def decide_all(
    model: Model | Proof,
    *,
    zeros: int = ZEROS,
    sample: int | None = None,
    processes: int = PROCESSES,
    progress: Callable[[int], None] | None = None,
) -> Decisions:
    """Decide every model with one weight changed, in processes; `sample` decides a random sample only.

    `zeros` is how many weights that are 0 are set to 1. A model is proved first, unless its proof is given.
    """
    _require_counts(zeros=(zeros, 0), sample=(0 if sample is None else sample, 0), processes=(processes, 1))
    proof = model if isinstance(model, Proof) else prove(model)
    if proof.answer != "proved":
        raise HyloopError(f"{proof.model.name} is not proved itself; prove it first.")
    began = time.perf_counter()
    every = chosen(proof.model, zeros, sample)
    found: list[Decision] = []
    with _deciding(proof.model, every, processes) as parts:
        for part in parts:
            found += part
            if progress is not None:
                progress(len(found))
    return Decisions(proof.model.name, tuple(found), time.perf_counter() - began)


def _require_counts(**given: tuple[object, int]) -> None:
    for name, (value, least) in given.items():
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise HyloopError(f"{name} is a whole number of at least {least}, not {shown(value)}.")


def chosen(model: Model, zeros: int = ZEROS, sample: int | None = None) -> list[Mutant]:
    """The mutants of a model, or a random sample of them."""
    every = mutants(model, zeros)
    if sample is None or sample >= len(every):
        return every
    numbers = np.random.default_rng(0).choice(len(every), sample, replace=False)
    return [every[number] for number in sorted(numbers)]


@contextmanager
def _deciding(model: Model, every: Sequence[Mutant], processes: int) -> Iterator[Iterator[list[Decision]]]:
    """The decisions in chunks, as the processes make them."""
    chunks = [every[start : start + CHUNK] for start in range(0, len(every), CHUNK)]
    with ProcessPoolExecutor(processes, initializer=_prepare, initargs=(model,)) as pool:
        try:
            yield pool.map(_decide, chunks)
        except BaseException:  # such as Ctrl-C: tasks that have not begun are cancelled
            pool.shutdown(wait=False, cancel_futures=True)
            raise


_WORK: list[tuple[Work, Reference]] = []


def _prepare(model: Model) -> None:
    """Each process proves the model once, and runs it on a few inputs. Only the parent process handles Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    leave_interrupts_to_python()
    _WORK.append((prove(model).work, reference(model, small_inputs(model, CASES))))


def _decide(chunk: Sequence[Mutant]) -> list[Decision]:
    work, runs = _WORK[0]
    return [_without_terms(decide(work, runs, mutant)) for mutant in chunk]


def _without_terms(decision: Decision) -> Decision:
    """The decision without its terms, so that it can be sent between processes."""
    why = "" if decision.verdict is None else decision.verdict.obligation.says
    return Decision(decision.mutant, decision.fate, None, why)
