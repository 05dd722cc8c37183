"""A compile takes no more than it may: steps where a file asks for it, weights for everybody."""

import tracemalloc
from dataclasses import replace

import pytest

import hyloop
from hyloop import Capacity, HyloopError, HyloopWarning, known, trust
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler import compile as compiling
from hyloop.compiler import effort
from hyloop.compiler.effort import TooMuchError, within
from hyloop.lang import Flag, Outputs, algorithm, any, first
from hyloop.lang.text import to_text

PLENTY = 10**9
SMALL = Capacity(8, 1)


def searches(states, levels):
    """Searches that wait for one another, level by level: many heads, and all values wait."""

    @algorithm
    def deep(h):
        flags = [h.vertices.state(Flag, False) for _ in range(states)]
        with h.loop(at_most=h.vertices.count) as loop:
            values = list(flags)
            for _ in range(levels):
                values = [
                    value & (h.vertices.number == first(values[(place + 1) % states]))
                    for place, value in enumerate(values)
                ]
            for flag, value in zip(flags, values, strict=True):
                flag.assign(value)
            loop.stop_when(any(flags[0]))
        return Outputs(**{f"output_{place}": flag for place, flag in enumerate(flags)})

    return deep.program


def steps_of(program, **options):
    with within(PLENTY, PLENTY) as left:
        hyloop.compile(program, SMALL, **options)
    return PLENTY - left.steps


@pytest.fixture
def crafted(tmp_path, monkeypatch):
    """A file with a model of the right states, and a program that is far deeper than its model."""
    monkeypatch.setenv("HYLOOP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(known, "_KNOWN", set())
    path = tmp_path / "deep.safetensors"
    model = hyloop.compile(searches(5, 1), SMALL)
    hyloop.save(replace(model, program=to_text(searches(5, 4)), held=()), path)
    return path


def test_the_same_program_takes_the_same_steps():
    assert steps_of(searches(4, 3)) == steps_of(searches(4, 3)) > 1000


def test_steps_grow_with_the_work():
    assert steps_of(searches(5, 4)) > 3 * steps_of(searches(3, 2))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_what_is_shipped_is_far_from_the_limit(name):
    assert 4 * steps_of(ALGORITHMS[name].program) < compiling.AGAIN


def test_a_file_cannot_ask_for_more_steps(crafted, monkeypatch):
    monkeypatch.setattr(compiling, "AGAIN", 10_000 - hyloop.compile(searches(5, 1), SMALL).parameters)
    with pytest.warns(HyloopWarning, match="is unverified: its program is too large to be compiled again here"):
        model = hyloop.load(crafted)
    assert model.verified == "unverified"


def test_a_file_cannot_ask_for_more_weights_than_a_few_times_its_own(monkeypatch):
    monkeypatch.setattr(compiling, "AGAIN_WEIGHTS", 0)
    shallow = hyloop.compile(searches(5, 1), SMALL)
    deep = hyloop.compile(searches(5, 4), SMALL)
    few = replace(deep, layers=shallow.layers[:1] * len(deep.layers), layout=shallow.layout, held=())
    assert deep.parameters > 3 * few.parameters
    with pytest.raises(TooMuchError, match="too large to compile"):
        compiling.compile_again(searches(5, 4), few)


def test_a_plan_of_other_layers_is_not_made_into_weights(crafted, monkeypatch):
    monkeypatch.setattr(compiling, "emit", lambda *_: pytest.fail("weights were made"))
    with pytest.warns(HyloopWarning, match="its program compiles to another model"):
        hyloop.load(crafted)


def test_a_program_of_other_states_is_not_compiled(monkeypatch):
    monkeypatch.setattr(trust, "compile_again", lambda *_: pytest.fail("compiled again"))
    model = hyloop.compile("components", SMALL)
    other = replace(model, program=to_text(searches(5, 1)))
    assert trust.standing(other).doubt == "its program compiles to another model"


def test_what_was_compiled_is_reproduced_within_the_limits(tmp_path, monkeypatch):
    monkeypatch.setattr(known, "_KNOWN", set())
    monkeypatch.setenv("HYLOOP_CACHE", str(tmp_path / "cache"))
    hyloop.save(hyloop.compile(searches(5, 4), SMALL), tmp_path / "m.safetensors")
    assert hyloop.load(tmp_path / "m.safetensors").verified == "reproduced"


@pytest.mark.usefixtures("collected")
def test_a_model_of_too_many_weights_is_refused_before_they_are_made(monkeypatch):
    model = hyloop.compile(searches(6, 4), SMALL)
    monkeypatch.setattr(effort, "MOST_WEIGHTS", model.parameters // 4)
    tracemalloc.start()
    with pytest.raises(HyloopError, match=r"layers and \d+ columns have at least [\d,]+ weights.* a model has at most"):
        hyloop.compile(searches(6, 4), SMALL)
    assert tracemalloc.get_traced_memory()[1] < 8 * model.parameters
    tracemalloc.stop()


def test_a_model_that_no_file_holds_is_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr("hyloop.machine.files.BYTES", 1000)
    with pytest.raises(HyloopError, match=r"dijkstra has [\d,]+ weights.* a model file has at most 1,000"):
        hyloop.save(hyloop.compile("dijkstra"), tmp_path / "m.safetensors")
    assert not list(tmp_path.iterdir())
