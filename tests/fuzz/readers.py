"""Mutated files for every reader: every format of hypergraphs, model, checkpoint, trace.

A case is a recipe: which valid file, and which edits. An edit is a list that JSON can hold, so that a recipe is small,
can be read, and can be made smaller by leaving edits out. Hashes are made anew after the edits, so that they get past
the integrity checks of models and checkpoints; a recipe may say not to.

    ["set", path, value]  ["del", path]  ["raw", path, fragment]  ["repeat", path, times]  ["swap", path, path]
    ["text", path, start, length, replacement]       in the string at a path of the document
    ["replace", path, old, new, times]               the same, by what stands there
    ["entry", tensor, position, number]  ["untensor", tensor]  ["shape", tensor]  ["type", tensor]
    ["insert", start, length, text, times]           in the text of the whole file
    ["flip", position, bit]  ["cut", start, length]  in the bytes of the whole file

A path is a list of keys and numbers. What an edit does not find, it leaves alone.
"""

from __future__ import annotations

import copy
import gzip
import io
import json
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from safetensors.numpy import load, save

import hyloop
from hyloop import checkpoint
from hyloop.errors import HyloopError
from hyloop.io import FORMATS as FORMAT_ENTRIES
from hyloop.lang import (
    Count,
    Flag,
    Hyperedges,
    Length,
    Outputs,
    Vertex,
    Vertices,
    algorithm,
    at_most,
    first,
    quotient,
    smaller,
    stream,
    total,
    when,
)
from hyloop.lang import any as any_
from hyloop.lang import sum as sum_
from hyloop.machine import files
from hyloop.machine.model import Capacity, Model

FORMATS = {entry.name: entry for entry in FORMAT_ENTRIES}
READERS = (*FORMATS, "model", "checkpoint", "trace")
MOST_ROWS = 3000  # of a hypergraph that is run after it was read

HIF = """{"network-type": "undirected", "metadata": {"name": "harbour", "made": [2024, 1.5, null]},
 "nodes": [{"node": "Quay"}, {"node": "Isle", "attrs": {"lit": true}}, {"node": 3}, {"node": "Mill", "weight": 2}],
 "edges": [{"edge": "ferry", "weight": 4}, {"edge": "tug", "weight": 1.5, "attrs": {"old": "yes"}}, {"edge": 7}],
 "incidences": [{"edge": "ferry", "node": "Quay"}, {"edge": "ferry", "node": "Isle", "weight": 0.25},
  {"edge": "tug", "node": 3}, {"edge": "tug", "node": "Isle"}, {"edge": 7, "node": "Mill"}]}
"""
EDGES = '# boats\nferry: Quay Isle "North Point" | 1/2\nQuay 3 | 2.5\n* Lighthouse 7\nempty: | 3\n"a b": Isle 3\n'
CSV = 'vertex,hyperedge,weight\nQuay,ferry,1/2\nIsle,ferry,\n"North, Point",tug,3\nLighthouse,,\n,empty,0.37\n3,tug,3\n'
# Valid files with more in them than a hypergraph needs; a format that has none here gets what it writes.
TEXTS = {"hif": HIF, "edge-list": EDGES, "incidence-csv": CSV}


@dataclass(frozen=True)
class Recipe:
    """A mutated file."""

    reader: str
    base: str
    edits: list[list[Any]]
    signed: bool = True
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """What a file of the corpus holds."""
        return asdict(self)


@dataclass
class Document:
    """A file taken apart: its JSON, its tensors, and its text where it is neither."""

    json: Any = None
    tensors: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    fragments: list[str] = field(default_factory=list)


# -- valid files ----------------------------------------------------------------------------------------------------


