"""Attributes of values, computed from those of their operands: once for each value, and without recursion.

Values are shared: `b = a + a; c = b + b; ...` is a chain of 30 values and a tree of a billion. A walk of the tree takes
exponential time; a table that is filled in order of dependence is linear, and no program is too deep for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar
from weakref import WeakKeyDictionary

from hyloop.compiler.lower import Core, Number

Answer = TypeVar("Answer")


def table(rule: Callable[[Core, Number, Sequence[Answer]], Answer]) -> Callable[[Core, Number], Answer]:
    """An attribute of the values of a core program; `rule` gives it for one value from those of its operands."""
    tables: WeakKeyDictionary[Core, list[Answer]] = WeakKeyDictionary()

    def ask(core: Core, number: Number) -> Answer:
        known = tables.get(core)
        if known is None:
            known = tables[core] = []
        while len(known) <= number:
            known.append(rule(core, len(known), known))
        return known[number]

    return ask


def once(rule: Callable[[Core], Answer]) -> Callable[[Core], Answer]:
    """An attribute of a whole program, computed once."""
    answers: WeakKeyDictionary[Core, Answer] = WeakKeyDictionary()

    def ask(core: Core) -> Answer:
        if core not in answers:
            answers[core] = rule(core)
        return answers[core]

    return ask


def cone(core: Core, numbers: Sequence[Number], stop: Callable[[Number], bool]) -> list[Number]:
    """These values and all that they depend on, operands first; no operands are taken where `stop` holds."""
    found: set[Number] = set()
    stack = list(numbers)
    while stack:
        number = stack.pop()
        if number not in found:
            found.add(number)
            if not stop(number):
                stack += core[number].operands
    return sorted(found)
