"""Certificates without proofs, for the second statement of the obligations, with changes; and that file as a module."""

import copy
import importlib.util
import json
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import hyloop
from hyloop.prove import prove
from hyloop.prove.certificate import Certificate, Certified
from hyloop.prove.choices import choices
from hyloop.prove.full import full_script, in_full_work
from hyloop.prove.proof import Proof

FILE = Path(__file__).parents[2] / "checker" / "state_obligations.py"
Document = Mapping[str, Any]


def second() -> ModuleType:
    """The file as a module: it is no part of the package."""
    spec = importlib.util.spec_from_file_location("state_obligations", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stated(proof: Proof | hyloop.Model) -> Document:
    """What a certificate says, without the proofs of its obligations, which take most of the time."""
    proof = proof if isinstance(proof, Proof) else prove(proof)
    assert proof.answer == "proved"
    work = in_full_work(proof)
    obligations = [verdict.obligation for verdict in work.journal.verdicts]
    found = [Certified(each, full_script(work, each), None) for each in obligations]
    return json.loads(json.dumps(Certificate(proof, tuple(found), choices(work)).document()))


def differs(module: ModuleType, model: bytes, document: Document) -> str | None:
    """What the second statement says is different; None if nothing is."""
    try:
        module.check_document(module.Model(model), document)
    except Exception as why:  # noqa: BLE001  (as in the file: whatever goes wrong, they are not the same)
        return str(why) or type(why).__name__
    return None


def weights(data: bytes) -> Iterator[tuple[int, float]]:
    """The place of every weight in a file, and the weight."""
    start = 8 + int.from_bytes(data[:8], "little")
    for place in range(start, len(data), 8):
        yield place, struct.unpack_from("<d", data, place)[0]


def with_weight(data: bytes, place: int, weight: float) -> bytes:
    """The file with one weight changed; its hash is what it was."""
    changed = bytearray(data)
    struct.pack_into("<d", changed, place, weight)
    return bytes(changed)


def leaves(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to all numbers and words in a document."""
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(each, (*path, key))
    else:
        yield path


def with_choice(document: Document, path: tuple[Any, ...]) -> Document:
    """The certificate with another choice at a path."""
    changed = copy.deepcopy(document["choices"])
    *way, last = path
    place = changed
    for key in way:
        place = place[key]
    old = place[last]
    place[last] = (not old) if isinstance(old, bool) else old + 1 if isinstance(old, int) else "other"
    return {**document, "choices": changed}
