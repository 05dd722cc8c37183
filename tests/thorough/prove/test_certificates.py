"""Certificates of whole proofs, and 10,000 that somebody has changed."""

import json
import random
from dataclasses import replace

import pytest

import hyloop
from compiler.random_programs import drawn, program_of
from hyloop import Capacity
from hyloop.errors import HyloopError
from hyloop.machine.files import model_hash, to_bytes
from hyloop.prove import prove
from hyloop.prove.certificate import certificate
from hyloop.prove.counterexample import small_inputs
from hyloop.prove.full import full_script, in_full_work
from hyloop.prove.mutants import caught, mutants, reference
from prove.mutilations import accepts, changed_proof, changed_script, checker, holds
from prove.second_statement import differs, second

CHECKER, SECOND = checker(), second()
SMALL = ("degradation", "levels", "k_core", "components", "dijkstra")


@pytest.mark.parametrize("name", SMALL)
def test_every_obligation_has_a_certificate(name, tmp_path):
    made = certificate(prove(hyloop.compile(name)))
    assert made.missing == []
    path = tmp_path / "certificate"
    path.write_bytes(made.to_bytes())
    assert CHECKER.check_file(str(path)).startswith(f"{len(made.obligations)} obligations of {name}\n")


@pytest.mark.parametrize("seed", range(20))
def test_random_programs(seed):
    try:
        program = program_of(drawn(seed, 8), before=3 * (seed % 2), infinite=bool(seed % 3))
        proof = prove(hyloop.compile(program, Capacity(9, 9)))
    except HyloopError:
        pytest.skip("there is no such program, or no model of it")
    made = certificate(proof)
    assert made.missing == []
    for each in made.obligations:
        CHECKER.check(each.script.text, json.loads(json.dumps(each.proof)))


@pytest.fixture(scope="module")
def obligations():
    made = certificate(prove(hyloop.compile("degradation", Capacity(9, 9))))
    assert made.missing == []
    return [(each.script.text, json.loads(json.dumps(each.proof))) for each in made.obligations]


def test_the_same_bytes_every_time():
    first, second = (certificate(prove(hyloop.compile("k_core", Capacity(9, 9)))) for _ in range(2))
    assert first.to_bytes() == second.to_bytes()


@pytest.mark.parametrize("seed", range(10))
def test_nothing_false_is_accepted(obligations, seed):
    """Of 10,000 tries, half change the proof of another obligation that does not hold, half an obligation."""
    chance = random.Random(seed)
    for _ in range(500):
        script, proof = chance.choice(obligations)
        changed = changed_script(script, chance)
        if changed != script and accepts(CHECKER, changed, proof):
            assert holds(changed)
    tried = [(_without_one(script, chance), proof) for script, proof in obligations]
    false = [(script, proof) for script, proof in tried if script is not None]
    assert len(false) > 50
    for _ in range(500):
        script, proof = chance.choice(false)
        assert not accepts(CHECKER, script, changed_proof(proof, chance))


def _without_one(script: str, chance: random.Random) -> str | None:
    """The script without an assertion that it needs: it can hold then."""
    lines = script.splitlines()
    asserted = [number for number, line in enumerate(lines) if line.startswith("(assert")]
    left = chance.choice(asserted[-3:])
    without = "\n".join([*lines[:left], *lines[left + 1 :]])
    return None if holds(without) else without


# -- an adversary who may edit all of it: the model, its obligations and their proofs ------------------------------


@pytest.fixture(scope="module")
def sound():
    """A model with its proof, its certificate, and what every weight that a run shows to be wrong is changed to."""
    proof = prove(hyloop.compile("levels", Capacity(4, 4)))
    runs = reference(replace(proof.model, held=()), small_inputs(proof.model, 20))
    document = json.loads(json.dumps(certificate(proof).document()))
    return proof, document, [each for each in mutants(proof.model, 50) if caught(runs, each)]


def _restated(proof, model):
    """The obligations of another model, stated as if it were proved like this one; none if a head looks elsewhere."""
    work = in_full_work(replace(proof, model=model))
    scripts = [full_script(work, each.obligation).text for each in work.journal.verdicts]
    return scripts if work.finished else None


@pytest.mark.parametrize("seed", range(10))
def test_no_forged_certificate_of_a_model_that_runs_wrong(sound, seed):
    """1,000 tries: ten models with a weight that is wrong, each with its own obligations and 100 forged proofs."""
    (proof, document, wrong), chance, left = sound, random.Random(seed), 10
    for mutant in chance.sample(wrong, len(wrong)):
        layers = [*proof.model.layers]
        layers[mutant.layer] = mutant.of(layers[mutant.layer])
        model = replace(proof.model, layers=tuple(layers))
        forged = {**document, "model": model_hash(model)}
        assert differs(SECOND, to_bytes(model), forged), mutant  # with the obligations of the right model
        scripts = _restated(proof, model)
        if scripts is None or len(scripts) != len(document["obligations"]):
            continue
        proofs = [each["proof"] for each in document["obligations"]]
        pairs = zip(scripts, proofs, document["obligations"], strict=True)
        changed = [(script, old) for script, old, each in pairs if script != each["script"]]
        for number in range(100):
            tried = [(script, _forgery(old, proofs, number, chance)) for script, old in changed]
            assert not all(accepts(CHECKER, script, made) for script, made in tried), mutant
        left -= 1
        if not left:
            return
    pytest.fail("there are too few such models")


def _forgery(old, proofs, number, chance):
    """The proof as it was first; then with a change, or that of another obligation."""
    if not number:
        return old
    return changed_proof(old if chance.random() < 0.7 else chance.choice(proofs), chance)
