"""JSON with exact numbers: strict, and in sentences. `test_hif.py` and `test_io.py` have what formats make of it."""

from decimal import Decimal
from fractions import Fraction

import pytest

from hyloop.errors import FormatError
from hyloop.io.exact_json import exact_number, exact_weight, is_number, json_text, parsed


def test_numbers_are_exact_and_text_comes_back():
    text = '{"a": [1, 0.10, 12345678901234567890.5, true, null, "é"]}'
    assert parsed(text, "line 1")["a"][:3] == [1, Decimal("0.10"), Decimal("12345678901234567890.5")]
    assert json_text(parsed(text, "line 1")) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "a": 2}', "line 7: an object has the field 'a' twice"),
        ("[NaN]", "line 7: NaN is not a number that JSON has"),
        ("[" * 100_000, "line 7: the value is nested too deeply"),
        ("9" * 1_000_000, "line 7: the value has a number with too many digits to be read: 1,000,000 characters"),
        ("1e" + "9" * 30, r"line 7: the value has a number beyond 10\^\(10\^18\)"),
        ('{"a" 1}', "line 7: this is not JSON at column 6: "),
        ("", "line 7: this is not JSON at column 1: "),
        ("{} {}", "line 7: this is not JSON at column 4: Extra data"),
    ],
)
def test_anything_else_is_refused_with_its_place(text, message):
    with pytest.raises(FormatError, match=message) as raised:
        parsed(text, "line 7")
    assert raised.value.where == "line 7"


def test_true_is_no_number():
    assert is_number(1)
    assert is_number(Decimal("0.5"))
    assert not is_number(True)
    assert not is_number("1")


def test_weights_are_positive():
    assert exact_number(Decimal("-0.1"), "line 1") == Fraction(-1, 10)
    assert exact_weight(Decimal("0.1"), "ferry", "line 1") == Fraction(1, 10)
    with pytest.raises(FormatError, match=r"line 1: .*ferry"):
        exact_weight(0, "ferry", "line 1")
