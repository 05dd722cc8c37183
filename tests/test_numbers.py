"""One way to write a number: that it can be read back, and that it is the same wherever numbers are shown."""

import copy
import csv
import io
import json
import pickle
import re
import runpy
import time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import hyloop
from hyloop import Hypergraph, numbers
from hyloop.cli import app
from hyloop.draw.text import number as in_picture
from hyloop.errors import HyloopError
from hyloop.hypergraph import exact, shown
from hyloop.numbers import Exact, counted, digits_of, in_json, json_text, read, short, written

ROOT = Path(__file__).parents[1]
EXPONENT = re.compile(r"[0-9][eE][+-]?[0-9]")
FRACTIONS = st.fractions() | st.builds(
    Fraction, st.integers(-(10**80), 10**80), st.integers(1, 10**80) | st.integers(0, 90).map(lambda k: 10**k)
)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(37, 100), "0.37"),
        (Fraction(3, 2), "1.5"),
        (Fraction(1, 3), "1/3"),
        (Fraction(4), "4"),
        (Fraction(-7, 4), "-1.75"),
        (0, "0"),
        (10**20, "100000000000000000000"),
        (0.333333333, "0.333333333"),
        (1e-9, "0.000000001"),
        (1e22, "10000000000000000000000"),
        (-0.0, "0"),
        (Decimal("2.50"), "2.5"),
        (Decimal("1E+3"), "1000"),
        (float("inf"), "∞"),
        (Decimal("-Infinity"), "-∞"),
        (float("nan"), "not a number"),
    ],
)
def test_a_number_is_a_decimal_where_that_ends_and_a_fraction_where_not(number, text):
    assert written(number) == text
    assert short(number) == text


@given(FRACTIONS)
def test_what_is_written_is_read_back_and_has_no_exponent(number):
    text = written(number)
    assert read(text) == number
    assert "e" not in text.lower()
    assert ("/" in text) == (number.denominator not in (1,) and not _ends(number.denominator))


def _ends(denominator):
    return 10 ** denominator.bit_length() % denominator == 0


@given(FRACTIONS, st.sampled_from([12, 20, 40]))
def test_a_short_number_is_exact_or_says_that_it_goes_on(number, most):
    text = short(number, most)
    if "…" not in text:
        assert read(text) == number
        assert len(text) <= most
    elif "digits)" not in text:
        cut = read(text.removesuffix("…").removesuffix("."))
        places = len(text.removesuffix("…").partition(".")[2])
        assert 0 <= abs(number) - abs(cut) < Fraction(1, 10**places)  # its first digits, none rounded
        assert cut != 0


@pytest.mark.parametrize(
    "whole", [0, 1, 9, 10, 99, 10**15 - 1, 10**15, 10**4999, 10**5000 - 1, 2**53, 10**300], ids=lambda _: "whole"
)
def test_digits_are_counted_and_written_beyond_what_python_writes(whole):
    digits = digits_of(whole)
    assert 10 ** (digits - 1) <= max(whole, 1) < 10**digits
    assert read(written(whole)) == whole
    assert len(written(whole)) == digits


def test_counts_have_commas():
    assert counted(131071) == "131,071"
    assert counted(10**30) == "about 10^30"


@given(FRACTIONS)
def test_json_gives_the_same_number_back(number):
    given = json.loads(json_text(in_json(number)))
    back = Fraction(Decimal(str(given))) if isinstance(given, float) else Fraction(given)
    assert back == number


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    ),
    st.sampled_from([None, 2]),
    st.booleans(),
)
def test_json_text_is_that_of_the_json_module_but_for_exponents(document, indent, ascii_only):
    text = json_text(document, indent, ascii_only=ascii_only)
    expected = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
    assert json.loads(text) == json.loads(expected)
    if not EXPONENT.search(expected) and "-0.0" not in expected:
        assert text == expected


@pytest.mark.parametrize(
    "number", [Exact(-7, 3), Exact(10**6000, 7), Exact(-1, 10**6000 + 1)], ids=["few", "top", "bottom"]
)
def test_an_exact_number_of_any_length_has_a_representation(number):
    """Python itself writes no integer of more than 4,300 digits."""
    top, bottom = repr(number).removeprefix("Fraction(").removesuffix(")").split(", ")
    assert (read(top.lstrip("-")), read(bottom)) == (abs(number.numerator), number.denominator)
    assert top.startswith("-") == (number < 0)


