"""Handles on values, states and the hypergraph, which a user's function receives. Each use records an operation."""

from __future__ import annotations

import builtins
import inspect
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Any, ClassVar, NoReturn

from hyloop.lang import matrices
from hyloop.lang.kinds import (
    INFINITY,
    POINTER_TO,
    SCOPE_OF,
    Constant,
    Infinity,
    Kind,
    Scope,
    Type,
    exact,
    not_a_length,
    not_divided,
)
from hyloop.lang.phases import Block, Frame
from hyloop.lang.program import Note, Sentence, State
from hyloop.lang.ranges import number_of
from hyloop.lang.refusals import NotCopied, NotDecided, NoValue, called_right, told_when_set
from hyloop.lang.size import SHOWN, Size, Traced, largest
from hyloop.lang.source import LanguageError, error, here, user_frame
from hyloop.lang.tracer import TRACING, Drafting, Number, Tracer

# What other libraries have as methods of an array, and the language as functions.
_FUNCTIONS = ("all", "any", "argmax", "argmin", "first", "max", "min", "sum")


class Value(Traced, NotCopied):
    """A handle on a value. `+ - < == & | ~ []` record operations; Python's `if`, `and`, `not` cannot be traced."""

    __slots__ = ("_number", "_region", "_section", "_tracer")
    __hash__ = NotDecided.__hash__  # `==` is an operation here
    _offered: ClassVar[tuple[str, ...]] = ("exists", "is_none")
    _instead: ClassVar[Mapping[str, str]] = {
        "assign": "only a state is assigned: `x = h.state(Count, 0)`, then `x.assign(...)`.",
        **{name: f"there is the function `{name}(x)` of `hyloop.lang`." for name in _FUNCTIONS},
        **dict.fromkeys(("shape", "size"), "the number of rows is `h.vertices.count` or `h.hyperedges.count`."),
    }

    def __init__(self, tracer: Tracer, number: Number) -> None:
        self._tracer = tracer
        self._section: Drafting = tracer.section
        self._region = tracer.region
        self._number = number

    # -- where the value is

    def _here(self) -> Number:
        """The operation's number in the section that is being traced."""
        self._tracer.require_open()
        return self._tracer.brought(self._section, self._number, self._region)

    @property
    def type(self) -> Type:
        """Kind and scope."""
        return self._section.ops[self._number].type

    def _op(self, name: str, *operands: object, like: Kind | None = None) -> Value:
        lengths = True in [isinstance(each, Value) and _is_length(each) for each in operands] or (
            True in [isinstance(each, Infinity) for each in operands] and _is_zero(self._tracer, self._here())
        )
        kind = like or (Kind.LENGTH if lengths else self.type.kind)
        numbers = [lifted(self._tracer, operand, kind) for operand in operands]
        return Value(self._tracer, self._tracer.op(name, numbers))

    def _counted(self) -> Value:
        """Flags count as 0 and 1 where numbers are expected."""
        return self._op("number", self) if self.type.kind is Kind.FLAG else self

    def _summand(self, other: Any) -> Any:
        """The other operand of a sum or difference: a flag as 0 or 1, anything else unchanged."""
        if exact(other) is True and self.type.kind is Kind.LENGTH:
            raise error(
                "True counts as 1, and lengths and counts do not mix: a length is in units of the weights, a count is "
                "not."
            )
        return counted(other)

    # -- numbers. A sum or a product with what is only a bound is a size.

    def __add__(self, other: Any) -> Any:
        if self.type.kind.is_pointer:
            if type(exact(other)) is int and other == 1:
                return self._op("next", self)
            raise error("a vertex or hyperedge has a next one, `p + 1`; nothing else can be added to it.")
        mine = self._counted()
        if (bound := mine._beside(other)) is not None:
            return bound + other
        return mine._op("add", mine, mine._summand(other))

    def __radd__(self, other: Any) -> Any:
        if self.type.kind.is_pointer:
            return self.__add__(other)
        mine = self._counted()
        if (bound := mine._beside(other)) is not None:
            return other + bound
        return mine._op("add", mine._summand(other), mine)

    def __sub__(self, other: Any) -> Value:
        if self.type.kind.is_pointer and isinstance(exact(other), int):
            if type(other) is int and other == 1:
                return self._op("previous", self)
            raise error("a vertex or hyperedge has one before it, `p - 1`; nothing else can be taken from it.")
        mine = self._counted()
        return mine._op("subtract", mine, mine._summand(other))

    def __rsub__(self, other: Any) -> Value:
        mine = self._counted()
        return mine._op("subtract", mine._summand(other), mine)

    def __mul__(self, factor: Any) -> Any:
        mine = self._counted()
        if (bound := mine._beside(factor)) is not None:
            return bound * factor
        if isinstance(factor, Value | Size):
            return mine._op("multiply", mine, _numeric(factor))
        if isinstance(factor, NoValue):
            return NotImplemented  # which says what it is
        factor = exact(factor)
        times = int(factor) if isinstance(factor, int) else factor  # True counts as 1, here too
        return Value(self._tracer, self._tracer.op("multiple", (mine._here(),), times))

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Value:
        return _divided("quotient", self, other)

    def __rfloordiv__(self, other: Any) -> Value:
        return _divided("quotient", other, self)

    def __mod__(self, other: Any) -> Value:
        return _divided("remainder", self, other)

    def __rmod__(self, other: Any) -> Value:
        return _divided("remainder", other, self)

    def __divmod__(self, other: Any) -> tuple[Value, Value]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Value, Value]:
        return other // self, other % self

    def __truediv__(self, _: Any) -> NoReturn:
        raise error("there are no fractions here: `a // b` is how often b goes into a, and `a % b` what is left over.")

    __rtruediv__ = __truediv__

    def __pow__(self, exponent: Any, *_: Any) -> Any:
        if (bound := self._as_size()) is not None and type(exact(exponent)) is int:
            return bound ** exact(exponent)
        return self.__rpow__()

    def __rpow__(self, *_: Any) -> NoReturn:
        raise error("there are no powers here; write the product out, as in `x * x`.")

    def __matmul__(self, _: Any) -> NoReturn:
        raise error("`@` is the product with the incidence: `h.incidence @ x` or `h.incidence.T @ x`.")

    __rmatmul__ = __matmul__

    def __lshift__(self, _: Any) -> NoReturn:
        raise error("numbers have no bits here, and no shifts; `x * 2` is there.")

    __rshift__ = __rlshift__ = __rrshift__ = __lshift__

    def __pos__(self) -> NoReturn:
        raise error("counts and lengths are never negative: leave out the `+` or `abs`.")

    __abs__ = __pos__

    def __neg__(self) -> NoReturn:
        raise error("there are no negative numbers here; `-` stops at 0. For a flag, write `~`.")

    def _as_size(self) -> Size | None:
        """What it is at most, if it is made of inputs with a bound and of sizes: for `at_most` of a loop."""
        bound = _size_of(self._tracer, self)
        return None if bound is None else SizeHandle(bound, self._tracer)

    def _beside(self, other: object) -> Any:
        """The same beside a size that nothing can compute: the two together are a bound, and no value."""
        return self._as_size() if isinstance(other, Size) and not other.is_computed else None

    # -- comparisons and flags

    def __lt__(self, other: Any) -> Value:
        return self._op(self._order, self, other)

    def __gt__(self, other: Any) -> Value:
        return self._op(self._order, other, self)

    @property
    def _order(self) -> str:
        return "precedes" if self.type.kind.is_pointer else "less"

    def __le__(self, other: Any) -> Value:
        return self._no_longer(other, self)

    def __ge__(self, other: Any) -> Value:
        return self._no_longer(self, other)

    def _no_longer(self, larger: Any, smaller: Any) -> Value:
        """`smaller ≤ larger`: for numbers, not `larger < smaller`; a pointer that is none is not ordered."""
        if self.type.kind.is_pointer:
            return self._op("precedes", smaller, larger) | (self._op("equal", smaller, larger) & self.exists)
        return ~self._op("less", larger, smaller)

    def __eq__(self, other: object) -> Value:  # type: ignore[override]
        return self._op("equal", self, other)

    def __ne__(self, other: object) -> Value:  # type: ignore[override]
        return ~self._op("equal", self, other)

    def __and__(self, other: Any) -> Value:
        return self._op("and", self, other)

    def __or__(self, other: Any) -> Value:
        return self._op("or", self, other)

    __rand__, __ror__ = __and__, __or__

    def __invert__(self) -> Value:
        return self._op("not", self)

    def __xor__(self, _: Any) -> NoReturn:
        raise error("there is no `^`; of two flags, `a != b` says that one of them holds and the other does not.")

    __rxor__ = __xor__

    # -- pointers and entries

    @property
    def is_none(self) -> Value:
        """Whether a pointer names nothing."""
        return self._op("missing", self)

    @property
    def exists(self) -> Value:
        """Whether a pointer names something."""
        return ~self.is_none

    def __getitem__(self, pointer: Any) -> Value:
        if self.type.scope is Scope.SCALAR:
            raise error(f"{self.type.phrase} is one value; it has no entries.")
        if not isinstance(pointer, Value):
            raise error(_not_at("read", self.type.scope, pointer))
        return self._op("read", self, pointer)

    def __setitem__(self, pointer: Any, value: Any) -> None:
        del pointer, value
        raise error(
            f"this is {self.type.phrase}, and no state; only states can be assigned. Make a state with these values: "
            "`x = h.vertices.state(Count)`, then `x.assign(...)`."
        )

    def __delitem__(self, _: Any) -> NoReturn:
        raise error("an array has an entry for every row, and none can go; assign another value: `x[p] = 0`.")

    # -- what cannot be

    def __iter__(self) -> NoReturn:
        raise error(
            "rows cannot be visited in Python: use `first`, `argmin` and the loop. If you meant `any`, `all`, `min`, "
            "`max` or `sum` of the language, import them from `hyloop.lang`."
        )

    def __contains__(self, _: object) -> NoReturn:
        raise error("there is no `in` on a traced value: whether a flag holds at a vertex or hyperedge is `flags[p]`.")

    def __len__(self) -> NoReturn:
        raise error(
            "a traced value has no length in Python; the number of rows is `h.vertices.count` or `h.hyperedges.count`."
        )

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        """Refused: a value is not a method."""
        raise error("a value is not called; leave out the brackets: `p.is_none`, `p.exists`, `h.weight`.")

    def _called(self) -> str:
        return self.type.phrase if self.type.scope is Scope.SCALAR else f"an array, {self.type.phrase},"

    def __repr__(self) -> str:
        return f"<{self.type.phrase}>"


