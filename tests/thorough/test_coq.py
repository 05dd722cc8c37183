"""What Coq computes of a program is what the interpreter computes; and Coq's kernel accepts the theorems."""

import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hyloop.algorithms import ALGORITHMS
from hyloop.interpreter import interpret
from hyloop.lang.kinds import Kind, Scope
from hyloop.sampling import random_hypergraph

pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs Coq (on Debian, `apt install coq`)")
ROOT = Path(__file__).parents[2]
COUNT = 20
USES = {"levels": "n_v n_e member", "dijkstra": "n_v n_e member weight"}  # what `body` is a function of


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("coq")
    environment = {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(ROOT / "src")}
    return folder, subprocess.run(
        ["scripts/coq", str(folder)], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_the_theorems_hold_without_axioms(made):
    _, told = made
    assert told.returncode == 0, told.stderr
    assert told.stdout.count("Closed under the global context") == 2


def _literal(kind, value, infinity):
    if kind is Kind.FLAG:
        return "true" if value else "false"
    if kind is Kind.LENGTH:
        return "None" if value == infinity else f"Some {value}"
    return str(value)


def _expected(state, value, infinity):
    if state.type.scope is Scope.SCALAR:
        return f"s.({state.name}) = {_literal(state.type.kind, value, infinity)}"
    entries = "; ".join(_literal(state.type.kind, each, infinity) for each in value.tolist())
    rows = {Scope.VERTICES: "vertices n_v", Scope.HYPEREDGES: "hyperedges n_e"}[state.type.scope]
    return f"map s.({state.name}) ({rows}) = [{entries}]"


def _table(state, value, infinity):
    if state.type.scope is Scope.SCALAR:
        return f"({_literal(state.type.kind, value, infinity)})"
    zero = _literal(state.type.kind, 0, infinity)
    entries = "; ".join(_literal(state.type.kind, each, infinity) for each in [0, *value.tolist()])
    return f"(fun i => nth i [{entries}] ({zero}))"


def _module(name, number):
    """A module of Coq: the states of one run after every iteration, as the interpreter has them."""
    program = ALGORITHMS[name].program
    h = random_hypergraph(5, number, rows=6, weight=4, large=False, graphs=False)
    if not h.vertices:
        return  # no source
    vertices, weights = list(h.vertices), [int(4 * each) for each in h.weights]
    pairs = zip(h.incidence.row_numbers().tolist(), h.incidence.indices.tolist(), strict=True)
    inside = " | ".join(f"{v + 1}, {e + 1}" for v, e in pairs)
    weight = "".join(f" | {e} => {w}" for e, w in enumerate(weights, 1))
    source = 1 + number % len(vertices)
    yield f"Module case_{number}. Section Case."
    yield f"Let n_v := {len(vertices)}. Let n_e := {len(weights)}."
    yield f"Let member (v e : nat) := match v, e with {inside + ' => true |' if inside else ''} _, _ => false end."
    yield f"Let weight (e : nat) := match e with 0 => 0{weight} | _ => 0 end."
    first = "n_v member" + (" weight" if "weight" in USES[name] else "")
    made = f"(before {first} {source} initial, false)"
    for step in interpret(program, h, {"source": source}, weights):
        claims = " /\\ ".join(_expected(state, step.states[state.name], step.infinity) for state in program.states)
        stops = str(step.halted).lower()
        yield f"Goal let '(s, stop) := {made} in stop = {stops} /\\ {claims}. vm_compute. repeat split. Qed."
        # From a table of what the interpreter has: functions of functions would be computed again and again.
        values = " ".join(_table(state, step.states[state.name], step.infinity) for state in program.states)
        made = f"body {USES[name]} (State {values})"
    yield f"End Case. End case_{number}."


@pytest.mark.parametrize("name", USES)
def test_coq_computes_what_the_interpreter_computes(made, name):
    folder, _ = made
    head = [
        "From Coq Require Import List. Import ListNotations.",
        f"From Hyloop Require Import Language {name}_program.",
    ]
    lines = [*head, *itertools.chain(*(_module(name, number) for number in range(COUNT)))]
    (folder / f"{name}_runs.v").write_text("\n".join(lines) + "\n")
    told = subprocess.run(
        ["coqc", "-Q", ".", "Hyloop", f"{name}_runs.v"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    assert sum(line.startswith("Goal") for line in lines) > 2 * COUNT