def test_an_exact_number_is_a_fraction_that_prints_itself():
    number = Exact(37, 100)
    assert (str(number), f"{number}", f"{number:>6}", repr(number)) == ("0.37", "0.37", "  0.37", "Fraction(37, 100)")
    assert number == Fraction(37, 100)
    assert hash(number) == hash(Fraction(37, 100))
    restored = pickle.loads(pickle.dumps(number))
    for same in (restored, copy.deepcopy(number), exact(number)):
        assert same == number
        assert type(same) is Exact


# -- the page -------------------------------------------------------------------------------------------------------


def test_the_table_for_the_page_is_up_to_date():
    made = runpy.run_path(str(ROOT / "scripts" / "number_cases.py"))
    assert (ROOT / "viewer" / "test" / "numbers.json").read_text(encoding="utf-8") == made["text"](), (
        "python scripts/number_cases.py writes it anew; then run the tests of the viewer."
    )


@pytest.mark.parametrize("text", ["", "1e-09", "1E5", " 1", "1/0", "+1", ".5", "abc", "∞", "1,000", "9" * 10_001])
def test_what_is_not_written_like_that_is_not_read(text):
    with pytest.raises(ValueError, match="is not a number as hyloop writes it"):
        read(text)


# -- everywhere -----------------------------------------------------------------------------------------------------

WEIGHTS = {
    "0.37": "0.37",
    "1.5": "3/2",
    "1/3": "1/3",
    "0.333333333": "0.333333333",
    "0.000000001": "1e-9",
    "100000000000000000000": "1e20",
    "4": "4.0",
}


def graph(stated):
    return Hypergraph.from_hyperedges({"e": ["a", "b"]}, weights={"e": _number(stated)})


def _number(stated):
    return Fraction(stated) if "/" in stated else Decimal(stated)


def edge_list(tmp_path, stated):
    file = tmp_path / "h.edges"
    file.write_text(f"e: a b | {stated}\n", encoding="utf-8")
    return str(file)


def command(*given):
    ran = CliRunner().invoke(app, [str(each) for each in given])
    assert ran.exit_code == 0, ran.output
    return ran.output


@pytest.mark.parametrize(("text", "stated"), WEIGHTS.items())
def test_the_command_line_shows_it(tmp_path, text, stated):
    file = edge_list(tmp_path, stated)
    table = command("run", "dijkstra", file, "--source", "a", "--backend", "interpreter")
    assert re.search(rf"│ b +│ +{re.escape(text)} │", table), table
    described = command("describe", file)
    assert re.search(rf"least weight +│ {re.escape(text)} +│", described), described
    assert not EXPONENT.search(table + described)


@pytest.mark.parametrize(("text", "stated"), WEIGHTS.items())
def test_json_has_it(tmp_path, text, stated):
    file = edge_list(tmp_path, stated)
    run = ("run", "dijkstra", file, "--source", "a", "--backend", "interpreter")
    for told in (command(*run, "--json"), command(*run, "--json-lines").partition("\n")[0]):
        distance = json.loads(told, parse_float=str, parse_int=str)["vertices"][1]["distance"]
        assert distance == text
    described = json.loads(command("describe", file, "--json"), parse_float=str, parse_int=str)
    assert described["least_weight"] == described["largest_weight"] == described["unit_of_weight"] == text


@pytest.mark.parametrize(("text", "stated"), WEIGHTS.items())
def test_python_and_notebooks_show_it(text, stated):
    h = graph(stated)
    found = hyloop.run("dijkstra", h, source="a", backend="interpreter")
    assert f"{h.weight_of('e')}" == text
    assert str(found["distance"]["b"]) == text
    assert f"<td>{text}</td>" in h._repr_html_()
    assert f"<td>{text}</td>" in found._repr_html_()
    frame = found.to_frame().to_string()
    assert re.search(rf"b +{re.escape(text)} ", frame), frame
    assert shown(h.weights[0]) == shown(_number(stated)) == text


