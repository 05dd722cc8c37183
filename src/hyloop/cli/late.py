"""Commands that are imported when they are needed: `hyloop --help` lists them all, and takes a third of a second."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer

from hyloop.cli.help import AnyCommand, Command, Context, Group
from hyloop.errors import HyloopError


@dataclass(frozen=True)
class Late:
    """A command: where its function (or its group of commands) is, and the first sentence of its help."""

    module: str
    attribute: str
    about: str

    def load(self, name: str, panel: str) -> AnyCommand:
        """Import the command."""
        found = getattr(import_module(f"hyloop.cli.{self.module}"), self.attribute)
        if not isinstance(found, typer.Typer):
            function, found = found, typer.Typer(add_completion=False, rich_markup_mode=None)
            found.command(name, cls=Command, rich_help_panel=panel)(function)
        command: AnyCommand = typer.main.get_command(found)
        command.name, command.rich_help_panel = name, panel
        return command


Panels = Mapping[str, Mapping[str, Late]]


class Commands(MutableMapping[str, AnyCommand]):
    """The commands by name, in the order of the help; to look one up is to import it."""

    def __init__(self, panels: Panels) -> None:
        self._late = {name: (late, panel) for panel, commands in panels.items() for name, late in commands.items()}
        self._loaded: dict[str, AnyCommand] = {}

    def __getitem__(self, name: str) -> AnyCommand:
        if name not in self._loaded:
            late, panel = self._late[name]
            self._loaded[name] = late.load(name, panel)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter([*self._late, *(name for name in self._loaded if name not in self._late)])

    def __len__(self) -> int:
        return len(self._late.keys() | self._loaded.keys())

    def __contains__(self, name: object) -> bool:
        return name in self._late or name in self._loaded

    def __setitem__(self, name: str, command: AnyCommand) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        late, loaded = self._late.pop(name, None), self._loaded.pop(name, None)
        if late is None and loaded is None:
            raise KeyError(name)


def late_group(panels: Panels) -> type[Group]:
    """A group of these commands."""

    class LateGroup(Group):
        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            self.commands = Commands(panels)

        def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, AnyCommand | None, list[str]]:
            """The command that is named. Whoever names an algorithm instead means to run it."""
            if args and args[0] not in self.commands and _is_algorithm(args[0]):
                words = shlex.join(["hyloop", "run", *args])
                raise HyloopError(f"{args[0]} is an algorithm, not a command. Did you mean: {words}")
            found: tuple[str | None, AnyCommand | None, list[str]] = super().resolve_command(ctx, args)
            return found

        def _panels(self, ctx: Context) -> dict[str, list[tuple[str, str]]]:
            del ctx
            return {
                panel: [(name, late.about) for name, late in commands.items()] for panel, commands in panels.items()
            }

    return LateGroup


def _is_algorithm(word: str) -> bool:
    from hyloop.lookup import is_algorithm  # imports half of the package

    return is_algorithm(word)
