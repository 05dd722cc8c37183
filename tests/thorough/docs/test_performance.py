"""docs/performance.md: what does not depend on time is as the code has it, and what is derived fits its row.

Times are as measured. Iterations, sizes, counts and answers are found again; ratios are computed again from the cells
beside them; every command and option on the page exists.
"""

import importlib.util
import json
import math
import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import hyloop
from hyloop.algorithms import ALGORITHMS
from hyloop.cache import CACHE_VARIABLE, MOST_FILES
from hyloop.checkpoint import EVERY
from hyloop.execute.cpu.session import ENGINE_VARIABLE, ENGINES

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/performance.md").read_text(encoding="utf-8")
SAID = " ".join(PAGE.split())
HEADING = re.compile(r"^##+ ", re.MULTILINE)


def tables(title: str) -> list[list[dict[str, str]]]:
    """The tables of a section, each a list of rows."""
    text = HEADING.split(re.split(rf"^##+ {re.escape(title)}\n", PAGE, flags=re.MULTILINE)[1])[0]
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in block.splitlines()]
        names = [f"{name} {lines[0][:place].count(name) or ''}".strip() for place, name in enumerate(lines[0])]
        found.append([dict(zip(names, line, strict=True)) for line in lines[2:]])
    return found


def number(cell: str) -> float:
    return float(cell.replace(",", ""))


def rounding(cell: str) -> float:
    """How far the number behind a cell may be from what the cell shows."""
    return 0.5 * 10 ** -len(cell.partition(".")[2])


def is_ratio(shown: str, above: str, below: str, times: int = 1) -> bool:
    """Whether a cell can be so many times the quotient of what two others were rounded from."""
    least = times * (number(above) - rounding(above)) / (number(below) + rounding(below))
    most = times * (number(above) + rounding(above)) / (number(below) - rounding(below))
    return least - rounding(shown) <= number(shown) <= most + rounding(shown)


