"""`hyloop draw`, as a person and as a program use it."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import commands

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'hyloop[draw]'")

HARBOUR = str(Path(__file__).parents[2] / "examples" / "harbour.hif.json")
SVG = "{http://www.w3.org/2000/svg}"


def hyloop(*arguments: str, given: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return commands.run(*arguments, given=given or b"")


def texts(svg: bytes) -> list[str]:
    return ["".join(each.itertext()).strip() for each in ET.fromstring(svg).iter(f"{SVG}text")]


def test_a_file_is_drawn(tmp_path):
    target = tmp_path / "harbour.svg"
    done = hyloop("draw", HARBOUR, "-o", str(target))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().replace("\n", "").startswith("Wrote ")
    assert {"Quay", "Wreck", "ferry: 4", "dinghy: 0.5"} <= set(texts(target.read_bytes()))


def test_a_result_with_a_way_goes_to_standard_output():
    done = hyloop("draw", "dijkstra", HARBOUR, "--source", "Quay", "--path", "Dunes", "-o", "-", "--as", "svg")
    assert (done.returncode, done.stderr) == (0, b"")
    said = texts(done.stdout)
    assert "distance" in said
    assert {"1.5", "3.5", "∞"} <= set(said)
    assert b"#c1121f" in done.stdout


def test_other_inputs_colours_and_styles(tmp_path):
    target = tmp_path / "h.png"
    options = ("-i", "source=Cove", "--colour-by", "predecessor", "--style", "bipartite", "--no-labels", "--width", "5")
    done = hyloop("draw", "bfs", HARBOUR, *options, "-o", str(target))
    assert done.returncode == 0, done.stderr
    assert target.read_bytes().startswith(b"\x89PNG")


def test_a_hypergraph_from_standard_input():
    done = hyloop("draw", "-", "--format", "edge-list", "-o", "-", "--as", "svg", given=b"a b\nb c\n")
    assert {"a", "b", "c"} <= set(texts(done.stdout)), done.stderr


def test_a_model_is_drawn(tmp_path):
    target = tmp_path / "levels.pdf"
    done = hyloop("draw", "levels", "-o", str(target), "--width", "7")
    assert done.returncode == 0, done.stderr
    assert target.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-o", "h.svg"], "Say what to draw: ALGORITHM FILE, a hypergraph FILE alone, or an ALGORITHM alone."),
        ([HARBOUR, "dijkstra", "-o", "h.svg"], f"the algorithm comes first: hyloop draw dijkstra {HARBOUR}"),
        ([HARBOUR, "--path", "Mill", "-o", "h.svg"], f"which comes first: hyloop draw ALGORITHM {HARBOUR}"),
        ([HARBOUR, "-o", "h.gif"], "h.gif should end in .svg, .pdf or .png"),
        ([HARBOUR, "-o", "-"], "A picture for standard output needs its kind: --as svg"),
        ([HARBOUR, "-o", "-", "--as", "gif"], "A picture for standard output needs its kind: --as svg"),
        ([HARBOUR, "-o", "h.svg", "--as", "pdf"], "--as pdf and the name h.svg say different things"),
        (
            [HARBOUR, "--source", "Quay", "-o", "h.svg"],
            "--source, --input, --path and --colour-by are for the result of an algorithm",
        ),
        (["dijkstra", HARBOUR, "-o", "h.svg"], "dijkstra needs source, a vertex: --source LABEL"),
        (
            ["levels", HARBOUR, "--source", "Quay", "--path", "Mill", "-o", "h.svg"],
            "levels gives no predec",
        ),
        (["dijkstra", HARBOUR, "--source", "Kuay", "-o", "h.svg"], "There is no vertex 'Kuay'"),
        ([HARBOUR, "--width", "99", "-o", "h.svg"], "The width is in inches, from 1 to 40; 99 is not."),
        (["dijkstra", "--path", "Quay", "-o", "h.svg"], "The layers of a model are drawn with -o, --as, --width"),
    ],
)
def test_mistakes_are_sentences(arguments, sentence):
    done = hyloop("draw", *arguments)
    assert done.returncode == 2
    assert sentence in " ".join(done.stderr.decode().split())
    assert b"Traceback" not in done.stderr
    assert not Path("h.svg").exists()


def test_without_matplotlib_there_is_a_sentence():
    script = (
        "import sys\n"
        "sys.modules['matplotlib'] = None\n"
        "import hyloop\n"
        "from hyloop.draw import draw, draw_model\n"
        "h = hyloop.Hypergraph.from_hyperedges([['a']])\n"
        "for call in (lambda: draw(h), lambda: draw_model(hyloop.compile('levels'))):\n"
        "    try:\n"
        "        call()\n"
        "    except hyloop.HyloopError as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "Drawing needs matplotlib: pip install 'hyloop[draw]'.\n" * 2
