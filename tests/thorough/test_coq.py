"""What Coq computes of a program is what the interpreter computes; and Coq's kernel accepts the theorems."""

import itertools
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hyloop import HyloopError
from hyloop.algorithms import ALGORITHMS
from hyloop.interpreter import interpret
from hyloop.lang.coq import FORMS, to_coq
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.program import State
from hyloop.sampling import random_hypergraph
from prove.small_domains import Subject, shapes

pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs Coq (on Debian, `apt install coq`)")
ROOT = Path(__file__).parents[2]
COUNT = 20
HEAD = ["From Coq Require Import Arith Bool List. Import ListNotations.", "From Hyloop Require Import Language."]
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


def _accepted(folder, name, lines):
    (folder / f"{name}.v").write_text("\n".join(lines) + "\n")
    command = ["coqc", "-Q", ".", "Hyloop", f"{name}.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


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
    runs = itertools.chain(*(_module(name, number) for number in range(COUNT)))
    lines = [*HEAD, f"From Hyloop Require Import {name}_program.", *runs]
    told = _accepted(folder, f"{name}_runs", lines)
    assert told.returncode == 0, told.stderr
    assert sum(line.startswith("Goal") for line in lines) > 2 * COUNT


# -- operation by operation -----------------------------------------------------------------------------------------

SIZES = [(0, 1), (2, 0), (1, 1), (2, 2)]
SHARE = 100  # situations of a shape and size, about
ROWS = {Scope.VERTICES: "vertices", Scope.HYPEREDGES: "hyperedges"}


def _text(subject):
    """The program of one operation, whose value the state d takes; None where Coq has no form for it."""
    state = State("d", subject.op.type, subject.op.type.kind.zero, subject.op.where)
    body = replace(subject.program.body, updates={"d": subject.number})
    program = replace(subject.program, states=(*subject.program.states, state), body=body)
    try:
        return program.states, "Section Program." + to_coq(program).partition("Section Program.")[2]
    except HyloopError:
        return None


def _given(subject, situation):
    """The variables of the section, as terms of Coq."""
    h = situation.h
    pairs = zip(h.incidence.row_numbers().tolist(), h.incidence.indices.tolist(), strict=True)
    inside = "".join(f" | {v + 1}, {e + 1} => true" for v, e in pairs)
    weight = "".join(f" | {e} => {w}" for e, w in enumerate(situation.weights, 1))
    inputs = {each.name: _table(each, np.array(situation.inputs[each.name]), None) for each in subject.program.inputs}
    return {
        "n_v": str(h.counts[0]),
        "n_e": str(h.counts[1]),
        "member": f"(fun v e => match v, e with 0, 0 => false{inside} | _, _ => false end)",
        "weight": f"(fun e => match e with 0 => 0{weight} | _ => 0 end)",
        **inputs,
    }


def _goal(subject, states, used, situations):
    """What Coq makes of the same hypergraph and inputs with several states is what the interpreter makes of them."""
    of, given = subject.op.type, _given(subject, situations[0])
    before, after = [], []
    for each in situations:
        zero = 0 if of.scope is Scope.SCALAR else np.zeros(0, dtype=int)
        tables = [_table(state, each.step.states.get(state.name, zero), each.infinity) for state in states]
        before.append(f"State {' '.join(tables)}")
        entries = np.atleast_1d(each.step.values[subject.number]).tolist()
        literals = [_literal(of.kind, entry, each.infinity) for entry in entries]
        after.append(literals[0] if of.scope is Scope.SCALAR else f"[{'; '.join(literals)}]")
    arguments = " ".join(text for name, text in given.items() if name in used)
    count = situations[0].h.counts[of.scope is Scope.HYPEREDGES]
    value = "t.(d)" if of.scope is Scope.SCALAR else f"map t.(d) ({ROWS[of.scope]} {count})"
    made = f"map (fun s => let '(t, _) := body {arguments} s in {value}) [{'; '.join(before)}]"
    return f"Goal {made} = [{'; '.join(after)}]. vm_compute. reflexivity. Qed."


def _shape(number, shape):
    """A module of Coq about one shape of an operation, and how many situations it has; nothing where it has no form."""
    subject = Subject(shape)
    made = _text(subject)
    if made is None:
        return [], 0
    states, text = made
    used = set(re.findall(r"\w+", text.partition("Definition body")[2].partition("Definition at_most")[0]))
    lines, count = [f"Module shape_{number}. {text}"], 0
    for size in SIZES:
        tried = subject.situations(*size, 1 + subject.many(*size) // SHARE)
        for _, same in itertools.groupby(tried, lambda each: (id(each.h), each.weights, str(each.inputs))):
            situations = list(same)
            lines.append(_goal(subject, states, used, situations))
            count += len(situations)
    return [*lines, f"End shape_{number}."], count


def _operations(names):
    """The text of Coq about operations, and how many situations of each there are."""
    lines, tried = [*HEAD], Counter()
    for name in names:
        for shape in shapes(name):
            module, count = _shape(len(lines), shape)
            lines += module
            tried[name] += count
    return lines, tried


def test_each_operation_is_in_coq_what_the_interpreter_computes(made):
    """Every form of every shape that has one, on small domains."""
    lines, tried = _operations(FORMS)
    told = _accepted(made[0], "operations", lines)
    assert told.returncode == 0, told.stderr
    assert all(tried[name] for name in FORMS)


def test_a_wrong_form_is_noticed(made, monkeypatch):
    monkeypatch.setitem(FORMS, "or", FORMS["and"])
    told = _accepted(made[0], "wrong", _operations(["or"])[0])
    assert told.returncode != 0
    assert "Unable to unify" in told.stderr
