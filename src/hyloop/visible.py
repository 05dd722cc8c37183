"""Untrusted text, for terminals and notebooks."""

from __future__ import annotations


def visible(text: str, keep: str = "") -> str:
    r"""Untrusted text with unprintable characters escaped, except for those in `keep`.

    >>> visible("red \x1b[31m")
    'red \\x1b[31m'
    """
    return "".join(letter if letter.isprintable() or letter in keep else _escaped(letter) for letter in text)


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape").decode()
