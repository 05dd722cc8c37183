"""Arguments and options of several commands, defined once, with one meaning and one help text.

Options that belong together are a group, a dataclass: a command takes `building: Building`, and `@grouped` shows typer
its options one by one.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer

from hyloop import io
from hyloop.cli import complete
from hyloop.cli.help import CAPACITY, INPUT, OUTPUT, one_of
from hyloop.compiler.compile import Packing
from hyloop.execute.backends import BACKENDS as EXECUTORS
from hyloop.machine.model import DType
from hyloop.running import BACKENDS

FORMATS = ", ".join(each.name for each in io.EVERY_FORMAT)


def _hush(wanted: bool) -> bool:
    if wanted:
        warnings.simplefilter("ignore")
    return wanted


# -- arguments ------------------------------------------------------------------------------------------------------

WHICH = "One of ours (hyloop algorithms lists them), your own (FILE.py or FILE.py:NAME), or a model file."
Which = Annotated[
    str, typer.Argument(metavar="ALGORITHM", help=WHICH, autocompletion=complete.algorithms, show_default=False)
]
File = Annotated[str, typer.Argument(help="A hypergraph file, or - for standard input.", metavar="FILE")]

# -- options --------------------------------------------------------------------------------------------------------

Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help=f"The file's format, if its extension does not determine it: {FORMATS}.",
        autocompletion=complete.formats,
        rich_help_panel=INPUT,
    ),
]
LabelBy = Annotated[
    str | None,
    typer.Option(
        "--label-by",
        metavar="ATTRIBUTE",
        help="Use this attribute, such as name, as labels of vertices and hyperedges.",
        rich_help_panel=INPUT,
    ),
]
IgnoreDirection = Annotated[
    bool,
    typer.Option("--ignore-direction", help="Treat a directed hypergraph as undirected.", rich_help_panel=INPUT),
]
Source = Annotated[
    str | None,
    typer.Option(
        "--source",
        metavar="LABEL",
        help="The vertex to start from.",
        autocompletion=complete.labels,
        rich_help_panel=INPUT,
    ),
]
Given = Annotated[
    list[str] | None,
    typer.Option(
        "--input",
        "-i",
        metavar="NAME=VALUE",
        help="An input of the algorithm, by its name; once for each. An array: A,B (flags), A:3,B:5 or @ATTRIBUTE.",
        autocompletion=complete.inputs,
        rich_help_panel=INPUT,
    ),
]
Edited = Annotated[
    bool,
    typer.Option("--edited", help="Accept an edited model file: its hash may differ.", rich_help_panel=INPUT),
]
Backend = Annotated[
    str,
    typer.Option(
        "--backend", metavar=one_of(BACKENDS), help="What runs the algorithm.", autocompletion=complete.backends
    ),
]
Executor = Annotated[
    str,
    typer.Option(
        "--backend",
        metavar=one_of(EXECUTORS),
        help="What runs the transformer.",
        autocompletion=complete.executors,
    ),
]
Rows = Annotated[
    int | None,
    typer.Option(
        "--rows",
        min=1,
        metavar="N",
        help="Most vertices, and most hyperedges (default: 131071, or what fits; 100 in float32).",
        rich_help_panel=CAPACITY,
    ),
]
Weight = Annotated[
    int | None,
    typer.Option(
        "--weight", min=1, metavar="N", help="Largest integer weight (default: what fits).", rich_help_panel=CAPACITY
    ),
]
Precision = Annotated[
    DType,
    typer.Option("--dtype", metavar=one_of(DType), help="The machine's number format.", rich_help_panel=CAPACITY),
]
PrecisionOrNone = Annotated[
    DType | None,
    typer.Option(
        "--dtype",
        metavar=one_of(DType),
        help="The machine's number format (default: float64, or that of the model file).",
        rich_help_panel=CAPACITY,
    ),
]
Heads = Annotated[
    int, typer.Option("--heads", min=1, metavar="N", help="Most heads per layer.", rich_help_panel=CAPACITY)
]
Schedule = Annotated[
    Packing,
    typer.Option(
        "--schedule",
        metavar=one_of(Packing),
        help="Few layers, or one operation per layer as in the paper.",
        rich_help_panel=CAPACITY,
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0, metavar="N", help="The seed of the random numbers.")]
PathTo = Annotated[
    str | None,
    typer.Option(
        "--path",
        metavar="LABEL",
        help="Also the path to this vertex.",
        autocompletion=complete.labels,
        rich_help_panel=OUTPUT,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, for programs.", rich_help_panel=OUTPUT)]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        callback=_hush,
        help="No progress bar and no remarks: only results and errors.",
        rich_help_panel=OUTPUT,
    ),
]

# -- groups ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reading:
    """How a hypergraph file is read."""

    file_format: Format = None
    label_by: LabelBy = None
    ignore_direction: IgnoreDirection = False


@dataclass(frozen=True)
class Inputs:
    """The inputs of the algorithm."""

    source: Source = None
    given: Given = None

    @property
    def texts(self) -> list[str]:
        """The given inputs, as `NAME=VALUE`."""
        return [*([f"source={self.source}"] if self.source is not None else []), *(self.given or [])]


@dataclass(frozen=True)
class Building:
    """How an algorithm is compiled; a model file is already compiled."""

    rows: Rows = None
    weight: Weight = None
    precision: PrecisionOrNone = None
    heads: Heads = 3
    schedule: Schedule = "packed"
    edited: Edited = False

    @property
    def dtype(self) -> DType:
        """The requested number format, or the default."""
        return self.precision or "float64"

    @property
    def is_default(self) -> bool:
        """Whether no option for compiling was given."""
        return Building(edited=self.edited) == self


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose groups are expanded into options for typer, and reassembled for the call."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    flat = inspect.Signature(
        [option for each in inspect.signature(command).parameters.values() for option in _options(each, hints)]
    )

    @wraps(command)
    def called(*words: Any, **options: Any) -> None:
        bound = flat.bind(*words, **options)
        bound.apply_defaults()
        given = dict(bound.arguments)
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    called.__signature__ = flat  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in flat.parameters.values()}
    return called


def _options(each: inspect.Parameter, hints: dict[str, Any]) -> list[inspect.Parameter]:
    hint = hints[each.name]
    if not is_dataclass(hint):
        return [each.replace(annotation=hint)]
    of_group = get_type_hints(hint, include_extras=True)
    return [
        inspect.Parameter(field.name, each.kind, default=field.default, annotation=of_group[field.name])
        for field in fields(hint)
    ]
