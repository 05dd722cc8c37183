"""`compile`: the list of passes."""

from __future__ import annotations

from hyloop.compiler.bounds import bound
from hyloop.compiler.emit import emit
from hyloop.compiler.lower import lower
from hyloop.compiler.schedule import schedule
from hyloop.errors import CapacityError
from hyloop.lang.program import Program
from hyloop.machine.model import Capacity, DType, Model

ROWS: dict[DType, int] = {"float64": 131_071, "float32": 100}


def compile_program(
    program: Program, capacity: Capacity | None = None, *, dtype: DType = "float64", heads: int = 3
) -> Model:
    """The looped transformer that runs a program on every hypergraph within the capacity."""
    graph = lower(program)
    if capacity is not None:
        bounds = bound(graph, capacity)
        return emit(graph, bounds, schedule(graph, bounds, heads), dtype)
    plan = schedule(graph, bound(graph, Capacity(100, 100)), heads)
    low, high = 1, 2**53
    best = None
    while low <= high:
        weight = (low + high) // 2
        try:
            best = emit(graph, bound(graph, Capacity(ROWS[dtype], weight)), plan, dtype)
            low = weight + 1
        except CapacityError:
            high = weight - 1
    if best is None:
        raise CapacityError(f"{program.name} does not fit into {dtype} with {ROWS[dtype]:,} rows; give a capacity.")
    return best
