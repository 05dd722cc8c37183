"""The invariants between the passes. Checked after each pass; a failure is a bug of the compiler."""

from __future__ import annotations

from hyloop.compiler.columns import Placing
from hyloop.compiler.forms import linear
from hyloop.compiler.lower import ATTENTION, Core, Number
from hyloop.compiler.schedule import Schedule, rides
from hyloop.lang.kinds import Kind, Type
from hyloop.lang.ops import CORE, LEAVES, OPERATIONS
from hyloop.lang.program import Op
from hyloop.lang.verify import type_of


class CompilerError(AssertionError):
    """An invariant between two passes that does not hold."""


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise CompilerError(what)


def verify_core(core: Core) -> Core:
    """Core operations only, each after its operands and of its type; updates keep their types; halt is a flag."""
    _require(not core.before.ops and not core.before.updates, "operations are left before the loop")
    for number, op in enumerate(core.body.ops):
        _require(op.name in CORE, f"{op.name} is no core operation")
        least, most = OPERATIONS[op.name].core or (0, 0)
        _require(least <= len(op.operands) <= most, f"{op.name} takes {least} to {most} operands")
        _require(all(operand < number for operand in op.operands), f"an operand of {op.name} comes after it")
        _require(op.type in _types(core, op), f"{op.name} ({op.where}) gives no {op.type}")
    for state in core.states:
        _require(state.name in core.body.updates, f"{state.name} has no final value")
        _require(core[core.body.updates[state.name]].type == state.type, f"{state.name} changes its type")
    _require(core[core.halt].type == Type(Kind.FLAG), "the halt value is no flag")
    return core


def _types(core: Core, op: Op) -> set[Type]:
    """The types that an operation may have. A product of flags is a count; of a one-hot, flags again."""
    expected = type_of(core, core.body, op)
    rows = op.name == "times" and core[op.operands[0]].type.kind is Kind.FLAG
    return {expected, Type(Kind.FLAG, expected.scope)} if rows else {expected}


def verify_schedule(core: Core, schedule: Schedule) -> Schedule:
    """Heads have their operands in columns; nothing is held before it is computed, or before the first layer."""
    _require(not schedule.waiting[0], "a value is held before the first layer")
    for number, layer in schedule.heads.items():
        _require(core[number].name in ATTENTION, f"{core[number].name} is no head")
        args = core[number].operands[:1] if rides(core, number, schedule.heads) else core[number].operands
        _require(all(_at_hand(core, arg, schedule.waiting[layer - 1]) for arg in args), "a head lacks an operand")
    for layer, waiting in enumerate(schedule.waiting):
        for number in waiting:
            _require(core[number].name not in LEAVES, "a leaf is held in another column")
            _require(schedule.heads.get(number, layer) <= layer, "the output of a head is held before its layer")
    return schedule


def _at_hand(core: Core, number: Number, waiting: frozenset[Number]) -> bool:
    """Whether a head can use a value: a column, or a plain sum of columns."""
    seen: set[Number] = set()
    stack = [number]
    while stack:
        each = stack.pop()
        if each in seen or each in waiting or core[each].name in LEAVES:
            continue
        seen.add(each)
        parts = linear(core, each)
        if parts is None:
            return False
        stack += parts
    return True


def verify_placing(schedule: Schedule, placing: Placing) -> Placing:
    """Every held value has a column, no two have the same, and none is erased during its lifetime."""
    for layer in range(1, schedule.layers + 1):
        after, brought = placing.after[layer], placing.brought[layer]
        _require(set(after) == set(schedule.waiting[layer]), f"a value held after layer {layer} has no column")
        _require(len(set(after.values())) == len(after), f"two values share a column after layer {layer}")
        _require(len(set(brought.values())) == len(brought), f"two heads of layer {layer} write one column")
        kept = {column for number, column in placing.after[layer - 1].items() if after.get(number) == column}
        _require(not kept & placing.erased[layer], f"layer {layer} erases a column that is needed")
    return placing
