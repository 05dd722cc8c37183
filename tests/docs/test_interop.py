"""docs/interop.md says what is so, with the real packages: its blocks run, and so do the lines of its table.

Each row of the table runs in a process of its own, since some of the packages warn, or change settings of Python.
"""

import contextlib
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import warnings
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import pytest

import hyloop

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/interop.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SETUP = BLOCK.search(PAGE)[2]


def table(first: str) -> list[list[str]]:
    """The rows of the table whose first column has that name."""
    lines = PAGE.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {first} |"))
    found = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.split("|")[1:-1]])
    return found


def packages(cell: str) -> dict[str, str]:
    """The packages that were tested, and their versions."""
    return dict(re.findall(r"(\w+) ([\d.]*\d)", cell))


ROWS = {row[0]: row for row in table("tool | what loads")}
SOFTMAX = [[float(cell) for cell in row] for row in table("temperature")]
VERSIONS = {name: number for row in ROWS.values() for name, number in packages(row[3]).items()}


def require(*names: str) -> None:
    for name in names:
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")


# -- the table --------------------------------------------------------------------------------------------------------

ANSWER = 'print(json.dumps({vertex: str(value) for vertex, value in found["distance"].items()}))'
ENCODED = """
from hyloop.execute.encode import encode, frame, pad
from hyloop.numbers import written
given = frame(h, {"source": 1})
state, iterations = session.run(None, {
    "X": encode(model, given), "A": pad(model, h, given.size).rows(0, given.size), "limit": numpy.array(1000)
})
numbers, unit = state[1 : len(h.vertices) + 1, model.layout.number("distance")], h.integer_weights()[1]
values = [None if number == model.infinity else written(int(number) * unit) for number in numbers]
print(json.dumps(dict(zip(h.vertices, map(str, values)))))
"""
# What a row needs before its lines, and what is looked at after them.
BEFORE = {
    "NetworkX, plain": "import networkx",
    "ONNX": "import numpy, onnx, onnxruntime",
    "nnsight": 'from nnsight import NNsight\nmodule = model.to_torch()\nX, A = module.encode([h], source="Quay")',
}
AFTER = {
    "ONNX": ENCODED,
    "nnsight": "print(json.dumps([list(looks.shape), looks.sum(dim=-1).unique().tolist()]))",
    "NetworkX, circuit": "print(json.dumps([type(graph).__name__, found]))",
}


def answer(tool: str, folder: Path) -> object:
    """What the lines of a row arrive at."""
    lines = [line.strip("`") for line in ROWS[tool][2].split("<br>")]
    assert len(lines) <= 3
    file = folder / "row.py"
    script = ["import json", SETUP, BEFORE.get(tool, ""), *lines, AFTER.get(tool, ANSWER)]
    file.write_text("\n".join(script), encoding="utf-8")
    (folder / "examples").symlink_to(ROOT / "examples")
    quiet = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", file], cwd=folder, env=quiet, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def expected(tool: str) -> object:
    if tool == "nnsight":
        return [[1, 9, 9], [1.0]]  # the one row with the least key, the lowest number first
    if tool == "NetworkX, circuit":
        return ["MultiDiGraph", [node.id for node in hyloop.compile("dijkstra").circuit().nodes if is_key(node)]]
    if tool == "NetworkX, plain":
        import networkx  # may not be there

        graph = networkx.les_miserables_graph()
        lengths = networkx.single_source_dijkstra_path_length(graph, "Valjean")
        return {vertex: str(length) for vertex, length in lengths.items()}
    h = hyloop.read(ROOT / "examples/harbour.hif.json")
    distances = hyloop.run("dijkstra", h, source="Quay", backend="interpreter")["distance"]
    kept = [v for v in h.vertices if tool != "HyperNetX" or h.hyperedges_of(v)]  # what HyperNetX loses
    return {vertex: str(distances[vertex]) for vertex in kept}


def is_key(node) -> bool:
    return "key" in node.variables


@pytest.mark.parametrize("tool", ROWS)
def test_the_lines_of_a_row_do_it(tool, tmp_path):
    require(*packages(ROWS[tool][3]))
    assert answer(tool, tmp_path) == expected(tool)


def test_the_versions_are_those_of_the_lock():
    lock = (ROOT / "locks/interop.txt").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    pinned = dict(re.findall(r"^([\w.-]+)==([\w.]+)", lock, re.MULTILINE) + re.findall(r"(torch)==([\d.]+)", makefile))
    assert {name: pinned.get(name.replace("_", "-")) for name in VERSIONS} == VERSIONS


def test_there_is_a_row_for_every_library_and_the_extra_is_named():
    from hyloop.interop import ADAPTERS

    said = re.search(r"hyloop\[xgi\]'(.*)", PAGE)[1]
    for adapter in ADAPTERS:
        assert adapter.kind.package in VERSIONS
        assert adapter.kind.extra == "xgi" or adapter.kind.extra in said
    kept = {row[0] for row in table("tool | kept there and back")}
    assert kept == {adapter.kind.library for adapter in ADAPTERS}


