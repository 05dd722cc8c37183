"""What a choice can be where conditions hold: never less than it is, and no more than they leave."""

from itertools import product
from random import Random

import pytest

from hyloop.lang.conditions import VALUES, branches, followed, known
from hyloop.lang.kinds import Kind, Type
from hyloop.lang.program import Op
from hyloop.lang.source import Location

FLAGS = 3  # the first operations of every list
HERE = Location("", 1, 0, 0)


def flag(name, *operands, argument=None):
    return Op(name, operands, argument, Type(Kind.FLAG), HERE)


def count(name, *operands, argument=None):
    return Op(name, operands, argument, Type(Kind.COUNT), HERE)


def drawn(rng):
    """Flags, conditions made of them, numbers, and choices between these under those; the last one is a choice."""
    ops = [flag("input", argument=f"f{place}") for place in range(FLAGS)]
    for _ in range(rng.randint(1, 6)):
        name = rng.choice(["and", "or", "not"])
        ops.append(flag(name, *(rng.randrange(len(ops)) for _ in range(1 if name == "not" else rng.choice([2, 2, 3])))))
    conditions = len(ops)
    ops += [count("constant", argument=place) for place in range(4)]
    for _ in range(rng.randint(1, 7)):
        mask, other = (rng.randrange(conditions) for _ in range(2))
        values = [rng.randrange(conditions, len(ops)) for _ in range(3)]
        chooses_two = rng.random() < 0.5
        made = ("where", mask, *values[:2]) if chooses_two else ("select", values[0], mask, values[1], other, values[2])
        ops.append(count(*made))
    return ops


def value(ops, number, given):
    """What a condition or a choice is: the number of the constant, of a choice."""
    op = ops[number]
    if op.name == "input":
        return given[number]
    if op.name == "constant":
        return number
    if op.name == "where":
        condition, yes, no = op.operands
        return value(ops, yes if value(ops, condition, given) else no, given)
    if op.name == "select":
        pairs = zip(op.operands[1::2], op.operands[2::2], strict=True)
        masked = [each for mask, each in pairs if value(ops, mask, given)]
        return value(ops, masked[-1] if masked else op.operands[0], given)
    parts = [value(ops, each, given) for each in op.operands]
    return not parts[0] if op.name == "not" else all(parts) if op.name == "and" else any(parts)


def leaves(ops, number):
    """The constants that a choice could be, whatever the conditions."""
    inner = [each for chosen, _ in branches(ops[number]) for each in leaves(ops, chosen)]
    return {*inner} if ops[number].name in {"where", "select"} else {number}


@pytest.mark.parametrize("seed", range(150))
def test_a_choice_is_among_the_values_that_it_is_followed_to(seed):
    ops = drawn(Random(seed))
    made = [followed(ops, each, facts, list) for each, facts in branches(ops[-1])]
    found = set()
    for branch in (each for each in made if each is not None):
        found |= {taken.value for taken in branch.finer} if branch.finer else leaves(ops, branch.whole.value)
        assert {taken.value for taken in branch.finer} <= leaves(ops, branch.whole.value)
    real = {value(ops, len(ops) - 1, given) for given in product([False, True], repeat=FLAGS)}
    assert real <= found <= leaves(ops, len(ops) - 1)


@pytest.mark.parametrize("seed", range(60))
def test_facts_contradict_each_other_only_if_they_never_hold_together(seed):
    rng = Random(seed)
    ops = drawn(rng)
    conditions = [number for number, op in enumerate(ops) if op.type.kind is Kind.FLAG]
    facts = [(rng.choice(conditions), rng.random() < 0.5) for _ in range(3)]
    held = [
        given
        for given in product([False, True], repeat=FLAGS)
        if all(value(ops, condition, given) == holds for condition, holds in facts)
    ]
    found = known(ops, facts)
    assert found is not None or not held
    for condition, holds in (found or {}).items():
        assert all(value(ops, condition, given) == holds for given in held)


def test_what_is_overwritten_under_the_same_condition_is_left_out():
    """`where(f, 2, where(f & g, 1, where(f, 0, x)))` is x where f does not hold."""
    ops = [flag("input", argument=f"f{place}") for place in range(2)] + [flag("and", 0, 1)]
    ops += [count("state", argument="x"), *(count("constant", argument=each) for each in range(3))]
    ops += [count("where", 0, 4, 3), count("where", 2, 5, 7), count("where", 0, 6, 8)]
    kept, other = (followed(ops, each, facts, list) for each, facts in branches(ops[-1]))
    assert kept.whole.value == 6
    assert [taken.value for taken in other.finer] == [3]


def test_a_long_chain_under_other_conditions_is_taken_as_a_whole():
    ops = [flag("input", argument=f"f{place}") for place in range(VALUES + 3)]
    ops += [count("state", argument="x"), count("constant", argument=1)]
    state = len(ops) - 2
    for mask in range(VALUES + 3):
        ops.append(count("where", mask, state + 1, len(ops) - 1 if mask else state))
    _, other = (followed(ops, each, facts, list) for each, facts in branches(ops[-1]))
    assert other.whole.value == len(ops) - 2
    assert other.finer == ()


@pytest.mark.parametrize("name", ["and", "or"])
def test_conditions_that_share_many_operands_are_looked_at_once(name):
    """Eight levels of 20 conditions, each of all 20 below: 20^8 ways through them."""
    ops = [flag("input", argument=f"f{place}") for place in range(20)]
    for level in range(8):
        below = range(20 * level, 20 * (level + 1))
        ops += [flag(name, *below) for _ in range(20)]
    top = len(ops)
    ops.append(flag(name, top - 1, top - 2))
    assert known(ops, [(top, name == "or")]) == {top: name == "or"}
    assert known(ops, [(0, name == "or"), (top, name == "and")]) is None
