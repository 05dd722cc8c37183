"""Proofs of models that are right: all that we ship, however compiled; odd sizes, odd programs; nothing vacuous."""

import importlib.util
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import hyloop
from algorithm_inputs import WIDE
from effort import every, sample, share
from hyloop import Capacity, HyloopError
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.lang import (
    INFINITY,
    Count,
    Flag,
    Hyperedge,
    Length,
    Outputs,
    Vertex,
    algorithm,
    argmax,
    argmin,
    at_most,
    first,
    where,
)
from hyloop.lang import any as any_of
from hyloop.machine.model import EXACT
from hyloop.prove import prove, report
from hyloop.prove.solver import Obligation, Outcome, ask, second_opinion
from hyloop.prove.terms import FALSE, TRUE, to_smt
from hyloop.prove.work import Journal, Stopped, Work

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def proof_of(name):
    return prove(hyloop.compile(name))


def example(name):
    spec = importlib.util.spec_from_file_location(f"examples_{name}", EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


# -- what we ship ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_every_algorithm_is_proved_at_its_default_capacity(name):
    proof = proof_of(name)
    assert proof.answer == "proved"
    assert proof.failure is None
    assert {verdict.outcome.answer for verdict in proof.verdicts} == {"proved"}
    assert len(proof.heads) == sum(len(layer.heads) for layer in proof.model.layers)
    assert all(head.margin >= 1 for head in proof.heads)
    assert 0 < proof.largest.most < EXACT["float64"]
    assert f"{proof.model.capacity.rows:,} vertices" in proof.theorem


@pytest.mark.parametrize("name", every(4, list(ALGORITHMS)[9:]))
def test_the_others_are_proved_at_a_small_capacity(name):
    assert prove(hyloop.compile(name, Capacity(3, 3))).answer == "proved"


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_no_obligation_is_vacuous(name):
    """What is taken for granted can hold at once; otherwise anything would follow from it."""
    for verdict in proof_of(name).verdicts:
        if not verdict.obligation.is_trivial:
            assert ask(to_smt(verdict.obligation.facts)).answer == "refuted", verdict.obligation.says


@pytest.mark.parametrize("name", every(2, sample(ALGORITHMS)))
def test_a_second_solver_agrees(name):
    obligations = [verdict.obligation for verdict in proof_of(name).verdicts if not verdict.obligation.is_trivial]
    scripts = sorted({obligation.script for obligation in obligations}, key=len)
    assert len(scripts) > 10
    # Of the many long ones of motifs, some: `hyloop prove motifs --recheck` asks about all.
    assert {second_opinion(script) for script in (scripts[:80:16] if name == "motifs" else scripts)} == {"proved"}


def test_a_second_solver_can_disagree():
    assert second_opinion(to_smt([TRUE])) == "refuted"
    assert second_opinion(to_smt([FALSE])) == "proved"


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(EXAMPLES.glob("*.py")) if "@algorithm" in path.read_text("utf-8")],
    ids=lambda p: p.stem,
)
def test_examples_are_proved(path):
    assert prove(hyloop.compile(example(path.stem))).answer == "proved"


QUICK = [name for name in sample(ALGORITHMS) if name not in {"helly", "motifs"}]  # the others take long


def however(name, **options):
    proof = prove(compile_program(ALGORITHMS[name].program, **options))
    assert proof.answer == "proved"
    assert proof.largest.most < EXACT[proof.model.dtype]


@pytest.mark.parametrize("name", every(3, QUICK))
def test_one_operation_per_layer(name):
    however(name, packing="one operation per layer")


@pytest.mark.parametrize("name", every(3, [name for name in QUICK if name not in WIDE]))
def test_single_precision(name):
    however(name, dtype="float32")


@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize("name", share(["dijkstra", "dfs", "components"], "dfs"))
def test_fewer_heads(name, heads):
    however(name, heads=heads)


def test_a_proof_is_the_same_twice():
    assert prove(hyloop.compile("levels")).hash == prove(hyloop.compile("levels")).hash
    assert prove(hyloop.compile("levels")).hash != prove(hyloop.compile("levels", Capacity(5, 5))).hash


def test_watch_is_told_of_every_obligation():
    seen = []
    proof = prove(hyloop.compile("levels", Capacity(5, 5)), seen.append)
    assert seen == [verdict.obligation for verdict in proof.verdicts]


# -- odd capacities and programs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("capacity", [Capacity(1, 1), Capacity(1, 100), Capacity(2, 1)])
@pytest.mark.parametrize("name", share(["dijkstra", "components", "dfs"], "dijkstra"))
def test_tiny_capacities(name, capacity):
    assert prove(hyloop.compile(name, capacity)).answer == "proved"


@algorithm
def without_inputs(h):
    x = h.vertices.state(Count, 3)
    with h.loop(at_most=h.vertices.count - h.hyperedges.count + 1) as loop:
        loop.stop_when(~any_of(x >= 2))
        x.assign(x - 1)
    return Outputs(x=x)


@algorithm
def mostly_before(h, e: Hyperedge, yes: Flag, k: at_most(Count, 7)):
    x = h.vertices.state(Flag, False)
    total = h.state(Count, 0)
    done = h.state(Flag, False)
    x.assign(h.members(e))
    total.assign(where(yes, k + h.vertices.count, h.hyperedges.count))
    with h.loop(at_most=2) as loop:
        loop.stop_when(done | yes)
        done.assign(True)
    return Outputs(x=x, total=total)


@algorithm
def lengths_near_infinity(h, d: Length):
    """Sums of lengths, up to the largest that the model can tell from infinity."""
    far = h.hyperedges.state(Length, INFINITY)
    sums = h.vertices.state(Length, 0)
    once = h.state(Flag, False)
    with h.loop(at_most=3) as loop:
        far.assign(where(h.weight < far, h.weight + d + d, far))
        sums.assign(h.incidence @ h.weight)
        loop.stop_when(once)
        once.assign(True)
    return Outputs(far=far, sums=sums)


