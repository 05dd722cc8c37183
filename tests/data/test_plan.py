"""What is asked for: sizes and generators in turn, and requests that make no sense."""

from collections import Counter
from fractions import Fraction

import pytest

from hyloop.data.plan import Part, custom, shards_of, shared
from hyloop.errors import HyloopError
from hyloop.execute.prepare import program_of

LEVELS = program_of("levels")
USUAL = {"sizes": [4], "generators": ["uniform"], "seeds": [0], "count": 10, "split": "train"}


def test_sizes_and_generators_take_turns():
    part = Part("p", "train", (4, 7, 11), ("a", "b"), 1, 60)
    found = Counter((part.size(number), part.generator(number)) for number in range(60))
    assert set(found.values()) == {10}
    assert len(found) == 6


def test_shards_have_every_example_once():
    plan = custom([LEVELS], **USUAL | {"sizes": [4, 1600], "count": 1234, "seeds": [1, 2]})
    seen = Counter()
    for shard in shards_of(plan):
        seen.update((shard.part.name, number) for number in range(shard.first, shard.last))
    assert set(seen.values()) == {1}
    assert len(seen) == 4 * 1234
    assert {name for name, _ in seen} == {f"train-{n}-seed-{seed}" for n in (4, 1600) for seed in (1, 2)}


def test_a_share_is_at_least_one():
    assert [shared(1000, Fraction(share)) for share in ("1", "0.01", "0.0001", "1/3")] == [1000, 10, 1, 334]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"sizes": []}, "Say how many vertices"),
        ({"sizes": [0]}, "1 to 1,000,000 vertices; given 0"),
        ({"sizes": [4, 4]}, "The sizes of a data set are different from each other: 4, 4"),
        ({"generators": ["gauss"]}, "no generator 'gauss'; there are uniform, heavy-tailed, communities"),
        ({"generators": []}, "at least one generator"),
        ({"count": 0}, "at least 1"),
        ({"split": "../up"}, "The name of a split has letters, digits, - and _"),
        ({"real": ["nowhere.json"]}, "nowhere.json: this cannot be read"),
    ],
)
def test_what_makes_no_sense(wrong, told):
    with pytest.raises(HyloopError, match=told):
        custom([LEVELS], **USUAL | wrong)


def test_algorithms_are_given_once():
    with pytest.raises(HyloopError, match="levels was given twice"):
        custom([LEVELS, LEVELS], **USUAL)
    with pytest.raises(HyloopError, match="at least one algorithm"):
        custom([], **USUAL)
