"""What is kept between runs: never trusted further than its hash, never needed, never in the way."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hyloop
from hyloop import HyloopWarning, cache, fitting
from hyloop.cache import keep, kept
from hyloop.execute.prepare import program_of
from hyloop.machine.files import to_bytes

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


@pytest.mark.parametrize("below", ["", "sub", "sub/sub"])
@pytest.mark.parametrize("use", [lambda: keep("a.o", b"some code"), lambda: kept("a.o")], ids=["keep", "kept"])
def test_a_file_in_the_place_of_a_folder_is_left_alone_with_a_warning(folder, monkeypatch, below, use):
    cache._say_once.cache_clear()
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(folder / below))
    folder.write_text("a file, not a folder")
    with pytest.warns(HyloopWarning, match="is no folder, so compiled models and their code are not kept") as said:
        assert use() is None
    assert use() is None  # it is said once
    assert len(said) == 1
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
    warned = subprocess.run(
        [sys.executable, *RUN[3:], "--source", "Quay"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
        check=False,
    )
    assert warned.returncode == 0
    assert warned.stderr.count("needs llvmlite") == 1
    assert all(line in warned.stdout for line in expected.splitlines())
    assert warned.stderr.count("is no folder") == 1
    told = subprocess.run(
        [sys.executable, *RUN[3:], "--source", "Quay"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": paths, "HYLOOP_CPU_ENGINE": "native"},
        check=False,
    )
    assert told.returncode == 2
    assert "needs llvmlite" in told.stderr


def test_a_file_under_the_name_of_another_is_none(folder):
    """Whole as it is, it is not what was asked for."""
    keep("a.model", b"one")
    keep("b.model", b"other")
    (folder / "a.model").replace(folder / "b.model")
    assert kept("b.model") is None


def test_a_file_that_is_too_large_is_not_read_and_not_written(folder, monkeypatch):
    keep("a.o", b"x" * 100)
    monkeypatch.setattr(cache, "MOST_BYTES", 100)
    keep("b.o", b"x" * 100)
    assert kept("a.o") is None
    assert [file.name for file in folder.iterdir()] == ["a.o"]


def test_all_files_together_have_a_bound(folder, monkeypatch):
    monkeypatch.setattr(cache, "MOST_IN_ALL", 300)
    for number in range(5):
        keep(f"{number}.o", b"x" * 100)
        os.utime(folder / f"{number}.o", (number, number))
    keep("5.o", b"x" * 100)
    assert sorted(file.name for file in folder.iterdir()) == ["4.o", "5.o"]


def test_what_a_killed_process_left_goes_after_a_day(folder):
    keep("a.o", b"code")
    for name, age in (("old", cache.STALE + 60), ("new", 60)):
        left = folder / f".{name}.0.unfinished"
        left.write_bytes(b"half")
        os.utime(left, (time.time() - age,) * 2)
    keep("b.o", b"code")
    assert sorted(file.name for file in folder.iterdir()) == [".new.0.unfinished", "a.o", "b.o"]


def test_a_model_that_is_not_the_one_asked_for_is_made_again(folder):
    """Even if it is whole and its name says otherwise."""
    bfs, levels = (program_of(name) for name in ("bfs", "levels"))
    fitting._made.cache_clear()
    fitting.compiled(bfs, None)
    (file,) = folder.iterdir()
    other = hyloop.compile("levels")
    keep(file.name, to_bytes(other))
    fitting._made.cache_clear()
    assert fitting.compiled(bfs, None).name == "bfs"
    assert fitting.compiled(levels, None).name == "levels"
    assert len(list(folder.iterdir())) == 2
    fitting._made.cache_clear()


def test_no_two_lists_of_parts_have_one_name():
    parts = [("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""), ("", "abc"), ("ab\0c",)]
    assert len({cache.key(each) for each in parts}) == len(parts)


@pytest.mark.skipif(os.name != "posix", reason="owners and permissions are those of POSIX systems")
class TestWhoseItIs:
    """Kept code runs in the user's name: what somebody else could have written is not touched."""

    @pytest.fixture(autouse=True)
    def _nothing_said_yet(self):
        cache._say_once.cache_clear()

    @staticmethod
    def unused(folder, match):
        before = sorted(folder.iterdir())
        with pytest.warns(HyloopWarning, match=match):
            assert kept("a.o") is None
        keep("b.o", b"more code")  # it is told once: a second warning would be an error
        assert sorted(folder.iterdir()) == before

    def test_folder_and_files_are_the_users_alone(self, folder):
        before = os.umask(0)
        try:
            keep("a.o", b"some code")
        finally:
            os.umask(before)
        assert [stat.S_IMODE(each.stat().st_mode) for each in (folder, folder / "a.o")] == [0o700, 0o600]

    @pytest.mark.parametrize("mode", [0o777, 0o770, 0o702, 0o1777])
    def test_a_folder_that_others_may_write(self, folder, mode):
        keep("a.o", b"some code")
        folder.chmod(mode)
        self.unused(folder, "Others may write .*kept")

    @pytest.mark.parametrize("mode", [0o755, 0o750, 0o500])
    def test_a_folder_that_others_may_read(self, folder, mode):
        keep("a.o", b"some code")
        folder.chmod(mode)
        assert kept("a.o") == b"some code"

    def test_a_folder_that_is_a_link(self, folder, tmp_path):
        keep("a.o", b"some code")
        folder.rename(tmp_path / "elsewhere")
        folder.symlink_to("elsewhere")
        self.unused(tmp_path / "elsewhere", "is a link")

    def test_a_parent_that_others_may_write(self, folder, tmp_path):
        keep("a.o", b"some code")
        tmp_path.chmod(0o777)
        self.unused(folder, f"Others may write {tmp_path},")
        tmp_path.chmod(0o1777)  # as /tmp: nobody can rename what is not theirs
        assert kept("a.o") == b"some code"

    def test_a_parent_that_is_reached_by_a_link(self, tmp_path, monkeypatch):
        (tmp_path / "open").mkdir()
        (tmp_path / "link").symlink_to("open")
        monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path / "link" / "kept"))
        keep("a.o", b"some code")
        assert kept("a.o") == b"some code"
        (tmp_path / "open").chmod(0o777)
        self.unused(tmp_path / "open" / "kept", "Others may write .*open,")

    @pytest.mark.parametrize("mode", [0o622, 0o606, 0o660])
    def test_a_file_that_others_may_write(self, folder, mode):
        keep("a.o", b"some code")
        (folder / "a.o").chmod(mode)
        with pytest.warns(HyloopWarning, match="Others may write"):
            assert kept("a.o") is None

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
    @pytest.mark.parametrize("what", ["file", "folder", "parent"])
    def test_what_belongs_to_somebody_else(self, folder, tmp_path, what):
        keep("a.o", b"some code")
        os.chown({"file": folder / "a.o", "folder": folder, "parent": tmp_path}[what], 12345, 12345)
        with pytest.warns(HyloopWarning, match=r"belongs to another user|Others may write"):
            assert kept("a.o") is None

    def test_what_belongs_to_somebody_else_told_by_the_system(self, folder, monkeypatch):
        """The same without root: somebody else is who looks."""
        keep("a.o", b"some code")
        me = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: me + 1)
        self.unused(folder, "belongs to another user")

    def test_a_link_in_the_place_of_a_file(self, folder, tmp_path):
        keep("a.o", b"some code")
        (folder / "a.o").replace(tmp_path / "elsewhere")
        (folder / "a.o").symlink_to(tmp_path / "elsewhere")
        assert kept("a.o") is None
        keep("a.o", b"own code")
        assert not (folder / "a.o").is_symlink()
        assert kept("a.o") == b"own code"

    def test_a_pipe_in_the_place_of_a_file(self, folder):
        """Nobody waits for what will never come."""
        folder.mkdir(mode=0o700)
        os.mkfifo(folder / "a.o", 0o600)
        assert kept("a.o") is None
        keep("a.o", b"own code")
        assert kept("a.o") == b"own code"

    def test_a_run_goes_on_without_it(self, folder):
        folder.mkdir()
        folder.chmod(0o777)
        h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]])
        fitting._made.cache_clear()
        with pytest.warns(HyloopWarning, match="Others may write"):
            assert hyloop.run("levels", h, source="a")["level"] == {"a": 0, "b": 1, "c": 2}
        assert not list(folder.iterdir())
