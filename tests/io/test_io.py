"""`hyloop.io.read` and `write`: which format, which bytes, and what the operating system says."""

from __future__ import annotations

import array
import contextlib
import io as streams
import json
import os
import re
import stat
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop import io
from hyloop.errors import FormatError, HyloopError, HyloopWarning
from hyloop.hypergraph import Annotations, Hypergraph
from hyloop.numbers import decimal_places
from hypergraph_strategies import plain

HARBOUR = Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"], "road": ["Quay", "Mühle"]}, weights=[2, 1])
TEXTS = {entry.name: "".join(entry.write(HARBOUR)) for entry in io.FORMATS}


class TestFormats:
    @pytest.mark.parametrize(
        ("name", "written_as"),
        [(f"a{ending}", entry.name) for entry in io.FORMATS for ending in entry.extensions]
        + [("a.hif.json", "hif"), ("A.JSON", "hif")],
    )
    def test_the_extension_tells_the_format(self, tmp_path, name, written_as):
        io.write(HARBOUR, tmp_path / name)
        assert (tmp_path / name).read_text("utf-8") == TEXTS[written_as]
        assert io.read(str(tmp_path / name)) == HARBOUR

    def test_an_extension_is_of_one_format(self):
        endings = [ending for entry in io.FORMATS for ending in entry.extensions]
        assert len(set(endings)) == len(endings)

    @pytest.mark.parametrize("name", TEXTS)
    def test_a_format_that_is_named_wins(self, tmp_path, name):
        io.write(HARBOUR, tmp_path / "a.csv", format=name)
        assert (tmp_path / "a.csv").read_text("utf-8") == TEXTS[name]
        assert io.read(tmp_path / "a.csv", format=name) == HARBOUR

    def test_unknown_extensions_and_formats_are_refused(self, tmp_path):
        with pytest.raises(FormatError, match=r"no format has the extension \.xml; .*hif, edge-list, incidence-csv"):
            io.read(tmp_path / "a.xml")
        with pytest.raises(FormatError, match=r"no format has the extension \.xml"):
            io.write(HARBOUR, tmp_path / "a.xml")
        with pytest.raises(FormatError, match=r"no format 'xgi'; .*--format"):
            io.read(tmp_path / "a.json", format="xgi")

    def test_without_an_extension_only_hif_is_guessed(self, tmp_path):
        (tmp_path / "a").write_text("\n " + TEXTS["hif"], "utf-8")
        (tmp_path / "b").write_text(TEXTS["edge-list"], "utf-8")
        assert io.read(tmp_path / "a") == HARBOUR
        with pytest.raises(FormatError, match=r"only a text that begins with { is taken for HIF"):
            io.read(tmp_path / "b")
        with pytest.raises(FormatError, match="no extension"):
            io.write(HARBOUR, tmp_path / "c")

    def test_what_was_taken_for_hif_and_is_not_is_told_so(self, tmp_path):
        for file, text in (("a", '{"ferry": 1}'), ("b", "{}\n{}\n")):
            (tmp_path / file).write_text(text)
            with pytest.raises(FormatError, match=r"It was taken for HIF, as it begins with {; say which .*--format"):
                io.read(tmp_path / file)
            with pytest.raises(FormatError) as raised:
                io.read(tmp_path / file, format="hif")
            assert "taken for HIF" not in str(raised.value)


class TestDocumentation:
    @pytest.mark.parametrize(
        ("fence", "format_name", "hyperedges", "vertices"),
        [("json", "hif", 1, 3), ("edge-list", "edge-list", 4, 6), ("incidence-csv", "incidence-csv", 3, 3)],
    )
    def test_the_examples_are_what_they_say(self, fence, format_name, hyperedges, vertices):
        page = (Path(__file__).parents[2] / "docs" / "files.md").read_text("utf-8")
        example = page.split(f"```{fence}\n")[1].split("```")[0]
        H = io.read(streams.StringIO(example), format=format_name)
        assert (len(H.hyperedges), len(H.vertices), H.weight_of("ferry")) == (hyperedges, vertices, Fraction(1, 2))

    @pytest.mark.parametrize("entry", io.FORMATS, ids=lambda entry: entry.name)
    def test_every_format_is_in_the_table_and_has_an_example(self, entry):
        page = (Path(__file__).parents[2] / "docs" / "files.md").read_text("utf-8")
        endings = ", ".join(f"`{ending}`" for ending in entry.extensions)
        assert f"| `{entry.name}` | {endings} |" in page
        fences = ["json" if each.name == "hif" else each.name for each in io.FORMATS if each.read is entry.read]
        examples = [part for fence in fences for part in page.split(f"```{fence}\n")[1:]]
        assert io.read(streams.StringIO(examples[0].split("```")[0]), format=entry.name).weight_of("ferry") == Fraction(
            1, 2
        )

    def test_the_errors_are_what_they_say(self, tmp_path):
        page = (Path(__file__).parents[2] / "docs" / "files.md").read_text("utf-8")
        (tmp_path / "harbour.txt").write_text("a\nb\nferry: Quay | 0\n")
        (tmp_path / "harbour.hif.json").write_text('{"nodes": [{"node": 1.5}], "incidences": []}')
        for name in ("harbour.txt", "harbour.hif.json"):
            with pytest.raises(FormatError) as raised:
                io.read(tmp_path / name)
            assert str(raised.value).removeprefix(f"{tmp_path}{os.sep}") in page


