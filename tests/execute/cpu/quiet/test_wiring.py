"""What rows read and write; slots that are split by a flag."""

from contextlib import suppress

import numpy as np
import pytest

from execute.cpu.quiet.cases import beside, debugging
from execute.cpu.quiet.sweep import compiled, random_model, started
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.execute.cpu.native.library import unusable
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.cpu.quiet.engine import LeftError, QuietEngine
from hyloop.execute.cpu.quiet.kernel import NumpyKernel
from hyloop.execute.cpu.quiet.memory import COMPUTED
from hyloop.execute.cpu.quiet.wiring import RefusedError, Wiring
from hyloop.execute.prepare import encoded, given_to
from hyloop.hypergraph import Hypergraph
from hyloop.lang import Count, Outputs, Vertex, Vertices, algorithm
from hyloop.machine.model import Capacity


def begun(count, model):
    """scc on vertices of which every two neighbours are a hyperedge, from the higher-numbered one to the other."""
    vertex = np.repeat(np.arange(count), 2)[1:-1]
    edge = np.repeat(np.arange(count - 1), 2)
    direction = np.tile([1, -1], count - 1)
    h = Hypergraph.from_arrays(vertex, edge, direction=direction, counts=(count, count - 1))
    return encoded(model, given_to(model.parsed, h, {}))


def test_a_flag_that_changes_what_all_rows_offer_wakes_none_of_them():
    model = compile_program(compiled("scc").parsed, Capacity(60, 1))
    first = begun(60, model)  # no vertex leads to one that is not visited: a search begins at each
    quiet = beside(model, first.X, first.incidence, iterations=20)
    split = quiet.memory.wiring.split
    assert split is not None
    before = int(quiet.memory.control[COMPUTED])
    flags = []
    for _ in range(12):
        quiet.run(1)
        flags.append(quiet.memory.case)
    assert {0, 1} == set(flags)
    assert int(quiet.memory.control[COMPUTED]) - before < 12 * 60  # without the split, three times as many


def test_a_number_that_is_no_flag_after_all_ends_the_run():
    model = compiled("scc")
    first = begun(8, model)
    X = first.X.copy()
    X[:, model.layout.number("current")] = -3  # 1 less it is 4
    try:
        quiet = QuietEngine(plan_for(model, X), X, first.incidence, NumpyKernel, patient=True)
        quiet.run(1)
    except LeftError:
        assert np.array_equal(quiet.stopped_before(0), X)
    else:
        raise AssertionError("it was taken for a flag")


def test_a_slot_that_products_or_pointers_read_is_not_split():
    for name in ("dijkstra", "dfs"):
        model = compiled(name)
        path = Hypergraph.from_hyperedges([[i, i + 1] for i in range(5)])
        given = {each.name: 0 for each in model.parsed.inputs}
        X = encoded(model, given_to(model.parsed, path, given)).X
        assert Wiring(plan_for(model, X)).split is None


def test_the_relu_of_a_rows_number_is_its_number():
    model = compiled("scc")
    wiring = Wiring(plan_for(model, begun(8, model).X))
    names = [column.name for column in model.layout.columns]
    (part,) = [
        each
        for each in wiring.parts
        if each.layer == 1 and any(names[slot.column] == "temporary 10" for slot, _ in each.outputs)
    ]
    assert len(part.watches) == 1


@algorithm
def chained(h, p: Vertices[Vertex]):
    """Where three steps along pointers lead, and how many hyperedges a vertex has there."""
    size = h.vertices.state(Count, 0)
    far = h.vertices.state(Vertex)
    count = h.state(Count, 0)
    with h.loop(at_most=5) as loop:
        far.assign(p[p[p]])
        size.assign((h.incidence @ h.hyperedges.every)[p[p]] + count)
        count.assign(count + 1)
        loop.stop_when(count >= 4)
    return Outputs(far=far, size=size)


@pytest.mark.parametrize("kernel", ["numpy", "native"])
def test_what_is_read_as_a_pointer_alone_is_kept(kernel):
    if kernel == "native" and unusable() is not None:
        pytest.skip("llvmlite cannot be used here")
    model = compile_program(chained.program, Capacity(20, 9))
    h = Hypergraph.from_hyperedges([[v, (3 * v + 1) % 7] for v in range(7)], vertices=range(7))
    first = encoded(model, given_to(model.parsed, h, {"p": [(2 * v + 3) % 7 for v in range(7)]}))
    chosen = debugging if kernel == "numpy" else native_kernel()
    quiet = beside(model, first.X, first.incidence, chosen, reference="dense")
    assert quiet is not None
    assert quiet.iterations == 4


def native_kernel():
    from hyloop.execute.cpu.quiet.native.kernel import NativeKernel  # needs llvmlite

    return NativeKernel


def test_no_slot_is_read_that_is_not_kept():
    begun = [found[:2] for seed in range(24) if (found := random_model(seed)) is not None]
    begun += [(compiled(name), first[0]) for name in ALGORITHMS if (first := started(compiled(name), 3)) is not None]
    tried = 0
    for model, X in begun:
        with suppress(RefusedError):
            wiring = Wiring(plan_for(model, X))
            read = {slot for number in range(len(wiring.lists)) for slot in wiring.read_by(number)}
            assert not read & wiring.copies.keys()
            tried += 1
    assert tried > 30
