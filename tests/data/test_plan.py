"""What is asked for: sizes and generators in turn, and requests that make no sense."""

import json
import os
import re
from collections import Counter
from fractions import Fraction

import numpy as np
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
        *(
            ({"sizes": [each]}, f"The number of vertices is an integer from 1 to 1,000,000; given {re.escape(told)}")
            for each, told in [(0, "0"), (-1, "-1"), ("4", "'4'"), (True, "True"), (2.0, "2.0"), (None, "None")]
        ),
        *(({"sizes": each}, "sizes is a list of integers; given") for each in (4, "4", None, {4: 1})),
        *(({"seeds": [each]}, "A seed is an integer from 0 to") for each in (-1, 2**63, "1", 1.0, True, None)),
        ({"seeds": 3}, "seeds is a list of integers; given 3"),
        ({"generators": "uniform"}, "generators is a list of names of generators; given 'uniform'"),
        ({"generators": [["uniform"]]}, "There is no generator"),
        ({"real": "a.csv"}, "real is a list of names of files; given 'a.csv'"),
        ({"real": [5]}, "real is a list of names of files; given 5"),
        ({"real": ["/dev/zero"]}, "/dev/zero: this cannot be read"),
        *(({"count": each}, "The number of examples is an integer from 1 to") for each in (0, "5", 1.5, True, 10**30)),
        *(({"limit": each}, "that an example may take is an integer from 1") for each in (0, "5", None, 10**8)),
        ({"sizes": [10**6], "count": 10**8}, "would have 100,000,000 files; at most 1,000,000 are made"),
        *(({"split": each}, "The name of a split has letters") for each in (None, 5, "", "_", "a" * 101, "a\n")),
        ({"sizes": [4, 4]}, "The sizes of a data set are different from each other: 4, 4"),
        ({"generators": ["gauss"]}, "no generator 'gauss'; there are uniform, heavy-tailed, communities"),
        ({"generators": []}, "at least one generator"),
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
    for given in ("levels", None, 5):
        with pytest.raises(HyloopError, match="algorithms is a list of algorithms or their names; given"):
            custom(given, **USUAL)


def test_integers_of_numpy_are_integers():
    plan = custom(["levels"], sizes=np.array([4, 7]), seeds=[np.uint64(1)], count=np.int32(3))
    assert json.loads(json.dumps(plan.document())) == custom(["levels"], sizes=[4, 7], seeds=[1], count=3).document()


def test_names_of_real_files(tmp_path):
    """What is made can be read: a name becomes one of a path, of JSON, and of no other part."""
    names = ["a\\b\n.edges", "ü.edges", os.fsdecode(b"\xff.edges"), "x" * 200 + ".edges"]
    for name in names:
        (tmp_path / name).write_text("a b\n")
    [task] = custom([LEVELS], real=[tmp_path / name for name in names]).tasks
    assert [part.name for part in task.parts] == ["real-a_b_", "real-ü", "real-_", "real-" + "x" * 100]
    assert task.parts[2].document()["file"].encode() == b"\\udcff.edges"
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "a.edges").write_text("a b\n")
    (tmp_path / "a-2.edges").write_text("a b\n")
    with pytest.raises(HyloopError, match="Two parts would be called real-a-2"):
        custom([LEVELS], real=[tmp_path / name for name in ("one/a.edges", "two/a.edges", "a-2.edges")])
