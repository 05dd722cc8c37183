"""Hypergraphs as packed arrays: there and back, and random ones that never change."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import examples
from hyloop import Hypergraph, HypergraphBatch, HypergraphError
from hyloop.hypergraph_batch import BOTH, Draw
from hyloop.samples import DEGENERATE, hypergraphs

EMPTY = Hypergraph.from_hyperedges([])


def taken(source, count):
    return [h for h, _ in zip(source, range(count), strict=False)]


def content(h):
    """What a packed hypergraph keeps: everything but the labels."""
    number = {label: place for place, label in enumerate(h.vertices)}
    sides = [part.row_numbers().tolist() + part.indices.tolist() for part in (h.incidence, h.tails, h.heads)]
    return len(h.vertices), [sorted(number[v] for v in h.members_of(e)) for e in h.hyperedges], h.weights, sides


@pytest.mark.parametrize("directed", [False, True])
def test_there_and_back(directed):
    given_ = [EMPTY, *taken(hypergraphs(3, directed=directed), 60)]
    batch = HypergraphBatch.of(given_)
    assert batch.directed == directed
    assert len(batch) == len(given_) == len(list(batch))
    assert [content(h) for h in batch] == [content(h) for h in given_]


def test_fractions_become_integers_of_a_unit():
    h = Hypergraph.from_hyperedges([["a", "b"], ["b"]], weights={1: Fraction(1, 2), 2: Fraction(2, 3)})
    batch = HypergraphBatch.of([h, DEGENERATE[-1]])
    assert batch.weight.tolist() == [3, 4, *[1] * 6]
    assert batch.units == (Fraction(1, 6), Fraction(1))
    assert batch[0].weights == (Fraction(1, 2), Fraction(2, 3))
    assert batch[0].vertices == ("a", "b"), "labels stay"


def test_a_part_is_a_batch():
    batch = HypergraphBatch.of([EMPTY, *taken(hypergraphs(5), 30)])
    middle = batch.part(4, 25)
    assert [content(h) for h in middle] == [content(batch[place]) for place in range(4, 25)]
    assert len(batch.part(7, 7)) == 0
    assert len(batch.part(20, 99)) == 11


def test_places():
    batch = HypergraphBatch.random(3, vertices=(1, 9))
    assert content(batch[-1]) == content(batch[2])
    with pytest.raises(IndexError, match="no hypergraph 3; there are 3"):
        batch[3]
    assert repr(batch) == f"<HypergraphBatch: 3 hypergraphs, {len(batch.member)} incidences>"


def test_no_hypergraph_at_all():
    for batch in (HypergraphBatch.of([]), HypergraphBatch.random(0)):
        assert len(batch) == 0
        assert batch.vertex_at.tolist() == batch.member_at.tolist() == [0]


@pytest.mark.parametrize("directed", [False, True])
def test_the_same_by_vertex(directed):
    batch = HypergraphBatch.random(20, seed=5, vertices=(1, 7), sizes=(0, 4), hyperedges=(0, 9), directed=directed)
    starts, edges, roles = batch.incidents
    expected = [[] for _ in range(int(batch.vertices.sum()))]
    edge = 0
    for place in range(len(batch)):
        for own in range(int(batch.hyperedges[place])):
            for at in range(batch.member_at[edge], batch.member_at[edge + 1]):
                expected[batch.vertex_at[place] + batch.member[at]].append((own, batch.role[at]))
            edge += 1
    found = [list(zip(edges[a:b], roles[a:b], strict=True)) for a, b in pairwise(starts)]
    assert found == expected


def test_a_seed_gives_these_hypergraphs_for_ever():
    batch = HypergraphBatch.random(3, seed=17, vertices=(2, 6), hyperedges=(1, 4), sizes=(0, 3), directed=True)
    assert batch.vertices.tolist() == [6, 6, 5]
    assert batch.hyperedges.tolist() == [1, 4, 3]
    assert batch.member_at.tolist() == [0, 2, 5, 7, 10, 12, 14, 16, 16]
    assert batch.member.tolist() == [3, 4, 2, 1, 4, 4, 1, 1, 2, 3, 4, 1, 2, 4, 3, 4]
    assert batch.role.tolist() == [3, 5, 3, 3, 3, 3, 7, 3, 7, 7, 3, 3, 3, 5, 3, 5]
    assert batch.weight.tolist() == [1, 8, 1, 1, 8, 4, 7, 5]
    assert {each.dtype.name for each in (batch.vertices, batch.hyperedges, batch.member_at, batch.member)} == {"int32"}
    assert (batch.role.dtype, batch.weight.dtype) == (np.uint8, np.int64)


@examples(10)
@given(st.integers(0, 2**64 - 1), st.booleans())
def test_random_ones_keep_to_their_bounds(seed, directed):
    bounds = {"vertices": (2, 9), "hyperedges": (0, 6), "sizes": (1, 4), "weights": (3, 5)}
    batch = HypergraphBatch.random(40, seed=seed, directed=directed, **bounds)
    sizes = np.diff(batch.member_at)
    found = (batch.vertices, batch.hyperedges, np.append(sizes, 1), batch.weight)
    for values, (low, high) in zip(found, bounds.values(), strict=True):
        assert low <= values.min(initial=high) <= values.max(initial=low) <= high
    edge = 0
    for place, h in enumerate(batch):
        for _ in h.hyperedges:
            members = batch.member[batch.member_at[edge] : batch.member_at[edge + 1]]
            assert len(set(members.tolist())) == len(members)
            assert all(0 <= each < batch.vertices[place] for each in members)
            edge += 1
    assert set(batch.role.tolist()) <= ({BOTH, 3, 5} if directed else {BOTH})


def test_a_hyperedge_has_no_more_members_than_there_are_vertices():
    batch = HypergraphBatch.random(50, vertices=(1, 3), sizes=5)
    for h in batch:
        assert {len(h.members_of(e)) for e in h.hyperedges} == {len(h.vertices)}


def test_every_number_is_drawn():
    drawn = Draw(0, np).between(0, (3, 7), np.arange(2000))
    assert np.bincount(drawn).tolist()[:3] == [0, 0, 0]
    assert np.bincount(drawn)[3:].min() > 300
    assert not np.array_equal(drawn, Draw(0, np).between(1, (3, 7), np.arange(2000)))
    assert not np.array_equal(drawn, Draw(1, np).between(0, (3, 7), np.arange(2000)))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"vertices": 0}, "vertices is a number or a pair"),
        ({"vertices": (3, 2)}, r"not \(3, 2\)"),
        ({"sizes": (-1, 2)}, "sizes is a number"),
        ({"weights": 0}, "weights is a number"),
        ({"hyperedges": 1.5}, "hyperedges is a number"),
        ({"seed": -1}, "A seed is a whole number below"),
        ({"count": -2}, "A batch has a number of hypergraphs"),
        ({"count": 0.5}, "A batch has a number of hypergraphs"),
    ],
)
def test_bad_arguments(options, told):
    with pytest.raises(HypergraphError, match=told):
        HypergraphBatch.random(**{"count": 1, **options})


def test_weights_that_no_integer_of_64_bits_holds():
    h = Hypergraph.from_hyperedges([["a"], ["b"]], weights={1: Fraction(1, 2**40), 2: 2**40})
    with pytest.raises(HypergraphError, match=r"below 2\^63"):
        HypergraphBatch.of([h])


def test_it_is_frozen():
    with pytest.raises(AttributeError):
        HypergraphBatch.random(1).directed = True
    assert replace(HypergraphBatch.random(1), directed=True).directed


NAMES = ("vertices", "hyperedges", "member_at", "member", "weight", "role")


class Foreign:
    """An array that is known by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_arrays_of_other_libraries_are_taken_and_what_happens_to_them_later_does_not_matter():
    batch = HypergraphBatch.random(5, seed=1, vertices=(1, 6), directed=True)
    taken = HypergraphBatch.from_arrays(**{name: Foreign(getattr(batch, name)) for name in NAMES})
    assert taken.directed
    assert [h.hyperedges for h in taken] == [h.hyperedges for h in batch]
    assert not any(np.shares_memory(getattr(taken, name), getattr(batch, name)) for name in NAMES)
    assert not any(getattr(taken, name).flags.writeable for name in NAMES)


