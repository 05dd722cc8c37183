"""Write viewer/test/numbers.json: numbers as hyloop.numbers writes them, which the page has to write alike.

python scripts/number_cases.py          write the file
"""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

from hyloop.numbers import LONGEST, read, short, written

FILE = Path(__file__).parents[1] / "viewer" / "test" / "numbers.json"
FEW = 12  # characters of a number in a picture

CHOSEN = (
    *(Fraction(0), Fraction(1), Fraction(-1), Fraction(37, 100), Fraction(3, 2), Fraction(1, 3), Fraction(-22, 7)),
    *(Fraction(333333333, 10**9), Fraction(1, 10**9), Fraction(3109999999, 3 * 10**9), Fraction(1, 1024)),
    *(Fraction(10**k) for k in (9, 11, 12, 13, 20, 21, 39, 40, 41, 300, 999)),
    *(Fraction(1, 10**k) for k in (4, 6, 7, 10, 11, 38, 39, 300)),
    *(-Fraction(10**50, 7), Fraction(10**20 + 1, 10**20), Fraction(12345678901) + Fraction(1, 2)),
    *(Fraction(2**53), Fraction(2**53 + 1), Fraction(2) ** -3300, Fraction(10**39) + Fraction(1, 3)),
    *(Fraction(999999999999, 10), Fraction(-999999999999), Fraction(1234567, 7654321), Fraction(1, 3**80)),
)
DOUBLES = (0.0, -0.0, 0.1, 0.1 + 0.2, 1 / 3, 1e-7, 1.5e-9, 123456789.125, 1e15, 2.0**53, 1e21, -1.25e22, 5e-324, 1e308)
REFUSED = (
    *("", " ", "1e-09", "1E5", "1e5", "abc", "NaN", "inf", "Infinity", "∞", "1/0", "0/0", "1/-2", "--1", "+1", "-"),
    *(".5", "5.", "1.2.3", "1/2/3", "1 /2", " 1", "1 ", "1\n", "1,000", "1_000", "0x10", "٣", "1/2.5", "1.5/2"),
    "9" * (LONGEST + 1),
)


def cases() -> dict[str, Any]:
    """The table: chosen numbers, random ones, doubles, and texts that are no numbers."""
    return {
        "numbers": [_case(number) for number in (*CHOSEN, *_random(150))],
        "doubles": [[value, short(value), short(value, FEW)] for value in DOUBLES],
        "refused": [text for text in REFUSED if _is_refused(text)],
    }


def _case(number: Fraction) -> dict[str, str]:
    top, bottom = number.as_integer_ratio()
    return {
        "top": str(top),
        "bottom": str(bottom),
        "written": written(number),
        "short": short(number),
        "few": short(number, FEW),
    }


def _random(count: int) -> list[Fraction]:
    rng = random.Random(13)  # numbers that look random and are the same every time
    found = []
    for _ in range(count):
        top = rng.randrange(-(10 ** rng.randrange(1, 60)), 10 ** rng.randrange(1, 60))
        bottom = rng.choice([1, 2 ** rng.randrange(40), 10 ** rng.randrange(50), rng.randrange(1, 10**6)])
        found.append(Fraction(top, bottom))
    return found


def _is_refused(text: str) -> bool:
    try:
        read(text)
    except ValueError:
        return True
    raise AssertionError(f"{text[:60]!r} was to be refused")


def text() -> str:
    """The file."""
    parts = (
        f'"{name}": [\n' + ",\n".join(json.dumps(each, ensure_ascii=False) for each in part) + "\n]"
        for name, part in cases().items()
    )
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
