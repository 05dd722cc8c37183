"""A program as a text of Coq: a record of states, what the statements before the loop make of it, and the loop's body.

What the operations mean there is said in coq/Language.v. Not every operation has a form yet; the others are refused by
name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hyloop.errors import HyloopError
from hyloop.lang.kinds import INFINITY, Constant, Kind, Scope, Type
from hyloop.lang.matrices import INCIDENCE
from hyloop.lang.program import Op, Program, Section
from hyloop.lang.size import Size

TYPES = {Kind.FLAG: "bool", Kind.COUNT: "nat", Kind.LENGTH: "Length", Kind.VERTEX: "nat", Kind.HYPEREDGE: "nat"}
EQUAL = {Kind.FLAG: "Bool.eqb", Kind.LENGTH: "same"}
ROWS = {Scope.VERTICES: "(vertices n_v)", Scope.HYPEREDGES: "(hyperedges n_e)"}
SIZES = {"+": "({0} + {1})", "-": "({0} - {1})", "*": "({0} * {1})", "max": "(Nat.max {0} {1})"}

HEAD = """(* Made by `hyloop program {name} --coq`. *)

From Coq Require Import Arith Bool List.
From Hyloop Require Import Language.

Section Program.
  Variables n_v n_e : nat.
  Variable member : nat -> nat -> bool.
  Variable weight : nat -> nat.
"""
TAIL = """
  Definition at_most : nat := {bound}.
  Definition run : state * bool := iterate body at_most {start}.
