"""The hash of a run, and the runs that the page's transformer has to repeat."""

import copy
import hashlib
import json
import runpy
from pathlib import Path

import numpy as np
import pytest

import hyloop
from hyloop.recording.run_hash import run_hash, state_bytes, states

ROOT = Path(__file__).parents[2]
HARBOUR = hyloop.read(ROOT / "examples" / "harbour.hif.json")


@pytest.fixture(scope="module")
def recorded():
    return hyloop.trace("dijkstra", HARBOUR, source="Quay", backend="dense", layers=True)


def test_it_is_the_hash_of_the_states_after_every_layer(recorded):
    from hyloop.execute import dense
    from hyloop.execute.prepare import encoded, given_to

    model = recorded.model
    begin = encoded(model, given_to(model.parsed, HARBOUR, {"source": "Quay"}))
    session = dense.start(model, begin.X, begin.incidence, layers=True)
    seen = [begin.X]
    while not session.halted()[0]:
        session.advance(1)
        seen += [X[0] for X in session.after_layers()]
    digest = hashlib.sha256()
    for X in seen:
        digest.update(np.ascontiguousarray(X.T, dtype="<f8").tobytes())
    assert run_hash(recorded.document) == recorded.run_hash == digest.hexdigest()


def test_every_number_counts(recorded):
    other = copy.deepcopy(dict(recorded.document))
    column = next(each for each in other["columns"] if each["value"])
    column["value"][-1] += 1
    assert run_hash(other) != run_hash(recorded.document)


def test_there_is_a_state_for_every_frame(recorded):
    assert sum(1 for _ in states(recorded.document)) == len(recorded)
    assert sum(each.nbytes for each in states(recorded.document)) == state_bytes(recorded.document)


def test_the_runs_for_the_page_are_up_to_date():
    script = runpy.run_path(str(ROOT / "scripts" / "machine_cases.py"))
    made = [*script["kept"](), *script["told"]()]
    files = ("machine.json", "told.json")
    found = [each for file in files for each in json.loads((ROOT / "viewer/test" / file).read_text(encoding="utf-8"))]
    for each in (*made, *found):
        del each["model"]  # its compression differs between builds of zlib; the hashes of the runs do not
    assert found == json.loads(json.dumps(made)), (
        "python scripts/machine_cases.py writes them anew; then run the tests of the viewer."
    )
    operations = (ROOT / "viewer" / "test" / "operations.json").read_text(encoding="utf-8")
    assert operations == script["operations"](), "python scripts/machine_cases.py writes them anew."
