"""Hypergraphs as packed arrays: there and back, and random ones that never change."""

import math
import tracemalloc
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyloop
from effort import examples
from hyloop import CapacityError, Hypergraph, HypergraphBatch, HypergraphError, run_many
from hyloop.hypergraph_batch import BOTH, Draw, divisors
from hyloop.memory import NotEnoughMemoryError
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


def test_weights_that_no_integer_of_64_bits_holds_are_kept_apart():
    h = Hypergraph.from_hyperedges([["a"], ["b"]], weights={1: Fraction(1, 2**40), 2: 2**40})
    rough = Hypergraph.from_hyperedges([["a"], ["b"]], weights=[Fraction(1, 10**900), Fraction(1, 10**900 + 1)])
    plain = Hypergraph.from_hyperedges([["a"]], weights=[Fraction(3, 2)])
    batch = HypergraphBatch.of([plain, h, rough])
    assert list(batch) == [plain, h, rough] == list(batch.undirected().part(0, 9))
    assert (batch.weight.tolist(), batch.long) == ([1, 0, 0, 0, 0], [1, 2])
    assert (batch.weights_of(1), batch.unit_of(1)) == ((1, 2**80), Fraction(1, 2**40))
    assert HypergraphBatch.of([plain, h]).heaviest == HypergraphBatch.of([h, plain]).part(0, 1).heaviest == 2**80
    with pytest.raises(HypergraphError, match="weights at 1"):
        replace(batch, units=())


@pytest.mark.parametrize("most", [1, 3, 9, 40])
def test_common_factors(most):
    rng = np.random.default_rng(most)
    sizes = rng.integers(0, most + 1, 200)
    starts = np.cumsum([0, *sizes])
    factor = np.repeat(rng.choice([0, 1, 6, 2**40], 200), sizes)
    values = factor * rng.integers(0, 12, len(factor))
    found = divisors(np, values, starts)
    assert found.tolist() == [math.gcd(*values[a:b].tolist()) for a, b in pairwise(starts)]


def test_other_weights():
    batch = HypergraphBatch(**ARRAYS)
    other = batch.weighing([2, 4, 6], [Fraction(1, 2), 3])
    assert [h.weights for h in other] == [(1, 2), (18,)]
    assert [h.weights for h in other.weighing(np.array([5, 5, 5], np.uint8))] == [(5, 5), (5,)]


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
        ({"vertices": [True, True]}, "True and False are none"),
        ({"hyperedges": [2, 2]}, "member_at has a number"),
        ({"hyperedges": [4, -1]}, "begin at 0"),
        ({"units": (Fraction(1),)}, "units has one entry"),
        ({"units": (0.1, 0.1)}, "A unit is an integer or a fraction"),
        ({"labels": (((1, 2, 3), (1, 2)), ((1, 1, 2), (1,)))}, "hypergraph 1 has distinct labels, 3 of vertices"),
        ({"labels": (((1, 2, 3), (1, 2)), ((1, 2), (1,)))}, "hypergraph 1 has distinct labels, 3 of vertices"),
        ({"vertices": None}, "an array of integers"),
        ({"weight": [True, 2, 3]}, "True and False are none"),
        ({"member": np.ma.masked_array([0, 1, 1, 2, 0], [1, 0, 0, 0, 0])}, "masked entries"),
        ({"directed": 3}, "directed is True or False; not 3"),
        ({"units": 5}, "units is a list or an array"),
        ({"units": None}, "units has one entry"),
        ({"labels": 5}, "labels is a list or an array"),
        ({"labels": "ab"}, "labels is a list or an array"),
        ({"labels": (5, 6)}, "labels of hypergraph 0 are a pair"),
        ({"labels": ((None, (1, 2)), ((1, 2, 3), (1,)))}, "labels of hypergraph 0 are a pair"),
        ({"labels": (((1, 2, 3), (1, 2)), ("abc", (1,)))}, r"labels\[1\]\[0\] is a list or an array"),
        ({"labels": (((1, 2, 3), (1, 2)), ({1, 2, 3}, (1,)))}, r"labels\[1\]\[0\] is a list or an array"),
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
        (lambda: HypergraphBatch.random(3).to(None), "numpy or of CuPy"),
        (lambda: HypergraphBatch.random(3, xp=None), "numpy or of CuPy"),
        (lambda: HypergraphBatch.random(3, xp=math), "numpy or of CuPy"),
        (lambda: HypergraphBatch.random(3, directed="no"), "directed is True or False; not 'no'"),
        (lambda: HypergraphBatch.random(3, vertices=(True, 3)), r"not \(True, 3\)"),
        (lambda: HypergraphBatch.random(3).part(0.0, 1), "between two places, integers; not 0"),
        (lambda: HypergraphBatch.random(3).part(None, 1), "not None"),
        (lambda: HypergraphBatch.random(3).part(0, True), "not True"),
        (lambda: HypergraphBatch.random(3).unit_of(0.5), "at one place, an integer"),
        (lambda: HypergraphBatch.random(3).labels_of("a"), "at one place, an integer"),
        (lambda: HypergraphBatch.random(3).directed_at(None), "at one place, an integer"),
        (lambda: HypergraphBatch.random(3).without_members(1.5), "at one place, an integer"),
        (lambda: HypergraphBatch.random(3).weights_of(1.5), "at one place, an integer"),
    ],
)
def test_what_is_no_batch_is_told_so(wrong, told):
    with pytest.raises(HypergraphError, match=told):
        wrong()