@algorithm
def within(h, source: Vertex, budget: at_most(Length, 40), legs: at_most(Count, 5)):  # type: ignore[no-untyped-def, valid-type]
    """Inputs of several kinds, states of several kinds, and a bound with an operation in it."""
    left = h.vertices.state(Length, 0)
    steps, at = h.state(Count, 0), h.state(Vertex)
    left[source] = budget
    at.assign(source)
    with h.loop(at_most=h.vertices.count.choose(2) + 7) as loop:
        loop.stop_when(steps == legs)
        steps.assign(steps + 1)
        left.assign(left - (h.incidence @ h.weight), where=h.vertices.number == at)
        at.assign(at + 1)
    return Outputs(left=left, steps=steps, at=at)


@algorithm
def crossing(h, load: Vertices[at_most(Count, 3)], start: Vertices[Flag], to: Hyperedges[Vertex]):  # type: ignore[no-untyped-def, valid-type, type-arg]
    """Direction, arrays, loops in loops, products, quotients, sums, streams and a quotient that the decoder makes."""
    seen, at = h.vertices.state(Flag, False), h.state(Vertex)
    sums, steps = h.vertices.state(Count, 0), h.state(Count, 1)
    done = h.state(Vertex)
    with h.vertices.each() as v:
        done.assign(None)
        seen.assign(start | (h.vertices.number == v))
        steps.assign(1)
        with when(load[v] > 0), h.loop(at_most=h.vertices.count + 1) as search:
            fresh = h.heads.covered(h.tails.within(seen)) & ~seen
            search.stop_when(~any_(fresh))
            seen.assign(True, where=fresh)
            steps.assign(smaller(steps + 1, 4))
        sums[v] = smaller(steps * load[v] + 7 // steps + sum_(seen), 20)
        at.assign(to[first(h.tails.containing(v))])
        done.assign(v)
    return Outputs(sums=sums, at=at, mean=quotient(steps, steps), rows=stream(sums, of=done), all=total(sums))


BASES = {each.name: each for each in (within, crossing)}


@cache
def harbour() -> hyloop.Hypergraph:
    """A hypergraph without directions."""
    return hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"], "mail": ["Isle", "Mole"]}, weights=[4, 2])


@cache
def model_of(name: str) -> Model:
    """A small model."""
    return hyloop.compile(BASES.get(name, name), Capacity(rows=6, weight=20))


@cache
def ground_of(name: str) -> hyloop.Hypergraph:
    """What a model runs on: a hypergraph with directions, if it tells tails from heads."""
    arcs = {"ferry": (["Quay"], ["Isle"]), "mail": (["Isle"], ["Mole"]), "tow": (["Mole", "Isle"], [])}
    return hyloop.Hypergraph.from_arcs(arcs, weights=[4, 2, 1]) if name == "crossing" else harbour()


def inputs_of(model: Model) -> dict[str, Any]:
    """What the bases run with."""
    arrays = {"load": {"Quay": 2, "Isle": 0, "Mole": 3}, "start": {"Isle"}, "to": ["Mole", None, "Quay"]}
    given = {"within": {"source": "Isle", "budget": 3, "legs": 2}, "motifs": {}, "crossing": arrays}
    return given.get(model.name, {"source": "Isle"})


@cache
def base(reader: str, name: str) -> bytes:
    """A valid file."""
    if reader == "model":
        return files.to_bytes(model_of(name))
    if reader == "checkpoint":
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
            path = Path(folder) / "it.checkpoint"
            hyloop.run(model_of(name), ground_of(name), checkpoint=path, **inputs_of(model_of(name)))
            return path.read_bytes()
    if reader == "trace":
        return hyloop.trace(model_of(name), ground_of(name), **inputs_of(model_of(name))).to_json()
    return text_of(reader).encode()


def text_of(name: str) -> str:
    """A valid file of a format."""
    if name in TEXTS:
        return TEXTS[name]
    return "".join(FORMATS[name].write(hyloop.read(io.StringIO(EDGES), format="edge-list")))


def bases(reader: str) -> list[str]:
    """The names of a reader's valid files."""
    if reader in {"model", "trace"}:
        return ["bfs", "within", "dijkstra", "crossing"]
    return ["bfs", "within", "motifs", "crossing"] if reader == "checkpoint" else [reader]


# -- taking apart and putting together ------------------------------------------------------------------------------

KEYS = {"model": files.KEY, "checkpoint": checkpoint.KEY}


def apart(reader: str, data: bytes) -> Document:
    """A valid file as a document that can be edited."""
    if reader in KEYS:
        size = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + size])
        document = json.loads(header["__metadata__"][KEYS[reader]])
        tensors = dict(load(data))
        if reader == "checkpoint":
            document["streams"] = json.loads(tensors.pop("streams").tobytes())
        return Document(document, tensors)
    if shape(reader) == "json":
        return Document(json.loads(data))
    if shape(reader) == "json lines":
        return Document([json.loads(line) for line in data.decode().splitlines()])
    return Document(text=data.decode())


