"""Lowering: the program that comes of it does the same; constant masks, and flags that are set on every row."""

from dataclasses import replace

import pytest

import hyloop
from compiler.levels import SAMPLES, runs, states, steps, told
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler import lower as lowering
from hyloop.compiler.lower import lower
from hyloop.compiler.verify import CompilerError, verify_core
from hyloop.lang import Count, Flag, Hyperedge, LanguageError, Outputs, Vertex, algorithm, any, where
from hyloop.lang.ops import CORE
from hyloop.lang.verify import verify

H = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"], ["c", "d", "e"]])


def never(h):
    x = h.vertices.state(Count, 1)
    yield x
    x.assign(5, where=False)


def always(h):
    x = h.vertices.state(Count, 1)
    yield x
    x.assign(5, where=True)


def always_a_sum(h):
    x = h.vertices.state(Count, 1)
    yield x
    x.assign(x + 2, where=True)


def one_value_over_many(h):
    x, one = h.vertices.state(Count, 1), h.state(Count, 3)
    yield x
    x.assign(one + 1, where=True)


def never_after_always(h):
    x = h.hyperedges.state(Count, 1)
    yield x
    x.assign(2, where=True)
    x.assign(7, where=False)


def always_after_some(h):
    x = h.vertices.state(Count, 1)
    yield x
    x.assign(2, where=h.vertices.number > h.vertices.number[x_first(h)])
    x.assign(3, where=True)


def some_after_always(h):
    x = h.vertices.state(Count, 1)
    yield x
    x.assign(3, where=True)
    x.assign(2, where=h.vertices.number > x_first(h))


def x_first(h):
    return hyloop.lang.first(h.vertices.every)


def a_flag_never(h):
    x = h.state(Flag, False)
    yield x
    x.assign(True, where=False)


def a_pointer_kept_on_no_row(h):
    """The negated flag is set on every row, past the last one too: its negation must be 0 there, not -1."""
    after = h.hyperedges.state(Hyperedge)
    yield after
    after.assign(after, where=~where(h.hyperedges.every, True, True))
    after.assign(after + 1, where=h.hyperedges.every)


def a_number_where_nothing_is_lacking(h):
    kept = h.vertices.state(Vertex)
    yield kept
    kept.assign(h.vertices.number, where=~where(kept.is_none, True, True))


def nothing_is_lacking(h):
    lacking = h.state(Flag, True)
    yield lacking
    lacking.assign(any(~where(h.vertices.every, True, lacking)))


PROGRAMS = [
    never,
    always,
    always_a_sum,
    one_value_over_many,
    never_after_always,
    always_after_some,
    some_after_always,
    a_flag_never,
    a_pointer_kept_on_no_row,
    a_number_where_nothing_is_lacking,
    nothing_is_lacking,
]


def looped(steps, *, begins):
    """The program whose loop takes the steps twice, with or without a statement before the loop."""

    def whole(h):
        clock = h.state(Count, 0)
        taken = steps(h)
        x = next(taken)
        if begins:
            clock.assign(0)
        with h.loop(at_most=3) as loop:
            next(taken, None)
            clock.assign(clock + 1)
            loop.stop_when(clock >= 2)
        return Outputs(x=x)

    return algorithm(whole).program


@pytest.mark.parametrize("begins", [False, True])
@pytest.mark.parametrize("schedule", ["packed", "one operation per layer"])
@pytest.mark.parametrize("steps", PROGRAMS, ids=lambda steps: steps.__name__)
def test_transformer_agrees_with_the_interpreter(steps, schedule, begins):
    model = hyloop.compile(looped(steps, begins=begins), schedule=schedule)
    checked = hyloop.check(model, H)
    assert checked.difference is None, str(checked.difference)
    assert checked.iterations == 2 + begins


# -- lowering as a pass: the interpreter runs both ------------------------------------------------------------------


CORNERS = {f"{steps.__name__} {begins}": looped(steps, begins=begins) for steps in PROGRAMS for begins in (False, True)}


@pytest.mark.parametrize("name", [*SAMPLES, *CORNERS])
def test_a_lowered_program_does_the_same(name):
    program = (SAMPLES | CORNERS)[name]
    core = verify_core(lower(program))
    for h, inputs in runs(program, seed=len(name)):
        before, after = steps(program, h, inputs), steps(core, h, inputs)
        assert [step.halted for step in after] == [step.halted for step in before]
        for one, other in zip(before, after, strict=True):
            assert states(other, program) == states(one, program)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_value_of_the_program_is_found_in_the_lowered_one(name):
    program = SAMPLES[name]
    core = lower(program)
    for h, inputs in runs(program, seed=len(name), count=2):
        for one, other in zip(steps(program, h, inputs), steps(core, h, inputs), strict=True):
            found = [told(other.values[number], other.infinity) for number in core.origin[one.section]]
            assert found == [told(value, one.infinity) for value in one.values]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_lowered_program_has_core_operations_only_and_is_one_loop(name):
    core = lower(SAMPLES[name])
    assert {op.name for op in core.body.ops} <= CORE
    assert not core.before.ops
    assert core.source is SAMPLES[name]
    assert [state.role for state in core.states if state.role != "written"] == ["started"] * core.source.begins
    assert core.most_iterations(3, 4) == core.source.most_iterations(3, 4)


def test_what_users_may_write_is_refused_in_the_core_and_the_other_way_round():
    core = lower(ALGORITHMS["levels"].program)
    with pytest.raises(LanguageError):
        verify(core)
    first = core.body.ops[0]
    ops = (*core.body.ops, replace(first, name="touching", operands=(0,)))
    with pytest.raises(CompilerError, match="touching is no core operation"):
        verify_core(replace(core, body=replace(core.body, ops=ops)))


def test_a_wrong_lowering_is_noticed(monkeypatch):
    """The comparison itself can fail."""
    monkeypatch.setitem(lowering.LOWER, "touching", lowering.LOWER["containing"])
    monkeypatch.setitem(lowering.LOWER, "min", lambda made, op, args: made.op("max", args, op.type))
    program = ALGORITHMS["dijkstra"].program
    core = lower(program)
    [(h, inputs)] = runs(program, seed=1, count=1)
    ends = [states(steps(each, h, inputs)[-1], program) for each in (program, core)]
    assert ends[0] != ends[1]
