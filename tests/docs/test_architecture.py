"""ARCHITECTURE.md and CONTRIBUTING.md name what is there: every path, and every package and module at the top."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "hyloop"
PAGES = ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/development.md", "docs/fuzzing.md"]
# In backquotes, a folder with its slash or a file with its ending; X, Y, NAME and VERSION stand for others.
PATH = re.compile(r"`([\w.-]+(?:/[\w.-]+)*(?:/|\.(?:py|md|txt|toml|json|yaml|safetensors)))`")
ANY = re.compile(r"(\b|_)(X|Y|NAME|VERSION)\b")


def named(page: str) -> list[str]:
    return [path for path in PATH.findall((ROOT / page).read_text(encoding="utf-8")) if not ANY.search(path)]


def missing(paths: list[str]) -> list[str]:
    """Those that are neither in the repository nor in the package."""
    return [path for path in paths if not (ROOT / path).exists() and not (PACKAGE / path).exists()]


@pytest.mark.parametrize("page", PAGES)
def test_every_path_exists(page):
    paths = named(page)
    assert len(paths) > 3
    assert missing(paths) == []


def test_a_path_that_is_gone_is_noticed():
    text = "`lang/gone.py`, `tests/X/test_Y.py`, `io/` and `lang/program.py`"
    paths = [path for path in PATH.findall(text) if not ANY.search(path)]
    assert paths == ["lang/gone.py", "io/", "lang/program.py"]
    assert missing(paths) == ["lang/gone.py"]


def test_every_package_and_module_has_its_place():
    packages = {f"{path.parent.name}/" for path in PACKAGE.glob("*/__init__.py")}
    modules = {path.name for path in PACKAGE.glob("*.py") if not path.name.startswith("_")}
    assert (packages | modules) - set(named("ARCHITECTURE.md")) == set()
