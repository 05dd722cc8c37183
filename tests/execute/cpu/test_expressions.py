"""Sums that occur within several others are computed once, and nothing else changes."""

import random

from hyloop.execute.cpu.expressions import Builder, Ref


def values(program, columns):
    """What a program makes of the columns of a row."""
    known = {Ref("column", at): value for at, value in enumerate(columns)}
    for number, node in enumerate(program.nodes):
        total = node.of.constant + sum(weight * known[ref] for ref, weight in node.of.terms)
        known[Ref("node", number)] = max(total, 0.0) if node.relu else total
    return [known[value] if isinstance(value, Ref) else value for value in program.new]


def long_sums(constants, terms, weight=1.0):
    builder = Builder(lambda ref: ref.number % 2 == 0)
    first = builder.add([(Ref("column", 0), 1.0), (Ref("column", 1), -2.0)], relu=True)
    alike = [(Ref("column", at), 1.0 + at) for at in range(terms - 1)] + [(first, 3.0)]
    found = [
        builder.add([*alike, (Ref("column", 9), weight * at), (1.0, each)], relu=True)
        for at, each in enumerate(constants, start=1)
    ]
    return builder.program([*found, first, 5.0])


def work(program):
    return sum(len(node.of.terms) for node in program.nodes)


def test_a_part_of_many_sums_is_computed_once():
    program = long_sums(range(-20, 0), 8)
    assert work(program) < 2 + 8 + 20 * 2 + 1
    drawn = random.Random(1)
    for _ in range(20):
        columns = [float(drawn.randint(-9, 9)) for _ in range(10)]
        start = sum((1 + at) * columns[at] for at in range(7)) + 3 * max(columns[0] - 2 * columns[1], 0)
        expected = [max(start + columns[9] * at + each, 0) for at, each in enumerate(range(-20, 0), start=1)]
        assert values(program, columns) == [*expected, max(columns[0] - 2 * columns[1], 0), 5.0]


def test_sums_that_differ_by_a_constant_are_one_sum():
    program = long_sums(range(-20, 0), 8, weight=0.0)
    assert work(program) == 2 + 8 + 20
    assert values(program, [1.0] * 10) == [max(28 + each, 0) for each in range(-20, 0)] + [0, 5.0]


def test_a_part_is_a_vector_if_one_of_its_terms_is():
    (part,) = [node for node in long_sums(range(3), 8).nodes if not node.relu]
    assert part.vector


def test_short_sums_are_left_alone():
    assert all(node.relu for node in long_sums(range(5), 4).nodes)
    assert all(node.relu for node in long_sums(range(2), 12).nodes)
