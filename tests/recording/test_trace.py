"""Traces in files: what is written is read back, and what is none is refused with a sentence."""

import base64
import copy
import gzip
import json
import os
import sys
import threading
import tracemalloc
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hyloop
from effort import EXAMPLES
from hyloop import FormatError, HyloopError, Trace
from hyloop.io.budgets import Budgets
from hyloop.recording.schema import require_trace

H = hyloop.Hypergraph.from_hyperedges(
    {"</script>": ["<b>", 1, "1"], "x": [1, "é"]}, weights={"</script>": Fraction(1, 3)}
)


@pytest.fixture(scope="module")
def found():
    return hyloop.trace("dijkstra", H, source=1, name="a <b> & c.json")


@pytest.mark.parametrize("name", ["run.json", "run.json.gz", "run.html", "RUN.HTML"])
def test_written_and_read_back(found, name, tmp_path):
    found.save(tmp_path / name)
    again = Trace.load(tmp_path / name)
    assert again.document == found.document
    assert again.at(2) == found.at(2)
    for each in (found, again):  # also with the model of a page
        each.save(tmp_path / f"again-{name}")
        assert (tmp_path / name).read_bytes() == (tmp_path / f"again-{name}").read_bytes()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_read_and_not_waited_for_without_a_writer(found, tmp_path, monkeypatch):
    pipe = tmp_path / "run.html"
    os.mkfifo(pipe)
    with monkeypatch.context() as patience:
        patience.setattr(sys.modules[Trace.__module__], "BUDGETS", Budgets(wait_seconds=0.1))
        with pytest.raises(FormatError, match="a pipe without a writer"):
            Trace.load(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(found.to_json(),))
    writer.start()
    assert Trace.load(pipe).document == found.document
    writer.join()


def test_the_document_is_json_and_fits_the_schema(found):
    document = json.loads(found.to_json())
    assert document == found.document
    require_trace(document, "run.json")


def test_what_it_says_of_itself(found):
    assert repr(found) == "<Trace of dijkstra: 4 vertices, 2 hyperedges; 4 iterations, 13 frames with layers>"
    assert found.variables[:2] == ("distance", "predecessor")
    assert found.at(4)["distance"][1] == 0


def test_a_notebook_shows_the_page_in_a_frame(found):
    shown = found._repr_html_()
    assert shown.startswith("<iframe")
    assert "sandbox" in shown
    assert "<script" not in shown


@pytest.mark.parametrize("layer", [0, 4])
def test_a_frame_that_was_not_recorded(found, layer):
    with pytest.raises(HyloopError, match=f"Iteration 2, layer {layer} was not recorded"):
        found.at(2, layer)


def test_other_endings_are_refused(found, tmp_path):
    with pytest.raises(HyloopError, match=r"\.html, \.json or \.json\.gz"):
        found.save(tmp_path / "run.txt")
    with pytest.raises(HyloopError, match="cannot be written"):
        found.save(tmp_path / "no folder" / "run.json")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is no trace"),
        (b"{}", "is no trace"),
        (b"[1]", "is no trace"),
        (b"NaN", "NaN is no number"),
        (b'{"version": 2, "version": 2}', "'version' stands there twice"),
        (b"1e999", "1e999 is beyond every float"),
        (b'"\\ud800"', "half a letter"),
        (b"\xff\xfe", "is no trace"),
        (b"[" * 100_000, "nested too deeply"),
        (b"\x1f\x8bxx", "cannot be unpacked"),
        (gzip.compress(b"{", mtime=0), "is no trace"),
        (gzip.compress(b"{" * 99, mtime=0)[:12] + b"\xff" * 20, "this gzip file is cut off"),
        (b'{"format": "hyloop-trace", "version": 1}', "version 1; hyloop reads version 2. Record the run again"),
        (b"<html></html>", "."),
    ],
)
def test_files_that_are_no_traces(data, message, tmp_path):
    (tmp_path / "run.json").write_bytes(data)
    with pytest.raises(FormatError, match=message):
        Trace.load(tmp_path / "run.json")


def peak_of_loading(path, message):
    """The most bytes that are taken at a time until a file is refused."""
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=message):
            Trace.load(path)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["run.json", "run.html"])
def test_a_bomb_is_refused_while_it_is_small(name, tmp_path):
    bomb = gzip.compress(b'{"x":[' + b"[]," * 10_000_000, mtime=0)
    assert len(bomb) < 50_000
    if name == "run.html":
        bomb = b'<script type="text/plain" id="hyloop-trace">' + base64.b64encode(bomb) + b"</script>"
    (tmp_path / name).write_bytes(bomb)
    assert peak_of_loading(tmp_path / name, "more than 200 times its size") < 20_000_000


