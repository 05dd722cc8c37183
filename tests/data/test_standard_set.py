"""The standard data set: what the card says of it."""

from fractions import Fraction

import pytest

from hyloop.data.plan import LIMIT, shards_of
from hyloop.data.standard_set import ALGORITHMS, TEST, TRAIN, standard
from hyloop.errors import HyloopError
from hyloop.execute.prepare import program_of


def test_splits_and_sizes():
    plan = standard()
    assert len(plan.tasks) == len(ALGORITHMS) >= 10
    for task in plan.tasks:
        largest = ALGORITHMS[task.program.name] or max(TEST)
        counts = {(part.split, part.sizes): part.count for part in task.parts}
        assert counts == {
            ("train", TRAIN): 10_000,
            ("validation", (16,)): 1_000,
            **{("test", (size,)): 1_000 for size in TEST if size <= largest},
        }
        assert all(len(part.generators) == 3 for part in task.parts)


def test_motifs_stop_where_a_run_takes_too_long():
    motifs = program_of("motifs")
    assert motifs.most_iterations(80, 80) <= LIMIT < motifs.most_iterations(160, 160)


def test_a_share_is_the_beginning():
    small = [(shard.path, shard.last) for shard in shards_of(standard(Fraction(1, 100)))]
    assert len(small) == 7 * 10 + 4
    assert {last for _, last in small} == {10, 100}
    with pytest.raises(HyloopError, match="more than 0 and at most 1; not 2"):
        standard(Fraction(2))
    assert standard(0.01) == standard(Fraction(1, 100))
    for share in ("0.01", None, True, float("nan"), [1]):
        with pytest.raises(HyloopError, match="The share of the standard data set is a number; given"):
            standard(share)
