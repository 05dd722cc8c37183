"""Where in the user's file a value was made: for messages, the viewer, and the labels of layers."""

from __future__ import annotations

import contextlib
import linecache
import sys
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import FrameType

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

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class LanguageError(HyloopError):
    """A program that cannot be: the message shows the user's own line, with a caret, and says what would be right."""

    def __init__(self, message: str, location: Location | None = None, text: str = "") -> None:
        self.location = location
        self.message = message
        super().__init__(message if location is None else _pointed(message, location, text))


def _pointed(message: str, location: Location, text: str) -> str:
    if not text.strip():
        return f"{location}: {message}"
    stripped = text.strip()
    start = max(location.column - (len(text) - len(text.lstrip())), 0)
    width = max(min(location.end, len(text.rstrip())) - location.column, 1)
    return f"{location}: {message}\n    {stripped}\n    {' ' * start}{'^' * width}"


def user_frame() -> FrameType:
    """The innermost frame that does not belong to the language itself."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_INSIDE):
        frame = frame.f_back
    if frame is None:
        raise AssertionError("unreachable: somebody called")
    return frame


def here() -> Location:
    """Where the user's program is now, to the column."""
    frame = user_frame()
    positions = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None))
    line, end_line, column, end = positions
    name = Path(frame.f_code.co_filename).name
    if line is None or column is None or end is None:
        return Location(name, frame.f_lineno, 0, 0)
    if end_line != line:
        end = len(linecache.getline(frame.f_code.co_filename, line).rstrip("\n"))
    # Python counts columns in bytes of UTF-8.
    text = linecache.getline(frame.f_code.co_filename, line).encode()
    return Location(name, line, len(text[:column].decode(errors="replace")), len(text[:end].decode(errors="replace")))


def error(message: str, location: Location | None = None) -> LanguageError:
    """The error for the line that the user's program is on (or for an earlier place in the same file)."""
    place = location or here()
    frame: FrameType | None = user_frame()
    while frame is not None and Path(frame.f_code.co_filename).name != place.file:
        frame = frame.f_back
    text = "" if frame is None else linecache.getline(frame.f_code.co_filename, place.line).rstrip("\n")
    return LanguageError(message, place, text)
