"""What must hold between the passes. Run after each of them; a failure is a bug of the compiler, not of the program."""

from __future__ import annotations

from hyloop.compiler.columns import Placing
from hyloop.compiler.forms import linear
from hyloop.compiler.lower import ATTENTION, LEAVES, Graph, NodeId
from hyloop.compiler.schedule import Schedule, rides


class CompilerError(AssertionError):
    """An invariant between two passes that does not hold."""


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise CompilerError(what)


def verify_graph(graph: Graph) -> Graph:
    """Operands come first, every state has a final value of its type, one flag halts."""
    for number, node in enumerate(graph.nodes):
        _require(all(arg < number for arg in node.args), f"an operand of {node.op} comes after it")
        _require(node.op != "select" or len(node.args) % 2 == 1, "a select without a value for a mask")
    for state in graph.states:
        _require(state.name in graph.finals, f"{state.name} has no final value")
        _require(graph[graph.finals[state.name]].type == state.type, f"{state.name} changes its type")
    return graph


def verify_schedule(graph: Graph, schedule: Schedule) -> Schedule:
    """Heads find their operands in columns; nothing waits before it is made, or before the first layer."""
    _require(not schedule.waiting[0], "something waits before the first layer")
    for number, layer in schedule.heads.items():
        _require(graph[number].op in ATTENTION, f"{graph[number].op} is no head")
        args = graph[number].args[:1] if rides(graph, number, schedule.heads) else graph[number].args
        _require(all(_at_hand(graph, arg, schedule.waiting[layer - 1]) for arg in args), "a head lacks an operand")
    for layer, waiting in enumerate(schedule.waiting):
        for number in waiting:
            _require(graph[number].op not in LEAVES, "a leaf waits in a column of its own")
            _require(schedule.heads.get(number, layer) <= layer, "a head's value waits before it is brought")
    return schedule


def _at_hand(graph: Graph, number: NodeId, waiting: frozenset[NodeId]) -> bool:
    """Whether a head can use a value: a column, or a plain sum of columns."""
    seen: set[NodeId] = set()
    stack = [number]
    while stack:
        each = stack.pop()
        if each in seen or each in waiting or graph[each].op in LEAVES:
            continue
        seen.add(each)
        parts = linear(graph, each)
        if parts is None:
            return False
        stack += parts
    return True


def verify_placing(schedule: Schedule, placing: Placing) -> Placing:
    """Every waiting value has a column, no two have the same, and none is emptied while it is needed."""
    for layer in range(1, schedule.layers + 1):
        after, brought = placing.after[layer], placing.brought[layer]
        _require(set(after) == set(schedule.waiting[layer]), f"what waits after layer {layer} has no column")
        _require(len(set(after.values())) == len(after), f"two values share a column after layer {layer}")
        _require(len(set(brought.values())) == len(brought), f"two heads of layer {layer} bring into one column")
        kept = {column for number, column in placing.after[layer - 1].items() if after.get(number) == column}
        _require(not kept & placing.erased[layer], f"layer {layer} empties a column that is needed")
    return placing
