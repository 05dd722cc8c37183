"""Checks on many hypergraphs: what is found is named, the others go on, and it is told how much was tested."""

import json
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import hyloop
from hyloop import Capacity, HyloopError, Hypergraph
from hyloop.hypergraph import Annotations, IncidenceRecord
from hyloop.io import edge_list
from hyloop.lang import Count, Flag, Hyperedges, Outputs, Vertex, Vertices, algorithm
from hyloop.lang import any as any_of
from hyloop.machine.layer import Mlp
from hyloop.result import Stream
from hyloop.survey import Finding

H = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[1, 2])


@algorithm
def impatient(h, source: Vertex):
    """It stops once all vertices are reached: never, where some cannot be."""
    seen = h.vertices.state(Flag, False)
    seen[source] = True
    with h.loop(at_most=h.vertices.count) as loop:
        loop.stop_when(~any_of(~seen))
        seen.assign(True, where=h.covered(h.touching(seen)))
    return Outputs(seen=seen)


@pytest.fixture(scope="module")
def model():
    return hyloop.compile("dijkstra", Capacity(20, 1000))


@pytest.fixture(scope="module")
def broken(model):
    """A weight is changed that matters on some hypergraphs only: one that writes predecessors."""
    column = model.layout.number("predecessor")
    places = [
        (n, int(unit)) for n, each in enumerate(model.layers) for unit in each.mlp.weights[3][:, column].nonzero()[0]
    ]
    changed = (with_more(model, layer, unit, column) for layer, unit in places)
    return next(each for each in changed if not hyloop.check(each, H, source="a").agrees)


def with_more(model, number, unit, column):
    layer = model.layers[number]
    weights = [weight.copy() for weight in layer.mlp.weights]
    weights[3][unit, column] += 1
    changed = replace(layer, mlp=Mlp(tuple(weights), layer.mlp.purposes))
    return replace(model, layers=(*model.layers[:number], changed, *model.layers[number + 1 :]))


def test_what_agrees(model):
    told = []
    found = hyloop.check_random(model, 50, progress=told.append)
    assert found.agrees
    assert (found.inputs, found.findings, told[-1]) == (50, (), 50)
    assert found.shortest <= found.iterations / 50 <= found.longest
    assert 0 < found.changed <= 50
    assert 40 <= found.distinct <= 50
    assert found.largest_weight <= 1000
    assert str(found).startswith(
        f"dijkstra: 0 differences on 50 hypergraphs, {found.iterations:,} iterations, {found.compared:,} values "
        f"compared.\nThe loop changed a state in {found.changed} of 50 runs; "
        f"{found.shortest} to {found.longest} iterations a run; "
        f"{found.distinct} different inputs, up to {found.vertices} vertices, {found.hyperedges} hyperedges and weight "
    )


def test_the_figures_are_those_of_single_checks(model):
    drawn = [(H, {"source": source}) for source in "abc"]
    alone = [hyloop.check(model, h, **inputs) for h, inputs in drawn]
    found = hyloop.check_many(model, drawn)
    assert found.iterations == sum(each.iterations for each in alone)
    assert found.compared == sum(each.compared for each in alone)
    assert found.changed == sum(each.changed for each in alone)
    assert (found.vertices, found.hyperedges, found.largest_weight, found.distinct) == (3, 2, 2, 3)


def test_a_difference_does_not_end_it(broken):
    found = hyloop.check_random(broken, 40)
    assert not found.agrees
    assert 1 < found.count("differs") == len(found.findings) < 40
    assert found.inputs == 40
    first = found.findings[0]
    again = hyloop.check(broken, edge_list.read(first.edge_list), **first.inputs)
    assert str(again.difference) == first.told
    assert first.name.startswith("random hypergraph ")
    assert f"{found.count('differs')} differences on 40 hypergraphs" in found.verdict


def test_what_does_not_stop_is_named_and_the_others_go_on():
    found = hyloop.check_random(impatient, 40)
    endless = [each for each in found.findings if each.wrong == "did not stop"]
    assert endless == list(found.findings)
    assert 0 < len(endless) < 40
    first = endless[0]
    assert str(first) == (
        f"{first.name}, source = {first.inputs['source']}: it did not stop within the "
        f"{len(first.hypergraph.vertices) + 1} iterations that it declares (`at_most`)."
    )
    assert f"0 differences, {len(endless)} did not stop on 40 hypergraphs" in found.verdict
    with pytest.raises(HyloopError, match="did not stop"):
        hyloop.run(impatient, first.hypergraph, **first.inputs)


