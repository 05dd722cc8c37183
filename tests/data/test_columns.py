"""Columns and hashes: what stands in a row, and that every number of it counts."""

from hashlib import sha256

import numpy as np
import pytest

import hyloop
from hyloop.data.columns import (
    add_to_hash,
    columns_in,
    columns_of,
    directions,
    hash_of_parts,
    hash_of_set,
    hash_of_shard,
    outputs_document,
)
from hyloop.data.plan import Part, Shard
from hyloop.data.shard import examples_of, metadata_of
from hyloop.execute.prepare import program_of
from hyloop.lang.text import to_text

PROGRAM = program_of("dijkstra")


def example():
    part = Part("p", "s", (5,), ("uniform",), 1, 1)
    [(_, found)] = examples_of(Shard(to_text(PROGRAM), "dijkstra", part, 0, 1, "", 100))
    return found


def hashed(given):
    digest = sha256()
    add_to_hash(digest, columns_of(PROGRAM), given)
    return digest.hexdigest()


def test_a_row_has_every_column():
    assert list(example()) == [each.name for each in columns_of(PROGRAM)]
    assert [each.name for each in columns_of(PROGRAM)][9:13] == [
        "input_source", "output_distance", "output_predecessor", "output_hyperedge"
    ]  # fmt: skip


@pytest.mark.parametrize("column", [each.name for each in columns_of(PROGRAM)])
def test_every_number_counts(column):
    before = example()
    value = before[column]
    if isinstance(value, np.ndarray):
        value = value.copy().reshape(-1)
        value[-1:] += 1
    else:
        value = f"{value}!" if isinstance(value, str) else value + 1
    assert hashed(before) != hashed(before | {column: value})


def test_numbers_do_not_pass_from_one_column_to_the_next():
    before = example()
    moved = {"member_at": before["member_at"][:-1], "member": [before["member_at"][-1], *before["member"]]}
    assert hashed(before) != hashed(before | moved)


def document():
    part = Part("p", "s", (5,), ("uniform",), 1, 1)
    return metadata_of(Shard(to_text(PROGRAM), "dijkstra", part, 0, 1, "", 100))


def places(value, way=()):
    """Every value in a document, by the way to it."""
    if isinstance(value, dict | list) and value:
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(each, (*way, key))
    else:
        yield way


def test_all_metadata_count_but_who_made_it():
    """Names, kinds and locations of hints, too: two sets of other hint names had the same hash."""
    before, left = hash_of_shard(document(), "x"), []
    for way in places(document()):
        changed = document()
        at = changed
        for key in way[:-1]:
            at = at[key]
        at[way[-1]] = f"{at[way[-1]]}!"
        if hash_of_shard(changed, "x") == before:
            left.append(way)
    assert left == [("hyloop",), ("hash",)]
    assert before != hash_of_shard(document(), "y")


@pytest.mark.parametrize("name", ["inputs", "outputs", "variables", "hypergraph"])
def test_the_order_of_what_metadata_list_counts(name):
    told = document()
    told[name] = [*told[name], {"name": "last"}]
    turned = told | {name: told[name][::-1]}
    assert hash_of_shard(told, "x") != hash_of_shard(turned, "x")
    assert hash_of_shard(told, "x") == hash_of_shard(dict(reversed(told.items())), "x")


def test_the_version_of_the_hash_is_in_it():
    assert hash_of_parts([]).startswith("v2:")
    assert hash_of_parts([]) == f"v2:{sha256(b'hyloop-data hash 2' + bytes([10])).hexdigest()}"
    assert hash_of_shard(document(), "x").startswith("v2:")


def test_columns_from_metadata():
    assert columns_in(document()) == columns_of(PROGRAM)


def test_directions():
    h = hyloop.Hypergraph.from_arrays([0, 1, 2, 1], [0, 0, 0, 1], direction=[-1, 1, 0, -1], counts=(3, 2))
    assert directions(h).tolist() == [-1, 1, 0, -1]
    assert directions(h.ignoring_direction()).tolist() == [0, 0, 0, 0]


def test_a_quotient_has_two_columns_and_a_list_is_one():
    columns = [each["column"] for each in outputs_document(program_of("closeness"))]
    assert columns == ["output_farness", "output_connected", "output_closeness", "output_closeness_over"]
    [counts] = outputs_document(program_of("motifs"))
    assert (counts["location"], counts["many"]) == ("graph", True)


def test_the_order_of_shards_does_not_matter():
    parts = [("a/b", "1"), ("a/c", "2")]
    assert hash_of_parts(parts) == hash_of_parts(parts[::-1]) != hash_of_parts([("a/b", "2"), ("a/c", "1")])


def test_the_plan_counts():
    plan, parts = {"name": "mine", "limit": 5}, [("a/b", "1"), ("a/c", "2")]
    assert hash_of_set(plan, parts) == hash_of_set(dict(reversed(plan.items())), parts[::-1])
    assert len({hash_of_set(each, parts) for each in (plan, plan | {"name": "other"}, plan | {"limit": 6})}) == 3
    assert hash_of_set(plan, parts) != hash_of_set(plan, parts[1:])
