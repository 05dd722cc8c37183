"""Results are read from the states of a run: each iteration once, and no state that is not needed."""

from dataclasses import replace

import pytest

import hyloop
from hyloop import Capacity, HyloopError, Hypergraph, ModelError
from hyloop.checkpoint import Checkpoint
from hyloop.execute.decode import Reader, States
from hyloop.execute.loop import iterate
from hyloop.execute.prepare import encoded, given_to, program_of

H = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"], ["c", "d"]])


def run_of(name, **inputs):
    model = hyloop.compile(name, Capacity(20, 20))
    given = given_to(program_of(model), H, inputs)
    return model, given, encoded(model, given).start("cpu")


def shown(reader, session, limit=50, began=0):
    """Show a reader every iteration; how often it asked for the state."""
    asked = []

    def state():
        asked.append(session.state())
        return asked[-1]

    for pause in iterate(session, limit, began=began):
        reader.read(state, pause.iteration, halted=pause.halted)
        reader.read(state, pause.iteration, halted=pause.halted)  # it has seen this one
    return len(asked)


def test_without_streams_only_the_last_state_is_asked_for():
    model, given, session = run_of("levels", source="a")
    reader = Reader(model, given)
    assert shown(reader, session) == 1
    assert reader.halted
    assert reader.result("cpu", "compiled")["level"] == {"a": 0, "b": 1, "c": 2, "d": 3}


@pytest.mark.parametrize("number", [2.0**53, -(2.0**60), float("inf"), float("nan")])
def test_no_result_is_read_where_an_unverified_model_has_left_the_exact_range(number):
    model, given, session = run_of("levels", source="a")
    for _ in iterate(session, 50):
        pass
    X = session.state()
    X[2, 0] = number  # of no state of the program
    Reader(model, given).read(lambda: X, 4, halted=True)
    with pytest.raises(ModelError, match=r"^After iteration 4 the machine holds .* are exact below 9,007,"):
        Reader(replace(model), given).read(lambda: X, 4, halted=True)
    X[2, 0] = 2.0**53 - 1
    Reader(replace(model), given).read(lambda: X, 4, halted=True)


def test_what_is_streamed_is_collected_once_an_iteration():
    model, given, session = run_of("projection")
    reader = Reader(model, given)
    asked = shown(reader, session)
    assert asked == reader.iterations
    expected = hyloop.run("projection", H, backend="interpreter")
    assert reader.result("interpreter", "unverified").streams == expected.streams


def test_a_resumed_run_goes_on_with_what_was_streamed():
    model, given, session = run_of("projection")
    whole = Reader(model, given)
    shown(whole, session)
    model, given, session = run_of("projection")
    first = Reader(model, given)
    shown(first, session, limit=2)
    assert not first.halted
    kept = Checkpoint("", "", 2, session.state(), {name: tuple(each) for name, each in first.streams.items()})
    second = Reader(model, given, resumed=kept)
    shown(second, encoded(model, given).start("cpu", resumed=kept.X), began=2)
    assert second.iterations == whole.iterations
    assert second.streams == whole.streams


def test_the_checkpoint_of_a_run_that_had_ended_has_its_result():
    model, given, session = run_of("projection")
    whole = Reader(model, given)
    shown(whole, session)
    kept = Checkpoint("", "", whole.iterations, session.state(), whole.streams)
    again = Reader(model, given, resumed=kept)
    shown(again, encoded(model, given).start("cpu", resumed=kept.X), began=kept.iterations)
    assert again.result("cpu", "compiled") == whole.result("cpu", "compiled")


def test_a_run_that_has_shown_nothing_has_no_result():
    model, given, _ = run_of("levels", source="a")
    with pytest.raises(HyloopError, match="has no state to read a result from"):
        Reader(model, given).result("cpu", "compiled")


def test_states_are_read_by_name():
    model, given, session = run_of("levels", source="a")
    session.advance(50)
    states = States(model, program_of(model), session.state(), given.counts)
    assert list(states) == [state.name for state in program_of(model).states]
    assert len(states) == len(program_of(model).states)
    assert states["level"].tolist() == [0, 1, 2, 3]
