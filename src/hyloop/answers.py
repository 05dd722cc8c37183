"""Functions of the user's own: conditions on random hypergraphs, and answers to compare results with.

An answer is what `function(hypergraph, **inputs)` returns: a dictionary from the names of outputs to what they should
be. Outputs that it does not name are not compared. An output over the vertices (or hyperedges) is a dictionary by
label, in which a label that is missing stands for None, or a list in their order; any other output is one value, and a
stream is a list of pairs of a label and a dictionary. Values are compared exactly: whole numbers, Fractions, Decimals,
floats (which mean the decimal that Python prints for them), True and False, labels. None stands for no value and for
infinite, and so does `math.inf`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from hyloop import numbers
from hyloop.errors import HyloopError, HypergraphError
from hyloop.hypergraph import Hypergraph, Label, exact, is_number, shown
from hyloop.lang.source import file_name
from hyloop.lang.usercode import run_file, told
from hyloop.result import Result, Stream

Function = Callable[..., Any]


# -- asking ---------------------------------------------------------------------------------------------------------


def load_function(which: str) -> Function:
    """The function that `file.py:name` names. The file is executed."""
    file, colon, name = which.rpartition(":")
    if not colon or not file.endswith(".py") or not name:
        raise HyloopError(f"A function of your own is given as FILE.py:NAME; {which!r} is not.")
    module = _module(Path(file))
    function = getattr(module, name, None)
    if callable(function):
        return function  # type: ignore[no-any-return]
    here = ", ".join(key for key, value in vars(module).items() if _is_own(value, module)) or "none"
    raise HyloopError(f"{file} has no function {name!r}; its functions: {here}.")


def _module(file: Path) -> ModuleType:
    return run_file(file, HyloopError, redirect_stdout(sys.stderr))  # what it prints is no result


def _is_own(value: object, module: ModuleType) -> bool:
    return callable(value) and getattr(value, "__module__", None) == module.__name__


def ask(function: Function, about: str, h: Hypergraph, inputs: Mapping[str, Any]) -> Any:
    """The result of a user's function; an exception in it becomes a `HyloopError` with its file and line."""
    with blamed(function, about):
        return function(h, **inputs)


@contextmanager
def blamed(function: Function, about: str, *ours: type[Exception]) -> Iterator[None]:
    """Turns what is raised inside, unless it is one of `ours`, into a `HyloopError` about the user's function."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except BaseException as wrong:
        if isinstance(wrong, (KeyboardInterrupt, *ours)):
            raise
        code = getattr(function, "__code__", None)
        file = Path(code.co_filename if code else "")
        raise HyloopError(f"{name_of(function)} fails on {about}: {told(wrong, file, '{file}:{line}: ')}.") from wrong


def name_of(function: Function) -> str:
    """The name of a function, with its file."""
    code = getattr(function, "__code__", None)
    name = getattr(function, "__name__", type(function).__name__)
    return f"{file_name(code.co_filename)}:{name}" if code is not None else name


def holds(function: Function, h: Hypergraph) -> bool:
    """Whether a condition of the user's own holds."""
    about = f"the hypergraph {in_short(h)}"
    found = ask(function, about, h, {})
    if not isinstance(found, bool | np.bool_):
        with blamed(function, about, HyloopError):
            raise HyloopError(f"{name_of(function)} returns {shown(found)} for {about}; expected is True or False.")
    return bool(found)


def in_short(h: Hypergraph) -> str:
    """The members of its hyperedges, or as many as fit."""
    return shown([list(h.members_of(label)) for label in h.hyperedges])


# -- comparing ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Disagreement:
    """Where a result and the user's answer differ: the output, the vertex or hyperedge, and what each says."""

    output: str
    about: str
    ours: object
    theirs: object

    def __str__(self) -> str:
        return f"{self.output}{self.about} is {written(self.ours)} here, {written(self.theirs)} in the answer"


def written(value: Any) -> str:
    """A value in a sentence."""
    if value is None:
        return "none"
    if isinstance(value, Fraction):
        return numbers.written(value)
    return shown(value)


def disagreements(found: Result, answer: object, function: Function) -> Iterator[Disagreement]:
    """All differences between a result and the user's answer; raises if the answer is malformed."""
    if not isinstance(answer, Mapping) or not answer:
        raise HyloopError(
            f"{name_of(function)} returns {shown(answer)}; expected is a dictionary of outputs, such as "
            f"{{{next(iter(_outputs(found)))!r}: ...}}."
        )
    for name, theirs in answer.items():
        if name not in _outputs(found):
            raise HyloopError(
                f"{name_of(function)} has an entry {shown(name)}; the outputs of {found.algorithm} are "
                f"{', '.join(_outputs(found))}."
            )
        yield from _one_output(found, name, theirs, function)


