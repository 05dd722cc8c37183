"""Literals and clauses have the numbers that the checker gives them."""

import json

import hyloop
from hyloop import Capacity
from hyloop.prove import prove
from hyloop.prove.certify import certify
from hyloop.prove.clauses import Clauses, summed
from hyloop.prove.full import full_script, in_full_work
from prove.mutilations import checker

CHECKER = checker()


def test_the_checker_has_the_same_clauses():
    work = in_full_work(prove(hyloop.compile("degradation", Capacity(9, 9))))
    for verdict in work.journal.verdicts[5::40]:
        script = full_script(work, verdict.obligation)
        mine, its = Clauses(script), CHECKER.Proof(CHECKER.Script(script.text))
        for step in certify(script):
            mine.take(step)
            kind, *rest = json.loads(json.dumps(step))
            getattr(its, kind)(*rest)
        assert mine.clauses == its.clauses
        assert mine.clauses[-1] == ()


def test_like_parts_are_added_up():
    assert summed([("b", 1), ("a", 2), ("b", -1), ("a", 1)]) == (("a", 3),)