def test_arrays_without_weights_and_roles():
    batch = HypergraphBatch.from_arrays([2, 3], [1, 1], [0, 2, 5], np.array([0, 1, 0, 1, 2], np.uint64))
    assert (batch.directed, batch.weight.tolist(), batch.member.dtype) == (False, [1, 1], np.int32)
    assert [len(h.vertices) for h in batch] == [2, 3]
    assert len(HypergraphBatch.from_arrays([], [], [0], [])) == 0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"vertices": [2]}, "a number for each hypergraph"),
        ({"vertices": [[2, 3]]}, "vertices is an array of integers, of one dimension"),
        ({"member": [0.5, 1, 0, 1, 2]}, "member is an array of integers"),
        ({"hyperedges": [1, 2]}, "a number for each hyperedge and one more"),
        ({"weight": [1]}, "weight one for each"),
        ({"member_at": [0, 6, 5]}, "rises from 0 to the length of member"),
        ({"role": [7]}, "role is as long as that"),
        ({"weight": [0, 1]}, "weights at 1"),
        ({"role": [7, 7, 7, 7, 2]}, "a role has the bit 1"),
        ({"member": [0, 2, 0, 1, 2]}, "below the number of vertices"),
        ({"member": [0, 0, 0, 1, 2]}, "distinct"),
    ],
)
def test_arrays_that_are_no_batch(change, told):
    good = {"vertices": [2, 3], "hyperedges": [1, 1], "member_at": [0, 2, 5], "member": [0, 1, 0, 1, 2]}
    with pytest.raises(HypergraphError, match=told):
        HypergraphBatch.from_arrays(**{**good, **change})


