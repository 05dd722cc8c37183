"""`compile`: the list of passes, and the largest capacity that fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from hyloop.compiler.bounds import bound
from hyloop.compiler.emit import emit
from hyloop.compiler.hoist import candidates, hoist
from hyloop.compiler.lower import Graph, Node, lower
from hyloop.compiler.schedule import Schedule, least_layers, one_a_layer, schedule
from hyloop.compiler.verify import verify_graph, verify_schedule
from hyloop.errors import CapacityError, HyloopError
from hyloop.lang.program import Program
from hyloop.machine.model import EXACT, Built, Capacity, DType, Model, vouched

Packing = Literal["packed", "one operation per layer"]

ROWS: dict[DType, int] = {"float64": 131_071, "float32": 100}
PLANNED = 1000  # the weight that the search for the largest plans with; a plan hardly depends on it


def compile_program(
    program: Program,
    capacity: Capacity | None = None,
    *,
    rows: int | None = None,
    weight: int | None = None,
    dtype: DType = "float64",
    heads: int = 3,
    packing: Packing = "packed",
) -> Model:
    """The looped transformer that runs a program on every hypergraph within the capacity.

    What is left open of the capacity is 131,071 rows (float32: 100), or as many as fit, and the largest weight that
    fits then.
    """
    if dtype not in EXACT:
        raise HyloopError(f"A model computes in {' or '.join(EXACT)}; not in {dtype!r}.")
    if capacity is not None:
        rows, weight = capacity.rows, capacity.weight
    if rows is None:
        return _roomiest(program, weight, dtype, heads, packing)
    return _fitted(program, rows, weight, dtype, heads, packing)


def compile_again(program: Program, capacity: Capacity, dtype: DType, built: Built) -> Model:
    """The model that was built so, once more: builds are reproducible."""
    packing: Any = built.schedule
    return _fitted(program, capacity.rows, capacity.weight, dtype, built.heads, packing, built.planned)


def _roomiest(program: Program, weight: int | None, dtype: DType, heads: int, packing: Packing) -> Model:
    """The usual rows; fewer, where the numbers of a program grow too fast for that many."""
    rows = ROWS[dtype]
    while True:
        try:
            return _fitted(program, rows, weight, dtype, heads, packing)
        except CapacityError:
            if rows == 1:
                raise
            rows //= 2


def _fitted(  # noqa: PLR0917  (the options of `compile_program`)
    program: Program,
    rows: int,
    weight: int | None,
    dtype: DType,
    heads: int,
    packing: Packing,
    planned: int | None = None,
) -> Model:
    planned = planned or weight or PLANNED
    graph, plan = _planned(verify_graph(lower(program)), Capacity(rows, planned), heads, packing)
    verify_schedule(verify_graph(graph), plan)
    if weight is not None:
        model = emit(graph, bound(graph, Capacity(rows, weight)), plan, dtype)
    else:
        model = _heaviest(graph, plan, rows, dtype)
    return vouched(replace(model, built=Built(heads, packing, planned)), "compiled")


def _planned(graph: Graph, capacity: Capacity, heads: int, packing: Packing) -> tuple[Graph, Schedule]:
    """The schedule with the fewest layers; the next iteration's work is begun early where that saves one."""
    if packing == "one operation per layer":
        return graph, one_a_layer(graph)
    if packing != "packed":
        raise HyloopError(f"There is no schedule {packing!r}; there are 'packed' and 'one operation per layer'.")
    plan = schedule(graph, bound(graph, capacity), heads)
    if plan.layers == least_layers(graph):
        return graph, plan
    return _hoisted(graph, plan, capacity, heads)


def _hoisted(graph: Graph, plan: Schedule, capacity: Capacity, heads: int) -> tuple[Graph, Schedule]:
    """All candidates are hoisted; then each that saves nothing is left out again."""
    chosen = [graph[number] for number in candidates(graph)]
    best = _hoisting(graph, chosen, capacity, heads)
    if best[1].layers >= plan.layers:
        return graph, plan
    for node in list(chosen):
        fewer = [other for other in chosen if other is not node]
        trial = _hoisting(graph, fewer, capacity, heads)
        if trial[1].layers <= best[1].layers:
            chosen, best = fewer, trial
    return best


def _hoisting(graph: Graph, chosen: Sequence[Node], capacity: Capacity, heads: int) -> tuple[Graph, Schedule]:
    """The schedule with these values hoisted. Numbers shift as values move into states; places in the source do not."""
    for node in chosen:
        for number in candidates(graph):
            if (graph[number].op, graph[number].where) == (node.op, node.where):
                graph = hoist(graph, number)
                break
    return graph, schedule(graph, bound(graph, capacity), heads)


def _heaviest(graph: Graph, plan: Schedule, rows: int, dtype: DType) -> Model:
    low, high, best = 1, EXACT[dtype] - 1, None
    while low <= high:
        weight = (low + high) // 2 if best is not None or high < EXACT[dtype] - 1 else high
        try:
            best = emit(graph, bound(graph, Capacity(rows, weight)), plan, dtype)
            low = weight + 1
        except CapacityError as too_large:
            high = weight - 1
            reason = too_large
    if best is None:
        raise CapacityError(f"With {rows:,} rows no weight fits into {dtype}: {reason}") from None
    return best
