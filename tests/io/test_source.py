"""What may be opened, how much of it is read, and how bytes become text."""

from __future__ import annotations

import gzip
import io as streams
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from hyloop import io
from hyloop.errors import FormatError
from hyloop.hypergraph import Hypergraph
from hyloop.io.budgets import BUDGETS

HARBOUR = Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"], "road": ["Quay", "Mühle"]}, weights=[2, 1])
NAMES = {entry.name: f"a{entry.extensions[0]}" for entry in io.FORMATS}
UNHURRIED = replace(BUDGETS, wait_seconds=0.1)

posix = pytest.mark.skipif(os.name != "posix", reason="pipes and devices are files on POSIX systems")


class Slow(streams.RawIOBase):
    """A stream that gives a byte at a time, as a socket may."""

    def __init__(self, content):
        self.rest = content

    def readable(self):
        return True

    def read(self, size=-1):
        given, self.rest = self.rest[:1], self.rest[1:]
        return given


BOM = b"\xef\xbb\xbf"


class TestPieces:
    """The same content is the same hypergraph, or the same refusal, in whatever pieces it comes."""

    @pytest.mark.parametrize("packed", [False, True])  # not the bytes: gzip's header has the time, and names are equal
    @pytest.mark.parametrize("text", [b"a b\n", BOM + b"a b\n"])
    def test_a_byte_at_a_time(self, text, packed):
        content = gzip.compress(text) if packed else text
        wanted = Hypergraph.from_hyperedges([["a", "b"]])
        assert io.read(streams.BytesIO(content), "edge-list") == wanted
        assert io.read(Slow(content), "edge-list") == wanted

    @pytest.mark.parametrize("content", [b"#" + BOM + b"a \n", BOM + BOM + b"a b\n", BOM + b"\n" + BOM + b"a b\n"])
    @pytest.mark.parametrize("stream", [streams.BytesIO, Slow])
    def test_a_byte_order_mark_further_on_is_refused(self, content, stream):
        with pytest.raises(FormatError):
            io.read(stream(content), "edge-list")

    def test_a_byte_order_mark_of_a_second_gzip_file_is_refused(self):
        joined = gzip.compress(BOM) + gzip.compress(BOM + b"c d\n")
        with pytest.raises(FormatError):
            io.read(streams.BytesIO(joined), "edge-list")

    def test_a_packed_table_is_refused_a_byte_at_a_time(self):
        with pytest.raises(FormatError, match="compresses by itself"):
            io.read(Slow(gzip.compress(b"PAR1")), "parquet")


