"""Sparse products: scatter-add from the rows of a list, and clearing the sums."""

from __future__ import annotations

from collections.abc import Callable

from hyloop.execute.cpu.native.emit import CodeLines, Context, Function
from hyloop.machine.layer import HeadKind

FEW = 4  # a list is short with less than a 2⁴-th of the rows


class Products:
    """Writes the products of one function."""

    def __init__(self, function: Function, context: Context) -> None:
        self.f, self.context = function, context

    def scatter(self, text: CodeLines, place: int, kind: HeadKind, source: str, found: str) -> None:
        """Add up the product with `source`, whose rows that are not 0 are in a list; `found` is 0 before."""
        f, context = self.f, self.context

        def start(row: str) -> str:
            at = text.let(f"getelementptr {f.number}, ptr {source}, i64 {row}")
            return text.let(f"load {f.number}, ptr {at}")

        def entry(number: str, factor: str, target: str) -> None:
            at = text.let(f"getelementptr {f.number}, ptr {found}, i64 {target}")
            entry = text.let(f"getelementptr {f.number}, ptr {context[kind + '_value']}, i64 {number}")
            value = text.let(f"load {f.number}, ptr {entry}")
            old = text.let(f"load {f.number}, ptr {at}")
            n = f.number
            new = text.let(f"call {n} @llvm.fmuladd.f{f.bits}({n} {value}, {n} {factor}, {n} {old})")
            text.do(f"store {n} {new}, ptr {at}")

        self._walk(text, place, kind, start, entry)

    def clear(self, text: CodeLines, place: int, kind: HeadKind, found: str, *, listed: bool) -> None:
        """Clear the sums: at the targets of the listed rows, if those are few and still listed, else everywhere."""
        f, context = self.f, self.context
        walk, whole, done = f.block("walk"), f.block("whole"), f.block("cleared")
        if listed:
            count = text.let(f"load i64, ptr {context.element(text, 'counts', place, 'i64')}")
            limit = text.let(f"lshr i64 {context['padded']}, {FEW}")
            few = text.let(f"icmp ult i64 {count}, {limit}")
            text.do(f"br i1 {few}, label %{walk}, label %{whole}")
            text.label(walk)

            def erase(_: str, __: str, target: str) -> None:
                at = text.let(f"getelementptr {f.number}, ptr {found}, i64 {target}")
                text.do(f"store {f.number} {f.constant(0)}, ptr {at}")

            self._walk(text, place, kind, lambda _: "", erase)
            text.do(f"br label %{done}")
        else:
            text.do(f"br label %{whole}")
        text.label(whole)
        size = text.let(f"mul i64 {context['padded']}, {f.bits // 8}")
        text.do(f"call void @llvm.memset.p0.i64(ptr align 64 {found}, i8 0, i64 {size}, i1 false)")
        text.do(f"br label %{done}")
        text.label(done)

    def _walk(
        self,
        text: CodeLines,
        place: int,
        kind: HeadKind,
        start: Callable[[str], str],
        entry: Callable[[str, str, str], None],
    ) -> None:
        """Every entry of the incidence in the rows of a list."""
        f, context = self.f, self.context
        listed = context.row(text, "lists", place, "i32")
        count = text.let(f"load i64, ptr {context.element(text, 'counts', place, 'i64')}")
        come, outer, inner, ends, done = (f.block(w) for w in ("come", "sources", "entries", "source", "walked"))
        some = text.let(f"icmp sgt i64 {count}, 0")
        text.do(f"br label %{come}")
        text.label(come)
        text.do(f"br i1 {some}, label %{outer}, label %{done}")
        text.label(outer)
        at, after = f.name(), f.name()
        text.do(f"{at} = phi i64 [ 0, %{come} ], [ {after}, %{ends} ]")
        slot = text.let(f"getelementptr i32, ptr {listed}, i64 {at}")
        short = text.let(f"load i32, ptr {slot}")
        row = text.let(f"zext i32 {short} to i64")
        following = text.let(f"add i64 {row}, 1")
        low, high = (
            text.let(f"load i64, ptr {context.element(text, kind + '_start', each, 'i64')}")
            for each in (row, following)
        )
        factor = start(row)
        any_ = text.let(f"icmp slt i64 {low}, {high}")
        text.do(f"br i1 {any_}, label %{inner}, label %{ends}")
        text.label(inner)
        number, step = f.name(), f.name()
        text.do(f"{number} = phi i64 [ {low}, %{outer} ], [ {step}, %{inner} ]")
        target = text.let(f"load i32, ptr {context.element(text, kind + '_target', number, 'i32')}")
        entry(number, factor, text.let(f"zext i32 {target} to i64"))
        text.do(f"{step} = add i64 {number}, 1")
        more = text.let(f"icmp slt i64 {step}, {high}")
        text.do(f"br i1 {more}, label %{inner}, label %{ends}")
        text.label(ends)
        text.do(f"{after} = add i64 {at}, 1")
        left = text.let(f"icmp slt i64 {after}, {count}")
        text.do(f"br i1 {left}, label %{outer}, label %{done}")
        text.label(done)
