"""Choices: what a certificate says that is no obligation. (`tests/whole/test_second_statement.py` states them.)"""

import json

import hyloop
from hyloop import Capacity
from hyloop.prove import prove
from hyloop.prove.choices import choices
from hyloop.prove.full import in_full_work


def test_every_choice_of_a_proof_is_written():
    work = in_full_work(prove(hyloop.compile("components", Capacity(9, 9))))
    said = choices(work)
    assert json.loads(json.dumps(said)) == said
    assert said["states"].keys() == {state.name for state in work.basis.program.states}
    assert [len(each) for each in said["values"].values()] == [
        len(section.ops) for section in (work.basis.program.before, work.basis.program.body)
    ]
    assert [len(layer) for layer in said["heads"]] == [len(layer.heads) for layer in work.layers]
    assert said["ahead"].keys() == work.basis.ahead.keys() != set()
    stated = [each.obligation.says for each in work.journal.verdicts]
    assert sum(map(len, said["bounds"])) == sum(each.startswith("absolute values add up") for each in stated)
    assert len(said["left"]) == sum(each.startswith("what is left in") for each in stated)
    assert len(said["untouched"]) == sum(each.endswith("begins with its initial value") for each in stated)
    assert sum(not head["ties"] for layer in said["heads"] for head in layer) == sum(
        each.endswith("at no other row") for each in stated
    )
