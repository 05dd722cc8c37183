"""The command lines of the pages that take long: `tests/docs/command_lines.py` lists them, with the reasons."""

import pytest

from docs.command_lines import STATUS, execute, prepare, to_run


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reader")
    prepare(folder)
    return folder


@pytest.mark.parametrize("each", to_run(long=True), ids=str)
def test_it_runs(each, prepared, tmp_path):
    if each.words[-1].endswith(".pt2"):
        pytest.importorskip("torch")
    status, errors = execute(each, prepared, tmp_path)
    assert (status, "Traceback" in errors) == (STATUS.get(each.text, 0), False), errors
