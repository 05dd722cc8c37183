"""10,000 permuted right answers and 10,000 changed ones of each algorithm: accepted if right, refused if wrong."""

import numpy as np
import pytest

from answer_changes import tried
from hyloop import data
from hyloop.data.verify import VERIFIERS

pytest.importorskip("pyarrow")


@pytest.mark.parametrize("algorithm", VERIFIERS)
def test_ten_thousand_of_each(algorithm, tmp_path):
    plan = data.custom(
        [algorithm], sizes=[4, 7, 10], generators=list(data.GENERATORS), seeds=[5], count=168, split="test"
    )
    data.make(plan, tmp_path / "data", processes=1)
    random, counts = np.random.default_rng(11), np.zeros(2, np.int64)  # accepted, refused
    while counts.min() < 10_000:  # `tried` fails on a verdict that is wrong
        for shard in data.shards(tmp_path / "data"):
            counts += tried(shard, VERIFIERS[algorithm], random, times=10)