class StateHandle(Value):
    """A handle on a state: in an expression, its value there; `assign` and `[p] =` change it from there on."""

    __slots__ = ("state",)
    state: State
    _offered: ClassVar[tuple[str, ...]] = ("assign", "exists", "is_none")

    def __init__(self, tracer: Tracer, state: State) -> None:
        self._tracer = tracer
        object.__setattr__(self, "state", state)  # by users it is never set

    @property
    def type(self) -> Type:
        """Kind and scope."""
        return self.state.type

    def _here(self) -> Number:
        self._tracer.require_open()
        return self._tracer.current(self.state)

    @called_right
    def assign(self, value: Any, where: Value | None = None) -> None:
        """The state becomes `value`; where a flag is given, only on the rows where it holds."""
        self._tracer.require_assignable()
        masks = [] if where is None else [_flag(self._tracer, where)]
        self._tracer.update(self.state, lifted(self._tracer, value, self.type.kind), masks)

    def __setitem__(self, pointer: Any, value: Any) -> None:
        self._tracer.require_assignable()
        here_, scope = self.type, self.type.scope
        if scope is Scope.SCALAR:
            raise error(f"{here_.phrase} is one value; use `assign`.")
        if not isinstance(pointer, Value) or pointer.type.kind is not POINTER_TO[scope]:
            raise error(_not_at("written", scope, pointer))
        if pointer.type.scope is not Scope.SCALAR:
            raise error("many rows cannot write to the rows that they point at; turn it round and let each row read.")
        own = own_number(self._tracer, scope)
        given = lifted(self._tracer, value, here_.kind)
        if self._tracer.type(given).scope is not Scope.SCALAR:
            raise error(f"one entry cannot become {self._tracer.type(given).phrase}; read it at a pointer first.")
        self._tracer.update(self.state, given, [(own == pointer)._here()])

    def _augmented(self, *_: Any) -> NoReturn:
        raise error("write `x.assign(x + 1)`: states are assigned by name, so that `where=` can go with it.")

    __iadd__ = __isub__ = __iand__ = __ior__ = __imul__ = _augmented


