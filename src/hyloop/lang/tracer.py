"""The tracer: records the operations that a user's function performs on handles, for a `Program`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

from hyloop.lang import budgets
from hyloop.lang.kinds import Constant, Kind, Scope, Type
from hyloop.lang.ops import OPERATIONS
from hyloop.lang.program import Argument, Input, Op, State
from hyloop.lang.size import Size
from hyloop.lang.source import Location, error, here

# What is being traced: the innermost, where a traced function runs another algorithm. One per thread.
TRACING: ContextVar[Tracer | None] = ContextVar("TRACING", default=None)

# Number of an operation in the section that is being traced.
Number = int


_UNITS = "; a length is in units of the weights, a count is not"
# What helps where a value of one kind is assigned to a state of another.
_HINTS: Mapping[tuple[Kind, Kind], str] = {
    (Kind.LENGTH, Kind.COUNT): _UNITS,
    (Kind.COUNT, Kind.LENGTH): _UNITS,
    (Kind.FLAG, Kind.COUNT): "; as 0 and 1 it can: `flag + 0`",
    (Kind.COUNT, Kind.FLAG): "; compare it with something first: `x > 0`",
    (Kind.LENGTH, Kind.FLAG): "; compare it with something first: `x > 0`",
}


@dataclass
class Drafting:
    """A section while it is being traced. Equal operations are recorded once."""

    name: str
    ops: list[Op] = field(default_factory=list)
    known: dict[tuple[object, ...], Number] = field(default_factory=dict)
    versions: dict[str, Number] = field(default_factory=dict)
    stop: Number | None = None

    def note(self, op: Op) -> Number:
        """The number of an operation; a new one is appended."""
        if op.key not in self.known:
            self.known[op.key] = len(self.ops)
            self.ops.append(op)
        return self.known[op.key]


class Tracer:
    """What has been traced so far: inputs, states, the two sections, and the conditions in force."""

    def __init__(self) -> None:
        self.inputs: list[Input] = []
        self.states: list[State] = []
        self.before = Drafting("before the loop")
        self.body = Drafting("in the loop")
        self.at_most: Size | None = None
        self.section = self.before
        self.ended = False
        self.unused_conditions: list[Location] = []  # location of each `when(...)` that no `with` has used yet
        self._masks: list[Number] = []
        self._open: list[int] = []  # the places among the masks of the `when` blocks that have not ended
        self._unset: set[str] = set()

    # -- operations

    def op(
        self, name: str, operands: Sequence[Number] = (), argument: Argument = None, given: Type | None = None
    ) -> Number:
        """Record an operation of the section; its type follows from the operands unless it is a leaf."""
        self.require_open()
        if given is None:
            try:
                given = OPERATIONS[name].types([self.section.ops[number].type for number in operands], argument)
            except TypeError as wrong:
                raise error(str(wrong)) from None
        budgets.within("Operations of the program", len(self.section.ops), budgets.OPERATIONS)  # a loop without end?
        return self.section.note(Op(name, tuple(operands), argument, given, here()))

    def type(self, number: Number) -> Type:
        """The type of an operation of the section."""
        return self.section.ops[number].type

    def constant(self, value: Constant, kind: Kind) -> Number:
        """A constant as a scalar of that kind."""
        return self.op("constant", (), value, Type(kind))

    # -- states

    def declare(self, state: State, *, unset: bool) -> None:
        """A new state. One that is `unset` must be assigned before it is read."""
        if self.section is not self.before or self.ended:
            raise error("a state must be made before the loop.")
        self.states.append(state)
        if unset:
            self._unset.add(state.name)

    def current(self, state: State) -> Number:
        """The current value of a state."""
        if state.name in self._unset:
            raise error("this state is read before it was ever set; give it a first value: `h.state(Count, 0)`.")
        if state.name in self.section.versions:
            return self.section.versions[state.name]
        return self.op("state", (), state.name, state.type)

    def update(self, state: State, value: Number, masks: Sequence[Number]) -> None:
        """Assign where all these masks and those of the enclosing conditions hold."""
        self.require_open()
        self._check_assignable(state, value)
        everything = [*self._masks, *masks]
        if everything:
            value = self.op("where", (self._all(everything), value, self._old(state)))
            if self.type(value) != state.type:
                raise error(
                    f"the flag is one over rows, so that {self.type(value).phrase} would be assigned to "
                    f"{state.type.phrase}; use `any`, `all`, or the flag of one row, `flags[p]`."
                )
        elif self.type(value).scope is not state.type.scope:
            value = self.op("spread", (value,), state.type.scope)
        self.section.versions[state.name] = value
        self._unset.discard(state.name)

    def _old(self, state: State) -> Number:
        if state.name in self._unset:
            raise error(
                "this may leave some of the state as it was, and it was never set; give it a first value: "
                "`h.state(Count, 0)`."
            )
        return self.current(state)

    def _check_assignable(self, state: State, value: Number) -> None:
        given = self.type(value)
        kinds = given.kind, state.type.kind
        if given.kind is not state.type.kind:
            raise error(f"{given.phrase} cannot be assigned to {state.type.phrase}{_HINTS.get(kinds, '')}.")
        if given.scope not in {Scope.SCALAR, state.type.scope}:
            raise error(f"{given.phrase} cannot be assigned to {state.type.phrase}: the rows do not correspond.")

    def _all(self, masks: Sequence[Number]) -> Number:
        total = masks[0]
        for mask in masks[1:]:
            total = self.op("and", (total, mask))
        return total

    # -- conditions

    def begin_condition(self, mask: Number) -> int:
        """Mask every assignment from here on; returns the number of conditions that were already in force."""
        self._masks.append(mask)
        self._open.append(len(self._masks) - 1)
        return self._open[-1]

    def end_condition(self, section: Drafting, depth: int) -> None:
        """End the condition that began in that section, at that depth."""
        if self.section is not section or self.ended:
            raise error("a `when` block cannot reach across the beginning or the end of the loop.")
        if self._open[-1] != depth:
            raise error("a `when` block ends while one that began inside it is still open; end that one first.")
        # A stop inside stays in force outside; only this block's own condition ends with it.
        del self._masks[self._open.pop()]

    def stop_when(self, flag: Number) -> None:
        """Stop after this iteration; assignments from here on take no effect when it does."""
        stop = self._all([*self._masks, flag]) if self._masks else flag
        if self.type(stop) != Type(Kind.FLAG):
            raise error(f"the loop stops on one flag; this is {self.type(stop).phrase}. Use `any` or `all`.")
        before = self.body.stop
        self.body.stop = stop if before is None else self.op("or", (before, stop))
        self._masks.append(self.op("not", (stop,)))

    # -- the loop

    def enter_loop(self, at_most: Size) -> None:
        """Begin the loop."""
        if self.at_most is not None:
            raise error("a program has one loop; put the work of both into one, with `when`.")
        if self._masks:
            raise error("the loop cannot stand inside `when`; put the condition into `stop_when`.")
        self.at_most = at_most
        self.section = self.body

    def leave_loop(self) -> None:
        """End the loop; no statement may follow."""
        self.ended = True
        self._masks.clear()

    def brought(self, section: Drafting, number: Number) -> Number:
        """The number of a value in this section. One from before the loop is recorded again, if it uses no state."""
        if section is self.section:
            return number
        op = section.ops[number]
        if op.name == "state":
            raise error(
                "this value comes from before the loop, where it was made from a state; keep it in a state of its own."
            )
        operands = tuple(self.brought(section, operand) for operand in op.operands)
        return self.section.note(replace(op, operands=operands))

    @property
    def never_set(self) -> State | None:
        """A state that has no initial value and is never assigned."""
        return next((state for state in self.states if state.name in self._unset), None)

    def require_assignable(self) -> None:
        """Raise once the loop is over."""
        if self.ended:
            raise error("nothing can be assigned after the loop; the outputs are the states as the loop leaves them.")

    def require_open(self, location: Location | None = None) -> None:
        """Raise while another program is being traced, whose conditions would not hold here; and after the loop."""
        if TRACING.get() not in {None, self}:
            raise error("this value belongs to another program.", location)
        if self.ended:
            raise error("nothing can be computed after the loop; do it in the loop.", location)
