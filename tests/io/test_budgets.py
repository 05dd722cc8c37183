"""Small files that would take minutes or gigabytes: each is refused, or read, in a moment."""

from __future__ import annotations

import io as streams
import json
import re
import sys
import time
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

import pytest

import hyloop
from hyloop import io
from hyloop.errors import FormatError, HyloopError
from hyloop.hypergraph import ALIKE, DIGITS, LABEL, NESTING
from hyloop.io.budgets import BUDGETS, Budgets

MODULUS = sys.hash_info.modulus
COLLIDING = [(number + 1) * MODULUS for number in range(3000)]
LIKE_THESE = [700_000 + number for number in range(3000)]

FORMATS = {entry.name: entry for entry in io.FORMATS}


def written(name: str, members: dict[object, list[object]], **weights: int) -> str:
    """The text of a hypergraph in a format; what no hypergraph may have is put into it afterwards."""
    return "".join(FORMATS[name].write(hyloop.Hypergraph.from_hyperedges(members, **weights)))


def colliding(text: str) -> str:
    """The same text with integers of one hash value."""
    return re.sub(r"\b70[0-9]{4}\b", lambda found: str(COLLIDING[int(found[0]) - LIKE_THESE[0]]), text)


def read(text: str, name: str, **options):
    return io.read(streams.StringIO(text), format=name, **options)


def readable(text: str, name: str, **budgets: int) -> bool:
    try:
        return bool(read(text, name, budgets=replace(BUDGETS, **budgets)))
    except FormatError:
        return False


@pytest.fixture
def quick():
    """Every test takes a few seconds of processor time at most, on a busy machine too."""
    begin = time.process_time()
    yield
    assert time.process_time() - begin < 5


def test_the_documentation_has_the_limits_that_hold():
    page = (Path(__file__).parents[2] / "docs" / "files.md").read_text("utf-8")
    limits = page.split("## Limits")[1].split("\n## ")[0]
    assert all(f"budgets.{field.name}" in limits for field in fields(Budgets))
    told = [f"| {BUDGETS.file_bytes // 2**30} GiB |", f"| {BUDGETS.stream_bytes // 2**30} GiB |"]
    told += [f"beyond {BUDGETS.free_bytes // 2**20} MiB | {BUDGETS.ratio} |", f"| {BUDGETS.records:,} |"]
    told += [
        f"| {BUDGETS.incidences:,} |",
        f"| {BUDGETS.number:,} characters |",
        f"| {BUDGETS.wait_seconds:g} seconds |",
    ]
    told += [f"beyond {BUDGETS.free_values:,} | {BUDGETS.values_per_byte} a byte |"]
    told += [
        f"beyond {BUDGETS.free_table_bytes // 2**20} MiB | {BUDGETS.table_ratio} a byte",
        f"{BUDGETS.free_distinct:,} | 1 in 4 bytes",
        f"{BUDGETS.free_entries:,} | 1 in 64 bytes",
    ]
    told += [f"| {DIGITS:,} digits |", f"| {LABEL:,} characters |", f"| {NESTING} levels |", f"| {ALIKE} |"]
    assert [each for each in told if each not in limits] == []


