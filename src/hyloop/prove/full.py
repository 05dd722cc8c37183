"""All obligations of a proof in full: as they are before any simplification, and also those that intervals decide.

A proof with simplification comes first. It finds what is to be proved: invariants, bounds, which row a head looks at.
Then everything is stated anew in terms that are not simplified. Nothing of the first proof is believed here: what it
has found is stated, and proved again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from hyloop.prove.basis import Basis
from hyloop.prove.proof import Proof
from hyloop.prove.solver import Obligation
from hyloop.prove.terms import Script, forget, in_full, negation, to_script
from hyloop.prove.work import Journal, Stopped, Work


def in_full_work(proof: Proof, watch: Callable[[Obligation], None] | None = None) -> Work:
    """The proof of the same model without simplification; `watch` is called with every obligation.

    They are stated, and not decided: a certificate proves each.
    """
    forget()
    with in_full(), contextlib.suppress(Stopped):
        basis = Basis(proof.model, proof.work.basis.program)
        work = Work(basis, basis.layers, Journal(watch, asks=False), guide=proof.work)
        work.everything()
    return work


def full_script(work: Work, obligation: Obligation) -> Script:
    """An obligation as a certificate has it: named hypotheses, the goal negated, products of symbols as they are."""
    lemmas = set(obligation.lemmas)
    facts = [each for each in obligation.facts if each not in lemmas]
    origins = work.meaning.origins
    called = [f"h{number} {origins.get(each, 'lemma')}" for number, each in enumerate(facts)]
    with in_full():
        asserted = [*facts, negation(obligation.goal)]
        return to_script(asserted, exact_products=True, called=[*called, "goal negated"], also=obligation.lemmas)
