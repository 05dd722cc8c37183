"""Every algorithm, the corners of the language and random programs: as transformers, against the interpreter."""

import random
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import hyloop
from algorithm_inputs import WIDE
from compiler.agreement import EMPTY, SMALL, assert_agrees, compiled, inputs_of, random_cases
from compiler.random_programs import OPS, Step, inputs_for, program_of
from effort import EVERYTHING, examples, sample
from hyloop import Capacity, CapacityError, Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.execute.encode import encode, frame
from hyloop.lang import (
    INFINITY,
    Count,
    Flag,
    Hyperedge,
    LanguageError,
    Length,
    Outputs,
    Vertex,
    algorithm,
    any,
    argmax,
    argmin,
    first,
    max,
    min,
    when,
    where,
)
from hyloop.samples import DEGENERATE, hypergraphs

ROOT = Path(__file__).parents[2]


# -- algorithms ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_degenerate_hypergraphs(name):
    for H in [*EMPTY, *DEGENERATE]:
        for inputs in inputs_of(name, H):
            assert_agrees(compiled(name), H, inputs)


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_random_hypergraphs(name):
    for H, inputs, padding in random_cases(name, 41, 60):
        assert_agrees(compiled(name), H, inputs, padding)


@pytest.mark.parametrize("name", [name for name in sample(ALGORITHMS) if name not in WIDE])
def test_random_hypergraphs_in_float32(name):
    for H, inputs, padding in random_cases(name, 42, 25):
        assert_agrees(compiled(name, SMALL, "float32"), H, inputs, padding)


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_random_hypergraphs_one_operation_per_layer(name):
    packed, plain = compiled(name), compiled(name, SMALL, "float64", "one operation per layer")
    assert len(plain.layers) > len(packed.layers)
    for H, inputs, padding in random_cases(name, 43, 10, size=6):
        assert_agrees(plain, H, inputs, padding)


@pytest.mark.parametrize("name", [name for name in sample(ALGORITHMS) if name != "motifs"])
@pytest.mark.parametrize("heads", [2, 5])
def test_other_numbers_of_heads(name, heads):
    model = compiled(name, SMALL, "float64", "packed", heads)
    assert [len(layer.heads) for layer in model.layers if len(layer.heads) > heads] == []
    for H, inputs, padding in random_cases(name, 44, 16, size=6):
        assert_agrees(model, H, inputs, padding)


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_at_the_edge_of_a_tight_capacity(name):
    model = compiled(name, Capacity(6, 7), "float64" if name in WIDE else "float32")
    draw = random.Random(name)
    for _ in range(6):
        edges = [draw.sample(range(6), draw.randrange(1, 5)) for _ in range(6)]
        H = Hypergraph.from_hyperedges(edges, weights=[draw.choice([1, 7, 7]) for _ in edges], vertices=range(6))
        assert_agrees(model, H, draw.choice(inputs_of(name, H)))


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_padding_rows_change_nothing(name):
    for H, inputs, _ in random_cases(name, 45, 8):
        outcomes = [hyloop.check(compiled(name), H, padding=padding, **inputs) for padding in (0, 1, 7)]
        assert all(each.agrees for each in outcomes)
        assert len({each.iterations for each in outcomes}) == 1


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_another_incidence_the_same_first_state(name):
    weights = [3, 1, 2]
    A = Hypergraph.from_hyperedges([[1, 2, 3, 4], [], [2]], weights=weights, vertices=range(1, 5))
    B = Hypergraph.from_hyperedges([[4], [1, 3], [2, 4]], weights=weights, vertices=range(1, 5))
    numbers = dict.fromkeys(ALGORITHMS[name].inputs, 2)
    model = compiled(name)
    assert np.array_equal(encode(model, frame(A, numbers)), encode(model, frame(B, numbers)))


@pytest.mark.parametrize("name", ["dijkstra", "bfs", "levels", "dfs", "degradation", "components", "projection"])
def test_one_model_runs_one_vertex_and_sixty(name):
    draw = random.Random(60)
    edges = [draw.sample(range(60), draw.randrange(1, 5)) for _ in range(40)]
    large = Hypergraph.from_hyperedges(edges, weights=[draw.randrange(1, 50) for _ in edges], vertices=range(60))
    for H in (Hypergraph.from_hyperedges([], vertices=[1]), Hypergraph.from_hyperedges([[1]]), large):
        assert_agrees(compiled(name), H, inputs_of(name, H)[0])


