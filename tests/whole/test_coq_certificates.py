"""What an obligation says in Coq, and certificates that its kernel checks. (tests/thorough has those of algorithms.)"""

import hashlib
import json
import shutil
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

ROOT = Path(__file__).parents[2]
CONVERTER = checker("certificate_to_coq")
needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs Coq (on Debian, `apt install coq`)")
HEAD = """From Coq Require Import List ZArith. From Hyloop Require Import Obligation Certificate.
Import ListNotations. Open Scope Z_scope. Open Scope text_scope.
"""
SCRIPT = """(set-logic QF_UFNIA)
(declare-fun |row i| () Int)
(declare-fun n () Int)
(declare-fun |f| (Int) Int)
(define-fun a3 () Int (ite (or (>= |row i| (+ n 1)) (not (= n 3))) |row i| (* (- 2) n)))
(define-fun a4 () Int (|f| (+ a3 (- 1) n)))
(define-fun a5 () Int (* a3 a4))
(assert (! (and (>= a5 0) true) :named |h1 known of n|))
(assert (! (not (>= a4 9007182075133950)) :named |goal negated|))
(check-sat)
"""
STATEMENT = """forall (i n : Z) (f : Z -> Z) (a : Z),
  (i >= n + 1 \\/ ~ n = 3 \\/ False -> a = i) -> (~ (i >= n + 1 \\/ ~ n = 3 \\/ False) -> a = -2 * n) ->
  forall b, b = f (a + (- (1) + n)) -> forall c, c = a * b ->
  c >= 0 /\\ True /\\ True -> ~ b >= 9007182075133950 -> False"""
# Not scripts: something after the end, a symbol that is not declared, twice, or no name; two expressions; a tab.
NO_SCRIPTS = [
    "(check-sat)\n(check-sat)",
    "(assert (>= x 0))\n(check-sat)",
    "(declare-fun x () Int)\n(declare-fun x () Int)\n(check-sat)",
    "(declare-fun 5 () Int)\n(check-sat)",
    "(declare-fun x () Int) (assert false)\n(check-sat)",
    "(declare-fun x\t() Int)\n(check-sat)",
    "(assert (> 1 0))\n(check-sat)",
    "(assert (= 1 0) ; no\n(check-sat)",
    "(assert (= 1 0))",
    "(check-sat",
]


@pytest.fixture(scope="module")
def document():
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
        {"part": "step", "says": "says (*)", "script": each.text, "proof": json.loads(json.dumps(certify(each)))}
        for each in scripts
    ]
    return {"name": "some", "model": "none", "obligations": [*obligations, obligations[0]]}


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


@pytest.fixture(scope="module")
def coqc(tmp_path_factory):
    """Coq on a text, after the two files that certificates need."""
    folder = tmp_path_factory.mktemp("coq")

    def run(name, text):
        (folder / f"{name}.v").write_text(text)
        command = ["coqc", "-Q", ".", "Hyloop", f"{name}.v"]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    for name in ("Obligation", "Certificate"):
        assert run(name, (ROOT / "coq" / f"{name}.v").read_text()).returncode == 0
    return run


def lines(script):
    return "[" + "; ".join(CONVERTER.quoted(line) + "%text" for line in script.splitlines()) + "]"


@needs_coq
def test_an_obligation_says_what_its_script_says(coqc):
    no_scripts = [f"Goal obligation {lines(each)} = False. vm_compute. reflexivity. Qed." for each in NO_SCRIPTS]
    said = f"Goal obligation {lines(SCRIPT)} <-> ({STATEMENT}). state. reflexivity. Qed."
    told = coqc("meaning", "\n".join([HEAD, said, *no_scripts]))
    assert told.returncode == 0, told.stderr


@needs_coq
def test_the_kernel_takes_certificates_and_nothing_else(coqc, document):
    told = coqc("some_certificate", "\n".join(CONVERTER.written(document)))
    assert (told.returncode, told.stdout) == (0, "Closed under the global context\n"), told.stderr
    refused = []
    for each in document["obligations"]:
        asserted = [line for line in each["script"].splitlines() if line.startswith("(assert")]
        without = each["script"].replace(asserted[-1] + "\n", "")
        proof = CONVERTER.proof_of(each["script"], each["proof"])
        for script, changed in ((without, proof), (each["script"], f"{proof[:-4]}{proof[-2:]}")):
            refused.append(f"Goal check {lines(script)} {changed} = false. vm_compute. reflexivity. Qed.")
    told = coqc("refused", "\n".join([HEAD, *refused]))
    assert told.returncode == 0, told.stderr
