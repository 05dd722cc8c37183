"""Every mutant of a model decided: refuted by a run, refuted by a row that the solver finds, or proved harmless."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from hyloop.prove.machine import SparseLayer
from hyloop.prove.mutants import Mutant, Reference, caught
from hyloop.prove.solver import discharge
from hyloop.prove.terms import equal
from hyloop.prove.work import Stopped, Verdict, Work

Fate = Literal["shown by a run", "refuted by a row", "harmless", "undecided"]
FATES: tuple[Fate, ...] = get_args(Fate)


@dataclass(frozen=True)
class Decision:
    """What became of a mutant; the verdict refutes it if it was refuted by a row."""

    mutant: Mutant
    fate: Fate
    verdict: Verdict | None = None
    why: str = ""


def decide(work: Work, ref: Reference | None, mutant: Mutant) -> Decision:
    """Decide a mutant of a model whose proof is at hand; `ref` holds runs to try first."""
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
    # It may leave more behind than the sound model does, and every layer may see that.
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
