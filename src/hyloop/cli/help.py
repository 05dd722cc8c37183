"""The format of `--help`: plain sections, flags without a type, examples that can be copied.

Typer's own help was tried (0.29, at 80 columns) and is not as good: with rich it breaks choices within a word
(`[cpu|dense|torch|interprete` / `r]`), gives flags a type (`--json <bool>`), and takes 0.1 s more; without rich it
joins the examples into one paragraph and drops the groups of options.
"""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias, get_args

import typer
from typer.core import TyperCommand, TyperGroup

from hyloop.cli.show import complain
from hyloop.errors import HyloopError
from hyloop.numbers import short

MISTAKE, DEFECT, INTERRUPTED = 2, 70, 130  # exit status
WIDEST = 100  # columns; longer lines are hard to read
LONGEST_NAME = 26  # columns; the help of a longer name begins on the next line
INDENT = "  "

# The classes are typer's own, or click's: it depends on the version, and there is no common name.
Context: TypeAlias = Any
Formatter: TypeAlias = Any
Parameter: TypeAlias = Any
AnyCommand: TypeAlias = Any

# The groups of options that several commands have.
INPUT = "Input"
CAPACITY = "Capacity"
OUTPUT = "Output"


def one_of(choices: object) -> str:
    """A choice in the help: `[float64|float32]`, from a Literal or from names."""
    names = get_args(choices) or (choices if isinstance(choices, Iterable) else ())
    return f"[{'|'.join(map(str, names))}]"


