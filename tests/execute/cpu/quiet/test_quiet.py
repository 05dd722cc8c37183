"""The whole state equals that of the other engines after every iteration, and no row sleeps that should not."""

import numpy as np
import pytest

from effort import every, sample
from execute.cpu.quiet.cases import beside, debugging, narrows_often
from execute.cpu.quiet.sweep import algorithm, compiled, mutant, program, resumed, started
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.execute import cpu
from hyloop.execute.cpu.quiet.boxes import Boxes
from hyloop.execute.cpu.quiet.engine import WINDOW
from hyloop.execute.cpu.quiet.memory import COMPUTED, ITERATIONS
from hyloop.execute.prepare import encoded, given_to
from hyloop.hypergraph import Hypergraph
from hyloop.machine.model import Capacity

FIRST = ["dijkstra", "bfs", "levels", "dfs", "components"]


@pytest.mark.parametrize(
    "name",
    [
        *FIRST,
        *every(3, sample(sorted(set(ALGORITHMS) - {*FIRST, "closeness", "diameter", "all_pairs", "motifs"}))),
    ],
)
def test_algorithms(name):
    assert sum(algorithm(name, seed) is not None for seed in range(2)) == 2


def test_random_programs():
    assert sum(program(seed) is not None for seed in range(6)) > 2


def test_changed_weights():
    assert sum(mutant(name, seed) is not None for name in ("dijkstra", "dfs") for seed in range(4)) > 4


def test_most_rows_sleep():
    model = compile_program(ALGORITHMS["bfs"].program, Capacity(200, 1))
    first = encoded(
        model, given_to(model.parsed, Hypergraph.from_hyperedges([[i, i + 1] for i in range(150)]), {"source": 0})
    )
    quiet = beside(model, first.X, first.incidence, iterations=40)
    computed = quiet.memory.control[COMPUTED] / quiet.iterations
    assert computed < quiet.memory.count * len(quiet.memory.wiring.parts) / 6


@pytest.mark.parametrize("name", ["dijkstra", "bfs"])
def test_it_goes_on_from_a_state_in_the_middle(name):
    assert sum(resumed(name, seed) is not None for seed in range(4, 7)) == 3


def test_a_run_begins_with_the_boxes_of_the_one_before():
    model, first = compiled("dijkstra"), started(compiled("dijkstra"), 4)
    passes = []
    for _ in range(2):
        quiet = beside(model, *first)
        passes.append(int(quiet.memory.control[COMPUTED]))
    assert quiet.memory.wiring.wide
    assert passes[1] <= passes[0]


def test_a_run_of_numbers_that_were_seen_before_is_not_stopped_for_their_boxes(monkeypatch):
    stops = []
    fit = Boxes.fit
    monkeypatch.setattr(Boxes, "fit", lambda self, part: (stops.append(part), fit(self, part)))
    model = compile_program(ALGORITHMS["dijkstra"].program, Capacity(40, 9))  # one that no run was of before
    first = started(model, 4)
    counts = []
    for _ in range(3):
        quiet = beside(model, *first)
        counts.append(len(stops) - sum(counts))
    assert counts[0] >= len(quiet.memory.wiring.parts)
    assert counts[2] == 0


@pytest.mark.parametrize("name", ["dijkstra", "bfs", "components"])
def test_boxes_that_are_expected_of_other_inputs_change_no_state(name):
    for seed in (4, 5, 4, 6, 5):
        quiet = beside(compiled(name), *started(compiled(name), seed))
        assert quiet is None or quiet.halted()


def test_a_box_becomes_narrow_where_a_single_row_cannot_sleep(monkeypatch):
    narrows_often(monkeypatch)
    model = compile_program(ALGORITHMS["dijkstra"].program, Capacity(40, 9))
    path = Hypergraph.from_hyperedges([[i, i + 1] for i in range(24)])
    first = encoded(model, given_to(model.parsed, path, {"source": 0}))
    passes = []
    for _ in range(3):
        quiet = beside(model, first.X, first.incidence)
        passes.append(int(quiet.memory.control[COMPUTED]))
    assert quiet.memory.wiring.late  # whether this is the first iteration
    assert passes[2] < passes[0]


def test_a_narrow_number_that_always_changes_becomes_wide():
    """On few rows a number may be made narrow; a later run on many would be nothing but full passes."""
    quiet = beside(compiled("bfs"), *started(compiled("bfs"), 4), iterations=3)
    memory, held = quiet.memory, quiet._boxes
    part = next(at for at, each in enumerate(memory.wiring.parts) if each.scalars)
    held._close(part, 0)
    for iteration in range(10):
        memory.control[ITERATIONS] = iteration
        memory.scalars[part][0] += 1
        held.fit(part)
    assert 0 not in held.narrow[part]
    assert memory.low[part][0] < memory.high[part][0]


def test_rows_are_looked_at_soon_after_a_box_was_left():
    quiet = beside(compiled("bfs"), *started(compiled("bfs"), 4), iterations=2)
    quiet._next = 10**6  # hardly any row was restless for a long time
    quiet.memory.unbox()
    quiet.run(1)
    assert quiet._next <= quiet.iterations + WINDOW


def test_the_default_computes_what_all_rows_do_from_the_first_iteration_to_the_last():
    model = compile_program(ALGORITHMS["bfs"].program, Capacity(700, 1))
    path = Hypergraph.from_hyperedges([[i, i + 1] for i in range(600)])
    first = encoded(model, given_to(model.parsed, path, {"source": 0}))
    ours, other = (cpu.start(model, first.X, first.incidence, engine=each) for each in (None, "numpy"))
    while not other.halted().all():
        ours.advance(7)
        other.advance(7)
        assert ours.state().tobytes() == other.state().tobytes()
    assert ours.halted().all()


def test_an_average_that_is_no_integer_leaves_the_state_before_its_layer():
    model, (X, incidence) = compiled("levels"), started(compiled("levels"), 4)
    X = X.copy()
    X[1:, model.layout.number("temporary 3")] = np.arange(1, len(X))
    beside(model, X, incidence, debugging)


def test_dense_agrees():
    model, first = compiled("components"), started(compiled("components"), 5)
    assert beside(model, *first, reference="dense") is not None
