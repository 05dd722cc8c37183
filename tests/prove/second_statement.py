"""Certificates without proofs, for the second statement of the obligations; and that file as a module."""

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import hyloop
from hyloop.prove import prove
from hyloop.prove.certificate import Certificate, Certified
from hyloop.prove.choices import choices
from hyloop.prove.full import full_script, in_full_work

FILE = Path(__file__).parents[2] / "checker" / "state_obligations.py"


def second() -> ModuleType:
    """The file as a module: it is no part of the package."""
    spec = importlib.util.spec_from_file_location("state_obligations", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stated(model: hyloop.Model) -> Certificate:
    """What a certificate of a model says, without the proofs, which take most of the time."""
    proof = prove(model)
    assert proof.answer == "proved"
    work = in_full_work(proof)
    obligations = [verdict.obligation for verdict in work.journal.verdicts]
    found = [Certified(each, full_script(work, each), None) for each in obligations]
    return Certificate(proof, tuple(found), choices(work))


def differs(module: ModuleType, model: bytes, document: Mapping[str, Any]) -> str | None:
    """What the second statement says is different; None if nothing is."""
    try:
        module.compare_all(module.Model(model), document)
    except module.Refused as why:
        return str(why)
    return None