@pytest.mark.parametrize("sizes", [2, (2, 5), 10])
def test_the_memory_of_random_ones_is_known_before_they_are_drawn(monkeypatch, sizes):
    asked = []
    monkeypatch.setattr("hyloop.hypergraph_batch.require_memory", lambda needed, _: asked.append(needed))
    tracemalloc.start()
    HypergraphBatch.random(100, hyperedges=(100, 300), sizes=sizes)
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 4 * taken < 5 * asked[0] < 8 * taken


def test_more_than_memory_holds_is_refused_before_it_is_taken(monkeypatch):
    monkeypatch.setattr("hyloop.memory.free_bytes", lambda: 10**8)
    with pytest.raises(NotEnoughMemoryError, match="A batch of 1,000,000,000 hypergraphs"):
        HypergraphBatch.random(10**9)
    huge = HypergraphBatch.from_arrays([2, 2**31 - 5], [0, 0], [0], [])
    for ask in (lambda: huge[1], lambda: huge.without_members(1), lambda: list(huge)):
        with pytest.raises(NotEnoughMemoryError, match="A hypergraph of 2,147,483,643 vertices and 0 hyperedges takes"):
            ask()
    assert huge[0].counts == (2, 0)
    assert len(HypergraphBatch.random(2, vertices=(np.int8(2), 3), sizes=(0, 2**31 - 1), seed=np.uint8(4))) == 2


@pytest.mark.parametrize(
    ("weights", "units", "told"),
    [
        ([-1, 2, 3], (), "weights at 1"),
        ([0, 2, 3], (), "weights at 1"),
        ([1.5, 2, 3], (), "weight is an array of integers, of one dimension, in at most 64 bits; this one has 1 and"),
        ([Fraction(1, 2), 2, 3], (), "holds object"),
        ([2**70, 2, 3], (), "holds object"),
        ([True, 2, 3], (), "True and False are none"),
        (np.ma.masked_array([1, 2, 3], [0, 1, 0]), (), "masked entries"),
        ([1, 2], (), "weight one for each"),
        ([1, 2, 3, 4], (), "weight one for each"),
        (None, (), "an array of integers"),
        ("123", (), "an array of integers"),
        ([1, 2, 3], (1,), "units has one entry for each"),
        ([1, 2, 3], (1, 2, 3), "units has one entry for each"),
        ([1, 2, 3], (1, 0), "A unit is an integer or a fraction, more than 0; not 0"),
        ([1, 2, 3], (1, 0.5), "A unit is an integer or a fraction"),
        ([1, 2, 3], 5, "units is a list or an array"),
        ([1, 2, 3], {1, 2}, "units is a list or an array"),
        ([1, 2, 3], None, "units has one entry for each"),
    ],
)
def test_other_weights_that_are_none(weights, units, told):
    with pytest.raises(HypergraphError, match=told):
        HypergraphBatch(**ARRAYS).weighing(weights, units)


