"""Certificates written for Coq. (tests/thorough has what its kernel says of them.)"""

import hashlib
import json

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