def test_a_condition_under_which_it_stops():
    found = hyloop.check_random(impatient, 40, connected=True)
    assert found.agrees
    assert found.rejected == {"connected": found.tried - 40}
    assert found.rejected["connected"] > 0
    assert hyloop.check_random(impatient, 20, graphs=True, connected=True, where=lambda h: len(h.vertices) > 2).agrees


def by_hand(h, source):
    """Bellman and Ford."""
    distance = {source: Fraction(0)}
    for _ in h.vertices:
        for label in h.hyperedges:
            members = [v for v in h.members_of(label) if v in distance]
            if members:
                near = min(distance[v] for v in members) + h.weight_of(label)
                distance |= {v: near for v in h.members_of(label) if v not in distance or distance[v] > near}
    return {"distance": distance}


def test_an_answer_of_ones_own(model):
    found = hyloop.check_random(model, 60, against=by_hand)
    assert (found.agrees, found.answered) == (True, 60)
    assert "0 other answers" in found.verdict


def test_another_answer(model):
    def mine(h, source):  # wrong, for most sources
        return {"distance": {"a": 0, "b": 1, "c": 3}}

    found = hyloop.check_many(
        model,
        [(H, {"source": "a"}), (H, {"source": "b"})],
        against=mine,
    )
    [other] = found.findings
    assert other.wrong == "another answer"
    assert other.told == "distance of vertex 'a' is 1 here, 0 in the answer (2 more)."
    assert other.inputs == {"source": "b"}
    assert found.answered == 2


def test_streams_are_compared(model):
    seen = []

    def answer(h):
        result = hyloop.run("projection", h, backend="interpreter")
        [(name, stream)] = result.streams.items()
        assert isinstance(stream, Stream)
        seen.append(len(stream.entries))
        return {name: [(entry.about, entry.values) for entry in stream.entries]}

    found = hyloop.check_random("projection", 12, against=answer)
    assert found.agrees
    assert max(seen) > 1


def test_an_answer_that_fails_says_where(model):
    def fails(h, source):
        return {"distance": h.weights[99]}

    with pytest.raises(HyloopError) as caught:
        hyloop.check_many(model, [(H, {"source": "a"})], against=fails)
    line = fails.__code__.co_firstlineno + 1
    assert str(caught.value) == (
        "test_survey.py:fails fails on hypergraph 0, source = a, [['a', 'b'], ['b', 'c']]: "
        f"test_survey.py:{line}: IndexError: tuple index out of range."
    )


def test_what_cannot_be_run_is_named(model):
    heavy = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[1, 5000])
    found = hyloop.check_many(model, [H, heavy, H])
    [refused] = found.findings
    assert (refused.wrong, refused.name, found.inputs) == ("refused", "hypergraph 1", 3)
    assert "at most 1,000" in refused.told
    assert "1 refused" in found.verdict


def test_nothing_happens_and_it_is_said(model):
    still = Hypergraph.from_hyperedges([], vertices=["a", "b"])
    found = hyloop.check_many(model, [still, still])
    assert found.changed == 0
    assert found.distinct <= 2
    assert found.remarks == (
        "In most runs the loop changed nothing: this says little. Choose inputs on which it does something.",
    )


def test_inputs_that_are_given_are_the_same_on_all_random_hypergraphs():
    def cored(h, k):
        assert k == 2
        return hyloop.run("k_core", h, k=k)

    found = hyloop.check_random("k_core", 12, inputs={"k": 2}, against=cored, processes=1)
    assert (found.agrees, found.answered) == (True, 12)
    with pytest.raises(HyloopError, match=r"k_core has no input 'kk'; it takes k\.$"):
        hyloop.check_random("k_core", 3, inputs={"kk": 2})
    with pytest.raises(HyloopError, match="source is a vertex, and random hypergraphs differ in their labels"):
        hyloop.check_random("bfs", 3, inputs={"source": 1})