_NEIGHBOURS = (
    "what shares a hyperedge with vertices that have a flag is `h.covered(h.touching(flags))`, and with one vertex "
    "`h.covered(h.containing(v))`."
)


@told_when_set
@dataclass(frozen=True, eq=False)
class Side(NoValue):
    """The vertices, or the hyperedges: their number, each row's own pointer, and states over them."""

    _tracer: Tracer
    _scope: Scope
    _offered: ClassVar[tuple[str, ...]] = ("count", "every", "first", "number", "state")
    _instead: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(
            ("degree", "degrees"),
            "the hyperedges of each vertex are counted by `h.incidence @ h.hyperedges.every`, the vertices of each "
            "hyperedge by `h.incidence.T @ h.vertices.every`.",
        ),
        **dict.fromkeys(("neighbors", "neighbours"), _NEIGHBOURS),
    }
    _hint = "; `h.vertices.number` is each row's own, `h.vertices.every` a flag of all, and `h.vertices.count` how many"

    @property
    def count(self) -> Size:
        """How many there are."""
        return SizeHandle(Size.of("n_v" if self._scope is Scope.VERTICES else "n_e"), self._tracer)

    @property
    def number(self) -> Value:
        """Each row's own vertex or hyperedge, to be compared with a pointer."""
        return own_number(self._tracer, self._scope)

    @property
    def first(self) -> Value:
        """The one with the lowest number, or none if there are none."""
        return first(self.every)

    @property
    def every(self) -> Value:
        """A flag that holds for each of them."""
        true = self._tracer.constant(True, Kind.FLAG)
        return Value(self._tracer, self._tracer.op("spread", (true,), self._scope))

    @called_right
    def each(self) -> EachBlock:
        """`with h.vertices.each() as v:` runs its block for each of them, one after the other, in their order."""
        return EachBlock(self._tracer, self)

    def state(self, kind: Kind, initial: Any = ..., at_most: Any = None) -> StateHandle:
        """A state with one value for each of them. Pointers start as none by default."""
        return new_state(self._tracer, Type(_kind(kind), self._scope), initial, at_most)

    def _not_known(self, *_: object) -> NoReturn:
        raise error(
            f"the {self._scope} are not known yet, so Python cannot visit or count them; an operation works on all "
            f"rows at once, `with h.{self._scope}.each() as x:` takes one after the other, and `h.{self._scope}.count` "
            "is how many there are."
        )

    __iter__ = __len__ = __contains__ = __getitem__ = __setitem__ = __delitem__ = _not_known

    def __repr__(self) -> str:
        return f"h.{self._scope}"


@told_when_set
class SizeHandle(Size):
    """A size in a program that is being traced: comparisons with it are operations of the program, not Python's."""

    def __init__(self, size: Size, tracer: Tracer) -> None:
        super().__init__(size.operator, size.parts, size.value)
        object.__setattr__(self, "_tracer", tracer)  # sizes are frozen

    _tracer: Tracer
    _offered: ClassVar[tuple[str, ...]] = ("choose",)

    def _called(self) -> str:
        return "a size"

    def _plain(self) -> Size:
        return Size(self.operator, self.parts, self.value)

    def _wrapped(self, size: Size) -> Size:
        return SizeHandle(size._plain(), self._tracer)

    def _value(self) -> Value:
        """The size as a count of the program."""
        return Value(self._tracer, _sized(self._tracer, self._plain()))

    def _compared(self, comparison: Callable[[Any, Any], Any], other: object) -> Any:
        if isinstance(other, Traced):
            return NotImplemented  # the value's method decides, since it knows the kind
        return comparison(self._value(), other)

    # A bound on a loop is divided by whole numbers only; anything else is a division of counts.

    def __floordiv__(self, other: Any) -> Any:
        return self._value() // other if isinstance(other, Size) else super().__floordiv__(other)

    def __rfloordiv__(self, other: Any = None) -> Any:
        return other // self._value()

    def __mod__(self, other: Any) -> Any:
        return self._value() % other

    def __rmod__(self, other: Any = None) -> Any:
        return other % self._value()

    def __eq__(self, other: object) -> Any:
        return self._compared(operator.eq, other)

    def __ne__(self, other: object) -> Any:
        return self._compared(operator.ne, other)

    def __lt__(self, other: object) -> Any:
        return self._compared(operator.lt, other)

    def __le__(self, other: object) -> Any:
        return self._compared(operator.le, other)

    def __gt__(self, other: object) -> Any:
        return self._compared(operator.gt, other)

    def __ge__(self, other: object) -> Any:
        return self._compared(operator.ge, other)

    __hash__ = NotDecided.__hash__

    def __repr__(self) -> str:
        return f"<the size {self}>"


