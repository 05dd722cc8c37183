"""What has been found out about models on this machine, by hash: kept in the cache folder, until hyloop changes."""

from __future__ import annotations

import hashlib
from pathlib import Path

from hyloop.cache import code_digest, keep, kept
from hyloop.machine.files import model_hash
from hyloop.machine.model import Model, vouched

HERE = Path(__file__).parent
# Whose code the answer depends on: what another version found out is found out again.
MADE_BY = {"reproduced": ("compiler", "lang", "machine"), "proved": ("prove", "lang", "machine")}


_KNOWN: set[str] = set()  # in this process; there may be no cache folder


def _name(word: str, known: str) -> str:
    code = " ".join(code_digest(HERE / folder) for folder in MADE_BY[word])
    return f"{hashlib.sha256(f'{word} {known} {code}'.encode()).hexdigest()[:40]}.verified"


def is_known(word: str, known: str) -> bool:
    """Whether a model of that hash has been reproduced, or proved."""
    name = _name(word, known)
    return name in _KNOWN or kept(name) == word.encode()


def remember(word: str, known: str) -> None:
    """A model of that hash has been reproduced, or proved."""
    name = _name(word, known)
    _KNOWN.add(name)
    keep(name, word.encode())


def proved(model: Model) -> Model:
    """The model with the note that it has been proved; the next time that it is loaded, that is known."""
    remember("proved", model_hash(model))
    return model if model.verified == "compiled" else vouched(model, "proved")
