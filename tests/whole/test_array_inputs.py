"""Inputs that are arrays, from what people give to every executor, export, recording and proof."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

import hyloop
from compiler.agreement import assert_agrees
from compiler.arrays import EXPECTED, GIVEN, TOWNS, spread
from compiler.random_programs import array_inputs_for, drawn, program_of
from hyloop import Capacity, CapacityError, HyloopError
from hyloop.compiler.compile import compile_program
from hyloop.execute.encode import Frame, encode
from hyloop.execute.prepare import prepare
from hyloop.lang import Count, Outputs, Vertices, algorithm, any, at_most, smaller
from hyloop.machine.layout import Entries
from hyloop.prove import prove
from hyloop.prove.counterexample import bad_run
from hyloop.samples import hypergraphs
from hyloop.survey import check_random


@pytest.fixture(scope="module")
def model():
    return hyloop.compile(spread, Capacity(20, 1000))


@pytest.mark.parametrize("backend", ["interpreter", "dense", "cpu"])
def test_every_backend(backend, model):
    found = hyloop.run(spread if backend == "interpreter" else model, TOWNS, backend=backend, **GIVEN)
    assert {name: found[name] for name in EXPECTED} == EXPECTED


def test_random_programs():
    draw = random.Random(5)
    checked = 0
    for seed in range(6):
        try:
            made = compile_program(program_of(drawn(seed, 12), before=seed % 4, arrays=True), rows=9, weight=300)
        except HyloopError:
            continue  # it grows without bound
        for h in islice(hypergraphs(seed, vertices=4, hyperedges=4), 12, 17):
            if (inputs := array_inputs_for(h, draw)) is not None:
                assert_agrees(made, h, inputs)
                checked += 1
    assert checked > 12


def test_random_checks(model):
    found = check_random(model, 40, seed=3)
    assert found.agrees
    assert found.distinct == 40


def test_lengths_share_one_unit_with_the_weights():
    given = prepare(spread.program, TOWNS, {**GIVEN, "toll": [1, 0, 0.125]})
    assert given.inputs["toll"] == (8, 0, 1)
    assert given.weights == (32, 16, 12)
    assert given.unit == Fraction(1, 8)


def test_larger_counts_get_a_larger_model(model):
    many = {**GIVEN, "load": [10**12, 1, 1, 1]}
    assert hyloop.run(spread, TOWNS, **many)["carried"]["ferry"] == 10**12 + 1
    with pytest.raises(CapacityError, match="An entry of the input 'load' is 1,000,000,000,000 as an integer"):
        hyloop.run(model, TOWNS, **many)


def test_a_declared_bound_takes_no_room():
    @algorithm
    def capped(h, load: Vertices[at_most(Count, 7)]):
        total = h.hyperedges.state(Count, 0)
        with h.loop(at_most=100) as loop:
            total.assign(smaller(total + h.incidence.T @ load, 1000))
            loop.stop_when(any(total >= 1000))
        return Outputs(total=total)

    made = hyloop.compile(capped)
    assert Entries("load", "vertices", 7) in [each for column in made.layout.columns for each in column.initial]
    assert not made.takes_weights


def test_the_encoder_refuses_what_is_no_array(model):
    frame = Frame(2, 1, (1,), {"start": (0, 1), "load": (1, 2), "toll": (3,)})
    assert encode(model, frame)[1:, model.layout.number("input load")].tolist() == [1, 2]
    for wrong in ({"load": (1,)}, {"load": 3}, {"toll": (1, 2)}):
        with pytest.raises(HyloopError, match="must be an array over the"):
            encode(model, replace(frame, inputs={**frame.inputs, **wrong}))


def test_files_checkpoints_and_batches(model, tmp_path):
    hyloop.save(model, tmp_path / "m.safetensors")
    again = hyloop.load(tmp_path / "m.safetensors")
    assert again.verified == "reproduced"
    hyloop.run(again, TOWNS, checkpoint=tmp_path / "run", every=0, **GIVEN)
    assert hyloop.run(again, TOWNS, resume=tmp_path / "run", **GIVEN)["carried"] == EXPECTED["carried"]
    with pytest.raises(HyloopError, match="a checkpoint of another input"):
        hyloop.run(again, TOWNS, resume=tmp_path / "run", **{**GIVEN, "start": {"Quay"}})
    rest = {"load": GIVEN["load"], "toll": GIVEN["toll"]}
    first, second = hyloop.run_many(model, [TOWNS, (TOWNS, {"start": set()})], processes=1, start={"Light"}, **rest)
    assert (first["seen"]["Quay"], second["seen"]["Quay"]) == (True, False)


def test_recordings(model, tmp_path):
    found = hyloop.trace(model, TOWNS, **GIVEN)
    assert found.document["inputs"] == []  # of single values; the arrays stand in columns
    assert found.at(1)["seen"] == {"Quay": False, "Isle": False, "Mole": False, "Light": True}
    names = [column["name"] for column in found.document["model"]["columns"]]
    assert {"input start", "input load", "input toll"} <= {*names}
    found.save(tmp_path / "run.html")
    assert hyloop.Trace.load(tmp_path / "run.html").document == found.document


# -- proofs ----------------------------------------------------------------------------------------------------------


def test_a_proof_holds_for_all_entries(model):
    found = prove(model)
    assert found.answer == "proved"
    assert "(load up to 1,000, toll up to 1,000)" in found.theorem


def _with_entries(model, change):
    columns = tuple(
        replace(column, initial=tuple(change(each) if isinstance(each, Entries) else each for each in column.initial))
        for column in model.layout.columns
    )
    return replace(model, layout=replace(model.layout, columns=columns))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda term: replace(term, most=0), "It takes the input 'load' up to 0"),
        (lambda term: replace(term, name="toll"), "A column holds the input 'toll' as"),
        (lambda term: replace(term, of="hyperedges"), "A column holds the input 'load' as"),
    ],
)
def test_a_layout_that_a_proof_would_misread(model, change, told):
    changed = _with_entries(model, lambda term: change(term) if term.name == "load" else term)
    with pytest.raises(HyloopError, match=told):
        prove(changed)


def test_a_wrong_weight_is_found_and_shown(model):
    column = model.layout.number("input start")
    number, unit = next(
        (n, u) for n, each in enumerate(model.layers) for u in np.flatnonzero(each.mlp.weights[0][column])
    )
    layer = model.layers[number]
    first = layer.mlp.weights[0].copy()
    first[column, unit] += 1
    changed = replace(layer, mlp=replace(layer.mlp, weights=(first, *layer.mlp.weights[1:])))
    wrong = replace(model, layers=(*model.layers[:number], changed, *model.layers[number + 1 :]))
    assert prove(wrong).failure.outcome.answer == "refuted"
    shown = bad_run(wrong, tries=20)
    assert shown is not None
    assert shown.inputs["load"].keys() == {*shown.hypergraph.vertices}
