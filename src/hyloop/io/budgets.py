"""The resource limits of the readers.

A limit is checked before the work that it bounds; exceeding it raises FormatError. The defaults are far above real data
and below what exhausts a machine; `hyloop.io.read(..., budgets=...)` takes others. The limits of a hypergraph itself,
from a file or built in Python, are in `hyloop.hypergraph`: `DIGITS` of a number, `NESTING` of attributes, characters of
a `LABEL`, integer labels with `ALIKE` hashes.
"""

from __future__ import annotations

from dataclasses import dataclass

from hyloop.errors import FormatError


@dataclass(frozen=True)
class Budgets:
    """The limits for reading one file."""

    # A file is read piece by piece: its length costs time, 20 to 60 seconds a GiB. Memory is bounded by the next two.
    file_bytes: int = 2**33  # of a regular file, whose length is known before it is read
    stream_bytes: int = 2**31  # of a pipe and of an unpacked .gz, which may be endless
    ratio: int = 64  # compression ratio of a .gz; real data reach 3 to 12, a decompression bomb 1,000
    free_bytes: int = 2**22  # allowed for any .gz, whatever the ratio
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


BUDGET = "in Python, hyloop.read(..., budgets=...) takes a larger budgets."
BUDGETS = Budgets()
