"""From a path, an open file or standard input to text: which files may be opened, limits, .gz and UTF-8."""

from __future__ import annotations

import codecs
import errno
import io
import itertools
import os
import select
import stat
import sys
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeAlias

from hyloop.errors import FormatError
from hyloop.io.budgets import Budgets
from hyloop.numbers import short

Stream: TypeAlias = IO[str] | IO[bytes]

_CHUNK = 2**20
_GZIP = b"\x1f\x8b"
# A zlib stream with the header and the checksum of gzip.
_GZIP_WINDOW = 16 + zlib.MAX_WBITS
_CLOSED = "Standard input is closed; nothing can be read from it."
_UTF_16 = "If it is UTF-16, save it as UTF-8."


class SourceError(FormatError):
    """A file that cannot be opened, is too long, or is not text; its name is in the message."""


def text_of(source: str | Path | Stream, name: str, budgets: Budgets) -> str:
    """All text of a source; `name` is for error messages."""
    return "".join(pieces_of(source, name, budgets))


def pieces_of(source: str | Path | Stream, name: str, budgets: Budgets) -> Generator[str]:
    """The text of a source, piece by piece, each checked on arrival: binary data is refused early."""
    try:
        if not isinstance(source, str | Path):
            yield from _texts(source, name, budgets)
        elif str(source) == "-":
            yield from _texts(_standard_input(), "standard input", budgets)
        else:
            with opened(Path(source), budgets) as (stream, begun):
                yield from _texts(stream, name, budgets, begun, named_gz=name.lower().endswith(".gz"))
    except FormatError as error:
        raise SourceError(str(error)) from None
    except (OSError, ValueError) as error:
        raise SourceError(_unread(source, name, error)) from None


def bytes_of(source: str | Path | Stream, name: str, budgets: Budgets) -> IO[bytes]:
    """The bytes of a source, as a file in memory."""
    try:
        if not isinstance(source, str | Path):
            return _bytes(source, name, budgets)
        if str(source) == "-":
            return _bytes(_standard_input(), "standard input", budgets)
        with opened(Path(source), budgets) as (stream, begun):
            return _bytes(stream, name, budgets, begun)
    except FormatError as error:
        raise SourceError(str(error)) from None
    except (OSError, ValueError) as error:
        raise SourceError(_unread(source, name, error)) from None


def _standard_input() -> Stream:
    if sys.stdin is None:
        raise FormatError(_CLOSED)
    return sys.stdin.buffer


def _unread(source: str | Path | Stream, name: str, error: OSError | ValueError) -> str:
    """Why a source cannot be read. The command line puts what cannot be read in the place of a closed input."""
    closed = str(source) == "-" and isinstance(error, OSError) and error.errno == errno.EBADF
    return _CLOSED if closed else f"{name}: {os_sentence(error, 'read')}"


def _bytes(stream: Stream, name: str, budgets: Budgets, begun: bytes = b"") -> IO[bytes]:
    pieces = [begun, *_limited(stream, name, budgets)]
    if any(isinstance(piece, str) for piece in pieces):
        raise FormatError(f"{name}: this format is no text; open the file for bytes.")
    whole = b"".join(piece for piece in pieces if isinstance(piece, bytes))
    if whole.startswith(_GZIP):
        raise FormatError(f"{name}: this is a gzip file, and the format compresses by itself; unpack it first.")
    return io.BytesIO(whole)


def os_sentence(error: OSError | ValueError | RuntimeError, verb: str) -> str:
    """The operating system's error, as the end of a sentence."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file." if verb == "read" else "there is no such folder."
    if isinstance(error, IsADirectoryError):
        return "this is a folder, not a file."
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"this cannot be {'read' if verb == 'read' else 'written'} ({reason})."


# -- opening ----------------------------------------------------------------------------------------------------


@contextmanager
def opened(path: Path, budgets: Budgets) -> Iterator[tuple[IO[bytes], bytes]]:
    """An open file, and the bytes already read from it."""
    # Without O_NONBLOCK, opening a named pipe without a writer would block for ever.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as stream:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError
        begun = _begun(descriptor, path, budgets) if stat.S_ISFIFO(mode) else b""
        if hasattr(os, "set_blocking"):
            os.set_blocking(descriptor, True)
        yield stream, begun


def _begun(descriptor: int, path: Path, budgets: Budgets) -> bytes:
    """Wait until a pipe has a writer, up to a timeout; it is then read like standard input."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN | select.POLLHUP)
    if poll.poll(budgets.wait_seconds * 1000):
        return b""
    try:
        begun = os.read(descriptor, _CHUNK)  # empty while the pipe has no writer
    except BlockingIOError:
        return b""  # there is a writer, but no data yet
    if begun:
        return begun
    raise FormatError(f"{path}: this is a pipe without a writer (timeout: {short(budgets.wait_seconds)} seconds).")