@told_when_set
@dataclass(frozen=True, eq=False)
class IncidenceMatrix(NoValue):
    """The incidence, 0 and 1: `h.incidence @ x` adds up over the hyperedges of each vertex, `h.incidence.T @ x` over
    the members of each hyperedge. `h.tails` and `h.heads` are the same for the tails and the heads alone."""

    _tracer: Tracer
    _along: matrices.Matrix = matrices.INCIDENCE
    _transposed: bool = False
    _offered: ClassVar[tuple[str, ...]] = ("T", "containing", "covered", "members", "touching", "within")
    _hint = "; its products are: `h.incidence @ x` and `h.incidence.T @ x` of an array x"

    @property
    def T(self) -> IncidenceMatrix:  # noqa: N802  (the usual name)
        """The matrix with rows and columns exchanged."""
        return IncidenceMatrix(self._tracer, self._along, not self._transposed)

    def members(self, hyperedge: Any) -> Value:
        """The vertices of a hyperedge; of `h.tails` its tails, of `h.heads` its heads."""
        return self._cross(self._along.members, "members", hyperedge)

    def containing(self, vertex: Any) -> Value:
        """The hyperedges of a vertex; of `h.tails` those that it is a tail of, of `h.heads` a head of."""
        return self._cross(self._along.containing, "containing", vertex)

    def touching(self, vertices: Any) -> Value:
        """The hyperedges with at least one of these vertices (as a tail, as a head)."""
        return self._cross(self._along.touching, "touching", vertices)

    def within(self, vertices: Any) -> Value:
        """The hyperedges all of whose members (tails, heads) are among these vertices, those without any included."""
        self._require_crossing("within", vertices)
        return ~self.touching(~vertices)

    def covered(self, hyperedges: Any) -> Value:
        """The vertices in at least one of these hyperedges (as a tail, as a head)."""
        return self._cross(self._along.covered, "covered", hyperedges)

    def _cross(self, name: str, called: str, given: Any) -> Value:
        self._require_crossing(called, given)
        return Value(self._tracer, self._tracer.op(name, (given._here(),)))

    def _require_crossing(self, called: str, given: Any) -> None:
        if self._transposed:
            raise error(f"`{called}` says itself which way it goes: `h.{self._along.handle}.{called}`, without `.T`.")
        if not isinstance(given, Value):
            raise error(f"`h.{self._along.handle}.{called}` needs a traced value, not {given!r}.")

    def __matmul__(self, x: Any) -> Value:  # type: ignore[override]
        if not isinstance(x, Value):
            raise error(f"the incidence multiplies an array of counts, lengths or flags, not {shown(x)}.")
        mine = x._counted()
        name = self._along.transposed if self._transposed else self._along.product
        return Value(self._tracer, self._tracer.op(name, (mine._here(),)))

    def _no_neighbours(self, *_: Any) -> NoReturn:
        raise error(
            "this machine has no minimum over neighbours: the incidence adds. Let the best candidate come first with "
            "`argmin` and the loop, as `dijkstra` does, and mark what it reaches with `touching` or `covered`."
        )

    min = max = _no_neighbours

    def __repr__(self) -> str:
        return f"h.{self._along.handle}{'.T' * self._transposed}"


class Loop(NoValue):
    """The loop, inside its `with`."""

    _offered: ClassVar[tuple[str, ...]] = ("stop_when", "tell")

    def __init__(self, tracer: Tracer, frame: Frame) -> None:
        self._tracer, self._frame = tracer, frame

    @called_right
    def stop_when(self, flag: Any) -> None:
        """End the loop with this iteration if the flag holds; the statements after this one then take no effect."""
        if not self._tracer.ended and not self._tracer.is_innermost(self._frame):
            raise error("this loop cannot stop here, inside or after another one; let each loop stop in its own block.")
        self._tracer.stop_when(_flag(self._tracer, flag))

    @called_right
    def tell(self, about: str, each: str = "", **values: Value) -> None:
        """Say what an iteration does, for whoever watches a run; it computes nothing.

        `{name}` is the value that is given by that name, or the variable; in `about`, an array has its name there.
        `each` is said of every row.
        """
        tracer = self._tracer
        if not tracer.is_innermost(self._frame):
            raise error("a loop is told of in its own block, not inside or after another one.")
        known = {**user_frame().f_locals, **values}
        parts = [_sentence(text, known) for text in (about, each)]
        scopes = {tracer.type(part).scope for part in parts[1] if isinstance(part, int)} - {Scope.SCALAR}
        if len(scopes) != bool(each):
            raise error(
                "`each` is said of rows: it needs values over the vertices, or over the hyperedges, not of both."
            )
        tracer.notes.append(Note(parts[0], parts[1], self._frame.guard, here()))

    def __repr__(self) -> str:
        return "the loop"


