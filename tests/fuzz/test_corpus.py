"""Every failure that was ever found, once more. One that is marked "open" may still fail; any other may not."""

import pytest

from fuzz import corpus
from fuzz.worker import Worker


@pytest.fixture(scope="module")
def workers():
    """Files are read under limits, in a process of their own: a file that hangs must not hang the tests."""
    found = {"program": Worker(files=False), "file": Worker(files=True)}
    yield found
    for worker in found.values():
        worker.stop()


@pytest.mark.parametrize("path", corpus.kept(), ids=lambda path: path.stem)
def test_it_stays_mended(path, workers):
    entry = corpus.read(path)
    if entry.get("open") and entry.get("slow"):
        pytest.xfail(f"known, and slow: {entry['open']}")
    failed = corpus.again(entry, workers[entry["job"]])
    if failed and entry.get("open"):
        pytest.xfail(f"known: {entry['open']}")
    assert not failed


def test_there_is_a_corpus():
    assert corpus.kept()


def test_a_case_that_is_mended_can_be_closed(tmp_path):
    path = corpus.write(tmp_path, {"job": "file", "what": "csv: slow", "case": {}, "open": "not yet", "slow": True})
    corpus.closed(path)
    assert corpus.read(path) == {"job": "file", "what": "csv: slow", "case": {}}