class TestReading:
    def test_faults_name_the_file_and_keep_the_place(self, tmp_path):
        (tmp_path / "a.txt").write_text("a\nb,c\n")
        with pytest.raises(FormatError, match=r"a\.txt: line 2: ") as raised:
            io.read(tmp_path / "a.txt")
        assert raised.value.where == "line 2"

    def test_a_byte_order_mark_is_accepted(self, tmp_path):
        (tmp_path / "a.csv").write_bytes(b"\xef\xbb\xbf" + TEXTS["incidence-csv"].encode())
        assert io.read(tmp_path / "a.csv") == HARBOUR
        assert io.read(streams.StringIO("\ufeff" + TEXTS["edge-list"]), format="edge-list") == HARBOUR

    def test_other_encodings_are_refused(self, tmp_path):
        (tmp_path / "a.txt").write_bytes("Mühle".encode("latin-1"))
        with pytest.raises(FormatError, match="not UTF-8 text; the byte 0xfc at offset 1"):
            io.read(tmp_path / "a.txt")

    def test_what_is_no_file_is_refused(self, tmp_path):
        (tmp_path / "folder.json").mkdir()
        with pytest.raises(FormatError, match=r"folder\.json: this is a folder"):
            io.read(tmp_path / "folder.json")
        with pytest.raises(FormatError, match=r"absent\.json: there is no such file"):
            io.read(tmp_path / "absent.json")
        with pytest.raises(FormatError, match="cannot be read"):
            io.read("a\0b.json")

    @pytest.mark.parametrize("stream", [streams.StringIO, lambda text: streams.BytesIO(text.encode())])
    def test_open_files_are_read(self, stream):
        assert io.read(stream(TEXTS["hif"])) == HARBOUR
        assert io.read(stream(TEXTS["edge-list"]), format="edge-list") == HARBOUR
        assert io.read(stream(""), format="edge-list") == Hypergraph.from_hyperedges([])

    def test_an_open_file_has_the_extension_of_its_name(self, tmp_path):
        io.write(HARBOUR, tmp_path / "a.txt")
        with (tmp_path / "a.txt").open("rb") as stream:
            assert io.read(stream) == HARBOUR

    def test_standard_input(self, monkeypatch):
        def give(text):
            monkeypatch.setattr(sys, "stdin", streams.TextIOWrapper(streams.BytesIO(text.encode())))

        give(TEXTS["hif"])
        assert io.read("-") == HARBOUR
        give(TEXTS["edge-list"])
        assert io.read("-", format="edge-list") == HARBOUR
        give(TEXTS["edge-list"])
        with pytest.raises(FormatError, match="standard input: there is no extension"):
            io.read("-")

    @pytest.mark.parametrize("name", TEXTS)
    @given(data=st.data())
    def test_a_damaged_file_is_read_or_refused_and_nothing_else(self, name, data):
        text = TEXTS[name]
        begin, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        damage = data.draw(st.text('{}[]",:|#*/.-eE019 \n\r\\\0\ud800é', max_size=6))
        with contextlib.suppress(FormatError, HyloopWarning):
            H = io.read(streams.StringIO(text[:begin] + damage + text[min(end, begin + 4) :]), format=name)
            assert isinstance(H, Hypergraph)

    def test_files_beyond_the_limit_are_refused(self, tmp_path):
        io.write(HARBOUR, tmp_path / "a.txt")
        size = (tmp_path / "a.txt").stat().st_size
        assert io.read(tmp_path / "a.txt", max_bytes=size) == HARBOUR
        with pytest.raises(FormatError, match=f"longer than {size - 1} bytes; .* max_bytes="):
            io.read(tmp_path / "a.txt", max_bytes=size - 1)

    def test_progress_is_told(self, tmp_path):
        (tmp_path / "a.txt").write_text("# " + "x" * 2_500_000 + "\na b\n")
        told = []
        io.read(tmp_path / "a.txt", progress=told.append)
        assert told == sorted(told)
        assert (len(told), told[-1]) == (3, 2_500_007)