@algorithm
def idle(h, rounds: Count):
    """Count to `rounds`."""
    done = h.state(Count, 0)
    with h.loop(at_most=h.vertices.count + 1) as loop:
        loop.stop_when(done >= rounds)
        done.assign(done + 1)
    return Outputs(done=done)


def test_it_is_said_which_input_may_be_given_where_nothing_happens():
    found = hyloop.check_random(idle, 6, inputs={"rounds": 0})
    assert any("--input rounds=VALUE is the same for all" in each for each in found.remarks)


def test_the_document(broken):
    found = hyloop.check_random(broken, 20)
    document = json.loads(json.dumps(found.document()))
    assert document["agrees"] is False
    assert document["difference"] == str(found.findings[0])
    assert len(document["findings"]) == len(found.findings)
    first = document["findings"][0]
    assert edge_list.read(first["edge_list"]) == found.findings[0].hypergraph
    assert {"inputs", "iterations", "compared", "changed", "largest_weight", "tried"} <= document.keys()


def test_nothing_to_compare(model):
    with pytest.raises(HyloopError, match="Nothing was compared: dijkstra needs a vertex"):
        hyloop.check_many(model, [Hypergraph.from_hyperedges([])])
    with pytest.raises(HyloopError, match="There is no executor 'gpu'"):
        hyloop.check_random(model, 3, backend="gpu")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda model: hyloop.check_random(model, -1), "The count is a whole number of at least 0, not -1."),
        (lambda model: hyloop.check_random(model, 2.0), "The count is a whole number of at least 0, not 2.0."),
        (lambda model: hyloop.check_random(model, 2, inputs=3), "inputs is a dictionary of values by the names of"),
        (lambda model: hyloop.check_random(model, 0), "Nothing is compared on 0 hypergraphs; ask for 1 or more."),
        (lambda model: hyloop.check_random(model, 2.5), "The count is a whole number"),
        (lambda model: hyloop.check_random(model, 2, seed=-1), "The seed is a whole number"),
        (lambda model: hyloop.check_many(model, [(H, 3)]), "given by name, in a dictionary; not as 3"),
        (lambda model: hyloop.check_random(model, 2, processes=0), "processes is how many run at a time"),
        (lambda model: hyloop.check_many(model, [H], processes="x"), "processes is how many run at a time"),
        (lambda model: hyloop.check_many(model, [DIRECTED]), "directed"),
        (lambda model: hyloop.check(model, DIRECTED, source="a"), "directed"),
    ],
)
def test_mistakes(model, call, says):
    with pytest.raises(HyloopError, match=says):
        call(model)


DIRECTED = Hypergraph.from_hyperedges(
    {"x": ["a", "b"]}, annotations=Annotations(incidences={("x", "a"): (IncidenceRecord("head"),)})
)


def test_an_input_that_the_algorithm_has_not(model):
    [refused] = hyloop.check_many(model, [(H, {"source": "a", "sink": "b"})]).findings
    assert refused.wrong == "refused"
    assert "has no input 'sink'" in refused.told


# -- answers that do something when they are looked at ---------------------------------------------------------------


class Ends(float):
    """A number that ends Python when it is compared."""

    def __eq__(self, other):
        raise SystemExit(0)

    __hash__ = float.__hash__


class Silent:
    """Something that cannot be shown."""

    def __repr__(self):
        raise RuntimeError("no words")


class Gone(dict):
    """A dictionary that cannot be read."""

    def items(self):
        raise SystemExit(0)


