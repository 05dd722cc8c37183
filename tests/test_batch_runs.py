"""An algorithm on a packed batch: arrays that say what `hyloop.run` says of each hypergraph by itself."""

import pickle
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import hyloop
from batch_cases import case, held
from effort import every
from execute.cuda.lockstep import needs_compiler
from hyloop import Capacity, CapacityError, HyloopError, Hypergraph, HypergraphBatch, batch_runs
from hyloop.algorithms import ALGORITHMS
from hyloop.batch_runs import fitted, limits, random_inputs, run_packed
from hyloop.errors import HyloopWarning
from hyloop.execute import cplusplus
from hyloop.execute.cuda.machines import Cpu, LockStep
from hyloop.execute.given import Attribute
from hyloop.execute.session import IterationLimitError
from hyloop.fitting import compiled
from hyloop.lang import Count, Flag, Hyperedges, Length, Outputs, Vertex, Vertices, algorithm, at_most, quotient
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.matrices import uses_direction
from hyloop.memory import NotEnoughMemoryError

STREAMS = {"projection", "all_pairs"}


def batch_for(program, count, **options):
    sizes = {"vertices": (1, 7), "hyperedges": (1, 7), "sizes": (0, 4), **options}
    return HypergraphBatch.random(count, seed=11, directed=uses_direction(program), **sizes)


def value_of(each, number):
    if each.type.kind.is_pointer:
        return int(number) or None
    return bool(number) if each.type.kind is Kind.FLAG else int(number)


def labelled(program, batch, inputs, place):
    """The inputs of one hypergraph as `hyloop.run` takes them: its labels are the numbers."""
    found = {}
    for each in program.inputs:
        values = inputs[each.name]
        if each.type.scope is Scope.SCALAR:
            found[each.name] = value_of(each, values[place])
            continue
        at = batch.vertex_at if each.type.scope is Scope.VERTICES else batch.hyperedge_at
        found[each.name] = [value_of(each, value) for value in values[at[place] : at[place + 1]]]
    return found


def agree(found, program, inputs):
    for place, h in enumerate(found.batch):
        alone = hyloop.run(program, h, backend="interpreter", **labelled(program, found.batch, inputs, place))
        assert dict(found[place]) == dict(alone), f"hypergraph {place}"
        assert found[place].iterations == alone.iterations == found.iterations[place]


@pytest.mark.parametrize("name", every(5, (name for name in ALGORITHMS if name not in STREAMS)))
def test_the_cpu_takes_a_batch(name):
    program = ALGORITHMS[name].program
    batch = batch_for(program, 3)
    inputs = random_inputs(program, batch)
    agree(run_packed(program, batch, inputs, backend="cpu"), program, inputs)


@needs_compiler
def test_so_does_a_gpu_in_lock_step():
    program = ALGORITHMS["dijkstra"].program
    batch = batch_for(program, 8)
    inputs = random_inputs(program, batch)
    told = []
    found = run_packed(program, batch, inputs, machine=LockStep(), progress=told.append)
    agree(found, program, inputs)
    assert (found.backend, len(found), told) == ("cuda", 8, [8])
    same = run_packed(program, batch, inputs, backend="cpu")
    assert found.infinity == same.infinity
    assert found.array("distance").tolist() == same.array("distance").tolist()
    assert all(np.array_equal(found.arrays[name], same.arrays[name]) for name in same.arrays)
    assert found.halted.all()


@needs_compiler
def test_a_large_batch_on_the_cpu_is_run_at_once(monkeypatch):
    program = ALGORITHMS["levels"].program
    batch = batch_for(program, 20)
    inputs = random_inputs(program, batch)
    one_by_one = run_packed(program, batch, inputs, backend="cpu")
    monkeypatch.setattr(batch_runs, "MANY", 20)
    monkeypatch.setattr(batch_runs, "PORTION", 8)
    monkeypatch.setattr(batch_runs, "Cpu", lambda: Cpu(0))
    monkeypatch.setattr(batch_runs, "_one", None)  # nothing is run by itself
    told = []
    found = run_packed(program, batch, inputs, backend="cpu", progress=told.append)
    assert told == [8, 16, 20]
    assert found.backend == one_by_one.backend == "cpu"
    assert np.array_equal(found.iterations, one_by_one.iterations)
    assert all(np.array_equal(found.arrays[name], one_by_one.arrays[name]) for name in one_by_one.arrays)
    assert dict(found[3]) == dict(one_by_one[3])