class H(NoValue):
    """The hypergraph that the algorithm is about."""

    _offered: ClassVar[tuple[str, ...]] = (
        *("containing", "covered", "hyperedges", "incidence", "loop", "members", "state", "touching", "vertices"),
        "weight",
    )
    _instead: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("neighbors", "neighbours"), _NEIGHBOURS),
        **dict.fromkeys(("edge", "edges"), "did you mean `hyperedges`?"),
        **dict.fromkeys(("node", "nodes"), "did you mean `vertices`?"),
        **dict.fromkeys(
            ("degree", "degrees"), "the hyperedges of each vertex are counted by `h.incidence @ h.hyperedges.every`."
        ),
    }

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer
        self._sides = {scope: Side(tracer, scope) for scope in (Scope.VERTICES, Scope.HYPEREDGES)}
        self._matrices = [
            IncidenceMatrix(tracer, along) for along in (matrices.INCIDENCE, matrices.TAILS, matrices.HEADS)
        ]

    @property
    def vertices(self) -> Side:
        """The vertices."""
        return self._sides[Scope.VERTICES]

    @property
    def hyperedges(self) -> Side:
        """The hyperedges."""
        return self._sides[Scope.HYPEREDGES]

    @property
    def incidence(self) -> IncidenceMatrix:
        """Which vertices are in which hyperedges."""
        return self._matrices[0]

    @property
    def tails(self) -> IncidenceMatrix:
        """Which vertices are tails of which hyperedges."""
        return self._matrices[1]

    @property
    def heads(self) -> IncidenceMatrix:
        """Which vertices are heads of which hyperedges."""
        return self._matrices[2]

    @property
    def weight(self) -> Value:
        """The weight of each hyperedge."""
        return Value(self._tracer, self._tracer.op("weight", (), None, Type(Kind.LENGTH, Scope.HYPEREDGES)))

    @called_right
    def state(self, kind: Kind, initial: Any = ..., at_most: Any = None) -> StateHandle:
        """A state with one value."""
        return new_state(self._tracer, Type(_kind(kind)), initial, at_most)

    @called_right
    def members(self, hyperedge: Any) -> Value:
        """The vertices of a hyperedge."""
        return self._cross("members", hyperedge)

    @called_right
    def containing(self, vertex: Any) -> Value:
        """The hyperedges of a vertex."""
        return self._cross("containing", vertex)

    @called_right
    def touching(self, vertices: Any) -> Value:
        """The hyperedges with at least one of these vertices."""
        return self._cross("touching", vertices)

    @called_right
    def covered(self, hyperedges: Any) -> Value:
        """The vertices in at least one of these hyperedges."""
        return self._cross("covered", hyperedges)

    def _cross(self, name: str, given: Any) -> Value:
        if not isinstance(given, Value):
            raise error(f"`h.{name}` needs a traced value, not {shown(given)}.")
        return Value(self._tracer, self._tracer.op(name, (given._here(),)))

    @called_right
    def loop(self, at_most: Any = None) -> LoopBlock:
        """The loop. `at_most` bounds its iterations, in terms of `h.vertices.count` and `h.hyperedges.count`."""
        if at_most is None:
            raise error("a loop must say how often it may run at most: `h.loop(at_most=h.vertices.count + 1)`.")
        bound = _bound(self._tracer, at_most)
        if bound is None:
            raise error(
                "`at_most` must follow from the size of the hypergraph: `h.vertices.count`, `h.hyperedges.count`, "
                "whole numbers, inputs with a bound (`k: at_most(Count, 10)`), `+`, `-`, `*`, `//`, `**`, `log2`."
            )
        return LoopBlock(self._tracer, bound)

    def __repr__(self) -> str:
        return "h"


class LoopBlock(NoValue):
    """`h.loop(...)`, to be used with `with`."""

    def __init__(self, tracer: Tracer, at_most: Size) -> None:
        self._tracer, self._at_most = tracer, at_most

    def __enter__(self) -> Loop:
        return Loop(self._tracer, _enter(self._tracer, self._at_most, self._at_most))

    def __exit__(self, wrong: type[BaseException] | None, *_: object) -> None:
        if wrong is None:
            self._tracer.leave_loop()

    def __repr__(self) -> str:
        return "`h.loop(...)`"


class EachPointer(StateHandle):
    """The pointer of `each()`: a state that only the loop assigns."""

    __slots__ = ()

    def assign(self, *_: Any, **__: Any) -> None:
        """Refused: the loop itself sets it."""
        raise error("the pointer of `each()` cannot be assigned; the loop sets it.")


class EachBlock(NoValue):
    """`h.vertices.each()` or `h.hyperedges.each()`, to be used with `with`, once."""

    def __init__(self, tracer: Tracer, side: Side) -> None:
        self._tracer, self._side = tracer, side
        self._states: tuple[StateHandle, StateHandle] | None = None

    def __enter__(self) -> StateHandle:
        """The pointer, a state. Statements before the loop, or before an inner one, set the one that comes first."""
        if self._states is not None:
            raise error("an `each()` is used once; for another loop, write `with h.vertices.each() as v:` again.")
        kind = Type(POINTER_TO[self._side._scope])
        this = EachPointer(self._tracer, self._tracer.hidden("each", kind, None))
        coming = StateHandle(self._tracer, self._tracer.hidden("coming", kind, None))
        self._states = this, coming
        coming.assign(self._side.first)
        size = self._side.count
        _enter(self._tracer, Size.of(largest(size, 1)), Size.of(size + 1))
        StateHandle.assign(this, coming)
        self._tracer.stop_when(this.is_none._here())
        return this

    def __exit__(self, wrong: type[BaseException] | None, *_: object) -> None:
        if wrong is None and self._states is not None:
            this, coming = self._states
            following = this + 1
            coming.assign(following)
            self._tracer.stop_when(following.is_none._here())
            self._tracer.leave_loop()

    def __repr__(self) -> str:
        return f"`h.{self._side._scope}.each()`"


def _enter(tracer: Tracer, at_most: Size, limit: Size) -> Frame:
    """Begin a loop. Its limit is a value, which is checked, where the machine can compute it."""
    counted = limit.is_sum and not tracer.ended
    if tracer.at_most is not None:
        return tracer.enter_loop(at_most, _sized(tracer, limit) if counted else None)
    frame = tracer.enter_loop(at_most)
    frame.made = (lambda: _sized(tracer, limit)) if counted else None
    return frame


class When(NoValue):
    """`when(flag)` or `otherwise()`, to be used with `with`, once."""

    def __init__(self, tracer: Tracer, mask: Number) -> None:
        self._tracer, self._mask, self._region, self._where = tracer, mask, tracer.region, here()
        self._block: Block | None = None
        tracer.unused_conditions.append(self._where)

    def __enter__(self) -> None:
        self._tracer.require_open()
        if self._block is not None:
            raise error("a `when` is used once; for another block, write `with when(flag):` again.")
        if self._tracer.region != self._region:
            raise error("a `when` from before the loop cannot be used in it; write `with when(flag):` where it begins.")
        self._tracer.unused_conditions.remove(self._where)
        self._block = self._tracer.begin_condition(self._mask)

    def __exit__(self, wrong: type[BaseException] | None, *_: object) -> None:
        # Also where an exception leaves the block: somebody may catch it, or it is the end of a generator. A mistake in
        # a loop in the block has left that loop open; what is told is the mistake.
        try:
            if self._block is not None:
                self._tracer.end_condition(self._block)
        except LanguageError:
            if wrong is None or not issubclass(wrong, LanguageError):
                raise

    def __repr__(self) -> str:
        return "`when(...)`"


