"""`hyloop data ...`: data sets for learning: made, looked at, and scored."""

from __future__ import annotations

import typer

from hyloop.cli.data import info, make, score
from hyloop.cli.help import Command, Group

app = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    help="""Data sets for learning: hypergraphs, inputs, outputs, and every step of a run.

    Examples:
      hyloop data make standard --share 0.01 -o small
      hyloop data info mine
      hyloop data score predictions.parquet mine
    """,
)
for _command in (make.make, info.info, score.score):
    app.command(cls=Command)(_command)
