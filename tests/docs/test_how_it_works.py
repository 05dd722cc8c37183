"""docs/how-it-works.md says what the code gives now: the layers of Dijkstra, the table of sizes, the refusals."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import hyloop
from effort import sample
from hyloop.algorithms import ALGORITHMS
from hyloop.cli import app
from hyloop.compiler.forms import FORMS
from hyloop.lang.ops import LEAVES

PAGE = (Path(__file__).parents[2] / "docs/how-it-works.md").read_text(encoding="utf-8")
NAMES = ["algorithm", "paper", "corrected", "compiled", "heads", "columns", "hidden", "least", "one a layer"]


def command(*words: str):
    done = CliRunner().invoke(app, [*words, "--json"], catch_exceptions=False)
    assert done.exit_code == 0
    return json.loads(done.stdout)


def section(title: str) -> str:
    return re.split(r"^## ", PAGE.split(f"\n## {title}\n")[1], flags=re.MULTILINE)[0]


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"[|│┃]", line)[1:-1]]


def sizes() -> dict[str, dict[str, str]]:
    """The table of sizes: what it says of each algorithm."""
    lines = [cells(line) for line in section("Sizes").splitlines() if line.startswith("|")]
    assert lines[0] == NAMES
    return {line[0]: dict(zip(NAMES, line, strict=True)) for line in lines[2:]}


def numbers(values) -> str:
    return " ".join(str(value) for value in values)


@pytest.fixture(scope="module")
def file_of(tmp_path_factory):
    """The model file of an algorithm, compiled once."""
    folder = tmp_path_factory.mktemp("models")

    def file(name: str) -> Path:
        path = folder / f"{name}.safetensors"
        if not path.exists():
            hyloop.save(hyloop.compile(name), path)
        return path

    return file


@pytest.fixture(scope="module")
def of_the_paper():
    return {each["algorithm"]: each for each in command("paper", "algorithms")}


# What the table of forms writes with signs or words; the others it writes by their names.
WRITTEN = {
    "less": "`a < b`",
    "precedes": "`p < q`",
    "equal": "`a == b`",
    "missing": "p is none",
    "positive": "`x > 0`",
    "add": "`a + b`",
    "multiple": "`k a`",
    "subtract": "`a - b`",
    "apart": "for a product",
    "finite": "a length that is 0 where it is infinite",
    "divisor": "what divides",
    "difference": "the difference of two quarter squares",
    "ordinal": "`number(p)`",
    "spread": "a scalar on the rows of an array",
}


def test_the_table_of_forms_has_every_operation():
    table = PAGE.partition("\n### The MLP\n")[2].partition("\n## ")[0]
    shown = "\n".join(cells(line)[0] for line in table.splitlines() if line.startswith("| "))
    asked = FORMS.keys() - LEAVES - {"number"}  # a number is its operand
    patterns = {name: re.escape(WRITTEN[name]) if name in WRITTEN else rf"\b{name}\b" for name in asked}
    assert [name for name, pattern in patterns.items() if not re.search(pattern, shown)] == []


def test_the_table_has_every_algorithm():
    assert set(sizes()) == set(ALGORITHMS)


@pytest.mark.parametrize("name", sorted(sample(ALGORITHMS)))
def test_the_compiled_sizes_are_those_of_the_code(name, file_of):
    said = sizes()[name]
    now = command("info", str(file_of(name)))
    assert said["compiled"] == f"{now['layers']} × ({now['at_most']})"
    assert said["heads"] == numbers(now["heads"])
    assert said["columns"] == str(now["columns"])
    assert said["hidden"] == numbers(now["hidden"])
    assert said["least"] == f"{now['least_layers']} / {now['least_for_any_schedule']}"


@pytest.mark.parametrize("name", sorted(sample(ALGORITHMS)))
def test_one_operation_a_layer_is_what_the_code_gives(name):
    # The weight is given, so that the largest one need not be searched for; layers do not depend on it.
    now = command("info", name, "--schedule", "one operation per layer", "--weight", "1000")
    assert sizes()[name]["one a layer"] == str(now["layers"])


@pytest.mark.parametrize("name", sorted(sample(ALGORITHMS)))
def test_the_paper_and_its_corrected_form_are_what_the_code_gives(name, of_the_paper):
    said, form = sizes()[name], of_the_paper.get(name)
    if form is None:
        assert (said["paper"], said["corrected"]) == ("–", "–")
        return
    stated = form["claimed_iterations"].replace("unstated", "?")
    assert said["paper"] == ("–" if form["claimed_layers"] is None else f"{form['claimed_layers']} × {stated}")
    assert said["corrected"] == f"{form['layers']} × {form['iterations']}"


def test_the_layers_of_dijkstra_are_what_the_command_prints():
    done = CliRunner().invoke(app, ["info", "dijkstra", "--layers"], catch_exceptions=False)
    layers = done.stdout[done.stdout.index("Layer 1:") :]
    assert f"```text\n{layers}```\n" in section("From program to layers: Dijkstra")
    assert max(map(len, layers.splitlines())) <= 80


def test_the_parts_of_layers_are_all_that_their_heads_and_units_compute():
    layers = command("info", "dijkstra", "--layers")["layer_list"]
    for layer in layers:
        of_units = [part["for"][0] for part in layer["parts"] if "units" in part]
        said = [each for stage in layer["stages"] for each in stage["implements"]]
        own = ["started"] if layer is layers[-1] else []  # of the compiler: no operation asks for it
        assert sorted(of_units) == sorted([*{each.partition(" (")[0] for each in said}, *own])
        assert len(of_units) == len(set(of_units))
        assert [part["kind"] for part in layer["parts"] if "head" in part] == [head["kind"] for head in layer["heads"]]


def test_the_source_lines_of_dijkstra_are_those_of_the_file():
    file = (Path(hyloop.__file__).parent / "algorithms/dijkstra.py").read_text(encoding="utf-8").splitlines()
    block = re.search(r"```python\n(.*?)```", section("From program to layers: Dijkstra"), re.DOTALL)
    assert block is not None
    shown = block[1].splitlines()
    first = next(number for number, line in enumerate(file) if line.strip() == shown[0])
    for number, line in enumerate(shown):
        code, _, place = line.partition("  # line ")
        assert file[first + number].strip() == code.strip()
        assert not place or int(place) == first + number + 1


@pytest.mark.parametrize(("dtype", "rows"), [("float64", "131,071"), ("float32", "100")])
def test_the_capacity_is_what_fits(dtype, rows):
    capacity = command("info", "dijkstra", "--dtype", dtype)["capacity"]
    said = " ".join(section("Why it is exact").split())
    assert f"{capacity['rows']:,}" == rows
    weights = re.search(r"For Dijkstra this is ([\d,]+) \(float32: ([\d,]+)\)", said)
    assert weights is not None
    assert weights[1 if dtype == "float64" else 2] == f"{capacity['weight']:,}"


def test_refusals_are_as_shown():
    said = section("Why it is exact")
    with pytest.raises(hyloop.CapacityError) as heavy:
        hyloop.compile("dijkstra", hyloop.Capacity(rows=131_071, weight=200_000))
    assert f"Error: {heavy.value}\n" in said
    with pytest.raises(hyloop.CapacityError) as large:
        hyloop.Capacity(rows=3, weight=100).require(8, 6, 1)
    assert f"Error: {large.value}\n" in said


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("motifs", "Motifs has {columns} columns for this reason: {used} are used, and {spare} make room"),
        ("projection", "Projection has {spare} such columns"),
    ],
)
def test_spare_columns_are_counted(name, sentence, file_of):
    columns = [column.name for column in hyloop.load(file_of(name)).layout.columns]
    spare = sum(column.startswith("spare ") for column in columns)
    said = " ".join(section("What it cannot do").split())
    assert sentence.format(columns=len(columns), used=len(columns) - spare, spare=spare) in said
