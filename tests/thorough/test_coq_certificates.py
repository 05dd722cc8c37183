"""What an obligation says in Coq, and certificates that its kernel checks."""

import shutil
import subprocess
from pathlib import Path

import pytest

from whole.test_coq_certificates import CONVERTER, certificates

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs Coq (on Debian, `apt install coq`)")
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
    return certificates()


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


def test_an_obligation_says_what_its_script_says(coqc):
    no_scripts = [f"Goal obligation {lines(each)} = False. vm_compute. reflexivity. Qed." for each in NO_SCRIPTS]
    said = f"Goal obligation {lines(SCRIPT)} <-> ({STATEMENT}). state. reflexivity. Qed."
    told = coqc("meaning", "\n".join([HEAD, said, *no_scripts]))
    assert told.returncode == 0, told.stderr


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
