"""Hoisting: what is begun early changes nothing, and a shadow holds what it is for."""

from dataclasses import replace

import pytest

from compiler.levels import SAMPLES, SEEDS, hoisted, random_program, runs, states, steps, told
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.hoist import candidates, hoist
from hyloop.compiler.lower import lower
from hyloop.compiler.verify import verify_core

# In many random programs there is nothing to hoist, so more of them are drawn.
PROGRAMS = SAMPLES | {
    f"seed {seed}": made for seed in range(SEEDS.stop, 3 * SEEDS.stop) if (made := random_program(seed))
}
CORES = {name: lower(program) for name, program in PROGRAMS.items()}
SOME = [name for name, core in CORES.items() if candidates(core)]


def test_there_are_programs_to_hoist_in():
    assert len(SOME) > 10


@pytest.mark.parametrize("name", SOME)
def test_a_hoisted_program_does_the_same(name):
    program, core = PROGRAMS[name], verify_core(hoisted(CORES[name]))
    assert [state for state in core.states if state.role == "ahead"]
    for h, inputs in runs(program, seed=len(name)):
        before, after = steps(program, h, inputs), steps(core, h, inputs)
        assert [step.halted for step in after] == [step.halted for step in before]
        for one, other in zip(before, after, strict=True):
            assert states(other, program) == states(one, program)


@pytest.mark.parametrize("name", SOME)
def test_every_value_of_the_program_is_still_found(name):
    """That of the same iteration, not the copy which works ahead."""
    program, core = PROGRAMS[name], hoisted(CORES[name])
    for h, inputs in runs(program, seed=len(name), count=2):
        for one, other in zip(steps(program, h, inputs), steps(core, h, inputs), strict=True):
            found = [told(other.values[number], other.infinity) for number in core.origin[one.section]]
            assert found == [told(value, one.infinity) for value in one.values]


@pytest.mark.parametrize("name", SOME)
def test_a_shadow_holds_the_value_of_the_next_iteration(name):
    core = CORES[name]
    for number in candidates(core)[:3]:
        made = hoist(core, number)
        shadow = made.states[-1]
        for h, inputs in runs(core.source, seed=len(name), count=2):
            plain, ahead = steps(core, h, inputs), steps(made, h, inputs)
            held = [told(step.states[shadow.name], step.infinity) for step in ahead[:-1]]
            assert held == [told(step.values[number], step.infinity) for step in plain[1:]]
            first = told(plain[0].values[number], plain[0].infinity)
            entries = first if isinstance(first, list) else [first]
            assert set(entries) <= {int(shadow.initial or 0)}


def test_a_shadow_says_what_it_is():
    core = CORES["helly"]
    [number, *_] = candidates(core)
    made = hoist(core, number)
    shadow = made.states[-1]
    assert shadow.role == "ahead"
    assert shadow.purposes == core[number].purposes != ()
    assert shadow.type == core[number].type
    assert made.source is ALGORITHMS["helly"].program
    assert [state.role for state in made.states[:-1]] == [state.role for state in core.states]


def test_copies_keep_what_they_are_for_one_iteration_ahead():
    core = CORES["helly"]
    [number, *_] = candidates(core)
    made = hoist(core, number)
    copy = made[made.body.updates["ahead 1"]]
    assert copy.purposes == tuple(replace(each, ahead=True) for each in core[number].purposes)


def test_a_program_that_was_hoisted_in_is_left_as_it_was():
    core = CORES["helly"]
    ops, states_ = core.body.ops, core.states
    hoisted(core)
    assert (core.body.ops, core.states) == (ops, states_)