@cache
def benchmark(name: str):
    """A benchmark as a module."""
    spec = importlib.util.spec_from_file_location(f"benchmarks_{name}", ROOT / f"benchmarks/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def file(shared):
    """A real hypergraph by its name."""
    return cache(lambda name: hyloop.read(shared / "data" / f"{name}.hif.json").ignoring_direction())


def inputs_of(name, h):
    return {"source": h.vertices[0]} if ALGORITHMS[name].program.inputs else {}


# -- commands ---------------------------------------------------------------------------------------------------------


def commands() -> list[str]:
    blocks = re.findall(r"^```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.startswith(("python ", "hyloop "))]


def help_of(words: list[str]) -> str:
    """What `--help` says of a command, unfolded."""
    what = [words[1]] if words[0] == "python" else ["-m", "hyloop", words[1]]
    done = subprocess.run(
        [sys.executable, *what, "--help"],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize("command", commands())
def test_the_commands_and_their_options_are_there(command):
    words = shlex.split(command, comments=True)
    if "others.py" in words[1]:
        pytest.importorskip("torch")
    text = help_of(words)
    for option in (word for word in words if word.startswith("--")):
        assert option in text


def test_every_benchmark_of_speed_is_named():
    assert {Path(command.split()[1]).stem for command in commands() if command.startswith("python ")} == {
        "growth",
        "executors",
        "scale",
        "quiet",
        "scaling",
        "end_to_end",
        "paper_form",
        "others",
    }


def test_variables_and_defaults_are_those_of_the_code():
    assert f"`{CACHE_VARIABLE}`" in SAID
    assert f"`{ENGINE_VARIABLE}=numpy`" in SAID
    assert "numpy" in ENGINES
    assert f"the newest {MOST_FILES} files stay" in SAID
    assert f"every {EVERY:.0f} seconds unless `--every`" in SAID
    assert hyloop.run("levels", hyloop.Hypergraph.from_hyperedges([[1, 2]]), source=1).backend == "cpu"


def test_the_memory_is_told_as_the_page_shows(file):
    found = hyloop.run("dijkstra", file("contact-high-school"), source=0)
    assert f"\n{found.iterations} iterations (cpu, {found.memory / 1e6:.0f} MB).\n" in PAGE


# -- tables -----------------------------------------------------------------------------------------------------------


def measured(rows: list[dict[str, str]]) -> list[str]:
    """The algorithms of a table, in the order of all: its times are of one machine, and newer ones may not be there."""
    names = [row["algorithm"] for row in rows]
    assert names == [name for name in ALGORITHMS if name in names]
    return names


def test_an_iteration():
    dijkstra, fast, dense = tables("An iteration")
    names = measured(fast)
    assert measured(dense) == names
    for row in dijkstra:
        assert is_ratio(row["dense ÷ cpu"], row["dense µs"], row["cpu µs"])
        for table, column in ((fast, "cpu µs"), (dense, "dense µs")):
            assert table[names.index("dijkstra")][f"K = {row['K']}"] == row[column]
    for quick, slow in zip(fast, dense, strict=True):
        assert is_ratio(quick["dense ÷ cpu at 1,001"], slow["K = 1,001"], quick["K = 1,001"])


def test_growth_is_as_it_was_measured(monkeypatch, tmp_path):
    pytest.importorskip("matplotlib")
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    growth = benchmark("growth")
    rows = json.loads((growth.MEASURED / "growth.json").read_text(encoding="utf-8"))["rows"]
    assert {row["algorithm"] for row in rows} | set(growth.LEFT_OUT) == set(ALGORITHMS)
    assert growth.table(rows) in PAGE
    with growth.own_settings():
        growth.save(growth.figure(rows), tmp_path / "growth.svg")
    assert drawn(tmp_path / "growth.svg") == drawn(growth.FIGURE)


def drawn(path: Path) -> tuple[list[str], list[int]]:
    """A picture's text, and its numbers in tenths of a point: finer ones depend on the machine, and names on them."""
    named = re.sub(r"\b[mp][0-9a-f]{10}\b", "name", path.read_text(encoding="utf-8"))
    text, numbers = re.split(r"-?\d+\.\d+", named), re.findall(r"-?\d+\.\d+", named)
    return text, [math.floor(10 * float(each) + 0.25) for each in numbers]  # a multiple of a half is no boundary


def test_the_hypergraphs_of_an_iteration():
    for row in tables("An iteration")[0]:
        size = int(number(row["K"])) - 1
        if size <= 1000:
            h = benchmark("executors").random_hypergraph(size, seed=size)
            assert f"{len(h.incidence.indices):,}" == row["incidences"]


def test_growth():
    [rows] = tables("Growth")
    for name, place in (("dijkstra", "ns a row"), ("levels", "ns a row 1")):
        for row in rows:
            assert is_ratio(row[place], row[f"{name} µs"], row["K"], times=1000)
        xs = [math.log(number(row["K"]) + number(row["incidences"])) for row in rows]
        ys = [math.log(number(row[f"{name} µs"])) for row in rows]
        x, y = sum(xs) / len(xs), sum(ys) / len(ys)
        slope = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)
        label = {"dijkstra": "Dijkstra", "levels": "levels"}[name]
        assert f"{slope:.2f} for {label}" in SAID


def test_the_hypergraphs_of_growth():
    for row in tables("Growth")[0]:
        h = benchmark("scaling").random_hypergraph(int(number(row["K"])) - 1)
        assert f"{len(h.incidence.indices):,}" == row["incidences"]


def test_the_largest_run():
    h = benchmark("scaling").random_hypergraph(100_000)
    found = hyloop.run("levels", h, source=1)
    reached = sum(level is not None for level in found["level"].values())
    assert f"{len(h.incidence.indices):,} incidences: {found.iterations} iterations, {reached:,} vertices" in SAID
    assert f"it has at most {ALGORITHMS['dijkstra'].program.most_iterations(100_000, 100_000):,}" in SAID


def test_end_to_end(file):
    [rows] = tables("Against the plain algorithm")
    for row in rows:
        name = row["hypergraph"]
        h = benchmark("end_to_end").random_hypergraph(1000, 1000, 5) if name == "random" else file(name)
        assert (row["vertices"], row["hyperedges"]) == (f"{len(h.vertices):,}", f"{len(h.hyperedges):,}")
        assert row["iterations"] == f"{hyloop.run('dijkstra', h, source=h.vertices[0]).iterations:,}"
        for other in ("heapq", "networkx", "scipy"):
            assert is_ratio(row[f"÷ {other}"], row["hyloop ms"], row[f"{other} ms"])


def test_what_is_said_of_the_worst_and_the_nearest():
    rows = {row["hypergraph"]: row for row in tables("Against the plain algorithm")[0]}
    worst, near = rows["contact-high-school"], rows["random"]
    steps = number(worst["iterations"]) * (number(worst["hyperedges"]) + 1)
    assert f"{steps / 1e6:.0f} million rows in all, at {1e6 * number(worst['hyloop ms']) / steps:.1f} ns each" in SAID
    assert f"{near['÷ heapq']} times heapq on 1,000 × 1,000" in SAID
    ratios = [number(row["÷ heapq"]) for row in rows.values()]
    assert f"by {min(ratios):.0f} to {max(ratios):.0f} times" in SAID
    assert number(near["÷ networkx"]) < 1


def test_real_hypergraphs(file):
    [rows] = tables("Real hypergraphs")
    for row in rows:
        name, h = row["algorithm"], file(row["hypergraph"])
        if (name, row["hypergraph"]) == ("motifs", "workplace"):  # takes long; it is one iteration for every two
            assert (
                row["iterations"] == f"{ALGORITHMS[name].program.most_iterations(len(h.vertices), len(h.hyperedges)):,}"
            )
            continue
        found = hyloop.run(name, h, **inputs_of(name, h))
        assert row["iterations"] == f"{found.iterations:,}"
        if name == "projection":
            pairs = sum(len(entry.values) for entry in found.streams["overlap"].entries) // 2
            assert row["found"] == f"{pairs:,} pairs"
        if name == "helly":
            assert row["found"] == ("Helly" if found["helly"] else "not Helly")


def test_the_first_run():
    harbour = hyloop.read(ROOT / "examples/harbour.hif.json")
    [rows] = tables("The first run, and the next")
    assert measured(rows)[:9]
    for row in rows:
        given = {"source": "Quay"} if ALGORITHMS[row["algorithm"]].program.inputs else {}
        assert row["iterations"] == str(hyloop.run(row["algorithm"], harbour, **given).iterations)
        for cell in list(row.values())[2:]:
            middle, least, most = map(float, re.findall(r"[\d.]+", cell))
            assert least <= middle <= most


def test_the_papers_form():
    module = benchmark("paper_form")
    h = module.random_hypergraph(12, 16)
    [rows] = tables("The paper's form")
    assert [row["algorithm"] for row in rows] == list(module.NAMES)
    for row in rows:
        now = module.measured(row["algorithm"], h)
        assert row["paper's layers × iterations"] == f"{now['paper_layers']} × {now['paper_iterations']}"
        assert row["ours"] == f"{now['layers']} × {now['iterations']}"
        assert row["passes ÷ ours"] == f"{now['passes_ratio']:.1f}"
        assert is_ratio(row["dense ÷ dense"], row["paper's, dense ms"], row["ours, dense ms"])
        assert is_ratio(row["dense ÷ cpu"], row["paper's, dense ms"], row["ours, cpu ms"])


def test_other_executors():
    for row in tables("Other executors")[0]:
        assert is_ratio(row["PyTorch ÷ cpu"], row["PyTorch µs"], row["cpu µs"])


def test_the_engine_without_code():
    [row] = [row for row in tables("An iteration")[0] if row["K"] == "1,001"]
    slow, numpy, native = (number(row[name]) for name in ("dense µs", "cpu, numpy µs", "cpu µs"))
    assert (
        f"{slow / numpy:.0f} times as fast as dense at K = 1,001 for Dijkstra, {numpy / native:.0f} times slower"
        in SAID
    )


# -- what was wanted --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "above", "below", "fits"),
    [("2.86", "6.63", "2.32", True), ("2.96", "6.63", "2.32", False), ("704", "229", "0.33", True)],
)
def test_a_ratio_that_does_not_fit_is_found_out(shown, above, below, fits):
    assert is_ratio(shown, above, below) is fits


def test_the_goals_repeat_the_tables():
    goals = {row["goal"]: row["measured"] for row in tables("Goals and results")[0]}
    dijkstra = {row["K"]: row["dense ÷ cpu"] for row in tables("An iteration")[0]}
    assert goals["Dijkstra, dense ÷ cpu at K = 65"] == dijkstra["65"]
    assert goals["Dijkstra, dense ÷ cpu at K = 1,001"] == dijkstra["1,001"]
    million, labels = (
        table for table in tables("Paying for what changes") if "run ÷ scipy" in table[0] or "arrays" in table[0]
    )
    ratios = {row["hypergraph"]: (row["ratio"], row["ratio 1"]) for row in labels}
    assert ratios["1,000 × 1,000 random"][0].startswith(between(goals["Dijkstra, 1,000 × 1,000, ÷ heapq, by label"]))
    by_label, by_arrays = ratios["contact-high-school"]
    assert by_label.startswith(goals["Dijkstra, `contact-high-school`, ÷ heapq, by label"])
    assert by_arrays.startswith(goals["the same from arrays to arrays"].partition(":")[0])
    scipy = {row["algorithm"]: row["run ÷ scipy"].split()[0] for row in million}
    assert goals["Dijkstra, 1,000,000 × 1,000,000, ÷ scipy"].startswith(f"{scipy['dijkstra']},")
    assert goals["levels there, ÷ scipy"] == scipy["levels"]
    real = tables("Real hypergraphs")[0]
    for goal, rows in (
        ("six algorithms on `contact-high-school`", real[:6]),
        ("motifs of `lesmis` and `workplace`, Helly of `lesmis` and `publications`", real[6:]),
    ):
        seconds = sorted((row["`hyloop.run` s"] for row in rows), key=float)
        assert goals[goal] == f"{seconds[0]} to {seconds[-1]} s"
    first = tables("The first run, and the next")[0]
    others = [row for row in first if row["algorithm"] != "motifs"]
    said = goals["first `hyloop run` on a small file, all compilation included"]
    assert said.startswith(f"{middles(others, 'first run s')}, busy {middles(others, 'busy: first run s')}; motifs ")
    said = goals["the same again"]
    assert said.startswith(f"{middles(first, 'again s')}, busy {middles(first, 'busy: again s')}: ")


def between(link: str) -> str:
    """The text of a link."""
    return link.partition("[")[2].partition("]")[0]


def middles(rows: list[dict[str, str]], column: str) -> str:
    """The least and the most of the middle times."""
    found = sorted((row[column].split()[0] for row in rows), key=float)
    return f"{found[0]} to {found[-1]} s"


def test_the_extension():
    rows = tables("How it works")[0]
    factors = [number(a) / number(b) for _, a, b in (row.values() for row in rows)]
    assert f"a factor of {min(factors):.0f} to {max(factors):.0f}" in SAID


def test_the_readme_says_the_same():
    [row] = [row for row in tables("An iteration")[0] if row["K"] == "1,001"]
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"{row['cpu µs']} µs an iteration of Dijkstra at 1,001 rows" in readme
    assert f"the formulas take {row['dense µs']} µs" in readme
