"""The server behind `hyloop view`: what it answers, whom it refuses, and how it ends. All over real sockets."""

import gzip
import http.client
import json
import signal
import socket
import struct
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from time import monotonic, sleep

import pytest

import commands
from hyloop import Hypergraph, Trace, io
from hyloop.algorithms import ALGORITHMS
from hyloop.errors import HyloopError
from hyloop.viewer import asked as asked_module
from hyloop.viewer import live
from hyloop.viewer import page as page_module
from hyloop.viewer import server as module
from hyloop.viewer.asked import Offer
from hyloop.viewer.example import HARBOUR as EXAMPLE
from hyloop.viewer.page import document_of
from hyloop.viewer.server import serve
from hyloop.viewer.turns import SupersededError, Turns

HARBOUR = Path(__file__).parents[2] / "examples" / "harbour.hif.json"
OFFERS = (
    Offer("dijkstra", "Least distance.", {"source": "vertex"}),
    Offer("odd", "", {"edge": "hyperedge", "deep": "flag", "steps": "count", "far": "length"}),
)
DOCUMENT = {"format": "hyloop-trace", "version": 1, "first": True}
WANTED = {
    "hypergraph": {
        "vertices": ["a", "b", 3],
        "hyperedges": [{"name": "e", "weight": "3/2", "members": ["a", 3]}, {"name": 1, "members": []}],
    },
    "algorithm": "dijkstra",
    "inputs": {"source": "a"},
}


@pytest.fixture(autouse=True)
def _stand_ins(monkeypatch):
    monkeypatch.setattr(page_module, "static", {"viewer.js": "'script'", "viewer.css": ""}.__getitem__)


def make(h, algorithm, inputs, keep):
    """A stand-in for recording: what was asked for."""
    return {
        "format": "hyloop-trace",
        "algorithm": {"name": algorithm},
        "vertices": list(h.vertices),
        "members": [list(h.members_of(name)) for name in h.hyperedges],
        "weights": [str(weight) for weight in h.weights],
        "inputs": {name: str(value) for name, value in inputs.items()},
        "keep": [[label, *point] for label, point in keep.items()],
    }


@pytest.fixture
def serving():
    with serve(DOCUMENT, make, algorithms=OFFERS, file="harbour.hif.json") as each:
        yield each


class Asker:
    """A client that says exactly what it is told to."""

    def __init__(self, serving):
        self.serving = serving
        self.host = f"127.0.0.1:{serving.port}"

    def ask(self, method="GET", path=None, body=None, drop=(), **headers):
        """The answer to a request that is right but for what is said here."""
        path = f"/?token={self.serving.token}" if path is None else path
        said = {"Host": self.host}
        if method == "POST":
            said |= {"X-Hyloop-Token": self.serving.token, "Content-Type": "application/json"}
            said["Content-Length"] = str(len(body or b""))
        said |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.serving.port, timeout=60)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in said.items():
                if name not in drop:
                    connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            return Answer(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            connection.close()

    def post(self, path, document, **headers):
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        return self.ask("POST", path, body, **headers)

    def run(self, **changes):
        return self.post("/api/run", {**WANTED, **changes})


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        packed = self.headers.get("Content-Encoding") == "gzip"
        return json.loads(gzip.decompress(self.body) if packed else self.body)

    @property
    def error(self):
        assert set(self.json) == {"error"}
        assert self.json["error"].endswith((".", "?"))
        return self.json["error"]


@pytest.fixture
def asker(serving):
    return Asker(serving)


def said(html: str) -> dict:
    """What a live page knows of its server."""
    return json.loads(html.partition('id="hyloop-live">')[2].partition("</script>")[0])


# -- answers --------------------------------------------------------------------------------------------------------


def test_the_page_holds_the_trace_and_what_it_needs_to_ask_for_more(asker, serving):
    answer = asker.ask()
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert document_of(answer.body.decode()) == DOCUMENT
    assert said(answer.body.decode()) == {
        "token": serving.token,
        "algorithms": [
            {"name": "dijkstra", "about": "Least distance.", "inputs": [{"name": "source", "kind": "vertex"}]},
            {
                "name": "odd",
                "about": "",
                "inputs": [
                    {"name": "edge", "kind": "hyperedge"},
                    {"name": "deep", "kind": "flag"},
                    {"name": "steps", "kind": "count"},
                    {"name": "far", "kind": "length"},
                ],
            },
        ],
        "file": "harbour.hif.json",
    }


def test_a_run_is_what_was_asked_for_exactly(asker):
    answer = asker.run(positions={"vertices": [[3, [0.25, 7]], ["3", [0, 0]], ["gone", [0, 0]]]})
    assert answer.status == 200
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.json == {
        "format": "hyloop-trace",
        "algorithm": {"name": "dijkstra"},
        "vertices": ["a", "b", 3],
        "members": [["a", 3], []],
        "weights": ["1.5", "1"],
        "inputs": {"source": "a"},
        "keep": [[3, 0.25, 1.0]],
    }


def test_a_page_that_is_loaded_again_shows_the_last_run(asker):
    made = asker.run().json
    assert document_of(asker.ask().body.decode()) == made


def test_inputs_are_read_by_their_kinds(asker):
    inputs = {"edge": 1, "deep": True, "steps": 4, "far": "1/3"}
    assert asker.run(algorithm="odd", inputs=inputs).json["inputs"] == {
        "edge": "1",
        "deep": "True",
        "steps": "4",
        "far": str(Fraction(1, 3)),
    }


def test_a_hypergraph_can_be_had_as_hif(asker, tmp_path):
    document = {"vertices": ["a", 2], "hyperedges": [{"name": "é", "weight": "0.5", "members": [2]}]}
    answer = asker.post("/api/hif", {"hypergraph": document})
    assert answer.status == 200
    (tmp_path / "h.hif.json").write_bytes(answer.body)
    h = io.read(tmp_path / "h.hif.json")
    assert (h.vertices, h.members_of("é"), h.weights) == (("a", 2), (2,), (Fraction(1, 2),))


def test_every_answer_has_the_headers_that_keep_it_in_its_place(asker):
    answers = [asker.ask(), asker.run(), asker.run(algorithm="none"), asker.ask("PUT"), asker.ask(path="/x")]
    assert [each.status for each in answers] == [200, 200, 400, 405, 404]
    for answer in answers:
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert answer.headers["Server"] == "hyloop"
        assert answer.headers["Content-Security-Policy"] == (f"{page_module.policy(live=True)}; frame-ancestors 'none'")
        assert "Access-Control-Allow-Origin" not in answer.headers


# -- whom it refuses ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "LOCALHOST:{port}"]
)
def test_a_request_by_another_name_is_refused(asker, serving, method, host):
    path = None if method == "GET" else "/api/run"
    answer = asker.ask(method, path, b"{}" if method == "POST" else None, Host=host.format(port=serving.port))
    assert answer.status == 403
    assert str(serving.port) not in answer.error