@cache
def shape(reader: str) -> str:
    """What a reader's files are, by a valid one: "json", "json lines" (a document a line), or "text"."""
    data = base(reader, bases(reader)[0]).decode()
    for name, documents in (("json", [data]), ("json lines", data.splitlines())):
        try:
            if all(isinstance(json.loads(each), dict | list) for each in documents):
                return name
        except ValueError:
            continue
    return "text"


def fragment(what: list[Any]) -> str:
    """JSON that Python's own values cannot say."""
    kind, *rest = what
    if kind == "digits":
        return "9" * int(rest[0])
    if kind == "nested":
        return "[" * int(rest[0]) + "]" * int(rest[0])
    if kind == "objects":
        return '{"a":' * int(rest[0]) + "1" + "}" * int(rest[0])
    return str(rest[0])


def dumped(document: Document, content: Any) -> str:
    """JSON text, with the fragments in their places."""
    text = json.dumps(content, allow_nan=True)
    for number, raw in enumerate(document.fragments):
        text = text.replace(f'"@fragment {number}@"', raw)
    return text


def together(recipe: Recipe, document: Document) -> bytes:
    """The file of an edited document."""
    if recipe.reader in KEYS:
        return _safetensors(recipe, document)
    return _joined(shape(recipe.reader), document).encode(errors="surrogatepass")


def _joined(made_of: str, document: Document) -> str:
    if made_of == "text":
        return document.text
    if made_of == "json lines" and isinstance(document.json, list):
        return "".join(f"{dumped(document, each)}\n" for each in document.json)
    return dumped(document, document.json)


def _safetensors(recipe: Recipe, document: Document) -> bytes:
    content, tensors = document.json, dict(document.tensors)
    if recipe.reader == "checkpoint" and isinstance(content, dict):
        content = dict(content)
        streams = dumped(document, content.pop("streams", {}))
        tensors["streams"] = np.frombuffer(streams.encode(errors="surrogatepass"), dtype=np.uint8)
    text = dumped(document, content)
    if recipe.signed and isinstance(content, dict):
        text = _signed(recipe.reader, text, tensors)
    return bytes(save(tensors, {KEYS[recipe.reader]: text}))


def _signed(reader: str, text: str, tensors: dict[str, Any]) -> str:
    """The document with the hash that its reader will compute; as it is where none can be."""
    sign = files._hash if reader == "model" else checkpoint._hash
    try:
        content = json.loads(text)
        ordered = tensors if reader == "model" else {name: tensors[name] for name in ("X", "streams")}
        said = json.dumps(sign(content, ordered))
        content["hash"] = "@hash@"
        # Not written by Python where it need not be: it has no 1e400 and no second key of one name.
        return text.replace(json.dumps(json.loads(text)["hash"]), said) if "hash" in json.loads(text) else text
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return text


# -- edits ----------------------------------------------------------------------------------------------------------


def edited(recipe: Recipe) -> bytes:
    """The file that a recipe describes."""
    document = apart(recipe.reader, base(recipe.reader, recipe.base))
    for edit in recipe.edits:
        if edit[0] not in {"flip", "cut"}:
            EDITS[edit[0]](document, *edit[1:])
    data = together(recipe, document)
    for edit in recipe.edits:
        if edit[0] == "flip" and data:
            at = edit[1] % len(data)
            data = data[:at] + bytes([data[at] ^ (1 << edit[2])]) + data[at + 1 :]
        elif edit[0] == "cut" and data:
            at = edit[1] % len(data)
            data = data[:at] + data[at + edit[2] :]
    return data


