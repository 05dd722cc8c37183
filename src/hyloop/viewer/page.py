"""The page that shows a trace: a self-contained HTML file with the compressed trace inside.

>>> html = page({"format": "hyloop-trace", "version": 1})  # doctest: +SKIP
>>> document_of(html)["version"]  # doctest: +SKIP
1
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np

from hyloop.errors import FormatError, HyloopError
from hyloop.io.budgets import Budgets
from hyloop.io.source import unzipped
from hyloop.machine.files import to_bytes
from hyloop.machine.model import Model
from hyloop.machine.positions import Parabola
from hyloop.recording.trace import MOST, RATIO
from hyloop.strict import as_browsers_do, require_room

HEIGHT = 720
ROWS = 2000  # with more, a run takes too long for a page that does not answer while it computes

_OPENS = '<script type="text/plain" id="hyloop-trace">'
_CLOSES = "</script>"
_MODEL_OPENS = '<script type="text/plain" id="hyloop-model">'
_ORIGIN_OPENS = '<script type="text/plain" id="hyloop-origin">'
_VIEWER_OPENS = '<script type="text/plain" id="hyloop-viewer">'
_LIBRARY_OPENS = '<script type="application/json" id="hyloop-library">'


def page(
    document: Mapping[str, Any],
    *,
    model: Model | None = None,
    library: Mapping[str, Any] | None = None,
    origin: Mapping[str, Any] | None = None,
) -> str:
    """A page that shows a trace. The same trace gives the same bytes.

    With `model`, whose run the trace is, the page opens it layer by layer, if it `opens_in_page`, and runs edited
    hypergraphs by itself, if it `runs_in_page`. `library` (`hyloop.viewer.library`) has this algorithm and others,
    `origin` the file whose annotations are saved again.
    """
    style = _style()
    inside = "" if model is None or not opens_in_page(model, document) else packed_model(model)
    return _PAGE.format(
        policy=policy(),
        title=escape(_title(document)),
        style=style,
        opens=_OPENS,
        trace=base64.b64encode(packed(document)).decode(),
        model=f"{_MODEL_OPENS}{inside}{_CLOSES}\n" if inside else "",
        origin="" if origin is None else f"{_ORIGIN_OPENS}{base64.b64encode(packed(origin)).decode()}{_CLOSES}\n",
        library="" if library is None else f"{_LIBRARY_OPENS}{_json_in_html(library)}{_CLOSES}\n",
        viewer=f"{_VIEWER_OPENS}{_packed_script()}{_CLOSES}\n",
        start=_START,
    )


# `<link rel="icon">`: without it a browser would request an icon, where the page comes from a web server.
_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main id="app"><noscript>This page shows a run step by step, and needs JavaScript for it.</noscript></main>
{opens}{trace}</script>
{model}{origin}{library}{viewer}<script>{start}</script>
</body>
</html>
"""

# The viewer's script is unpacked and added to the page: packed, it takes less than half of the bytes. The policy allows
# exactly that script, by its hash, wherever it comes from.
_START = """\
(async () => {
  const text = document.getElementById("hyloop-viewer").textContent.trim();
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const script = document.createElement("script");
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  script.textContent = await new Response(stream).text();
  document.body.append(script);
})().catch(() => {
  document.getElementById("app").textContent =
    "This browser cannot unpack the page. Open it in one from 2023 or later.";
});"""


def policy() -> str:
    """The content security policy: only the viewer's script and what unpacks it, and no connections."""
    hashed = " ".join(f"'sha256-{_digest(text)}'" for text in (_START, _script()))
    rules = ["default-src 'none'", f"script-src {hashed}", "style-src 'unsafe-inline'", "img-src data: blob:"]
    return "; ".join([*rules, "base-uri 'none'", "form-action 'none'"])


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def runs_in_page(model: Model, document: Mapping[str, Any]) -> bool:
    """Whether a page can run a model by itself on hypergraphs such as that of a trace."""
    return exact_in_page(model) and opens_in_page(model, document)


def opens_in_page(model: Model, document: Mapping[str, Any]) -> bool:
    """Whether a page can show the parts of a model at work on the run of a trace.

    Also of one that nobody vouches for, such as one with changed weights: the page marks it as unverified, does not
    run it on other hypergraphs, and leaves it closed if it computes other numbers than those that were recorded.
    """
    shown = document.get("hypergraph")
    held = shown if isinstance(shown, Mapping) else {}
    rows = max(len(held.get(side, ())) for side in ("vertices", "hyperedges"))
    return _readable_in_page(model) and rows <= ROWS


def _readable_in_page(model: Model) -> bool:
    """Whether a page takes the file of a model: its numbers are float64, and whole."""
    parabola = isinstance(model.layout.positions, Parabola)
    known = model.dtype == "float64" and parabola and bool(model.program)
    return known and (model.verified != "unverified" or _whole(model))


def _whole(model: Model) -> bool:
    """Whether all weights are integers that a float64 holds exactly; those of a compiled model are."""
    matrices = [
        matrix
        for layer in model.layers
        for matrix in (
            *layer.mlp.weights,
            *(each for head in layer.heads for each in (head.query, head.key, head.value)),
        )
    ]
    return all(bool(np.all((each == np.floor(each)) & (np.abs(each) < 2**53))) for each in matrices)