# -- the blocks -------------------------------------------------------------------------------------------------------


def test_every_block_does_what_it_says(tmp_path, monkeypatch):
    require("xgi", "networkx", "pandas", "torch", "onnx", "onnxruntime")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    names, printed, compared = {"__name__": "page"}, "", 0
    for kind, text in BLOCK.findall(PAGE):
        if kind == "text":
            assert printed == text
            compared += 1
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the libraries' own
            exec(text, names)
        printed = out.getvalue()
    assert compared >= 9
    assert json.loads((tmp_path / "dijkstra.circuit.json").read_text(encoding="utf-8"))["model"] == "dijkstra"


def test_the_names_of_modules_are_such():
    require("torch")
    module = hyloop.compile("dijkstra").to_torch()
    for [name, _] in table("name"):
        first, *more = re.findall(r"`([^`]+)`", name)
        ends = [int(end[-1]) for end in more if end[-1].isdigit()]
        spans = [f".{what}{i}" for what, last in (("linear", 4), ("relu", 3)) for i in range(1, last + 1) if ends]
        parent = first if first.endswith("mlp") else first.rpartition(".")[0]
        for part in [first, *(f"{parent}{end}" for end in spans or more)]:
            module.get_submodule(part)


def test_inputs_and_outputs_of_the_file(tmp_path):
    require("onnx", "onnxruntime")
    import onnxruntime

    hyloop.compile("dijkstra").to_onnx(tmp_path / "dijkstra.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "dijkstra.onnx")
    said = [(kind, name.strip("`")) for kind, name, _, _ in table("| name | shape")]
    assert said == [
        *(("input", each.name) for each in session.get_inputs()),
        *(("output", each.name) for each in session.get_outputs()),
    ]


# -- the relaxation ---------------------------------------------------------------------------------------------------


def test_the_table_of_the_relaxation_says_what_the_text_says():
    temperatures = [row[0] for row in SOFTMAX]
    assert all(a > b for a, b in pairwise(temperatures))
    for temperature, *errors in SOFTMAX:
        assert (errors[2] == errors[5] == 0) == (temperature <= 0.025)
        assert (errors == [0] * 6) == (temperature <= 0.001)


def test_the_table_of_the_relaxation_is_computed_again(shared):
    """Those of its rows in which no wrong row wins: rounding (by the number of threads) changes little there."""
    require("torch")
    file = shared / "data" / "lesmis.hif.json"
    if not file.is_file():
        pytest.skip(f"there is no file {file}")
    spec = importlib.util.spec_from_file_location("benchmarks_softmax", ROOT / "benchmarks" / "softmax.py")
    softmax = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(softmax)
    h = hyloop.read(file)
    model = hyloop.compile("dijkstra", softmax.fitted(h))
    assert f"{model.infinity:,}" in PAGE
    assert f"{hyloop.compile('dijkstra').infinity:,}" in PAGE
    said = {row[0]: row[1:4] for row in SOFTMAX}
    for row in softmax.errors(model, h, h.vertices[0], (0.05, 0.02, 0.001)):
        found = [row["worst"], row["at_the_end"], row["distance"]]
        assert all(0.5 * a <= b <= 2 * a for a, b in zip(said[row["temperature"]], found, strict=True)), found


# -- faults of the libraries ------------------------------------------------------------------------------------------


def require_tested(name: str) -> None:
    """Skip unless the package is here in the version that the page is about."""
    require(name)
    if version(name).partition("+")[0] != VERSIONS[name]:
        pytest.skip(f"the page is about {name} {VERSIONS[name]}")


def test_the_fault_of_hypernetx(library_quietly):
    require_tested("hypernetx")
    require_tested("pandas")
    hypernetx = library_quietly("hypernetx")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        with pytest.raises(AttributeError):
            hypernetx.Hypergraph({"e": [1, 2]})
        made = hypernetx.Hypergraph({"e": [1, 2]}, misc_cell_properties_col="misc_properties")
    assert "Pandas4Warning" in {each.category.__name__ for each in seen}
    assert set(made.nodes) == {1, 2}


def test_the_faults_of_pytorch_geometric(library_quietly):
    require_tested("torch_geometric")
    data = library_quietly("torch_geometric.data.hypergraph_data")
    assert not hasattr(library_quietly("torch_geometric.data"), "HyperGraphData")
    h = hyloop.Hypergraph.from_hyperedges({"e": ["a", "b"], "f": []}, vertices=["a", "b", "c"])
    made = hyloop.interop.to_pyg(h)
    assert (made.num_nodes, len(made.hyperedge_weight)) == (3, 2)
    assert made.num_edges == 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert data.HyperGraphData(edge_index=made.edge_index).num_nodes == 2
    assert hyloop.interop.from_pyg(made) == h


@pytest.fixture
def library_quietly():
    """Import a library with whatever warnings it has, and undo its recursion limit."""

    def imported(name):
        limit = sys.getrecursionlimit()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return importlib.import_module(name)
        finally:
            sys.setrecursionlimit(limit)

    return imported
