"""The loop over the rows of a layer: its sums and ReLUs, and in the same pass the scans of the next layer's heads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hyloop.execute.cpu.expressions import Formulas, Ref, Sum, Value
from hyloop.execute.cpu.native.emit import CodeLines, Context, Function, Operand
from hyloop.execute.cpu.plan import Scan

Environment = Callable[[Ref], Operand]


class Scalars:
    """Numbers of one class of rows: evaluated once, before the loop."""

    def __init__(self, function: Function, text: CodeLines, load: Callable[[Ref], str]) -> None:
        self.function, self.text, self._load = function, text, load
        self._known: dict[Ref, str] = {}

    def ref(self, ref: Ref) -> str:
        """The number that a reference stands for."""
        if ref not in self._known:
            self._known[ref] = self._load(ref)
        return self._known[ref]

    def define(self, ref: Ref, operand: str) -> None:
        """A node that has been computed."""
        self._known[ref] = operand

    def value(self, value: Value) -> str:
        """The number that a value stands for."""
        return self.ref(value) if isinstance(value, Ref) else self.function.constant(value)

    def sum(self, of: Sum) -> str:
        """A sum of numbers."""
        start = self.function.constant(of.constant) if of.constant or not of.terms else None
        terms = [(self.ref(ref), weight) for ref, weight in of.terms]
        return self.function.weighted(self.text, self.function.number, terms, start)

    def run(self, program: Formulas) -> None:
        """All nodes of a program that are no vectors."""
        for number, node in enumerate(program.nodes):
            if not node.vector:
                total = self.sum(node.of)
                if node.relu:
                    total = self.function.relu(self.text, self.function.number, total)
                self.define(Ref("node", number), total)


@dataclass
class Running:
    """A scan during the loop: the names of its values at the head and at the end of the loop."""

    scan: Scan
    accumulated: list[int]  # the values that differ from row to row
    entering: list[str]  # best, count, sums
    leaving: list[str]


class RowLoop:
    """A loop over the rows of the body, a vector of rows at a time."""

    def __init__(self, function: Function, context: Context, before: CodeLines) -> None:
        self.function, self.context, self.before = function, context, before
        self.text = CodeLines(function)
        self.head, self.done = function.block("rows"), function.block("after")
        self.row = function.name()
        self.block = self.head
        self.running: list[Running] = []
        self._splats: dict[str, str] = {}

    # -- operands

    def widened(self, operand: Operand) -> str:
        """An operand as a vector."""
        if operand.vector:
            return operand.text
        if operand.text not in self._splats:
            self._splats[operand.text] = self.function.splat(self.before, operand.text)
        return self._splats[operand.text]

    def load(self, address: str) -> Operand:
        """The current rows of an array."""
        at = self.text.let(f"getelementptr {self.function.number}, ptr {address}, i64 {self.row}")
        size = self.function.lanes * self.function.bits // 8
        return Operand(self.text.let(f"load {self.function.vector}, ptr {at}, align {size}"), vector=True)

    def store(self, address: str, operand: Operand) -> None:
        """Write the current rows of an array."""
        value = self.widened(operand)
        at = self.text.let(f"getelementptr {self.function.number}, ptr {address}, i64 {self.row}")
        size = self.function.lanes * self.function.bits // 8
        self.text.do(f"store {self.function.vector} {value}, ptr {at}, align {size}")

    def sum(self, of: Sum, environment: Environment) -> Operand:
        """A sum; what is a number in it is added up before the loop."""
        operands = [(environment(ref), weight) for ref, weight in of.terms]
        numbers = [(each.text, weight) for each, weight in operands if not each.vector]
        vectors = [(each.text, weight) for each, weight in operands if each.vector]
        constant = self.function.constant(of.constant) if of.constant else None
        if not vectors:
            start = constant or (None if numbers else self.function.constant(0))
            return Operand(self.function.weighted(self.before, self.function.number, numbers, start), vector=False)
        start = None
        if numbers:
            total = self.function.weighted(self.before, self.function.number, numbers, constant)
            start = self.widened(Operand(total, vector=False))
        elif of.constant:
            start = self.function.filled(of.constant)
        return Operand(self.function.weighted(self.text, self.function.vector, vectors, start), vector=True)

    # -- what the next layer's heads look for

    def scan(self, scan: Scan, environment: Environment) -> Running:
        """Keep the best score, how often it occurs, and the sums of the values where it does."""
        f, text = self.function, self.text
        score = self.widened(self.sum(scan.score[1], environment))
        valid = self.load(self.context["valid"])
        score = text.let(f"fadd {f.vector} {score}, {valid.text}")
        values = [self.sum(body, environment) for _, body in scan.values]
        accumulated = [number for number, value in enumerate(values) if value.vector]
        entering = [f.name() for _ in range(2 + len(accumulated))]
        best, count = entering[:2]
        condition = f"<{f.lanes} x i1>"
        more = text.let(f"fcmp ogt {f.vector} {score}, {best}")
        tie = text.let(f"fcmp oge {f.vector} {score}, {best}")
        leaving = [text.let(f"select {condition} {more}, {f.vector} {score}, {f.vector} {best}")]
        ones = Operand(f.filled(1), vector=True)
        for old, value in zip(entering[1:], [ones, *(values[n] for n in accumulated)], strict=True):
            kept = text.let(f"select {condition} {more}, {f.vector} zeroinitializer, {f.vector} {old}")
            new = text.let(f"select {condition} {tie}, {f.vector} {value.text}, {f.vector} zeroinitializer")
            leaving.append(text.let(f"fadd {f.vector} {kept}, {new}"))
        del count
        running = Running(scan, accumulated, entering, leaving)
        self.running.append(running)
        return running

    def collect(self, operand: Operand, number: int) -> None:
        """List the rows where a vector is not 0."""
        f, text, context = self.function, self.text, self.context
        bits, value = f"i{f.lanes}", self.widened(operand)
        differs = text.let(f"fcmp une {f.vector} {value}, zeroinitializer")
        mask = text.let(f"bitcast <{f.lanes} x i1> {differs} to {bits}")
        some = text.let(f"icmp ne {bits} {mask}, 0")
        found, each, end = f.block("found"), f.block("each"), f.block("listed")
        text.do(f"br i1 {some}, label %{found}, label %{end}")
        text.label(found)
        counter = context.element(text, "counts", number, "i64")
        count = text.let(f"load i64, ptr {counter}")
        listed = context.row(text, "lists", number, "i32")
        text.do(f"br label %{each}")
        text.label(each)
        left, at, rest, after = f.name(), f.name(), f.name(), f.name()
        text.do(f"{left} = phi {bits} [ {mask}, %{found} ], [ {rest}, %{each} ]")
        text.do(f"{at} = phi i64 [ {count}, %{found} ], [ {after}, %{each} ]")
        lane = text.let(f"call {bits} @llvm.cttz.{bits}({bits} {left}, i1 true)")
        wide = text.let(f"zext {bits} {lane} to i64")
        row = text.let(f"add i64 {self.row}, {wide}")
        short = text.let(f"trunc i64 {row} to i32")
        place = text.let(f"getelementptr i32, ptr {listed}, i64 {at}")
        text.do(f"store i32 {short}, ptr {place}")
        text.do(f"{after} = add i64 {at}, 1")
        less = text.let(f"sub {bits} {left}, 1")
        text.do(f"{rest} = and {bits} {left}, {less}")
        more = text.let(f"icmp ne {bits} {rest}, 0")
        last = f.block("last")
        text.do(f"br i1 {more}, label %{each}, label %{last}")
        text.label(last)
        text.do(f"store i64 {after}, ptr {counter}")
        text.do(f"br label %{end}")
        text.label(end)
        self.block = end

    # -- the whole

    def close(self) -> CodeLines:
        """The loop; code after it is in a new block."""
        f, whole = self.function, CodeLines(self.function)
        none = self.before.let(f"icmp sle i64 {self.context['rows']}, 0")
        enter = f.block("enter")
        self.before.do(f"br label %{enter}")
        whole.label(enter)
        following = f.name()
        whole.do(f"br i1 {none}, label %{self.done}, label %{self.head}")
        whole.label(self.head)
        whole.do(f"{self.row} = phi i64 [ 0, %{enter} ], [ {following}, %{self.block} ]")
        low = f.filled(float("-inf"))
        for running in self.running:
            for place, (name, end) in enumerate(zip(running.entering, running.leaving, strict=True)):
                start = "zeroinitializer" if place else low
                whole.do(f"{name} = phi {f.vector} [ {start}, %{enter} ], [ {end}, %{self.block} ]")
        whole.lines += self.text.lines
        whole.do(f"{following} = add i64 {self.row}, {f.lanes}")
        more = whole.let(f"icmp slt i64 {following}, {self.context['rows']}")
        whole.do(f"br i1 {more}, label %{self.head}, label %{self.done}")
        whole.label(self.done)
        for running in self.running:
            for place, end in enumerate(running.leaving):
                start = "zeroinitializer" if place else low
                running.leaving[place] = whole.let(f"phi {f.vector} [ {start}, %{enter} ], [ {end}, %{self.block} ]")
        return whole
