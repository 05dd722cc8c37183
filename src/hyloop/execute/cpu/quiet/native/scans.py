"""Scans as trees: of each 8 rows, and of each 8 such nodes, the best score, how many rows have it, and their sums.

So a row that changes costs the height of the tree, and rows that tie are averaged exactly. The scores of 8 nodes are
one cache line; of the other numbers, those of the best node are read. Most changes end below the best score of a node,
or above it: then the other 7 need not be read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from llvmlite import ir

from hyloop.execute.cpu.quiet.memory import IntArray
from hyloop.execute.cpu.quiet.native.code import Code, Number
from hyloop.execute.cpu.quiet.wiring import RowScan

FAN = 8
NONE = -(2**62)  # the score of no row


class Tree:
    """The sizes of what is kept for a scan of so many rows. A node has `stride` numbers beside its best score."""

    def __init__(self, stride: int, count: int) -> None:
        self.stride, self.count = stride, count
        sizes = [max(-(-count // FAN), 1)]
        while sizes[-1] > 1:
            sizes.append(-(-sizes[-1] // FAN))
        padded = [-(-size // FAN) * FAN for size in sizes]
        self.leaves, self.nodes = sizes[0] * FAN, sum(padded)
        # Where each level begins, how long it is, and how many levels there are.
        self.levels: IntArray = np.array([[sum(padded[:at]), size] for at, size in enumerate(sizes)], np.int64)
        self.height = len(sizes)

    @property
    def sizes(self) -> dict[str, int]:
        """Of each array: the scores of rows, and the best score and the other numbers of nodes."""
        return {"scores": self.leaves, "best": self.nodes, "sums": self.nodes * self.stride}

    def clear(self, scores: IntArray, best: IntArray, sums: IntArray) -> None:
        """Nodes of no rows. The scores of rows are written by the first pass, which is over all of them."""
        scores[self.count :], best[:], sums[:] = NONE, NONE, 0


def summed(scan: RowScan) -> list[int]:
    """The values that differ from row to row."""
    return [at for at, (own, _) in enumerate(scan.values) if own.terms]


@dataclass(frozen=True)
class _Change:
    """Variables: the score of a row or node before and now, and whether the node above has to be looked at."""

    old: Number
    new: Number
    going: Number


class ScanCode:
    """Writes the functions of one scan: a row that changed, and all rows."""

    def __init__(
        self,
        module: ir.Module,
        slots: Sequence[str],
        number: int,
        scan: RowScan,
        value: Callable[[Code, Number, int], Number],
    ) -> None:
        """`value` writes the score (-1) or a value of a row."""
        self.module, self.slots, self.number, self.scan, self.value = module, slots, number, scan, value
        self.sums = summed(scan)
        self.stride = 1 + len(self.sums)
        self._leaf, self._inner = self._node("leaf"), self._node("inner")
        self.update, self.rebuild = self._update(), self._rebuild()

    def _node(self, kind: str) -> Code:
        """Compute a node from 8 rows, or from 8 nodes."""
        code = Code(self.module, f"{kind}{self.number}", self.slots, 2, inner=True)
        start, to = code.arguments  # the first row or node of the 8, and the node to be written
        best, totals = self._best(code, kind, start, code.get_eight(self._below(code, kind), start))
        code.put(code.slot(f"best{self.number}"), to, best)
        self._put_sums(code, to, [code.read(total) for total in totals])
        code.leave(0)
        return code

    def _below(self, code: Code, kind: str) -> Number:
        """The scores that nodes are made from."""
        return code.slot(f"scores{self.number}" if kind == "leaf" else f"best{self.number}")

    def _best(self, code: Code, kind: str, start: Number, scores: Number) -> tuple[Number, list[Number]]:
        """The best of 8 scores; and how many rows have it, and their sums."""
        best = code.largest_of_eight(scores)
        ties = code.equal_of_eight(scores, best)
        totals = [code.variable() for _ in range(self.stride)]
        one, several = (self._one_row, self._several_rows) if kind == "leaf" else (self._one_node, self._several_nodes)
        alone = code.is_(code.b.and_(ties, code.sum(ties, -1)), "==", 0)
        with code.b.if_else(alone, likely=True) as (then, otherwise):
            with then:
                self._write(code, totals, one(code, code.sum(start, code.lowest_bit(ties))))
            with otherwise:
                self._write(code, totals, [code.number(0)] * self.stride)
                several(code, start, ties, totals)
        return best, totals

    def _put_sums(self, code: Code, to: Number, values: Sequence[Number]) -> Number:
        """Write how many rows a node has, and their sums; something other than 0 if they are others than before."""
        sums, place = code.slot(f"sums{self.number}"), code.b.mul(to, code.number(self.stride))
        changed = code.number(0)
        for at, new in enumerate(values):
            changed = code.b.or_(changed, code.b.xor(code.get(sums, code.sum(place, at)), new))
            code.put(sums, code.sum(place, at), new)
        return changed

    @staticmethod
    def _write(code: Code, totals: Sequence[Number], values: Sequence[Number]) -> None:
        for total, value in zip(totals, values, strict=True):
            code.write(total, value)

    def _one_row(self, code: Code, row: Number) -> list[Number]:
        return [code.number(1), *(self.value(code, row, each) for each in self.sums)]

    def _one_node(self, code: Code, node: Number) -> list[Number]:
        sums, place = code.slot(f"sums{self.number}"), code.b.mul(node, code.number(self.stride))
        return [code.get(sums, code.sum(place, at)) for at in range(self.stride)]

    def _several_rows(self, code: Code, start: Number, ties: Number, totals: Sequence[Number]) -> None:
        """How many rows tie, and the sums of their values: the rows are read, of those that do."""
        for at in range(FAN):
            row = code.sum(start, at)
            tie = code.is_(code.b.and_(ties, code.number(1 << at)), "!=", 0)
            with code.b.if_then(code.b.and_(tie, code.is_(row, "<", code.slot("count")))):
                values = self._one_row(code, row)
                self._write(code, totals, [code.sum(code.read(t), v) for t, v in zip(totals, values, strict=True)])

    def _several_nodes(self, code: Code, start: Number, ties: Number, totals: Sequence[Number]) -> None:
        """The same of nodes, without a branch: which of them tie cannot be foreseen."""
        found = [code.number(0)] * self.stride
        for at in range(FAN):
            tie = code.is_(code.b.and_(ties, code.number(1 << at)), "!=", 0)
            values = self._one_node(code, code.sum(start, at))
            found = [code.sum(f, code.either(tie, v, 0)) for f, v in zip(found, values, strict=True)]
        self._write(code, totals, found)

    def _update(self) -> Code:
        """A row has changed."""
        code = Code(self.module, f"update{self.number}", self.slots, 1, inner=True)
        (row,) = code.arguments
        change = _Change(*(code.variable() for _ in range(3)))
        code.write(change.old, code.get(code.slot(f"scores{self.number}"), row))
        code.write(change.new, self.value(code, row, -1))
        block = code.b.ashr(row, code.number(3))
        self._climb(code, "leaf", row, block, change)
        levels, height = code.slot(f"levels{self.number}"), code.slot(f"height{self.number}")
        at, level, node = code.variable(block), code.variable(1), code.variable(block)
        more = code.variable(code.either(code.is_(height, ">", 1), code.read(change.going), 0))
        with code.while_(more):
            now, parent = code.read(level), code.b.ashr(code.read(at), code.number(3))
            to = code.sum(code.get(levels, code.b.mul(now, code.number(2))), parent)
            self._climb(code, "inner", code.read(node), to, change)
            code.write(at, parent)
            code.write(node, to)
            code.write(level, code.sum(now, 1))
            code.write(more, code.either(code.is_(code.sum(now, 1), "<", height), code.read(change.going), 0))
        with code.b.if_then(code.is_(code.read(change.going), "!=", 0)):  # up to the root
            code.put(code.slot(f"best{self.number}"), code.read(node), code.read(change.new))
        code.leave(0)
        return code

    def _climb(self, code: Code, kind: str, index: Number, to: Number, change: _Change) -> None:
        """A score has changed: write it, and see what becomes of the node above, whose own score is written later."""
        old, new = code.read(change.old), code.read(change.new)
        scores, best = self._below(code, kind), code.get(code.slot(f"best{self.number}"), to)
        below = code.b.and_(code.is_(new, "<", best), code.is_(old, "<", best))
        with code.b.if_else(below) as (neither, either):
            with neither:
                code.put(scores, index, new)
                code.write(change.going, 0)
            with either, code.b.if_else(code.is_(new, ">", best)) as (alone, among):
                with alone:
                    code.put(scores, index, new)
                    self._put_sums(code, to, (self._one_row if kind == "leaf" else self._one_node)(code, index))
                    self._rise(code, change, best, new, code.number(1))
                with among:
                    self._among(code, kind, index, to, best, change)

    def _among(self, code: Code, kind: str, index: Number, to: Number, best: Number, change: _Change) -> None:
        """The best of 8 is to be found anew. They are read before one is written: a processor waits otherwise."""
        new, scores = code.read(change.new), self._below(code, kind)
        start = code.b.and_(index, code.number(-FAN))
        place = code.b.and_(index, code.number(FAN - 1))
        eight = code.with_one_of_eight(code.get_eight(scores, start), place, new)
        code.put(scores, index, new)
        found, totals = self._best(code, kind, start, eight)
        changed = self._put_sums(code, to, [code.read(total) for total in totals])
        differs = code.is_(code.b.or_(changed, code.b.xor(found, best)), "!=", 0)
        self._rise(code, change, best, found, code.flag(differs))

    @staticmethod
    def _rise(code: Code, change: _Change, old: Number, new: Number, going: Number) -> None:
        code.write(change.old, old)
        code.write(change.new, new)
        code.write(change.going, going)

    def _rebuild(self) -> Code:
        """All rows may have changed."""
        code = Code(self.module, f"rebuild{self.number}", self.slots, inner=True)
        scores, levels = code.slot(f"scores{self.number}"), code.slot(f"levels{self.number}")
        with code.loop(0, code.slot("count")) as row:
            code.put(scores, row, self.value(code, row, -1))
        with code.loop(0, code.get(levels, 1)) as block:
            code.call(self._leaf, code.b.shl(block, code.number(3)), block)
        with code.loop(1, code.slot(f"height{self.number}")) as level:
            below = code.get(levels, code.b.mul(code.sum(level, -1), code.number(2)))
            here = code.get(levels, code.b.mul(level, code.number(2)))
            size = code.get(levels, code.sum(code.b.mul(level, code.number(2)), 1))
            with code.loop(0, size) as block:
                code.call(self._inner, code.sum(below, code.b.shl(block, code.number(3))), code.sum(here, block))
        code.leave(0)
        return code
