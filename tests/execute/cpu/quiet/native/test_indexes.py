"""Rows by a value of theirs: whom a number names by it, and who points to a row that has changed."""

from dataclasses import replace

import numpy as np
import pytest

from effort import TIMES
from execute.cpu.quiet.cases import beside, debugging
from execute.cpu.quiet.sweep import algorithm, compiled, mutant, started
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.execute.cpu.expressions import Ref, Sum
from hyloop.execute.cpu.native.library import unusable
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.cpu.quiet.memory import COMPUTED
from hyloop.execute.cpu.quiet.wiring import RefusedError, Wiring
from hyloop.execute.prepare import encoded, given_to
from hyloop.hypergraph import Hypergraph
from hyloop.machine.model import Capacity


def kernels():
    if unusable() is not None:
        return [debugging]
    from hyloop.execute.cpu.quiet.native.kernel import NativeKernel

    return [debugging, NativeKernel]


def on_a_path(name, count):
    model = compile_program(ALGORITHMS[name].program, Capacity(2000, 1))
    path = Hypergraph.from_hyperedges([[i, i + 1] for i in range(count - 1)])
    first = encoded(model, given_to(model.parsed, path, {each.name: 3 for each in model.parsed.inputs}))
    return model, first.X, first.incidence


def wiring(name):
    model, X, _ = on_a_path(name, 8)
    return Wiring(plan_for(model, X))


@pytest.mark.parametrize("name", ["matching", "label_propagation"])
def test_few_rows_are_computed(name):
    quiet = beside(*on_a_path(name, 120), iterations=10)
    quiet.run(60)  # boxes are found
    before = int(quiet.memory.control[COMPUTED])
    quiet.run(12)
    assert int(quiet.memory.control[COMPUTED]) - before < 12 * 100  # all rows of one layer are 120


def test_a_number_names_rows_by_their_label():
    (index,) = wiring("label_propagation").indexes
    model, _, _ = on_a_path("label_propagation", 8)
    assert [model.layout.columns[ref.number].name for ref, _ in index.own.terms] == ["label"]


def test_a_comparison_that_other_columns_guard_has_no_index():
    path = Hypergraph.from_hyperedges([[i, i + 1] for i in range(7)])
    for name in ("dijkstra", "bfs"):  # which ask for `distance + weight == best`, but of members only
        first = encoded(compiled(name), given_to(compiled(name).parsed, path, {"source": 0}))
        assert not Wiring(plan_for(compiled(name), first.X)).indexes


@pytest.mark.parametrize("name", ["matching", "label_propagation"])
@pytest.mark.parametrize("kernel", kernels())
def test_values_that_name_no_row_count_as_the_nearest(name, kernel):
    """Pointers and labels before the first row and beyond the last one."""
    column = {"matching": "vertex", "label_propagation": "label"}[name]
    for seed in range(4 * TIMES):
        first = started(compiled(name), seed)
        if first is not None:
            X, draw = first[0].copy(), np.random.default_rng(seed)
            X[1:, compiled(name).layout.number(column)] = draw.integers(-3, len(X) + 3, len(X) - 1)
            beside(compiled(name), X, first[1], kernel)


@pytest.mark.parametrize("kernel", kernels())
def test_what_row_0_has_comes_to_rows_that_point_to_none(kernel):
    for seed in range(4):
        first = started(compiled("matching"), seed)
        if first is not None:
            X = first[0].copy()
            for column in ("vertices", "finder", "dead"):
                X[0, compiled("matching").layout.number(column)] = 1 + seed
            beside(compiled("matching"), X, first[1], kernel)


@pytest.mark.parametrize("kernel", kernels())
def test_a_comparison_that_holds_near_the_value_is_no_licence(kernel):
    """A mask of 3 makes the tent of `label == current` reach the labels beside: rows that have these stay awake."""
    for seed in range(4):
        first = started(compiled("label_propagation"), seed)
        if first is not None:
            X = first[0].copy()
            X[1:, compiled("label_propagation").layout.number("vertices")] *= 3
            beside(compiled("label_propagation"), X, first[1], kernel)


def test_changed_weights():
    names = ("matching", "label_propagation")
    assert sum(mutant(name, seed) is not None for name in names for seed in range(6 * TIMES)) > 8 * TIMES


def test_algorithms():
    assert sum(algorithm("matching", seed) is not None for seed in range(4)) == 4


@pytest.mark.parametrize(
    "changed",
    [
        {"doubled": Sum(1.0, ((Ref("column", 0), 2.0),))},  # between two rows
        {"doubled": Sum(0.0, ((Ref("column", 0), 3.0),))},
        {"by": Sum(2.0, ())},
    ],
)
def test_pointers_that_divide_are_refused(changed):
    model, X, _ = on_a_path("matching", 8)
    plan = plan_for(model, X)
    layers = [
        replace(layer, gathers=tuple(replace(gather, **changed) for gather in layer.gathers)) for layer in plan.layers
    ]
    with pytest.raises(RefusedError, match="layer 4 divides"):
        Wiring(replace(plan, layers=tuple(layers)))
    Wiring(plan)


def test_a_pointer_to_a_number_of_the_iteration_is_refused():
    model, X, _ = on_a_path("matching", 8)
    plan = plan_for(model, X)
    number = next(c for c, fact in enumerate(plan.layers[3].before) if not fact.vector and fact.rest is None)
    (gather,) = plan.layers[3].gathers
    values = ((gather.values[0][0], Sum(0.0, ((Ref("column", number), 1.0),))),)
    layers = (*plan.layers[:3], replace(plan.layers[3], gathers=(replace(gather, values=values),)))
    with pytest.raises(RefusedError, match="number of the iteration"):
        Wiring(replace(plan, layers=layers))
