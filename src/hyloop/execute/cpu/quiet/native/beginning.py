"""Native code for the beginning of a run: the incidence both ways, by counting, and the rows with their columns.

Numpy sorts the incidence, and writes rows column by column: each takes several times as long. The code is the same for
all models.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir

from hyloop.execute.cpu.native.library import UnusableError, function, loaded
from hyloop.execute.cpu.quiet.memory import LINE
from hyloop.execute.cpu.quiet.native.code import EIGHT, Code
from hyloop.execute.cpu.sparse import Sparse, keep_both_ways
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layer import HeadKind

FloatArray = npt.NDArray[np.floating]
IntArray = npt.NDArray[np.int64]

MANY = 2048  # entries for which native code is worth its call
COMPRESS = ("vertices", "rows", "indptr", "indices", "start", "target", "other_start", "other_target")
FILL = ("count", "width", "rows", "columns", "addresses", "places")


def compress(incidence: PaddedIncidence, dtype: str, rows: int) -> None:
    """Make what `both_ways` gives for so many rows, where there are many entries that are known row by row."""
    if incidence.of_rows is not None and len(incidence.of_rows[1]) >= MANY and not incidence.directed:
        keep_both_ways(incidence, dtype, rows, partial(compressed, incidence, dtype, rows))


def compressed(incidence: PaddedIncidence, dtype: str, rows: int) -> Mapping[HeadKind, Sparse] | None:
    """The entries by vertex and by hyperedge; None where native code cannot be made."""
    assert incidence.of_rows is not None
    try:
        run, _ = _compiled()
    except UnusableError:
        return None
    indptr, indices = incidence.of_rows
    start, other_start = np.empty(rows + 1, np.int64), np.zeros(rows + 2, np.int64)
    target, other_target = (np.empty(len(indices), np.int32) for _ in range(2))
    arrays = (indptr, indices, start, target, other_start, other_target)
    context = np.array([len(indptr) - 1, rows, *(each.ctypes.data for each in arrays)], np.int64)
    run(context.ctypes.data)
    value = np.ones(len(indices), dtype)
    return {"incidence": Sparse(other_start[1:], other_target, value), "transposed": Sparse(start, target, value)}


def fill(rows: IntArray, columns: Sequence[FloatArray], places: Sequence[int]) -> bool:
    """Write some columns, which are 64-bit floats, to their places in rows, and 0 to all others; whether it could."""
    plain = all(column.dtype == np.float64 and column.flags.c_contiguous for column in columns)
    try:
        run = _compiled()[1] if plain and len(rows) else None
    except UnusableError:
        run = None
    if run is None:
        return False
    addresses = np.array([each.ctypes.data for each in columns], np.int64)
    at = np.array(places, np.int64)
    numbers = [*rows.shape, rows.ctypes.data, len(columns), addresses.ctypes.data, at.ctypes.data]
    context = np.array(numbers, np.int64)
    run(context.ctypes.data)
    return True


@cache
def generator() -> str:
    """A digest of the sources that write the text: with the plan, they are all that it depends on."""
    sources = sorted(Path(__file__).parents[2].rglob("*.py"))
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()


@cache
def _compiled() -> tuple[Any, Any]:
    engine = loaded(f"beginning {generator()}", _text)
    compress, fill = (function(engine, name, ctypes.c_int64, ctypes.c_void_p) for name in ("compress", "fill"))
    return compress, fill


def _text() -> str:
    module = ir.Module("beginning")
    _write_compress(Code(module, "compress", COMPRESS))
    _write_fill(Code(module, "fill", FILL))
    return str(module)


def _write_compress(code: Code) -> None:
    vertices, rows, indptr, indices, start, target, other_start, other_target = map(code.slot, COMPRESS)
    with code.loop(0, vertices) as row:
        code.put(start, row, code.get(indptr, row))
        with code.loop(code.get(indptr, row), code.get(indptr, code.sum(row, 1))) as at:
            to = code.get(indices, at)
            code.put_short(target, at, to)
            code.put(other_start, code.sum(to, 1), code.sum(code.get(other_start, code.sum(to, 1)), 1))
    with code.loop(vertices, code.sum(rows, 1)) as row:
        code.put(start, row, code.get(indptr, vertices))
    total = code.variable()
    with code.loop(0, code.sum(rows, 2)) as at:
        code.write(total, code.sum(code.read(total), code.get(other_start, at)))
        code.put(other_start, at, code.read(total))
    # From the last entry on, each goes before those of its hyperedge that are there: in the end every number of
    # `other_start` is where the row before begins.
    with code.loop(0, vertices) as done:
        row = code.sum(code.b.sub(vertices, done), -1)
        first, end = code.get(indptr, row), code.get(indptr, code.sum(row, 1))
        with code.loop(first, end) as at:
            after = code.sum(code.get(indices, code.b.sub(code.sum(first, end, -1), at)), 1)
            place = code.sum(code.get(other_start, after), -1)
            code.put(other_start, after, place)
            code.put_short(other_target, place, row)
    code.leave(0)


def _write_fill(code: Code) -> None:
    count, width, rows, columns, addresses, places = map(code.slot, FILL)
    with code.loop(0, count) as row:
        begin = code.b.mul(row, width)
        with code.loop(0, width, LINE) as at:
            code.b.store(ir.Constant(EIGHT, [0] * LINE), code.address(rows, code.sum(begin, at)), align=64)
        with code.loop(0, columns) as number:
            value = code.b.load(code.address(code.get(addresses, number), row), typ=ir.DoubleType())
            whole = code.b.fptosi(value, ir.IntType(64))
            code.put(rows, code.sum(begin, code.get(places, number)), whole)
    code.leave(0)