# -- functions on handles -----------------------------------------------------------------------------------------


@called_right
def argmin(x: Value, where: Value | None = None) -> tuple[Value, Value]:
    """The row with the least entry, lowest number first, and that entry; (none, INFINITY) where there is none.

    Pointers are ordered by number. None is no candidate, and the entry that is found where there is none.
    """
    return _search("argmin", x, where), _search("min", x, where)


@called_right
def argmax(x: Value, where: Value | None = None) -> tuple[Value, Value]:
    """The row with the greatest (finite) entry, lowest number first, and that entry; (none, 0) where there is none."""
    return _search("argmax", x, where), _search("max", x, where)


@called_right
def min(x: Value, where: Value | None = None) -> Value:
    """The least entry; INFINITY (for counts 0) where there is none."""
    return _search("min", x, where)


@called_right
def max(x: Value, where: Value | None = None) -> Value:
    """The greatest finite entry; 0 where there is none."""
    return _search("max", x, where)


@called_right
def first(flags: Value) -> Value:
    """The lowest-numbered row where the flag holds, or none."""
    return _over("first", flags)


@called_right
def any(flags: Value) -> Value:
    """Whether the flag holds on some row."""
    return _over("any", flags)


@called_right
def all(flags: Value) -> Value:
    """Whether the flag holds on every row."""
    return _over("all", flags)


@called_right
def sum(x: Any, start: Any = 0) -> Any:
    """All entries of an array of counts or lengths added up, or how many rows have a flag; of no rows, 0.

    A head averages. So it is given each number times the number of rows: their mean is the sum, an integer. What Python
    can visit, a list of values for one, is added up by Python.
    """
    if not isinstance(x, Value) and isinstance(x, Iterable):
        return builtins.sum(x, start)
    tracer = _tracer_of(x)
    if x.type.scope is Scope.SCALAR or x.type.kind.is_pointer:
        raise error(f"`sum(x)` adds up an array of counts, lengths or flags; this is {x.type.phrase}.")
    rows = tracer.op("size", (), "n_v" if x.type.scope is Scope.VERTICES else "n_e", Type(Kind.COUNT))
    if x.type.kind is Kind.FLAG:
        many = tracer.op("where", (x._here(), rows, tracer.constant(0, Kind.COUNT)))
    else:
        many = tracer.op("multiply", (x._here(), rows))
    return Value(tracer, tracer.op("mean", (many,)))


@called_right
def where(condition: Value, if_true: Any, if_false: Any) -> Value:
    """`if_true` where the condition holds, `if_false` elsewhere."""
    tracer = _tracer_at(condition)
    kinds = [given.type.kind for given in (if_true, if_false) if isinstance(given, Value)]
    lengths = _is_length(if_true) or _is_length(if_false)
    kind = Kind.LENGTH if lengths else kinds[0] if kinds else Kind.COUNT
    numbers = [lifted(tracer, given, kind) for given in (if_true, if_false)]
    return Value(tracer, tracer.op("where", (_flag(tracer, condition), *numbers)))


@called_right
def smaller(a: Any, b: Any) -> Value:
    """The smaller of two counts or two lengths, row by row; flags count as 0 and 1."""
    return _beside("smaller", a, b)


@called_right
def larger(a: Any, b: Any) -> Value:
    """The larger of two counts or two lengths, row by row; flags count as 0 and 1."""
    return _beside("larger", a, b)


def number(pointer: Value) -> Value:
    """The number of a vertex or hyperedge as a count, from 0; of none, how many vertices or hyperedges there are."""
    if pointer is None:
        raise error(
            "None may be no vertex or no hyperedge. The number of none is how many there are: `h.vertices.count` or "
            "`h.hyperedges.count`."
        )
    tracer = _tracer_of(pointer)
    if not pointer.type.kind.is_pointer:
        raise error(f"only a vertex or hyperedge has a number; this is {pointer.type.phrase}.")
    return Value(tracer, tracer.op("ordinal", (pointer._here(),), SCOPE_OF[pointer.type.kind]))


@called_right
def exists(pointer: Value) -> Value:
    """Whether a pointer names something."""
    _tracer_of(pointer)
    return pointer.exists


@called_right
def when(flag: Value) -> When:
    """`with when(flag):` every assignment inside takes effect only where the flag holds."""
    tracer = _tracer_at(flag)
    return When(tracer, _flag(tracer, flag))


def _not_at(done: str, scope: Scope, given: Any) -> str:
    """Why an array is not read or written at something."""
    pointer = POINTER_TO[scope]
    if given is None:
        return f"None names no {pointer}, so that nothing can be {done} there; leave this out, or give a {pointer}."
    what = given.type.phrase if isinstance(given, Value) else shown(given)
    return f"an array over the {scope} is {done} at a {pointer}, not at {what}.{_of_a_search(given)}"


def _of_a_search(given: Any) -> str:
    """What to write instead of both results of `argmin` or `argmax` at once."""
    both = isinstance(given, tuple) and {Value} == set(map(type, given))
    return " `argmin` and `argmax` give two values: `at, best = argmin(x)`." if both else ""


def otherwise() -> When:
    """`with otherwise():` right after a `with when(flag):` block: where its flag did not hold when it began."""
    tracer = TRACING.get()
    if tracer is None or tracer.finished is None:
        raise error("`with otherwise():` stands right after a `with when(flag):` block, with nothing assigned between.")
    return When(tracer, tracer.op("not", (tracer.finished,)))


