"""Generated code for indexes: of each value the rows that have it, as lists whose links stand beside the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from llvmlite import ir

from hyloop.execute.cpu.quiet.native.code import Code, Number

NOBODY = -1  # the end of a list, and the value of a row that is on none


def sizes(count: int) -> dict[str, int]:
    """Of each array: the first row of a list; of rows the next and the one before on it, and the list's value."""
    return {"head": count + 1, "next": count, "prev": count, "key": count}


class IndexCode:
    """Writes the function of one index for a row whose value has changed."""

    def __init__(
        self, module: ir.Module, slots: Sequence[str], number: int, value: Callable[[Code, Number], Number]
    ) -> None:
        """`value` writes the value of a row."""
        self.module, self.slots, self.number, self.value = module, slots, number, value
        self.move = self._move()

    def _array(self, code: Code, what: str) -> Number:
        return code.slot(f"{what}{self.number}")

    def key(self, code: Code, row: Number) -> Number:
        """The value by which a row is found."""
        return code.get(self._array(code, "key"), row)

    @staticmethod
    def within(code: Code, value: Number) -> Number:
        """A value that there is a list of."""
        return code.smaller(code.larger(value, code.number(0)), code.slot("count"))

    @contextmanager
    def having(self, code: Code, key: Number) -> Iterator[Number]:
        """Each row that has a value."""
        at = code.variable(code.sum(code.get(self._array(code, "head"), key), 1))  # 0 at the end
        with code.while_(at):
            row = code.sum(code.read(at), -1)
            yield row
            code.write(at, code.sum(code.get(self._array(code, "next"), row), 1))

    def _move(self) -> Code:
        code = Code(self.module, f"move{self.number}", self.slots, 1, inner=True)
        (row,) = code.arguments
        old, new = self.key(code, row), self.within(code, self.value(code, row))
        with code.b.if_then(code.is_(old, "!=", new)):
            with code.b.if_then(code.is_(old, "!=", NOBODY)):
                self._take(code, row, old)
            self._put(code, row, new)
        code.leave(0)
        return code

    def _take(self, code: Code, row: Number, key: Number) -> None:
        """Take a row off its list."""
        head, following, before = (self._array(code, what) for what in ("head", "next", "prev"))
        left, right = code.get(before, row), code.get(following, row)
        with code.b.if_else(code.is_(left, "!=", NOBODY)) as (within, first):
            with within:
                code.put(following, left, right)
            with first:
                code.put(head, key, right)
        with code.b.if_then(code.is_(right, "!=", NOBODY)):
            code.put(before, right, left)

    def _put(self, code: Code, row: Number, key: Number) -> None:
        """Put a row on a list, in front."""
        head, following, before = (self._array(code, what) for what in ("head", "next", "prev"))
        first = code.get(head, key)
        with code.b.if_then(code.is_(first, "!=", NOBODY)):
            code.put(before, first, row)
        code.put(following, row, first)
        code.put(before, row, NOBODY)
        code.put(head, key, row)
        code.put(self._array(code, "key"), row, key)


class GatherCode:
    """Writes the function that brings a row what it receives from the row that it points to."""

    def __init__(
        self,
        module: ir.Module,
        slots: Sequence[str],
        number: int,
        pointer: IndexCode,
        values: Sequence[Callable[[Code, Number], Number]],
        receive: Callable[[Code, Number, int, Number], None],
    ) -> None:
        """`values` write what rows contribute; `receive` gives a row one of these."""
        self.pointer, self.number = pointer, number
        code = self.bring = Code(module, f"bring{number}", slots, 1, inner=True)
        (row,) = code.arguments
        key = pointer.key(code, row)
        for at, value in enumerate(values):
            found = code.variable(code.get(code.slot(f"zero{number}"), at))
            with code.b.if_then(code.is_(key, ">", 0)):
                code.write(found, value(code, code.sum(key, -1)))
            receive(code, row, at, code.read(found))
        code.leave(0)

    def give(self, code: Code, key: Number) -> None:
        """Bring the rows that point to a row what it contributes."""
        with self.pointer.having(code, key) as row:
            code.call(self.bring, row)

    def hold(self, code: Code, zeros: Sequence[Number]) -> None:
        """What row 0 contributes; if it is something else, bring it to the rows that point to none."""
        changed = code.variable()
        for at, value in enumerate(zeros):
            kept = code.slot(f"zero{self.number}")
            code.write(changed, code.b.or_(code.read(changed), code.b.xor(code.get(kept, at), value)))
            code.put(kept, at, value)
        with code.b.if_then(code.is_(code.read(changed), "!=", 0), likely=False):
            self.give(code, code.number(0))