def found(tree: Any, path: list[Any]) -> tuple[Any, Any] | None:
    """Where a path ends: what holds it, and by which key."""
    for step in path[:-1]:
        try:
            tree = tree[step]
        except (KeyError, IndexError, TypeError):
            return None
    key = path[-1]
    if isinstance(tree, dict) or (isinstance(tree, list) and isinstance(key, int) and key < len(tree)):
        return tree, key
    return None


def _set(document: Document, path: list[Any], value: Any) -> None:
    if not path:
        document.json = value
    elif (place := found(document.json, path)) is not None:
        place[0][place[1]] = value


def _del(document: Document, path: list[Any]) -> None:
    place = found(document.json, path)
    if place is not None and (isinstance(place[0], list) or place[1] in place[0]):
        del place[0][place[1]]


def _raw(document: Document, path: list[Any], what: list[Any]) -> None:
    _set(document, path, f"@fragment {len(document.fragments)}@")
    document.fragments.append(fragment(what))


def _get(document: Document, path: list[Any]) -> Any:
    place = found(document.json, path)
    if place is None or (isinstance(place[0], dict) and place[1] not in place[0]):
        return None
    return place[0][place[1]]


def _repeat(document: Document, path: list[Any], times: int) -> None:
    here = _get(document, path)
    if isinstance(here, list | str) and len(here) * times < 200_000:
        _set(document, path, here * times)


def _swap(document: Document, path: list[Any], other: list[Any]) -> None:
    one, two = copy.deepcopy(_get(document, path)), copy.deepcopy(_get(document, other))  # one may be in the other
    _set(document, path, two)
    _set(document, other, one)


def _text(document: Document, path: list[Any], start: int, length: int, replacement: str) -> None:
    here = _get(document, path)
    if isinstance(here, str):
        at = start % (len(here) + 1)
        _set(document, path, here[:at] + replacement + here[at + length :])


def _replace(document: Document, path: list[Any], old: str, new: str, times: int = 1) -> None:
    here = _get(document, path)
    if isinstance(here, str):
        _set(document, path, here.replace(old, new * times, 1))


def _insert(document: Document, start: int, length: int, text: str, times: int) -> None:
    at = start % (len(document.text) + 1)
    document.text = document.text[:at] + text * times + document.text[at + length :]


def _tensor(change: Callable[[Any], Any]) -> Callable[..., None]:
    def edit(document: Document, number: int, *_: Any) -> None:
        names = sorted(document.tensors)
        if names:
            name = names[number % len(names)]
            document.tensors[name] = change(document.tensors[name])

    return edit


def _entry(document: Document, number: int, position: int, value: str) -> None:
    names = sorted(document.tensors)
    if names and document.tensors[names[number % len(names)]].size:
        tensor = document.tensors[names[number % len(names)]].copy()
        tensor.reshape(-1)[position % tensor.size] = float(value)
        document.tensors[names[number % len(names)]] = tensor


def _untensor(document: Document, number: int) -> None:
    names = sorted(document.tensors)
    if names:
        del document.tensors[names[number % len(names)]]


EDITS: dict[str, Callable[..., None]] = {
    "set": _set,
    "del": _del,
    "raw": _raw,
    "repeat": _repeat,
    "swap": _swap,
    "text": _text,
    "replace": _replace,
    "insert": _insert,
    "entry": _entry,
    "untensor": _untensor,
    "shape": _tensor(lambda tensor: np.ascontiguousarray(tensor.T)),
    "type": _tensor(lambda tensor: tensor.astype(np.float32 if tensor.dtype != np.float32 else np.int64)),
}

# -- random recipes -------------------------------------------------------------------------------------------------

VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    7,
    1.5,
    -0.0,
    2**31,
    2**53,
    2**63,
    2**64,
    10**12,
    10**30,
    1e308,
    "",
]
VALUES += [
    "a",
    "1",
    "\x00",
    "é",
    "\ud800",
    "a" * 300,
    [],
    {},
    [[]],
    [0],
    [None],
    {"a": 1},
    [1, "a", None],
    "n_v",
    "1/3",
]
FRAGMENTS: list[list[Any]] = [
    ["digits", 400],
    ["digits", 5000],
    ["nested", 900],
    ["nested", 100_000],
    ["objects", 2000],
]
FRAGMENTS += [["as it is", text] for text in ("NaN", "Infinity", "-Infinity", "1e400", "1e-400", "1e999999999", "-0")]
FRAGMENTS += [["as it is", text] for text in ('{"a":1,"a":2}', "1E+9", "0.1e1", '"\\ud800"', "01", "nul", "")]
WORDS = [
    "0",
    "1",
    "-1",
    "9" * 30,
    "9" * 3000,
    "1/0",
    "1/" + "7" * 999,
    "1e9",
    "1e999999",
    "nan",
    "inf",
    "%",
    "*",
    ":",
    "|",
]
WORDS += ["\r", "\n", "\u2028", "\u0000", "\ufeff", '"', "\\", ",", ";", "\t", " ", "#", "e\u0301", "(", ")", "+ 1 "]
PROGRAM = [*WORDS, "%0", "%99999", "choose(n_v, 50000)", "choose(99999999999, 5000000)", "n_v * n_v", "999999999999"]
PROGRAM += [
    "max(" * 500,
    "+ 1 " * 900,
    "true",
    "infinity",
    "constant",
    "vertex",
    "[vertices]",
    "flag",
    "before",
    "stop",
]


def paths(tree: Any, above: list[Any] | None = None) -> Iterator[list[Any]]:
    """Every place in a document."""
    above = above or []
    if above:
        yield above
    for key, part in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        yield from paths(part, [*above, key])


