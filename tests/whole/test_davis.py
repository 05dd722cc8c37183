"""Real data that comes with the repository: 18 women, 14 events, 89 attendances. Transformers against oracles."""

import pytest

import hyloop
from algorithm_inputs import inputs_of
from hyloop.algorithms import ALGORITHMS
from oracles import disagreements

# Counted by programs that have nothing to do with this project, where events with the same guests are one.
MOTIFS = (0, 2, 4, 12, 6, 6, 0, 8, 10, 33, 3, 16, 0, 6, 19, 4, 0, 0, 0, 21, 1, 58, 0, 4, 3, 0)


def test_the_file_says_what_was_published(davis):
    guests = [3, 3, 6, 4, 8, 8, 10, 14, 12, 5, 4, 6, 3, 3]
    assert [len(davis.members_of(event)) for event in davis.hyperedges] == guests
    assert (len(davis.vertices), sum(guests)) == (18, 89)
    assert len(davis.hyperedges_of("Flora Price")) == len(davis.hyperedges_of("Olivia Carleton")) == 2
    assert "1941" in davis.annotations.metadata["source"]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_in_its_transformer_gives_the_answers_of_the_oracles(name, davis):
    every, flora = inputs_of(name, davis), {"source": "Flora Price"}
    inputs = flora if flora in every else every[0]
    assert disagreements(name, davis, inputs, skip=("sets, all families", "sets, all divisions")) == []


def test_the_motifs_are_the_known_ones(davis):
    distinct = {davis.members_of(event): event for event in davis.hyperedges}
    merged = hyloop.Hypergraph.from_hyperedges({event: guests for guests, event in distinct.items()})
    assert len(merged.hyperedges) == 13
    assert hyloop.run("motifs", merged)["counts"] == MOTIFS
