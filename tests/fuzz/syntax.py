"""Programs as plain data that JSON can hold, and the Python source that hyloop traces.

An expression is a list: the name of an operation and its operands. A statement is one too. The shapes:

    ["const", kind, value]      value is true, false, a whole number, "inf" or null
    ["input", name]  ["state", name]  ["let", name]
    ["weight"]  ["count", scope]  ["every", scope]  ["number", scope]  ["top", scope]
    ["add", a, b]  ["sub", a, b]  ["mul", k, a]
    ["times" | "quotient" | "remainder", a, b]
    ["lt" | "le" | "gt" | "ge" | "eq" | "ne", a, b]  ["and" | "or", a, b]  ["not", a]
    ["where", condition, a, b]  ["read", x, p]  ["next" | "previous" | "ordinal", p]
    ["is_none", p]  ["exists", p]
    ["argmin" | "argmax", x, mask or null, 0 or 1]  ["min" | "max", x, mask or null]
    ["first" | "any" | "all", flags]
    ["members", e]  ["containing", v]  ["touching" | "covered", flags]  ["incidence" | "incidence_t", x]
    ["tails.members", e] and so on, also "heads."; ["tails.within", flags]
    ["tails" | "tails_t" | "heads" | "heads_t", x]
    [name, a, b, ...]           any other function of the language: ["smaller", a, b]

    ["let", name, expression]   ["pair", row, entry, "argmin" | "argmax", x, mask or null]
    ["assign", state, value, mask or null]  ["put", state, pointer, value]
    ["when", flag, [statements]]  ["otherwise", [statements]]  ["stop", flag]
    ["loop", bound, [statements]]  ["each", scope, name, [statements]]      inside the loop

Kinds are "flag", "count", "length", "vertex", "hyperedge"; scopes "s" (a scalar), "v" and "e".
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

Expr = list[Any]
Statement = list[Any]
SIDES = {"v": "h.vertices", "e": "h.hyperedges"}
ROWS = {"v": "Vertices", "e": "Hyperedges"}
KINDS = {"flag": "Flag", "count": "Count", "length": "Length", "vertex": "Vertex", "hyperedge": "Hyperedge"}
UNSET = "unset"  # the first value of a state that has none
SIGNS = {"add": "+", "sub": "-", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
BLOCKS = {"when", "otherwise", "loop", "each"}  # statements whose last part is a list of statements
SIGNS |= {"and": "&", "or": "|", "times": "*", "quotient": "//", "remainder": "%"}


@dataclass(frozen=True)
class Source:
    """A program as data."""

    states: list[list[Any]]  # [name, kind, scope, first value]
    body: list[Statement]
    at_most: Expr
    before: list[Statement] = field(default_factory=list)
    inputs: list[list[Any]] = field(default_factory=list)  # [name, kind, bound or null], for an array also its scope
    outputs: list[list[Any]] = field(default_factory=list)  # [name, how, state, ...]
    bounds: dict[str, Any] = field(default_factory=dict)  # of states that declare one: a size, as at_most is


@dataclass(frozen=True)
class Case:
    """A program, an input for it, and how it is compiled."""

    source: Source
    vertices: int
    hyperedges: list[list[int]]
    weights: list[str]  # as `Fraction` reads them
    inputs: dict[str, Any] = field(default_factory=dict)
    heads: int = 3
    schedule: str = "packed"
    dtype: str = "float64"
    capacity: list[int] | None = None  # rows and weight, or the default
    note: str = ""
    tails: list[list[int]] | None = None  # of each hyperedge; of these, members only. None: without direction
    leads: list[list[int]] | None = None  # its heads

    def as_json(self) -> dict[str, Any]:
        """What a file of the corpus holds."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Case:
        """The case that `as_json` gave."""
        return replace(cls(**{**data, "source": Source(**data["source"])}))

    def copy(self) -> Case:
        """One that can be changed."""
        return Case.from_json(copy.deepcopy(self.as_json()))


def walk(expression: object) -> Iterator[Expr]:
    """Every expression in one, itself first. Statements are walked too."""
    if isinstance(expression, list):
        if expression and isinstance(expression[0], str):
            yield expression
        for part in expression:
            yield from walk(part)


def is_directed(source: Source) -> bool:
    """Whether a program tells tails from heads."""
    return any(part[0].startswith(("tails", "heads")) for part in walk([source.before, source.body]))


def assigns(statements: list[Statement]) -> bool:
    """Whether there is an assignment among the statements."""
    return any(s[0] in {"assign", "put"} or (s[0] in BLOCKS and assigns(s[-1])) for s in statements)


def print_constant(value: object) -> str:
    """A constant as Python writes it."""
    return "INFINITY" if value == "inf" else repr(value)


def print_masked(name: str, x: Expr, mask: Expr | None) -> str:
    """A search, with its candidates."""
    return f"{name}({print_expr(x)}" + (")" if mask is None else f", where={print_expr(mask)})")


