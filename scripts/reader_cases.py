"""Files that the page's readers have to read as Python's do: the same hypergraph and warnings, or the same refusal.

PYTHONPATH=tests python scripts/reader_cases.py                  write viewer/test/readers.json: odd and damaged files
PYTHONPATH=tests python scripts/reader_cases.py CASES.json 500   so many damaged files of each format, for
                                                  HYLOOP_READER_CASES=CASES.json npx vitest run test/read.test.ts
"""

from __future__ import annotations

import base64
import io
import json
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hyloop
from fuzz import corpus
from fuzz.readers import CSV, EDGES, HIF, Recipe, edited, recipe_of
from hyloop.errors import HyloopError
from hyloop.labels import label_in_json
from hyloop.numbers import written

FILE = Path(__file__).parents[1] / "viewer" / "test" / "readers.json"
FORMATS = ("hif", "edge-list", "incidence-csv")
NAME = "file"
KEPT, LONGEST = 30, 2_000  # damaged files of each format in the repository, and the bytes of one

# What readers of JSON, of tables and of words have got wrong somewhere.
ODD: dict[str, tuple[str, ...]] = {
    "hif": (
        HIF,
        "",
        "[]",
        "{}",
        '{"incidences": []}',
        '{"incidences": []} x',
        '{"incidences": [],}',
        '{"incidences": [], "incidences": []}',
        '{"incidences": {}}',
        '{"incidences": [], "extra": 1}',
        '{"nodes": [{"node": "z"}, {"node": "a"}], '
        '"incidences": [{"edge": 1, "node": "a"}, {"edge": "1", "node": "b"}]}',
        '{"incidences": [{"edge": 1, "node": 1.0}]}',
        '{"incidences": [{"edge": -0, "node": 9007199254740993}]}',
        '{"incidences": [{"edge": true, "node": 1}]}',
        '{"incidences": [{"edge": "e", "node": null}]}',
        '{"incidences": [{"edge": "e", "node": "a", "node": "b"}]}',
        '{"incidences": [{"edge": "e", "node": "\\ud800"}]}',
        '{"incidences": [{"edge": "e", "node": "\\ud83d\\ude00"}]}',
        '{"incidences": [{"edge": "e", "node": "a\tb"}]}',
        '{"incidences": [{"edge": "e", "node": "\\x"}]}',
        '{"incidences": [{"edge": "e"}]}',
        '{"incidences": [{"edge": "e", "node": "a", "direction": "up"}]}',
        '{"incidences": [{"edge": "e", "node": "a", "direction": "tail"}, {"edge": "e", "node": "b"}]}',
        '{"incidences": [{"edge": "e", "node": "a", "direction": "tail"}, {"edge": "e", "node": "a"}]}',
        '{"incidences": [{"edge": "e", "node": "a", "direction": "tail"}, '
        '{"edge": "e", "node": "a", "direction": "head"}]}',
        '{"network-type": "directed", "incidences": [{"edge": "e", "node": "a"}]}',
        '{"network-type": "sideways", "incidences": []}',
        '{"metadata": 1, "incidences": []}',
        *(
            f'{{"edges": [{{"edge": "e", {said}}}], "incidences": []}}'
            for said in (
                '"weight": 0.1',
                '"weight": 1e-3',
                '"weight": 1E+2',
                '"weight": 0',
                '"weight": -1',
                '"weight": "1"',
                '"weight": NaN',
                '"weight": 01',
                '"weight": .5',
                '"weight": 1.',
                '"weight": 1e400',
                '"weight": 1e-999',
                '"weight": 1e1001',
                '"weight": 1e9999999999999999999',
                '"weight": 123456789012345678901234567890.5',
                '"attrs": {"weight": 3}',
                '"attrs": {"weight": -3}',
                '"attrs": {"weight": "3"}',
                '"weight": 2, "attrs": {"weight": 3}',
                '"weight": 2, "attrs": {"weight": -3}',
            )
        ),
        '{"edges": [{"edge": 1, "weight": 2}, {"edge": 1, "weight": 3}], "incidences": []}',
        '{"edges": [{"edge": 1, "attrs": {"weight": 2}}, {"edge": 1, "weight": 3}], "incidences": []}',
        '{"edges": [{"edge": 1, "weight": 3}, {"edge": 1, "attrs": {"weight": 2}}], "incidences": []}',
        '{"edges": [{"edge": 1, "attrs": {"weight": 2}}, {"edge": 1, "attrs": {"weight": 5}}], "incidences": []}',
        '{"edges": [{"edge": 1, "weight": 2}, {"edge": 1, "attrs": {"weight": 3}}, {"edge": 1, "weight": 2.0}, '
        '{"edge": "x", "attrs": {"weight": 5}}, {"edge": "x", "weight": 1e1, "attrs": {"weight": "heavy"}}, '
        '{"edge": "x", "attrs": {"weight": true}}, {"edge": 1, "weight": 7}], "incidences": []}',
        '{"nodes": [{"node": "a", "weight": 1}, {"node": "a", "weight": 1.50}, {"node": 7, "weight": 0.0}, '
        '{"node": 7, "weight": -0}], "incidences": [{"edge": "e", "node": "a", "weight": 2}, '
        '{"edge": "e", "node": "a", "weight": 3}, {"edge": "e", "node": "a", "weight": 4, "direction": "tail"}]}',
        *(
            f'{{"nodes": [{{"node": {label}, "attrs": {{{name}: {one}}}}}, '
            f'{{"node": {label}, "attrs": {{"b": 1, {name}: {other}}}}}], "incidences": []}}'
            for label, name, one, other in (
                ('"a"', '"x"', '"it\'s"', '"say \\"it\'s\\""'),
                ('"a\u00a0b"', '"x y"', '"\u00e9\u200b\\n"', "null"),
                ("-0", '"\u00e9\U0001f600"', "1", "true"),
                ("1", '"_\u00e9-1"', "[1, true, 1.50]", "[1.0, 1, 1.5]"),
                ("1", '"long' + "g" * 90 + '"', "[1, true, 1.50]", '{"k": [1e2, 0.0000001, null], "l": 12e-3}'),
                ("9" * 70, '"x"', "1e5000", "12.5e-9000"),
                ("1", '"x"', "1e3", "1000"),
                ("1", '"x"', "0." + "3" * 80, "1" * 80),
                ("1", '"x"', '{"a": 1, "b": 2}', '{"b": 2, "a": 1.0}'),
            )
        ),
        json.dumps({"incidences": [{"edge": 1, "node": label} for n in range(9) for label in (n, str(n))]}),
        json.dumps(
            {
                "edges": [{"edge": each} for each in ("Quay", "Qu\u200bay", " Quay", "x" * 50, "x" * 50 + " ")],
                "incidences": [],
            }
        ),
        json.dumps({"nodes": [{"node": name, "attrs": {"a": k}} for k in range(5) for name in "ab"], "incidences": []}),
        *(
            f'{{"nodes": [{{"node": 1, "attrs": {{"a": {"[" * depth}{"]" * depth}}}}}], "incidences": []}}'
            for depth in (98, 99, 100, 101, 300)
        ),
        '\ufeff{"incidences": []}',
        ' \n{"incidences": [ ] }\n ',
        f'{{"incidences": [{{"edge": {"9" * 1000}, "node": 1}}]}}',
        f'{{"incidences": [{{"edge": {"9" * 1001}, "node": 1}}]}}',
    ),
    "edge-list": (
        EDGES,
        "",
        "\n\n# nothing\n",
        "a b\r\nc d\re f",
        "a b | 1/2\na b | 0.50\nx: a | 1e2",
        *(f"a b | {number}" for number in ("0", "-1", "1/0", "1/2/3", "0x1", "1,5", "+2", "1.", ".5", "1e-1001", "∞")),
        "a | 1 2",
        "a | | 1",
        "| 1",
        "a: ",
        "a:",
        ":",
        "a: b\na: c",
        "1: a\nb\n",
        "b\n1: a",
        "2: a\nb",
        "* a b\nb c",
        "*",
        "*a b",
        '"*" a',
        "a *",
        '"a b" c',
        '"a b"c',
        '"a',
        '"a\tb"',
        '"a\\u0041\\"" x',
        '"\\ud800"',
        "a,b c",
        "a\u00a0b",
        "a\u2028b",
        "a # \u2028",
        'a # comment | : "',
        "\ufeffa b",
        "a \ufeffb",
        "7 07 -7 -0 0 00",
        f"{'9' * 1000} a",
        f"{'9' * 1001} a",
        "a a a",
        "e:a b",
        "e :a b",
        "a b |2",
        "a b|2",
        "é e\u0301 \U0001f600",
        'a: 1 "1"',
        '"7": Quay "Quay " "Q\\u200buay" \u2764 \u2764\ufe0f\n7 | 2',
        "a: x\u00a0y z",
        "a: x\u2028y",
        'a: "x"y',
        "a: x\ny\ufeffz",
        "a: x\x7fy",
        "a: x,y",
        "a # \ufeff",
    ),
    "incidence-csv": (
        CSV,
        "",
        "vertex,hyperedge",
        "vertex;hyperedge\na;e\n",
        "node\tedge\na\te\n",
        "hyperedge,vertex,weight\ne,a,2\ne,b,2.0\ne,c,\n",
        "vertex,hyperedge,weight\na,e,2\nb,e,3\n",
        "vertex,hyperedge,weight\na,e,0\n",
        "vertex,hyperedge,weight\na,,2\n",
        "vertex,hyperedge,weight\n,,\n",
        "vertex,hyperedge\na\n",
        "vertex,hyperedge\na,b,c\n",
        "vertex,hyperedge\nvertex,hyperedge\n",
        'vertex,hyperedge\n"vertex","hyperedge"\n',
        '"vertex",hyperedge\n"vertex","hyperedge"\n',
        "vertex,vertex,hyperedge\n",
        "Vertex , EDGE\n a , e \n",
        "a,b\n",
        'vertex,hyperedge\n"a ""b""",e\n"x\ny",e\nz,f,g\n',
        'vertex,hyperedge\n"a,e\n',
        'vertex,hyperedge\n"a"b,e\n',
        'vertex,hyperedge\na"b,e\n',
        'vertex,hyperedge\n "a" ,e\n',
        "vertex,hyperedge\n\n\na,e\r\nb,e\rc,e",
        "vertex,hyperedge\na\u2028,e\n",
        'vertex,hyperedge\n"a\u2028",e\n',
        "\ufeffvertex,hyperedge\na,e\n",
        "vertex,hyperedge\n\ufeffa,e\n",
        "vertex,hyperedge\n7,07\n-7,1\n",
        "z,edge\n",
        "vertex,hyperedge,weight\nb,,\na,e, 1/3 \n,f,\n",
        "vertex,hyperedge,weight\na,e,1\u00a0\n",
        "vertex,hyperedge,weight\na,e,\u00a0\n",
        'vertex,hyperedge,weight\na,e," \t2 "\nb,f," "\n',
        'vertex,hyperedge,weight\na,e,"\x1c"\n',
        '""\nvertex,hyperedge\n',
        "vertex,hyperedge\né,e\ne\u0301,e\n",
    ),
}