@pytest.mark.usefixtures("quick")
class TestLimits:
    @pytest.mark.parametrize("name", FORMATS)
    def test_a_limit_of_incidences_is_reached_and_not_exceeded(self, name):
        text = written(name, {"e": ["a", "b", "c", "d"]})
        assert len(read(text, name, budgets=replace(BUDGETS, incidences=4)).vertices) == 4
        with pytest.raises(FormatError, match=r"more than 3 incidences; .*budgets\.incidences"):
            read(text, name, budgets=replace(BUDGETS, incidences=3))

    @pytest.mark.parametrize("name", FORMATS)
    def test_a_limit_of_records_is_reached_and_not_exceeded(self, name):
        """How many records it is depends on the format; no line holds two hyperedges."""
        text = written(name, {number: ["a"] for number in range(6)})
        most = next(number for number in range(6, 40) if readable(text, name, records=number))
        with pytest.raises(FormatError, match=rf"more than {most - 1} records; .*budgets\.records"):
            read(text, name, budgets=replace(BUDGETS, records=most - 1))

    @pytest.mark.parametrize("name", FORMATS)
    @pytest.mark.parametrize("budget", [field.name for field in fields(Budgets)])
    def test_the_budgets_are_for_every_format(self, name, budget):
        assert read(written(name, {"e": ["a", "b"]}), name, budgets=replace(BUDGETS, **{budget: 10**9}))

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            *((name, written(name, {1: ["a"]}, weights=[987654]).replace("987654", "%s")) for name in FORMATS),
            ("hif", '{"incidences": [], "metadata": {"deep": [[%s]]}}'),
            ("edge-list", "a | 1/%s"),
        ],
    )
    @pytest.mark.parametrize("unlimited", [False, True])
    def test_a_number_of_a_million_digits_is_refused(self, name, text, unlimited):
        assert read(text.replace("%s", "12"), name)
        limit = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(0 if unlimited else limit)  # as PYTHONINTMAXSTRDIGITS=0 does: then int() is slow
        try:
            with pytest.raises(FormatError, match=r"1,000,00[02] characters"):
                read(text.replace("%s", "7" * 1_000_000), name)
        finally:
            sys.set_int_max_str_digits(limit)

    @pytest.mark.parametrize("name", FORMATS)
    @pytest.mark.parametrize("members", [{"e": [987654]}, {987654: ["a"]}, {1: [987654, 2]}], ids=str)
    def test_an_integer_label_of_any_length_is_refused(self, name, members):
        text = written(name, members)
        for sign in ("", "-"):
            assert read(text.replace("987654", sign + "7" * DIGITS), name)
            with pytest.raises(FormatError, match="integer of more than 1000 digits cannot be a label"):
                read(text.replace("987654", sign + "7" * (DIGITS + 1)), name)

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            *((name, written(name, {"e": ["LONG"]})) for name in FORMATS),
            *((name, written(name, {"LONG": ["a"]})) for name in FORMATS),
            ("edge-list", '"LONG" é'),
            ("incidence-csv", 'vertex,hyperedge\n"LONG",1'),
        ],
    )
    def test_a_label_of_any_length_is_refused(self, name, text):
        assert read(text.replace("LONG", "a" * LABEL), name)
        with pytest.raises(FormatError, match=r"10,001 characters cannot be a label"):
            read(text.replace("LONG", "a" * (LABEL + 1)), name)

    @pytest.mark.parametrize("name", ["metadata", "nodes", "x"])
    def test_brackets_by_the_million(self, name):
        with pytest.raises(FormatError, match=r"nested too deeply|no such field"):
            read(f'{{"{name}": {"[" * 2_000_000}', "hif")

    def test_fields_that_hif_does_not_have_are_refused_before_they_are_read(self):
        with pytest.raises(FormatError, match=r"\$\.x0: HIF has no such field"):
            read("{" + ", ".join(f'"x{number}": [' for number in range(10**5)), "hif")

    def test_an_error_shows_no_more_than_a_piece_of_a_name(self):
        for text in ('{"%s": 1}', '{"incidences": [], "nodes": [{"node": 1, "%s": 2}]}'):
            with pytest.raises(FormatError) as raised:
                read(text % ("x" * 10**6), "hif")
            assert len(str(raised.value)) < 300