def _beside(name: str, a: Any, b: Any) -> Value:
    """An operation on two numbers, which may be constants."""
    left, right = _numeric(a), _numeric(b)
    if not isinstance(left, Value) and not isinstance(right, Value) and (tracer := TRACING.get()) is not None:
        kind = Kind.LENGTH if _is_length(left) or _is_length(right) else Kind.COUNT
        zeros = {left, right} == {0} if isinstance(left, int) and isinstance(right, int) else False
        left = Value(tracer, tracer.constant(*_constant(left, kind)))
        if zeros:  # which are of any unit
            return left
    mine = left if isinstance(left, Value) else right
    _tracer_of(mine)
    for given in (exact(a), exact(b)):
        if given is True:
            mine._summand(given)  # which is refused beside a length
    made: Value = mine._op(name, left, right)
    return made


def _divided(name: str, a: Any, b: Any) -> Value:
    """A quotient or remainder; to divide by a constant 0 is refused, for it is a mistake."""
    if not isinstance(b, Value | Size) and b in (0, False):
        raise not_divided(b)
    return _beside(name, a, b)


def _numeric(operand: Any) -> Any:
    """A flag or a size as a value; anything else unchanged."""
    if isinstance(operand, SizeHandle):
        return Value(operand._tracer, _sized(operand._tracer, operand))
    return counted(operand)


def _search(name: str, x: Value, where_: Value | None) -> Value:
    tracer = _tracer_of(x)
    if isinstance(where_, Value | Size | int) and not _is_flag(where_):
        raise error(
            f"`{name}(x)` looks at all rows of one array, and its second argument is the flag `where=`; of two "
            "numbers, one is `smaller(a, b)` or `larger(a, b)`."
        )
    operands = (x._here(),) if where_ is None else (x._here(), _flag(tracer, where_))
    return Value(tracer, tracer.op(name, operands))


def _over(name: str, flags: Value) -> Value:
    tracer = _tracer_of(flags)
    return Value(tracer, tracer.op(name, (flags._here(),)))


def _tracer_of(value: Any) -> Tracer:
    if not isinstance(value, Value):
        raise error(f"this needs a value of the traced program, not {shown(value)}.")
    return value._tracer


def _tracer_at(flag: Any) -> Tracer:
    """The program of a condition, which may be True or False."""
    tracer = TRACING.get()
    return tracer if tracer is not None and isinstance(exact(flag), bool) else _tracer_of(flag)


def _is_flag(given: Any) -> bool:
    return given.type.kind is Kind.FLAG if isinstance(given, Value) else isinstance(exact(given), bool)


# -- lifting ------------------------------------------------------------------------------------------------------


def lifted(tracer: Tracer, operand: Any, kind: Kind) -> Number:
    """The number of the operand's operation; a Python constant gets the expected kind."""
    if isinstance(operand, Value):
        if operand._tracer is not tracer:
            raise error("this value belongs to another program.")
        number = operand._here()
        return _as_length(tracer, number) if kind is Kind.LENGTH and _is_zero(tracer, number) else number
    if isinstance(operand, Size):
        return _sized(tracer, operand)
    return tracer.constant(*_constant(operand, kind))


def _is_zero(tracer: Tracer, number: Number) -> bool:
    """Whether an operation was made of nothing but zeros, which are zeros of any unit: `where(flag, 0, 0)`."""
    op = tracer.section.ops[number]
    if op.name == "constant":
        return op.type.kind is Kind.COUNT and op.argument == 0
    return op.name == "where" and False not in [_is_zero(tracer, each) for each in op.operands[1:]]


def _as_length(tracer: Tracer, number: Number) -> Number:
    """The same zeros, as lengths."""
    op = tracer.section.ops[number]
    if op.name == "constant":
        return tracer.constant(0, Kind.LENGTH)
    condition, *branches = op.operands
    return tracer.op("where", (condition, *(_as_length(tracer, each) for each in branches)))


def shown(value: object) -> str:
    """Something that is no value of the program, in a message."""
    if inspect.isroutine(value):
        return f"the function `{value.__name__}`"
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _constant(value: Any, kind: Kind) -> tuple[Constant, Kind]:
    value = exact(value)
    if value is None and kind.is_pointer:
        return None, kind
    if isinstance(value, bool):
        return value, Kind.FLAG
    if isinstance(value, Infinity):
        if kind is not Kind.LENGTH:
            raise error(f"INFINITY is a length; a {kind} has no such value.")
        return INFINITY, Kind.LENGTH
    if isinstance(value, int):
        return _whole(int(value), kind), kind if kind.is_number else Kind.COUNT
    if value is None:
        raise error(f"None stands for no vertex or no hyperedge; a {kind} always has a value.")
    if isinstance(value, NoValue):
        value._no_value()
    if isinstance(value, float) and value == float("inf"):
        raise error("inf is a number of Python's; the infinite length is INFINITY of `hyloop.lang`.")
    other = _of_a_search(value)
    if isinstance(value, float):
        other = " A length such as this one is an input: `def f(h, limit: Length)`."
    raise error(
        f"{shown(value)} is no value of this language: it has flags, whole numbers, INFINITY, and None for no vertex."
        f"{other}"
    )


def _whole(value: int, kind: Kind) -> int:
    if value < 0:
        raise error(f"{value} is negative; counts and lengths start at 0.")
    if kind is Kind.LENGTH and value != 0:
        raise not_a_length(value)
    if kind.is_pointer:
        raise error(
            f"{value} is not a {kind}: there are `h.{SCOPE_OF[kind]}.first`, the next one `p + 1`, and None; "
            "any other, take as an input."
        )
    return value


# What sizes are computed with, beside sums and multiples.
_COMPUTED = {"*": "multiply", "//": "quotient", "max": "larger"}


