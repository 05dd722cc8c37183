"""Output of the command line: tables on standard output, progress and errors on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from hyloop.hypergraph import label_from_text
from hyloop.numbers import json_text, short

PIPE_WIDTH = 200  # a table that goes to a file or a pipe is not folded to a terminal
SHORT = 24  # letters of a name that is not broken in two


def out() -> Console:
    """Standard output, as it is now."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=PIPE_WIDTH)


def err() -> Console:
    """Standard error, as it is now."""
    return Console(stderr=True, highlight=False)


def complain(kind: str, message: str, console: Console | None = None) -> None:
    """An error or a warning, for people; on the console of a progress bar, where there is one."""
    colour = {"Error": "bold red", "Warning": "yellow"}.get(kind, "bold")
    (console or err()).print(Text.assemble((f"{kind}:", colour), " ", visible(message, keep="\n")), soft_wrap=True)


def visible(text: str, keep: str = "") -> str:
    """Untrusted text, made safe for a terminal: characters that cannot be printed are shown by their code."""
    return "".join(letter if letter.isprintable() or letter in keep else _escaped(letter) for letter in text)


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape").decode()


def as_json(document: Mapping[str, Any] | Sequence[Any], indent: int | None = 2) -> None:
    """A document on standard output, for programs: on one line without an indent. Escapes where it is not UTF-8."""
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    sys.stdout.write(json_text(document, indent=indent, ascii_only=not utf8) + "\n")


def table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    right: Sequence[str] = (),
    fold: Sequence[str] | None = None,
    group: int = 0,
) -> None:
    """A table. Columns named in `right` are numbers. What comes from a file is shown as it is, never as markup.

    `fold` names the columns that give way where the terminal is narrow; without it, all but the first do. `group` says
    how many rows belong together; there is a line between groups.
    """
    shown = Table(header_style="bold")
    for number, name in enumerate(columns):
        cells = [len(str(row[number])) for row in rows]
        stays = name not in fold if fold is not None else number == 0 and max(cells, default=0) <= SHORT
        shown.add_column(name, justify="right" if name in right else "left", overflow="fold", no_wrap=stays)
    for place, row in enumerate(rows, start=1):
        shown.add_row(
            *(Text(visible("" if value is None else str(value))) for value in row),
            end_section=group > 0 and place % group == 0,
        )
    line(title, style="bold")
    out().print(shown)


def line(text: str, style: str = "") -> None:
    """A line of plain text."""
    out().print(Text(visible(text)), style=style, soft_wrap=True)


def prose(text: str) -> None:
    """A sentence or more: folded between words on a terminal, one line elsewhere."""
    console = out()
    console.print(Text(visible(text)), soft_wrap=not console.is_terminal)


def cell(value: Any) -> object:
    """A value as a cell of a table shows it."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(str(cell(each)) for each in value)
    # The vertex "1" is another than the vertex 1.
    if isinstance(value, str) and isinstance(label_from_text(value), int):
        return f'"{value}"'
    return short(value) if isinstance(value, int | Fraction) else value


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
    from hyloop.cli.bar import bar  # it takes a moment, and pipes need none

    with bar(console, visible(what), total) as tell:
        yield _remarking(tell, remark, console)


def _remarking(tell: Callable[[int], None], remark: tuple[str, str] | None, console: Console) -> Callable[[int], None]:
    waiting = [] if remark is None else [remark]

    def told(done: int) -> None:
        while waiting:
            complain(*waiting.pop(), console)
        tell(done)

    return told
