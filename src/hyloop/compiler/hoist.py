"""Hoisting: compute values of the next iteration at the end of this one.

A head of the first layer can only read columns. Where it needs more than a state, say the one-hot of a pointer, a whole
layer would be spent on computing that. Instead the value is kept in a *shadow* state, which the end of each iteration
computes for the next one. The meaning of the program does not change: a shadow is a function of the other states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hyloop.compiler.lower import ATTENTION, Core, Number
from hyloop.compiler.tables import cone, table
from hyloop.compiler.timing import columns_for
from hyloop.lang.kinds import Kind
from hyloop.lang.ops import LEAVES, OPERATIONS
from hyloop.lang.program import Op, Section, State


def candidates(core: Core) -> list[Number]:
    """Values that heads need, that follow from the states alone, and whose first value is one constant."""
    wanted = {
        column
        for op in core.body.ops
        if op.name in ATTENTION
        for operand in op.operands
        for column in columns_for(core, operand)
    }
    return [number for number in sorted(wanted) if _of_states(core, number) and first_value(core, number) is not None]


def hoist(core: Core, number: Number) -> Core:
    """The program with a value kept in a shadow state."""
    made = _Rewriting(core)
    ahead = made.again(number)
    shadow = _shadow(core, number)
    column = made.add(replace(core[number], name="state", operands=(), argument=shadow.name))
    ops = [_pointed_at(each, number, column) if each.name in ATTENTION else each for each in made.ops]
    section = Section(tuple(ops), {**core.body.updates, shadow.name: ahead}, core.body.stop)
    return replace(core, body=_sorted(section), states=(*core.states, shadow))


def _shadow(core: Core, number: Number) -> State:
    op, first = core[number], first_value(core, number)
    initial = bool(first) if op.type.kind is Kind.FLAG else None if op.type.kind.is_pointer else first
    before = sum(state.role == "ahead" for state in core.states)
    return State(f"ahead {before + 1}", op.type, initial, op.where, "ahead", op.purposes)


def _pointed_at(op: Op, old: Number, new: Number) -> Op:
    if old not in op.operands:
        return op
    return replace(op, operands=tuple(new if operand == old else operand for operand in op.operands))


class _Rewriting:
    def __init__(self, core: Core) -> None:
        self.core = core
        self.ops = list(core.body.ops)
        self.known = {op.key: number for number, op in enumerate(self.ops)}

    def add(self, op: Op) -> Number:
        if op.key not in self.known:
            self.known[op.key] = len(self.ops)
            self.ops.append(op)
        return self.known[op.key]

    def again(self, number: Number) -> Number:
        """The same value one iteration later: every state is replaced by its update."""
        later: dict[Number, Number] = {}
        for each in cone(self.core, [number], lambda _: False):
            later[each] = self._later(each, later)
        return later[number]

    def _later(self, number: Number, later: Mapping[Number, Number]) -> Number:
        op = self.core[number]
        if op.name == "state":
            return self.core.body.updates[str(op.argument)]
        if op.name in LEAVES:
            return number
        ahead = tuple(replace(each, ahead=True) for each in op.purposes)
        return self.add(replace(op, operands=tuple(later[operand] for operand in op.operands), purposes=ahead))


def _sorted(section: Section) -> Section:
    """The section with every operand before its use."""
    order: list[Number] = []
    place: dict[Number, Number] = {}
    ops = section.ops
    for root in range(len(ops)):
        stack = [root]
        while stack:
            lacking = [operand for operand in ops[stack[-1]].operands if operand not in place]
            if lacking:
                stack.append(lacking[0])
                continue
            number = stack.pop()
            if number not in place:
                place[number] = len(order)
                order.append(number)
    moved = tuple(_with(ops[number], tuple(place[operand] for operand in ops[number].operands)) for number in order)
    updates = {name: place[number] for name, number in section.updates.items()}
    return Section(moved, updates, None if section.stop is None else place[section.stop])


def _with(op: Op, operands: tuple[Number, ...]) -> Op:
    return op if operands == op.operands else replace(op, operands=operands)


@table
def _of_states(core: Core, number: Number, known: Sequence[bool]) -> bool:
    op = core[number]
    if op.name in LEAVES:
        return op.name not in {"input", "weight"}
    return op.name not in ATTENTION and all(known[operand] for operand in op.operands)


@table
def first_value(core: Core, number: Number, known: Sequence[int | None]) -> int | None:
    """The value before the first iteration, if it is one constant on all its rows; else None."""
    op = core[number]
    if op.name == "state":
        return _plain(core.state(str(op.argument)).initial)
    if op.name == "constant":
        return _plain(op.argument)
    if op.name in {"equal", "precedes"} and "own" in {core[operand].name for operand in op.operands}:
        # A row's own number is never none (0), and none is not comparable with it.
        others = [known[operand] for operand in op.operands if core[operand].name != "own"]
        return 0 if others == [0] else None
    operands, fold = [known[operand] for operand in op.operands], OPERATIONS[op.name].fold
    return None if fold is None or None in operands else fold(*operands)


def _plain(value: object) -> int | None:
    """A constant as a number; None for infinity, which depends on the capacity."""
    return int(value or 0) if value is None or isinstance(value, int) else None