@pytest.mark.usefixtures("quick")
class TestRepetition:
    """Work that was, or could be, quadratic."""

    def test_60_000_records_of_one_incidence(self):
        records = [{"edge": 1, "node": 1, "attrs": {f"a{number}": number}} for number in range(60_000)]
        H = read(json.dumps({"incidences": records}), "hif")
        assert len(H.annotations.incidences[1, 1][0].attributes) == 60_000

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("edge-list", "a " * 60_000),
            ("incidence-csv", "vertex,hyperedge\n" + "a,1\n" * 60_000),
            ("incidence-csv", "vertex,hyperedge\n" + '"a","1"\n' * 60_000),
        ],
    )
    def test_60_000_times_the_same_member(self, name, text):
        assert read(text, name).members_of(1) == ("a",)

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            *((name, partial(written, name, {1: LIKE_THESE})) for name in FORMATS),
            *((name, partial(written, name, {label: ["a"] for label in LIKE_THESE})) for name in FORMATS),
            ("hif", lambda: json.dumps({"incidences": [{"edge": 1, "node": label} for label in LIKE_THESE]})),
            ("hif", lambda: json.dumps({"incidences": [], "edges": [{"edge": label} for label in LIKE_THESE]})),
            ("edge-list", lambda: "* " + " ".join(map(str, LIKE_THESE))),
        ],
    )
    def test_integer_labels_of_one_hash_value(self, name, text):
        given = colliding(text())
        assert str(COLLIDING[-1]) in given
        with pytest.raises(FormatError, match=r"have the same hash value; .* Write them as strings"):
            read(given, name)

    def test_pairs_of_integer_labels_of_one_hash_value(self):
        pairs = colliding_pairs(200)
        assert len({hash(pair) for pair in pairs}) == 1
        records = [{"edge": edge, "node": node, "direction": "head"} for edge, node in pairs]
        assert read(json.dumps({"incidences": records[:100]}), "hif").directed
        with pytest.raises(FormatError, match="have the same hash value"):
            read(json.dumps({"incidences": records}), "hif")

    def test_integer_labels_of_64_bits_are_welcome(self):
        labels = [2**63 + number * 1_000_003 for number in range(5000)]
        assert read(" ".join(map(str, labels)), "edge-list").vertices == tuple(labels)

    def test_numbers_of_one_hash_value(self):
        numbers = [(number + 1) * MODULUS for number in range(20_000)]
        nodes = [{"node": place, "weight": number} for place, number in enumerate(numbers)]
        H = read(json.dumps({"incidences": [], "nodes": nodes}), "hif")
        assert list(H.annotations.vertex_weights.values()) == numbers

    def test_weights_of_one_hash_value(self):
        numbers = [(number + 1) * MODULUS for number in range(20_000)]
        H = read("\n".join(f"a | {number}" for number in numbers), "edge-list")
        assert H.integer_weights() == (tuple(range(1, 20_001)), MODULUS)


@pytest.mark.usefixtures("quick")
class TestWeights:
    TEXT = "\n".join(f"a{number} a{number + 1} | 1/{10**998 + 7 * number + 1}" for number in range(200))

    @pytest.mark.parametrize("backend", ["cpu", "interpreter"])
    def test_200_long_denominators_are_refused_in_a_sentence(self, backend):
        H = read(self.TEXT, "edge-list")
        with pytest.raises(HyloopError, match="no common unit"):
            hyloop.run("dijkstra", H, source="a0", backend=backend)

    def test_in_a_batch_they_are_one_failure(self):
        good = hyloop.Hypergraph.from_hyperedges([["a0", "a1"]])
        found = list(hyloop.run_many("dijkstra", [good, read(self.TEXT, "edge-list"), good], source="a0", processes=1))
        assert [bool(each) for each in found] == [True, False, True]
        assert "no common unit" in str(found[1])


def colliding_pairs(count: int) -> list[tuple[int, int]]:
    """Pairs of integers to which CPython gives one hash value: its mixing of two numbers, solved for the second."""
    first, second, begin, word = 11400714785074694791, 14029467366897019727, 2870177450012600261, 2**64
    pairs: list[tuple[int, int]] = []
    edge = 2**33
    while len(pairs) < count:
        edge += 1
        mixed = (begin + edge * second) % word
        mixed = (mixed << 31 | mixed >> 33) * first % word
        wanted = 12345 * pow(first, -1, word) % word
        node = ((wanted << 33 | wanted >> 31) % word - mixed) * pow(second, -1, word) % word
        if node < MODULUS:
            pairs.append((edge, node))
    return pairs