@algorithm
def infinite_differences(h, v: Vertex):
    far = h.vertices.state(Length, INFINITY)
    back = h.vertices.state(Length, INFINITY)
    where_ = h.state(Vertex)
    with h.loop(at_most=h.vertices.count + 2) as loop:
        back.assign(far - far)
        far[v] = 0
        farthest, _ = argmax(far)
        nearest, _ = argmin(back)
        where_.assign(where(farthest == nearest, farthest, first(h.vertices.every)))
        loop.stop_when(where_.is_none | (nearest + 1).is_none)
    return Outputs(far=far, back=back, where=where_)


@algorithm
def names_beyond_ascii(h, größe: at_most(Count, 5)):
    état = h.vertices.state(Count, 0)
    halt = h.state(Count, 0)
    with h.loop(at_most=4) as loop:
        état.assign(état + größe)
        halt.assign(halt + 1)
        loop.stop_when(halt == 2)
    return Outputs(a=état, b=halt)


@algorithm
def never_finite(h):
    """What is added up is 0 on every row, though the length that it is made of is as large as any."""
    far = h.hyperedges.state(Length, INFINITY)
    sums = h.vertices.state(Length, 0)
    with h.loop(at_most=3) as loop:
        sums.assign(h.incidence @ where(far != INFINITY, far, 0))
        loop.stop_when(any_of(sums == 0))
    return Outputs(sums=sums)


ODD = [never_finite, without_inputs, mostly_before, lengths_near_infinity, infinite_differences, names_beyond_ascii]


@pytest.mark.parametrize("odd", ODD, ids=lambda each: each.program.name)
@pytest.mark.parametrize("rows", [1, 1000])
def test_odd_programs(odd, rows):
    proof = prove(compile_program(odd.program, rows=rows, weight=9))
    assert proof.answer == "proved"
    scripts = [verdict.obligation.script for verdict in proof.verdicts if not verdict.obligation.is_trivial]
    assert {second_opinion(script) for script in scripts[:20]} == {"proved"}


def test_the_theorem_says_how_large_inputs_may_be():
    proof = prove(compile_program(lengths_near_infinity.program, rows=5, weight=9))
    assert "(d up to 9)" in proof.theorem


# -- what is not finished is not proved -----------------------------------------------------------------------------


def test_a_proof_that_ends_early_is_not_proved(monkeypatch):
    def stop(self):
        raise Stopped

    monkeypatch.setattr(Work, "iteration", stop)
    proof = prove(hyloop.compile("levels", Capacity(5, 5)))
    assert {verdict.outcome.answer for verdict in proof.verdicts} == {"proved"}
    assert proof.answer == "undecided"
    assert proof.failure is not None


def test_a_head_without_a_claim_is_not_proved(monkeypatch):
    from hyloop.prove.attention import AttentionProver

    monkeypatch.setattr(AttentionProver, "prove", lambda *_: None)
    proof = prove(hyloop.compile("levels", Capacity(5, 5)))
    assert proof.answer == "undecided"


def test_what_the_solver_cannot_decide_is_not_proved(monkeypatch):
    from hyloop.prove import work

    monkeypatch.setattr(work, "discharge", lambda _: Outcome("undecided"))
    assert prove(hyloop.compile("levels", Capacity(5, 5))).answer == "undecided"


def test_a_journal_stops_at_what_is_not_proved():
    journal = Journal()
    journal.require(Obligation(1, "units", "true", TRUE))
    with pytest.raises(Stopped):
        journal.require(Obligation(1, "units", "false", FALSE))
    assert [verdict.outcome.answer for verdict in journal.verdicts] == ["proved", "refuted"]


def test_without_the_solver_there_is_a_sentence(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "z3", None)
    with pytest.raises(HyloopError, match=r"pip install 'hyloop\[prove\]'"):
        prove(hyloop.compile("levels", Capacity(5, 5)))
    monkeypatch.setitem(sys.modules, "cvc5", None)
    with pytest.raises(HyloopError, match="pip install cvc5"):
        second_opinion("(check-sat)")


# -- many heads -----------------------------------------------------------------------------------------------------


@algorithm
def many(h):
    """So many searches in one iteration that there are more layers than one, and columns that work ahead."""
    x, s, g = h.vertices.state(Count, 0), h.state(Count, 0), h.vertices.state(Flag, False)
    with h.loop(at_most=h.vertices.count + 1) as loop:
        s.assign(s + 1)
        found = [argmin(x, where=x > place)[0] for place in range(17)]
        marked = g
        for each in found:
            marked = marked | (h.vertices.number == each)
        g.assign(marked)
        x.assign(x + 1)
        loop.stop_when(s == 2)
    return Outputs(x=x, s=s, g=g)


def test_many_searches():
    model = hyloop.compile(many, Capacity(6, 10))
    assert len(model.layers) > 3
    assert any(column.role == "ahead" for column in model.layout.columns)
    assert prove(model).answer == "proved"


def test_a_row_alone_refutes_nothing():
    """The solver's row may be one that no run reaches: "not proved" on the command line, "undecided" in JSON."""
    model = hyloop.compile("levels", Capacity(5, 5))
    text = model.program.replace("state depth: count = 0", "state depth: count at most 4 = 0")
    proof = prove(replace(model, program=text))  # no run differs, for the bound is no part of the model
    assert (proof.answer, proof.failure.outcome.answer) == ("undecided", "refuted")
    assert report.document(proof)["answer"] == proof.answer
    assert repr(proof).startswith("<Proof of levels: not proved")