class Command(TyperCommand):
    """A command with this format of help."""

    def collect_usage_pieces(self, ctx: Context) -> list[str]:
        """The usage after the name of the command."""
        return ["[OPTIONS]", *(_argument(each) for each in self.params if _is_argument(each))]

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Parse the arguments. An option with one value that is given twice is refused: the last would win silently."""
        # The parser's list of parsed parameters, in click and in typer's copy of it: classes without a common name.
        if not ctx.resilient_parsing:
            values, _, met = self.make_parser(ctx).parse_args(args=list(args))
            seen: list[Parameter] = [*met]
            for each in seen:
                if not (_is_argument(each) or each.multiple or each.is_flag) and seen.count(each) > 1:
                    raise HyloopError(f"{each.opts[0]} is given twice, and takes one value: leave out all but one.")
            if not any(each.is_eager and values.get(each.name) for each in self.get_params(ctx)):
                self._require_arguments(ctx, values)
        return super().parse_args(ctx, args)

    def _require_arguments(self, ctx: Context, values: dict[str, Any]) -> None:
        """Refuse a line with too few words, and say which argument each of them was taken for."""
        arguments = [each for each in self.params if _is_argument(each)]
        given = [each for each in arguments if isinstance(values.get(each.name), str)]
        missing = [_argument(each) for each in arguments if each.required and each not in given and each.nargs == 1]
        if missing and given:
            taken = " and ".join(f"{values[each.name]} is taken for {_argument(each)}" for each in given)
            wanted = " and ".join(map(_argument, arguments))
            raise HyloopError(f"{ctx.command_path} takes {wanted}: {taken}, and {' and '.join(missing)} is missing.")

    def format_help(self, ctx: Context, formatter: Formatter) -> None:
        """Write the help."""
        formatter.write("\n".join(_help(self, ctx)) + "\n")


class Group(TyperGroup):
    """A group of commands with this format of help. Ctrl-C in any of them gives one sentence and status 130."""

    def format_help(self, ctx: Context, formatter: Formatter) -> None:
        """Write the help, with the commands by group."""
        formatter.write("\n".join(_help(self, ctx, self._panels(ctx))) + "\n")

    def make_context(self, *words: Any, **settings: Any) -> Context:
        """Parse the command line."""
        with _interruptible():
            return super().make_context(*words, **settings)

    def invoke(self, ctx: Context) -> object:
        """Run the command that was named."""
        with _interruptible():
            return super().invoke(ctx)

    def _panels(self, ctx: Context) -> dict[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                about = _paragraphs(command.short_help or command.help)[:1]
                panel = getattr(command, "rich_help_panel", None) or "Commands"
                found.setdefault(panel, []).append((name, " ".join("".join(about).split())))
        return found


@contextmanager
def _interruptible() -> Iterator[None]:
    """Handles Ctrl-C: typer would end silently or with status 1, depending on the version."""
    try:
        yield
    except KeyboardInterrupt as stop:
        complain("Stopped", str(stop) or "interrupted.")
        raise typer.Exit(INTERRUPTED) from None


def _help(command: AnyCommand, ctx: Context, panels: dict[str, list[tuple[str, str]]] | None = None) -> Iterator[str]:
    width = min(shutil.get_terminal_size().columns, WIDEST)
    yield _usage(command, ctx)
    for paragraph in _paragraphs(command.help):
        yield ""
        yield _filled(paragraph, width)
    yield from _sections(panels or {}, width)
    yield from _sections(_options(command, ctx), width)
    for paragraph in _paragraphs(command.epilog):
        yield ""
        yield _filled(paragraph, width)


def _sections(sections: dict[str, list[tuple[str, str]]], width: int) -> Iterator[str]:
    names = [name for rows in sections.values() for name, _ in rows]
    column = min(max(map(len, names), default=0), LONGEST_NAME) + 2 * len(INDENT)
    for title, rows in sections.items():
        yield ""
        yield bold(f"{title}:")
        for name, about in rows:
            yield _row(name, about, column, width)


def _usage(command: AnyCommand, ctx: Context) -> str:
    return f"{bold('Usage:')} {ctx.command_path} {' '.join(command.collect_usage_pieces(ctx))}"


def _paragraphs(text: str | None) -> list[str]:
    return [part.rstrip() for part in (text or "").split("\n\n") if part.strip()]


def _filled(paragraph: str, width: int) -> str:
    """A wrapped paragraph; one with indented lines (examples, tables) is unchanged, with its title in bold."""
    if paragraph.startswith("Example: "):
        paragraph = f"Example:\n{INDENT}{' '.join(paragraph.removeprefix('Example: ').split())}"
    first, *rest = paragraph.splitlines()
    if any(line.startswith(INDENT) for line in rest):
        return "\n".join([bold(first), *rest])
    return textwrap.fill(" ".join(paragraph.split()), width, break_on_hyphens=False)


def _row(name: str, about: str, column: int, width: int) -> str:
    """A name with its description beside it, or below it if the name is long."""
    start = f"{INDENT}{name}".ljust(column)
    text = textwrap.wrap(about, max(width - column, 20), break_on_hyphens=False) or [""]
    if len(start) > column:
        return "\n".join([start, *(" " * column + each for each in text)])
    return "\n".join([f"{start}{text[0]}".rstrip(), *(" " * column + each for each in text[1:])])


def _options(command: AnyCommand, ctx: Context) -> dict[str, list[tuple[str, str]]]:
    """The arguments and options by group; options without a group come last, with --help."""
    found: dict[str, list[tuple[str, str]]] = {"Arguments": []}
    plain: list[tuple[str, str]] = []
    for each in command.get_params(ctx):
        if getattr(each, "hidden", False):
            continue
        if _is_argument(each):
            found["Arguments"].append((_argument(each), _about(each)))
        else:
            panel = getattr(each, "rich_help_panel", None)
            (found.setdefault(panel, []) if panel else plain).append((_option(each), _about(each)))
    return {title: rows for title, rows in {**found, "Options": plain}.items() if rows}


def _is_argument(each: Parameter) -> bool:
    return bool(each.param_type_name == "argument")


def _argument(each: Parameter) -> str:
    return str(each.metavar or each.name.upper())


def _option(each: Parameter) -> str:
    short = [name for name in each.opts if not name.startswith("--")]
    names = [*short, *(name for name in each.opts if name.startswith("--"))]
    start = "" if short else "    "  # long names go on separate lines
    value = "" if each.is_flag else f" {_argument(each)}"
    return start + ", ".join(names) + "".join(f" / {name}" for name in each.secondary_opts) + value


def _about(each: Parameter) -> str:
    about = each.help or ""
    if each.required and not _is_argument(each):
        return f"{about} [required]"
    told = isinstance(each.default, str | int | float) and not isinstance(each.default, bool) and each.show_default
    return f"{about} [default: {_number(each.default)}]" if told else about


def _number(value: str | float) -> str:
    return short(value) if isinstance(value, float) else str(value)


def bold(text: str) -> str:
    """A heading; plain if the terminal or the user disables styles. Typer removes styles in a pipe."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else typer.style(text, bold=True)