def print_expr(e: Expr) -> str:
    """An expression as Python source, bracketed wherever that can matter."""
    op, *rest = e
    if op == "const":
        return print_constant(rest[1])
    if op in {"input", "state", "let"}:
        return str(rest[0])
    if op == "weight":
        return "h.weight"
    if op in {"count", "every", "number", "top"}:
        return f"{SIDES[rest[0]]}.{'first' if op == 'top' else op}"
    if op in SIGNS:
        return f"({print_expr(rest[0])} {SIGNS[op]} {print_expr(rest[1])})"
    if op == "mul":
        return f"({rest[0]} * {print_expr(rest[1])})"
    if op == "not":
        return f"(~{print_expr(rest[0])})"
    if op == "next":
        return f"({print_expr(rest[0])} + 1)"
    if op == "previous":
        return f"({print_expr(rest[0])} - 1)"
    if op == "ordinal":
        return f"number({print_expr(rest[0])})"
    if op == "is_none":
        return f"{print_expr(rest[0])}.is_none"
    if op == "read":
        return f"{print_expr(rest[0])}[{print_expr(rest[1])}]"
    if op in {"argmin", "argmax"}:
        return f"{print_masked(op, rest[0], rest[1])}[{rest[2]}]"
    if op in {"min", "max"}:
        return print_masked(op, rest[0], rest[1])
    if op in {"members", "containing", "touching", "covered"}:
        return f"h.{op}({print_expr(rest[0])})"
    if "." in op:
        return f"h.{op}({print_expr(rest[0])})"
    if op.removesuffix("_t") in {"incidence", "tails", "heads"}:
        return f"(h.{op.removesuffix('_t')}{'.T' if op.endswith('_t') else ''} @ {print_expr(rest[0])})"
    return f"{op}({', '.join(print_expr(part) for part in rest)})"


def print_size(e: Expr | int | str) -> str:
    """A bound on the loop as Python source."""
    if isinstance(e, int):
        return str(e)
    if isinstance(e, str):
        return f"{SIDES[e]}.count"
    op, a, b = e
    if op == "choose":
        return f"{print_size(a)}.choose({b})"
    if op == "largest":
        return f"largest({print_size(a)}, {print_size(b)})"
    return f"({print_size(a)} {op} {print_size(b)})"


def print_head(op: str, rest: list[Any], depth: int) -> str:
    """The line that opens a block."""
    if op == "loop":
        return f"with h.loop(at_most={print_size(rest[0])}) as loop{depth + 1}:"
    if op == "each":
        return f"with {SIDES[rest[0]]}.each() as {rest[1]}:"
    return "with otherwise():" if op == "otherwise" else f"with when({print_expr(rest[0])}):"


def print_statements(statements: list[Statement], indent: str, depth: int = 0) -> list[str]:
    """Statements as lines of Python; `depth` counts the loops around them."""
    lines: list[str] = []
    for op, *rest in statements:
        if op == "let":
            lines.append(f"{rest[0]} = {print_expr(rest[1])}")
        elif op == "pair":
            lines.append(f"{rest[0]}, {rest[1]} = {print_masked(rest[2], rest[3], rest[4])}")
        elif op == "assign":
            mask = "" if rest[2] is None else f", where={print_expr(rest[2])}"
            lines.append(f"{rest[0]}.assign({print_expr(rest[1])}{mask})")
        elif op == "put":
            lines.append(f"{rest[0]}[{print_expr(rest[1])}] = {print_expr(rest[2])}")
        elif op == "stop":
            lines.append(f"loop{depth or ''}.stop_when({print_expr(rest[0])})")
        else:
            deeper = depth + (op in {"loop", "each"})
            lines += [print_head(op, rest, depth), *print_statements(rest[-1] or [], "    ", deeper)]
            lines += [] if rest[-1] else ["    pass"]
    return [indent + line for line in lines]


def print_output(output: list[Any]) -> str:
    """One output as Python source."""
    name, how, state, *more = output
    if how == "list":
        return f"{name}=[{', '.join(state)}]"
    if how in {"where", "unless"}:
        return f"{name}=known({state}, {how}={more[0]})"
    if how == "stream":
        return f"{name}=stream({state}, of={more[0]})"
    if how == "quotient":
        return f"{name}=quotient({state}, {more[0]})"
    return f"{name}=total({state})" if how == "total" else f"{name}={state}"


def print_input(name: str, kind: str, most: int | None, scope: str = "s") -> str:
    """An input as Python source."""
    one = KINDS[kind] if most is None else f"at_most({KINDS[kind]}, {most})"
    return f"{name}: {one if scope == 's' else f'{ROWS[scope]}[{one}]'}"


def print_source(source: Source) -> str:
    """The file that hyloop traces."""
    asked = [print_input(*given) for given in source.inputs]
    lines = ["from hyloop.lang import *", "", "", "@algorithm", f"def fuzzed({', '.join(['h', *asked])}):"]
    for name, kind, scope, first in source.states:
        given = "" if first == UNSET else f", {print_constant(first)}"
        given += f", at_most={print_size(source.bounds[name])}" if name in source.bounds else ""
        lines.append(f"    {name} = {SIDES.get(scope, 'h')}.state({KINDS[kind]}{given})")
    lines += print_statements(source.before, "    ")
    lines.append(f"    with h.loop(at_most={print_size(source.at_most)}) as loop:")
    lines += print_statements(source.body, "        ") or ["        pass"]
    lines.append(f"    return Outputs({', '.join(print_output(o) for o in source.outputs)})")
    return "\n".join(lines) + "\n"
