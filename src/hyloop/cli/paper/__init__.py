"""`hyloop paper ...`: the paper's lemmas, algorithms and limits, computed by the command."""

from __future__ import annotations

import typer

from hyloop.cli.help import Command, Group
from hyloop.cli.paper import algorithms, capacity, lemmas, run

app = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    help="""The paper's lemmas, algorithms and limits, as printed and corrected.

    Examples:
      hyloop paper lemmas
      hyloop paper run dijkstra examples/harbour.hif.json --source Quay
    """,
)
for _command in (lemmas.lemmas, algorithms.algorithms, run.run, capacity.capacity):
    app.command(cls=Command)(_command)
