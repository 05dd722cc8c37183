"""`watch`: the values after every iteration are those of the recorded run; what is wrong is refused or reported."""

from dataclasses import replace

import numpy as np
import pytest

import hyloop
from hyloop import HyloopError, Hypergraph, ModelError
from hyloop.execute.prepare import program_of
from hyloop.lang import Count, Flag, Outputs, algorithm
from hyloop.watching import watch, watchable

H = Hypergraph.from_hyperedges(
    {"ab": ["a", "b"], "bc": ["b", "c"], "cd": ["c", "d"]}, weights={"ab": 1.5, "bc": 2, "cd": 1}
)


@pytest.mark.parametrize("backend", ["cpu", "dense", "interpreter"])
def test_states_are_those_of_the_recorded_run(backend):
    recorded = hyloop.trace("dijkstra", H, source="a")
    names = [state.name for state in program_of("dijkstra").states]
    rows = list(watch("dijkstra", H, names, backend=backend, source="a"))
    assert [row.iteration for row in rows] == [*range(1, recorded.iterations + 1)]
    for row in rows:
        at = recorded.at(row.iteration)
        assert row.values == {name: at[name] for name in names}


@pytest.mark.parametrize("backend", ["cpu", "dense", "interpreter"])
@pytest.mark.parametrize("name", ["dijkstra", "projection"])  # projection has a stream
def test_the_result_is_that_of_a_run(name, backend):
    inputs = {"source": "a"} if name == "dijkstra" else {}
    rows = watch(name, H, [], backend=backend, **inputs)
    next(rows)
    found, expected = rows.result, hyloop.run(name, H, backend=backend, **inputs)
    assert found == expected
    assert (found.iterations, found.doubt) == (expected.iterations, expected.doubt)
    assert list(rows) == []
    assert rows.result == expected


def test_values_of_the_loop_are_those_of_the_program():
    rows = list(watch("dijkstra", H, ["edge", "best", "fresh"], source="a"))
    assert [row.values.get("edge") for row in rows] == [None, "ab", "bc", "cd", None]
    assert [row.values.get("best") for row in rows] == [None, 1.5, 3.5, 4.5, None]
    assert "edge" not in rows[0].values  # iteration 1 is what stands before the loop
    assert [v for v, fresh in rows[2].values["fresh"].items() if fresh] == ["c"]


def test_a_name_that_is_not_there_is_refused_at_once():
    with pytest.raises(
        HyloopError, match=r"levels has no variable 'dept' to watch; it has level, .*Did you mean depth\?"
    ):
        watch("levels", H, ["dept"], source="a")
    assert watchable(program_of("levels"))[:4] == ("level", "reached", "touched", "depth")


def test_a_machine_with_other_weights_is_reported():
    model = hyloop.compile("levels", hyloop.Capacity(10, 10))
    last = model.layers[-1]
    nothing = replace(last.mlp, weights=(*last.mlp.weights[:-1], np.zeros_like(last.mlp.weights[-1])))
    wrong = replace(model, layers=(*model.layers[:-1], replace(last, mlp=nothing)))
    with pytest.raises(ModelError, match="After iteration 1 the machine holds another touched than the program says"):
        list(watch(wrong, H, ["touched"], backend="dense", source="a"))


def test_an_input_may_be_called_as_an_argument_of_watch():
    @algorithm
    def counting(h, names: Count):
        n, done = h.state(Count, 0), h.state(Flag, False)
        with h.loop(at_most=2) as loop:
            loop.stop_when(done)
            n.assign(names)
            done.assign(True)
        return Outputs(n=n)

    assert [row.values["n"] for row in watch(counting, H, ["n"], names=7)] == [7, 7]
