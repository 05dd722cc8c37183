"""Which names and constants a program may have: those that its text form can write and parse back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hyloop.errors import HyloopError
from hyloop.lang.budgets import LETTERS
from hyloop.lang.kinds import INFINITY, Scope
from hyloop.lang.program import Op, Output, Program
from hyloop.lang.size import parse_size
from hyloop.lang.source import LanguageError, Location

_ENTRY = re.compile(r"(.*)\[[0-9]{1,9}\]", re.DOTALL)
# The operations with an argument, and its kind; `constant` has a value instead.
_ARGUMENTS: Mapping[str, type] = {
    **dict.fromkeys(("input", "state", "size"), str),
    **dict.fromkeys(("ordinal", "own", "spread"), Scope),
    "multiple": int,
}
UNNAMED = "<lambda>"  # Python's name for an anonymous function


def is_name(text: object) -> bool:
    """Whether a text is a Python identifier: a name of an input, an output or an algorithm."""
    return isinstance(text, str) and text.isidentifier()


def is_entry(text: object) -> bool:
    """Whether a text is an identifier or a list entry `name[3]`: a name of a state or a value."""
    if not isinstance(text, str):
        return False
    entry = _ENTRY.fullmatch(text)
    return is_name(entry[1] if entry else text)


def require_short(name: str, where: Location | None = None) -> None:
    """Raise for a name that is too long: a model's file has a limit for what is called by it."""
    if len(name) > LETTERS:
        raise LanguageError(
            f"`{name[:20]}...` has {len(name):,} letters, and a name has at most {LETTERS}; choose a shorter one.",
            where,
        )


def require_names(program: Program) -> None:
    """Raise if something in a program could not be parsed back from its text, or only as something else."""
    _require_short_names(program)
    if not is_name(program.name) and program.name != UNNAMED:
        raise LanguageError(f"{program.name!r} is not a name for an algorithm; a name of Python's is, such as `reach`.")
    if any("\ud800" <= letter <= "\udfff" for letter in program.about):
        raise LanguageError("The description has half a letter (a surrogate) in it, which no file can hold.")
    for given in program.inputs:
        if not is_name(given.name):
            raise LanguageError(f"{given.name!r} is not a name for an input; a name of Python's is, such as `source`.")
        if given.at_most is not None and not _is_whole(given.at_most):
            raise LanguageError(f"The bound of the input {given.name} is a whole number, not {given.at_most!r}.")
    for output in program.outputs:
        _require_output(output)
    for state in program.states:
        if not is_entry(state.name):
            raise LanguageError(f"{state.name!r} is not a name for a state.", _if_place(state.where))
    _require_values(program)
    _require_size(program)


def _require_short_names(program: Program) -> None:
    names = (program.name, *(each.name for each in program.inputs), *(each.name for each in program.outputs))
    for name in names:
        require_short(name)
    for state in program.states:
        require_short(state.name, _if_place(state.where))
    for op in (*program.before.ops, *program.body.ops):
        require_short(op.label, _if_place(op.where))


def _require_output(output: Output) -> None:
    if not is_name(output.name):
        raise LanguageError(f"{output.name!r} is not a name for an output; a name of Python's is, such as `distance`.")
    if output.form not in {"value", "total", "stream"}:
        raise LanguageError(f"The output {output.name!r} is a value, a total or a stream, not {output.form!r}.")
    if output.place is not None and not _is_whole(output.place):
        raise LanguageError(f"The place of the output {output.name!r} is a whole number, not {output.place!r}.")


def _require_values(program: Program) -> None:
    for section in (program.before, program.body):
        for op in section.ops:
            if op.label and not is_entry(op.label):
                raise LanguageError(f"{op.label!r} is not a name for a value.", _if_place(op.where))
            if not _is_plain(op):
                raise LanguageError(
                    f"{op.argument!r} cannot be a part of the operation {op.name}.", _if_place(op.where)
                )
    for place in _places(program):
        if _if_place(place) is None:
            raise LanguageError(f"{place.file!r}, line {place.line!r}, is not a place in a file.")


def _require_size(program: Program) -> None:
    if not _is_size(program.at_most):
        raise LanguageError("The bound of the loop is not a size, such as `n_e + 1`.")
    for state in program.states:
        if state.at_most is not None and not _is_size(state.at_most):
            raise LanguageError(f"The bound of {state.name} is not a size, such as `n_e + 1`.", _if_place(state.where))


def _is_size(given: object) -> bool:
    """Whether it is read back as what it is."""
    try:
        return parse_size(str(given)) == given
    except (HyloopError, KeyError, ValueError):
        return False


def _is_whole(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_plain(op: Op) -> bool:
    """Whether its argument is a single word from which it can be parsed back."""
    if op.argument is None:
        return True
    if op.name == "constant":
        return op.argument is INFINITY or type(op.argument) in {bool, int}
    fits = type(op.argument) is _ARGUMENTS.get(op.name)
    return fits and (not isinstance(op.argument, str) or is_entry(op.argument))


def _places(program: Program) -> Iterator[Location]:
    for state in program.states:
        yield state.where
    for section in (program.before, program.body):
        for op in section.ops:
            yield op.where


def _if_place(where: Location) -> Location | None:
    """The location, unless its file or line is invalid."""
    fits = where.file.isprintable() and all(map(_is_whole, (where.line, where.column, where.end)))
    return where if fits else None