def _require_finite(stream: Stream, name: str) -> None:
    """Refuse endless devices such as /dev/zero; a terminal and the null device are finite."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, AttributeError, ValueError):
        return  # in memory
    if stat.S_ISBLK(status.st_mode) or (
        stat.S_ISCHR(status.st_mode) and not stream.isatty() and status.st_rdev != Path(os.devnull).stat().st_rdev
    ):
        raise FormatError(f"{name}: this is a device, not a file.")


# -- bytes ------------------------------------------------------------------------------------------------------


def _texts(stream: Stream, name: str, budgets: Budgets, begun: bytes = b"", *, named_gz: bool = False) -> Iterator[str]:
    pieces = _limited(stream, name, budgets)
    first = begun or next(pieces, b"")
    if isinstance(first, str):
        yield from _without_nulls([first.removeprefix("\ufeff")], name)
        yield from _without_nulls(map(str, pieces), name, len(first))
        return
    whole = _chain(first, pieces)
    begin = b""
    while len(begin) < len(_GZIP) and (piece := next(whole, b"")):  # a stream may give a byte at a time
        begin += piece
    unpacked = begin.startswith(_GZIP)
    if named_gz and not unpacked:
        raise FormatError(f"{name}: the name ends in .gz, but this is not a gzip file.")
    whole = itertools.chain([begin], whole)
    yield from _decoded(unzipped(whole, name, budgets) if unpacked else whole, name)


def _limited(stream: Stream, name: str, budgets: Budgets) -> Iterator[bytes | str]:
    """The pieces of a stream that is no endless device, and not too long."""
    _require_finite(stream, name)
    length = _length(stream)
    limit = budgets.stream_bytes if length is None else budgets.file_bytes
    if length is not None and length > limit:
        raise _too_long(name, limit)
    return _pieces(stream, name, limit)


def _length(stream: Stream) -> int | None:
    """The length of a regular file, else None."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, AttributeError, ValueError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _too_long(name: str, limit: int) -> FormatError:
    return FormatError(
        f"{name}: this is longer than {limit:,} bytes; in Python, hyloop.read(..., max_bytes=...) takes more."
    )


def _pieces(stream: Stream, name: str, limit: int) -> Iterator[bytes | str]:
    """The pieces of a stream, which may be endless, up to a limit."""
    size = 0
    kind: type | None = None
    while piece := _piece(stream, name):
        if not isinstance(piece, kind := kind or (str if isinstance(piece, str) else bytes)):
            raise FormatError(f"{name}: its read gives text and bytes by turns; give one of them.")
        size += len(piece)
        if size > limit:
            raise _too_long(name, limit)
        yield piece


def _piece(stream: Stream, name: str) -> bytes | str:
    """The next piece; empty at the end. A stream that does not block has None while there is nothing yet."""
    piece: object = stream.read(_CHUNK)
    if piece is None:
        raise FormatError(
            f"{name}: nothing can be read from it yet, as it does not block; make it block, or use a file."
        )
    if isinstance(piece, str | bytes):
        return piece
    try:
        return memoryview(piece).tobytes()  # type: ignore[arg-type]  # a bytearray, say
    except TypeError:
        raise FormatError(f"{name}: its read gives neither text nor bytes, but {type(piece).__name__}.") from None


def _chain(first: bytes, rest: Iterator[bytes | str]) -> Iterator[bytes]:
    yield first
    for piece in rest:
        if isinstance(piece, bytes):
            yield piece


def unzipped(pieces: Iterable[bytes], name: str, budgets: Budgets) -> Iterator[bytes]:
    """The decompressed content of a gzip file, piece by piece, so that a bomb is refused early."""
    packed = unpacked = 0
    unzip = zlib.decompressobj(_GZIP_WINDOW)
    try:
        for piece in pieces:
            packed += len(piece)
            rest = piece
            while rest:
                if unzip.eof:  # a gzip file may have several members, and zero padding after the last
                    rest = rest.lstrip(b"\0")
                    if not rest:
                        break
                    unzip = zlib.decompressobj(_GZIP_WINDOW)
                found = unzip.decompress(rest, _CHUNK)
                unpacked += len(found)
                _require_no_bomb(packed, unpacked, name, budgets)
                yield found
                rest = unzip.unused_data if unzip.eof else unzip.unconsumed_tail
    except zlib.error as error:
        raise FormatError(f"{name}: this cannot be unpacked ({error}).") from None
    if not unzip.eof:
        raise FormatError(f"{name}: this gzip file is cut off; there is no end to it.")


def _require_no_bomb(packed: int, unpacked: int, name: str, budgets: Budgets) -> None:
    if unpacked > budgets.stream_bytes:
        raise FormatError(f"{name}: this unpacks to more than {budgets.stream_bytes:,} bytes; unpack it first.")
    if unpacked > max(budgets.free_bytes, budgets.ratio * packed):
        raise FormatError(
            f"{name}: this unpacks to more than {budgets.ratio} times its size, as no real data do; unpack it first."
        )


# -- text -------------------------------------------------------------------------------------------------------


def _decoded(pieces: Iterator[bytes], name: str) -> Iterator[str]:
    """The pieces as text, without a byte order mark."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    size, begun = 0, False
    for piece in pieces:
        _require_no_null(piece, name, size)
        text = _utf_8(decoder, piece, name, size)
        yield text if begun else text.removeprefix("\ufeff")
        begun = begun or bool(text)
        size += len(piece)
    _utf_8(decoder, b"", name, size, final=True)


def _utf_8(decoder: codecs.IncrementalDecoder, piece: bytes, name: str, offset: int, *, final: bool = False) -> str:
    held = bytes(decoder.getstate()[0])  # the incomplete character at the end of the previous piece
    try:
        return decoder.decode(piece, final=final)
    except UnicodeDecodeError as error:
        place = offset - len(held) + error.start
        byte = (held + piece)[error.start]
        hint = f" {_UTF_16}" if place == 0 and byte in codecs.BOM_UTF16 else ""
        raise FormatError(
            f"{name}: this is not UTF-8 text; the byte {byte:#04x} at offset {place} cannot be read.{hint}"
        ) from None


def _without_nulls(pieces: Iterable[str], name: str, offset: int = 0) -> Iterator[str]:
    for piece in pieces:
        _require_no_null(piece, name, offset)
        yield piece
        offset += len(piece)


def _require_no_null(piece: bytes | str, name: str, offset: int) -> None:
    place = piece.find("\0") if isinstance(piece, str) else piece.find(b"\0")
    if place >= 0:
        raise FormatError(f"{name}: this is not text; there is a null byte at offset {offset + place}. {_UTF_16}")
