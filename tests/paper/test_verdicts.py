"""A lemma judged in all its settings."""

import json

from hyloop.paper.lemmas import LEMMAS
from hyloop.paper.verdicts import judge_lemma


def test_a_lemma_is_judged_in_every_setting():
    for lemma in LEMMAS[:2]:
        found = judge_lemma(lemma, trials=10)
        assert found.corrected_holds
        assert len(found.corrected) == 2 + len(lemma.aliases)
        told = json.loads(json.dumps(found.document()))
        assert told["corrected"]["trials"] == found.trials == sum(each.trials for each in found.corrected)
        assert told["printed"]["holds"] is found.printed.holds