class TestGzip:
    @pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
    def test_every_format_is_read_and_written(self, tmp_path, name):
        io.write(HARBOUR, tmp_path / name)
        io.write(HARBOUR, tmp_path / f"{name}.gz")
        assert gzip.decompress((tmp_path / f"{name}.gz").read_bytes()) == (tmp_path / name).read_bytes()
        assert io.read(tmp_path / f"{name}.gz") == HARBOUR

    def test_the_same_hypergraph_gives_the_same_bytes(self, tmp_path):
        for name in ("a.csv.gz", "b.CSV.GZ"):
            io.write(HARBOUR, tmp_path / name)
        with (tmp_path / "c.csv.gz").open("wb") as stream:
            io.write(HARBOUR, stream)
        assert len({gzip.decompress(path.read_bytes()) for path in tmp_path.iterdir()}) == 1
        assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.CSV.GZ").read_bytes()

    def test_streams_that_compress_by_themselves(self, tmp_path):
        with gzip.open(tmp_path / "a.csv.gz", "wb") as stream:
            io.write(HARBOUR, stream, format="incidence-csv")
        with gzip.open(tmp_path / "a.csv.gz", "rb") as stream:
            assert io.read(stream, format="incidence-csv") == HARBOUR
        with gzip.open(tmp_path / "a.csv.gz", "rt", encoding="utf-8") as stream:
            assert io.read(stream, format="incidence-csv") == HARBOUR

    def test_it_is_recognised_without_the_name(self, tmp_path, monkeypatch):
        packed = gzip.compress(b'{"incidences": []}')
        (tmp_path / "a").write_bytes(packed)
        assert io.read(tmp_path / "a") == io.read(streams.BytesIO(packed))
        monkeypatch.setattr(sys, "stdin", streams.TextIOWrapper(streams.BytesIO(packed)))
        assert io.read("-") == Hypergraph.from_hyperedges([])

    def test_several_one_after_another_are_one(self):
        packed = gzip.compress(b"a b\n") + gzip.compress(b"c d\n") + b"\0" * 100
        assert len(io.read(streams.BytesIO(packed), "edge-list").hyperedges) == 2

    @pytest.mark.parametrize(
        ("damage", "message"),
        [
            (lambda packed: packed[:-4], "is cut off"),
            (lambda packed: packed[:12], "is cut off"),
            (lambda packed: packed + b"junk", "cannot be unpacked"),
            (lambda packed: packed[:-6] + b"xxxxxx", "cannot be unpacked"),
            (gzip.compress, "this is not text"),
            (lambda packed: packed[:0] + b"a b\n", "the name ends in .gz, but this is not a gzip file"),
        ],
    )
    def test_damage_is_refused(self, tmp_path, damage, message):
        (tmp_path / "a.txt.gz").write_bytes(damage(gzip.compress(b"a b\n")))
        with pytest.raises(FormatError, match=message):
            io.read(tmp_path / "a.txt.gz")

    def test_a_bomb_is_refused_while_it_is_small(self, monkeypatch):
        unpacked = []
        require = io.source._require_no_bomb
        monkeypatch.setattr(io.source, "_require_no_bomb", lambda *given: (unpacked.append(given[1]), require(*given)))
        with pytest.raises(FormatError, match="more than 64 times its size"):
            io.read(streams.BytesIO(gzip.compress((b"#" * 1023 + b"\n") * 2**15)), "edge-list")
        assert max(unpacked) < 2**24

    def test_what_is_small_may_be_as_dense_as_it_likes(self):
        assert io.read(streams.BytesIO(gzip.compress(b"\n" * 2**18)), "edge-list") == Hypergraph.from_hyperedges([])

    def test_the_limit_is_of_what_comes_out(self):
        packed = gzip.compress(b"#" + os.urandom(1000).hex().encode())
        assert io.read(streams.BytesIO(packed), "edge-list", max_bytes=2001)
        with pytest.raises(FormatError, match="unpacks to more than 2,000 bytes; unpack it first"):
            io.read(streams.BytesIO(packed), "edge-list", max_bytes=2000)

    def test_the_format_is_that_of_the_name_without_gz(self, tmp_path):
        with pytest.raises(FormatError, match=r"no format has the extension \.xml"):
            io.read(tmp_path / "a.xml.gz")
        with pytest.raises(FormatError, match="there is no extension"):
            io.write(HARBOUR, tmp_path / "a.gz")