@pytest.mark.parametrize("name", ["run.json", "run.html"])
def test_many_values_in_few_letters_are_refused_before_they_are_read(name, tmp_path, monkeypatch):
    monkeypatch.setattr("hyloop.strict.ROOM", 50_000_000)
    text = b'{"x":[' + b"[]," * 1_000_000
    held = gzip.compress(text, mtime=0)
    page = b'<script type="text/plain" id="hyloop-trace">' + base64.b64encode(held) + b"</script>"
    (tmp_path / name).write_bytes(page if name == "run.html" else text)
    assert peak_of_loading(tmp_path / name, "memory") < 20_000_000


def test_a_page_of_many_bytes_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules["hyloop.recording.trace"], "MOST_PAGE", 1000)
    (tmp_path / "run.html").write_bytes(b"<p>" + b"x" * 1000)
    with pytest.raises(FormatError, match="this page has more than"):
        Trace.load(tmp_path / "run.html")


def test_a_missing_file(tmp_path):
    with pytest.raises(HyloopError, match="there is no such file"):
        Trace.load(tmp_path / "run.json")


MISFITS = [
    (("hypergraph", "weights"), [], "hyperedges"),
    (("hypergraph", "members"), [[9], [1]], "members"),
    (("hypergraph", "positions", "vertices"), [], "vertices"),
    (("frames", "layer"), [0], "frames"),
    (("columns",), [], "columns"),
    (("variables", 0, "column"), 999, "variables"),
    (("columns", 9, "row"), [], "changes"),
    (("columns", 9, "initial"), [1], "changes"),
    (("unit",), "1/0", "unit"),
    (("unit",), "abc", "unit"),
    (("unit",), "1e999999999", "unit"),
    (("unit",), "9" * 20_000, "unit"),
    (("columns", 9, "frame"), [9, 8, 7], "changes"),
    (("attention", 0, "start"), [0], "attention"),
]


@pytest.mark.parametrize(("path", "value", "message"), MISFITS)
def test_parts_that_do_not_fit(found, path, value, message):
    document = copy.deepcopy(dict(found.document))
    at = document
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    with pytest.raises(FormatError, match=f"does not fit together: {message}"):
        require_trace(document, "run.json")


def test_numbers_are_read_as_a_page_reads_them(found, tmp_path):
    """JavaScript knows no difference between 7 and 7.0, and rounds what has too many digits."""
    column = found.document["variables"][0]["column"]
    text = found.to_json().decode().replace(f'"column":{column},', f'"column":{column}.0,')
    text = text.replace('"infinity":', '"infinity":9007199254740993,"was":', 1)
    (tmp_path / "run.json").write_text(text, encoding="utf-8")
    read = Trace.load(tmp_path / "run.json")
    assert read.at(1)["distance"].keys() == found.at(1)["distance"].keys()
    assert read.document["model"]["infinity"] == 2**53
    (tmp_path / "run.json").write_text(text.replace("9007199254740993", "9" * 400), encoding="utf-8")
    with pytest.raises(FormatError, match="beyond every float"):
        Trace.load(tmp_path / "run.json")


junk = st.sampled_from([None, -1, 10**20, 0.5, "", "x", [], {}, [None], True])


def places(value, path=()):
    """Every place in a document, with few entries of each long list."""
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


@settings(max_examples=2 * EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_document_with_junk_in_it_is_refused_or_shown(found, data):
    document = json.loads(found.to_json())
    path = data.draw(st.sampled_from([place for place in places(document) if place]))
    at = document
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = data.draw(junk)
    try:
        require_trace(document, "run.json")
    except FormatError:
        return
    Trace(document).page()


@pytest.mark.parametrize("name", ["levels", "components", "scc", "helly"])
def test_what_is_written_of_large_weights_is_read_back(name, tmp_path):
    """These algorithms read no weights, so that any run; a trace must hold what is recorded of it."""
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[Fraction(1, 3), 10**20])
    found = hyloop.trace(name, h, **({"source": "a"} if name == "levels" else {}))
    found.save(tmp_path / "run.json.gz")
    assert Trace.load(tmp_path / "run.json.gz").document == found.document


@pytest.mark.parametrize(
    ("variable", "value"), [("predecessor", 99), ("predecessor", -1), ("hyperedge", 1.5), ("settled", 2), ("halt", 0.5)]
)
def test_a_state_that_is_no_value_of_its_kind_is_not_read(found, variable, value):
    """Of an edited model; 1.5 was read as 1, and 99 as none."""
    document = copy.deepcopy(found.document)
    column = next(each["column"] for each in document["variables"] if each["name"] == variable)
    document["columns"][column]["initial"] = value
    with pytest.raises(HyloopError, match=f"The transformer holds {value} for {variable} at row [01], which is no "):
        Trace(document).at(0)
