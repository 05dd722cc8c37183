"""The page that shows a trace: complete, harmless whatever the labels are, and readable again."""

import base64
import dataclasses
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyloop
from hyloop.errors import FormatError, HyloopError
from hyloop.machine.files import to_bytes
from hyloop.viewer import page as module
from hyloop.viewer.page import ROWS, document_of, frame, page, policy, runs_in_page, static

SCRIPT = 'const text = "é 😀 <b>" + (1 < 2 && 3 > 2);\n'
STYLE = "main > p { color: red }\n"
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--",
    "<!--<script>",
    "]]>",
    "\u2028\u2029",
    "\"'`&amp;&lt;",
    "{0}{title}%s",
    "😀",
    "\0\x1b[31m",
    "</title></style>",
    '<script type="text/plain" id="hyloop-trace">AAAA</script>',
]
texts = st.sampled_from(HOSTILE) | st.text(st.characters(codec="utf-8"), max_size=8)


@pytest.fixture(autouse=True, scope="module")
def _stand_ins():
    """A small script and style, so that these tests do not depend on how the viewer is built."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "static", {"viewer.js": SCRIPT, "viewer.css": STYLE}.__getitem__)
        yield


class Parsed(HTMLParser):
    """What a browser finds in a page."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._inside = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._inside = tag
        self.texts.append((tag, ""))

    def handle_endtag(self, tag):
        self._inside = ""

    def handle_data(self, data):
        if self._inside:
            tag, text = self.texts[-1]
            self.texts[-1] = (tag, text + data)

    def count(self, tag: str) -> int:
        return sum(each == tag for each, _ in self.tags)

    def text(self, tag: str, nth: int = 0) -> str:
        return [text for each, text in self.texts if each == tag][nth]


def trace(*labels: str, name: str = "harbour"):
    return {
        "format": "hyloop-trace",
        "version": 1,
        "algorithm": {"name": "dijkstra"},
        "hypergraph": {"name": name, "vertices": list(labels)},
    }


@given(st.lists(texts, max_size=4), texts)
def test_a_trace_comes_back_whatever_its_labels_are(labels, name):
    document = trace(*labels, name=name)
    assert document_of(page(document)) == document


@given(texts, texts)
def test_no_label_is_markup(label, name):
    html = page(trace(label, name=name), library={"examples": [label], "algorithms": [name]})
    parsed = Parsed(html)
    assert [parsed.count(tag) for tag in ("script", "style", "title", "main", "noscript")] == [4, 1, 1, 1, 1]
    assert json.loads(parsed.text("script", 1)) == {"examples": [label], "algorithms": [name]}
    assert gzip.decompress(base64.b64decode(parsed.text("script", 2))).decode() == SCRIPT
    assert parsed.text("style") == STYLE


def test_the_library_has_no_letter_that_html_or_javascript_takes_for_its_own():
    html = page(trace(), library={"file": "<>&\u2028\u2029"})
    assert '<script type="application/json" id="hyloop-library">' in html
    assert '{"file":"\\u003c\\u003e\\u0026\\u2028\\u2029"}' in html


def test_the_title_says_what_is_shown():
    assert Parsed(page(trace(name="a <b> & c"))).text("title") == "dijkstra on a <b> & c – hyloop"
    assert Parsed(page(trace(name=""))).text("title") == "dijkstra – hyloop"
    assert Parsed(page({"format": "hyloop-trace"})).text("title") == "A run – hyloop"


def test_the_policy_allows_the_script_in_the_page_and_what_unpacks_it_and_nothing_else():
    parsed = Parsed(page(trace()))
    [said] = [each["content"] for tag, each in parsed.tags if each.get("http-equiv") == "Content-Security-Policy"]
    start, viewer = (
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (parsed.text("script", 2), SCRIPT)
    )
    assert said == policy()
    assert said == (
        f"default-src 'none'; script-src 'sha256-{start}' 'sha256-{viewer}'; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    assert policy() in page(trace(), library={})


def test_the_policy_comes_before_what_it_rules():
    html = page(trace())
    assert html.index("Content-Security-Policy") < html.index("<style>") < html.index("<script")


def test_a_page_loads_nothing():
    html = page(trace("https://example.org/x.js"), library={})
    assert "http:" not in html
    assert "https:" not in html
    assert all("src" not in attributes for _, attributes in Parsed(html).tags)
    assert [each["href"] for tag, each in Parsed(html).tags if "href" in each] == ["data:,"]


def test_the_same_trace_gives_the_same_bytes():
    assert page(trace("a")) == page(trace("a"))
    packed = base64.b64decode(Parsed(page(trace("a"))).text("script"))
    assert packed[4:8] == bytes(4)  # no time
    assert packed[9] == 255  # no operating system


def _model_in(html):
    """The bytes of the model file in a page; None if there is none."""
    found = re.findall(r'<script type="text/plain" id="hyloop-model">([^<]*)</script>', html)
    return gzip.decompress(base64.b64decode(found[0])) if found else None


@pytest.fixture(scope="module")
def recorded():
    h = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]})
    return hyloop.trace("dijkstra", h, source="Quay")