@posix
class TestSpecialFiles:
    @pytest.mark.parametrize("name", ["/dev/zero", "/dev/urandom", "/dev/full"])
    def test_a_device_without_an_end_is_refused(self, name):
        if not Path(name).exists():
            pytest.skip(f"there is no {name} here")
        with pytest.raises(FormatError, match="this is a device, not a file"):
            io.read(name, format="edge-list")
        with Path(name).open("rb") as stream, pytest.raises(FormatError, match="this is a device, not a file"):
            io.read(stream, format="edge-list")

    def test_the_empty_device_is_an_empty_file(self):
        assert io.read(os.devnull, format="edge-list") == Hypergraph.from_hyperedges([])

    def test_a_pipe_into_which_nobody_writes_is_not_waited_for(self, tmp_path):
        os.mkfifo(tmp_path / "a.txt")
        with pytest.raises(FormatError, match=r"a\.txt: this is a pipe without a writer"):
            io.read(tmp_path / "a.txt", budgets=UNHURRIED)

    @pytest.mark.parametrize("pause", [0, 0.3], ids=["at once", "slowly"])
    def test_a_pipe_is_read_to_its_end(self, tmp_path, pause):
        os.mkfifo(tmp_path / "a.txt")

        def fill():
            with (tmp_path / "a.txt").open("w") as stream:
                for line in ("a b\n", "c d\n"):
                    threading.Event().wait(pause)
                    stream.write(line)
                    stream.flush()

        writer = threading.Thread(target=fill)
        writer.start()
        H = io.read(tmp_path / "a.txt", budgets=replace(BUDGETS, wait_seconds=0.2) if pause else BUDGETS)
        writer.join()
        assert len(H.hyperedges) == 2

    def test_a_pipe_of_the_shell(self):
        command = f'{sys.executable} -m hyloop describe --json --format edge-list <(echo "a b")'
        found = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        assert '"vertices": 2' in found.stdout, found.stderr

    def test_a_stream_without_an_end_is_refused_at_its_limit(self):
        class Endless(streams.RawIOBase):
            given = 0

            def read(self, size):
                self.given += 1
                return (b"#" * 127 + b"\n") * (size // 256)

        endless = Endless()
        with pytest.raises(FormatError, match="longer than 1,048,576 bytes"):
            io.read(endless, "edge-list", budgets=replace(BUDGETS, stream_bytes=2**20))
        assert endless.given == 3

    def test_a_file_that_is_too_long_is_not_even_opened_up(self, tmp_path):
        with (tmp_path / "a.txt").open("wb") as stream:
            stream.truncate(2**40)  # a hole: it takes no room
        with pytest.raises(FormatError, match="longer than 8,589,934,592 bytes"):
            io.read(tmp_path / "a.txt")


class TestText:
    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
    @pytest.mark.parametrize("name", NAMES)
    def test_wide_encodings_are_named(self, encoding, name):
        text = next("".join(entry.write(HARBOUR)) for entry in io.FORMATS if entry.name == name)
        with pytest.raises(FormatError, match="If it is UTF-16, save it as UTF-8"):
            io.read(streams.BytesIO(text.encode(encoding)), name)

    @pytest.mark.parametrize("name", NAMES)
    def test_null_bytes_are_no_text(self, name):
        for stream in (streams.BytesIO(b"ab\0"), streams.StringIO("ab\0")):
            with pytest.raises(FormatError, match="null byte at offset 2"):
                io.read(stream, name)

    def test_a_fault_far_behind_is_found_where_it_is(self):
        # A character of three bytes lies across the border of two pieces, and the fault behind it.
        text = b"#" * (2**20 - 1) + "€".encode() + b"\n"
        assert io.read(streams.BytesIO(text), "edge-list") == Hypergraph.from_hyperedges([])
        with pytest.raises(FormatError, match=rf"byte 0xff at offset {len(text)} cannot"):
            io.read(streams.BytesIO(text + b"\xff"), "edge-list")
        with pytest.raises(FormatError, match=rf"byte 0xe2 at offset {2**20 - 1} cannot"):
            io.read(streams.BytesIO(text[: 2**20 + 1]), "edge-list")

    def test_a_closed_file_is_a_sentence(self):
        stream = streams.StringIO("a")
        stream.close()
        with pytest.raises(FormatError, match="cannot be read"):
            io.read(stream, "edge-list")


@posix
def test_a_stream_that_has_nothing_yet_has_not_ended():
    there, writer = os.pipe()
    os.set_blocking(there, False)
    os.write(writer, b"a b\nb c\n")
    with os.fdopen(there, "rb") as stream, pytest.raises(FormatError, match="nothing can be read from it yet"):
        io.read(stream, "edge-list")
    os.close(writer)
