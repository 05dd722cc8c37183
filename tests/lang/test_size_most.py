"""`Size.most`: the largest number over all hypergraphs up to a size, by trying them all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop.lang.size import Size, largest

N, M = Size.of("n_v"), Size.of("n_e")

sizes = st.recursive(
    st.sampled_from([N, M]) | st.integers(0, 4).map(Size.of),
    lambda inner: (
        st.builds(lambda a, b: a + b, inner, inner)
        | st.builds(lambda a, b: a - b, inner, inner)
        | st.builds(lambda a, b: a * b, inner, inner)
        | st.builds(lambda a, b: a // b, inner, st.integers(1, 3))
        | st.builds(largest, inner, inner)
        | st.builds(lambda a, b: a.choose(b), inner, st.integers(0, 4).map(Size.of) | st.sampled_from([N, M]))
    ),
    max_leaves=4,
)


def tried(size, rows):
    return max(size.at(n, m) for n in range(rows + 1) for m in range(rows + 1))


def names(size):
    return [size.operator] if not size.parts else [name for part in size.parts for name in names(part)]


@given(sizes, st.integers(1, 6))
def test_never_less_than_any_hypergraph_needs(size, rows):
    assert size.most(rows) >= tried(size, rows)


@given(sizes, st.integers(1, 6))
def test_exact_where_each_count_occurs_once(size, rows):
    if max((names(size).count(name) for name in ("n_v", "n_e")), default=0) <= 1:
        assert size.most(rows) == tried(size, rows)


@pytest.mark.parametrize(
    ("size", "most"),
    [
        (N - M, 7),
        (N - M + 1, 8),
        (5 - N, 5),
        (N * 2 + M, 21),
        (N * (3 - M), 21),
        (N.choose(2), 21),
        (N.choose(M), 35),
        (Size.of(9).choose(N), 126),
        (N // 2, 3),
        (largest(N - 3, 5 - M), 5),
        (Size.of(0), 0),
    ],
    ids=str,
)
def test_known(size, most):
    assert size.most(7) == most == tried(size, 7)
