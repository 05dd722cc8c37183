"""The progress bar: nothing for what is done at once, and a line that goes again for what takes longer."""

import io
import time

from rich.console import Console

from hyloop.cli import bar as bars
from hyloop.cli.bar import bar


def shown(seconds, monkeypatch, total=None):
    monkeypatch.setattr(bars, "MOMENT", 0.02)
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=80, color_system=None)
    with bar(console, "compiling [x]", total) as tell:
        tell(3)
        time.sleep(seconds)
    return written.getvalue()


def test_what_is_done_at_once_has_no_bar(monkeypatch):
    monkeypatch.setattr(bars, "MOMENT", 5)
    console = Console(file=(written := io.StringIO()), force_terminal=True)
    with bar(console, "reading", 8) as tell:
        tell(8)
    assert written.getvalue() == ""


def test_what_takes_longer_has_one(monkeypatch):
    told = shown(0.2, monkeypatch, total=8)
    assert "compiling [x]" in told  # literally: a name is no markup
    assert "3/8" in told
    assert told.endswith("\x1b[2K")  # and it is erased at the end


def test_it_ends_with_what_it_is_about_also_by_an_error(monkeypatch):
    monkeypatch.setattr(bars, "MOMENT", 0)
    console = Console(file=io.StringIO(), force_terminal=True)
    for _ in range(2):  # a bar that were left behind would not let the next one begin
        try:
            with bar(console, "proving", None):
                raise KeyError
        except KeyError:
            pass
