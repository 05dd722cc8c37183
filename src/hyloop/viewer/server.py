"""A local server for one page: it shows a trace, and reruns what is edited in the page.

It listens on 127.0.0.1 only and requires a token that is new for each server. Any web page can reach a local server
through the user's browser; so cross-site requests, and requests with another host name (DNS rebinding), are refused
first.
"""

from __future__ import annotations

import hmac
import json
import secrets
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedReader, BytesIO, RawIOBase
from socketserver import TCPServer
from threading import Lock, Thread, current_thread, main_thread
from time import monotonic
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, urlsplit

from hyloop.errors import HyloopError
from hyloop.hypergraph import Hypergraph, Label
from hyloop.io import hif
from hyloop.machine.model import Model
from hyloop.viewer.asked import Asked, Offer, Point, Room, asked, hypergraph, read
from hyloop.viewer.page import packed, page, policy
from hyloop.viewer.turns import SupersededError, Turns

HOST = "127.0.0.1"
MOST_BYTES = 64 * 10**6  # bytes of a request
MOST_OPEN = 64  # connections at a time
HEAD_PATIENCE = 10.0  # timeout in seconds for a request's headers
PATIENCE = 30.0  # timeout in seconds for its body, and for reading the response
HANG_UP = 1.0  # timeout in seconds for draining the input before closing
LAST_WORDS = 2.0  # timeout in seconds for pending responses when the server closes
POLL = 0.1
QUICK = 5  # level of compression: low, since responses stay on this machine

# Runs an algorithm, by its name, and returns the trace document; the last argument has positions of vertices to keep.
Make = Callable[[Hypergraph, str, Mapping[str, Any], Mapping[Label, Point]], Mapping[str, Any]]


def serve(
    document: Mapping[str, Any],
    make: Make,
    *,
    algorithms: Sequence[Offer] = (),
    file: str = "",
    port: int = 0,
    whole: Callable[[Hypergraph], Hypergraph] | None = None,
    model: Model | None = None,
) -> Serving:
    """Serve a page with this trace, in threads of its own; `with` closes it. Port 0 is any free port.

    `make` runs the page's requests, one at a time. `whole` adds to an edited hypergraph the annotations that the page
    does not have, for saving. With `model`, whose run the trace is, the page runs most edits by itself.
    """
    shown = Shown(document, make, tuple(algorithms), file, model)
    shown.whole = whole or shown.whole
    try:
        listener = _Listener(shown, port)
    except (OSError, OverflowError) as wrong:
        reason = wrong.strerror if isinstance(wrong, OSError) else "there is no such port"
        raise HyloopError(
            f"Port {port} cannot be used ({reason}); choose another, or none for any that is free."
        ) from None
    thread = Thread(target=listener.serve, name="hyloop view", daemon=True)
    serving = Serving(listener, thread)
    thread.start()
    return serving


class Serving:
    """A running server. It ends with `close`, or by a request of its page."""

    def __init__(self, listener: _Listener, thread: Thread) -> None:
        self._listener, self._thread = listener, thread
        self._pipes = _Pipes()

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._listener.port

    @property
    def token(self) -> str:
        """The token that a request must contain."""
        return self._listener.shown.token

    @property
    def address(self) -> str:
        """The address of the page, for a browser."""
        return f"http://{HOST}:{self.port}/?token={self.token}"

    def wait(self) -> None:
        """Block until the server ends."""
        while self._thread.is_alive():
            self._thread.join(timeout=1)  # with a timeout, Ctrl-C works on every system

    def close(self) -> None:
        """Stop the server and free the port."""
        self._listener.shutdown()
        self._thread.join()
        self._pipes.restore()

    def __enter__(self) -> Serving:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()


class _Pipes:
    """Ignores SIGPIPE, so that a client that disconnects does not end the process.

    That is Python's default, but the command line restores the system's (`hyloop run ... | head`).
    """

    def __init__(self) -> None:
        self._before: Any = None
        if hasattr(signal, "SIGPIPE") and current_thread() is main_thread():  # only the main thread can set handlers
            self._before = signal.signal(signal.SIGPIPE, signal.SIG_IGN)

    def restore(self) -> None:
        """Restore the previous handler."""
        if self._before is not None and current_thread() is main_thread():
            signal.signal(signal.SIGPIPE, self._before)
            self._before = None