def test_and_one_by_one_without_a_compiler(monkeypatch):
    batch = HypergraphBatch.random(3, vertices=3)
    expected = run_packed("levels", batch, {"source": 1}, backend="cpu").array("level").tolist()
    monkeypatch.setattr(batch_runs, "MANY", 1)
    monkeypatch.setattr(cplusplus, "compiler", lambda: "false")  # a program that fails
    assert run_packed("levels", batch, {"source": 1}, backend="cpu").array("level").tolist() == expected
    monkeypatch.setattr(batch_runs, "compiler", lambda: None)
    assert run_packed("levels", batch, {"source": 1}, backend="cpu").array("level").tolist() == expected


@algorithm
def arrayed(
    h, source: Vertex, start: Vertices[Flag], toll: Hyperedges[Length], to: Vertices[Vertex], load: at_most(Count, 5)
):
    """Every form of input."""
    mine = h.vertices.state(Flag, False)
    paid = h.hyperedges.state(Length, 0)
    next_ = h.vertices.state(Vertex)
    many = h.state(Count, 0)
    mine.assign(start)
    mine[source] = True
    paid.assign(toll)
    next_.assign(to)
    with h.loop(at_most=9) as loop:
        loop.stop_when(many == load)
        many.assign(many + 1)
    return Outputs(mine=mine, paid=paid, to=next_, many=many)


@needs_compiler
def test_arrays_as_inputs():
    program = arrayed.program
    batch = batch_for(program, 6)
    inputs = random_inputs(program, batch)
    found = run_packed(program, batch, inputs, machine=LockStep())
    agree(found, program, inputs)
    assert np.array_equal(found.array("to"), inputs["to"] - 1), "places from 0, as of one result"
    assert (inputs["to"] == 0).any(), "a pointer in an array may be none"


@needs_compiler
def test_what_has_more_rows_is_left_to_the_cpu(monkeypatch):
    monkeypatch.setattr(batch_runs, "Launch", partial(batch_runs.Launch, shapes=[(32, 32, 1)]))
    program = ALGORITHMS["levels"].program
    batch = HypergraphBatch.random(3, seed=0, vertices=(20, 20), hyperedges=(5, 40))
    with pytest.warns(HyloopWarning, match=r"1 of 3 hypergraphs run on the CPU"):
        found = run_packed(program, batch, {"source": 1}, machine=LockStep())
    agree(found, program, {"source": np.ones(3, np.int64)})


def test_items():
    batch = HypergraphBatch.random(3, seed=4, vertices=4, hyperedges=(0, 5))
    found = hyloop.run_many("levels", batch, backend="cpu", source=np.array([1, 2, 3]))
    assert isinstance(found, hyloop.BatchResult)
    assert [each["level"] for each in found] == [
        hyloop.run("levels", h, source=place + 1)["level"] for place, h in enumerate(batch)
    ]
    assert dict(found[-1]) == dict(found[2])
    assert found[-3].iterations == found.iterations[0]
    with pytest.raises(IndexError):
        found[3]
    with pytest.raises(HyloopError, match="levels has no output 'depth'; it has level"):
        found.array("depth")


def test_fractions():
    h = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights={1: 0.5, 2: 0.75})
    found = run_packed("dijkstra", HypergraphBatch.of([h]), {"source": "a"}, backend="cpu")
    assert found.array("distance").tolist() == [0, 2, 5]
    assert found[0]["distance"] == {"a": 0, "b": 0.5, "c": 1.25}


PATH = {"vertices": [3, 3], "hyperedges": [2, 2], "member_at": [0, 2, 4, 6, 8], "member": [0, 1, 1, 2] * 2}


