"""Bounds of symbols in certificates: with them nothing has to be decided."""

import json

from hyloop.prove.certify import certify
from hyloop.prove.terms import at_least, in_full, interval, relu, to_script, variable
from prove.mutilations import accepts, checker


def test_a_tower_of_relus_has_a_short_proof():
    """Each may be 0 or what is in it: 2³⁰ cases, of which none has to be looked at."""
    x = variable("x", 0, 9)
    with in_full():
        top = x
        for _ in range(30):
            top = relu(2 * relu(top) - relu(x))
        tower = relu(top) - relu(top - 1)
        script = to_script([*interval(x.terms[0][0]), at_least(tower, 10**12)], exact_products=True)
    proof = json.loads(json.dumps(certify(script)))
    assert len(proof) < 1000
    assert accepts(checker(), script.text, proof)
