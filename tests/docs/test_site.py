"""The site: its menu has every page, the reference has every command and option, and nothing comes from elsewhere.

`make docs` builds it with every warning an error, and then looks at all its links with `scripts/docs/check_links.py`.
"""

import contextlib
import importlib.util
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import hyloop
from hyloop import cli

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GENERATED = {"reference/cli.md", "changelog.md"}


def script(name):
    """A script of scripts/docs as a module."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / f"scripts/docs/{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


links, cli_reference, api_reference = script("check_links"), script("cli_reference"), script("api_reference")


def require_mkdocs() -> None:
    for name in ("mkdocs", "material", "mkdocstrings_handlers.python"):
        with contextlib.suppress(ModuleNotFoundError):
            if importlib.util.find_spec(name) is not None:
                continue
        pytest.skip("The site needs mkdocs: pip install '.[docs]'")


# -- the menu ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def config():
    return pytest.importorskip("yaml", reason="mkdocs brings it: pip install '.[docs]'").safe_load(
        (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    )


def pages_of(menu):
    for entry in menu:
        for where in entry.values():
            yield from [where] if isinstance(where, str) else pages_of(where)


def test_the_menu_has_every_page_once(config):
    menu = list(pages_of(config["nav"]))
    assert len(menu) == len(set(menu))
    assert set(menu) - GENERATED == {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}


def test_a_wrong_link_is_an_error(config):
    for part in ("nav", "links"):
        assert set(config["validation"][part].values()) == {"warn"}
    assert set(config["validation"]["links"]) == {"not_found", "anchors", "absolute_links", "unrecognized_links"}


# -- the first page ---------------------------------------------------------------------------------------------------


def test_the_example_of_the_first_page_does_what_it_says():
    page = (DOCS / "index.md").read_text(encoding="utf-8")
    [(code, output)] = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert printed.getvalue() == output


# -- the command line -------------------------------------------------------------------------------------------------


def commands(group, name):
    for word, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{name} {word}")
        else:
            yield pytest.param(f"{name} {word}", command, id=word)


@pytest.fixture(scope="module")
def reference():
    return cli_reference.render(cli.app, cli.EXIT_CODES)


@pytest.mark.parametrize(("name", "command"), [*commands(typer.main.get_command(cli.app), "hyloop")])
def test_the_reference_has_every_argument_and_option(name, command, reference):
    parts = dict(re.findall(r"^## ([^{\n]*?)(?: \{[^\n]*\})?\n(.*?)(?=^## |\Z)", reference, re.MULTILINE | re.DOTALL))
    text = parts[name]
    named = {cell for row in re.findall(r"^\| `(.*?)` \|", text, re.MULTILINE) for cell in re.split(r"[ ,/]+", row)}
    for parameter in (each for each in command.params if not each.hidden):
        if parameter.param_type_name == "argument":
            assert (parameter.metavar or parameter.name).upper() in {each.upper() for each in named}
        else:
            assert {*parameter.opts, *parameter.secondary_opts} <= named
        if isinstance(parameter.default, str | int | float) and not isinstance(parameter.default, bool):
            assert f"`{parameter.default}`" in text


def test_the_reference_tells_how_a_command_ends(reference):
    for code, meaning in cli.EXIT_CODES.items():
        assert f"| `{code}` | {meaning} |" in reference


def test_examples_in_the_help_become_blocks(reference):
    assert "$ hyloop run dijkstra examples/harbour.hif.json --source Quay" in reference.splitlines()


def test_help_is_shown_as_it_is_written():
    app = typer.Typer(name="greet")

    @app.command()
    def hello(name: str = typer.Option("<you>", help="A *name*, or `a|b`. <b>Any</b> [x] | y_z")) -> None:
        """Say hello.

        Example: greet hello --name me
        """

    @app.command(hidden=True)
    def secret() -> None:
        """Not for the reference."""

    @app.command()
    def bye() -> None:
        """Say good bye."""

    page = cli_reference.render(app, [(0, "done")])
    assert r"A \*name\*, or `a|b`. &lt;b>Any&lt;/b> \[x\] \| y\_z" in page
    assert "Example:\n\n```console\n$ greet hello --name me\n```" in page
    assert "`<you>`" in page
    assert "secret" not in page


# -- the Python API ---------------------------------------------------------------------------------------------------


def test_the_reference_has_every_public_name():
    pages = dict(api_reference.pages())
    for name in set(hyloop.__all__) - {"__version__"}:
        assert f"heading: hyloop.{name}\n" in pages["reference/hyloop.md"]
    for name in hyloop.lang.__all__:
        assert f"hyloop.lang.{name}\n" in pages["reference/lang.md"] or f"| `{name}` |" in pages["reference/lang.md"]
    for name in hyloop.algorithms.ALGORITHMS:
        assert f"## {name}\n" in pages["reference/algorithms.md"]


def test_nothing_is_explained_twice():
    places = re.findall(r"^::: (\S+)$", "\n".join(text for _, text in api_reference.pages()), re.MULTILINE)
    assert len(places) == len(set(places))


def test_examples_in_docstrings_become_blocks():
    pytest.importorskip("griffe", reason="mkdocstrings brings it: pip install '.[docs]'")
    fenced = script("doctests").fenced
    assert fenced("Adds.\n\n>>> 1 + 2\n3\n\nMore.") == "Adds.\n\n```python\n>>> 1 + 2\n3\n```\n\nMore."
    assert fenced("a > b, and\n> no example") == "a > b, and\n> no example"


# -- links ------------------------------------------------------------------------------------------------------------

GOOD = (
    '<h1 id="top">A</h1><a href="other.html#below">b</a><a href="#top">c</a><a href="other.html#tab=edit">v</a>'
    '<img src="a.png"><a href="https://x.y">d</a>'
)


@pytest.fixture
def site(tmp_path):
    (tmp_path / "index.html").write_text(GOOD, encoding="utf-8")
    (tmp_path / "other.html").write_text('<p id="below"><a href="index.html">back</a>', encoding="utf-8")
    (tmp_path / "a.png").write_bytes(b"")
    return tmp_path


def test_a_site_without_faults_has_none(site, capsys):
    assert links.main([str(site), str(ROOT / "README.md")]) == 0
    said = capsys.readouterr().out
    assert "2 pages of the site: 6 links, 0 broken." in said
    assert "To another site, not followed: https://x.y" in said


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ('<a href="gone.html">x</a>', "gone.html does not exist"),
        ('<a href="other.html#gone">x</a>', "other.html#gone names a place that is not on that page"),
        ('<a href="#gone">x</a>', "#gone names a place"),
        ('<img src="gone.png">', "gone.png does not exist"),
        ('<a href="/other.html">x</a>', "/other.html is absolute"),
        ('<a href="../secret.html">x</a>', "../secret.html leads out of the site"),
        ('<script src="https://x.y/z.js"></script>', "https://x.y/z.js is loaded from elsewhere"),
        ('<script src="//x.y/z.js"></script>', "//x.y/z.js is loaded from elsewhere"),
        ('<link rel="stylesheet" href="https://x.y/z.css">', "https://x.y/z.css is loaded from elsewhere"),
        ('<link rel="preconnect" href="https://x.y">', "https://x.y is loaded from elsewhere"),
        ('<p style="background: url(https://x.y/z.png)">', "https://x.y/z.png is loaded from elsewhere"),
        ("<style>@import 'https://x.y/z.css';</style>", "https://x.y/z.css is loaded from elsewhere"),
        ('<img srcset="a.png 1x, gone.png 2x">', "gone.png does not exist"),
    ],
)
def test_a_planted_fault_is_found(html, fault, site, capsys):
    (site / "index.html").write_text(GOOD + html, encoding="utf-8")
    assert links.main([str(site)]) == 1
    [found] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Broken: ")]
    assert fault in found


def test_a_style_that_loads_from_elsewhere_is_found(site):
    (site / "some.css").write_text("@font-face { src: url('https://x.y/z.woff2') }", encoding="utf-8")
    assert links.check_site(site).broken == ["some.css: https://x.y/z.woff2 is loaded from elsewhere"]


def test_no_site_at_all_is_told(tmp_path, capsys):
    assert links.main([str(tmp_path)]) == 2
    assert "make docs" in capsys.readouterr().err


def test_links_of_markdown_files_are_held_against_the_repository(tmp_path):
    (tmp_path / "a.md").write_text(
        "# One two\n\n[x](b.md) [y](b.md#a-heading-with-code) [z](#one-two)\n"
        "[p](gone.md) [q](b.md#gone) `[r](code.md)`\n\n```\n[s](code.md)\n```\n",
        encoding="utf-8",
    )
    (tmp_path / "b.md").write_text("## A heading, with `code`\n", encoding="utf-8")
    report = links.check_markdown([tmp_path / "a.md"])
    assert report.links == 5
    assert report.broken == [
        "a.md: gone.md does not exist",
        "a.md: b.md#gone names a place that is not on that page",
    ]


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"])
def test_links_of_the_repository_lead_somewhere(name):
    assert links.check_markdown([ROOT / name]).broken == []


def test_the_built_site_loads_nothing_from_elsewhere(tmp_path):
    require_mkdocs()
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report = links.check_site(tmp_path)
    assert report.pages > 15
    assert report.broken == []
    first = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert '<iframe class="playground" src="playground.html#tab=edit"' in first
    assert (tmp_path / "playground.html").stat().st_size < 1_000_000
    for name in hyloop.algorithms.ALGORITHMS:
        page = (tmp_path / "gallery" / f"{name}.html").read_text(encoding="utf-8")
        assert f'src="{name}-run.html"' in page
        assert f'src="{name}.svg"' in page
        assert (tmp_path / "gallery" / f"{name}-run.html").stat().st_size < 600_000
    assert [fault for fault in report.broken if "elsewhere" in fault or "absolute" in fault] == []
    # Only pages with diagrams of this kind make the theme's script fetch something.
    assert not any('class="mermaid"' in page.read_text(encoding="utf-8") for page in tmp_path.rglob("*.html"))
