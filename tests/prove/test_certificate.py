"""Certificate files: what has no certificate is named. (tests/thorough has whole ones.)"""

import gzip
import json

import pytest

import hyloop
from hyloop import Capacity
from hyloop.errors import HyloopError
from hyloop.prove import certificate as module
from hyloop.prove import prove
from hyloop.prove.certificate import PARTS, certificate, save_certificate
from hyloop.prove.certify import NotFound


@pytest.fixture(scope="module")
def made():
    """A certificate without proofs but of one obligation."""
    asked = []

    def certify(script):
        asked.append(script.text)
        if len(script.assertions) == 1:
            return [("use", 0)]
        raise NotFound("none")

    told = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "certify", certify)
        found = certificate(prove(hyloop.compile("k_core", Capacity(9, 9))), lambda *each: told.append(each))
    assert sorted(asked) == sorted({each.script.text for each in found.obligations})  # what is there twice, once
    assert told == [(number, len(found.obligations)) for number in range(len(found.obligations))]
    return found


def test_what_is_missing_is_named(made):
    assert len(made.missing) == len([each for each in made.obligations if each.proof is None]) > 100
    assert "layer 1, head 1: row i looks at itself, at no other row" in made.missing
    assert made.summary() == {"obligations": 211, "missing": made.missing, "hash": made.stated}


def test_the_file_says_which_obligations_make_up_which_part(made, tmp_path):
    save_certificate(made, tmp_path / "file")
    document = json.loads(gzip.decompress((tmp_path / "file").read_bytes()))
    assert (document["name"], document["theorem"]) == ("k_core", made.proof.theorem)
    assert {each["part"] for each in document["obligations"]} == PARTS.keys() == document["parts"].keys()
    assert [each["proof"] for each in document["obligations"]] == [
        each.proof and [["use", 0]] for each in made.obligations
    ]
    with pytest.raises(HyloopError, match="cannot be written"):
        save_certificate(made, tmp_path)
