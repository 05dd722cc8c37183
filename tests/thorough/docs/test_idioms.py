"""docs/idioms.md as transformers: what the page prints; each program against its transformer, and proved."""

import hyloop
from docs.test_docs import played
from hyloop.lang import Algorithm
from hyloop.prove import prove


def test_every_idiom(tmp_path, monkeypatch):
    page = played("docs/idioms.md", tmp_path, monkeypatch)
    for each in [each for each in page.names.values() if isinstance(each, Algorithm)]:
        assert hyloop.check_random(each, 30).agrees
        assert prove(hyloop.compile(each)).answer == "proved"
