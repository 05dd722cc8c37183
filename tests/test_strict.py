"""JSON from strangers: what is read is what was written, and nothing that nobody can write again."""

import io
import json
import tracemalloc

import pytest

from hyloop.strict import finite, integers_only, read_at_most, require_letters, require_room


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


def test_no_room_is_taken_beforehand():
    tracemalloc.start()
    assert read_at_most(io.BufferedReader(io.BytesIO(b"abc")), 2**40) == b"abc"
    assert tracemalloc.get_traced_memory()[1] < 2**23
    tracemalloc.stop()


@pytest.mark.parametrize("most", [0, 1, 2**20 - 1, 2**20, 2**20 + 1])
def test_one_byte_beyond_the_limit_and_no_more(most):
    assert len(read_at_most(io.BytesIO(b"x" * (most + 5)), most)) == most + 1
    assert len(read_at_most(io.BytesIO(b"x" * most), most)) == most


# -- memory ---------------------------------------------------------------------------------------------------------

DEAR = {
    "lists": "[],",
    "lists of one": "[999],",
    "objects": "{},",
    "objects of one": '{"a":999},',
    "numbers": "1000,",
    "fractions": "0.5,",
    "texts": '"ab",',
    "lists in lists": "[[[[[]]]]],",
}


def memory_of(read, text):
    """The most bytes that are taken at a time."""
    tracemalloc.start()
    try:
        read(text)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("item", DEAR.values(), ids=DEAR)
def test_what_is_taken_for_its_memory_is_no_less_than_that(item):
    text = f"[{item * 20_000}1]"
    readers = [json.loads] if item == DEAR["fractions"] else [json.loads, integers_only]
    for read in readers:
        with pytest.raises(ValueError, match="memory"):
            require_room(text, room=memory_of(read, text) - 1)


def test_different_names_take_memory_too():
    text = json.dumps({f"name {number}": 1 for number in range(20_000)})
    with pytest.raises(ValueError, match="memory"):
        require_room(text, room=memory_of(json.loads, text) - 1)


def test_letters_of_four_bytes_make_all_others_as_wide():
    require_room("x" * 1000, room=1000)
    with pytest.raises(ValueError, match="memory"):
        require_room("x" * 1000 + "😀", room=4000)


def test_a_text_that_takes_too_much_is_refused_before_it_is_read():
    def refused(text):
        with pytest.raises(ValueError, match="memory"):
            integers_only(text, room=10**6)

    assert memory_of(refused, f"[{'[],' * 20_000}1]") < 10**6
