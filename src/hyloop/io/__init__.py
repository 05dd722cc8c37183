"""Reading and writing hypergraphs: one module and one entry of `FORMATS` per format.

>>> import io
>>> read(io.StringIO("Quay Isle"), format="edge-list")
<Hypergraph: 2 vertices, 1 hyperedge, 2 incidences>
"""

from __future__ import annotations

import io as streams
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import IO, Any, cast

from hyloop.atomic import path_of, write_whole
from hyloop.errors import FormatError, HyloopError, HyloopWarning
from hyloop.hypergraph import Hypergraph, shown
from hyloop.hypergraph.values import is_integer, require_progress
from hyloop.io import arrow_table, edge_list, hif, incidence_csv
from hyloop.io.budgets import BUDGETS, Budgets
from hyloop.io.fields import READING
from hyloop.io.lookalikes import warn_of_lookalikes
from hyloop.io.source import SourceError, Stream, bytes_of, os_sentence, pieces_of
from hyloop.io.window import Window

__all__ = [
    "BINARY_FORMATS",
    "BUDGETS",
    "EVERY_FORMAT",
    "FORMATS",
    "BinaryFormat",
    "Budgets",
    "Format",
    "HyloopWarning",
    "read",
    "write",
]


@dataclass(frozen=True)
class Format:
    """A file format: its name, its extensions, its reader and its writer."""

    name: str
    extensions: tuple[str, ...]
    read: Callable[[str | Window, Budgets], Hypergraph]
    write: Callable[[Hypergraph], Iterator[str]]


FORMATS = (
    Format("hif", (".json", ".hif"), hif.read, hif.write),
    Format("edge-list", (".txt", ".edges", ".hyperedges"), edge_list.read, edge_list.write),
    Format("incidence-csv", (".csv",), incidence_csv.read, incidence_csv.write),
    Format("incidence-tsv", (".tsv", ".tab"), incidence_csv.read, incidence_csv.write_tabs),
)


@dataclass(frozen=True)
class BinaryFormat:
    """A file format of bytes, which an optional package reads and writes."""

    name: str
    extensions: tuple[str, ...]
    read: Callable[[IO[bytes], Budgets], Hypergraph]
    write: Callable[[Hypergraph, IO[bytes]], None]


BINARY_FORMATS = (
    BinaryFormat("parquet", (".parquet",), arrow_table.read_parquet, arrow_table.write_parquet),
    BinaryFormat("arrow", (".arrow", ".feather"), arrow_table.read_arrow, arrow_table.write_arrow),
    BinaryFormat("arrow-stream", (".arrows",), arrow_table.read_arrow, arrow_table.write_arrow_stream),
)
EVERY_FORMAT: tuple[Format | BinaryFormat, ...] = (*FORMATS, *BINARY_FORMATS)


def read(
    source: str | Path | Stream,
    format: str | None = None,
    *,
    max_bytes: int | None = None,
    budgets: Budgets = BUDGETS,
    progress: Callable[[int], None] | None = None,
) -> Hypergraph:
    """The hypergraph in a file, or in an open file, or on standard input (`-`); text may be gzipped.

    The format follows from the extension unless `format` names it. Where there is no extension, text that begins with
    { is read as HIF. An invalid file raises FormatError with the place; so does a file that exceeds one of the
    `budgets`, of which `max_bytes` is one. `progress` is called, several times a second, with the number of characters
    that have been read.
    """
    require_progress(progress, "characters")
    source = _place(source, "read")
    name = _name(source)
    told = _chosen(name, format)
    if not isinstance(cast("object", budgets), Budgets):
        raise HyloopError(f"budgets is a hyloop.io.Budgets; not {shown(budgets)}.")
    if max_bytes is not None and not is_integer(max_bytes):
        raise HyloopError(f"max_bytes is a number of bytes; not {shown(max_bytes)}.")
    if max_bytes is not None:
        budgets = replace(budgets, file_bytes=max_bytes, stream_bytes=max_bytes)
    pieces = pieces_of(source, name, budgets)
    reading = READING.set(name)
    try:
        if isinstance(told, BinaryFormat):
            H = told.read(bytes_of(source, name, budgets), budgets)
        else:
            window = Window(pieces if progress is None else _told(pieces, progress))
            H = (told or _guessed(window, name)).read(window, budgets)
    except SourceError:
        raise
    except FormatError as error:
        named = FormatError(
            f"{name}: {error}{'' if told else f' It was taken for HIF, as it begins with {{; {_SAY_WHICH}'}"
        )
        named.where = error.where
        raise named from None
    finally:
        READING.reset(reading)
        pieces.close()
    warn_of_lookalikes(H, name)
    return H


def write(H: Hypergraph, target: str | Path | Stream, format: str | None = None) -> None:
    """Write a hypergraph to a file, to an open file, or to standard output (`-`).

    The format follows from the extension unless `format` names it; what ends in .gz is compressed. A file is replaced
    as a whole or left as it was.
    """
    if not isinstance(H, Hypergraph):
        raise HyloopError(f"write takes a Hypergraph and then the file; given was {shown(H)}.")
    target = _place(target, "write")
    name = _name(target)
    chosen = _chosen(name, format)
    if chosen is None:
        raise FormatError(f"{name}: there is no extension to tell the format from; {_SAY_WHICH}")
    if isinstance(chosen, BinaryFormat):
        if name.lower().endswith(".gz"):
            raise FormatError(
                f"{name}: the format {chosen.name} is compressed by itself, and not by gzip; leave out the .gz."
            )
        _write_bytes(H, target, chosen)
        return
    if not isinstance(target, str | Path):
        # Other streams of such a name, as of `gzip.open`, compress by themselves.
        zipped = name.lower().endswith(".gz") and isinstance(target, streams.BufferedWriter | streams.FileIO)
        _write_stream(target, "".join(chosen.write(H)), zipped=zipped)
    elif str(target) == "-":
        if sys.stdout is None:
            raise FormatError("Standard output is closed; nothing can be written to it.")
        sys.stdout.flush()
        _write_stream(sys.stdout.buffer, "".join(chosen.write(H)))
        sys.stdout.buffer.flush()
    else:
        _write_file(Path(target), chosen.write(H))


