"""Sizes compare as counts: Python would compare the expressions, and `n == 2` would always be false."""

import operator

import pytest

import hyloop
from hyloop.lang import Count, Flag, LanguageError, Outputs, algorithm
from hyloop.lang.size import Size
from hyloop.lang.text import from_text, to_text

# ruff: noqa: ARG005  (every comparison is given both sizes and a count)
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
