"""Certificates with one change, and the checker as a module."""

import copy
import importlib.util
import random
import re
from pathlib import Path
from types import ModuleType

from hyloop.prove.solver import ask, library

FILE = Path(__file__).parents[2] / "checker" / "check_certificate.py"
WORD = re.compile(r"[^\s()]+")


def checker() -> ModuleType:
    """The file as a module: it is no part of the package."""
    spec = importlib.util.spec_from_file_location("check_certificate", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def accepts(module: ModuleType, script: str, proof: object) -> bool:
    """Whether the checker takes a proof."""
    try:
        module.check(script, proof)
    except module.Refused:
        return False
    return True


def holds(script: str) -> bool:
    """Whether z3 says so. It refuses two assertions of one name, and numbers as names; then names are left out."""
    try:
        return ask(script).answer == "proved"
    except library().Z3Exception:
        return ask(re.sub(r"\(assert \(! (.*) :named .*\)\)", r"(assert \1)", script)).answer == "proved"


def changed_proof(proof: list, chance: random.Random) -> list:
    """A proof with one step left out, twice, elsewhere or changed."""
    proof = copy.deepcopy(proof)
    at = chance.randrange(len(proof))
    match chance.randrange(6):
        case 0:
            del proof[at]
        case 1:
            proof.insert(at, copy.deepcopy(proof[chance.randrange(len(proof))]))
        case 2:
            other = chance.randrange(len(proof))
            proof[at], proof[other] = proof[other], proof[at]
        case _:
            proof[at] = _changed(proof[at], chance)
    return proof


def _changed(value: object, chance: random.Random) -> object:
    """Data with one part changed."""
    if isinstance(value, list) and value and chance.random() < 0.9:
        value = list(value)
        at = chance.randrange(len(value))
        value[at] = _changed(value[at], chance)
        return value
    if isinstance(value, list):
        return value[:-1] if chance.random() < 0.5 else [*value, chance.choice([0, 1, -1, 2, *value[:1]])]
    if isinstance(value, int):
        return chance.choice(
            [value + 1, value - 1, -value, 0, 2 * value, value * 10**20, None, str(value), float(value)]
        )
    return chance.choice(["use", "ite", "same", "mul", "let", "sum", "so", "x", None, 0, [value]])


def changed_script(script: str, chance: random.Random) -> str:
    """A script with one word changed, left out or repeated, or one line left out or moved."""
    if chance.random() < 0.3:
        lines = script.splitlines()
        at = chance.randrange(len(lines))
        line = lines.pop(at)
        if chance.random() < 0.5:
            lines.insert(chance.randrange(len(lines) + 1), line)
        return "\n".join(lines)
    words = list(WORD.finditer(script))
    word = chance.choice(words)
    return script[: word.start()] + _another(word.group(), words, chance) + script[word.end() :]


def _another(word: str, words: list, chance: random.Random) -> str:
    swapped = {
        "and": "or",
        "or": "and",
        ">=": "=",
        "=": ">=",
        "+": "-",
        "-": "+",
        "assert": "declare-fun",
        "not": "and",
    }
    if word in swapped and chance.random() < 0.7:
        return swapped[word]
    if word.isdigit() and chance.random() < 0.7:
        return str(int(word) + 1)
    return chance.choice(["", "0", "1", "true", "false", "x", "(", ")", "|", ";", chance.choice(words).group()])