End Program.
"""


def to_coq(program: Program) -> str:
    """The program as a text of Coq. Raises where an operation has no form there."""
    lines = [HEAD.format(name=program.name)]
    lines += [f"  Variable {each.name} : {_type(each.type)}." for each in program.inputs]
    lines += ["", "  Record state := State {"]
    lines += [f"    {each.name} : {_type(each.type)};" for each in program.states]
    initial = " ".join(_everywhere(each.type, each.initial) for each in program.states)
    lines += ["  }.", "", f"  Definition initial : state := State {initial}."]
    if program.begins:
        lines += ["", "  Definition before (s : state) : state :=", *_lines(program, program.before)]
        lines += [f"    {_next(program, program.before)}."]
    stop = "false" if program.body.stop is None else f"x{program.body.stop}"
    lines += ["", "  Definition body (s : state) : state * bool :=", *_lines(program, program.body)]
    lines += [f"    ({_next(program, program.body)}, {stop})."]
    start = "(before initial)" if program.begins else "initial"
    return "\n".join(lines) + "\n" + TAIL.format(bound=_size(program.at_most), start=start)


def _type(given: Type) -> str:
    of = TYPES[given.kind]
    return of if given.scope is Scope.SCALAR else f"nat -> {of}"


def _constant(kind: Kind, value: Constant) -> str:
    if kind is Kind.FLAG:
        return "true" if value else "false"
    if kind is Kind.LENGTH:
        return "infinity" if value is INFINITY else f"(Some {value})"
    return str(value or 0)


def _everywhere(of: Type, value: Constant) -> str:
    text = _constant(of.kind, value)
    return text if of.scope is Scope.SCALAR else f"(fun _ => {text})"


def _size(size: Size) -> str:
    if size.operator in {"n_v", "n_e"}:
        return size.operator
    if size.operator == "constant":
        return str(size.value)
    if size.operator not in SIZES:
        raise HyloopError(f"The bound {size} has no form in Coq: {size.operator!r} has none.")
    return SIZES[size.operator].format(*map(_size, size.parts))


def _next(program: Program, section: Section) -> str:
    values = (f"x{section.updates[s.name]}" if s.name in section.updates else f"s.({s.name})" for s in program.states)
    return f"State {' '.join(values)}"


def _lines(program: Program, section: Section) -> Iterator[str]:
    for number, op in enumerate(section.ops):
        if op.name not in FORMS:
            raise HyloopError(
                f"{program.name} uses the operation {op.name!r}, which has no form in Coq. Those that have one: "
                f"{', '.join(sorted(FORMS))}."
            )
        yield f"    let x{number} := {FORMS[op.name](Given(op, section.ops))} in"


@dataclass(frozen=True)
class Given:
    """An operation among those of its section."""

    op: Op
    ops: Sequence[Op]

    @property
    def names(self) -> list[str]:
        """Of its operands."""
        return [f"x{each}" for each in self.op.operands]

    @property
    def types(self) -> list[Type]:
        """Of its operands."""
        return [self.ops[each].type for each in self.op.operands]

    def rowwise(self, text: str) -> str:
        """A text with places for the operands, on each row where the result is an array."""
        if self.op.type.scope is Scope.SCALAR:
            return text.format(*self.names)
        at = (
            name if of.scope is Scope.SCALAR else f"{name} i" for name, of in zip(self.names, self.types, strict=True)
        )
        return f"fun i => {text.format(*(f'({each})' if ' ' in each else each for each in at))}"

    def searched(self) -> str:
        """The rows of the first operand, and its entries; lengths, and only where the second operand holds."""
        of, *masks = self.names
        rows = ROWS[self.types[0].scope]
        return f"{rows} (fun i => if {masks[0]} i then {of} i else infinity)" if masks else f"{rows} {of}"


def _lengths(given: Given, name: str) -> str:
    if given.types[0].kind is not Kind.LENGTH:
        raise HyloopError(f"In Coq, {given.op.name} has a form for lengths only.")
    return f"{name} {given.searched()}"


def _equal(given: Given) -> str:
    return given.rowwise(f"{EQUAL.get(given.types[0].kind, 'Nat.eqb')} {{0}} {{1}}")


def _added(given: Given) -> str:
    return given.rowwise("plus {0} {1}" if given.op.type.kind is Kind.LENGTH else "{0} + {1}")


def _less(given: Given) -> str:
    return given.rowwise("less {0} {1}" if given.types[0].kind is Kind.LENGTH else "{0} <? {1}")


def _read(given: Given) -> str:
    of = given.types[0]
    look = f"read {_constant(of.kind, of.kind.zero)} {ROWS[of.scope]} {given.names[0]}"
    return given.rowwise(look + " {1}") if given.op.type.scope is Scope.SCALAR else _no_rows(given)


def _no_rows(given: Given) -> str:
    raise HyloopError(f"In Coq, {given.op.name} has a form for one place only, not for one on each row.")


FORMS: Mapping[str, Callable[[Given], str]] = {
    "input": lambda given: str(given.op.argument),
    "state": lambda given: f"s.({given.op.argument})",
    "constant": lambda given: _constant(given.op.type.kind, given.op.argument),  # type: ignore[arg-type]
    "weight": lambda _: "fun i => Some (weight i)",
    "own": lambda _: "fun i : nat => i",
    "add": _added,
    "less": _less,
    "equal": _equal,
    "and": lambda given: given.rowwise(" && ".join(f"{{{n}}}" for n in range(len(given.names)))),
    "or": lambda given: given.rowwise("{0} || {1}"),
    "not": lambda given: given.rowwise("negb {0}"),
    "missing": lambda given: given.rowwise("Nat.eqb {0} 0"),
    "where": lambda given: given.rowwise("if {0} then {1} else {2}"),
    "any": lambda given: f"any {ROWS[given.types[0].scope]} {given.names[0]}",
    "first": lambda given: f"first {ROWS[given.types[0].scope]} {given.names[0]}",
    "argmin": lambda given: _lengths(given, "argmin"),
    "min": lambda given: _lengths(given, "least"),
    "read": _read,
    INCIDENCE.members: lambda given: f"members_of n_e member {given.names[0]}",
    INCIDENCE.containing: lambda given: f"containing n_v member {given.names[0]}",
    INCIDENCE.covered: lambda given: f"covered n_e member {given.names[0]}",
    INCIDENCE.touching: lambda given: f"touching n_v member {given.names[0]}",
}
