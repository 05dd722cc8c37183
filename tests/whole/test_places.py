"""Tests stand where their modules do: `tests/X/test_Y.py` for `src/hyloop/X/Y.py`, `tests/whole/` for the rest."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
PACKAGE = TESTS.parent / "src" / "hyloop"
# What tests no module: whole runs, what takes long, the browser, the pages, the fuzzer.
FOLDERS = {"whole", "thorough", "browser", "docs", "fuzz"}


def candidates(test: Path) -> list[Path]:
    """What a test may be the test of: a module, a package, or the package that has the folder's name."""
    folder, name = PACKAGE / test.parent, test.stem.removeprefix("test_")
    own = [folder / "__init__.py"] if name == test.parent.name else []
    return [folder / f"{name}.py", folder / name / "__init__.py", *own]


def placed(test: Path) -> bool:
    return test.parts[0] in FOLDERS or any(module.is_file() for module in candidates(test))


def test_every_test_stands_where_its_module_does():
    tests = [path.relative_to(TESTS) for path in TESTS.rglob("test_*.py")]
    assert len(tests) > 100
    lost = sorted(str(test) for test in tests if not placed(test))
    assert lost == [], "no such module: rename the test after the one it tests, or move it to tests/whole/"


def test_another_place_is_noticed():
    assert placed(Path("lang/test_text.py"))
    assert placed(Path("lang/test_lang.py"))
    assert placed(Path("paper/test_lemmas.py"))
    assert not placed(Path("lang/test_nothing.py"))
    assert not placed(Path("test_text.py"))
