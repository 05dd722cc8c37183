"""Labels in JSON: every label comes back as it is, also through a reader whose numbers are doubles."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop import HypergraphError
from hyloop.labels import label_from_json, label_in_json
from hyloop.strict import as_browsers_do
from hypergraph_strategies import labels


@given(labels | st.integers())
def test_what_is_written_is_read(label):
    assert label_from_json(json.loads(json.dumps(label_in_json(label)))) == label


@pytest.mark.parametrize(
    "label", [0, 2**53 - 1, 2**53, 2**53 + 1, -(2**53), -(2**60) - 1, 10**999, "7", str(2**53 + 1)]
)
def test_browsers_read_it_too(label):
    found = label_from_json(as_browsers_do(json.dumps(label_in_json(label))))
    assert (found, isinstance(found, type(label))) == (label, True)


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 1.5, [], {}, 2**53, -(2**53), {"integer": 2**53}, {"integer": "7"}, {"integer": "9" * 1001}),
        *({"integer": "9007199254740991"}, {"integer": "9007199254740993\n"}, {"integer": "09007199254740993"}),
        {"integer": "9007199254740993", "more": 1},
    ],
    ids=str,
)
def test_anything_else_is_refused(value):
    with pytest.raises(HypergraphError, match="cannot be a label"):
        label_from_json(value)