def test_weights_with_a_common_factor():
    batch = HypergraphBatch.from_arrays(**PATH, weight=[10**15, 2 * 10**15, 3, 4])
    found = hyloop.run_many("dijkstra", batch, source=1)
    alone = [hyloop.run("dijkstra", h, source=1) for h in batch]
    assert [each.unit for each in found] == [each.unit for each in alone] == [10**15, 1] == list(found.batch.units)
    assert found.array("distance").tolist() == [0, 1, 3, 0, 3, 7]
    assert [dict(each) for each in found] == [dict(each) for each in alone]


def test_weights_that_64_bits_do_not_hold():
    plain = Hypergraph.from_hyperedges([[1, 2], [2, 3]], weights=[3, 6])
    digits = Hypergraph.from_hyperedges([[1, 2], [2, 3]], weights=[1.0, 0.00012345678901234567])
    many = [plain, digits]
    found = hyloop.run_many("bfs", HypergraphBatch.of(many), source=1)
    alone = [hyloop.run("bfs", h, source=1) for h in many]
    assert [(dict(each), each.unit, each.hypergraph.weights) for each in found] == [
        (dict(each), each.unit, each.hypergraph.weights) for each in alone
    ]
    with pytest.raises(CapacityError) as expected:
        hyloop.run("dijkstra", digits, source=1)
    with pytest.raises(CapacityError) as told:
        hyloop.run_many("dijkstra", HypergraphBatch.of(many), source=1)
    assert str(told.value) == f"Hypergraph 1: {expected.value}"


@needs_compiler
def test_and_by_the_code_that_large_batches_run():
    h = Hypergraph.from_hyperedges([[1, 2], [2, 3]], weights=[10**19, 1])
    found = run_packed("bfs", HypergraphBatch.of([h, h]), {"source": [1, 3]}, machine=LockStep())
    assert found.array("level").tolist() == [0, 1, 2, 2, 1, 0]


def test_weights_without_a_common_unit():
    h = Hypergraph.from_hyperedges([[1], [2]], weights=[Fraction(1, 10**900), Fraction(1, 10**900 + 1)])
    with pytest.raises(HyloopError) as expected:
        hyloop.run("bfs", h, source=1)
    batch = HypergraphBatch.of([Hypergraph.from_hyperedges([[1], [2]]), h])
    for source in (1, [1, 1]):
        with pytest.raises(HyloopError) as told:
            hyloop.run_many("bfs", batch, source=source)
        assert str(told.value) == f"Hypergraph 1: {expected.value}"


def test_labels_mean_what_they_mean_one_by_one():
    given_ = [Hypergraph.from_arrays([0, 1, 1, 2], [0, 0, 1, 1]), Hypergraph.from_hyperedges({7: [2, 1]})]
    batch = HypergraphBatch.of(given_)
    for sources in (1, [1, 1], [0, 2], np.array([2, 1])):
        each = [sources] * 2 if isinstance(sources, int) else sources
        found = run_packed("levels", batch, {"source": sources}, backend="cpu")
        alone = [hyloop.run("levels", h, source=int(label)) for h, label in zip(given_, each, strict=True)]
        assert [dict(result["level"]) for result in found] == [dict(result["level"]) for result in alone]
    for wrong, told in (
        (0, "Hypergraph 1: There is no vertex 0"),
        ([1], "one for each of the 2; the list has 1 entries"),
        ("1", "There is no vertex '1'"),
    ):
        with pytest.raises(HyloopError, match=told):
            run_packed("levels", batch, {"source": wrong}, backend="cpu")
    found = run_packed("s_distance", batch, {"source": [1, 7], "s": 1}, backend="cpu")
    assert dict(found[1]["distance"]) == {7: 0}


@algorithm
def endless(h):
    """Never stops."""
    count = h.state(Count, 0)
    with h.loop(at_most=4) as loop:
        count.assign(count + 1)
        loop.stop_when(count == 99)
    return Outputs(count=count)


def test_a_run_that_does_not_stop_is_said_to():
    found = run_packed(endless, HypergraphBatch.random(2, vertices=2), {}, backend="cpu")
    assert (found.halted.tolist(), found.iterations.tolist()) == ([False, False], [4, 4])
    with pytest.raises(IterationLimitError):
        found[0]


