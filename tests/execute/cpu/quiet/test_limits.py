"""No sum, and no part of one, is larger than what is found."""

from itertools import combinations
from random import Random

from hyloop.execute.cpu.expressions import Ref
from hyloop.execute.cpu.quiet.gadgets import Linear
from hyloop.execute.cpu.quiet.limits import Largest


def test_the_sum_of_some_terms_in_any_order_is_within_the_bound():
    draw = Random(1)
    for _ in range(200):
        refs = [Ref("column", at) for at in range(4)]
        ends = {ref: sorted((draw.randint(-9, 9), draw.randint(-9, 9))) for ref in refs}
        of = Linear(draw.randint(-9, 9), tuple((ref, draw.choice((-2, -1, 1, 3))) for ref in refs))
        largest = Largest.__new__(Largest)
        largest.most = 0
        low, high = largest._sum(of, lambda ref, ends=ends: tuple(ends[ref]))
        for _ in range(10):
            terms = [of.constant, *(weight * draw.randint(*ends[ref]) for ref, weight in of.terms)]
            assert low <= sum(terms) <= high
            parts = [sum(some) for size in range(6) for some in combinations(terms, size)]
            assert max(map(abs, parts)) <= largest.most
