"""The progress bar, for terminals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

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


class _Speed(ProgressColumn):
    """The rate, per second."""

    def render(self, task: Task) -> Text:
        """The speed, if it is known."""
        return Text(f"{task.speed:,.0f}/s" if task.speed else "")


@contextmanager
def bar(console: Console, what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A bar that disappears at the end; yields a function that takes the amount done."""
    title = TextColumn("{task.description}", markup=False)  # the name in it may come from a file
    columns = (SpinnerColumn(), title, BarColumn(), MofNCompleteColumn(), _Speed())
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as shown:
        task = shown.add_task(what, total=total)
        yield lambda done: shown.update(task, completed=done)
