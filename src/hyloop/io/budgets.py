"""How much a file may ask of the machine before it is refused: every limit of the readers, in one place.

A limit is looked at before the work that it bounds, and a refusal is a FormatError. They stand far above the data that
people have and below what stops a machine; `hyloop.io.read(..., budgets=...)` takes others. The limits of a hypergraph
itself, from a file or built in Python, are in `hyloop.hypergraph`: `DIGITS` of a number, `NESTING` of
attributes, characters of a `LABEL`, integer labels that are `ALIKE`.
"""

from __future__ import annotations

from dataclasses import dataclass

from hyloop.errors import FormatError


@dataclass(frozen=True)
class Budgets:
    """The limits of one reading."""

    file_bytes: int = 2**31  # of a file, whose length is known before it is read
    stream_bytes: int = 2**29  # of a pipe and of what a .gz unpacks to, which may have no end
    ratio: int = 64  # of what a .gz unpacks to and the .gz; hypergraphs of data reach 3 to 12, a bomb 1,000
    free_bytes: int = 2**22  # that a .gz may unpack to whatever its own size
    records: int = 2**25  # lines, rows or JSON records; more than 33 million
    incidences: int = 2**27  # named in the file, repeated ones too; more than 134 million
    number: int = 5000  # characters of a number as it is written
    wait_seconds: float = 5.0  # for somebody to write into a named pipe

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