class _Named(io.BytesIO):
    name = NAME  # with which warnings begin


def answer(format_: str, data: bytes) -> dict[str, Any]:
    """What Python reads in a file, or where it refuses it."""
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            h = hyloop.read(_Named(data), format=format_)
    except HyloopError as wrong:
        named = re.findall(r"U\+[0-9A-F]{4,}", str(wrong))
        return {"refused": str(getattr(wrong, "where", None) or ""), **({"names": named} if named else {})}
    sides = {"tails": h.tails_transposed, "heads": h.heads_transposed} if h.directed else {"tails": None, "heads": None}
    return {
        **({"warnings": [str(each.message).removeprefix(f"{NAME}: ") for each in warned]} if warned else {}),
        "vertices": [*map(label_in_json, h.vertices)],
        "hyperedges": [*map(label_in_json, h.hyperedges)],
        "weights": [*map(written, h.weights)],
        "members": _rows(h.incidence_transposed),
        **{name: None if side is None else _rows(side) for name, side in sides.items()},
    }


def _rows(side: Any) -> list[list[int]]:
    return [(side.row(number) + 1).tolist() for number in range(side.rows)]


def cases(count: int, longest: int = 2**24) -> Iterator[dict[str, Any]]:
    """The odd files, those of the corpus, and damaged ones."""
    for format_ in FORMATS:
        found = [text.encode() for text in ODD[format_]]
        found += [data for data in map(edited, _recipes(format_, count)) if len(data) <= longest]
        for data in dict.fromkeys(found):
            yield {"format": format_, "data": base64.b64encode(data).decode(), **answer(format_, data)}


def _recipes(format_: str, count: int) -> Iterator[Recipe]:
    for entry in map(corpus.read, corpus.kept()):
        if entry["job"] == "file" and entry["case"]["reader"] == format_:
            yield Recipe(**entry["case"])
    yield from (recipe_of(format_, seed) for seed in range(count))


def text() -> str:
    """The table in the repository, a case a line."""
    return "[\n" + ",\n".join(json.dumps(each) for each in cases(KEPT, LONGEST)) + "\n]\n"


if __name__ == "__main__":
    if sys.argv[1:]:
        Path(sys.argv[1]).write_text(json.dumps([*cases(int(sys.argv[2]))]), encoding="utf-8")
    else:
        FILE.write_text(text(), encoding="utf-8")