# -- the user's own programs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "inputs"), [("matching", {}), ("core", {"k": 2})])
def test_the_programs_of_the_tutorial(name, inputs):
    sys.path.insert(0, str(ROOT / "examples"))
    try:
        program = getattr(__import__(name), name).program
    finally:
        sys.path.remove(str(ROOT / "examples"))
    for model in (hyloop.compile(program), hyloop.compile(program, SMALL, dtype="float32")):
        for H in [*EMPTY, *islice(hypergraphs(46, vertices=8, hyperedges=8), 40)]:
            assert_agrees(model, H, inputs, 1)


# -- programs by hand: the corners of the language ------------------------------------------------------------------


def least_and_greatest_of_infinite(h):
    far = h.vertices.state(Length, INFINITY)
    near = h.hyperedges.state(Length, INFINITY)
    row, edge = h.state(Vertex), h.state(Hyperedge)
    best, most = h.state(Length, 0), h.state(Length, 0)
    yield
    near.assign(h.weight, where=h.containing(first(h.vertices.every)))
    row.assign(argmax(far)[0])
    most.assign(max(near))
    edge.assign(argmax(near)[0])
    best.assign(min(far))


def differences_of_infinite(h):
    far = h.hyperedges.state(Length, INFINITY)
    some = h.hyperedges.state(Length, 0)
    left, right, both = (h.hyperedges.state(Length, 0) for _ in range(3))
    yield
    some.assign(where(h.weight < max(h.weight), h.weight, INFINITY))
    left.assign(far - some)
    right.assign(some - far)
    both.assign(2 * some + far)


def searches_of_sums(h):
    """What a head looks at may be a sum with a constant; of no candidate, 0 comes back all the same."""
    x = h.vertices.state(Count, 0)
    none = h.vertices.state(Flag, False)
    a, b, c, d = (h.state(Count, 0) for _ in range(4))
    p, q = h.state(Vertex), h.state(Vertex)
    yield
    a.assign(min(x + 3, where=none))
    b.assign(max(x + 3, where=none))
    c.assign((x + 3)[p])
    d.assign((none + 2)[p])
    q.assign(argmin(x + 3, where=none)[0])


def flags_of_none(h):
    none = h.vertices.state(Flag, False)
    p = h.state(Vertex)
    on, off = h.state(Flag, False), h.state(Flag, False)
    yield
    on.assign((~none)[p])
    off.assign(any(~none) & (p < p + 1))


def pointers_of_pointers(h):
    after = h.vertices.state(Vertex)
    twice = h.vertices.state(Vertex)
    heavy = h.vertices.state(Length, INFINITY)
    of = h.vertices.state(Hyperedge)
    yield
    after.assign(h.vertices.number + 1)
    twice.assign(after[after])
    of.assign(first(h.hyperedges.every), where=h.vertices.number > first(h.vertices.every))
    heavy.assign(h.weight[of], where=of.exists)


def masks_in_masks(h):
    x = h.vertices.state(Count, 0)
    on, off = h.state(Flag, True), h.state(Flag, False)
    yield
    with when(on):
        x.assign(x + 1)
        with when(~off):
            x.assign(x + 2, where=h.vertices.number > first(h.vertices.every))
            off.assign(on)
        on.assign(off)
    with when(off & ~on):
        x.assign(9)


def one_minus_many(h):
    """A value that stands on every row beside an array that does not."""
    far = h.state(Length, INFINITY)
    left, right = h.hyperedges.state(Length, 0), h.vertices.state(Length, 0)
    yield
    left.assign(far - h.weight)
    right.assign(where(h.vertices.every, min(h.weight), 0) + far)


def own_of_own(h):
    """Numbers of rows are 0 past the last, also where they are read, or read with."""
    mine = h.hyperedges.state(Hyperedge)
    ours = h.vertices.state(Vertex)
    p = h.state(Hyperedge)
    yield
    mine.assign(h.hyperedges.number[h.hyperedges.number])
    ours.assign(h.vertices.number[ours + 1])
    p.assign(h.hyperedges.number[first(h.hyperedges.every)])


def deep_comparisons(h):
    """More stages than one layer has, on masks of masks."""
    arrows = h.vertices.state(Vertex)
    late = h.vertices.state(Flag, True)
    p = h.state(Vertex)
    on = h.state(Flag, True)
    far = h.vertices.state(Length, INFINITY)
    yield
    arrows.assign(first(late))
    with when(on):
        late.assign(arrows >= p)
        far.assign(far - min(h.weight), where=late)
    p.assign(first(arrows <= h.vertices.number) + 1)
    on.assign(p.exists | ~on)


def swapped(h):
    a, b = h.vertices.state(Flag, True), h.vertices.state(Flag, False)
    p, q = h.state(Vertex), h.state(Vertex)
    yield
    old, was = a | a, p + 1
    a.assign(b)
    b.assign(old)
    p.assign(first(a))
    q.assign(was)


