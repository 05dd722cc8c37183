"""What is recorded: every hint is the interpreter's value, every output that of `hyloop.run`."""

import numpy as np
import pytest

from data_agreement import compared
from effort import EVERYTHING
from hyloop.data import record as recording
from hyloop.data.plan import Part, Shard
from hyloop.data.shard import examples_of, given_of, metadata_of
from hyloop.data.standard_set import ALGORITHMS
from hyloop.execute.prepare import program_of
from hyloop.lang.text import to_text
from hyloop.running import run

GENERATORS = ("uniform", "heavy-tailed", "communities")


def shard_of(name, *sizes, count=6, limit=10_000):
    program = program_of(name)
    return program, Shard(to_text(program), name, Part("p", "s", sizes, GENERATORS, 3, count), 0, count, "", limit)


@pytest.mark.parametrize("name", [each for each in [*ALGORITHMS, "k_core"] if EVERYTHING or each != "motifs"])
def test_every_hint_is_the_interpreters(name):
    program, shard = shard_of(name, 4, 9)
    document = metadata_of(shard)
    for number, example in examples_of(shard):
        assert compared(program, document, example, given_of(program, shard.part, number)) > 0


def test_many_frames_are_settled_in_parts(monkeypatch):
    program, shard = shard_of("scc", 12, count=3)
    whole = [example for _, example in examples_of(shard)]
    monkeypatch.setattr(recording, "TOGETHER", 50)
    for before, (_, after) in zip(whole, examples_of(shard), strict=True):
        assert before.keys() == after.keys()
        assert all(np.array_equal(before[name], after[name]) for name in before)
    assert program.name == "scc"


@pytest.mark.parametrize("name", ["dijkstra", "helly", "s_distance"])
def test_outputs_are_those_of_a_run(name):
    program, shard = shard_of(name, 8)
    for number, example in examples_of(shard):
        given = given_of(program, shard.part, number)
        labels = {each.name: given.inputs[each.name] - each.type.kind.is_pointer for each in program.inputs}
        found = run(name, given.hypergraph, **labels)
        for output in {each.name for each in program.outputs}:
            value = found[output]
            values = value.values() if hasattr(value, "values") else value if isinstance(value, tuple) else [value]
            stored = np.atleast_1d(example[f"output_{output}"]).tolist()
            if value is None:
                assert set(stored) == {-1}
            else:
                assert stored == [-1 if each is None else int(each) for each in values]
        assert example["steps"] == found.iterations


def test_a_run_that_takes_too_long_is_left_out():
    program, shard = shard_of("motifs", 16, count=3, limit=20)
    assert [example for _, example in examples_of(shard)] == [None] * 3
    assert program.name == "motifs"
