"""Certificate files: every obligation of a proof in full, each with a proof that needs no solver to be checked.

`checker/check_certificate.py` reads them. The same model gives the same bytes, with the same version of z3.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hyloop.atomic import write_out
from hyloop.errors import HyloopError
from hyloop.machine.files import model_hash
from hyloop.prove.certify import NotFound, certify
from hyloop.prove.choices import choices
from hyloop.prove.clauses import Step
from hyloop.prove.full import full_script, in_full_work
from hyloop.prove.proof import Proof
from hyloop.prove.solver import Obligation
from hyloop.prove.terms import Script

FORMAT = "hyloop-certificate 1"
Told = Callable[[int, int], None]  # how many are done, of how many

# The parts of the theorem, and what their obligations show together.
PARTS = {
    "at first": "what the encoder writes is what the program starts with, and it is within the invariants",
    "heads": "each head attends to the row that the program names",
    "step": "one pass through the layers is one iteration of the program, halting included",
    "invariants": "what is assumed of the states before an iteration holds after it",
    "exactness": "every number on the way is an integer that the number format holds",
}


@dataclass(frozen=True)
class Certified:
    """An obligation in full, and its proof, if one was found."""

    obligation: Obligation
    script: Script
    proof: list[Step] | None

    @property
    def part(self) -> str:
        """The part of the theorem that it belongs to."""
        if self.obligation.layer == 0:
            return "at first"
        own = {"units": "step", "iteration": "step", "invariants": "invariants", "exactness": "exactness"}
        return own.get(self.obligation.part, "heads")

    @property
    def name(self) -> str:
        """Where it is, and what it says."""
        layer = self.obligation.layer
        where = "input" if layer == 0 else "whole" if layer is None else f"layer {layer}"
        return f"{where}, {self.obligation.part}: {self.obligation.says}"

    def document(self) -> dict[str, Any]:
        """As in the file."""
        return {"part": self.part, "says": self.name, "script": self.script.text, "proof": self.proof}


@dataclass(frozen=True)
class Certificate:
    """All obligations of a proof."""

    proof: Proof
    obligations: tuple[Certified, ...]
    choices: dict[str, Any]

    @property
    def missing(self) -> list[str]:
        """The obligations without a proof, by name."""
        return [each.name for each in self.obligations if each.proof is None]

    @property
    def stated(self) -> str:
        """A hash of all obligations, as the checker prints it: whoever states them again compares it."""
        return hashlib.sha256("".join(each.script.text for each in self.obligations).encode()).hexdigest()

    def summary(self) -> dict[str, Any]:
        """What `hyloop prove --json` says of it."""
        return {"obligations": len(self.obligations), "missing": self.missing, "hash": self.stated}

    def document(self) -> dict[str, Any]:
        """What the file says."""
        return {
            "format": FORMAT,
            "name": self.proof.model.name,
            "model": model_hash(self.proof.model),
            "theorem": self.proof.theorem,
            "parts": PARTS,
            "choices": self.choices,
            "obligations": [each.document() for each in self.obligations],
        }

    def to_bytes(self) -> bytes:
        """The file."""
        text = json.dumps(self.document(), ensure_ascii=True, separators=(",", ":"))
        return gzip.compress(text.encode(), 9, mtime=0)


def certificate(proof: Proof, tell: Told | None = None) -> Certificate:
    """State a proof in full and certify every obligation; `tell` is called with how many are done, of how many."""
    if proof.answer != "proved":
        raise HyloopError(f"{proof.model.name} is not proved, so there is no certificate of it.")
    work = in_full_work(proof)
    found: list[Certified] = []
    known: dict[str, list[Step] | None] = {}  # by script: nearly half of them are there before
    for verdict in work.journal.verdicts:
        if tell is not None:
            tell(len(found), len(work.journal.verdicts))
        script = full_script(work, verdict.obligation)
        if script.text not in known:
            known[script.text] = _proof(script)
        found.append(Certified(verdict.obligation, script, known[script.text]))
    if not work.finished and all(each.proof is not None for each in found):
        raise HyloopError(f"{proof.model.name} is proved, but not in full, so there is no certificate of it.")
    return Certificate(proof, tuple(found), choices(work))


def _proof(script: Script) -> list[Step] | None:
    try:
        return certify(script)
    except NotFound:
        return None


def save_certificate(made: Certificate, path: str | Path) -> None:
    """Write a certificate to a file."""
    write_out(path, made.to_bytes())