# -- what is shown --------------------------------------------------------------------------------------------------


class Shown:
    """The current trace of the page, and how to run another. A reloaded page shows the last one."""

    def __init__(
        self,
        document: Mapping[str, Any],
        make: Make,
        offers: tuple[Offer, ...],
        file: str,
        model: Model | None = None,
    ) -> None:
        self.token = secrets.token_urlsafe(32)
        self.whole: Callable[[Hypergraph], Hypergraph] = lambda h: h
        self.offers = offers
        self.room = Room.beside(document)
        self.turns = Turns()
        self._make = make
        self._live = {"token": self.token, "algorithms": [each.to_json() for each in offers], "file": file}
        self._lock = Lock()
        self._document = document
        self._model, self._described = model, document.get("model")
        self._page: bytes | None = page(document, live=self._live, model=model).encode()
        self.policy = f"{policy(live=True)}; frame-ancestors 'none'"

    def page(self) -> bytes:
        """The page with the current trace."""
        with self._lock:
            if self._page is None:
                # Another algorithm, or another capacity, has another model.
                same = self._document.get("model") == self._described
                self._page = page(self._document, live=self._live, model=self._model if same else None).encode()
            return self._page

    def run(self, wanted: Asked) -> bytes:
        """Run, and return the compressed trace, which becomes the current one."""
        with self.turns.mine():
            document = self._make(wanted.hypergraph, wanted.algorithm, wanted.inputs, wanted.keep)
            made = packed(document, QUICK)
            with self._lock:
                self._document, self._page = document, None
        return made


# -- listening ------------------------------------------------------------------------------------------------------


