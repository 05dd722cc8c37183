"""Certificates written for Coq. (tests/thorough has what its kernel says of them.)"""

import hashlib
import json
import os
import subprocess
from pathlib import Path

import pytest

from hyloop.prove.certify import certify
from hyloop.prove.terms import (
    at_least,
    choice,
    constant,
    disjunction,
    equal,
    function,
    implies,
    in_full,
    negation,
    product,
    relu,
    to_script,
    variable,
)
from prove.mutilations import checker

CONVERTER = checker("certificate_to_coq")
ROOT = Path(__file__).parents[2]
ACCEPTED = "accepted: 3 obligations of some; they are abc"


def certificates():
    """Certificates that take every rule."""
    x, y, z = (variable(name, 0, 9) for name in "xyz")
    with in_full():
        f, g = function("f", x + 1, 0, 9), function("f", y, 0, 9)
        unequal = negation(equal(f, g))
        claims = [
            [equal(x + 1, y), unequal],
            [equal(2 * x + 4 * y, 3)],
            [at_least(x, 0), at_least(y, 1), at_least(0, product(x, y) + 1)],
            [at_least(product(x, y), 0), at_least(z, 0), at_least(0, product(product(x, y), z) + 1)],
            [negation(at_least(relu(x - y), x - y))],
            [at_least(x, y), disjunction(at_least(y, x + 1), equal(choice(at_least(x, y), constant(3), z), 4))],
            [implies(equal(x, y), at_least(x, 5)), equal(x, y), at_least(4, y)],
            [negation(at_least(constant(3), constant(2)))],
        ]
        scripts = [
            to_script(each, exact_products=True, called=[f"h{n}" for n, _ in enumerate(each)]) for each in claims
        ]
    obligations = [
        {"part": "step", "says": 'says *) " (*', "script": each.text, "proof": json.loads(json.dumps(certify(each)))}
        for each in scripts
    ]
    return {"name": "some", "model": "none", "obligations": [*obligations, obligations[0]]}


@pytest.fixture(scope="module")
def document():
    return certificates()


def steps_of(document):
    return {step[0] for each in document["obligations"] for step in each["proof"]}


def test_the_file_has_the_scripts_of_the_certificate(document):
    assert steps_of(document) >= {"use", "ite", "same", "mul", "sum", "so"}
    text = "\n".join(CONVERTER.written(document))
    scripts = [each["script"] for each in document["obligations"]]
    assert CONVERTER.stated(text) == hashlib.sha256("".join(scripts).encode()).hexdigest()
    assert text.count("_holds : obligation") == len(scripts) - 1  # one is there twice
    assert CONVERTER.stated(text.replace("(>= ", "(= ", 1)) != CONVERTER.stated(text)


def test_what_is_no_proof_is_not_written(document):
    [first, *_] = document["obligations"]
    with pytest.raises(CONVERTER.Refused):
        list(CONVERTER.written({**document, "obligations": [{**first, "proof": first["proof"][:-1]}]}))


@pytest.mark.parametrize(
    ("hashed", "said", "passes"),
    [
        ("echo abc", "Closed under the global context", True),
        ("echo abcd", "Closed under the global context", False),
        ("echo abc", "Axioms: all_hold", False),
        ("echo", "Closed under the global context", False),
        ("exit 1", "Closed under the global context", False),
    ],
)
def test_the_script_passes_only_these_obligations_without_axioms(tmp_path, hashed, said, passes):
    """With a Coq and a Python that say what they are told to."""
    told = {
        "coqc": f"echo '{said}'",
        "python": f"""case "$*" in *check_certificate*) echo '{ACCEPTED}' ;; *--obligations*) {hashed} ;; esac""",
    }
    for name, text in told.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "PYTHON": "python", "FOLDER": str(tmp_path), "CERTIFICATES": str(tmp_path)}
    command = ["scripts/coq-certificates", "--one", "some"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == passes
    assert bool(done.stdout) == passes