def named_like_columns(h):
    """States may be called what the machine calls its own columns."""
    weight = h.state(Count, 0)
    n_v = h.state(Count, 0)
    P_1 = h.state(Count, 0)
    B_local = h.state(Count, 0)
    halt = h.state(Flag, False)
    started = h.state(Flag, False)
    vertices = h.vertices.state(Flag, False)
    hyperedges = h.hyperedges.state(Flag, False)
    yield
    weight.assign(weight + 1)
    n_v.assign(h.vertices.count)
    P_1.assign(P_1 + 2)
    B_local.assign(P_1)
    halt.assign(~halt)
    started.assign(halt)
    vertices.assign(halt)
    hyperedges.assign(h.touching(vertices))


def own_numbers(h):
    after = h.hyperedges.state(Hyperedge)
    held = h.vertices.state(Count, 0)
    seen = h.vertices.state(Flag, False)
    yield
    after.assign(h.hyperedges.number + 1)
    held.assign(h.incidence @ (h.hyperedges.number == after[after]))
    seen.assign(h.covered(h.hyperedges.number == after))


def clamps_outside_their_rows(h):
    """Outside an array's rows no comparison of its values holds, and what a clamp takes there must not show."""
    few, far = h.vertices.state(Count, 0), h.hyperedges.state(Length, 0)
    flags, nobody = h.vertices.state(Flag, False), h.state(Vertex)
    read, most, nested = (h.state(Count, 0) for _ in range(3))
    length, infinite, flag = h.state(Length, 0), h.state(Length, 0), h.state(Flag, False)
    yield
    none = nobody + 1
    read.assign(where(few < 5, few, 5)[none])
    most.assign(max(where(few != 7, few, 7)))
    nested.assign(where(few < 5, where(few < 3, few, 3), 5)[none])
    nowhere = h.hyperedges.number + 1 + 1
    length.assign(max(where(far < h.weight, far, h.weight)[nowhere]))
    infinite.assign(where(far < INFINITY, far, INFINITY)[first(h.hyperedges.number == first(far == INFINITY))])
    flag.assign(where(flags != (read == 0), flags, read == 0)[none])


CORNERS = [
    clamps_outside_their_rows,
    least_and_greatest_of_infinite,
    differences_of_infinite,
    searches_of_sums,
    flags_of_none,
    pointers_of_pointers,
    masks_in_masks,
    one_minus_many,
    own_of_own,
    deep_comparisons,
    swapped,
    named_like_columns,
    own_numbers,
]


def looped(corner, *, begins):
    """The program whose loop does what comes after the `yield`, three times; or whose first iteration does it too."""

    def whole(h):
        clock = h.state(Count, 0)
        steps = corner(h)
        next(steps)
        if begins:
            clock.assign(1)
        with h.loop(at_most=4) as loop:
            loop.stop_when(clock == 3)
            clock.assign(clock + 1)
            next(steps, None)
        return Outputs(clock=clock)

    return algorithm(whole).program


@pytest.mark.parametrize("begins", [False, True])
@pytest.mark.parametrize("corner", CORNERS, ids=lambda corner: corner.__name__)
def test_corners_of_the_language(corner, begins):
    program = looped(corner, begins=begins)
    for schedule in ("packed", "one operation per layer"):
        model = hyloop.compile(program, SMALL, schedule=schedule)
        for H in [*EMPTY, *islice(hypergraphs(47, vertices=5, hyperedges=5), 25 if EVERYTHING else 15)]:
            assert_agrees(model, H, {}, 1)


# -- random programs ------------------------------------------------------------------------------------------------

GRAPHS = [H for H in islice(hypergraphs(48, vertices=5, hyperedges=5), 120) if H.vertices and H.hyperedges]
small_numbers = st.integers(0, 40)
step = st.builds(
    Step,
    st.integers(0, len(OPS) - 1),
    small_numbers,
    small_numbers,
    small_numbers,
    st.integers(0, 3),
    st.integers(0, 59),
)


@given(
    st.lists(step, min_size=1, max_size=14),
    st.integers(0, 4),
    st.booleans(),
    st.sampled_from([("packed", 3), ("packed", 3), ("packed", 1), ("one operation per layer", 3)]),
    st.integers(0, 10**6),
)
@examples(40)
def test_random_programs(steps, before, infinite, packing, seed):
    schedule, heads = packing
    try:
        program = program_of(steps, before=before, infinite=infinite)
        model = hyloop.compile(program, Capacity(8, 300), schedule=schedule, heads=heads)
    except (LanguageError, CapacityError):  # something infinite was added up, or a state grows faster and faster
        reject()
    draw = random.Random(seed)
    for H in draw.sample(GRAPHS, 6):
        assert_agrees(model, H, inputs_for(H, draw), draw.randrange(3))
