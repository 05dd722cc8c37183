"""What is kept between runs: never trusted further than its hash, never needed, never in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hyloop import cache
from hyloop.cache import keep, kept

ROOT = Path(__file__).parents[1]
RUN = [sys.executable, "-W", "error", "-m", "hyloop", "run", "bfs", str(ROOT / "examples" / "harbour.hif.json")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path / "kept"))
    return tmp_path / "kept"


def answer(**environment):
    given = {**os.environ, **environment}
    done = subprocess.run([*RUN, "--source", "Quay", "--quiet"], capture_output=True, text=True, env=given, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_what_is_kept_comes_back(folder):
    assert kept("a.o") is None
    keep("a.o", b"some code")
    assert kept("a.o") == b"some code"
    assert [file.name for file in folder.iterdir()] == ["a.o"]


@pytest.mark.parametrize("damage", [lambda d: d[:-1], lambda d: d[:40], lambda _: b"", lambda d: d[:-1] + b"x"])
def test_what_is_damaged_is_taken_for_missing(folder, damage):
    keep("a.o", b"some code")
    (folder / "a.o").write_bytes(damage((folder / "a.o").read_bytes()))
    assert kept("a.o") is None
    keep("a.o", b"some code")
    assert kept("a.o") == b"some code"


def test_a_folder_that_cannot_be_used_is_not(folder):
    folder.write_text("a file, not a folder")
    keep("a.o", b"some code")
    assert kept("a.o") is None
    assert folder.read_text() == "a file, not a folder"


def test_a_folder_in_the_place_of_a_file(folder):
    (folder / "a.o").mkdir(parents=True)
    keep("a.o", b"some code")
    assert kept("a.o") is None
    assert [file.name for file in folder.iterdir()] == ["a.o"]


def test_the_oldest_go_first(folder, monkeypatch):
    monkeypatch.setattr(cache, "MOST_FILES", 3)
    for number in range(5):
        keep(f"{number}.o", b"code")
        os.utime(folder / f"{number}.o", (number, number))
    keep("other.model", b"model")
    assert sorted(file.name for file in folder.iterdir()) == ["2.o", "3.o", "4.o", "other.model"]


def test_damage_changes_no_answer(folder):
    expected = answer()
    files = list(folder.iterdir())
    assert files
    for file in files:
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 4
        file.write_bytes(data)
    (folder / "stray.o").write_bytes(b"nothing of ours")
    assert answer() == expected


def test_without_llvmlite_and_without_a_folder_the_answer_is_the_same(folder, tmp_path):
    missing = tmp_path / "modules" / "llvmlite"
    missing.mkdir(parents=True)
    (missing / "__init__.py").write_text("raise ImportError('not here')\n")
    paths = os.pathsep.join(filter(None, [str(missing.parent), os.environ.get("PYTHONPATH")]))
    expected = answer()
    folder.rename(tmp_path / "elsewhere")
    folder.write_text("a file, not a folder")
    assert answer(PYTHONPATH=paths) == expected
    told = subprocess.run(
        [*RUN, "--source", "Quay"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": paths, "HYLOOP_CPU_ENGINE": "native"},
        check=False,
    )
    assert told.returncode == 2
    assert "needs llvmlite" in told.stderr
