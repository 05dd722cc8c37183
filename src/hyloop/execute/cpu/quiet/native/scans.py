"""Scans as trees: of each 8 rows, and of each 8 such nodes, the best score, how many rows have it, and their sums.

So a row that changes costs the height of the tree, and rows that tie are averaged exactly. The scores of 8 nodes are
one cache line; of the other numbers, those of the best node are read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from llvmlite import ir

from hyloop.execute.cpu.memory import aligned
from hyloop.execute.cpu.quiet.memory import IntArray
from hyloop.execute.cpu.quiet.native.code import Code, Number
from hyloop.execute.cpu.quiet.wiring import RowScan

FAN = 8
NONE = -(2**62)  # the score of no row


class Tree:
    """The arrays of one scan."""

    def __init__(self, scan: RowScan, count: int) -> None:
        self.stride = 1 + len(summed(scan))  # how many rows tie, and their sums
        sizes = [max(-(-count // FAN), 1)]
        while sizes[-1] > 1:
            sizes.append(-(-sizes[-1] // FAN))
        padded = [-(-size // FAN) * FAN for size in sizes]
        self.scores, self.best = (_nothing(size) for size in (sizes[0] * FAN, sum(padded)))
        self.sums: IntArray = np.zeros((sum(padded), self.stride), np.int64)
        # Where each level begins, how long it is, and how many levels there are.
        self.levels: IntArray = np.array([[sum(padded[:at]), size] for at, size in enumerate(sizes)], np.int64)
        self.height = len(sizes)


def _nothing(size: int) -> IntArray:
    """The scores of no rows."""
    found: IntArray = aligned(1, size, np.dtype(np.int64))[0]
    found[:] = NONE
    return found


def summed(scan: RowScan) -> list[int]:
    """The values that differ from row to row."""
    return [at for at, (own, _) in enumerate(scan.values) if own.terms]


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
        """Compute a node from 8 rows, or from 8 nodes; 1 if it is another than before."""
        code = Code(self.module, f"{kind}{self.number}", self.slots, 2, inner=True)
        start, to = code.arguments  # the first row or node of the 8, and the node to be written
        nodes = code.slot(f"best{self.number}")
        scores = code.get_eight(code.slot(f"scores{self.number}") if kind == "leaf" else nodes, start)
        best = code.largest_of_eight(scores)
        ties = code.equal_of_eight(scores, best)
        totals = [code.variable() for _ in range(self.stride)]
        one, several = (self._one_row, self._several_rows) if kind == "leaf" else (self._one_node, self._several_nodes)
        alone = code.is_(code.b.and_(ties, code.sum(ties, -1)), "==", 0)
        with code.b.if_else(alone, likely=True) as (then, otherwise):
            with then:
                self._write(code, totals, one(code, code.sum(start, code.lowest_bit(ties))))
            with otherwise:
                several(code, start, ties, totals)
        changed = code.b.xor(code.get(nodes, to), best)
        code.put(nodes, to, best)
        sums, place = code.slot(f"sums{self.number}"), code.b.mul(to, code.number(self.stride))
        for at, total in enumerate(totals):
            new = code.read(total)
            changed = code.b.or_(changed, code.b.xor(code.get(sums, code.sum(place, at)), new))
            code.put(sums, code.sum(place, at), new)
        code.leave(code.flag(code.is_(changed, "!=", 0)))
        return code

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
        code.put(code.slot(f"scores{self.number}"), row, self.value(code, row, -1))
        block = code.b.ashr(row, code.number(3))
        going = code.variable(code.call(self._leaf, code.b.shl(block, code.number(3)), block))
        at, level = code.variable(block), code.variable(1)
        levels = code.slot(f"levels{self.number}")
        with code.b.if_then(code.is_(code.slot(f"height{self.number}"), "==", 1)):
            code.write(going, 0)
        with code.while_(going):
            now = code.read(level)
            parent = code.b.ashr(code.read(at), code.number(3))
            below = code.get(levels, code.b.mul(code.sum(now, -1), code.number(2)))
            here = code.get(levels, code.b.mul(now, code.number(2)))
            changed = code.call(
                self._inner, code.sum(below, code.b.shl(parent, code.number(3))), code.sum(here, parent)
            )
            code.write(at, parent)
            code.write(level, code.sum(now, 1))
            more = code.flag(code.is_(code.sum(now, 1), "<", code.slot(f"height{self.number}")))
            code.write(going, code.b.and_(changed, more))
        code.leave(0)
        return code

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
