"""The tracer: records the operations that a user's function performs on handles, for a `Program`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

from hyloop.lang import budgets
from hyloop.lang.kinds import Constant, Kind, Scope, Type
from hyloop.lang.ops import OPERATIONS
from hyloop.lang.phases import Block, Frame, Region, guarded
from hyloop.lang.program import Argument, Input, Made, Note, Op, State
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
    both: dict[tuple[Number, Number], Number] = field(default_factory=dict)  # what two flags give together
    versions: dict[str, Number] = field(default_factory=dict)
    stop: Number | None = None
    assigned: dict[tuple[str, Number], Location] = field(default_factory=dict)

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
        self.region = 0  # values of one region can be used together; each has a number of its own
        self.ended = False
        self.notes: list[Note] = []  # of the loop and those in it
        self.names: dict[str, str] = {}  # of states that the user does not declare
        self.unused_conditions: list[Location] = []  # location of each `when(...)` that no `with` has used yet
        self.finished: Number | None = None  # the flag of the `when` block that ended last, with nothing after it
        self._masks: list[Number] = []
        self._blocks: list[Block] = []  # the `when` blocks that have not ended
        self._unset: set[str] = set()
        self._frames: list[Frame] = []  # the loops that are open, the innermost last
        self._regions = 0
        self._phases = 0
        self._phase: State | None = None  # the loop that runs, if there are several

    # -- operations

    def op(
        self,
        name: str,
        operands: Sequence[Number] = (),
        argument: Argument = None,
        given: Type | None = None,
        where: Location | None = None,
    ) -> Number:
        """Record an operation of the section; its type follows from the operands unless it is a leaf."""
        self.require_open()
        if given is None:
            try:
                given = OPERATIONS[name].types([self.section.ops[number].type for number in operands], argument)
            except TypeError as wrong:
                raise error(str(wrong)) from None
        budgets.within("Operations of the program", len(self.section.ops), budgets.OPERATIONS)  # a loop without end?
        return self.section.note(Op(name, tuple(operands), argument, given, where or here()))

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
        budgets.within("States of the program", len(self.states) + 1, budgets.NAMES)  # a loop without end?
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
        self.finished = None
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
        self.section.assigned[state.name, value] = here()
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

    def _all(self, masks: Sequence[Number], where: Location | None = None) -> Number:
        total, both = masks[0], self.section.both
        for mask in masks[1:]:
            if (total, mask) not in both:  # each statement asks for all conditions in force
                both[total, mask] = self.op("and", (total, mask), where=where)
            total = both[total, mask]
        return total

    # -- conditions

    def begin_condition(self, mask: Number) -> Block:
        """Mask every assignment from here on."""
        self._masks.append(mask)
        self._blocks.append(Block(len(self._masks) - 1, (self.section, self.region)))
        self.finished = None
        return self._blocks[-1]

    def end_condition(self, block: Block) -> None:
        """End a condition: the last one that began."""
        if self.section is not block.place[0] or self.region != block.place[1] or self.ended:
            raise error("a `when` block cannot reach across the beginning or the end of the loop.")
        if not self._blocks or self._blocks[-1] is not block:
            raise error("a `when` block ends while one that began inside it is still open; end that one first.")
        # A stop inside stays in force outside; only this block's own condition ends with it.
        self.finished = self._masks[block.mask]
        del self._masks[self._blocks.pop().mask]

    def _held_back(self) -> list[Block]:
        """The open blocks where an inner loop begins: states keep their flags, and until it ends none is open."""
        masks = [self._masks[block.mask] for block in self._blocks]
        for mask in masks:
            if self.type(mask) != Type(Kind.FLAG):
                raise error(
                    f"a loop runs as a whole or not at all, and the flag of this `when` is {self.type(mask).phrase}; "
                    "use `any`, `all`, or the flag of one row, `flags[p]`."
                )
        blocks, self._blocks = self._blocks, []
        taken = {block.mask for block in blocks}
        self._masks = [mask for place, mask in enumerate(self._masks) if place not in taken]
        for block, mask in zip(blocks, masks, strict=True):
            if block.held is None:
                block.held = self.hidden("held", Type(Kind.FLAG), False)
                self.update(block.held, mask, ())
        return blocks

    def _skip(self, blocks: Sequence[Block]) -> None:
        """Stop the loop that has just begun, if a flag of the blocks around it did not hold."""
        flags = [self._raw(block.held) for block in blocks if block.held is not None]
        if flags:
            self._stop(self.op("not", (self._all(flags),)))

    def _resume(self, blocks: Sequence[Block]) -> None:
        """After an inner loop, the blocks around it are open again."""
        self._blocks = [*blocks]
        for block in blocks:
            assert block.held is not None
            self._masks.append(self._raw(block.held))
            block.mask, block.place = len(self._masks) - 1, (self.section, self.region)

    def stop_when(self, flag: Number) -> None:
        """Stop after this iteration; assignments from here on take no effect when it does."""
        self._stop(flag)
        if self._frames:
            self._frames[-1].stops = True

    def _stop(self, flag: Number) -> None:
        stop = self._all([*self._masks, flag]) if self._masks else flag
        if self.type(stop) != Type(Kind.FLAG):
            raise error(f"the loop stops on one flag; this is {self.type(stop).phrase}. Use `any` or `all`.")
        before = self.section.stop
        self.section.stop = stop if before is None else self.op("or", (before, stop))
        self._masks.append(self.op("not", (stop,)))
        self.finished = None

    # -- loops

    def enter_loop(self, at_most: Size, counted: Number | None = None) -> Frame:
        """Begin the loop, or one inside it; `counted` is the bound of an inner one as a value, where there is one."""
        if self.ended:
            raise error("a program has one loop; put both into a loop around them, `h.loop(at_most=1)`.")
        if self._blocks and not self._frames:
            raise error("the loop cannot stand inside `when`; put the condition into `stop_when`.")
        self.finished = None
        if self._frames:
            blocks = self._held_back()
            inner = self._enter_inner(at_most, counted)
            inner.blocks = blocks
            self._skip(blocks)
            return inner
        self.at_most = at_most
        self.section = self.body
        self._open()
        self._frames.append(Frame(at_most, 0, here()))
        return self._frames[-1]

    def _enter_inner(self, at_most: Size, counted: Number | None) -> Frame:
        """The iteration that comes to an inner loop ends there; the next one is the first of the inner loop."""
        outer = self._frames[-1]
        if outer.guard is None:  # the outermost loop: only now it needs a phase
            self._phase = self.hidden("phase", Type(Kind.COUNT), 0)
            outer.guard = self._in_phase(0)
            outer.limit = None if outer.made is None else outer.made()
        self._phases += 1
        inner = Frame(at_most, self._phases, here(), limit=counted, entered=(self.section.versions, [*self._masks]))
        self._go(inner.phase)
        rounds = None if counted is None else self.hidden("rounds", Type(Kind.COUNT), 0)
        if rounds is not None:
            self.update(rounds, self.constant(0, Kind.COUNT), ())
        inner.times = None if outer.limit is None else self._times(outer)
        outer.regions.append(self._closed(outer.guard if not outer.regions else outer.rest))
        self._open()
        inner.guard = self._in_phase(inner.phase)
        if inner.times is not None and outer.limit is not None:
            inner.guard = self._before(inner.guard, inner.times, outer.limit)
        if rounds is not None and counted is not None:
            inner.guard = self._before(inner.guard, rounds, counted)
            self._tick(rounds, counted)
        self._frames.append(inner)
        return inner

    def leave_loop(self) -> None:
        """End the innermost loop; after the outermost one, no statement may follow."""
        frame = self._frames.pop()
        if frame.regions:
            self._go(frame.phase)
            self._join(frame)
        if not self._frames:
            self.at_most = frame.total
            self.ended = True
            self._masks.clear()
            return
        left, outer = self.section.stop, self._frames[-1]
        if left is None or not frame.stops:
            raise error("this loop never stops; say when with `loop.stop_when(flag)`.", frame.where)
        outer.rest = frame.guard
        outer.inner.append(frame.total)
        self.section.stop, self._masks = None, [left]
        if frame.regions:
            self._renumber()
        if frame.times is not None and outer.limit is not None:
            self._tick(frame.times, outer.limit)
        self._resume(frame.blocks)

    def _times(self, outer: Frame) -> State:
        """How often the statements after an inner loop have run since the loop around it began."""
        times = self.hidden("times", Type(Kind.COUNT), 0)
        if outer.entered is not None:
            versions, masks = outer.entered
            zero = self.constant(0, Kind.COUNT)
            versions[times.name] = self.op("where", (self._all(masks), zero, self._raw(times))) if masks else zero
        return times

    def _tick(self, clock: State, limit: Number) -> None:
        again = self.op("add", (self._raw(clock), self.constant(1, Kind.COUNT)))
        self.update(clock, self.op("smaller", (again, limit)), ())

    def _before(self, guard: Number, clock: State, limit: Number) -> Number:
        """A guard, until a clock has reached its limit: then nothing happens any more."""
        return self.op("and", (guard, self.op("less", (self._raw(clock), limit))))

    def _join(self, frame: Frame) -> None:
        """One value for each state, and one stop flag, from the regions of a loop: one of them runs in an iteration."""
        regions = [*frame.regions, self._closed(frame.rest)]
        raw = {state.name: state for state in self.states}
        self._open(number=self.region)
        for name in dict.fromkeys(name for region in regions for name in region.versions):
            value = self._raw(raw[name])
            for region in regions:
                if name in region.versions:
                    for masks, new, where in guarded(self.section.ops, region, name, self.section.assigned):
                        value = self.op("where", (self._all(masks, where), new, value), where=where)
                        self.section.assigned[name, value] = where
            self.section.versions[name] = value
        stops = [self._all([region.guard, region.stop]) for region in regions if region.stop is not None]
        self.section.stop = self._some(stops) if stops else None
        frame.guard = self._some([region.guard for region in regions])

    def _some(self, flags: Sequence[Number]) -> Number:
        total = flags[0]
        for flag in flags[1:]:
            total = self.op("or", (total, flag))
        return total

    def _open(self, number: int | None = None) -> None:
        """A new region: the states are what they are at the beginning of the iteration."""
        self.section.versions, self.section.stop, self._masks = {}, None, []
        if number is None:
            self._renumber()

    def _renumber(self) -> None:
        self._regions += 1
        self.region = self._regions

    def _closed(self, guard: Number | None) -> Region:
        assert guard is not None
        return Region(guard, self.section.versions, self.section.stop)

    def _go(self, phase: int) -> None:
        assert self._phase is not None
        self.update(self._phase, self.constant(phase, Kind.COUNT), ())

    def _in_phase(self, phase: int) -> Number:
        assert self._phase is not None
        return self.op("equal", (self._raw(self._phase), self.constant(phase, Kind.COUNT)))

    def _raw(self, state: State) -> Number:
        """A state at the beginning of the iteration."""
        return self.op("state", (), state.name, state.type)

    def hidden(self, name: Made, given: Type, initial: Constant) -> State:
        """A state that the user does not declare, with the name that listings show."""
        state = State(f"#{len(self.states)}", given, initial, here(), made=name)
        self.states.append(state)
        self.names[state.name] = name
        return state

    def is_innermost(self, frame: Frame) -> bool:
        """Whether a loop is the one that is being traced."""
        return bool(self._frames) and self._frames[-1] is frame

    def brought(self, section: Drafting, number: Number, region: int) -> Number:
        """The number of a value here. One from before the loop is recorded again, if it uses no state."""
        if region == self.region:
            return number
        if section is self.section:
            self._require_timeless(number)
            return number
        op = section.ops[number]
        if op.name == "state":
            raise error(
                "this value comes from before the loop, where it was made from a state; keep it in a state of its own."
            )
        operands = tuple(self.brought(section, operand, region) for operand in op.operands)
        return self.section.note(replace(op, operands=operands))

    def _require_timeless(self, number: Number) -> None:
        """A value that was made from a state in one loop is not there in the iterations of another."""
        waiting, seen = [number], set()
        while waiting:
            op = self.section.ops[each := waiting.pop()]
            if op.name == "state":
                raise error(
                    "this value was made from a state in another loop, outside or inside this one, and other "
                    "iterations do not have it; keep it in a state of its own."
                )
            seen.add(each)
            waiting += [operand for operand in op.operands if operand not in seen]

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