def exact_in_page(model: Model) -> bool:
    """Whether a page computes the same numbers of a model as every executor.

    JavaScript's numbers are float64. A model that nobody vouches for may leave the integers that they hold exactly.
    """
    return model.verified != "unverified" and _readable_in_page(model)


def packed_model(model: Model) -> str:
    """The model's file, compressed, as text."""
    return base64.b64encode(_zipped(to_bytes(model))).decode()


def packed(document: Mapping[str, Any], level: int = 9) -> bytes:
    """A document as compressed JSON, the same bytes every time."""
    return _zipped(as_json(document), level)


def _zipped(data: bytes, level: int = 9) -> bytes:
    made = BytesIO()
    # A GzipFile without name and time: `gzip.compress` differs between versions of Python.
    with gzip.GzipFile(filename="", fileobj=made, mode="wb", compresslevel=level, mtime=0) as stream:
        stream.write(data)
    return made.getvalue()


def as_json(document: Mapping[str, Any]) -> bytes:
    """A document as compact JSON; raises if JSON cannot hold it."""
    try:
        return json.dumps(dict(document), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        raise HyloopError("The trace has text that is not valid Unicode, so it cannot be put into a page.") from None
    except (TypeError, ValueError, RecursionError) as wrong:
        raise HyloopError(
            f"The trace has a value that JSON has not, so it cannot be put into a page ({wrong})."
        ) from None


def _title(document: Mapping[str, Any]) -> str:
    names = (_name(document, part) for part in ("algorithm", "hypergraph"))
    return f"{' on '.join(name for name in names if name) or 'A run'} – hyloop"


def _name(document: Mapping[str, Any], part: str) -> str:
    held = document.get(part)
    return str(held.get("name", "")) if isinstance(held, Mapping) else ""


_ESCAPED = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}


def _json_in_html(value: Mapping[str, Any]) -> str:
    """JSON that is safe inside an HTML script element."""
    return as_json(value).decode().translate(_ESCAPED)


# -- the viewer's own files -----------------------------------------------------------------------------------------


def static(name: str) -> str:
    """The text of one of the viewer's files, with line ends normalized as by an HTML parser."""
    try:
        text = (files("hyloop.viewer") / "static" / name).read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise HyloopError(
            f"The viewer's file {name} is missing from this installation, so no page can be made: "
            "install hyloop again, or build the viewer from its source."
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _script() -> str:
    text = static("viewer.js")
    # These would end the script early or hide its end; a NUL would be replaced, and the hash would not match.
    lower = text.lower()
    if "</script" in lower or "\0" in text or ("<!--" in lower and "<script" in lower):
        raise HyloopError(
            "The viewer's script cannot stand in a page: it has </script, or <!-- beside <script, or a NUL."
        )
    return text


def _packed_script() -> str:
    return _packed_text(_script())


@lru_cache(maxsize=1)
def _packed_text(text: str) -> str:
    return base64.b64encode(_zipped(text.encode())).decode()


def _style() -> str:
    text = static("viewer.css")
    if "</style" in text.lower():
        raise HyloopError("The viewer's style cannot stand in a page: it has </style.")
    return text


# -- and back -------------------------------------------------------------------------------------------------------


def document_of(html: str) -> dict[str, Any]:
    """Extract the trace from a page that `page` made."""
    _, opens, rest = html.partition(_OPENS)
    text, closes, _ = rest.partition(_CLOSES)
    if not opens or not closes:
        raise FormatError("this page holds no trace; `hyloop trace ... -o run.html` makes one that does.")
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise FormatError("the trace in this page is damaged: it is not base64.") from None
    document = _parsed(_unpacked(data))
    if not isinstance(document, dict) or document.get("format") != "hyloop-trace":
        raise FormatError("what this page holds is not a trace of hyloop.")
    return document


def packed_model_of(html: str) -> str:
    """The model in a page that `page` made, as it stands there; empty if there is none."""
    # The first one after the trace: text of the trace is compressed, and so cannot look like it.
    _, _, rest = html.partition(_OPENS)
    _, opens, rest = rest.partition(_MODEL_OPENS)
    text, closes, _ = rest.partition(_CLOSES)
    if not opens or not closes:
        return ""
    try:
        base64.b64decode(text, validate=True)
    except ValueError:
        raise FormatError("the model in this page is damaged: it is not base64.") from None
    return text


def _unpacked(data: bytes) -> bytes:
    budgets = Budgets(stream_bytes=MOST, ratio=RATIO)
    return b"".join(unzipped([data], "The trace in this page", budgets))


def _parsed(text: bytes) -> object:
    try:
        require_room(text)
    except ValueError as wrong:
        raise FormatError(f"the trace in this page is too large: {wrong}.") from None
    try:
        return as_browsers_do(text)
    except (ValueError, RecursionError):
        raise FormatError("the trace in this page is damaged: it is not JSON.") from None


# -- in a notebook --------------------------------------------------------------------------------------------------


def frame(html: str, height: int = HEIGHT) -> str:
    """A page in a sandboxed iframe, for notebooks: it can run its script, but not access the notebook."""
    return (
        f'<iframe srcdoc="{escape(html)}" sandbox="allow-scripts" title="A run, step by step" '
        f'width="100%" height="{int(height)}" style="border: 0"></iframe>'
    )