def test_a_page_holds_the_model_whose_run_it_shows(recorded):
    html = recorded.page()
    assert _model_in(html) == to_bytes(recorded.model)
    assert document_of(html) == json.loads(recorded.to_json())
    assert {"http-equiv": "Content-Security-Policy", "content": policy()} in [each for _, each in Parsed(html).tags]


def test_a_model_that_a_page_would_not_compute_alike_is_left_out(recorded):
    model, document = recorded.model, recorded.document
    narrow = hyloop.compile("dijkstra", hyloop.Capacity(rows=50, weight=50), dtype="float32")
    many = {"hypergraph": {"vertices": list(range(ROWS + 1)), "hyperedges": []}}
    assert runs_in_page(model, document)
    assert not runs_in_page(dataclasses.replace(model), document)  # a copy, for which nobody vouches
    assert not runs_in_page(narrow, document)
    assert not runs_in_page(model, many)
    assert _model_in(page(document, model=narrow)) is None
    assert _model_in(page(document)) is None


def test_a_page_is_utf_8_and_fits_a_phone():
    html = page(trace())
    assert html.startswith('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n')
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in html


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("\ud800", "not valid Unicode"),
        (float("nan"), "a value that JSON has not"),
        ({1, 2}, "a value that JSON has not"),
    ],
)
def test_what_json_cannot_hold_is_refused_with_a_sentence(value, said):
    with pytest.raises(HyloopError, match=said):
        page({**trace(), "more": value})


def test_line_ends_are_those_that_a_browser_sees(tmp_path, monkeypatch):
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "viewer.js").write_bytes(b"a\r\nb\rc\n")
    monkeypatch.setattr(module, "files", lambda _: tmp_path)
    assert static("viewer.js") == "a\nb\nc\n"
    with pytest.raises(HyloopError, match=r"viewer\.css is missing .* install hyloop again"):
        static("viewer.css")


@pytest.mark.parametrize("script", ["'</script>'", "'</SCRIPT'", "'<!-- <script'", "'\0'"])
def test_a_script_that_would_end_early_is_refused(script, monkeypatch):
    monkeypatch.setattr(module, "static", lambda _: script)
    with pytest.raises(HyloopError, match="cannot stand in a page"):
        page(trace())


def test_a_style_that_would_end_early_is_refused(monkeypatch):
    monkeypatch.setattr(module, "static", lambda name: "</style>" if name == "viewer.css" else SCRIPT)
    with pytest.raises(HyloopError, match="cannot stand in a page"):
        page(trace())


# -- and back -------------------------------------------------------------------------------------------------------


def zipped(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def holding(data: bytes | str) -> str:
    text = data if isinstance(data, str) else base64.b64encode(data).decode()
    return f'<script type="text/plain" id="hyloop-trace">{text}</script>'


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("", "holds no trace"),
        ("<p>some other page</p>", "holds no trace"),
        ('<script type="text/plain" id="hyloop-trace">AAAA', "holds no trace"),
        (holding("é"), "not base64"),
        (holding("AAA"), "not base64"),
        (holding(""), "cut off"),
        (holding(b"no gzip"), "cannot be unpacked"),
        (holding(zipped(b"{}")[:-9]), "cut off"),
        (holding(zipped(b"{")), "not JSON"),
        (holding(zipped(b"\xff")), "not JSON"),
        (holding(zipped(b"[" * 200_000)), "not JSON"),
        (holding(zipped(b'{"format": NaN}')), "not JSON"),
        (holding(zipped(b'{"format": "hyloop-trace", "x": 1e999}')), "not JSON"),
        (holding(zipped(b'{"format": "hyloop-trace", "x": ' + b"9" * 5000 + b"}")), "not JSON"),
        (holding(zipped(b'{"format": "hyloop-trace"}') + b"more"), "cannot be unpacked"),
        (holding(zipped(b"[]")), "not a trace of hyloop"),
        (holding(zipped(b'{"format": "other"}')), "not a trace of hyloop"),
    ],
)
def test_a_page_without_a_trace_is_refused_with_a_sentence(html, said):
    with pytest.raises(FormatError, match=said):
        document_of(html)


def test_a_trace_that_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST", 1000)
    document_of(holding(zipped(b'{"format": "hyloop-trace"}' + b" " * 900)))
    with pytest.raises(FormatError, match=r"unpacks to more than 1,000 bytes"):
        document_of(holding(zipped(b'{"format": "hyloop-trace"}' + b" " * 10**6)))


# -- in a notebook --------------------------------------------------------------------------------------------------


@given(texts)
def test_a_frame_holds_the_page_and_reaches_nothing(label):
    html = page(trace(label, name=label))
    parsed = Parsed(frame(html, height=500))
    [(tag, attributes)] = parsed.tags
    assert tag == "iframe"
    assert attributes["srcdoc"] == html
    assert attributes["sandbox"] == "allow-scripts"
    assert attributes["height"] == "500"
