"""Certificates without proofs, for the second statement of the obligations, with changes; and that file as a module."""

import copy
import importlib.util
import json
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import hyloop
from hyloop.prove import prove
from hyloop.prove.certificate import Certificate, Certified
from hyloop.prove.choices import choices
from hyloop.prove.full import full_script, in_full_work
from hyloop.prove.proof import Proof
from hyloop.prove.terms import numeral

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


def with_text(data: bytes, text: str) -> bytes:
    """The file with another program in it; its hash is what it was."""
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    document = json.loads(header["__metadata__"]["hyloop"]) | {"program": text}
    header["__metadata__"]["hyloop"] = json.dumps(document)
    changed = json.dumps(header).encode()
    return len(changed).to_bytes(8, "little") + changed + data[start:]


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


def script(module: ModuleType, asserted: Iterable[int]) -> str:
    """What an obligation of the second statement asserts, in SMT-LIB, with a definition of each atom and formula."""
    found: set[int] = set()
    waiting = list(asserted)
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += _parts(module.NODES[each])
    lines = [f"(declare-fun |{name}| {of} Int)" for name, of in sorted({*_declared(module, found)})]
    # Whatever a node is made of was made before it.
    lines += [_definition(each, module.NODES[each]) for each in sorted(found)]
    lines += [f"(assert n{each})" for each in asserted]
    return "\n".join(lines)


def _parts(node: tuple[Any, ...]) -> Iterator[int]:
    terms, formulas = _inner(node)
    yield from formulas
    yield from (atom for term in terms for monomial, _ in term for atom in monomial)


def _inner(node: tuple[Any, ...]) -> tuple[Sequence[Any], Sequence[int]]:
    """The terms and the formulas that a node is made of."""
    word, *parts = node
    if word in {"and", "or"}:
        return (), parts[0]
    if word == "ite":
        return parts[1:], parts[:1]
    return (parts[1:] if word in {"symbol", "at"} else parts), ()


def _declared(module: ModuleType, found: Iterable[int]) -> Iterator[tuple[str, str]]:
    for each in found:
        word, name, *_ = module.NODES[each]
        if word in {"symbol", "at"}:
            yield name, "()" if word == "symbol" else "(Int)"


def _definition(number: int, node: tuple[Any, ...]) -> str:
    word, name, *rest = node
    terms, formulas = _inner(node)
    kind, body = "Bool", ""
    if word in {"symbol", "at"}:
        kind, body = "Int", f"|{name}|" if word == "symbol" else f"(|{name}| {_term(rest[0])})"
    elif word == "ite":
        kind, body = "Int", f"(ite n{formulas[0]} {_term(terms[0])} {_term(terms[1])})"
    elif word in {"and", "or"}:
        body = f"({word} {'true' if word == 'and' else 'false'} {' '.join(f'n{each}' for each in formulas)})"
    else:
        compared = f"({'>=' if word == 'ge' else '='} {_term(node[1])} 0)"
        body = f"(not {compared})" if word == "ne" else compared
    return f"(define-fun n{number} () {kind} {body})"


def _term(term: Sequence[tuple[Sequence[int], int]]) -> str:
    parts = [f"(* {numeral(factor)} 1 {' '.join(f'n{each}' for each in monomial)})" for monomial, factor in term]
    return f"(+ 0 {' '.join(parts)})"
