"""The sweep is able to fail: take a layer away, or turn one weight round, and it finds mismatches."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from hyloop.execute import dense
from hyloop.execute.encode import batch, pad
from hyloop.execute.session import IterationLimitError
from hyloop.paper import run as running
from hyloop.paper.algorithms import ALGORITHMS
from hyloop.paper.run import ProblemInstance
from hyloop.paper.steps import setting
from hyloop.paper.sweep import sweep
from hyloop.samples import hypergraphs

SETTING = setting(rows=20, weight=100)
# BFS is Dijkstra with another cost: the same layers.
all_algorithms = pytest.mark.parametrize("name", [name for name in ALGORITHMS if name != "bfs"])


@pytest.fixture
def is_caught(monkeypatch):
    """Whether the sweep finds anything wrong with a model; a loop that does not end is wrong too."""

    def judged(name, model):
        monkeypatch.setattr(running, "model_of", lambda *_: model)
        try:
            return bool(sweep(name, 30, SETTING).mismatches)
        except IterationLimitError:
            return True

    return judged


@all_algorithms
def test_a_model_as_it_was_built_is_not_caught(name, is_caught):
    assert not is_caught(name, ALGORITHMS[name].build(SETTING))


# Layers that no result depends on. A Dijkstra that lets a round's candidates in early is right too, since they are
# lengths of paths; Helly with lemmas only could stop a triple at the hyperedge that refutes it (unless n_v is 0).
SPARE = {
    "dijkstra": {"changes ← commit ∧ changes ∧ ¬visit"},
    "helly-lemmas": {"bad ← bad ∧ ready"},
}


@all_algorithms
def test_no_other_layer_can_be_left_out(name, is_caught):
    model = ALGORITHMS[name].build(SETTING)
    layers = model.layers
    unneeded = {
        what
        for number, layer in enumerate(layers)
        if not is_caught(name, replace(model, layers=layers[:number] + layers[number + 1 :]))
        for what in layer.notes
    }
    assert unneeded <= SPARE.get(name, set())


@all_algorithms
def test_most_weights_that_do_anything_are_missed_when_they_are_turned_round(name, is_caught):
    """Ten at random. About half of all weights do nothing here: a lemma carries both signs, an algorithm needs one."""
    model = ALGORITHMS[name].build(SETTING)
    places = list(weights_in_use(name, model))
    chosen = np.random.default_rng(3).choice(len(places), size=10, replace=False)
    caught = [is_caught(name, turned_round(model, *places[place])) for place in chosen]
    assert sum(caught) >= 6


def matrices(layer):
    """Three for every head, then the four of the MLP."""
    return [m for head in layer.heads for m in (head.query, head.key, head.value)] + list(layer.mlp.weights)


def weights_in_use(name, model):
    """Where non-zero weights are (layer, matrix, row, column), less those of hidden units that never fire."""
    for number, (layer, fires) in enumerate(zip(model.layers, firing_units(name, model), strict=True)):
        silent = [np.zeros(matrix.shape, dtype=bool) for matrix in matrices(layer)]
        for matrix in silent[-4:-1]:
            matrix[:, ~fires] = True
        silent[-1][~fires] = True
        for which, (matrix, off) in enumerate(zip(matrices(layer), silent, strict=True)):
            for row, column in np.argwhere((matrix != 0) & ~off):
                yield number, which, int(row), int(column)


def firing_units(name, model):
    """For every layer, which hidden units are ever positive in the iterations of some runs."""
    inputs = ALGORITHMS[name].inputs
    tasks = [ProblemInstance(h, dict.fromkeys(inputs, 0)) for h in islice(hypergraphs(1), 40)]
    X = batch(model, [task.frame() for task in tasks])
    size = X.shape[1]
    blocks = dense.Blocks.of([pad(model, task.hypergraph, size) for task in tasks], size, size, model.dtype)
    fires = [np.zeros(layer.mlp.width, dtype=bool) for layer in model.layers]
    for _ in range(30):
        for layer, so_far in zip(model.layers, fires, strict=True):
            attended = dense.attend(layer.heads, X, blocks)
            so_far[(attended @ layer.mlp.weights[0] > 0).any(axis=(0, 1))] = True
            X = dense.feed_forward(layer.mlp, attended)
    return fires


def turned_round(model, number, which, row, column):
    """The same model with the sign of one weight changed."""
    layer = model.layers[number]
    changed = [matrix.copy() for matrix in matrices(layer)]
    changed[which][row, column] *= -1
    heads = tuple(
        replace(head, query=changed[3 * k], key=changed[3 * k + 1], value=changed[3 * k + 2])
        for k, head in enumerate(layer.heads)
    )
    first, second, third, last = changed[3 * len(heads) :]
    mutant = replace(layer, heads=heads, mlp=replace(layer.mlp, weights=(first, second, third, last)))
    return replace(model, layers=(*model.layers[:number], mutant, *model.layers[number + 1 :]))