class _Listener(ThreadingHTTPServer):
    """Accepts connections, each in its own thread, and tracks the open ones."""

    daemon_threads = True
    request_queue_size = 64
    # On Windows, two programs could otherwise listen on one port.
    allow_reuse_address = sys.platform != "win32"
    allow_reuse_port = False

    def __init__(self, shown: Shown, port: int) -> None:
        self.shown = shown
        self._open: dict[Thread, socket.socket] = {}
        super().__init__((HOST, port), _Handler)

    @property
    def port(self) -> int:
        """The port that was bound."""
        return int(self.server_address[1])

    @property
    def names(self) -> tuple[str, str]:
        """The valid values of the Host header."""
        return f"{HOST}:{self.port}", f"localhost:{self.port}"

    def server_bind(self) -> None:
        """Bind, without a DNS lookup of this machine's name."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.port

    def serve(self) -> None:
        """Serve until `shutdown`, then close all connections."""
        try:
            self.serve_forever(POLL)
        finally:
            self.server_close()
            self.shown.turns.end()
            self._let_go()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Handle a request in a tracked thread, so that closing can wait for it; the number of threads is limited."""
        self._open = {each: held for each, held in self._open.items() if each.is_alive()}
        if len(self._open) >= MOST_OPEN:
            self._turn_away(request)
            return
        thread = Thread(target=self.process_request_thread, args=(request, client_address), daemon=True)
        thread.start()
        self._open[thread] = request

    def _turn_away(self, request: socket.socket) -> None:
        """Close the connection without waiting, since this runs in the accepting thread."""
        with suppress(OSError):
            request.setblocking(False)
            request.send(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        self.close_request(request)

    def _let_go(self) -> None:
        for request in self._open.values():
            with suppress(OSError):
                request.shutdown(socket.SHUT_RD)  # stop reading requests; pending responses are still sent
        until = monotonic() + LAST_WORDS
        for thread in self._open:
            thread.join(max(until - monotonic(), 0))

    def shutdown_request(self, request: Any) -> None:
        """Close, after briefly draining the input: with unread data, a reset could discard the response."""
        until = monotonic() + HANG_UP
        with suppress(OSError):
            request.shutdown(socket.SHUT_WR)
            request.settimeout(HANG_UP)
            while monotonic() < until and request.recv(2**16):
                pass
        self.close_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnected; print any other error on the terminal."""
        if not isinstance(sys.exception(), OSError):
            traceback.print_exc()


class _Ear(RawIOBase):
    """A client's input stream with a deadline for all reads together."""

    def __init__(self, stream: socket.socket) -> None:
        self._stream = stream
        self.until = monotonic() + HEAD_PATIENCE

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes; raises TimeoutError after the deadline."""
        left = self.until - monotonic()
        if left <= 0:
            raise TimeoutError
        self._stream.settimeout(left)
        return self._stream.recv_into(buffer)


# -- answers --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Answer:
    status: HTTPStatus
    body: bytes
    type: str = "application/json; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)


class _RefusedError(Exception):
    """A refused request, with a short reason."""

    def __init__(self, status: HTTPStatus, sentence: str, **headers: str) -> None:
        super().__init__(sentence)
        self.status, self.headers = status, headers


def _sentence(status: HTTPStatus, sentence: str, headers: Mapping[str, str] | None = None) -> _Answer:
    return _Answer(status, json.dumps({"error": sentence}).encode(), headers=headers or {})


_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Connection": "close",
}
_STRANGER = "This request is refused: open the address that hyloop view printed."
_METHODS = {"/": "GET", "/api/run": "POST", "/api/hif": "POST", "/api/close": "POST"}


class _Handler(BaseHTTPRequestHandler):
    """Handles one request: authorization, parsing, response."""

    server: _Listener
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        """Set the deadline for the headers."""
        super().setup()
        self.rfile.close()
        self._ear = _Ear(self.connection)
        self.rfile = BufferedReader(self._ear)

    def handle_expect_100(self) -> bool:
        """Send nothing yet: `_body` sends it after authorization."""
        return True

    def do_GET(self) -> None:
        """The page."""
        self._respond()

    def do_POST(self) -> None:
        """A request of the page."""
        self._respond()

    def _respond(self) -> None:
        path = urlsplit(self.path).path if self.path.startswith("/") else ""
        try:
            self._require_friend(path)
            answer = self._page() if path == "/" else self._asked(path)
        except Exception as wrong:  # noqa: BLE001  (reported to the client and on the terminal)
            answer = _answer_to(wrong)
        self._send(answer)
        if path == "/api/close" and answer.status is HTTPStatus.OK:
            self.server.shutdown()

    # -- authorization

    def _require_friend(self, path: str) -> None:
        names = self.server.names
        if self._only("Host") not in names:
            raise _RefusedError(HTTPStatus.FORBIDDEN, _STRANGER)
        origins = self.headers.get_all("Origin", [])
        if origins and origins not in [[f"http://{name}"] for name in names]:
            raise _RefusedError(HTTPStatus.FORBIDDEN, _STRANGER)
        if "cross-site" in self.headers.get_all("Sec-Fetch-Site", []):
            raise _RefusedError(HTTPStatus.FORBIDDEN, _STRANGER)
        if path not in _METHODS:
            raise _RefusedError(HTTPStatus.NOT_FOUND, "There is nothing at this address.")
        if self.command != _METHODS[path]:
            raise _RefusedError(HTTPStatus.METHOD_NOT_ALLOWED, _NO_SUCH_METHOD, Allow=_METHODS[path])
        if not hmac.compare_digest(self._token().encode(errors="replace"), self.server.shown.token.encode()):
            raise _RefusedError(HTTPStatus.FORBIDDEN, _STRANGER)

    def _only(self, name: str) -> str:
        """The value of a header that occurs exactly once; else empty."""
        given = self.headers.get_all(name, [])
        return str(given[0]) if len(given) == 1 else ""

    def _token(self) -> str:
        if self.command == "POST":
            return self._only("X-Hyloop-Token")
        try:
            given = parse_qs(urlsplit(self.path).query, max_num_fields=10).get("token", [])
        except ValueError:
            return ""
        return given[0] if len(given) == 1 else ""

    # -- requests

    def _page(self) -> _Answer:
        return _Answer(HTTPStatus.OK, self.server.shown.page(), "text/html; charset=utf-8")

    def _asked(self, path: str) -> _Answer:
        shown = self.server.shown
        if path == "/api/close":
            return _Answer(HTTPStatus.OK, b'{"closed":true}')
        document = read(self._body())
        if path == "/api/hif":
            h = hypergraph(document.get("hypergraph"), shown.room)
            return _Answer(HTTPStatus.OK, "".join(hif.write(self.server.shown.whole(h))).encode())
        made = shown.run(asked(document, shown.offers, shown.room))
        return _Answer(HTTPStatus.OK, made, headers={"Content-Encoding": "gzip"})

    def _body(self) -> bytes:
        if self._only("Content-Type").partition(";")[0].strip().lower() != "application/json":
            raise _RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "A request must be application/json.")
        length = self._length()
        self._ear.until = monotonic() + PATIENCE
        if self.headers.get("Expect", "").lower() == "100-continue":
            self._write(b"HTTP/1.1 100 Continue\r\n\r\n")
        body = self.rfile.read(length)
        if len(body) < length:
            raise TimeoutError
        return body

    def _length(self) -> int:
        text = self._only("Content-Length")
        if not (text.isascii() and text.isdigit()) or self.headers.get("Transfer-Encoding") is not None:
            raise _RefusedError(HTTPStatus.LENGTH_REQUIRED, "A request must say its Content-Length.")
        if len(text) > 18 or int(text) > MOST_BYTES:
            sentence = f"This is more than {MOST_BYTES:,} bytes; a hypergraph of that size is run with hyloop trace."
            raise _RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence)
        return int(text)

    # -- responses

    def _send(self, answer: _Answer) -> None:
        self.request_version = self.protocol_version  # a response always has headers, even to HTTP/0.9
        wire, self.wfile = self.wfile, (head := BytesIO())
        self.send_response(answer.status)
        always = {"Content-Security-Policy": self.server.shown.policy, **_ALWAYS, **answer.headers}
        for name, value in always.items():
            self.send_header(name, value)
        self.send_header("Content-Type", answer.type)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile = wire
        self._write(head.getvalue() + (b"" if self.command == "HEAD" else answer.body))

    def _write(self, words: bytes) -> None:
        """Write everything, with one timeout for all of it."""
        self.connection.settimeout(PATIENCE)
        self.connection.sendall(words)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """The library's own refusals: malformed requests, and unsupported methods."""
        self.command = getattr(self, "command", None) or "GET"
        if code == HTTPStatus.NOT_IMPLEMENTED:
            self._send(_sentence(HTTPStatus.METHOD_NOT_ALLOWED, _NO_SUCH_METHOD, {"Allow": "GET, POST"}))
        else:
            self._send(_sentence(HTTPStatus(code), "This request cannot be read."))

    def version_string(self) -> str:
        """The name, without versions."""
        return "hyloop"

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing on the terminal."""


_NO_SUCH_METHOD = "This address is not asked in this way."


def _answer_to(wrong: Exception) -> _Answer:
    """The response to a request that failed."""
    if isinstance(wrong, _RefusedError):
        return _sentence(wrong.status, str(wrong), wrong.headers)
    if isinstance(wrong, SupersededError):
        return _sentence(HTTPStatus.CONFLICT, "A newer request superseded this run.")
    if isinstance(wrong, HyloopError):
        return _sentence(HTTPStatus.BAD_REQUEST, str(wrong))
    if isinstance(wrong, TimeoutError | ConnectionError):
        return _sentence(HTTPStatus.REQUEST_TIMEOUT, "The request did not arrive as a whole.")
    if isinstance(wrong, MemoryError):
        return _sentence(HTTPStatus.BAD_REQUEST, "There is not enough memory for this.")
    traceback.print_exception(wrong)
    return _sentence(HTTPStatus.INTERNAL_SERVER_ERROR, "This is a fault of hyloop itself; the terminal says more.")