def _outputs(found: Result) -> list[str]:
    return [*found.vertices, *found.hyperedges, *found.scalars, *found.streams]


def _one_output(found: Result, name: str, theirs: Any, function: Function) -> Iterator[Disagreement]:
    if name in found.scalars:
        yield from _scalar(name, found.scalars[name], theirs)
    elif name in found.streams:
        yield from _stream(found.streams[name], name, theirs, function)
    else:
        kind = "vertex" if name in found.vertices else "hyperedge"
        labels = found.hypergraph.vertices if kind == "vertex" else found.hypergraph.hyperedges
        for label, ours, other in zip(
            labels, found[name].values(), _by_label(labels, theirs, name, function), strict=True
        ):
            if not same(ours, other):
                yield Disagreement(name, f" of {kind} {shown(label)}", ours, other)


def _scalar(name: str, ours: Any, theirs: Any) -> Iterator[Disagreement]:
    if isinstance(ours, tuple) and _is_list(theirs) and len(ours) == len(theirs):
        for place, (here, there) in enumerate(zip(ours, theirs, strict=True), start=1):
            if not same(here, there):
                yield Disagreement(name, f", number {place},", here, there)
    elif not same(ours, theirs):
        yield Disagreement(name, "", ours, theirs)


def _is_list(theirs: object) -> bool:
    if isinstance(theirs, np.ndarray):
        return theirs.ndim > 0  # without a dimension, it is one value
    return isinstance(theirs, Sequence) and not isinstance(theirs, str | bytes)


def _by_label(labels: Sequence[Label], theirs: Any, name: str, function: Function) -> list[Any]:
    """An answer over vertices or hyperedges, in their order."""
    if hasattr(theirs, "to_dict"):  # a Series of pandas, whose order is its own
        theirs = theirs.to_dict()
    if isinstance(theirs, Mapping):
        known = set(labels)
        if strange := [key for key in theirs if key not in known]:
            raise HyloopError(f"{name_of(function)} gives {name} for {shown(strange[0])}, which is not there.")
        return [theirs.get(label) for label in labels]
    if _is_list(theirs):
        values = list(theirs)
        if len(values) == len(labels):
            return values
        raise HyloopError(f"{name_of(function)} gives {len(values)} values for {name}; there are {len(labels)}.")
    raise HyloopError(
        f"{name_of(function)} gives {shown(theirs)} for {name}; expected is a dictionary by label, or a list."
    )


def _stream(ours: Stream, name: str, theirs: Any, function: Function) -> Iterator[Disagreement]:
    """A stream is a list of pairs: what an entry is about, and a dictionary of what is there."""

    def kept(value: Any) -> bool:
        return not same(ours.absent, value)

    try:
        pairs = theirs.items() if isinstance(theirs, Mapping) else theirs
        answer = [
            (about, {key: value for key, value in dict(values).items() if kept(value)}) for about, values in pairs
        ]
    except (TypeError, ValueError):
        raise HyloopError(
            f"{name_of(function)} gives {shown(theirs)} for {name}; expected is a list of pairs (label, dictionary)."
        ) from None
    here = [(entry.about, dict(entry.values)) for entry in ours.entries]
    if isinstance(theirs, Mapping):
        here, answer = sorted(here, key=repr), sorted(answer, key=repr)
    for place in range(max(len(here), len(answer))):
        left, right = (each[place] if place < len(each) else None for each in (here, answer))
        if left is None or right is None or left[0] != right[0] or not _same_entries(left[1], right[1]):
            yield Disagreement(name, f", entry {place + 1},", left, right)


def _same_entries(ours: Mapping[Label, Any], theirs: Mapping[Any, Any]) -> bool:
    return ours.keys() == theirs.keys() and all(same(value, theirs[key]) for key, value in ours.items())


def same(ours: Any, theirs: Any) -> bool:
    """Whether an answer means the value that a run gave, exactly."""
    if ours is None:
        return theirs is None or bool(is_number(theirs) and theirs == math.inf)
    if isinstance(ours, bool):
        return isinstance(theirs, bool | np.bool_ | int) and ours == theirs
    if isinstance(ours, tuple):
        return _is_list(theirs) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(ours, str):
        return isinstance(theirs, str) and ours == theirs
    try:
        return bool(exact(theirs) == ours)
    except HypergraphError:  # it is no number, or not a finite one
        return False
