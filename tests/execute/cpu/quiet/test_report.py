"""What `hyloop info MODEL --quiet` says."""

from dataclasses import replace

import hyloop
from execute.cpu.quiet import sweep
from execute.cpu.quiet.sweep import compiled, started
from hyloop.execute.cpu.plan import Slow, plan_for
from hyloop.execute.cpu.quiet.report import report
from hyloop.facts import of_sleep
from hyloop.lang import Flag, algorithm


def licences(name):
    return {(each["layer"], each["column"]): each for each in of_sleep(compiled(name))["licences"]}


def test_what_wakes_a_row_and_what_moves_it_otherwise():
    found = licences("dijkstra")
    distance = found[3, "distance"]
    assert distance["sleeps"] == "if temporary 6 = 0"  # it is not one that has just been reached
    assert distance["moved_by"] == ("from temporary 2",)  # or else the key of the hyperedge that is taken
    assert "temporary 1, naming the row" in found[3, "key"]["woken_by"]
    assert found[1, "temporary 3"]["sleeps"] == "always"


def test_it_does_not_depend_on_runs_before():
    before = of_sleep(compiled("bfs"))
    assert sweep.algorithm("bfs", 4) is not None
    assert of_sleep(compiled("bfs")) == before


def test_where_nothing_sleeps_it_says_why():
    model, (X, incidence) = compiled("matching"), started(compiled("matching"), 1)
    plan = plan_for(model, X)
    layers = (*plan.layers[:3], replace(plan.layers[3], slow=(Slow(0, ()),)))
    found = report(replace(plan, layers=layers), [column.name for column in model.layout.columns], X, incidence)
    assert found.refused == "All rows are computed in every iteration: a head of layer 4 has no fast form."


def test_values_that_wake_a_row():
    found = licences("matching")
    assert "temporary 10 of the row that its temporary 9 names" in found[4, "waiting"]["woken_by"]
    assert "temporary 1, naming its label" in licences("label_propagation")[1, "temporary 2"]["woken_by"]


def test_a_model_of_ones_own():
    @algorithm
    def marks(h):
        seen = h.vertices.state(Flag, False)
        with h.loop(at_most=h.vertices.count + 1) as loop:
            loop.stop_when(hyloop.lang.all(seen))
            seen.assign(True)
        return hyloop.lang.Outputs(seen=seen)

    found = of_sleep(hyloop.compile(marks))
    assert not found["refused"]
    assert {each["column"] for each in found["licences"]} >= {"seen"}