ARRAYS = {
    "vertices": [3, 3],
    "hyperedges": [2, 1],
    "member_at": [0, 2, 4, 5],
    "member": [0, 1, 1, 2, 0],
    "role": [7] * 5,
    "weight": [1, 2, 3],
}


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint16, ">i4", list])
def test_arrays_of_any_integers_are_taken(kind):
    batch = HypergraphBatch(
        **{name: value if kind is list else np.array(value, kind) for name, value in ARRAYS.items()}
    )
    wanted = {"role": "uint8", "weight": "int64"}
    for name, value in ARRAYS.items():
        array = getattr(batch, name)
        assert (array.dtype.name, array.dtype.isnative) == (wanted.get(name, "int32"), True)
        assert array.flags.c_contiguous
        assert array.tolist() == value
    strided = np.repeat(np.array(ARRAYS["member"], np.int32), 2)[::2]
    assert HypergraphBatch(**ARRAYS | {"member": strided}).member.flags.c_contiguous


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"member_at": [0, 2**30, 4, 5]}, "member_at rises"),
        ({"member_at": [0, -2, 4, 5]}, "member_at rises"),
        ({"member_at": []}, "member_at has a number"),
        ({"member": [0, 1, 1, 3, 0]}, "below the number of vertices"),
        ({"member": [0, 0, 1, 2, 0]}, "distinct"),
        ({"member": [0, 1, 1, -1, 0]}, "begin at 0"),
        ({"member": [0, 1, 1, 2]}, "member_at rises"),
        ({"member": [0.0, 1, 1, 2, 0]}, "an array of integers"),
        ({"member": [[0, 1, 1, 2, 0]]}, "of one dimension"),
        ({"member": [0, [1], 1, 2, 0]}, "an array of integers"),
        ({"role": [7, 7, 7, 7]}, "role is as long"),
        ({"role": [6] * 5}, "a role has the bit 1"),
        ({"role": [263] * 5}, "below 2"),
        ({"weight": [1, 2]}, "weight one for each"),
        ({"weight": [1, 0, 3]}, "weights at 1"),
        ({"weight": np.array([1, 2**63, 3], np.uint64)}, "weights below 2"),
        ({"vertices": [3]}, "a number for each hypergraph"),
        ({"vertices": [3, 2**31]}, "below 2"),
        ({"vertices": [True, True]}, "an array of integers"),
        ({"hyperedges": [2, 2]}, "member_at has a number"),
        ({"hyperedges": [4, -1]}, "begin at 0"),
        ({"units": (Fraction(1),)}, "units has one entry"),
        ({"units": (0.1, 0.1)}, "A unit is an integer or a fraction"),
        ({"labels": (((1, 2, 3), (1, 2)), ((1, 1, 2), (1,)))}, "hypergraph 1 has distinct labels, 3 of vertices"),
        ({"labels": (((1, 2, 3), (1, 2)), ((1, 2), (1,)))}, "hypergraph 1 has distinct labels, 3 of vertices"),
        ({"vertices": None}, "an array of integers"),
    ],
)
def test_arrays_that_do_not_fit_together_are_refused(changed, told):
    with pytest.raises(HypergraphError, match=told):
        HypergraphBatch(**ARRAYS | changed)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda: HypergraphBatch.of(EMPTY), "give a list"),
        (lambda: HypergraphBatch.of(None), "give a list"),
        (lambda: HypergraphBatch.of([[[1, 2]]]), "a list is none"),
        (lambda: HypergraphBatch.random("3"), "number of hypergraphs"),
        (lambda: HypergraphBatch.random(10**12), "number of hypergraphs"),
        (lambda: HypergraphBatch.random(3, seed="a"), "A seed is a whole number"),
        (lambda: HypergraphBatch.random(3, seed=1.5), "A seed is a whole number"),
        (lambda: HypergraphBatch.random(3).to(Fraction), "numpy or of CuPy"),
    ],
)
def test_what_is_no_batch_is_told_so(wrong, told):
    with pytest.raises(HypergraphError, match=told):
        wrong()


def test_a_member_without_a_direction_is_a_tail_and_a_head():
    batch = HypergraphBatch(**ARRAYS | {"role": [1, 3, 5, 1, 7]})
    assert (batch.role.tolist(), batch.directed) == ([7, 3, 5, 7, 7], True)
    assert (batch.undirected().role.tolist(), batch.undirected().directed) == ([7] * 5, False)
    assert not HypergraphBatch(**ARRAYS | {"role": [1] * 5}).directed
