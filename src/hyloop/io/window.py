"""Text that is read piece by piece: a reader sees a window of it, and what it has used is forgotten.

A reader works on `text` from `position` on. Whatever touches the end of `text` may continue in the next piece: the
reader asks for `more`, and tries again. At least as much is added as is there, so that this takes linear time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class Window:
    """A part of a text, and how many lines and characters were before it."""

    def __init__(self, pieces: str | Iterable[str]) -> None:
        self._pieces: Iterator[str] = iter((pieces,)) if isinstance(pieces, str) else iter(pieces)
        self.text = ""
        self.position = 0
        self.held = False  # whether all is kept, since the reader may begin again
        self._lines = 0  # line feeds before the window
        self._column = 0  # characters of the window's first line that are before it
        self.more()

    def more(self) -> bool:
        """Forget what is before `position`, unless all is held, and add text at the end; False if there is none."""
        rest = self.text if self.held else self.text[self.position :]
        added: list[str] = []
        size = 0
        for piece in self._pieces:
            added.append(piece)
            size += len(piece)
            if size and size >= len(rest):
                break
        if not size:
            return False
        if not self.held:
            self._forget()
        self.text = "".join([rest, *added])
        return True

    def _forget(self) -> None:
        used = self.position
        line_feeds = self.text.count("\n", 0, used)
        self._column = used - self.text.rfind("\n", 0, used) - 1 if line_feeds else self._column + used
        self._lines += line_feeds
        self.position = 0

    def place(self) -> tuple[int, int]:
        """The line and the column of `position`, from 1, where line feeds end lines."""
        line_feeds = self.text.count("\n", 0, self.position)
        begin = self.text.rfind("\n", 0, self.position) + 1
        column = self.position - begin if line_feeds else self._column + self.position
        return self._lines + line_feeds + 1, column + 1

    def lines(self) -> Iterator[list[str]]:
        """The lines that are left, many at a time. They end with a line feed, a carriage return or both."""
        ended = False
        while not ended:
            end = max(self.text.rfind("\n"), self.text.rfind("\r", 0, -1)) + 1  # \r at the end may have \n after it
            if end <= self.position:
                ended = not self.more()
                if not ended:
                    continue
                end = len(self.text)
            block, self.position = self.text[self.position : end], end
            if "\r" in block:
                block = block.replace("\r\n", "\n").replace("\r", "\n")
            found = block.split("\n")
            yield found if ended else found[:-1]