class TestWriting:
    def test_standard_output(self, capsysbinary):
        io.write(HARBOUR, "-", format="edge-list")
        assert capsysbinary.readouterr().out == TEXTS["edge-list"].encode()
        with pytest.raises(FormatError, match="no extension"):
            io.write(HARBOUR, "-")

    def test_open_files_are_written(self):
        text, data = streams.StringIO(), streams.BytesIO()
        io.write(HARBOUR, text, format="hif")
        io.write(HARBOUR, data, format="hif")
        assert text.getvalue() == TEXTS["hif"]
        assert data.getvalue() == TEXTS["hif"].encode()

    def test_a_fault_half_way_leaves_the_old_file(self, tmp_path):
        third = Hypergraph.from_hyperedges([["a"]] * 2, weights=[1, Fraction(1, 3)])
        io.write(HARBOUR, tmp_path / "a.json")
        with pytest.raises(FormatError, match="1/3"):
            io.write(third, tmp_path / "a.json")
        assert io.read(tmp_path / "a.json") == HARBOUR
        assert [path.name for path in tmp_path.iterdir()] == ["a.json"]

    def test_links_and_permissions_survive(self, tmp_path):
        (tmp_path / "real.json").write_text("{}")
        (tmp_path / "real.json").chmod(0o640)
        (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
        io.write(HARBOUR, tmp_path / "link.json")
        assert (tmp_path / "link.json").is_symlink()
        assert io.read(tmp_path / "real.json") == HARBOUR
        assert stat.S_IMODE((tmp_path / "real.json").stat().st_mode) == 0o640

    def test_what_cannot_be_written_is_refused(self, tmp_path):
        (tmp_path / "folder.json").mkdir()
        with pytest.raises(FormatError, match=r"folder\.json: this is a folder"):
            io.write(HARBOUR, tmp_path / "folder.json")
        with pytest.raises(FormatError, match="there is no such folder"):
            io.write(HARBOUR, tmp_path / "absent" / "a.json")

    def test_a_device_is_written_to_and_not_replaced(self):
        io.write(HARBOUR, os.devnull, format="hif")
        assert not Path(os.devnull).is_file()

    def test_lone_surrogates_in_attributes_survive(self, tmp_path):
        H = Hypergraph.from_hyperedges([["a"]], annotations=Annotations(metadata={"\udc80": ["\ud800"]}))
        io.write(H, tmp_path / "a.json")
        assert io.read(tmp_path / "a.json") == H

    @given(plain())
    def test_the_bytes_of_an_edge_list_survive(self, H):
        data = streams.BytesIO()
        io.write(H, data, format="edge-list")
        with warnings.catch_warnings():  # of labels that look the same
            warnings.simplefilter("ignore", HyloopWarning)
            assert io.read(streams.BytesIO(data.getvalue()), format="edge-list") == H


# -- what every format must do, whoever adds it ---------------------------------------------------------------------


def again(H: Hypergraph, name: str) -> Hypergraph:
    """A hypergraph written and read."""
    text = streams.StringIO()
    io.write(H, text, format=name)
    return read_text(text.getvalue(), name)


def read_text(text: str, name: str) -> Hypergraph:
    with warnings.catch_warnings():  # of labels that look the same, and of records that contradict others
        warnings.simplefilter("ignore", HyloopWarning)
        return io.read(streams.StringIO(text), format=name)


def structure(H: Hypergraph) -> object:
    return H.vertices, {edge: (H.members_of(edge), H.weight_of(edge)) for edge in H.hyperedges}


AWKWARD = {
    "nothing": Hypergraph.from_hyperedges({}),
    "isolated vertices": Hypergraph.from_hyperedges({"e": ["b", "c"]}, vertices=["a", "b", "z", "c"]),
    "isolated vertices alone": Hypergraph.from_hyperedges({}, vertices=["a", "b"]),
    "empty hyperedges": Hypergraph.from_hyperedges({"e": [], "f": ["a"], "g": []}, weights=[2, 1, 3]),
    "another order of vertices": Hypergraph.from_hyperedges({"e": ["a", "b"]}, vertices=["b", "a"]),
    "equal hyperedges": Hypergraph.from_hyperedges({"e": ["a"], "f": ["a"]}),
    "integers and strings of them": Hypergraph.from_hyperedges({1: [1, 2], "x": [3]}, vertices=["a"]),
    "decimals": Hypergraph.from_hyperedges([["a"]] * 2, weights=[Fraction(1, 10), Fraction(3, 10**20)]),
    "beyond doubles": Hypergraph.from_hyperedges([["a"]] * 2, weights=[2**53 + 1, 10**30 + 1]),
    "a third": Hypergraph.from_hyperedges([["a"]], weights=[Fraction(1, 3)]),
    "letters": Hypergraph.from_hyperedges({"é\u0301": ["Mühle", "水", "a b"]}),
}


def only_fractions_are_refused(H: Hypergraph, name: str) -> None:
    """Written and read, it is the same; or it has a weight that no decimal number equals, and is refused."""
    try:
        assert again(H, name) == H
    except FormatError:
        assert any(decimal_places(weight.denominator) is None for weight in H.weights)
        whole = Hypergraph(H.vertices, H.hyperedges, H.incidence, tuple(map(Fraction, [7] * len(H.hyperedges))))
        assert again(whole, name) == whole


@pytest.mark.parametrize("name", TEXTS)
class TestEveryFormat:
    @pytest.mark.parametrize("what", AWKWARD)
    def test_what_is_awkward_comes_back(self, name, what):
        only_fractions_are_refused(AWKWARD[what], name)

    @given(H=plain(labels=st.integers(-20, 20) | st.text("ab01", min_size=1, max_size=2).map("v{}".format)))
    def test_any_hypergraph_of_plain_labels_comes_back(self, name, H):
        only_fractions_are_refused(H, name)

    @given(H=plain())
    def test_any_other_hypergraph_comes_back_or_is_refused(self, name, H):
        with contextlib.suppress(FormatError):
            assert again(H, name) == H

    def test_annotations_are_kept_or_told_of(self, name):
        H = Hypergraph.from_hyperedges({"e": ["a"]}, annotations=Annotations(vertex_attributes={"a": {"lit": True}}))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            kept = again(H, name) == H
        assert kept or any("cannot hold attributes" in str(each.message) for each in told)

    def test_a_name_that_is_there_already_adds_to_it_or_is_refused(self, name):
        H = Hypergraph.from_hyperedges({"first": ["a", "b"], "second": ["c"]}, weights=[2, 2])
        text = "".join(next(entry for entry in io.FORMATS if entry.name == name).write(H))
        with contextlib.suppress(FormatError):
            found = read_text(text.replace("second", "first"), name)
            assert structure(found) == (("a", "b", "c"), {"first": (("a", "b", "c"), 2)})

    @pytest.mark.parametrize("weight", ["0", "-1", "x", "1e999999999", "nan", "inf", "NaN", "Infinity", "0x10", "1_0"])
    def test_what_is_no_weight_is_refused(self, name, weight):
        assert TEXTS_OF_A_WEIGHT[name].count(WEIGHT) >= 1
        with pytest.raises(FormatError):
            read_text(TEXTS_OF_A_WEIGHT[name].replace(WEIGHT, weight), name)

    @pytest.mark.parametrize("weight", ["0.1", "1E-3", "12345678901234567890.5"])
    def test_weights_are_exact(self, name, weight):
        found = read_text(TEXTS_OF_A_WEIGHT[name].replace(WEIGHT, weight), name)
        assert found.weight_of("ferry") == Fraction(weight)


WEIGHT = "987654"
TEXTS_OF_A_WEIGHT = {
    entry.name: "".join(entry.write(Hypergraph.from_hyperedges({"ferry": ["Quay"]}, weights=[int(WEIGHT)])))
    for entry in io.FORMATS
}

# Formats that are JSON, or JSON on every line: their text says so.
JSON = [name for name, text in TEXTS.items() if text.lstrip()[:1] in {"{", "["}]
OBJECT = re.compile(r'\{\s*("[^"]*"):')
STRING = re.compile(r'"[^"]*"(\s*:)?')  # with the colon, a name
NUMBER = re.compile(r"(?<=: )[0-9]+")


def replaced(text: str, found: tuple[int, int], new: str) -> str:
    return text[: found[0]] + new + text[found[1] :]


def arrays(text: str) -> list[tuple[int, int]]:
    decode = json.JSONDecoder().raw_decode
    return [(at, decode(text, at)[1]) for at, letter in enumerate(text) if letter == "["]


@pytest.mark.parametrize("name", JSON)
class TestJson:
    def test_it_is_hif_at_least(self, name):
        assert "hif" in JSON

    def test_a_field_twice_is_refused(self, name):
        for each in OBJECT.finditer(TEXTS[name]):
            with pytest.raises(FormatError, match="twice"):
                read_text(replaced(TEXTS[name], (each.start(1), each.start(1)), f"{each[1]}: 1, "), name)

    @pytest.mark.parametrize("new", ["1.5", "true", "null", "{}", '["Quay"]', "NaN", "[" * 10**5, "9" * 10**6])
    def test_no_other_value_stands_for_a_label(self, name, new):
        values = [each.span() for each in STRING.finditer(TEXTS[name]) if not each[1]]
        assert len(values) >= 6
        for span in values:
            with pytest.raises(FormatError):
                read_text(replaced(TEXTS[name], span, new), name)

    @pytest.mark.parametrize("new", ['"abc"', "{}", "true", "null", "1", "[" * 10**5 + "]" * 10**5, "[[]]"])
    def test_no_other_value_stands_for_a_list(self, name, new):
        for span in arrays(TEXTS[name]):
            with pytest.raises(FormatError):
                read_text(replaced(TEXTS[name], span, new), name)

    @pytest.mark.parametrize("new", ['"2"', "true", "null", "[2]", "NaN", "0", "-1"])
    def test_no_other_value_changes_a_weight(self, name, new):
        """An attribute of HIF may be anything; it changes no weight of a hyperedge."""
        for each in NUMBER.finditer(TEXTS[name]):
            with contextlib.suppress(FormatError):
                assert structure(read_text(replaced(TEXTS[name], each.span(), new), name)) == structure(HARBOUR)


def test_closed_streams_are_sentences(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(FormatError, match="Standard input is closed"):
        io.read("-", "hif")
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(FormatError, match="Standard output is closed"):
        io.write(HARBOUR, "-", "hif")


class _Short(streams.RawIOBase):
    """Takes a few bytes of each write, as a pipe or a disk that is nearly full; `then` is what it says at last."""

    def __init__(self, most=10**9, then=None):
        self.taken, self.most, self.then = b"", most, then

    def writable(self):
        return True

    def write(self, data):
        if len(self.taken) >= self.most:
            if isinstance(self.then, OSError):
                raise self.then
            return self.then
        self.taken += bytes(data[:3])
        return len(data[:3])


@pytest.mark.parametrize("format", ["hif", "edge-list", "incidence-csv"])
def test_a_stream_that_takes_a_part_is_given_the_rest(format):
    h = Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"], "launch": ["Quay", "Mole"]})
    stream, whole = _Short(), streams.BytesIO()
    io.write(h, stream, format)
    io.write(h, whole, format)
    assert stream.taken == whole.getvalue()


@pytest.mark.parametrize(
    ("then", "told"),
    [(None, "as it does not block"), (OSError(28, "No space left on device"), "No space left on device")],
)
def test_what_a_stream_does_not_take_is_told(then, told):
    h = Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]})
    with pytest.raises(FormatError, match=told):
        io.write(h, _Short(6, then), "hif")
    with pytest.raises(FormatError, match="this cannot be written"):
        io.write(Hypergraph.from_hyperedges([["é"]]), streams.TextIOWrapper(streams.BytesIO(), "ascii"), "edge-list")


class _Gives:
    """A stream whose pieces are of some type."""

    def __init__(self, *pieces):
        self.pieces = list(pieces)

    def read(self, _size):
        return self.pieces.pop(0) if self.pieces else b""


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda piece: array.array("b", piece)])
def test_the_pieces_of_a_stream_are_bytes_of_any_type(kind):
    h = io.read(_Gives(*map(kind, [b"a b\nc", b" d\n", b"e f\n"])), "edge-list")
    assert h.vertices == ("a", "b", "c", "d", "e", "f")


@pytest.mark.parametrize("pieces", [(5,), (b"a b\n", "c d\n"), ("a b\n", b"c d\n"), (b"a b\n", 5)])
def test_the_pieces_of_a_stream_are_of_one_kind(pieces):
    with pytest.raises(FormatError, match="its read gives"):
        io.read(_Gives(*pieces), "edge-list")


@pytest.mark.parametrize("options", [{"max_bytes": "3"}, {"max_bytes": 2.5}, {"budgets": 3}])
def test_limits_that_are_none(options):
    with pytest.raises(HyloopError, match=r"max_bytes is a number|budgets is a hyloop\.io\.Budgets"):
        io.read(streams.BytesIO(b"a b"), "edge-list", **options)