@pytest.mark.parametrize(("text", "stated"), WEIGHTS.items())
def test_traces_have_it(tmp_path, text, stated):
    found = hyloop.trace("dijkstra", graph(stated), source="a")
    assert found.document["unit"] == text
    assert found.document["hypergraph"]["weights"] == [text]
    found.save(tmp_path / "run.json")
    loaded = hyloop.Trace.load(tmp_path / "run.json")
    last = loaded.at(loaded.iterations)["distance"]["b"]
    assert (str(last), last) == (text, Fraction(_number(stated)))


@pytest.mark.parametrize(("text", "stated"), WEIGHTS.items())
def test_files_have_it_and_give_it_back(tmp_path, text, stated):
    h = graph(stated)
    for name in ("h.edges", "h.csv", *(() if "/" in text else ("h.hif.json",))):
        hyloop.write(h, tmp_path / name)
        assert hyloop.read(tmp_path / name).weights == h.weights
    assert (tmp_path / "h.edges").read_text(encoding="utf-8").split()[-1] == text
    rows = list(csv.reader(io.StringIO((tmp_path / "h.csv").read_text(encoding="utf-8"))))
    assert {row[2] for row in rows[1:]} == {text}
    if "/" not in text:
        document = json.loads((tmp_path / "h.hif.json").read_text(encoding="utf-8"), parse_float=str, parse_int=str)
        assert document["edges"][0]["weight"] == text


@pytest.mark.parametrize(("text", "stated"), WEIGHTS.items())
def test_pictures_show_it(text, stated):
    expected = text if len(text) <= 12 else "1000…(21 digits)"
    assert in_picture(exact(_number(stated))) == expected


def test_messages_show_it():
    with pytest.raises(HyloopError, match=r"hyperedge 'e' is -0\.00000037; a weight must be positive"):
        Hypergraph.from_hyperedges({"e": ["a"]}, weights={"e": -3.7e-7})
    with pytest.raises(HyloopError, match=r"'e' is 0\.37 here, but 1\.5 in an earlier row"):
        hyloop.io.incidence_csv.read("vertex,hyperedge,weight\na,e,3/2\nb,e,0.37\n")


@pytest.mark.parametrize("number", [Fraction(2) ** -3300, Fraction(10**999, 7), Fraction(10**999 - 1)])
def test_the_longest_weights_are_written_and_read_back(tmp_path, number):
    h = Hypergraph.from_hyperedges({"e": ["a", "b"]}, weights={"e": number})
    for name in ("h.edges", "h.csv", *(() if number.denominator == 7 else ("h.hif.json",))):
        hyloop.write(h, tmp_path / name)
        assert hyloop.read(tmp_path / name) == h


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1e1000", "1000000000000000000000000…(1,001 digits)"),
        ("-1.25e400", "-12500000000000000000000000…(401 digits)"),
        ("12.5e999999999", "12500000000000000…(1,000,000,001 digits)"),
        ("-25e-999999999", "-25/1000…(1,000,000,000 digits)"),
        ("0e99999999", "0"),
        ("Infinity", "∞"),
        ("-Infinity", "-∞"),
        ("NaN", "not a number"),
    ],
)
def test_a_decimal_beyond_every_float_is_finite(text, expected):
    assert short(Decimal(text)) == expected


def test_a_decimal_beyond_every_float_is_written_with_all_digits():
    assert written(Decimal("1e400")) == in_json(Decimal("1e400")) == f"1{'0' * 400}"


def test_decimals_are_counted_in_time():
    """Dividing by five for each decimal took 20 seconds for a file of 110 kB."""
    for places in (0, 1, 2, 27, 999, 4_999):
        assert numbers.decimal_places(10**places) == numbers.decimal_places(5**places) == places
        assert numbers.decimal_places(5**places * 3) is None
    begin = time.process_time()
    for _ in range(3_000):
        numbers.decimal_places(10**999)
    assert time.process_time() - begin < 1  # it took 5


@pytest.mark.parametrize("text", ["1e5", "∞", "9" * 10_001, None, 5])
def test_what_is_no_number_is_an_error_of_ours(text):
    with pytest.raises(HyloopError, match="is not a number as hyloop writes it"):
        numbers.read(text)
    assert numbers.read("9" * 10_000) == 10**10_000 - 1
