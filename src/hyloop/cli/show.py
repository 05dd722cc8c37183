"""Output of the command line: tables on standard output, progress and errors on standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from hyloop.numbers import json_text
from hyloop.visible import visible

if TYPE_CHECKING:
    from rich.console import Console

PIPE_WIDTH = 200  # a table that goes to a file or a pipe is not folded to a terminal
MEGABYTE = 10**6
SHORT = 24  # characters of a name that is not wrapped
NARROW = 8  # characters of a wrapped cell: a narrower terminal wraps the lines of the table itself


def out() -> Console:
    """The current standard output."""
    from rich.console import Console  # here and below: `--help` needs none of it

    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=PIPE_WIDTH)


def err() -> Console:
    """The current standard error."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def complain(kind: str, message: str, console: Console | None = None) -> None:
    """Print an error or a warning; on the console of a progress bar, where there is one."""
    from rich.text import Text

    colour = {"Error": "bold red", "Warning": "yellow"}.get(kind, "bold")
    said = Text.assemble((f"{kind}:", colour), " ", visible(message, keep="\n"))
    try:
        (console or err()).print(said, soft_wrap=True)
    except OSError:  # a full disk: nobody can be told, and the exit status stays that of the command
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def as_json(document: Mapping[str, Any] | Sequence[Any], indent: int | None = 2) -> None:
    """Print a document as JSON: on one line without an indent. ASCII with escapes if the output is not UTF-8."""
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    sys.stdout.write(json_text(document, indent=indent, ascii_only=not utf8) + "\n")


def table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    right: Sequence[str] = (),
    fold: Sequence[str] | None = None,
    group: int = 0,
    tight: bool = False,
) -> None:
    """Print a table. Columns named in `right` are right-aligned. Cells are literal text, never markup.

    `fold` names the columns that are wrapped on a narrow terminal; by default, all but the first. `group` is the
    number of rows in a group; there is a line between groups. `tight` is for many columns of few characters.
    """
    from rich.box import HEAVY_HEAD, SIMPLE
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    # A table of facts has no header.
    shown = Table(
        header_style="bold", show_header=any(columns), box=SIMPLE if tight else HEAVY_HEAD, pad_edge=not tight
    )
    shown.padding = 0 if tight else (0, 1)
    least = 1
    for number, name in enumerate(columns):
        cells = [cell_len(visible(str(row[number]))) for row in rows]
        stays = name not in fold if fold is not None else number == 0 and max(cells, default=0) <= SHORT
        longest = max([cell_len(name), *cells])
        least += (longest if stays else min(longest, NARROW)) + 3
        shown.add_column(name, justify="right" if name in right else "left", overflow="fold", no_wrap=stays)
    for place, row in enumerate(rows, start=1):
        shown.add_row(
            *(Text(visible("" if value is None else str(value))) for value in row),
            end_section=group > 0 and place % group == 0,
        )
    if title:
        line(title, style="bold")
    console = out()
    console.width = max(least, console.width)
    console.print(shown, crop=False)


def shorten(text: str, most: int) -> str:
    """At most this many characters of a text; `…` stands for the rest."""
    return text if len(text) <= most else f"{text[: max(most - 1, 0)].rstrip()}…"


def line(text: str, style: str = "") -> None:
    """Print a line of plain text."""
    from rich.text import Text

    out().print(Text(visible(text)), style=style, soft_wrap=True)


def prose(text: str) -> None:
    """Print sentences: wrapped on a terminal, one line elsewhere."""
    from rich.text import Text

    console = out()
    console.print(Text(visible(text)), soft_wrap=not console.is_terminal)


def file_size(count: int) -> str:
    """A number of bytes, in two digits or more: `230 kB`."""
    if count >= MEGABYTE:
        return f"{count / MEGABYTE:,.1f} MB"
    return f"{round(count, -4) // 1000} kB" if count >= 100_000 else f"{count / 1000:,.0f} kB"


def cell(value: object) -> str:
    """A value as a cell of a table shows it. The vertex "1" is not the vertex 1."""
    from hyloop.result import in_cell

    return in_cell(value, _label)


def in_line(value: Any, kind: str | None) -> str:
    """An output that is one value of a kind, as a line shows it."""
    from hyloop import result

    return result.in_line(value, kind, _label)


def _label(label: object) -> str:
    """A label that is text; in quotes, as in JSON, where it would be read as another one, or not be seen whole."""
    from hyloop.hypergraph import looks_like_integer

    text = str(label)
    in_quotes = text[:1] == text[-1:] == '"'
    whole = text and text == text.strip() and text.isprintable()
    return text if whole and not in_quotes and not looks_like_integer(text.strip('\\"')) else _in_quotes(text)


def _in_quotes(text: str) -> str:
    """A text as in JSON. Letters of any script stay; what cannot be printed is escaped."""
    letters = (each if each.isprintable() and each not in '"\\' else json.dumps(each)[1:-1] for each in text)
    return f'"{"".join(letters)}"'


@contextmanager
def progress(
    what: str, total: int | None, *, wanted: bool = True, remark: tuple[str, str] | None = None
) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error, if that is a terminal; yields a function that takes the amount done.

    `remark`, its kind and its text, is made when that function is first called: not where the work is refused.
    """
    console = err()
    if not (wanted and console.is_terminal and not console.is_dumb_terminal):
        yield _remarking(lambda _: None, remark, console)
        return
    from hyloop.cli.bar import bar  # slow to import, and pipes need no bar

    with bar(console, visible(what), total) as tell:
        yield _remarking(tell, remark, console)


def _remarking(tell: Callable[[int], None], remark: tuple[str, str] | None, console: Console) -> Callable[[int], None]:
    waiting = [] if remark is None else [remark]

    def told(done: int) -> None:
        while waiting:
            complain(*waiting.pop(), console)
        tell(done)

    return told
