"""Groups of options, and what is refused of them."""

import inspect
from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from hyloop.cli.help import Command, Group
from hyloop.cli.options import Building, Inputs, grouped
from hyloop.errors import HyloopError


@dataclass(frozen=True)
class Greeting:
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="Whom.")] = "you"
    times: Annotated[int, typer.Option("--times", metavar="N", help="How often.")] = 1


@pytest.fixture
def greet():
    app = typer.Typer(cls=Group, rich_markup_mode=None)

    @grouped
    def hello(
        word: Annotated[str, typer.Argument(metavar="WORD", help="What.")],
        *,
        greeting: Greeting,
        loud: Annotated[bool, typer.Option("--loud", help="Louder.")] = False,
    ) -> None:
        """Say hello."""
        typer.echo(f"{word} {greeting.name} {greeting.times} {loud}")

    app.command("hello", cls=Command)(hello)
    app.command("other", cls=Command)(lambda: None)
    app.hello = hello
    return app


def test_a_group_is_options_for_typer_and_one_value_for_the_command(greet):
    [hello, _] = get_command(greet).commands.values()
    assert [each.opts[-1] for each in hello.params] == ["word", "--name", "--times", "--loud"]
    done = CliRunner().invoke(greet, ["hello", "hi", "--times", "3", "--loud"])
    assert done.stdout == "hi you 3 True\n"


def test_a_command_can_be_called_from_python(greet, capsys):
    greet.hello("hi", name="me")
    assert capsys.readouterr().out == "hi me 1 False\n"
    assert list(inspect.signature(greet.hello).parameters) == ["word", "name", "times", "loud"]


@pytest.mark.parametrize(
    ("words", "told"), [(["--times", "1", "--times", "2"], "--times is given twice"), (["--loud", "--loud"], None)]
)
def test_an_option_with_one_value_is_given_once(greet, words, told):
    done = CliRunner().invoke(greet, ["hello", "hi", *words])
    if told is None:
        assert done.exit_code == 0
    else:
        assert isinstance(done.exception, HyloopError)
        assert told in str(done.exception)


def test_the_groups_of_the_commands():
    assert Inputs("Quay", ["k=2"]).texts == ["source=Quay", "k=2"]
    assert Inputs().texts == []
    assert Building(edited=True).is_default
    assert not Building(rows=9).is_default