def test_a_model_is_run_as_it_is_and_a_name_is_compiled_for_the_batch():
    batch = HypergraphBatch.random(2, vertices=(33, 40), weights=100)
    program = ALGORITHMS["levels"].program
    assert fitted(program, batch, random_inputs(program, batch)).capacity == Capacity(64, 8)  # it reads no weights
    weighted = ALGORITHMS["dijkstra"].program
    assert fitted(weighted, batch, random_inputs(weighted, batch)).capacity == Capacity(64, 128)
    model = compiled(program, Capacity(50, 200))
    assert run_packed(model, batch, {"source": 1}, backend="cpu").model is model


def test_limits_are_those_that_the_program_declares():
    batch = HypergraphBatch.random(5, vertices=(1, 3), hyperedges=(1, 2))
    program = ALGORITHMS["dijkstra"].program
    expected = [program.most_iterations(int(v), int(e)) for v, e in zip(batch.vertices, batch.hyperedges, strict=True)]
    assert limits(program, batch).tolist() == expected
    assert len(limits(program, HypergraphBatch.of([]))) == 0


PLAIN, ONE_WAY = HypergraphBatch.random(2, vertices=3), HypergraphBatch.random(2, vertices=3, directed=True)


GOOD = {"source": 1, "start": {1}, "toll": [1] * 40, "to": np.zeros(6, int), "load": 1}


@pytest.mark.parametrize(
    ("name", "batch", "inputs", "told"),
    [
        ("projection", PLAIN, {}, "has a stream"),
        ("levels", ONE_WAY, {"source": 1}, "Hypergraph 0: This hypergraph is directed"),
        ("levels", PLAIN, {}, "levels needs source, a vertex"),
        ("levels", PLAIN, {"source": 1, "to": 2}, "levels has no input 'to'; it takes source"),
        ("levels", PLAIN, {"source": 0}, "Hypergraph 0: There is no vertex 0"),
        ("levels", PLAIN, {"source": [1, 4]}, "Hypergraph 1: There is no vertex 4"),
        ("levels", PLAIN, {"source": [1, 1, 1]}, "a list with one for each of the 2; the list has 3 entries"),
        ("levels", PLAIN, {"source": "a"}, "Hypergraph 0: There is no vertex 'a'"),
        ("levels", PLAIN, {"source": Attribute("first")}, "a batch keeps none"),
        ("k_core", PLAIN, {"k": -1}, "a count of at least 0, not -1"),
        ("k_core", PLAIN, {"k": [1, [2]]}, "Hypergraph 1: .* is not a number"),
        ("k_core", PLAIN, {"k": np.array([[1], [2]])}, "Hypergraph 0: .* is not a number"),
        ("k_core", PLAIN, {"k": np.array([True, False])}, "is not a number"),
        (arrayed, PLAIN, GOOD | {"start": 2}, "flags over the vertices: .* not 2"),
        (arrayed, PLAIN, GOOD | {"start": np.ones(6, int)}, "vertex 1 is a flag: True or False, not 1"),
        (arrayed, PLAIN, GOOD | {"start": [True] * 5}, "of which there are 6; the list has 5 entries"),
        (arrayed, PLAIN, GOOD | {"start": [[True]] * 3}, "a list of 2 such"),
        (arrayed, PLAIN, GOOD | {"to": np.full(6, 4)}, "Hypergraph 0: The input to of vertex 1: There is no vertex 4"),
        (arrayed, PLAIN, GOOD | {"to": [0] * 6}, "There is no vertex 0"),
        (arrayed, PLAIN, GOOD | {"load": 6}, "at most 5; 6 is more"),
    ],
)
def test_what_is_refused(name, batch, inputs, told):
    program = ALGORITHMS[name].program if isinstance(name, str) else name
    with pytest.raises(HyloopError, match=told):
        run_packed(program, batch, inputs, backend="cpu")


@algorithm
def echoed(h, lim: at_most(Length, 50), toll: Hyperedges[Length]):
    """What was given."""
    x = h.state(Length, 0)
    cost = h.hyperedges.state(Length, 0)
    with h.loop(at_most=1) as loop:
        x.assign(lim)
        cost.assign(h.weight + toll)
        loop.stop_when(True)
    return Outputs(x=x, cost=cost)


