"""Source locations in the user's file: for messages, the viewer, and the labels of layers."""

from __future__ import annotations

import contextlib
import linecache
import sys
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType
from unicodedata import combining, east_asian_width

from hyloop.errors import HyloopError

# Frames of these files are the language's own; `with` goes through contextlib.
_INSIDE = (str(Path(__file__).parent), contextlib.__file__)


@dataclass(frozen=True)
class Location:
    """A place in a source file: the file's name (never its path), line from 1, columns from 0."""

    file: str
    line: int
    column: int
    end: int
    # The path of the file, to quote its line; not part of the location's identity.
    path: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    @property
    def text(self) -> str:
        """The source line, if the file can be read."""
        return source_line(self.path, self.line) if self.path else ""


class LanguageError(HyloopError):
    """An invalid program: the message shows the user's line with a caret and says what would be right."""

    def __init__(self, message: str, location: Location | None = None) -> None:
        self.location = location
        self.message = message
        super().__init__(message if location is None else _pointed(message, location))


def _pointed(message: str, location: Location) -> str:
    text = location.text
    if not text.strip():
        return f"{location}: {message}"
    stripped, indent = text.strip(), len(text) - len(text.lstrip())
    before, marked = text.lstrip()[: max(location.column - indent, 0)], text.rstrip()[location.column : location.end]
    return f"{location}: {message}\n    {stripped}\n    {' ' * _width(before)}{'^' * max(_width(marked), 1)}"


def _width(text: str) -> int:
    """How many columns of a terminal a text takes: two for a letter as of 日本語, none for an accent of its own."""
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in {"W", "F"} else 1 for letter in text)


def user_frame() -> FrameType:
    """The innermost frame that does not belong to the language itself."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_INSIDE):
        frame = frame.f_back
    if frame is None:
        raise AssertionError("unreachable: somebody called")
    return frame


def here() -> Location:
    """The current location in the user's program, with columns."""
    frame = user_frame()
    return place_of(frame.f_code, frame.f_lasti, frame.f_lineno)


def place_of(code: CodeType, instruction: int, number: int) -> Location:
    """The place of an instruction in its source; the line `number` alone where the code does not tell more."""
    line, end_line, column, end = next(islice(code.co_positions(), instruction // 2, None))
    path = code.co_filename
    name = file_name(path)
    if line is None or column is None or end is None:
        return Location(name, number, 0, 0, path)
    # Python counts columns in bytes of UTF-8.
    text = source_line(path, line).encode()
    if end_line != line:
        end = len(text)
    return Location(name, line, _letters(text, column), _letters(text, end), path)


def source_lines(path: str) -> list[str]:
    """The lines of a file; none if it cannot be read. Code may be compiled under any name, also one of no file."""
    try:
        return linecache.getlines(path)
    except ValueError:  # half a letter (a lone surrogate), or NUL
        return []


def source_line(path: str, number: int) -> str:
    """A line of a file, without its end; empty if there is none."""
    return next(iter(source_lines(path)[number - 1 : number]), "").rstrip("\n")


@lru_cache
def file_name(path: str) -> str:
    """The name of a file, with characters that a line of text can hold."""
    return "".join(letter if letter.isprintable() else "?" for letter in Path(path).name)


def _letters(text: bytes, end: int) -> int:
    return len(text[:end].decode(errors="replace"))


def error(message: str, location: Location | None = None) -> LanguageError:
    """The error for the current line of the user's program, or for another location."""
    return LanguageError(message, location or here())
