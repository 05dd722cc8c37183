"""Which models were reproduced or proved here before, by hash; and whether a program is hyloop's own.

The results are kept in the cache folder, until hyloop changes.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path

from hyloop.algorithms import ALGORITHMS
from hyloop.cache import code_digest, keep, kept
from hyloop.lang.program import Program, Section
from hyloop.lang.source import Location
from hyloop.machine.files import model_hash
from hyloop.machine.model import Model, vouched

HERE = Path(__file__).parent
# The code that the results depend on: those of another version are not reused.
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
    """Record that a model of that hash has been reproduced, or proved."""
    name = _name(word, known)
    _KNOWN.add(name)
    keep(name, word.encode())


def proved(model: Model) -> Model:
    """The model marked as proved; this is remembered for the next time that it is loaded."""
    remember("proved", model_hash(model))
    return model if model.verified == "compiled" else vouched(model, "proved", reproduced=model.reproduced)


# -- whose program it is ----------------------------------------------------------------------------------------------


def whose(program: Program) -> str:
    """Whether a program is hyloop's own of its name, in words."""
    if program.name not in ALGORITHMS:
        return f"a program called {program.name}, which is none of hyloop's own"
    if _plain(program) == _ours(program.name):
        return f"hyloop's own {program.name}"
    return f"another program than hyloop's own {program.name}, of the same name"


@cache
def _ours(name: str) -> Program:
    return _plain(ALGORITHMS[name].program)


def _plain(program: Program) -> Program:
    """A program without descriptions and places in a source file."""
    nowhere = Location("", 0, 0, 0)

    def section(of: Section) -> Section:
        return replace(of, ops=tuple(replace(op, where=nowhere, label="") for op in of.ops))

    states = tuple(replace(state, where=nowhere) for state in program.states)
    return replace(program, about="", states=states, before=section(program.before), body=section(program.body))
