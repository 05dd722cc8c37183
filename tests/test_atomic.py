"""Files are written whole or not at all, by any number of processes at once."""

from __future__ import annotations

import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import hyloop
from hyloop import HyloopError, io
from hyloop.atomic import UNFINISHED, path_of, require_place, write_out, write_whole
from hyloop.checkpoint import read_checkpoint, require_writable


def modes(path):
    return stat.S_IMODE(path.stat().st_mode)


def nothing_left(folder):
    return not [each for each in folder.iterdir() if each.name.endswith(UNFINISHED)]


def test_a_file_is_replaced_at_once_and_nothing_is_left(tmp_path):
    target = tmp_path / "file"
    write_whole(target, b"old")
    write_whole(target, iter([b"n", b"ew"]))
    assert target.read_bytes() == b"new"
    assert nothing_left(tmp_path)


def test_a_fault_half_way_leaves_the_old_file(tmp_path):
    def pieces():
        yield b"half"
        raise RuntimeError("the rest is missing")

    target = tmp_path / "file"
    write_whole(target, b"old")
    with pytest.raises(RuntimeError, match="the rest"):
        write_whole(target, pieces())
    assert target.read_bytes() == b"old"
    assert nothing_left(tmp_path)


def test_several_write_one_file_at_the_same_time(tmp_path):
    """With a name that they share, one would move the file that another is writing."""
    target = tmp_path / "file"

    def write(letter):
        for _ in range(60):
            write_whole(target, letter.encode() * 40_000, durable=False)
            data = target.read_bytes()
            assert (len(data), len(set(data))) == (40_000, 1)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(write, "abc"))
    assert nothing_left(tmp_path)


def test_three_runs_keep_one_checkpoint(tmp_path):
    h = hyloop.Hypergraph.from_hyperedges([[f"v{n}", f"v{n + 1}"] for n in range(60)])
    kept, together = tmp_path / "run.checkpoint", threading.Barrier(3)

    def run(_):
        together.wait()
        try:
            return hyloop.run("dijkstra", h, checkpoint=kept, every=0, source="v0")["distance"]
        except HyloopError as told:  # one that begins when another has kept something is told so
            return str(told)

    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(run, range(3)))
    expected = hyloop.run("dijkstra", h, source="v0")["distance"]
    assert expected in found
    assert all(each == expected or "has a run until iteration" in each for each in found)
    assert read_checkpoint(kept).iterations > 0
    assert nothing_left(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="permissions, links and pipes are those of POSIX systems")
class TestPosix:
    def test_permissions_are_kept_and_new_ones_follow_the_umask(self, tmp_path):
        new, old = tmp_path / "new", tmp_path / "old"
        before = os.umask(0o027)
        try:
            write_whole(new, b"")
            old.write_bytes(b"")
            old.chmod(0o604)
            write_whole(old, b"more")
            write_whole(tmp_path / "own", b"", private=True)
        finally:
            os.umask(before)
        assert [modes(new), modes(old), modes(tmp_path / "own")] == [0o640, 0o604, 0o600]

    def test_a_link_stays_a_link(self, tmp_path):
        (tmp_path / "elsewhere").mkdir()
        link = tmp_path / "link"
        link.symlink_to(Path("elsewhere") / "file")
        write_whole(link, b"through")
        assert link.is_symlink()
        assert (tmp_path / "elsewhere" / "file").read_bytes() == b"through"

    def test_a_private_file_takes_the_place_of_a_link(self, tmp_path):
        (tmp_path / "file").write_bytes(b"of somebody")
        (tmp_path / "link").symlink_to("file")
        write_whole(tmp_path / "link", b"ours", private=True)
        assert not (tmp_path / "link").is_symlink()
        assert (tmp_path / "file").read_bytes() == b"of somebody"

    def test_links_in_a_circle(self, tmp_path):
        (tmp_path / "a").symlink_to("b")
        (tmp_path / "b").symlink_to("a")
        with pytest.raises(OSError, match="symbolic links"):
            write_whole(tmp_path / "a", b"")

    def test_a_pipe_is_written_into(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        seen = []
        reader = threading.Thread(target=lambda: seen.append((tmp_path / "pipe").read_bytes()))
        reader.start()
        write_whole(tmp_path / "pipe", b"hello")
        reader.join()
        assert seen == [b"hello"]

    def test_a_pipe_without_a_reader_is_not_waited_for(self, tmp_path, monkeypatch):
        monkeypatch.setattr("hyloop.atomic.WAIT", 0.05)
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(OSError, match="this is a pipe without a reader"):
            write_whole(tmp_path / "pipe", b"hello")

    def test_a_checkpoint_is_no_pipe(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(HyloopError, match="not a plain file"):
            require_writable(tmp_path / "pipe")


@pytest.mark.parametrize("name", ["no/such/folder", "null\0character", "."])
def test_a_name_that_cannot_be(tmp_path, name):
    with pytest.raises(OSError, match=r".*"):
        write_whole(f"{tmp_path}/{name}", b"")


def test_a_place_that_cannot_be_written_is_told_before(tmp_path):
    require_place(tmp_path / "file")
    assert nothing_left(tmp_path)
    with pytest.raises(OSError, match="No such file"):
        require_place(tmp_path / "no" / "file")


def test_a_long_name(tmp_path):
    write_whole(tmp_path / ("x" * 250), b"data")
    assert nothing_left(tmp_path)


def test_every_writer_tells_a_folder_as_a_mistake(tmp_path):
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"]])
    model = hyloop.compile("bfs", hyloop.Capacity(9, 9))
    writers = {
        "model": lambda path: hyloop.save(model, path),
        "circuit": lambda path: model.circuit().save(path),
        "hypergraph.hif.json": lambda path: io.write(h, path),
        "trace.json": lambda path: hyloop.trace("bfs", h, source="a").save(path),
    }
    for name, write in writers.items():
        (tmp_path / name).mkdir()
        with pytest.raises(HyloopError, match=r"cannot be written|this is a folder"):
            write(tmp_path / name)
        write(tmp_path / f"good-{name}")
        with pytest.raises(HyloopError, match=r"cannot be written|no such folder"):
            write(tmp_path / "no" / name)
    assert nothing_left(tmp_path)


def test_a_name_that_ends_in_a_slash_is_no_file(tmp_path):
    with pytest.raises(HyloopError, match="new/ is the name of a folder"):
        write_out(f"{tmp_path}/new/", b"")
    assert path_of(f"{tmp_path}/new/", folder=True) == tmp_path / "new"
    assert not list(tmp_path.iterdir())
