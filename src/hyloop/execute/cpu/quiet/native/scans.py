"""Scans as trees: of each 8 rows, and of each 8 such nodes, the best score, and who has it.

That is a row, or, of rows that tie, how many they are and the sums of their values. So a row that changes costs the
height of the tree, rows that tie are averaged exactly, and the values of a row that is best alone are read once, in the
end. The scores of 8 nodes are one cache line. Most changes end below the best score of a node, or above it: then the
other 7 need not be read. The tree has no root: the best of its last nodes, which are few, is found once an iteration,
not for every row that has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from llvmlite import ir

from hyloop.execute.cpu.quiet.memory import IntArray
from hyloop.execute.cpu.quiet.native.code import EIGHT, Code, Number
from hyloop.execute.cpu.quiet.wiring import RowScan

FAN = 8
TOP = 4 * FAN  # nodes of the last level, at most
NONE = -(2**62)  # the score of no row
NOBODY = ~0  # who has it: a row; or `~count`, of rows that tie, or of none


class Tree:
    """The sizes of what is kept for a scan of so many rows. A node of rows that tie has so many sums."""

    def __init__(self, sums: int, count: int) -> None:
        self.sums, self.count = sums, count
        sizes = [max(-(-count // FAN), 1)]
        while sizes[-1] > TOP:
            sizes.append(-(-sizes[-1] // FAN))
        padded = [-(-size // FAN) * FAN for size in sizes]
        self.leaves, self.nodes = sizes[0] * FAN, sum(padded)
        # Where each level begins, how long it is, and how many levels there are.
        self.levels: IntArray = np.array([[sum(padded[:at]), size] for at, size in enumerate(sizes)], np.int64)
        self.height = len(sizes)

    @property
    def sizes(self) -> dict[str, int]:
        """Of each array: the scores of rows; of nodes the best score, who has it, and sums."""
        return {"scores": self.leaves, "best": self.nodes, "who": self.nodes, "sums": self.nodes * self.sums}

    def clear(self, scores: IntArray, best: IntArray, who: IntArray, sums: IntArray) -> None:
        """Nodes of no rows. The scores of rows are written by the first pass, which is over all of them."""
        scores[self.count :], best[:], who[:], sums[:] = NONE, NONE, NOBODY, 0


def summed(scan: RowScan) -> list[int]:
    """The values that differ from row to row."""
    return [at for at, (own, _) in enumerate(scan.values) if own.terms]


@dataclass(frozen=True)
class _Change:
    """Variables: the score of a row or node before and now, and whether the node above has to be looked at."""

    old: Number
    new: Number
    going: Number


@dataclass(frozen=True)
class _Best:
    """Variables: who has the best score of a node, and the sums of their values if they are several."""

    who: Number
    sums: Sequence[Number]


class ScanCode:
    """Writes the functions of one scan: a row that changed, and all rows."""

    def __init__(
        self,
        module: ir.Module,
        slots: Sequence[str],
        number: int,
        scan: RowScan,
        value: Callable[[Code, Number, int], Number],
        ask: Callable[[Code, Number], None] | None = None,
    ) -> None:
        """`value` writes the score (-1) or a value of a row; `ask` asks for a row, if values are read from it."""
        self.module, self.slots, self.number, self.scan, self.value = module, slots, number, scan, value
        self.ask = ask
        self.sums = summed(scan)
        self._leaf, self._inner = self._node("leaf"), self._node("inner")
        self.update, self.rebuild = self._update(), self._rebuild()

    def read(self, code: Code) -> list[Number]:
        """Of the best rows: their score, how many there are, and their sums."""
        array = code.slot(f"best{self.number}")
        last = code.b.shl(code.sum(code.slot(f"height{self.number}"), -1), code.number(1))
        first, size = (code.get(code.slot(f"levels{self.number}"), code.sum(last, at)) for at in (0, 1))
        scores, ties = code.place(EIGHT), code.variable()
        code.b.store(code.get_eight(array, first), scores)
        with code.loop(FAN, size, FAN) as at:
            more, before = code.get_eight(array, code.sum(first, at)), code.b.load(scores, typ=EIGHT)
            code.b.store(code.larger(before, more), scores)
        best = code.largest_of_eight(code.b.load(scores, typ=EIGHT))
        with code.loop(0, size, FAN) as at:
            equal = code.equal_of_eight(code.get_eight(array, code.sum(first, at)), best)
            code.write(ties, code.b.or_(code.read(ties), code.b.shl(equal, at)))
        return [best, *self._together(code, first, code.read(ties))]

    def _together(self, code: Code, first: Number, ties: Number) -> list[Number]:
        """How many rows some nodes have, which are given as bits, and their sums."""
        count, *totals = [code.variable() for _ in range(1 + len(self.sums))]
        waiting = code.variable(ties)
        with code.while_(waiting):
            node = code.sum(first, code.lowest_bit(code.read(waiting)))
            who = code.get(code.slot(f"who{self.number}"), node)
            code.write(count, code.sum(code.read(count), self._count(code, who)))
            with code.b.if_else(code.is_(who, ">=", 0), likely=True) as (one, several):
                with one:
                    self._ask_for_next(code, who)
                    self._add(code, totals, self._values(code, who))
                with several:
                    self._add(code, totals, self._sums(code, node))
            code.write(waiting, code.b.and_(code.read(waiting), code.sum(code.read(waiting), -1)))
        return [code.read(count), *map(code.read, totals)]

    def _ask_for_next(self, code: Code, best: Number) -> None:
        """Ask for the row that is likely best in the next iteration, when this one has left: by then it is there.

        It is that of the other leaves of the same node. Rows with equal keys are taken in order, so it is often near.
        """
        if self.ask is None:
            return
        leaf = code.b.ashr(best, code.number(3))
        start, place = code.b.and_(leaf, code.number(-FAN)), code.b.and_(leaf, code.number(FAN - 1))
        scores = code.get_eight(code.slot(f"best{self.number}"), start)
        others = code.with_one_of_eight(scores, place, code.number(NONE))
        node = code.sum(start, code.lowest_bit(code.equal_of_eight(others, code.largest_of_eight(others))))
        who = code.get(code.slot(f"who{self.number}"), node)
        self.ask(code, code.larger(who, code.number(0)))  # of several that tie, any row

    def _add(self, code: Code, totals: Sequence[Number], values: Sequence[Number]) -> None:
        self._write(code, totals, [code.sum(code.read(t), v) for t, v in zip(totals, values, strict=True)])

    @staticmethod
    def _count(code: Code, who: Number) -> Number:
        return code.either(code.is_(who, ">=", 0), 1, code.b.not_(who))

    def _values(self, code: Code, row: Number) -> list[Number]:
        return [self.value(code, row, each) for each in self.sums]

    def _sums(self, code: Code, node: Number) -> list[Number]:
        sums, place = code.slot(f"sums{self.number}"), code.b.mul(node, code.number(len(self.sums)))
        return [code.get(sums, code.sum(place, at)) for at in range(len(self.sums))]

    def _node(self, kind: str) -> Code:
        """Compute a node from 8 rows, or from 8 nodes."""
        code = Code(self.module, f"{kind}{self.number}", self.slots, 2, inner=True)
        start, to = code.arguments  # the first row or node of the 8, and the node to be written
        best, of = self._best(code, kind, start, code.get_eight(self._below(code, kind), start))
        code.put(code.slot(f"best{self.number}"), to, best)
        self._put(code, to, of)
        code.leave(0)
        return code

    def _below(self, code: Code, kind: str) -> Number:
        """The scores that nodes are made from."""
        return code.slot(f"scores{self.number}" if kind == "leaf" else f"best{self.number}")

    def _best(self, code: Code, kind: str, start: Number, scores: Number) -> tuple[Number, _Best]:
        """The best of 8 scores, and who has it."""
        best = code.largest_of_eight(scores)
        ties = code.equal_of_eight(scores, best)
        found = _Best(code.variable(), [code.variable() for _ in self.sums])
        alone = code.is_(code.b.and_(ties, code.sum(ties, -1)), "==", 0)
        with code.b.if_else(alone, likely=True) as (then, otherwise):
            with then:
                self._one(code, kind, code.sum(start, code.lowest_bit(ties)), found)
            with otherwise:
                (self._several_rows if kind == "leaf" else self._several_nodes)(code, start, ties, found)
        return best, found

    def _one(self, code: Code, kind: str, index: Number, found: _Best) -> None:
        """A row or a node is best alone."""
        if kind == "leaf":
            code.write(found.who, index)
            return
        who = code.get(code.slot(f"who{self.number}"), index)
        code.write(found.who, who)
        with code.b.if_then(code.is_(who, "<", 0), likely=False):
            self._write(code, found.sums, self._sums(code, index))

    def _put(self, code: Code, to: Number, of: _Best) -> Number:
        """Write who has the best score of a node; something other than 0 if they are others than before."""
        array, who = code.slot(f"who{self.number}"), code.read(of.who)
        changed = code.variable(code.b.xor(code.get(array, to), who))
        code.put(array, to, who)
        with code.b.if_then(code.is_(who, "<", 0), likely=False):
            sums, place = code.slot(f"sums{self.number}"), code.b.mul(to, code.number(len(self.sums)))
            for at, (old, new) in enumerate(zip(self._sums(code, to), map(code.read, of.sums), strict=True)):
                code.write(changed, code.b.or_(code.read(changed), code.b.xor(old, new)))
                code.put(sums, code.sum(place, at), new)
        return code.read(changed)

    @staticmethod
    def _write(code: Code, variables: Sequence[Number], values: Sequence[Number]) -> None:
        for variable, value in zip(variables, values, strict=True):
            code.write(variable, value)

    def _several_rows(self, code: Code, start: Number, ties: Number, found: _Best) -> None:
        """How many rows tie, and the sums of their values: the rows are read, of those that do."""
        totals = [found.who, *found.sums]
        self._write(code, totals, [code.number(0)] * len(totals))
        for at in range(FAN):
            row = code.sum(start, at)
            tie = code.is_(code.b.and_(ties, code.number(1 << at)), "!=", 0)
            with code.b.if_then(code.b.and_(tie, code.is_(row, "<", code.slot("count")))):
                self._add(code, totals, [code.number(1), *self._values(code, row)])
        code.write(found.who, code.b.not_(code.read(found.who)))

    def _several_nodes(self, code: Code, start: Number, ties: Number, found: _Best) -> None:
        """The same of nodes, without a branch: which of them tie cannot be foreseen."""
        array, totals = code.slot(f"who{self.number}"), [code.number(0)] * (1 + len(self.sums))
        for at in range(FAN):
            node = code.sum(start, at)
            tie, who = code.is_(code.b.and_(ties, code.number(1 << at)), "!=", 0), code.get(array, node)
            alone = code.b.and_(tie, code.is_(who, ">=", 0))
            own = self._values(code, code.either(alone, who, 0))  # of the first row, if it is not needed
            values = [code.either(alone, v, s) for v, s in zip(own, self._sums(code, node), strict=True)]
            more = [code.either(tie, each, 0) for each in (self._count(code, who), *values)]
            totals = [code.sum(total, each) for total, each in zip(totals, more, strict=True)]
        self._write(code, [found.who, *found.sums], [code.b.not_(totals[0]), *totals[1:]])

    def _update(self) -> Code:
        """A row has changed."""
        code = Code(self.module, f"update{self.number}", self.slots, 1, inner=True)
        (row,) = code.arguments
        change = _Change(*(code.variable() for _ in range(3)))
        old, new = code.get(code.slot(f"scores{self.number}"), row), self.value(code, row, -1)
        code.write(change.old, old)
        code.write(change.new, new)
        same = code.flag(code.is_(old, "==", new))  # then its values are others: it may be among rows that tie
        block = code.b.ashr(row, code.number(3))
        self._climb(code, "leaf", row, block, change, same)
        levels, height = code.slot(f"levels{self.number}"), code.slot(f"height{self.number}")
        at, level, node = code.variable(block), code.variable(1), code.variable(block)
        more = code.variable(code.either(code.is_(height, ">", 1), code.read(change.going), 0))
        with code.while_(more):
            now, parent = code.read(level), code.b.ashr(code.read(at), code.number(3))
            to = code.sum(code.get(levels, code.b.mul(now, code.number(2))), parent)
            self._climb(code, "inner", code.read(node), to, change, same)
            code.write(at, parent)
            code.write(node, to)
            code.write(level, code.sum(now, 1))
            code.write(more, code.either(code.is_(code.sum(now, 1), "<", height), code.read(change.going), 0))
        with code.b.if_then(code.is_(code.read(change.going), "!=", 0)):  # up to the last level
            code.put(code.slot(f"best{self.number}"), code.read(node), code.read(change.new))
        code.leave(0)
        return code

    def _climb(self, code: Code, kind: str, index: Number, to: Number, change: _Change, same: Number) -> None:
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
                    found = _Best(code.variable(), [code.variable() for _ in self.sums])
                    self._one(code, kind, index, found)
                    self._put(code, to, found)
                    self._rise(code, change, best, new, code.number(1))
                with among:
                    self._among(code, kind, index, to, best, change, same)

    def _among(
        self, code: Code, kind: str, index: Number, to: Number, best: Number, change: _Change, same: Number
    ) -> None:
        """The best of 8 is to be found anew. They are read before one is written: a processor waits otherwise."""
        new, scores = code.read(change.new), self._below(code, kind)
        start = code.b.and_(index, code.number(-FAN))
        place = code.b.and_(index, code.number(FAN - 1))
        eight = code.with_one_of_eight(code.get_eight(scores, start), place, new)
        code.put(scores, index, new)
        found, of = self._best(code, kind, start, eight)
        changed = code.b.or_(self._put(code, to, of), code.b.or_(code.b.xor(found, best), same))
        self._rise(code, change, best, found, code.flag(code.is_(changed, "!=", 0)))

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
