"""The progress bar, for terminals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

MOMENT = 0.4  # seconds; what is done by then needs no bar


class _Speed(ProgressColumn):
    """The rate, per second."""

    def render(self, task: Task) -> Text:
        """The speed, if it is known."""
        return Text(f"{task.speed:,.0f}/s" if task.speed else "")


class _Count(MofNCompleteColumn):
    """How much is done, if that is told."""

    def render(self, task: Task) -> Text:
        """`3/8`, or nothing while nothing is known."""
        return Text("") if task.total is None and not task.completed else super().render(task)


@contextmanager
def bar(console: Console, what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A bar that comes after a moment and disappears at the end; yields a function that takes the amount done."""
    title = TextColumn("{task.description}", markup=False)  # the name in it may come from a file
    columns = (SpinnerColumn(), title, BarColumn(), _Count(), _Speed())
    shown = Progress(*columns, TimeRemainingColumn(), console=console, transient=True)
    task = shown.add_task(what, total=total)
    waiting = Timer(MOMENT, shown.start)
    waiting.start()
    try:
        yield lambda done: shown.update(task, completed=done)
    finally:
        waiting.cancel()
        waiting.join()  # it may be about to start the bar
        shown.stop()
