"""Bounds that are counted from a reset, and when they are not."""

import pytest

import hyloop
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.lower import lower
from hyloop.lang import Count, Outputs, algorithm
from hyloop.lang.bounds import BasicBlock, Limits, bounds_of, limits_of, parts_of
from hyloop.lang.clocks import assigned, clocks_of, timed
from hyloop.lang.kinds import Kind, Type
from hyloop.lang.program import Op
from hyloop.lang.source import Location
from hyloop.prove import prove


@algorithm
def resetting(h):
    """`reset` starts anew with the inner loop, `kept` does not, `late` only after its first round."""
    reset, kept, late, twice = (h.state(Count, 0) for _ in range(4))
    done = h.state(Count, 0)
    with h.loop(at_most=h.vertices.count * h.vertices.count + 1) as outer:
        reset.assign(3)
        twice.assign(0)
        with h.loop(at_most=h.hyperedges.count + 1) as inner:
            late.assign(0)
            reset.assign(reset + 5)
            twice.assign(twice + reset)
            kept.assign(kept + 1)
            inner.stop_when(reset > h.hyperedges.count)
            late.assign(late + 1)
        done.assign(done + 1)
        outer.stop_when(done == h.vertices.count)
    return Outputs(reset=reset, kept=kept, late=late, done=done)


def bounds(program, rows):
    return bounds_of(program, limits_of(program, rows, 1))


def test_the_bound_is_counted_from_the_reset():
    found = bounds(resetting.program, 100)
    assert found.clocked.keys() >= {"reset"}
    assert found.clocked["reset"].clock == "rounds"
    assert found.states["reset"][1] == 0
    assert found.at_end(found.states["reset"]) <= 3 + 5 * (101 + 3)  # 101 rounds at most, and the slack of the search
    assert found.at_end(found.states["late"]) <= 4
    assert found.at_end(found.states["kept"]) > 100_000  # all iterations
    assert "kept" not in found.clocked


def test_what_may_survive_a_reset_of_the_clock_has_none():
    parts, states = parts_of(resetting.program), {state.name: state for state in resetting.program.states}
    [clock] = clocks_of(parts, list(states.values()))
    assert clock.state == "rounds"
    assert timed(parts, states["reset"], clock) is not None
    assert timed(parts, states["kept"], clock) is None
    assert timed(parts, states["rounds"], clock) is None


def test_a_sum_of_what_grows_has_a_bound_at_all():
    """`twice` adds what grows with the same clock; since that ends, it grows by a constant, over all iterations."""
    found = bounds(resetting.program, 10)
    assert "twice" not in found.clocked
    assert found.states["twice"][1] == found.at_end(found.states["reset"]) + 5


@pytest.mark.parametrize("name", ALGORITHMS)
def test_only_programs_with_loops_in_loops_have_clocks(name):
    program = ALGORITHMS[name].program
    names = {clock.state.rstrip("_") for clock in clocks_of(parts_of(program), program.states)}  # of several loops
    assert names == ({"rounds", "times"} if "phase" in {state.name for state in program.states} else set())


def test_what_follows_an_inner_loop_is_counted_too():
    found = bounds_of(ALGORITHMS["closeness"].program, Limits(1000, 1000, {}))
    assert {name: each.clock for name, each in found.clocked.items()} == {
        "distance": "rounds",
        "key": "rounds",
        "phase": "rounds",
        "farness": "times",
        "connected": "times",
    }
    assert found.at_end(found.states["key"]) < 1_010_000
    assert found.at_end(found.states["farness"]) < 1_010_000_000


def test_a_deep_nest_of_flags_is_read_once():
    """Each flag is the `and` of the one before with itself: the number of ways through them is 2³⁰⁰."""
    flag, where = Type(Kind.FLAG), Location("", 1, 0, 0)
    ops = [Op("state", (), "f", flag, where)]
    ops += [Op("and", (number, number), None, flag, where) for number in range(300)]
    ops.append(Op("where", (300, 0, 0), None, flag, where))
    block = BasicBlock(ops, {"g": 301})
    assert next(assigned(block, "g")) == (frozenset([0]), 0)


@algorithm
def set_before(h):
    """`x` is assigned before all loops, and again under the same flags in the loop."""
    x, y = h.state(Count, 1), h.state(Count, 0)
    x.assign(x - 1)
    with h.vertices.each():
        x.assign(0)
        y.assign(y + 7)
        y.assign(0)
        with h.hyperedges.each():
            x.assign(x + 1)
            y.assign(y + 1)
    return Outputs(x=x, y=y)


def test_what_is_set_before_all_loops_is_bounded_by_its_clock():
    found = bounds(set_before.program, 100)
    assert {name: each.clock for name, each in found.clocked.items() if name in "xy"} == {"x": "rounds", "y": "rounds"}
    assert found.at_end(found.states["x"]) <= 105


def test_the_core_and_the_source_have_the_same_bound():
    """The gates of a model have the core's, and the prover relies on the other."""
    core = lower(set_before.program)
    source, lowered = bounds(set_before.program, 100), bounds(core, 100)
    for name in "xy":
        assert source.at_end(source.states[name]) <= lowered.at_end(lowered.states[name])
    assert prove(hyloop.compile(set_before)).answer == "proved"


def test_what_is_overwritten_under_the_same_flags_is_no_assignment():
    before = [value for _, value in assigned(parts_of(set_before.program)[1], "y")]
    assert len(before) == 2  # of three in the loop: `y + 7` never lasts
