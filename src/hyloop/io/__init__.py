"""Reading and writing hypergraphs: one module a format, one entry of `FORMATS` each.

>>> import io
>>> read(io.StringIO("Quay Isle"), format="edge-list")
<Hypergraph: 2 vertices, 1 hyperedge, 2 incidences>
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeAlias

from hyloop.atomic import write_whole
from hyloop.errors import FormatError
from hyloop.hypergraph import HyloopWarning, Hypergraph
from hyloop.io import edge_list, hif, incidence_csv

__all__ = ["FORMATS", "Format", "HyloopWarning", "read", "write"]

# Far above any file that a machine of today could use; below what would stop it.
MAX_BYTES = 2**31
_CHUNK = 2**24

Stream: TypeAlias = IO[str] | IO[bytes]


@dataclass(frozen=True)
class Format:
    """A file format: its name, the extensions that announce it, and its two functions on text."""

    name: str
    extensions: tuple[str, ...]
    read: Callable[[str], Hypergraph]
    write: Callable[[Hypergraph], Iterator[str]]


FORMATS = (
    Format("hif", (".json", ".hif"), hif.read, hif.write),
    Format("edge-list", (".txt", ".edges", ".hyperedges"), edge_list.read, edge_list.write),
    Format("incidence-csv", (".csv",), incidence_csv.read, incidence_csv.write),
)


def read(
    source: str | Path | Stream,
    format: str | None = None,  # noqa: A002
    *,
    max_bytes: int = MAX_BYTES,
) -> Hypergraph:
    """The hypergraph in a file, or in an open file, or on standard input (`-`).

    The format follows from the extension unless `format` names it. Where there is no extension, text that begins with
    { is read as HIF. A fault raises FormatError, which says where it is.
    """
    name = _name(source)
    chosen = _chosen(name, format)
    text = _text(_bytes(source, name, max_bytes), name)
    chosen = chosen or _guessed(text, name)
    try:
        return chosen.read(text)
    except FormatError as error:
        named = FormatError(f"{name}: {error}")
        named.where = error.where
        raise named from None


def write(H: Hypergraph, target: str | Path | Stream, format: str | None = None) -> None:  # noqa: A002
    """Write a hypergraph to a file, to an open file, or to standard output (`-`).

    The format follows from the extension unless `format` names it. A file is replaced as a whole or left as it was.
    """
    name = _name(target)
    chosen = _chosen(name, format)
    if chosen is None:
        raise FormatError(f"{name}: there is no extension to tell the format from; {_SAY_WHICH}")
    if not isinstance(target, str | Path):
        _write_stream(target, "".join(chosen.write(H)))
    elif str(target) == "-":
        sys.stdout.flush()
        _write_stream(sys.stdout.buffer, "".join(chosen.write(H)))
        sys.stdout.buffer.flush()
    else:
        _write_file(Path(target), chosen.write(H))


# -- which format -----------------------------------------------------------------------------------------------

_NAMES = ", ".join(entry.name for entry in FORMATS)
_SAY_WHICH = f"say which with format= (on the command line, --format, or --from and --to of convert): {_NAMES}."


def _name(place: str | Path | Stream) -> str:
    """What to call a source or target in messages; its extension tells the format."""
    if isinstance(place, str | Path):
        return str(place)
    name = getattr(place, "name", None)
    return name if isinstance(name, str) else "the open file"


def _chosen(name: str, wanted: str | None) -> Format | None:
    """The format that was asked for, or the one of the extension; None where there is neither."""
    if wanted is not None:
        return _only((entry for entry in FORMATS if entry.name == wanted), f"There is no format {wanted!r}")
    extension = Path(name).suffix.lower()
    if not extension:
        return None
    matching = (entry for entry in FORMATS if extension in entry.extensions)
    return _only(matching, f"{name}: no format has the extension {extension}")


def _only(matching: Iterator[Format], otherwise: str) -> Format:
    for entry in matching:
        return entry
    raise FormatError(f"{otherwise}; {_SAY_WHICH}")


def _guessed(text: str, name: str) -> Format:
    if text.lstrip().startswith("{"):
        return FORMATS[0]
    what = "standard input" if name == "-" else name
    raise FormatError(
        f"{what}: there is no extension to tell the format from, and only a text that begins with {{ is taken for "
        f"HIF; {_SAY_WHICH}"
    )


# -- bytes in ---------------------------------------------------------------------------------------------------


def _bytes(source: str | Path | Stream, name: str, limit: int) -> bytes | str:
    if not isinstance(source, str | Path):
        return _limited(source, name, limit)
    if str(source) == "-":
        return _limited(sys.stdin.buffer, "standard input", limit)
    try:
        with Path(source).open("rb") as stream:
            return _limited(stream, name, limit)
    except (OSError, ValueError) as error:
        raise FormatError(f"{name}: {_os_sentence(error, 'read')}") from None


def _limited(stream: Stream, name: str, limit: int) -> bytes | str:
    """All of a stream. Asked for in pieces, since a stream of unknown length may have no end."""
    pieces: list[bytes | str] = []
    size = 0
    while piece := stream.read(_CHUNK):
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            raise FormatError(f"{name}: this is longer than {limit:,} bytes; to read it all the same, pass max_bytes=.")
    return _joined(pieces)


def _joined(pieces: list[bytes | str]) -> bytes | str:
    if pieces and isinstance(pieces[0], str):
        return "".join(map(str, pieces))
    return b"".join(piece for piece in pieces if isinstance(piece, bytes))


def _text(data: bytes | str, name: str) -> str:
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{name}: this is not UTF-8 text; the byte {data[error.start]:#04x} at offset {error.start} cannot be read."
        ) from None


def _os_sentence(error: OSError | ValueError | RuntimeError, verb: str) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file." if verb == "read" else "there is no such folder."
    if isinstance(error, IsADirectoryError):
        return "this is a folder, not a file."
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"this cannot be {'read' if verb == 'read' else 'written'} ({reason})."


# -- bytes out --------------------------------------------------------------------------------------------------


def _encoded(text: str) -> bytes:
    # Only lone surrogates inside JSON strings have no UTF-8, and backslashreplace is how JSON itself writes them.
    return text.encode("utf-8", "backslashreplace")


def _write_stream(stream: Stream, text: str) -> None:
    data = _encoded(text)
    is_text = hasattr(stream, "encoding")  # as text streams have, also those in memory
    stream.write(data.decode() if is_text else data)  # type: ignore[arg-type]


def _write_file(path: Path, pieces: Iterator[str]) -> None:
    try:
        write_whole(path, map(_encoded, pieces))
    except OSError as error:
        raise FormatError(f"{path}: {_os_sentence(error, 'written')}") from None
