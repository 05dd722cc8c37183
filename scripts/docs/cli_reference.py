"""The page of the command line, from the commands themselves: what they say of themselves with `--help`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import typer

# A command of typer: the library has its own copies of click's classes, which have no public names.
Command = Any
INTRO = """\
# Command line

Every command says what it does with `--help`, and those that print results take `--json`. This page is what they say,
written down when the site is built.
"""
EXTRAS = re.compile(r"\s*\[((?:default|required|env var|x[<>]|\d+<=?x).*)\]$")


@dataclass(frozen=True)
class Entry:
    """A command: its full name, the part of the help that it stands in, itself and its context."""

    name: str
    part: str
    command: Command
    context: Any


def render(app: typer.Typer, exit_codes: object = None) -> str:
    """The page as Markdown.

    >>> app = typer.Typer(name="greet")
    >>> _ = app.command("hello")(lambda: None)
    >>> _ = app.command("bye")(lambda: None)
    >>> "## greet hello" in render(app)
    True
    """
    root = typer.main.get_command(app)
    context = _context(root, app.info.name or "")
    found = list(_commands(root, context))
    return "\n".join(
        [INTRO, *_contents(found), *_exit_codes(exit_codes), *_everywhere(root, context), *_details(found)]
    )


def _context(command: Command, name: str, parent: Any = None) -> Any:
    return typer.Context(command, info_name=name, parent=parent, **command.context_settings)


def _commands(group: Command, context: Any, part: str = "") -> Iterator[Entry]:
    """Each command under a group, in the order of `--help`."""
    for name, command in group.commands.items():
        if command.hidden:
            continue
        inside = _context(command, name, context)
        of = _panel(command) or part
        if hasattr(command, "commands"):
            yield from _commands(command, inside, of)
        else:
            yield Entry(inside.command_path, of, command, inside)


def _contents(found: list[Entry]) -> Iterator[str]:
    """A table of all commands, in the parts that the help has."""
    yield "| command | what it does |\n|---|---|"
    for part in dict.fromkeys(each.part for each in found):
        yield from [f"| **{_escaped(part)}** | |"] if part else []
        for each in found:
            if each.part == part:
                yield f"| [`{each.name}`](#{_anchor(each.name)}) | {_escaped(_summary(each.command))} |"
    yield ""


def _exit_codes(codes: object) -> Iterator[str]:
    """What the exit status means: a mapping from number to sentence, or pairs of them."""
    pairs = list(codes.items() if isinstance(codes, Mapping) else codes or ())  # type: ignore[call-overload]
    if pairs:
        yield "## Exit status\n\n| status | meaning |\n|---|---|"
        yield from (f"| `{int(code)}` | {_escaped(str(meaning))} |" for code, meaning in pairs)
        yield ""


def _everywhere(root: Command, context: Any) -> Iterator[str]:
    yield f"## Without a command\n\n{_text(root.help or '', context)}\n"
    yield from _parameters(root, context)


def _details(found: list[Entry]) -> Iterator[str]:
    for each in found:
        yield f"## {each.name} {{ #{_anchor(each.name)} }}\n"
        yield _text(each.command.help or "", each.context)
        yield f"\n```text\n{' '.join(each.command.get_usage(each.context).split())}\n```\n"
        yield from _parameters(each.command, each.context)
        if each.command.epilog:
            yield _text(each.command.epilog, each.context) + "\n"


def _parameters(command: Command, context: Any) -> Iterator[str]:
    """One table of arguments and options, in the parts that the help page has."""
    parts: dict[str, list[str]] = {}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is None or (parameter.name == "help" and context.parent is not None):
            continue  # `--help` is said once, for all of them
        kind = "Arguments" if parameter.param_type_name == "argument" else "Options"
        parts.setdefault(_panel(parameter) or kind, []).append(_row(*record))
    if parts:
        first, *_ = parts
        yield f"| {_escaped(first)} | | default |\n|---|---|---|"
        for title, rows in parts.items():
            yield from ([] if title is first else [f"| **{_escaped(title)}** | | |"])
            yield from rows
        yield ""


def _panel(what: Any) -> str | None:
    """The part of the help page that a command or parameter stands in, if one is named."""
    panel = getattr(what, "rich_help_panel", None)
    return panel if isinstance(panel, str) else None


def _row(names: str, text: str) -> str:
    """A line of a table from a line of the help page, which ends with what is default or required in brackets."""
    extras = EXTRAS.search(text)
    facts = extras[1].split("; ") if extras else []
    defaults = [fact.removeprefix("default: ") for fact in facts if fact.startswith("default: ")]
    rest = [fact.replace("x>=", "at least ") for fact in facts if not fact.startswith(("default: ", "required"))]
    said = EXTRAS.sub("", text)
    said = f"{said.removesuffix('.')}, {', '.join(rest)}." if rest else said
    default = f"`{defaults[0]}`" if defaults else ("required" if "required" in facts else "")
    return f"| {_code(_named(names))} | {_escaped(said)} | {default} |"


def _named(names: str) -> str:
    """The names of a parameter, with the type that it takes as people write it."""
    names = re.sub(r"^([^-]\S*) <[^>]*>$", r"\1", names)
    words = {"str": "TEXT", "int": "INTEGER", "float": "NUMBER"}
    return re.sub(r"<(\w+)(?: range)?>", lambda match: words.get(match[1], match[0]), names)


def _code(text: str) -> str:
    return f"`{text}`"  # within code, a bar does not end the cell


def _text(text: str, context: Any) -> str:
    """Help as Markdown: lines that are commands become blocks, whatever stands before them on the line a sentence."""
    program = re.escape(context.find_root().info_name)
    words = "|".join(re.escape(name) for name in context.find_root().command.commands)
    example = re.compile(rf"(?:(?P<lead>[^`]*?):\s+)?(?:\$ )?(?P<command>{program} (?:{words}|--)\S* ?[^`]*)")
    lines: list[str] = []
    for line in text.replace("\b", "").splitlines():
        if match := example.fullmatch(line.strip()):
            lines += [f"{_escaped(match['lead'])}:"] if match["lead"] else []
            lines += ["", f"```console\n$ {match['command']}\n```", ""]
        else:
            lines.append(_escaped(line.strip()))
    return re.sub(r"\n```\n\n+```console\n", "\n", "\n".join(lines)).strip()


def _summary(command: Command) -> str:
    """The first sentence of the help, as one line."""
    return " ".join((command.help or "").partition("\n\n")[0].split())


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is, but for what stands in backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    plain = (re.sub(r"([\\*_|\[\]])", r"\\\1", part.replace("&", "&amp;").replace("<", "&lt;")) for part in parts[::2])
    code = [*(_code(part[1:-1]) for part in parts[1::2]), ""]
    return "".join(left + right for left, right in zip(plain, code, strict=True))


def _anchor(name: str) -> str:
    return name.replace(" ", "-")


def main() -> None:
    """Print the page."""
    from hyloop import cli  # only this needs it

    sys.stdout.write(render(cli.app, getattr(cli, "EXIT_CODES", None)))


if __name__ == "__main__":
    main()
