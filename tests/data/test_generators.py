"""Random hypergraphs: what the card says of them, and the same numbers for ever."""

from collections import Counter
from hashlib import sha256

import numpy as np
import pytest

from hyloop.data.generators import GENERATORS, draw_of, random_hypergraph


def drawn(generator, vertices, number, *, directed=False):
    return random_hypergraph(generator, vertices, draw_of("test", generator, vertices, number), directed=directed)


def members(h):
    return [h.incidence_transposed.row(edge).tolist() for edge in range(h.counts[1])]


# Of what was drawn when the standard data set was published: a change here is another data set.
KNOWN = {
    "uniform": "76938dc50f2d2a4d",
    "heavy-tailed": "042ac889dee5e105",
    "communities": "2eaefe613155a8b7",
}


@pytest.mark.parametrize("generator", GENERATORS)
def test_the_same_numbers_for_ever(generator):
    digest = sha256()
    for number, vertices in enumerate((4, 7, 11, 13, 16, 80, 400)):
        h = drawn(generator, vertices, number, directed=True)
        digest.update(repr((members(h), h.integer_weights()[0], h.heads_transposed.indices.tolist())).encode())
    assert digest.hexdigest()[:16] == KNOWN[generator]


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("vertices", [1, 2, 3, 4, 7, 16, 100])
def test_what_the_card_says(generator, vertices):
    for number in range(30):
        h = drawn(generator, vertices, number)
        assert h.counts[0] == vertices
        assert -(-vertices // 2) <= h.counts[1] <= vertices
        assert all(1 <= weight <= 10 for weight in h.weights)
        assert not h.directed
        sizes = [len(each) for each in members(h)]
        assert all(len(set(each)) == len(each) for each in members(h))
        if generator == "heavy-tailed":
            assert all(min(2, vertices) <= size <= min(64, vertices) for size in sizes)
        else:
            assert all(1 <= size <= min(6 if generator == "communities" else 5, vertices) for size in sizes)


def test_sizes_fall_with_their_square():
    sizes = Counter(len(each) for number in range(40) for each in members(drawn("heavy-tailed", 400, number)))
    total = sum(sizes.values())
    for size in (2, 3, 4, 5, 10):
        share = (1 / size**2) / sum(1 / each**2 for each in range(2, 65))
        assert abs(sizes[size] / total - share) < 0.02


def test_most_members_are_of_one_community():
    h = drawn("communities", 100, 3)
    most = [max(Counter(vertex % 10 for vertex in each).values()) for each in members(h)]
    assert all(len(each) - best <= 1 for each, best in zip(members(h), most, strict=True))
    assert any(len(each) - best == 1 for each, best in zip(members(h), most, strict=True))


@pytest.mark.parametrize("generator", GENERATORS)
def test_every_hyperedge_has_a_head_and_some_no_tail(generator):
    h = drawn(generator, 200, 1, directed=True)
    heads, tails = np.diff(h.heads_transposed.indptr), np.diff(h.tails_transposed.indptr)
    assert (heads >= 1).all()
    assert 0 < np.count_nonzero(tails == 0) < len(tails) / 2
    assert (heads + tails == np.diff(h.incidence_transposed.indptr)).all()


def test_other_words_are_other_numbers():
    found = {tuple(map(tuple, members(drawn("uniform", 16, number)))) for number in range(100)}
    assert len(found) == 100
