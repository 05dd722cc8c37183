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
from hyloop.prove.terms import forget, in_full
from hyloop.prove.work import Journal, Stopped, Work


def in_full_work(proof: Proof, watch: Callable[[Obligation], None] | None = None) -> Work:
    """The proof of the same model without simplification; `watch` is called with every obligation."""
    forget()
    with in_full(), contextlib.suppress(Stopped):
        basis = Basis(proof.model, proof.work.basis.program)
        work = Work(basis, basis.layers, Journal(watch), guide=proof.work)
        work.everything()
    return work