def _told(pieces: Iterable[str], progress: Callable[[int], None]) -> Iterator[str]:
    """The pieces; when the next is asked for, what was before has been read."""
    size = 0
    for piece in pieces:
        yield piece
        size += len(piece)
        progress(size)


# -- which format -----------------------------------------------------------------------------------------------

_NAMES = ", ".join(entry.name for entry in EVERY_FORMAT)
_SAY_WHICH = f"say which with format= (on the command line, --format, or --from and --to of convert): {_NAMES}."


def _place(place: Any, verb: str) -> Any:
    """What is read from or written to: an open file as it is, else a path, also of an object that stands for one."""
    return place if callable(getattr(place, verb, None)) and not isinstance(place, PurePath) else path_of(place)


def _name(place: str | Path | Stream) -> str:
    """The name of a source or target in messages; its extension determines the format."""
    if isinstance(place, str | Path):
        return str(place)
    name = getattr(place, "name", None)
    return name if isinstance(name, str) else "the open file"


def _chosen(name: str, wanted: str | None) -> Format | BinaryFormat | None:
    """The format that `wanted` names, or that of the extension; None if there is neither."""
    if wanted is not None:
        return _only((entry for entry in EVERY_FORMAT if entry.name == wanted), f"There is no format {wanted!r}")
    path = Path(name)
    extension = (path.with_suffix("") if path.suffix.lower() == ".gz" else path).suffix.lower()
    if not extension:
        return None
    matching = (entry for entry in EVERY_FORMAT if extension in entry.extensions)
    return _only(matching, f"{name}: no format has the extension {extension}")


def _only(matching: Iterator[Format | BinaryFormat], otherwise: str) -> Format | BinaryFormat:
    for entry in matching:
        return entry
    raise FormatError(f"{otherwise}; {_SAY_WHICH}")


def _guessed(window: Window, name: str) -> Format:
    while window.text.isspace() and window.more():
        pass
    if window.text.lstrip().startswith("{"):
        return FORMATS[0]
    what = "standard input" if name == "-" else name
    raise SourceError(
        f"{what}: there is no extension to tell the format from, and only a text that begins with {{ is taken for "
        f"HIF; {_SAY_WHICH}"
    )


# -- bytes out --------------------------------------------------------------------------------------------------


def _encoded(text: str) -> bytes:
    # Only lone surrogates inside JSON strings have no UTF-8, and backslashreplace is how JSON itself writes them.
    return text.encode("utf-8", "backslashreplace")


def _write_stream(stream: Stream, text: str, *, zipped: bool = False) -> None:
    data = _encoded(text)
    is_text = hasattr(stream, "encoding")  # as text streams have, also those in memory
    _write_all(stream, data.decode() if is_text else b"".join(_zipped([data])) if zipped else data)


def _write_all(stream: Any, data: str | bytes) -> None:
    """Write all of it: a stream without a buffer may take a part, and says how much."""
    name = _name(stream)
    try:
        taken = stream.write(data)
        if isinstance(data, bytes) and isinstance(stream, streams.RawIOBase):
            rest = memoryview(data)
            while taken is not None and taken < len(rest):
                rest = rest[taken:]
                taken = stream.write(rest)
            if taken is None:
                raise FormatError(f"{name}: it takes no more now, as it does not block; make it block.")
    except (OSError, ValueError) as error:  # a full disk; a closed file, a letter that its encoding has not
        if stream is getattr(sys.stdout, "buffer", None):
            raise
        raise FormatError(f"{name}: {os_sentence(error, 'written')}") from None


def _zipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """A gzip file of the pieces. Its header has no time: the same hypergraph gives the same bytes."""
    packing = zlib.compressobj(wbits=16 + zlib.MAX_WBITS)
    for piece in pieces:
        yield packing.compress(piece)
    yield packing.flush()


def _write_bytes(H: Hypergraph, target: str | Path | Stream, chosen: BinaryFormat) -> None:
    made = streams.BytesIO()
    chosen.write(H, made)
    if str(target) == "-":
        if sys.stdout is None:
            raise FormatError("Standard output is closed; nothing can be written to it.")
        target = sys.stdout.buffer
    if isinstance(target, str | Path):
        _write_pieces(Path(target), iter([made.getvalue()]))
    elif hasattr(target, "encoding"):  # as text streams have, also those in memory
        raise FormatError(f"The format {chosen.name} is no text; open the file for bytes.")
    else:
        _write_all(target, made.getvalue())


def _write_file(path: Path, pieces: Iterator[str]) -> None:
    data: Iterator[bytes] = map(_encoded, pieces)
    if path.suffix.lower() == ".gz":
        data = _zipped(data)
    _write_pieces(path, data)


def _write_pieces(path: Path, data: Iterator[bytes]) -> None:
    try:
        write_whole(path, data)
    except OSError as error:
        raise FormatError(f"{path}: {os_sentence(error, 'written')}") from None
