"""All mutants of a model, from Python."""

import pytest

pytest.importorskip("z3", reason="proofs need z3: pip install 'hyloop[prove]'")

import hyloop
from hyloop.cli.prove import DEFAULTS
from hyloop.prove import decide, prove
from hyloop.prove.decide import FATES, chosen, decide_all
from hyloop.prove.mutants import other_kinds

MODEL = hyloop.compile("levels", hyloop.Capacity(9, 9))


def test_a_sample_of_mutants_is_decided():
    told = []
    found = decide_all(MODEL, zeros=20, sample=12, processes=1, progress=told.append)
    assert (len(found.decisions), told[-1]) == (12, 12)
    assert found.count("undecided") == 0
    assert found.count("shown by a run") > 0
    assert [len(counts) for _, _, counts in found.table()] == [len(FATES)] * 6
    assert found.table()[-1][:2] == ("all", 12)
    assert [each["mutant"] for each in found.document()["mutants"]] == [str(each) for each in chosen(MODEL, 20, 12)]


@pytest.mark.parametrize(
    "given", [{"processes": 0}, {"processes": "x"}, {"zeros": -1}, {"sample": 1.5}], ids=lambda given: next(iter(given))
)
def test_counts_that_are_none(given):
    with pytest.raises(hyloop.HyloopError, match=f"{next(iter(given))} is a whole number of at least"):
        decide_all(MODEL, **given)


@pytest.mark.parametrize("name", ["reachable", "levels"])
def test_heads_of_another_kind_are_decided(name):
    """Tails for heads, transposed or not, with the incidence or without it: each is refuted, runs or no runs."""
    proof = prove(hyloop.compile(name, hyloop.Capacity(9, 9)))
    changed = other_kinds(proof.model)
    heads = sum(len(layer.heads) for layer in proof.model.layers)
    assert len(changed) == len({str(each) for each in changed}) == heads * (6 if proof.model.layout.directed else 2)
    assert {decide.decide(proof.work, None, each).fate for each in changed} == {"refuted by a row"}


def test_the_help_tells_the_defaults():
    assert DEFAULTS == {"zeros": decide.ZEROS, "processes": decide.PROCESSES}