HOSTILE = {
    "ends": (lambda h, **_: {"level": dict.fromkeys(h.vertices, Ends(1))}, "it ends Python (sys.exit)."),
    "cannot be read": (lambda *_, **__: Gone(level=1), "it ends Python (sys.exit)."),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_an_answer_that_does_something_when_it_is_compared(name):
    answer, told = HOSTILE[name]
    with pytest.raises(HyloopError) as caught:
        hyloop.check_random("levels", 3, against=answer, processes=1)
    assert str(caught.value).startswith("test_survey.py:<lambda> fails on ")
    assert str(caught.value).endswith(told)


SHOWN = r"a Silent \(its repr raises RuntimeError\)"


def test_an_answer_that_cannot_be_shown():
    with pytest.raises(HyloopError, match=f"<lambda> returns {SHOWN}; expected is a dictionary of outputs"):
        hyloop.check_random("levels", 3, against=lambda *_, **__: Silent(), processes=1)
    found = hyloop.check_many("levels", [H], against=lambda h, **_: {"level": [Silent() for _ in h.vertices]})
    assert re.search(SHOWN, str(found.findings[0]))


def test_a_condition_that_cannot_be_shown():
    with pytest.raises(HyloopError, match=f"returns {SHOWN} for the hypergraph .*; expected is True or False"):
        hyloop.check_random("levels", 3, where=lambda _: Silent(), processes=1)


@pytest.mark.parametrize("given", [5, None, np.array(5)], ids=repr)
def test_what_has_no_items_is_refused(given):
    with pytest.raises(HyloopError, match="Several hypergraphs are needed, as a list or an iterator; not "):
        hyloop.check_many("levels", given)
    with pytest.raises(HyloopError, match="Several hypergraphs are needed, as a list or an iterator; not "):
        hyloop.run_many("levels", given, source=1)


def test_integers_of_numpy_count_as_those_of_python():
    one = hyloop.check_random("bfs", np.int64(5), seed=np.uint8(3), processes=np.int64(1))
    assert one.document() == hyloop.check_random("bfs", 5, seed=3).document()


def test_labels_in_json_are_told_from_counts():
    long = 2**53 + 1
    kinds = {"source": "vertex", "n": "count"}
    h = Hypergraph.from_hyperedges([[long]])
    found = Finding("differs", "it", "told", h, {"source": long, "n": long}, kinds=kinds).document()
    assert found["inputs"] == {"source": {"integer": str(long)}, "n": str(long)}
    one = hyloop.check_many("levels", [(h, {"source": long})]).document()
    assert one["given"] == {"source": {"integer": str(long)}}


def test_inputs_are_those_of_the_moment_that_they_came():
    h, buffer = Hypergraph.from_hyperedges([["a", "b", "c"]]), [0, 0, 0]

    def calls():
        for number in range(4):
            buffer[:] = [number] * 3
            yield h, {"positive": buffer, "negative": [0, 0, 0], "budget": 0}

    assert hyloop.check_many("subleq", calls()).distinct == 4


FLAGS = {"set": {"a"}, "list": [True, False], "array": np.array([True, False]), "dict": {"a": True, "b": False}}


@pytest.mark.parametrize("start", FLAGS.values(), ids=FLAGS)
def test_arrays_may_be_given_in_every_way(start):
    @algorithm
    def spread(h, start: Vertices[Flag]):
        """A flag of each vertex."""
        marked = h.vertices.state(Flag, False)
        with h.loop(at_most=1) as loop:
            marked.assign(start)
            loop.stop_when(True)
        return Outputs(marked=marked)

    h = Hypergraph.from_hyperedges([["a", "b"]])
    found = hyloop.check_many(spread, [(h, {"start": start}), (h, {"start": {"b"}}), (h, {"start": {"b"}})])
    assert found.agrees
    assert found.distinct == 2
    assert json.loads(json.dumps(found.document()))["inputs"] == 3


def test_what_is_refused_of_the_inputs_is_told_as_it_was_given():
    h = Hypergraph.from_hyperedges([["a", "b"]])
    found = hyloop.check_many("subleq", [(h, {"positive": [1, float("nan")], "negative": [0, 0], "budget": 0})])
    assert [each.wrong for each in found.findings] == ["refused"]
    assert json.loads(json.dumps(found.document()))["findings"][0]["inputs"]["positive"] == "[1, nan]"


def test_what_ones_own_function_changes_is_not_what_was_run():
    """What was told as the input that differs was what the function had made of it."""

    @algorithm
    def toll(h, fee: Hyperedges[Count]):
        cost = h.hyperedges.state(Count, 0)
        cost.assign(fee)
        with h.loop(at_most=1) as loop:
            loop.stop_when(True)
        return Outputs(cost=cost)

    def changing(h, fee):
        for label in fee:
            fee[label] = 0
        return {"cost": fee}

    h = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay"]})
    [found] = hyloop.check_many(toll, [(h, {"fee": {"ferry": 5}})], against=changing).findings
    assert (found.inputs, found.wrong) == ({"fee": {"ferry": 5}}, "another answer")