def test_a_request_without_a_name_is_refused(asker):
    assert asker.ask(drop=("Host",)).status == 403


def test_a_request_with_two_names_is_refused(serving):
    request = f"GET /?token={serving.token} HTTP/1.1\r\nHost: 127.0.0.1:{serving.port}\r\nHost: evil\r\n\r\n"
    assert raw(serving, request.encode()).startswith(b"HTTP/1.1 403 ")


def test_localhost_is_a_name_of_this_machine(asker, serving):
    name = f"localhost:{serving.port}"
    assert asker.ask(Host=name).status == 200
    assert asker.post("/api/run", WANTED, Host=name, Origin=f"http://{name}").status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://localhost", ""])
def test_a_request_from_another_site_is_refused(asker, serving, origin):
    origin = origin.format(port=serving.port)
    assert asker.ask(Origin=origin).status == 403
    assert asker.post("/api/run", WANTED, Origin=origin).status == 403
    assert asker.post("/api/close", {}, Origin=origin).status == 403


def test_a_browser_that_says_another_site_sent_it_is_refused(asker):
    assert asker.ask(Sec_Fetch_Site="cross-site").status == 403
    assert asker.ask(Sec_Fetch_Site="none").status == 200
    assert asker.post("/api/run", WANTED, Sec_Fetch_Site="cross-site").status == 403
    assert asker.post("/api/run", WANTED, Sec_Fetch_Site="same-origin").status == 200


@pytest.mark.parametrize(
    "path", ["/", "/?token=", "/?token=wrong", "/?token=%ff%00", "/?token={t}&token={t}", "/?t={t}"]
)
def test_the_page_needs_the_token(asker, serving, path):
    assert asker.ask(path=path.format(t=serving.token)).status == 403


@pytest.mark.parametrize("path", ["/api/run", "/api/hif", "/api/close"])
def test_what_the_page_asks_for_needs_the_token_in_a_header(asker, serving, path):
    for wrong in ("wrong", "é", ""):
        assert asker.post(path, WANTED, X_Hyloop_Token=wrong).status == 403
    assert asker.post(path, WANTED, drop=("X-Hyloop-Token",)).status == 403
    assert asker.post(f"{path}?token={serving.token}", WANTED, drop=("X-Hyloop-Token",)).status == 403


