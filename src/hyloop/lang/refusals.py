"""What Python would do with a handle without a word, refused: its value is not known while the program is traced.

A class of Python's is true, equal to itself alone, and a key of a dictionary, unless it says otherwise. Of a handle all
of that would be a wrong answer.
"""

from __future__ import annotations

from typing import NoReturn

from hyloop.lang.source import error


class NotDecided:
    """No truth: `if`, `and`, `or`, `not`. No Python number, and no key."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise error(
            "a traced value is not known yet, so Python's `if`, `while`, `and`, `or`, `not` and `a < b < c` cannot use "
            "it. Write `with when(flag):` for if, `&` for and, `|` for or, `~` for not."
        )

    def __int__(self) -> NoReturn:
        raise error("a traced value is not known yet; it cannot become a Python number.")

    __index__ = __float__ = __complex__ = __round__ = __trunc__ = __floor__ = __ceil__ = __int__

    def __hash__(self) -> NoReturn:
        raise error("a traced value is not known yet, so it cannot be in a set or be the key of a dictionary.")


class NoValue(NotDecided):
    """A handle that is no value either: the hypergraph, the loop, an output. It has no order, and equals nothing."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise error(f"{self!r} is neither true nor false, and Python's `if`, `and`, `or`, `not` cannot use it.")

    def _in_no_order(self, _: object) -> NoReturn:
        raise error(f"{self!r} is no value of the program, and cannot be compared; compare values, states and counts.")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _in_no_order
    __hash__ = NotDecided.__hash__

    def _not_visited(self, *_: object) -> NoReturn:
        raise error(f"{self!r} is no collection; Python cannot visit, count or look into it.")

    __iter__ = __len__ = __contains__ = __getitem__ = _not_visited


class NotCopied(NotDecided):
    """A value of the program being traced: what is assigned to a copy would be lost."""

    __slots__ = ()

    def _not_copied(self, *_: object) -> NoReturn:
        raise error(
            "a handle stands for one value of the program; it cannot be copied or pickled. Use it twice instead."
        )

    __copy__ = __deepcopy__ = __reduce__ = __reduce_ex__ = _not_copied
