"""JSON from strangers: what is read is what was written, and nothing that nobody can write again."""

import pytest

from hyloop.strict import finite, integers_only, require_letters


@pytest.mark.parametrize(
    "text",
    [
        "NaN",
        "Infinity",
        "-Infinity",
        "1.0",
        "1e3",
        "1e999",
        "9" * 41,
        '{"a": 1, "a": 2}',
        '"\\ud800"',
        "[" * 10**5,
        "{",
    ],
    ids=lambda text: text[:12],
)
def test_refused(text):
    with pytest.raises(ValueError, match=r".") as caught:
        integers_only(text)
    assert len(str(caught.value)) < 200


def test_taken():
    assert integers_only('{"a": [1, -2, true, null, "\\ud83d\\ude00"]}') == {"a": [1, -2, True, None, "😀"]}
    assert integers_only("9" * 40) == 10**40 - 1


def test_numbers_of_a_trace():
    assert finite("0.5") == 0.5
    with pytest.raises(ValueError, match="beyond every float"):
        finite("1e999")
    require_letters('"\\ud83d\\ude00"', "😀")
    with pytest.raises(ValueError, match="half a letter"):
        require_letters('"\\ud800"', "\ud800")
