"""The resource limits of the readers.

A limit is checked before the work that it bounds; exceeding it raises FormatError. The defaults are far above real data
and below what exhausts a machine; `hyloop.io.read(..., budgets=...)` takes others. The limits of a hypergraph itself,
from a file or built in Python, are in `hyloop.hypergraph`: `DIGITS` of a number, `NESTING` of attributes, characters of
a `LABEL`, integer labels with `ALIKE` hashes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hyloop.errors import FormatError
from hyloop.io.table_sizes import TableSize


@dataclass(frozen=True)
class Budgets:
    """The limits for reading one file."""

    # A file is read piece by piece: its length costs time, 20 to 60 seconds a GiB. Memory is bounded by the next two.
    file_bytes: int = 2**33  # of a regular file, whose length is known before it is read
    stream_bytes: int = 2**31  # of a pipe and of an unpacked .gz, which may be endless
    ratio: int = 64  # compression ratio of a .gz; real data reach 3 to 12, a decompression bomb 1,000
    free_bytes: int = 2**22  # allowed for any .gz, whatever the ratio
    # Of a Parquet or Arrow file, whose metadata say what it unpacks to.
    values_per_byte: int = 2  # in all columns: an incidence of 2 or 3 values takes a byte and more
    free_values: int = 3 * 2**22  # allowed for any table, whatever its length: a grid is a few numbers
    table_ratio: int = 16  # bytes a byte: as many values, of 8 bytes each
    free_table_bytes: int = 2**27
    free_distinct: int = 2**21  # different labels and weights of a table that is shorter; a longer one, 1 in 4 bytes
    free_entries: int = 2**20  # of metadata: some 20 for a page or a batch; a longer table, 1 in 64 bytes
    records: int = 2**25  # lines, rows or JSON records; more than 33 million
    incidences: int = 2**27  # named in the file, repeated ones too; more than 134 million
    number: int = 5000  # characters of a number as it is written
    wait_seconds: float = 5.0  # timeout for a named pipe without a writer

    def require_records(self, number: int) -> None:
        """Refuse more records than these."""
        if number > self.records:
            raise FormatError(f"there are more than {self.records:,} records; {BUDGET}records.")

    def require_incidences(self, number: int) -> None:
        """Refuse more incidences than these."""
        if number > self.incidences:
            raise FormatError(f"there are more than {self.incidences:,} incidences; {BUDGET}incidences.")

    def require_table(self, size: TableSize, packed: int, *, fixed: bool = False) -> None:
        """Refuse a table that unpacks to more than a file of so many bytes may; nothing has been unpacked yet.

        The message says which budget to raise, unless these are `fixed`.
        """
        self.require_records(size.rows)
        for what, count, most, name in (
            ("values", size.values, max(self.free_values, self.values_per_byte * packed), "free_values"),
            ("bytes", size.bytes, max(self.free_table_bytes, self.table_ratio * packed), "free_table_bytes"),
            ("bytes", size.bytes, self.file_bytes, "file_bytes"),
        ):
            if count > most:
                raise FormatError(_bomb(packed, f"{count:,} {what}", most, "" if fixed else name))

    def most_distinct(self, packed: int) -> int:
        """How many different labels and weights a table of so many bytes may have."""
        return max(self.free_distinct, packed // 4)

    def require_distinct(self, count: int, packed: int) -> None:
        """Refuse a table with more different labels and weights than a file of so many bytes may have."""
        most = self.most_distinct(packed)
        if count > most:
            raise FormatError(
                _bomb(packed, f"{count:,} different labels and weights (4 for a fraction)", most, "free_distinct")
            )

    def entries_of(self, packed: int, *, fixed: bool = False) -> Callable[[int], None]:
        """Refuses, when it is called with their number, more entries of metadata than so many bytes may have."""
        most = max(self.free_entries, packed // 64)

        def require(count: int) -> None:
            if count > most:
                advice = "." if fixed else f"; {BUDGET}free_entries."
                raise FormatError(
                    f"the metadata of this table have more than {most:,} entries; write it again in fewer and larger "
                    f"row groups, pages or batches{advice}"
                )

        return require


def _bomb(packed: int, found: str, most: int, budget: str) -> str:
    advice = f"; {BUDGET}{budget}." if budget else ", as real data have them."
    return f"this table of {packed:,} bytes unpacks to {found}, and at most {most:,} are read{advice}"


BUDGET = "in Python, hyloop.read(..., budgets=...) takes a larger budgets."
BUDGETS = Budgets()
