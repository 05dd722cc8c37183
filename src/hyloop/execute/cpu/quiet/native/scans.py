"""Scans as trees: of each 8 rows, and of each 8 such nodes, the best score, how many rows have it, and their sums.

So a row that changes costs the height of the tree, and rows that tie are averaged exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from llvmlite import ir

from hyloop.execute.cpu.quiet.memory import IntArray
from hyloop.execute.cpu.quiet.native.code import Code, Number
from hyloop.execute.cpu.quiet.wiring import RowScan

FAN = 8
NONE = -(2**62)  # the score of no row


class Tree:
    """The arrays of one scan."""

    def __init__(self, scan: RowScan, count: int) -> None:
        self.stride = 2 + len(summed(scan))
        sizes = [max(-(-count // FAN), 1)]
        while sizes[-1] > 1:
            sizes.append(-(-sizes[-1] // FAN))
        self.scores: IntArray = np.full(sizes[0] * FAN, NONE, np.int64)
        padded = [-(-size // FAN) * FAN for size in sizes]
        self.nodes: IntArray = np.zeros((sum(padded), self.stride), np.int64)
        self.nodes[:, 0] = NONE
        # Where each level begins, how long it is, and how many levels there are.
        self.levels: IntArray = np.array([[sum(padded[:at]), size] for at, size in enumerate(sizes)], np.int64)
        self.height = len(sizes)


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
        self.stride = 2 + len(self.sums)
        self._leaf, self._inner = self._node("leaf"), self._node("inner")
        self.update, self.rebuild = self._update(), self._rebuild()

    def _node(self, kind: str) -> Code:
        """Compute a node from 8 rows, or from 8 nodes; 1 if it is another than before."""
        code = Code(self.module, f"{kind}{self.number}", self.slots, 2, inner=True)
        start, to = code.arguments  # the first row or node of the 8, and the node to be written
        base = code.slot(f"scores{self.number}" if kind == "leaf" else f"nodes{self.number}")
        step = 1 if kind == "leaf" else self.stride
        offsets = [code.b.mul(code.sum(start, at), code.number(step)) for at in range(FAN)]
        scores = [code.get(base, offset) for offset in offsets]
        best = scores[0]
        for each in scores[1:]:
            best = code.larger(best, each)
        tied = self._tied_rows if kind == "leaf" else self._tied_nodes
        found = [best, *tied(code, start, offsets, [code.is_(score, "==", best) for score in scores])]
        place = code.b.mul(to, code.number(self.stride))
        nodes = code.slot(f"nodes{self.number}")
        changed = code.number(0)
        for at, each in enumerate(found):
            old = code.get(nodes, code.sum(place, at))
            changed = code.b.or_(changed, code.b.xor(old, each))
            code.put(nodes, code.sum(place, at), each)
        code.leave(code.flag(code.is_(changed, "!=", 0)))
        return code

    def _tied_rows(self, code: Code, start: Number, _: Sequence[Number], ties: Sequence[Number]) -> list[Number]:
        """How many rows tie, and the sums of their values: the rows are read, of those that do."""
        totals = [code.variable() for _ in range(self.stride - 1)]
        for at, tie in enumerate(ties):
            row = code.sum(start, at)
            with code.b.if_then(code.b.and_(tie, code.is_(row, "<", code.slot("count")))):
                values = [code.number(1), *(self.value(code, row, each) for each in self.sums)]
                for total, value in zip(totals, values, strict=True):
                    code.write(total, code.sum(code.read(total), value))
        return [code.read(each) for each in totals]

    def _tied_nodes(self, code: Code, _: Number, offsets: Sequence[Number], ties: Sequence[Number]) -> list[Number]:
        """The same of nodes, without a branch: which of them ties cannot be foreseen."""
        nodes, found = code.slot(f"nodes{self.number}"), []
        for at in range(1, self.stride):
            total = code.number(0)
            for offset, tie in zip(offsets, ties, strict=True):
                total = code.sum(total, code.either(tie, code.get(nodes, code.sum(offset, at)), 0))
            found.append(total)
        return found

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
