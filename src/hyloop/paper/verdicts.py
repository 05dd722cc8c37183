"""Each lemma judged by trials: as printed on the paper's circle, corrected on both position codes, and with aliases.

>>> from hyloop.paper.lemmas import LEMMAS
>>> from hyloop.paper.verdicts import judge_lemma
>>> judge_lemma(LEMMAS[0], trials=20).corrected_holds
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hyloop.machine.positions import Circle, Parabola
from hyloop.paper.judge import LAST, LemmaVerdict, judge
from hyloop.paper.lemma import Lemma

TRIALS = 300


@dataclass(frozen=True)
class Judged:
    """A lemma, its printed layer on the circle, and its corrected one in every setting."""

    lemma: Lemma
    printed: LemmaVerdict
    corrected: tuple[LemmaVerdict, ...]

    @property
    def corrected_holds(self) -> bool:
        """Whether no trial of the corrected layer failed."""
        return all(verdict.holds for verdict in self.corrected)

    @property
    def trials(self) -> int:
        """The number of trials of the corrected layer."""
        return sum(verdict.trials for verdict in self.corrected)

    @property
    def heads(self) -> int:
        """The heads of the corrected layer."""
        return len(self.corrected[0].layer.heads)

    @property
    def units(self) -> int:
        """The units of the corrected layer."""
        return self.corrected[0].layer.mlp.width

    def document(self) -> dict[str, Any]:
        """The JSON document."""
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
                "trials": self.trials,
                "correction": self.lemma.mend,
                "heads": self.heads,
                "units": self.units,
            },
        }


def judge_lemma(lemma: Lemma, trials: int = TRIALS, seed: int = 0) -> Judged:
    """Judge a lemma on `trials` random inputs of each size, for each layer.

    Printed layers run on the paper's circle (with a tie tolerance), corrected ones on the parabola, exactly, and again
    with every pair of columns that may coincide.
    """
    printed = judge(lemma, "printed", Circle(LAST), trials=trials, seed=seed)
    plainly = judge(lemma, "corrected", Parabola(), trials=trials, seed=seed)
    on_circle = judge(lemma, "corrected", Circle(LAST), trials=trials, seed=seed)
    aliased = [judge(lemma, "corrected", Parabola(), trials=trials, seed=seed, names=names) for names in lemma.aliases]
    return Judged(lemma, printed, (plainly, on_circle, *aliased))
