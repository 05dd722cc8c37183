"""Numbers that stand on the same sum are one number."""

import numpy as np

from execute.cpu.quiet.cases import beside
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.execute.cpu.expressions import Expression, Formulas, Ref, Sum
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.cpu.quiet.joins import joined
from hyloop.execute.cpu.quiet.memory import COMPUTED
from hyloop.execute.prepare import encoded, given_to
from hyloop.hypergraph import Hypergraph
from hyloop.machine.model import Capacity

COLUMN, NUMBER = Ref("column", 0), Ref("column", 1)


def begun(count):
    model = compile_program(ALGORITHMS["transversal"].program, Capacity(2000, 1))
    draw = np.random.default_rng(1)
    edges = [draw.choice(count, int(draw.integers(2, 5)), replace=False).tolist() for _ in range(count)]
    first = encoded(model, given_to(model.parsed, Hypergraph.from_hyperedges(edges), {}))
    return model, first.X, first.incidence


def layer(*sums):
    """A layer of a row's column and a number: ReLUs of the number, and a sum of the row."""
    model, X, _ = begun(4)
    plan = plan_for(model, X)
    before = list(plan.layers[0].before)
    before[0] = type(before[0])(None, None, vector=True)
    before[1] = type(before[1])(None, None, vector=False)
    nodes = [Expression(each, relu=True, vector=False) for each in sums]
    terms = ((COLUMN, 1.0), *((Ref("node", at), (-1.0) ** at) for at in range(len(sums))))
    nodes.append(Expression(Sum(-1.0, terms), relu=True, vector=True))
    body = Formulas(tuple(nodes), (Ref("node", len(sums)), NUMBER))
    first = type(plan.layers[0])(tuple(before), (), (), (), (), (), (), (), body, body)
    return joined(type(plan)((first,), plan.halt, plan.dtype, plan.believed)).layers[0].body


def test_a_step_of_a_number_is_one_number():
    body = layer(Sum(0.0, ((NUMBER, 1.0),)), Sum(-1.0, ((NUMBER, 1.0),)))
    assert body.nodes[2] == Expression(Sum(0.0, ((Ref("node", 0), 1.0), (Ref("node", 1), -1.0))), False, False)
    assert body.nodes[3] == Expression(Sum(-1.0, ((COLUMN, 1.0), (Ref("node", 2), 1.0))), True, True)
    assert body.new == (Ref("node", 3), NUMBER)


def test_the_same_sum_with_another_factor_counts():
    assert len(layer(Sum(0.0, ((NUMBER, 2.0),)), Sum(-1.0, ((NUMBER, -4.0),))).nodes) == 4


def test_numbers_of_different_sums_stay_apart():
    assert len(layer(Sum(0.0, ((NUMBER, 1.0),)), Sum(0.0, ((NUMBER, 1.0), (Ref("column", 2), 1.0)))).nodes) == 3


def test_a_comparison_of_numbers_lets_rows_sleep():
    quiet = beside(*begun(300), iterations=10)
    quiet.run(40)  # boxes are found
    before = int(quiet.memory.control[COMPUTED])
    quiet.run(20)
    assert not quiet.halted()
    assert int(quiet.memory.control[COMPUTED]) - before < 20 * 30  # 44 an iteration where each ReLU has a box
