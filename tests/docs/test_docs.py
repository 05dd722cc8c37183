"""The pages do what they say. A page's blocks run in order, in one namespace and one folder with a copy of examples/.

- ```` ```python ```` runs. If it begins with a comment `# name.py`, it is also saved under that name, and errors show
  the name. If it has `>>>` prompts, what they give must be what stands below them.
- ```` ```text ```` right after it is what it prints; or, if it raises an error of hyloop, the message.
- ```` ```console ````: every line `$ hyloop ...` runs; the lines below it are what it prints.

Blocks of any other kind, and other commands (`$ pip install ...`), are for reading only.
"""

import contextlib
import doctest
import io
import linecache
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from commands import run_text
from hyloop.errors import HyloopError
from hyloop.lang import Algorithm

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "docs/tutorial.md", "docs/language.md", "docs/programs.md", "docs/data.md"]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAVED_AS = re.compile(r"# (\w+\.py)\n")


@dataclass
class Block:
    """A fenced block of a page, and the output block that follows it, if any."""

    kind: str
    text: str
    line: int
    output: str | None = None


def blocks(text: str) -> list[Block]:
    found: list[Block] = []
    end = 0
    for match in BLOCK.finditer(text):
        block = Block(match[1], match[2], text.count("\n", 0, match.start()) + 1)
        if block.kind == "text" and found and found[-1].kind == "python" and not text[end : match.start()].strip():
            found[-1].output = block.text
        else:
            found.append(block)
        end = match.end()
    return found


@dataclass
class Page:
    """A page while it runs."""

    name: str
    folder: Path
    names: dict[str, Any] = field(default_factory=dict)

    def run(self, block: Block) -> None:
        where = f"{self.name}, line {block.line}"
        if block.kind == "console":
            for command, expected in commands(block.text):
                assert tidy(shell(command)) == tidy(expected), where
        elif block.kind == "python" and ">>>" in block.text:
            self._run_prompts(block, where)
        elif block.kind == "python":
            printed = self._run_python(block)
            if block.output is not None:
                assert tidy(printed) == tidy(block.output), where

    def _run_python(self, block: Block) -> str:
        saved = SAVED_AS.match(block.text)
        file = self.folder / (saved[1] if saved else "example.py")
        file.write_text(block.text, encoding="utf-8")
        linecache.checkcache(str(file))
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                exec(compile(block.text, str(file), "exec"), self.names)
            except HyloopError as wrong:
                if block.output is None:
                    raise
                printed.write(f"{wrong}\n")
        return printed.getvalue()

    def _run_prompts(self, block: Block, where: str) -> None:
        test = doctest.DocTestParser().get_doctest(block.text, self.names, where, self.name, block.line)
        report = io.StringIO()
        doctest.DocTestRunner(verbose=False).run(test, out=report.write, clear_globs=False)
        assert report.getvalue() == ""
        self.names.update(test.globs)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The hyloop commands of a console block, each with the output below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        if command.startswith("hyloop "):
            yield command, output


def shell(command: str) -> str:
    """What a command prints in a pipe, messages included."""
    return run_text(*shlex.split(command, comments=True)[1:], together=True).stdout


def tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def played(name, folder, monkeypatch):
    """A page after all its blocks were run."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    monkeypatch.chdir(folder)
    page = Page(name, folder)
    found = blocks((ROOT / name).read_text(encoding="utf-8"))
    assert "python" in {block.kind for block in found}
    for block in found:
        page.run(block)
    return page


@pytest.mark.parametrize("name", PAGES)
def test_every_block_of_the_page_does_what_it_says(name, tmp_path, monkeypatch):
    played(name, tmp_path, monkeypatch)


@pytest.mark.usefixtures("interpreted")  # tests/thorough/docs/test_idioms.py runs them as transformers
def test_the_idioms_do_what_the_page_says(tmp_path, monkeypatch):
    page = played("docs/idioms.md", tmp_path, monkeypatch)
    assert sum(isinstance(each, Algorithm) for each in page.names.values()) == 11


def test_the_tutorial_arrives_at_the_examples():
    """The last version of each file in the tutorial is the one in examples/."""
    files: dict[str, str] = {}
    for block in blocks((ROOT / "docs/tutorial.md").read_text(encoding="utf-8")):
        if block.kind == "python" and (saved := SAVED_AS.match(block.text)):
            files[saved[1]] = block.text.partition("\n")[2]
    assert set(files) == {"matching.py", "core.py", "believed.py"}
    for name, text in files.items():
        example = (ROOT / "examples" / name).read_text(encoding="utf-8")
        assert text.strip() == example.strip()


@pytest.mark.parametrize(
    ("output", "works"),
    [("3\n", True), ("4\n", False)],
)
def test_a_page_that_says_something_wrong_is_found_out(output, works, tmp_path):
    [block] = blocks(f"Some text.\n\n```python\nprint(1 + 2)\n```\n\n```text\n{output}```\n")
    context = contextlib.nullcontext() if works else pytest.raises(AssertionError)
    with context:
        Page("a page", tmp_path).run(block)


@pytest.mark.parametrize(
    ("output", "works"),
    [("3\n", True), ("4\n", False)],
)
def test_a_prompt_that_says_something_wrong_is_found_out(output, works, tmp_path):
    [block] = blocks(f"```python\n>>> 1 + 2\n{output}```\n")
    context = contextlib.nullcontext() if works else pytest.raises(AssertionError)
    with context:
        Page("a page", tmp_path).run(block)
