"""`hyloop convert` says what it wrote."""

from pathlib import Path

import pytest

import commands

HARBOUR = str(Path(__file__).parents[2] / "examples" / "harbour.hif.json")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["h.csv"], "Wrote h.csv: 8 vertices, 6 hyperedges, 15 incidences.\n"),
        (["h.csv", "-q"], ""),
    ],
)
def test_what_was_written_is_told(words, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = commands.run_text("convert", HARBOUR, *words)
    assert (done.returncode, done.stdout) == (0, told)
    assert Path("h.csv").exists()


def test_nothing_is_told_between_the_lines_of_a_file():
    done = commands.run_text("convert", "-", "-", "--from", "edge-list", "--to", "edge-list", given="1 2\n")
    assert (done.returncode, done.stdout) == (0, "1 2\n")


def test_a_warning_names_the_file(tmp_path):
    file = tmp_path / "twice.json"
    weights = [{"edge": 1, "weight": 1}, {"edge": 1, "weight": 2}]
    file.write_text(f'{{"edges": {weights}, "incidences": []}}'.replace("'", '"'), encoding="utf-8")
    told = " ".join(commands.run_text("describe", str(file)).stderr.split())
    assert told.startswith(f"Warning: {file}: Records contradict earlier ones")
    told = " ".join(commands.run_text("describe", "-", given=file.read_text("utf-8")).stderr.split())
    assert told.startswith("Warning: standard input: Records contradict")