def recipe_of(reader: str, seed: int) -> Recipe:
    """A random recipe."""
    rng = Random(f"{reader} {seed}")
    name = rng.choice(bases(reader))
    document = apart(reader, base(reader, name))
    edits = [edit_of(rng, reader, document) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    return Recipe(reader, name, edits, rng.random() < 0.95, f"seed {seed}")


def edit_of(rng: Random, reader: str, document: Document) -> list[Any]:
    """A random edit of a document."""
    if rng.random() < 0.08:
        return rng.choice(
            [["flip", rng.randrange(10**6), rng.randrange(8)], ["cut", rng.randrange(10**6), 10 ** rng.randrange(7)]]
        )
    if document.tensors and rng.random() < 0.15:
        number = rng.randrange(100)
        value = rng.choice(["0", "1", "-1", "nan", "inf", "1e308", "1e15", "0.5", "-0.0"])
        return rng.choice(
            [["entry", number, rng.randrange(10**4), value], ["untensor", number], ["shape", number], ["type", number]]
        )
    if document.json is None:
        times = rng.choice([1, 1, 1, 1, 50, 2000]) if rng.random() < 0.4 else 1
        return ["insert", rng.randrange(10**4), rng.choice([0, 0, 1, 3, 30]), rng.choice(WORDS), times]
    return tree_edit(rng, document)


def tree_edit(rng: Random, document: Document) -> list[Any]:
    """A random edit of JSON. Places are chosen level by level, so that a long list does not get all of them."""
    path = chosen_path(rng, document.json)
    here = _get(document, path)
    kind = rng.random()
    if isinstance(here, str) and kind < (0.7 if path == ["program"] else 0.2):
        words = PROGRAM if path == ["program"] else WORDS
        return ["text", path, rng.randrange(10**5), rng.choice([0, 1, 1, 2, 5, 40]), rng.choice(words)]
    if kind < 0.5:
        return ["set", path, near(rng, here)]
    if kind < 0.65:
        return ["raw", path, rng.choice(FRAGMENTS)]
    if kind < 0.8:
        return ["del", path]
    if kind < 0.9:
        return ["repeat", path, rng.choice([0, 2, 3, 1000])]
    return ["swap", path, chosen_path(rng, document.json)]


def near(rng: Random, here: Any) -> Any:
    """A value that is close to what was there, or far from it."""
    if isinstance(here, int | float) and rng.random() < 0.5:
        return rng.choice([here + 1, here - 1, -here, here * 10**6, float(here), str(here), bool(here), [here]])
    return rng.choice(VALUES)


def chosen_path(rng: Random, tree: Any) -> list[Any]:
    """A random place, by a walk from the top."""
    path: list[Any] = []
    while isinstance(tree, dict | list) and tree and (not path or rng.random() < 0.75):
        key = rng.choice(sorted(tree)) if isinstance(tree, dict) else rng.randrange(len(tree))
        path.append(key)
        tree = tree[key]
    return path or ["nothing"]


# -- what is done with a file ---------------------------------------------------------------------------------------


def use(recipe: Recipe, data: bytes | None = None) -> str:
    """Read the file and do with it what people do. Returns "read" or "refused"; only a `HyloopError` may come out.

    `data` is the file, where it has been made.
    """
    data = edited(recipe) if data is None else data
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            USES[recipe.reader](data, Path(folder), recipe)
        except HyloopError:
            return "refused"
    return "read"


def _written(data: bytes, folder: Path, name: str) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def _hypergraph(data: bytes, folder: Path, recipe: Recipe) -> None:
    h = hyloop.read(_written(data, folder, f"it{FORMATS[recipe.reader].extensions[0]}"))
    tolerated(lambda: repr(h) + h._repr_html_())
    for entry in FORMAT_ENTRIES:
        tolerated(lambda ending=entry.extensions[0]: hyloop.write(h, folder / f"out{ending}"))  # type: ignore[misc]
    if h.vertices and max(len(h.vertices), len(h.hyperedges)) <= MOST_ROWS:
        hyloop.run("dijkstra", h.ignoring_direction(), source=h.vertices[0])


def tolerated(work: Callable[[], object]) -> None:
    """Work that may be refused."""
    try:
        work()
    except HyloopError:
        return


def _model(data: bytes, folder: Path, recipe: Recipe) -> None:
    path = _written(data, folder, "it.safetensors")
    tolerated(lambda: files.read_proof(path))
    shown("info", str(path), "--layers")
    model = hyloop.load(path)
    tolerated(lambda: repr(model))
    hyloop.run(model, ground_of(recipe.base), **inputs_of(model_of(recipe.base)))


def shown(*words: str) -> None:
    """A command of the command line; what it raises comes out, what it prints does not."""
    from hyloop.cli import app  # seconds, where nobody needs it

    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        try:
            app(list(words), standalone_mode=False)
        except (HyloopError, SystemExit):
            return


def _checkpoint(data: bytes, folder: Path, recipe: Recipe) -> None:
    path = _written(data, folder, "it.checkpoint")
    model = model_of(recipe.base)
    tolerated(lambda: checkpoint.iterations_in(path))
    checkpoint.read_checkpoint(path)
    result = hyloop.run(model, ground_of(recipe.base), resume=path, **inputs_of(model))
    repr(result) + result._repr_html_()


def _trace(data: bytes, folder: Path, recipe: Recipe) -> None:
    name = "it.json.gz" if recipe.note.endswith("7") else "it.json"
    trace = hyloop.Trace.load(_written(gzip.compress(data) if name.endswith("gz") else data, folder, name))
    tolerated(lambda: repr(trace) + trace._repr_html_())
    frames = trace.document["frames"]
    for iteration, layer in list(zip(frames["iteration"], frames["layer"], strict=True))[:20]:
        tolerated(lambda i=iteration, at=layer: trace.at(i, at))  # type: ignore[misc]
    trace.save(folder / "again.json")


USES: dict[str, Callable[[bytes, Path, Recipe], None]] = {
    **dict.fromkeys(FORMATS, _hypergraph),
    "model": _model,
    "checkpoint": _checkpoint,
    "trace": _trace,
}
