"""What a name may be, and all else that a program's text is made of: whatever it holds must be read back as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hyloop.errors import HyloopError
from hyloop.lang.kinds import INFINITY, Scope
from hyloop.lang.program import Op, Output, Program
from hyloop.lang.size import parse_size
from hyloop.lang.source import LanguageError, Location

_ENTRY = re.compile(r"(.*)\[[0-9]{1,9}\]", re.DOTALL)
# The operations with a constant part, and what it is; `constant` has a value of its own.
_ARGUMENTS: Mapping[str, type] = {
    **dict.fromkeys(("input", "state", "size"), str),
    **dict.fromkeys(("ordinal", "own", "spread"), Scope),
    "multiple": int,
}
UNNAMED = "<lambda>"  # what Python calls a function without a name


def is_name(text: object) -> bool:
    """Whether a text is a name, as Python has them: of an input, of an output, of an algorithm."""
    return isinstance(text, str) and text.isidentifier()


def is_entry(text: object) -> bool:
    """Whether a text is a name, or one of an entry of a list, `name[3]`: of a state, or of a value."""
    if not isinstance(text, str):
        return False
    entry = _ENTRY.fullmatch(text)
    return is_name(entry[1] if entry else text)


def require_names(program: Program) -> None:
    """Raise where something in a program could be read as something else in its text, or not at all."""
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
    try:
        again = parse_size(str(program.at_most))
    except (HyloopError, KeyError, ValueError):
        again = None
    if again != program.at_most:
        raise LanguageError("The bound of the loop is not a size, such as `n_e + 1`.")


def _is_whole(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_plain(op: Op) -> bool:
    """Whether its argument is written in one word, and by that word known."""
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
    """The place, unless its file or its line cannot be one."""
    fits = where.file.isprintable() and all(map(_is_whole, (where.line, where.column, where.end)))
    return where if fits else None