def _sized(tracer: Tracer, size: Size) -> Number:
    """A size as a count, if it is a sum of counts and constants."""
    count = Type(Kind.COUNT)
    if size.operator == "constant":
        return tracer.op("constant", (), size.value, count)
    if size.operator in {"n_v", "n_e"}:
        return tracer.op("size", (), size.operator, count)
    if size.operator in {"+", "-"}:
        operands = [_sized(tracer, part) for part in size.parts]
        return tracer.op("add" if size.operator == "+" else "subtract", operands)
    if size.operator not in _COMPUTED:
        raise error(
            f"{size} cannot be computed on this machine, only bounded by: `choose`, `**` and `log2` stand in "
            "`at_most`, beside sizes, whole numbers and inputs with a bound. A power of a value is a product, `x * x`."
        )
    left, right = size.parts
    if size.operator == "*" and "constant" in {left.operator, right.operator}:
        fixed, other = (left, right) if left.operator == "constant" else (right, left)
        return tracer.op("multiple", (_sized(tracer, other),), fixed.value)
    return tracer.op(_COMPUTED[size.operator], [_sized(tracer, part) for part in size.parts])


# What bounds are computed with, where values are: each grows with its operands, but for those that must be constants.
_BOUNDED: Mapping[str, Callable[[Size, Size], Size]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "quotient": lambda a, b: a // b.value,
    "larger": largest,
    "smaller": lambda a, _: a,
}


def _size_of(tracer: Tracer, value: Value) -> Size | None:
    """A value as a size, if it is made of sizes and of inputs, which count as their declared bounds."""
    if isinstance(value, StateHandle):
        return None
    bounds = {given.name: given.at_most for given in tracer.inputs if given.type == Type(Kind.COUNT)}
    ops = value._section.ops

    def size(number: Number) -> Size | None:
        op = ops[number]
        if op.name in {"input", "size", "constant"}:
            leaf = bounds.get(str(op.argument)) if op.name == "input" else op.argument
            return Size.of(leaf) if isinstance(leaf, int | str) else None
        parts = [part for operand in op.operands if (part := size(operand)) is not None]
        if op.name == "multiple" and parts:
            return parts[0] * number_of(op.argument)
        # A bound is no bound of what is subtracted, or of what divides.
        if op.name in {"subtract", "quotient"} and ops[op.operands[1]].name != "constant":
            return None
        return _BOUNDED[op.name](*parts) if op.name in _BOUNDED and len(parts) == 2 else None

    return size(value._number)


def counted(operand: Any) -> Any:
    """A flag as 0 or 1; anything else unchanged."""
    operand = exact(operand)
    if isinstance(operand, bool):
        return int(operand)
    return operand._counted() if isinstance(operand, Value) else operand


def own_number(tracer: Tracer, scope: Scope) -> Value:
    """Each row's own vertex or hyperedge."""
    return Value(tracer, tracer.op("own", (), scope, Type(POINTER_TO[scope], scope)))


def new_state(tracer: Tracer, given: Type, initial: Any, at_most: Any = None) -> StateHandle:
    """A state; without an initial value, a pointer starts as none and anything else must be set before it is read."""
    unset = initial is ... and not given.kind.is_pointer
    if isinstance(initial, Value | Size):
        raise error("a state starts with a constant; assign other values before the loop.")
    value = given.kind.zero if initial is ... else _constant(initial, given.kind)[0]
    if initial is not ... and _constant(initial, given.kind)[1] is not given.kind:
        raise error(f"{initial!r} cannot be the first value of {given.phrase}.")
    state = State(f"#{len(tracer.states)}", given, value, here(), at_most=_declared(tracer, given, at_most))
    tracer.declare(state, unset=unset)
    return StateHandle(tracer, state)


def _declared(tracer: Tracer, given: Type, at_most: Any) -> Size | None:
    """The bound that a state is declared with; an input counts as its own."""
    if at_most is None:
        return None
    if given.kind is not Kind.COUNT:
        raise error(f"only counts have a declared bound, as in `h.state(Count, 0, at_most=9)`; this is {given.phrase}.")
    bound = _bound(tracer, at_most)
    if bound is None:
        raise error(
            "the bound of a state must follow from the size of the hypergraph: `h.vertices.count`, "
            "`h.hyperedges.count`, whole numbers, inputs with a bound, `+`, `-`, `*`, `//`."
        )
    return bound


def _bound(tracer: Tracer, at_most: Any) -> Size | None:
    """A bound as a size; None for what is neither a size nor a whole number."""
    try:
        return _size_of(tracer, at_most) if isinstance(at_most, Value) else Size.of(at_most)
    except TypeError as wrong:
        if type(exact(at_most)) is int:
            raise error(f"{wrong}, as `at_most` must be.") from None
        return None


def _kind(kind: Any) -> Kind:
    if not isinstance(kind, Kind):
        raise error(f"{kind!r} is no kind; the kinds are Flag, Count, Length, Vertex and Hyperedge.")
    return kind


def _is_length(value: Any) -> bool:
    return isinstance(value, Infinity) or (isinstance(value, Value) and value.type.kind is Kind.LENGTH)


def _sentence(text: str, values: Mapping[str, Any]) -> Sentence:
    """The parts of a sentence of `tell`, without empty ones."""
    parts: list[str | int] = []
    for before, name, *_ in Formatter().parse(text):
        parts.append(before)
        if name is not None and not isinstance(values.get(name), Value):
            raise error(f"`tell` has no value `{name}=` for {{{name}}}; give it one: `tell(..., {name}=x)`.")
        if name is not None:
            parts.append(values[name]._here())
    return tuple(part for part in parts if part != "")


def _flag(tracer: Tracer, flag: Any) -> Number:
    number = lifted(tracer, flag, Kind.FLAG)
    if tracer.type(number).kind is not Kind.FLAG:
        raise error(f"the condition must be a flag; this is {tracer.type(number).phrase}.")
    return number