def test_the_token_of_one_server_is_none_of_another(asker, serving):
    with serve(DOCUMENT, make) as other:
        assert other.token != serving.token
        assert other.port != serving.port
        assert Asker(other).ask().status == 200
        assert Asker(other).ask(path=f"/?token={serving.token}").status == 403
        assert asker.ask(path=f"/?token={other.token}").status == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "BREW"])
def test_other_methods_are_refused(asker, method):
    assert asker.ask(method).status == 405


def test_a_path_has_its_one_method(asker, serving):
    answer = asker.ask(path=f"/api/run?token={serving.token}")
    assert (answer.status, answer.headers["Allow"]) == (405, "POST")
    answer = asker.post("/", WANTED)
    assert (answer.status, answer.headers["Allow"]) == (405, "GET")


@pytest.mark.parametrize(
    "path", ["/favicon.ico", "/api", "/api/run/", "/../etc/passwd", "/static/viewer.js", "http://x/"]
)
def test_other_paths_are_not_there(asker, serving, path):
    assert asker.ask(path=f"{path}?token={serving.token}").status == 404
    assert asker.post(path, WANTED).status == 404


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
def test_a_request_that_is_not_json_by_its_type_is_refused(asker, kind):
    assert asker.post("/api/run", WANTED, Content_Type=kind).status == 415
    assert asker.post("/api/run", WANTED, Content_Type="Application/JSON; charset=utf-8").status == 200


def test_a_request_without_a_type_is_refused(asker):
    assert asker.post("/api/run", WANTED, drop=("Content-Type",)).status == 415


def test_a_request_that_does_not_say_its_length_is_refused(asker):
    assert asker.post("/api/run", b"", drop=("Content-Length",)).status == 411
    assert asker.post("/api/run", b"", Content_Length="-1").status == 411
    assert asker.post("/api/run", b"", Content_Length="²").status == 411
    assert asker.post("/api/run", b"0\r\n\r\n", drop=("Content-Length",), Transfer_Encoding="chunked").status == 411


def test_a_request_of_too_many_values_is_refused_before_they_are_read(monkeypatch):
    body = b'{"hypergraph": [' + b"[]," * 1000 + b"1]}"
    assert len(asked_module.read(body)["hypergraph"]) == 1001
    monkeypatch.setattr(asked_module, "ROOM", 100_000)
    with pytest.raises(HyloopError, match=r"The request is too large: .* memory"):
        asked_module.read(body)


def test_a_request_that_is_too_long_is_refused_before_it_is_read(asker, monkeypatch):
    assert asker.post("/api/run", b"{}", Content_Length="64000001").status == 413
    assert asker.post("/api/run", b"{}", Content_Length="9" * 4500).status == 413
    monkeypatch.setattr(module, "MOST_BYTES", 1000)
    assert asker.post("/api/run", b" " * 2_000_000).status == 413