@pytest.mark.parametrize("factor", [1, 4])
def test_lengths_that_are_given_have_a_part_in_the_unit(factor):
    batch = HypergraphBatch.from_arrays(**PATH, weight=np.array([40, 80, 60, 40]) // 4 * factor)
    lim, toll = np.array([5, 10]) * factor, np.array([0, 15, 20, 10]) * factor
    found = run_packed(echoed, batch, {"lim": lim, "toll": toll}, backend="cpu")
    alone = [
        hyloop.run(echoed, h, lim=lim[place], toll=toll[2 * place : 2 * place + 2]) for place, h in enumerate(batch)
    ]
    assert [each.unit for each in found] == [each.unit for each in alone] == [5 * factor, 5 * factor]
    assert found.array("x").tolist() == [1, 2]
    assert found.array("cost").tolist() == [each for one in alone for each in one.array("cost").tolist()]


@pytest.mark.parametrize("many", [1, pytest.param(4000, marks=needs_compiler)])
def test_lengths_that_are_given_are_in_the_users_unit(many):
    weights = ([40, 40], [40, 39], [0.5, 2])
    given_ = [Hypergraph.from_hyperedges([["a", "b"], ["b"]], weights=each) for each in weights] * many
    found = run_packed(echoed, HypergraphBatch.of(given_), {"lim": 19, "toll": [1, 2] * len(given_)}, backend="cpu")
    alone = [hyloop.run(echoed, h, lim=19, toll=[1, 2]) for h in given_[:3]]
    for place in (0, 1, 2, len(found) - 1):
        assert found[place]["x"] == alone[place % 3]["x"] == 19
        assert dict(found[place]["cost"]) == dict(alone[place % 3]["cost"])
    with pytest.raises(HyloopError, match="Hypergraph 0: The input lim is at most 50; 51 is more"):
        run_packed(echoed, HypergraphBatch.of(given_), {"lim": 51, "toll": [0, 0] * len(given_)}, backend="cpu")


def test_arrays_of_outputs_say_what_the_outputs_say():
    batch = HypergraphBatch.of([Hypergraph.from_hyperedges([[0, 1], [1, 2], [0, 2]], vertices=[0, 1, 2, 9])])
    assert run_packed("levels", batch, {"source": 0}, backend="cpu").array("level").tolist() == [0, 1, 1, -1]
    assert run_packed("topological", batch, {}, backend="cpu").array("order").tolist()[:3] == [-1, -1, -1]
    each = r"made for each hypergraph: `found\[i\]"
    made = (("triangles", "count", each), ("helly", "witness", each), ("closeness", "closeness", "is a fraction"))
    for name, output, told in made:
        with pytest.raises(HyloopError, match=told):
            run_packed(name, batch, {}, backend="cpu").array(output)


def test_a_quotient_whose_parts_are_no_outputs():
    @algorithm
    def shares(h):
        """A third of each."""
        x, y = h.vertices.state(Count, 1), h.vertices.state(Count, 3)
        with h.loop(at_most=1) as loop:
            loop.stop_when(True)
        return Outputs(part=quotient(x, y))

    [found] = run_packed(shares, HypergraphBatch.random(1, vertices=2), {}, backend="cpu")
    assert dict(found["part"]) == {1: Fraction(1, 3), 2: Fraction(1, 3)}


def test_options_of_a_batch():
    for hypergraphs in (PLAIN, list(PLAIN)):
        with pytest.raises(HyloopError, match="progress is a function that is called with a number of inputs; not 3"):
            hyloop.run_many("levels", hypergraphs, source=1, progress=3)
    with pytest.raises(HyloopError, match="has no output"):
        hyloop.run_many("levels", PLAIN, source=1).array(np.array(["level", "level"]))
    arc = HypergraphBatch.of([Hypergraph.from_arcs({"r": (["a"], ["b"])})])
    found = hyloop.run_many("reachable", arc, source="b", ignore_direction=True)
    assert dict(found[0]["reached"]) == {"a": True, "b": True}
    assert dict(hyloop.run_many("dijkstra", arc, source="b", ignore_direction=True)[0]["distance"]) == {"a": 1, "b": 0}
    for wrong, told in (({"processes": 2}, "runs at once"), ({"time_limit": 3}, "runs at once")):
        with pytest.raises(HyloopError, match=told):
            hyloop.run_many("reachable", arc, source="b", **wrong)
    with pytest.raises(HyloopError, match="not by interpreter"):
        hyloop.run_many("reachable", arc, source="b", backend="interpreter")
    with pytest.raises(HyloopError, match="checkpoint is no option of run_many"):
        hyloop.run_many("reachable", arc, source="b", checkpoint="here")
    assert run_packed("k_core", HypergraphBatch.random(2), {"k": 1000}, backend="cpu").array("kept").tolist()


def test_roles_mean_the_same_in_small_and_large_batches():
    def packed(count):
        member_at, member = np.arange(count + 1) * 2, [0, 1] * count
        return HypergraphBatch.from_arrays([2] * count, [1] * count, member_at, member, role=[1, 1] * count)

    for count in (2, 10_000):
        found = run_packed("reachable", packed(count), {"source": 1}, backend="cpu")
        assert found.array("reached")[:2].tolist() == [1, 1]


@pytest.mark.parametrize("name", every(8, (name for name in ALGORITHMS if name not in STREAMS)))
def test_a_batch_is_what_each_run_is(name):
    """The larger share is in tests/thorough/test_batch_runs.py."""
    program, tally = ALGORITHMS[name].program, Counter()
    for seed in range(3):
        held(program, case(program, seed), tally)
    assert tally["ran"] + tally["refused"] >= 3


def test_so_it_is_with_every_kind_of_input():
    tally = Counter()
    for seed in range(16):
        held(arrayed.program, case(arrayed.program, seed), tally)
    assert min(tally["ran"], tally["refused"]) > 5


def test_a_hypergraph_that_does_not_fit_is_named():
    small, heavy = (Hypergraph.from_hyperedges([["a", "b"], ["b"]], weights=each) for each in ([1, 1], [2**60, 1]))
    model = compiled(ALGORITHMS["levels"].program, Capacity(3, 10))
    large = Hypergraph.from_hyperedges([["a", "b", "c", "d"]])
    for algorithm_, wrong, inputs in (
        ("dijkstra", heavy, {"source": "a"}),
        (model, large, {"source": "a"}),
    ):
        with pytest.raises(CapacityError) as alone:
            hyloop.run(algorithm_, wrong, **inputs)
        with pytest.raises(CapacityError) as found:
            run_packed(algorithm_, HypergraphBatch.of([small, wrong]), inputs, backend="cpu")
        assert str(found.value) == f"Hypergraph 1: {alone.value}"


def test_hypergraphs_that_no_one_model_holds():
    heavy = Hypergraph.from_hyperedges([["a", "b"], ["b"]], weights=[2**40, 1])
    large = Hypergraph.from_arrays(np.arange(9000), np.zeros(9000, int), vertex_labels=["a", *range(1, 9000)])
    for h in (heavy, large):
        assert hyloop.run("dijkstra", h, source="a").halted
    with pytest.raises(CapacityError, match="no model holds all of these hypergraphs, with up to 9,000 rows"):
        run_packed("dijkstra", HypergraphBatch.of([heavy, large]), {"source": "a"}, backend="cpu")


def test_weights_that_only_just_fit():
    """Rounded up to a power of two, they would not."""
    h = Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[8 * 10**13, 1])
    found = run_packed("dijkstra", HypergraphBatch.of([h]), {"source": "a"}, backend="cpu")
    assert dict(found[0]) == dict(hyloop.run("dijkstra", h, source="a"))


