"""Sizes: `Size.most` is the largest number over all hypergraphs up to a size, and sizes compare as counts."""

import operator
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import hyloop
from hyloop.lang import Count, Flag, LanguageError, Outputs, algorithm
from hyloop.lang.size import Size, largest
from hyloop.lang.text import from_text, to_text

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


def each_count_once(size):
    return all(names(size).count(name) <= 1 for name in ("n_v", "n_e"))


@given(sizes, st.integers(1, 6))
@example(N - M.choose(0), 1)
@example(N.choose(N * 4), 3)
def test_never_less_than_any_hypergraph_needs(size, rows):
    assert size.most(rows) >= tried(size, rows)


# `sizes` picks only counts and constants from a set, which take every value of their interval: no gap in the middle.
@given(sizes.filter(each_count_once), st.integers(1, 6))
@example(N - M.choose(0), 1)
@example(5 - Size.of(3).choose(N.choose(0)), 2)
def test_exact_where_each_count_occurs_once(size, rows):
    assert size.most(rows) == tried(size, rows)


def test_exact_for_every_size_of_up_to_three_leaves():
    leaves = [N, M, *map(Size.of, range(3))]
    operations = [
        lambda a, b: a + b,
        lambda a, b: a - b,
        lambda a, b: a * b,
        largest,
        lambda a, b: a.choose(b) if not b.parts else None,
    ]
    two = [join(a, b) for join, a, b in product(operations, leaves, leaves)]
    three = [join(*pair) for join, a, b in product(operations, two, leaves) for pair in ((a, b), (b, a))]
    checked = [size for size in (*two, *three) if size is not None and each_count_once(size)]
    assert len(checked) > 3000
    for size in checked:
        assert (str(size), size.most(2)) == (str(size), tried(size, 2))


def test_may_be_more_where_a_choice_skips_numbers():
    size = Size.of(4).choose(N * 4)  # 0 or 4 of 4, never 2
    assert (size.most(1), tried(size, 1)) == (6, 1)


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


# -- comparisons: Python would compare the expressions, and `n == 2` would always be false -----------------------------

COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
GRAPHS = [
    hyloop.Hypergraph.from_hyperedges([["a", "b"]] * edges, vertices=vertices)
    for edges in (1, 2, 3)
    for vertices in (["a", "b"], ["a", "b", "c"])
]


def held(compare):
    """A comparison in a program, by the interpreter."""

    @algorithm
    def compared(h):
        answer, three = h.state(Flag, False), h.state(Count, 3)
        with h.loop(at_most=1) as loop:
            answer.assign(compare(h.vertices.count, h.hyperedges.count, three))
            loop.stop_when(True)
        return Outputs(answer=answer)

    assert from_text(to_text(compared.program)) == compared.program
    return [hyloop.run(compared, h, backend="interpreter")["answer"] for h in GRAPHS]


@pytest.mark.parametrize("by", COMPARISONS)
def test_with_each_other_with_numbers_and_with_counts(by):
    sizes = [(len(h.vertices), len(h.hyperedges)) for h in GRAPHS]
    assert held(lambda n, m, x: by(n, m)) == [by(n, m) for n, m in sizes]
    assert held(lambda n, m, x: by(n, 3)) == [by(n, 3) for n, _ in sizes]
    assert held(lambda n, m, x: by(3, n)) == [by(3, n) for n, _ in sizes]
    assert held(lambda n, m, x: by(n + 1, 2 * m)) == [by(n + 1, 2 * m) for n, m in sizes]
    assert held(lambda n, m, x: by(n - m, x)) == [by(max(n - m, 0), 3) for n, m in sizes]
    assert held(lambda n, m, x: by(x, m)) == [by(3, m) for _, m in sizes]


def test_what_cannot_be_computed_is_refused():
    with pytest.raises(LanguageError, match="cannot be computed on this machine"):
        held(lambda n, m, x: n.choose(2) == m)


def test_python_cannot_decide_by_a_size():
    with pytest.raises(LanguageError, match="a traced value is not known yet"):
        held(lambda n, m, x: x == (1 if n == 2 else 3))


def test_sizes_outside_a_program_are_data():
    assert Size.of("n_v") + 1 == Size.of("n_v") + 1
    assert Size.of("n_v") != Size.of("n_e")
