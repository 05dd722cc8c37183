"""Certificates of whole proofs, and 10,000 that somebody has changed."""

import json
import random

import pytest

import hyloop
from compiler.random_programs import drawn, program_of
from hyloop import Capacity
from hyloop.errors import HyloopError
from hyloop.prove import prove
from hyloop.prove.certificate import certificate
from prove.mutilations import accepts, changed_proof, changed_script, checker, holds

CHECKER = checker()
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