def test_labels_and_arrays_in_labelled_batches():
    hs = [Hypergraph.from_hyperedges([["a", "b"], ["b"]]), Hypergraph.from_hyperedges({"e": [0, 1]})]
    batch, each = HypergraphBatch.of(hs), {"source": ["b", 0], "toll": [0.5, 1, 2], "load": 2}
    start, to = [{"b"}, [False, True]], [{"a": "b", "b": None}, [1, 0]]
    found = run_packed(arrayed, batch, {**each, "start": start, "to": to}, backend="cpu")
    assert dict(found[0]["to"]) == {"a": "b", "b": None}
    assert dict(found[1]["to"]) == {0: 1, 1: 0}
    assert dict(found[0]["paid"]) == {1: 0.5, 2: 1}
    assert found.array("to").tolist() == [1, -1, 1, 0]
    numbered = HypergraphBatch.of([hs[1], hs[1]])
    assert run_packed("levels", numbered, {"source": np.array([1, 0])}, backend="cpu").array("level").tolist() == [
        1,
        0,
        0,
        1,
    ]


def test_places_of_results_and_copies_of_them():
    batch = HypergraphBatch.random(2, vertices=3)
    found = run_packed("levels", batch, {"source": 1}, backend="cpu")
    for wrong in (True, 1.0, "0", slice(0, 1), np.array([True, False]), None):
        with pytest.raises(HyloopError, match="an integer; not"):
            found[wrong]
    again = pickle.loads(pickle.dumps(found))
    assert [dict(each) for each in again] == [dict(each) for each in found]
    found.array("level")[:] = 9
    assert dict(found[1]) == dict(again[1]), "an array is a copy"


