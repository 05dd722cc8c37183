"""What Python would do with a handle without a word, refused: its value is not known while the program is traced.

A class of Python's is true, equal to itself alone, and a key of a dictionary, unless it says otherwise. Of a handle all
of that would be a wrong answer. Names that a handle does not have are told in a sentence too.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from dis import opname
from functools import wraps
from types import MappingProxyType
from typing import Any, ClassVar, NoReturn, ParamSpec, TypeVar

from hyloop.lang.kinds import exact, of_numpy
from hyloop.lang.source import LanguageError, error, here, user_frame

P = ParamSpec("P")
R = TypeVar("R")


class NoSuchNameError(LanguageError, AttributeError):
    """A name that a handle does not have. `hasattr` takes it for a no, as of any other object."""


def meant(name: str, offered: Iterable[str], quoted: str = "`{}`") -> str:
    """The name that was probably meant, as the end of a sentence; else all that there are."""
    names = sorted(offered)
    if close := get_close_matches(name, names, 1):
        return f"did you mean {quoted.format(close[0])}?"
    return f"it has {', '.join(quoted.format(each) for each in names)}." if names else "it has no names."


class NotDecided:
    """No truth: `if`, `and`, `or`, `not`. No Python number, no key, and nothing for NumPy."""

    __slots__ = ()
    # The names that users may write after its dot, and what to write instead of some that others have.
    _offered: ClassVar[tuple[str, ...]] = ()
    _instead: ClassVar[Mapping[str, str]] = MappingProxyType({})

    def __bool__(self) -> NoReturn:
        if _is_call():
            raise error(
                "a traced value is not known yet, so a function of Python's cannot decide by it. Of two values, one "
                "is `smaller(a, b)` or `larger(a, b)`; of two sizes, `largest(a, b)`; of all rows of an array, "
                "`min(x)` or `max(x)` of `hyloop.lang`."
            )
        raise error(
            "a traced value is not known yet, so Python's `if`, `while`, `and`, `or`, `not` and `a < b < c` cannot use "
            "it. Write `with when(flag):` for if, `with h.loop(at_most=...) as loop:` for while, `&` for and, `|` for "
            "or, `~` for not."
        )

    def __int__(self) -> NoReturn:
        raise error(
            "a traced value is not known yet; it cannot become a Python number. What is done again and again stands in "
            "`with h.loop(at_most=...) as loop:`, and an operation works on all rows at once."
        )

    __index__ = __float__ = __complex__ = __round__ = __trunc__ = __floor__ = __ceil__ = __int__

    def __hash__(self) -> NoReturn:
        raise error("a traced value is not known yet, so it cannot be in a set or be the key of a dictionary.")

    def _called(self) -> str:
        """What this is, for a message."""
        return repr(self)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):  # Python and its tools look for many such names, and take a no
            raise AttributeError(f"{type(self).__name__!r} has no {name!r}")
        if name in self._instead:
            raise NoSuchNameError(f"{self._called()} has no `{name}`; {self._instead[name]}", here())
        raise NoSuchNameError(f"{self._called()} has no `{name}`; {meant(name, self._offered)}", here())

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_"):
            _not_set(self, name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> NoReturn:
        _not_set(self, name)

    def __format__(self, spec: str) -> str:
        if spec:
            what = self._called().rstrip(",")
            raise error(f"{what} is not known yet, and has no digits to show as `{spec}` says; leave that out.")
        return str(self)

    # -- NumPy

    def __array_ufunc__(self, function: Any, method: str, *operands: Any, **options: Any) -> Any:
        """`np.int64(3) + x` is `3 + x`. NumPy asks this also for functions of its own, which are refused."""
        plain = [_alone(operand) for operand in operands]
        if method != "__call__" or options or function.__name__ not in _OPERATORS or True in map(of_numpy, plain):
            self.__array__()
        return _OPERATORS[function.__name__](*plain)

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        raise error(
            "a traced value is not known yet, so NumPy cannot work on it. The language has functions of its own: "
            "`where`, `smaller`, `larger`, `min`, `max`, `argmin`, `argmax`, `any`, `all` and `first`."
        )

    __array_function__ = __array__


# The operators of Python's that NumPy's numbers hand over, by NumPy's names for them.
_OPERATORS: Mapping[str, Callable[..., Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "matmul": operator.matmul,
    "divide": operator.truediv,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "divmod": divmod,
    "power": operator.pow,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
}


def _alone(operand: Any) -> Any:
    """A number of NumPy's as Python's; also out of the array without rows into which NumPy puts it to compare it."""
    return exact(operand[()] if of_numpy(operand) and operand.ndim == 0 else operand)


def _is_call() -> bool:
    """Whether the user's program calls a function right now (of C, else there would be a frame of it)."""
    frame = user_frame()
    return opname[frame.f_code.co_code[frame.f_lasti]].startswith("CALL")