def test_arrays_of_a_batch_cannot_be_changed():
    for batch in (HypergraphBatch.random(2), HypergraphBatch.of([EMPTY]), HypergraphBatch.random(2).part(0, 1)):
        with pytest.raises(ValueError, match="read-only"):
            batch.vertices[0] = 7


def test_a_member_without_a_direction_is_a_tail_and_a_head():
    batch = HypergraphBatch(**ARRAYS | {"role": [1, 3, 5, 1, 7]})
    assert (batch.role.tolist(), batch.directed) == ([7, 3, 5, 7, 7], True)
    assert (batch.undirected().role.tolist(), batch.undirected().directed) == ([7] * 5, False)
    assert not HypergraphBatch(**ARRAYS | {"role": [1] * 5}).directed


def test_labels_are_labels():
    for wrong in ((True, 2, 3), (1.0, 2, 3), (None, 2, 3)):
        with pytest.raises(HypergraphError, match="cannot be a label"):
            HypergraphBatch(**ARRAYS, labels=((wrong, (1, 2)), ((1, 2, 3), (1,))))


def test_directed_and_other_hypergraphs_stay_what_they_are():
    plain, arcs = Hypergraph.from_hyperedges([["a", "b"]]), Hypergraph.from_arcs([(["a"], ["b"])])
    both = HypergraphBatch.of([plain, arcs, plain])
    assert [h.directed for h in both] == [False, True, False]
    assert [h.directed for h in both.part(1, 3)] == [True, False]
    assert [h.directed for h in both.undirected()] == [False] * 3
    assert both[0] == plain
    assert both[1].tails_of(1) == ("a",)


def test_one_hypergraph_is_read_at_a_place():
    batch = HypergraphBatch.random(2)
    for wrong in (True, 0.0, "1", slice(0, 2), np.array([True, False])):
        with pytest.raises(HypergraphError, match="an integer; not"):
            batch[wrong]
    assert batch[np.int8(-1)] == batch[1]


def test_labels_are_numbers_from_1_and_made_when_asked_for(tmp_path):
    batch = HypergraphBatch.from_arrays([3, 2], [1, 2], [0, 2, 3, 4], [0, 2, 1, 0])
    for h, vertices, hyperedges in zip(batch, ((1, 2, 3), (1, 2)), ((1,), (1, 2)), strict=True):
        assert not {"vertices", "hyperedges"} & vars(h).keys()
        assert [h.vertex_number(label) for label in vertices] == list(range(len(vertices)))
        assert [h.hyperedge_number(label) for label in hyperedges] == list(range(len(hyperedges)))
        assert (h.vertices, h.hyperedges) == (vertices, hyperedges)
        hyloop.write(h, tmp_path / "table.parquet")
        back = hyloop.read(tmp_path / "table.parquet")
        assert (back.vertices, back.hyperedges, back.incidence) == (h.vertices, h.hyperedges, h.incidence)


def test_a_hypergraph_that_is_too_large_for_any_model_is_refused_before_its_labels_are_made(monkeypatch):
    made = []
    monkeypatch.setattr(HypergraphBatch, "labels_of", lambda *given: made.append(given) or ((), ()))
    batch = HypergraphBatch.from_arrays([10**8], [1], [0, 0], [])
    with pytest.raises(CapacityError, match="This input has 100,000,000 rows"):
        run_many("levels", batch, source=1)
    assert made == []