def test_inputs_that_change_later_do_not_matter():
    sources = np.array([1, 2])
    found = run_packed("levels", HypergraphBatch.random(2, vertices=3), {"source": sources}, backend="cpu")
    sources[:] = 3
    assert found.inputs["source"].tolist() == [1, 2]


def test_a_loop_that_repeats_a_state_ends_as_one_run_does(monkeypatch):
    monkeypatch.setattr("hyloop.execute.loop.PAUSE", 0.0)  # where it is noticed does not depend on the clock

    @algorithm
    def still(h):
        """Nothing changes, for a very long time."""
        count = h.state(Count, 0)
        with h.loop(at_most=10**12) as loop:
            loop.stop_when(count == 1)
        return Outputs(count=count)

    h = Hypergraph.from_hyperedges([["a"]])
    found = run_packed(still, HypergraphBatch.of([h]), {}, backend="cpu")
    with pytest.raises(HyloopError) as alone:
        hyloop.run(still, h)
    with pytest.raises(HyloopError) as item:
        found[0]
    assert (str(item.value), found.halted.tolist()) == (str(alone.value), [False])


def test_a_batch_that_memory_does_not_hold_is_refused_before_it_is_run(monkeypatch):
    monkeypatch.setattr("hyloop.memory.free_bytes", lambda: 10**8)
    for batch in (
        HypergraphBatch.from_arrays([3, 10**7], [0, 0], [0], []),
        HypergraphBatch.random(2, vertices=10**7, hyperedges=1, sizes=0).part(0, 1),
    ):
        place, edges = len(batch) - 1, int(batch.hyperedges[-1])
        told = f"Hypergraph {place}: A hypergraph of 10,000,000 vertices and {edges} hyperedges takes about 800 MB"
        with pytest.raises(NotEnoughMemoryError, match=told):
            hyloop.run_many("components", batch, backend="cpu")
    many = HypergraphBatch.from_arrays([10**6] * 20, [0] * 20, [0], [])
    with pytest.raises(NotEnoughMemoryError, match="What levels finds on 20 hypergraphs takes about"):
        hyloop.run_many("levels", many, backend="cpu", source=1)


@pytest.mark.filterwarnings("ignore::hyloop.errors.HyloopWarning")
def test_a_result_says_how_far_the_model_is_trusted():
    model, batch = hyloop.compile("levels", Capacity(8, 16)), HypergraphBatch.random(2, vertices=4, hyperedges=3)
    for each in (model, replace(model)):
        found = hyloop.run_many(each, batch, backend="cpu", source=1)
        assert found.verified == each.verified == found[0].verified
    assert (model.verified, replace(model).verified) == ("compiled", "unverified")


def test_weights_that_no_model_holds_are_fine_where_none_is_read():
    h = Hypergraph.from_hyperedges([["a", "b"]], weights=[2**60])
    found = run_packed("levels", HypergraphBatch.of([h]), {"source": "a"}, backend="cpu")
    assert found.array("level").tolist() == [0, 1]