class NoValue(NotDecided):
    """A handle that is no value either: the hypergraph, the loop, an output. It has no order, and equals nothing."""

    __slots__ = ()
    _hint: ClassVar[str] = ""  # what people write who mean a value of it

    def __bool__(self) -> NoReturn:
        raise error(f"{self!r} is neither true nor false, and Python's `if`, `and`, `or`, `not` cannot use it.")

    def _in_no_order(self, _: object) -> NoReturn:
        raise error(f"{self!r} is no value of the program, and cannot be compared; compare values, states and counts.")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _in_no_order
    __hash__ = NotDecided.__hash__

    def _not_visited(self, *_: object) -> NoReturn:
        raise error(f"{self!r} is no collection; Python cannot visit, count or look into it.")

    __iter__ = __len__ = __contains__ = __getitem__ = __setitem__ = __delitem__ = _not_visited

    def _no_value(self, *_: object) -> NoReturn:
        raise error(f"{self!r} is no value of the program{self._hint}.")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _no_value
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __matmul__ = __rmatmul__ = _no_value
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _no_value
    __neg__ = __pos__ = __abs__ = __invert__ = __call__ = _no_value


class NotCopied(NotDecided):
    """A value of the program being traced: what is assigned to a copy would be lost."""

    __slots__ = ()

    def _not_copied(self, *_: object) -> NoReturn:
        raise error(
            "a handle stands for one value of the program; it cannot be copied or pickled. Use it twice instead."
        )

    __copy__ = __deepcopy__ = __reduce__ = __reduce_ex__ = _not_copied


def _not_set(handle: NotDecided, name: str) -> NoReturn:
    raise error(
        f"the `{name}` of {handle._called().rstrip(',')} cannot be set. A value gets a name of its own, "
        f"`{name} = x + 1`; a state is changed by `x.assign(...)`."
    )


def told_when_set(handle: type[R]) -> type[R]:
    """A frozen dataclass of handles: what Python says of those is said as of any other handle."""
    for name in ("__setattr__", "__delattr__"):
        setattr(handle, name, getattr(NotDecided, name))
    return handle


def called_right(function: Callable[P, R]) -> Callable[P, R]:
    """The function; a call that Python would refuse for its arguments is told at the user's line."""
    signature = inspect.signature(function)

    @wraps(function)
    def checked(*args: P.args, **options: P.kwargs) -> R:
        try:
            return function(*args, **options)
        except TypeError:
            _require_fit(function.__name__, signature, args, options)
            raise

    return checked


def _require_fit(name: str, signature: inspect.Signature, args: tuple[Any, ...], options: Mapping[str, Any]) -> None:
    """Raise for arguments that do not fit a signature, as Python does."""
    try:
        signature.bind(*args, **options)
    except TypeError as wrong:
        names = [each for each in signature.parameters if each != "self"]
        unknown = [each for each in options if each not in names]
        if unknown:
            raise error(f"`{name}` has no `{unknown[0]}=`; {meant(unknown[0], names, '`{}=`')}") from None
        raise error(f"`{name}({', '.join(names)})` cannot be called so: {wrong}.") from None