def test_what_is_no_http_at_all_is_refused(serving):
    assert b" 400 " in raw(serving, b"hello\r\n\r\n")
    assert b" 400 " in raw(serving, b"GET / HTTP/x\r\n\r\n")
    assert b" 403 " in raw(serving, b"GET /\r\n\r\n")
    assert b" 414 " in raw(serving, b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n")
    assert b" 431 " in raw(serving, b"GET / HTTP/1.1\r\n" + b"".join(b"a%d: b\r\n" % n for n in range(200)) + b"\r\n")


def raw(serving, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", serving.port), timeout=60) as stream:
        stream.sendall(request)
        answer = b""
        while piece := stream.recv(65536):
            answer += piece
        return answer


# -- a user's mistakes ----------------------------------------------------------------------------------------------


def hypergraph(*hyperedges, vertices=("a", "b")):
    return {"vertices": list(vertices), "hyperedges": list(hyperedges)}


def edge(name="e", weight="1", members=("a",)):
    return {"name": name, "weight": weight, "members": list(members)}


MISTAKES = [
    ({"hypergraph": None}, "hypergraph must be an object"),
    ({"hypergraph": {}}, "hypergraph.vertices must be a list"),
    ({"hypergraph": {"vertices": "ab", "hyperedges": []}}, "hypergraph.vertices must be a list"),
    ({"hypergraph": {"vertices": []}}, "hypergraph.hyperedges must be a list"),
    ({"hypergraph": {**hypergraph(), "colour": 1}}, "has a field 'colour'"),
    ({"hypergraph": hypergraph(7)}, "must be an object, not 7"),
    ({"hypergraph": hypergraph({"name": "e", "members": "ab"})}, "members must be a list"),
    ({"hypergraph": hypergraph({**edge(), "colour": 1})}, "has a field 'colour'"),
    ({"hypergraph": hypergraph(vertices=["a", "a"])}, "two of vertex 'a'"),
    ({"hypergraph": hypergraph(vertices=["a", True])}, "True cannot be a label"),
    ({"hypergraph": hypergraph(vertices=["a", 1.0])}, "1.0 cannot be a label"),
    ({"hypergraph": hypergraph(vertices=["a", None])}, "None cannot be a label"),
    ({"hypergraph": hypergraph(vertices=["a", "\ud800"])}, "not valid Unicode"),
    ({"hypergraph": hypergraph(vertices=["a", 10**1001])}, "more than 1000 digits"),
    ({"hypergraph": hypergraph(edge(), edge())}, "two hyperedges 'e'"),
    ({"hypergraph": hypergraph(edge(name=None))}, "None cannot be a label"),
    ({"hypergraph": hypergraph(edge(members=["a", "c"]))}, "there is no such vertex"),
    ({"hypergraph": hypergraph(edge(members=["a", "a"]))}, "two of member of 'e' 'a'"),
    ({"hypergraph": hypergraph(edge(weight=1.5))}, "must be text"),
    ({"hypergraph": hypergraph(edge(weight="0"))}, "must be positive"),
    ({"hypergraph": hypergraph(edge(weight="-1/2"))}, "must be positive"),
    ({"hypergraph": hypergraph(edge(weight="1/0"))}, "is not a number"),
    ({"hypergraph": hypergraph(edge(weight="heavy"))}, "is not a number"),
    ({"hypergraph": hypergraph(edge(weight=""))}, "is not a number"),
    ({"hypergraph": hypergraph(edge(weight="1e999999999"))}, "beyond the limit"),
    ({"hypergraph": hypergraph(edge(weight="9" * 10_000))}, "a number may have"),
    ({"algorithm": "sorting"}, "There is no algorithm 'sorting'; there are dijkstra, odd."),
    ({"algorithm": None}, "There is no algorithm None"),
    ({"algorithm": ["dijkstra"]}, "There is no algorithm"),
    ({"inputs": []}, "inputs must be an object"),
    ({"inputs": {}}, "dijkstra needs source, a vertex."),
    ({"inputs": {"source": "a", "goal": "b"}}, "has no input 'goal'"),
    ({"inputs": {"source": "c"}}, "There is no vertex 'c'"),
    ({"inputs": {"source": 4}}, "There is no vertex 4"),
    ({"inputs": {"source": True}}, "True cannot be a label"),
    ({"inputs": {"source": {"a": 1}}}, "cannot be a label"),
    ({"algorithm": "odd", "inputs": {"edge": "e", "deep": 1, "steps": 1, "far": 1}}, "deep is a flag"),
    ({"algorithm": "odd", "inputs": {"edge": "e", "deep": True, "steps": "x", "far": 1}}, "steps cannot be used"),
    ({"algorithm": "odd", "inputs": {"edge": 9, "deep": True, "steps": 1, "far": 1}}, "no hyperedge 9"),
    ({"positions": []}, "positions must be an object"),
    ({"positions": {"edges": {}}}, "has a field 'edges'"),
    ({"positions": {"vertices": {"a": [1]}}}, "positions.vertices must be a list"),
    ({"positions": {"vertices": ["a"]}}, "expected a label and a point"),
    ({"positions": {"vertices": [["a", [1]]]}}, "expected two numbers"),
    ({"positions": {"vertices": [[2**53, [1, 1]]]}}, "9007199254740992 cannot be a label here"),
    ({"positions": {"vertices": [["a", [1, True]]]}}, "expected two numbers"),
    ({"positions": {"vertices": [["a", [1, 10**400]]]}}, "expected two numbers"),
    ({"colour": "red"}, "The request has a field 'colour'"),
]


@pytest.mark.parametrize(("changes", "sentence"), MISTAKES)
def test_a_mistake_is_a_sentence(asker, changes, sentence):
    answer = asker.run(**changes)
    assert answer.status == 400
    assert sentence in answer.error


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[]", "must be an object"),
        (b'{"a": 1, "a": 1}', "a field twice"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": ' + b"9" * 10_000 + b"}", "not JSON"),
        (b"[" * 500_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_a_body_that_is_no_request_is_a_sentence(asker, body, sentence):
    for path in ("/api/run", "/api/hif"):
        answer = asker.post(path, body)
        assert answer.status == 400
        assert sentence in answer.error


def test_what_hif_cannot_hold_is_a_sentence(asker):
    answer = asker.post("/api/hif", {"hypergraph": hypergraph(edge(weight="1/3"))})
    assert (answer.status, "no decimal number equals" in answer.error) == (400, True)


@pytest.mark.parametrize(
    ("wrong", "status"), [(HyloopError("Too heavy."), 400), (MemoryError(), 400), (RuntimeError("inside"), 500)]
)
def test_what_goes_wrong_in_a_run_is_a_sentence_and_the_server_goes_on(wrong, status, capsys):
    def fails(*_):
        raise wrong

    with serve(DOCUMENT, fails, algorithms=OFFERS) as serving:
        answer = Asker(serving).run()
        assert answer.status == status
        assert "inside" not in answer.error
        assert Asker(serving).ask().status == 200
    assert ("inside" in capsys.readouterr().err) is (status == 500)


def test_nothing_is_written_to_the_terminal(asker, capfd):
    asker.ask()
    asker.ask(path="/x")
    asker.run(algorithm="none")
    asker.ask("BREW")
    assert capfd.readouterr() == ("", "")


# -- several at once ------------------------------------------------------------------------------------------------


class Slow:
    """A run that lasts until it is let go."""

    def __init__(self):
        self.began, self.go = threading.Semaphore(0), threading.Semaphore(0)
        self.made: list[str] = []
        self.at_once = self.most_at_once = 0

    def __call__(self, h, algorithm, inputs, keep):
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.began.release()
        assert self.go.acquire(timeout=60)
        self.at_once -= 1
        self.made.append(inputs["source"])
        return make(h, algorithm, inputs, keep)


def waiting(serving, number: int) -> None:
    """Wait until so many runs have been asked for."""
    turns = serving._listener.shown.turns
    with turns._changed:
        assert turns._changed.wait_for(lambda: turns._newest >= number, timeout=60)


def test_one_run_at_a_time_and_of_those_that_wait_the_newest():
    slow = Slow()
    with serve(DOCUMENT, slow, algorithms=OFFERS) as serving, ThreadPoolExecutor() as pool:
        asker = Asker(serving)
        answers = []
        for number, source in enumerate(["a", "b", 3]):
            answers.append(pool.submit(asker.run, inputs={"source": source}))
            waiting(serving, number + 1)
        assert answers[1].result(20).status == 409  # while the first one still runs
        assert asker.ask().status == 200  # and the page is there all the same
        slow.go.release(2)
        assert [each.result(20).status for each in answers] == [200, 409, 200]
    assert slow.made == ["a", 3]
    assert slow.most_at_once == 1


def test_many_pages_at_once(asker):
    with ThreadPoolExecutor(16) as pool:
        pages = list(pool.map(lambda _: asker.ask(), range(64)))
        runs = list(pool.map(lambda _: asker.run(), range(64)))
    assert {each.status for each in pages} == {200}
    assert {each.status for each in runs} <= {200, 409}
    assert 200 in {each.status for each in runs}


def test_whoever_says_nothing_keeps_nobody_waiting(asker, serving):
    silent = [socket.create_connection(("127.0.0.1", serving.port)) for _ in range(20)]
    silent[0].sendall(b"GET / HT")
    silent[1].sendall(b"POST /api/run HTTP/1.1\r\nContent-Length: 100\r\n\r\n{")
    try:
        assert asker.ask().status == 200
        assert asker.run().status == 200
    finally:
        for each in silent:
            each.close()


def test_whoever_takes_too_long_is_hung_up_on(serving, monkeypatch):
    monkeypatch.setattr(module, "HEAD_PATIENCE", 0.1)
    assert raw(serving, b"GET / HT") == b""
    monkeypatch.setattr(module, "HEAD_PATIENCE", 10)
    monkeypatch.setattr(module, "PATIENCE", 0.1)
    assert b" 408 " in raw(serving, head_of(serving, "Content-Length: 100") + b"{")


def head_of(serving, *lines: str, path: str = "/api/run") -> bytes:
    """The head of a request that is right, but for what is said here."""
    who = f"Host: 127.0.0.1:{serving.port}\r\nX-Hyloop-Token: {serving.token}"
    return "\r\n".join([f"POST {path} HTTP/1.1", who, "Content-Type: application/json", *lines, "", ""]).encode()


@pytest.mark.parametrize("says", ["GET / HTTP/1.1\r\n", "", "POST /api/run"])
def test_whoever_says_a_little_now_and_then_is_hung_up_on(serving, monkeypatch, says):
    monkeypatch.setattr(module, "HEAD_PATIENCE", 0.6)
    began, before = monotonic(), threading.active_count()
    with socket.create_connection(("127.0.0.1", serving.port), timeout=60) as stream, suppress(ConnectionError):
        stream.sendall(says.encode())
        stream.settimeout(0.05)
        while monotonic() < began + 10:
            stream.sendall(b"A: b\r\n" if says.endswith("\n") else b"a")
            with suppress(TimeoutError):
                if not stream.recv(100):
                    break
    assert monotonic() - began < 5
    assert eventually(lambda: threading.active_count() <= before)


def test_a_body_that_drips_is_hung_up_on(serving, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.6)
    began, answer = monotonic(), b""
    with socket.create_connection(("127.0.0.1", serving.port), timeout=60) as stream:
        stream.sendall(head_of(serving, "Content-Length: 1000000"))
        stream.settimeout(0.05)
        while not answer and monotonic() < began + 10:
            stream.sendall(b" ")
            with suppress(TimeoutError):
                answer = stream.recv(100)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert monotonic() - began < 5


def eventually(holds) -> bool:
    until = monotonic() + 60  # a busy machine takes its time
    while not holds() and monotonic() < until:
        sleep(0.02)
    return holds()


def test_there_are_only_so_many_connections(asker, serving, monkeypatch):
    monkeypatch.setattr(module, "MOST_OPEN", 5)
    before = threading.active_count()
    held = [socket.create_connection(("127.0.0.1", serving.port), timeout=60) for _ in range(12)]
    assert all(each.recv(100).startswith(b"HTTP/1.1 503 ") for each in held[5:])
    assert threading.active_count() == before + 5
    for each in held:
        each.close()
    assert eventually(lambda: threading.active_count() == before)
    assert asker.ask().status == 200


def test_a_client_is_told_to_go_on_only_if_it_is_answered(serving):
    body = json.dumps(WANTED).encode()
    expect = ["Expect: 100-continue", f"Content-Length: {len(body)}"]
    with socket.create_connection(("127.0.0.1", serving.port), timeout=60) as stream:
        stream.sendall(head_of(serving, *expect))
        assert stream.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        stream.sendall(body)
        assert stream.recv(100).startswith(b"HTTP/1.1 200 ")
    right = head_of(serving, *expect)
    for head in (
        right.replace(serving.token.encode(), b"wrong"),
        right.replace(b"Host: 127.0.0.1", b"Host: evil"),
        right.replace(b"Expect", b"Origin: http://evil.example\r\nExpect"),
    ):
        assert raw(serving, head).startswith(b"HTTP/1.1 403 ")
    assert raw(serving, head_of(serving, "Expect: 100-continue", f"Content-Length: {10**9}")).startswith(
        b"HTTP/1.1 413 "
    )


def test_a_page_may_ask_for_as_much_as_it_shows_and_the_usual_at_least(monkeypatch):
    monkeypatch.setattr(asked_module, "MOST", 3)
    monkeypatch.setattr(asked_module, "MOST_MEMBERS", 4)
    shown = {**DOCUMENT, "hypergraph": {"vertices": list(range(5)), "hyperedges": [1], "members": [[1, 2, 3, 4, 5]]}}
    for document, rows, members in ((DOCUMENT, 3, 4), (shown, 5, 5)):
        with serve(document, make, algorithms=OFFERS) as serving:
            for wanted, sentence in sizes(rows, members).items():
                answer = Asker(serving).run(hypergraph=json.loads(wanted), inputs={"source": 0})
                assert (answer.status, answer.json.get("error", "")[: len(sentence)]) == (
                    400 if sentence else 200,
                    sentence,
                )
                hif = Asker(serving).post("/api/hif", {"hypergraph": json.loads(wanted)})
                assert hif.status == answer.status


def sizes(rows: int, members: int) -> dict[str, str]:
    """Hypergraphs that just fit and that just do not, and how what is said of them begins."""
    pairs = [edge(name, members=[0, 1]) for name in range(members // 2)]
    odd = [edge("odd", members=[0])] * (members % 2)
    said = "The page asks for {:,} {}, and at most {:,} are run from here"
    return {
        json.dumps(hypergraph(vertices=range(rows))): "",
        json.dumps(hypergraph(vertices=range(rows + 1))): said.format(rows + 1, "vertices", rows),
        json.dumps(hypergraph(*(edge(e, members=[]) for e in range(rows)), vertices=[0])): "",
        json.dumps(hypergraph(*(edge(e, members=[]) for e in range(rows + 1)), vertices=[0])): said.format(
            rows + 1, "hyperedges", rows
        ),
        json.dumps(hypergraph(*pairs, *odd, vertices=range(2))): "",
        json.dumps(hypergraph(*pairs, *odd, edge("x", members=[1]), vertices=range(2))): said.format(
            members + 1, "members", members
        ),
    }


def test_turns_end():
    turns = Turns()
    with turns.mine(), ThreadPoolExecutor(1) as pool:
        other = pool.submit(lambda: turns.mine().__enter__())
        with turns._changed:
            assert turns._changed.wait_for(lambda: turns._newest == 2, timeout=60)
        turns.end()
        with pytest.raises(SupersededError):
            other.result(20)


# -- the end --------------------------------------------------------------------------------------------------------


def free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def test_it_listens_on_this_machine_only(serving):
    assert serving._listener.socket.getsockname()[0] == "127.0.0.1"
    assert serving.address == f"http://127.0.0.1:{serving.port}/?token={serving.token}"


def test_closing_frees_the_port_and_leaves_no_thread():
    before = set(threading.enumerate())
    with serve(DOCUMENT, make, algorithms=OFFERS) as serving:
        port = serving.port
        assert Asker(serving).run().status == 200
        silent = socket.create_connection(("127.0.0.1", port))
        Asker(serving).ask()
    assert set(threading.enumerate()) - before == set()
    assert free(port)
    silent.close()
    with serve(DOCUMENT, make, port=port) as again:
        assert again.port == port
    serving.close()  # once more does no harm


def test_the_page_can_close_the_server(asker, serving):
    port = serving.port
    answer = asker.ask("POST", "/api/close", b"")
    assert (answer.status, answer.json) == (200, {"closed": True})
    serving.wait()
    assert free(port)


def test_a_run_that_waits_gives_up_when_the_server_closes():
    slow = Slow()
    with ThreadPoolExecutor() as pool, serve(DOCUMENT, slow, algorithms=OFFERS) as serving:
        runs = []
        for number in (1, 2):
            runs.append(pool.submit(Asker(serving).run))
            waiting(serving, number)
        closing = pool.submit(serving.close)
        assert runs[1].result(20).status == 409
        slow.go.release()
        assert runs[0].result(20).status == 200
        closing.result(20)


def test_a_port_in_use_is_a_sentence(serving):
    with pytest.raises(HyloopError, match=rf"Port {serving.port} cannot be used \(.*\); choose another"):
        serve(DOCUMENT, make, port=serving.port)
    with pytest.raises(HyloopError, match="no such port"):
        serve(DOCUMENT, make, port=70_000)


# -- the command ----------------------------------------------------------------------------------------------------

COMMAND = """
import sys
from pathlib import Path
import typer
from hyloop.cli import app, main
from hyloop.cli.view import view
from hyloop.viewer import page
page.static = {"viewer.js": "0", "viewer.css": ""}.__getitem__
if not any(each.name == "view" for each in app.registered_commands):
    app.command("view")(view)
sys.argv = ["hyloop", "view", *sys.argv[1:]]
main()
"""


class Command(subprocess.Popen):
    """A command that does not outlive a test that failed: otherwise the test would wait for it for ever."""

    def __exit__(self, kind, error, trace):
        if kind is not None:
            self.kill()
        super().__exit__(kind, error, trace)


def started(*arguments: str) -> subprocess.Popen[str]:
    return Command(
        [*commands.python(), "-c", COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


class At:
    """A server in another process, by its address."""

    def __init__(self, address: str) -> None:
        self.port = int(address.partition("127.0.0.1:")[2].partition("/")[0])
        self.token = address.partition("token=")[2]


def until_address(command: subprocess.Popen[str]) -> tuple[list[str], At]:
    """What the command says until it waits, and the server it runs."""
    lines = []
    for each in command.stdout:
        lines.append(each.rstrip("\n"))
        if lines[-1] == "Ctrl-C ends it.":
            return lines, At(lines[-2])
    raise AssertionError(command.stderr.read())


def test_the_command_goes_on_when_clients_hang_up():
    with started("--no-browser") as command:
        _, at = until_address(command)
        vertices = list(range(300))
        wanted = {
            **WANTED,
            "hypergraph": hypergraph(*(edge(e, members=[e, e + 1]) for e in vertices[:-1]), vertices=vertices),
            "inputs": {"source": 0},
        }
        body = json.dumps(wanted).encode()
        page = f"GET /?token={at.token} HTTP/1.1\r\nHost: 127.0.0.1:{at.port}\r\n\r\n".encode()
        run = head_of(at, f"Content-Length: {len(body)}") + body
        two = head_of(at, f"Content-Length: {len(body)}", "Expect: 100-continue") + body  # is answered twice
        for request in [page, run, two, b"GET / HTTP/1.1\r\n\r\n"] * 4:
            for reset in (False, True):
                hang_up(at, request, reset=reset)
        assert Asker(at).ask().status == 200
        assert eventually(lambda: Asker(at).run().status == 200)
        assert command.poll() is None
        assert Asker(at).post("/api/close", {}).status == 200
        rest, errors = command.communicate(timeout=60)
        assert (rest, errors, command.returncode) == ("Closed.\n", "", 0)


def hang_up(at: At, request: bytes, *, reset: bool) -> None:
    """Ask, and go away before there is an answer."""
    with socket.create_connection(("127.0.0.1", at.port), timeout=60) as stream:
        stream.sendall(request)
        if reset:  # after an end in peace, so that the next word to this client is one into a closed pipe
            stream.shutdown(socket.SHUT_WR)
            sleep(0.05)
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="this system has no such signal")
def test_closed_pipes_are_as_before_when_it_has_closed():
    before = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        with serve(DOCUMENT, make) as serving:
            assert signal.getsignal(signal.SIGPIPE) is signal.SIG_IGN
            with ThreadPoolExecutor(1) as pool:  # where nobody can say anything about signals
                pool.submit(serving.close).result(20)
                with pool.submit(serve, DOCUMENT, make).result(20) as other:
                    assert Asker(other).ask().status == 200
        assert signal.getsignal(signal.SIGPIPE) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGPIPE, before)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_the_command_shows_the_example_and_ends_when_told(number, status):
    with started("--no-browser") as command:
        lines, at = until_address(command)
        assert lines[0] == "source: Quay, the first there is; the page can change it."
        document = document_of(Asker(at).ask().body.decode())
        assert document["algorithm"]["name"] == "dijkstra"
        command.send_signal(number)
        rest, errors = command.communicate(timeout=60)
        assert (rest, errors, command.returncode) == ("Closed.\n", "", status)


def test_the_command_runs_what_the_page_asks_for():
    with started("dijkstra", str(HARBOUR), "--source", "Mill", "--no-browser") as command:
        lines, at = until_address(command)
        assert len(lines) == 2
        assert said(Asker(at).ask().body.decode())["file"] == "harbour.hif.json"
        answer = Asker(at).run(positions={"vertices": [["a", [0.25, 0.5]]]})
        assert answer.status == 200
        assert answer.json["hypergraph"]["weights"] == ["1.5", "1"]
        assert answer.json["hypergraph"]["positions"]["vertices"][0] == [0.25, 0.5]
        assert Asker(at).run(inputs={"source": "c"}).status == 400
        assert Asker(at).run(algorithm="components", inputs={}).status == 200
        assert Asker(at).post("/api/close", {}).status == 200
        rest, errors = command.communicate(timeout=60)
        assert (rest, errors, command.returncode) == ("Closed.\n", "", 0)


def test_the_command_takes_an_algorithm_of_ones_own():
    own = str(HARBOUR.parent / "core.py")
    with started(own, str(HARBOUR), "--no-browser") as command:
        assert "core needs k, a count: --input k=VALUE" in command.communicate(timeout=60)[1]
        assert command.returncode == 2
    with started(own, str(HARBOUR), "-i", "k=2", "--no-browser") as command:
        _, at = until_address(command)
        offered = said(Asker(at).ask().body.decode())["algorithms"]
        assert [each["inputs"] for each in offered if each["name"] == "core"] == [[{"name": "k", "kind": "count"}]]
        answer = Asker(at).run(algorithm="core", inputs={"k": "1"})
        assert (answer.status, answer.json["algorithm"]["file"]) == (200, "core.py")
        command.send_signal(signal.SIGINT)
        command.communicate(timeout=60)


def test_a_quiet_command_prints_the_address_alone():
    with started("--no-browser", "--quiet") as command:
        at = At(command.stdout.readline().rstrip("\n"))
        assert Asker(at).post("/api/close", {}).status == 200
        assert command.communicate(timeout=60) == ("", "")
        assert command.returncode == 0


def test_a_file_where_the_algorithm_belongs_is_told():
    with started(str(HARBOUR), "--no-browser") as command:
        errors = command.communicate(timeout=60)[1]
        assert f"the algorithm comes first: hyloop view dijkstra {HARBOUR}" in " ".join(errors.split())
        assert command.returncode == 2


def test_a_port_in_use_ends_the_command_with_a_sentence(serving):
    with started("--no-browser", "--port", str(serving.port)) as command:
        errors = command.communicate(timeout=60)[1]
        assert f"Error: Port {serving.port} cannot be used" in errors
        assert command.returncode == 2


def test_the_example_is_the_harbour_of_the_examples():
    of_file = io.read(HARBOUR)
    assert (EXAMPLE.vertices, EXAMPLE.hyperedges, EXAMPLE.weights) == (
        of_file.vertices,
        of_file.hyperedges,
        of_file.weights,
    )
    assert EXAMPLE.incidence == of_file.incidence


def test_a_large_hypergraph_is_recorded_without_layers(monkeypatch):
    recorded = []

    def trace(*_, layers, **__):
        recorded.append(layers)
        return Trace(DOCUMENT)

    monkeypatch.setattr(live, "record_run", trace)
    make = live.maker(ALGORITHMS, "")
    for rows in (live.ROWS, live.ROWS + 1):
        make(Hypergraph.from_hyperedges([], vertices=range(rows)), "dijkstra", {"source": 0}, {})
    assert recorded == [None, False]
