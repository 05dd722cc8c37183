"""Text of LLVM's intermediate language: the few instructions that generated layers need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

# The slots of the context that native code is given: addresses and counts, 8 bytes each.
SLOTS = (
    "first",
    "rest",
    "body",
    "brought_first",
    "brought_rest",
    "brought",
    "sources",
    "lists",
    "counts",
    "flags",
    "valid",
    "incidence_start",
    "incidence_target",
    "incidence_value",
    "transposed_start",
    "transposed_target",
    "transposed_value",
    "tails_start",
    "tails_target",
    "tails_value",
    "tails_transposed_start",
    "tails_transposed_target",
    "tails_transposed_value",
    "heads_start",
    "heads_target",
    "heads_value",
    "heads_transposed_start",
    "heads_transposed_target",
    "heads_transposed_value",
    "rows",
    "padded",
    "stopped",
    "iterations",
)


@dataclass(frozen=True)
class Operand:
    """A number or a vector of the code being written."""

    text: str
    vector: bool


class CodeLines:
    """Lines of code; names are numbered in one sequence for the whole function."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.lines: list[str] = []

    def let(self, instruction: str) -> str:
        """Write an instruction and name its result."""
        name = self.function.name()
        self.lines.append(f"  {name} = {instruction}")
        return name

    def do(self, instruction: str) -> None:
        """Write an instruction without a result."""
        self.lines.append(f"  {instruction}")

    def label(self, name: str) -> None:
        """Begin a block."""
        self.lines.append(f"{name}:")


class Function:
    """One function: the type of its numbers, how many a vector has, and the names that it has given out."""

    def __init__(self, dtype: str, lanes: int) -> None:
        self.number = "double" if dtype == "float64" else "float"
        self.bits = 64 if dtype == "float64" else 32
        self.lanes = lanes
        self.vector = f"<{lanes} x {self.number}>"
        self._names = 0

    def name(self) -> str:
        """A new name for a value."""
        self._names += 1
        return f"%v{self._names}"

    def block(self, what: str) -> str:
        """A new name for a block."""
        self._names += 1
        return f"{what}{self._names}"

    def type(self, operand: Operand) -> str:
        """The type of an operand."""
        return self.vector if operand.vector else self.number

    def constant(self, value: float) -> str:
        """A number, written so that it is read back exactly."""
        kept = float(np.float32(value)) if self.bits == 32 else value
        return f"0x{np.float64(kept).view(np.uint64):016X}"

    def filled(self, value: float) -> str:
        """A vector of one constant."""
        return "<" + ", ".join([f"{self.number} {self.constant(value)}"] * self.lanes) + ">"

    def splat(self, text: CodeLines, number: str) -> str:
        """A vector of one number."""
        one = text.let(f"insertelement {self.vector} poison, {self.number} {number}, i32 0")
        mask = f"<{self.lanes} x i32> zeroinitializer"
        return text.let(f"shufflevector {self.vector} {one}, {self.vector} poison, {mask}")

    # -- arithmetic on numbers (`kind` is the type of the numbers) and on vectors alike

    def relu(self, text: CodeLines, kind: str, value: str) -> str:
        """The larger of a value and 0."""
        above = text.let(f"fcmp ogt {kind} {value}, zeroinitializer" if kind == self.vector else self._above(value))
        condition = f"<{self.lanes} x i1>" if kind == self.vector else "i1"
        zero = "zeroinitializer" if kind == self.vector else self.constant(0)
        return text.let(f"select {condition} {above}, {kind} {value}, {kind} {zero}")

    def _above(self, value: str) -> str:
        return f"fcmp ogt {self.number} {value}, {self.constant(0)}"

    def weighted(self, text: CodeLines, kind: str, terms: Iterable[tuple[str, float]], start: str | None) -> str:
        """`start + Σ weight · value`; never -0, if no value is."""
        vector = kind == self.vector
        suffix = (f"v{self.lanes}" if vector else "") + f"f{self.bits}"
        total, nothing = start, "zeroinitializer" if vector else self.constant(0)
        for value, weight in sorted(terms, key=lambda term: term[1] != 1):
            factor = self.filled(weight) if vector else self.constant(weight)
            if total is None and weight < 0:  # 0 · weight would be -0, which no state holds
                total = nothing
            if total is None:
                total = value if weight == 1 else text.let(f"fmul {kind} {value}, {factor}")
            elif weight == 1:
                total = text.let(f"fadd {kind} {total}, {value}")
            elif weight == -1:
                total = text.let(f"fsub {kind} {total}, {value}")
            else:
                call = f"{kind} @llvm.fmuladd.{suffix}({kind} {value}, {kind} {factor}, {kind} {total})"
                total = text.let(f"call {call}")
        return nothing if total is None else total

    def floor(self, text: CodeLines, value: str, *, up: bool = False) -> str:
        """The integer below a number, or above it."""
        what = "ceil" if up else "floor"
        return text.let(f"call {self.number} @llvm.{what}.f{self.bits}({self.number} {value})")

    def declarations(self) -> list[str]:
        """The intrinsics that may be called."""
        n, v, b, w = self.number, self.vector, self.bits, self.lanes
        return [
            f"declare {n} @llvm.fmuladd.f{b}({n}, {n}, {n})",
            f"declare {v} @llvm.fmuladd.v{w}f{b}({v}, {v}, {v})",
            f"declare {n} @llvm.floor.f{b}({n})",
            f"declare {n} @llvm.ceil.f{b}({n})",
            f"declare i{w} @llvm.cttz.i{w}(i{w}, i1)",
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        ]


class Context:
    """The addresses that a function has loaded from its context."""

    def __init__(self, function: Function, text: CodeLines) -> None:
        self.function, self._text = function, text
        self._known: dict[str, str] = {}

    def load_all(self, used: Sequence[str] = SLOTS) -> None:
        """Load the slots, at the start of the function."""
        for slot in used:
            at = self._text.let(f"getelementptr i64, ptr %context, i64 {SLOTS.index(slot)}")
            kind = "i64" if slot in {"rows", "padded", "stopped", "iterations"} else "ptr"
            self._known[slot] = self._text.let(f"load {kind}, ptr {at}")

    def __getitem__(self, slot: str) -> str:
        return self._known[slot]

    def element(self, text: CodeLines, slot: str, index: str | int, kind: str | None = None) -> str:
        """The address of an element of an array."""
        return text.let(f"getelementptr {kind or self.function.number}, ptr {self[slot]}, i64 {index}")

    def row(self, text: CodeLines, slot: str, row: int, kind: str | None = None) -> str:
        """The address of a row of a table whose rows are `padded` long."""
        if row == 0:
            return self[slot]
        offset = text.let(f"mul i64 {self['padded']}, {row}")
        return self.element(text, slot, offset, kind)
