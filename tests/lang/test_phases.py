"""Loops in loops, `each` and `otherwise`, against the same loops in Python."""

import math
from itertools import pairwise

import networkx as nx
import pytest

import hyloop
from hyloop.errors import HyloopError
from hyloop.hypergraph import Hypergraph
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
    argmin,
    at_most,
    larger,
    log2,
    otherwise,
    smaller,
    stream,
    when,
    where,
)
from hyloop.lang import any as any_
from hyloop.lang import sum as sum_
from hyloop.lang.text import from_text, to_text

GRAPHS = [
    Hypergraph.from_hyperedges({}),
    Hypergraph.from_hyperedges({}, vertices=["a", "b"]),
    Hypergraph.from_hyperedges({"e": []}),
    Hypergraph.from_hyperedges({"e": ["a", "b"], "f": ["b", "c"], "g": ["d"]}, [2, 3, 5]),
    Hypergraph.from_hyperedges({"e": ["a", "b", "c"], "f": ["c", "d"], "g": ["a", "d"], "k": ["d", "x"]}, [4, 1, 2, 7]),
]
BACKENDS = ["interpreter", "cpu"]


@algorithm
def deep(h, k: at_most(Count, 3)):
    """Three loops deep, with statements before, between and after, two inner loops, and stops of every kind."""
    a, b, c, d = (h.state(Count, 0) for _ in range(4))
    early = h.state(Flag, False)
    rounds = h.state(Count, 0)
    with h.loop(at_most=k + 1) as outer:
        rounds.assign(rounds + 1)
        with h.vertices.each() as v:
            a.assign(a + 1)
            b.assign(0)
            with h.loop(at_most=h.hyperedges.count + 3) as inner:
                b.assign(b + 1)
                inner.stop_when(b == 2)
                c.assign(c + 1)
            c.assign(c + 10)
            early.assign(v == h.vertices.first)
        with h.loop(at_most=1) as once:
            d.assign(d + 7)
            once.stop_when(True)
        outer.stop_when(rounds == k)
        d.assign(d + 100)
    return Outputs(a=a, b=b, c=c, d=d, early=early, last=v)


def deep_in_python(n, k):
    a = b = c = d = rounds = 0
    early, last, iterations = False, None, 0
    while True:
        rounds += 1
        iterations += 1
        for v in range(n):
            a, b = a + 1, 0
            iterations += 1
            while True:
                b += 1
                iterations += 1
                if b == 2:
                    break
                c += 1
            c += 10
            early, last = v == 0, v
        if not n:
            iterations += 1
            last = None
        d += 7
        iterations += 1
        if rounds == k:
            return {"a": a, "b": b, "c": c, "d": d, "early": early, "last": last}, iterations
        d += 100


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("graph", range(len(GRAPHS)))
def test_three_loops_deep(graph, backend):
    H = GRAPHS[graph]
    for k in (1, 3):
        expected, iterations = deep_in_python(len(H.vertices), k)
        found = hyloop.run(deep, H, k=k, backend=backend)
        last = expected.pop("last")
        assert found["last"] == (None if last is None else H.vertices[last])
        assert {name: found[name] for name in expected} == expected
        assert found.iterations == iterations


@algorithm
def pairs(h):
    """All pairs of a vertex and a hyperedge, in order; the statements before the inner loop take an iteration."""
    both = h.state(Count, 0)
    order = h.state(Count, 0)
    seen = h.vertices.state(Count, 0)
    with h.vertices.each() as v:
        order.assign(order + 1)
        with h.hyperedges.each() as e:
            seen[v] = order
            with when(h.members(e)[v]):
                both.assign(both + 1)
            with otherwise():
                order.assign(order + 100)
    return Outputs(both=both, seen=stream(seen, of=v), last=e)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("graph", range(len(GRAPHS)))
def test_each_in_each(graph, backend):
    H = GRAPHS[graph]
    found = hyloop.run(pairs, H, backend=backend)
    n, m = len(H.vertices), len(H.hyperedges)
    assert found["both"] == sum(len(H.members_of(e)) for e in H.hyperedges)
    assert found.iterations == 1 + (n * (1 + max(m, 1)) if n else 1)
    assert len(found["seen"].entries) == n * (1 + max(m, 1))  # of `v`, which is there in every iteration


@algorithm
def distances(h):
    distance = h.vertices.state(Length, INFINITY)
    key = h.hyperedges.state(Length, INFINITY)
    through = h.vertices.state(Hyperedge)
    queued = h.hyperedges.state(Flag, False)
    done = h.state(Vertex)
    with h.vertices.each() as source:
        done.assign(None)
        distance.assign(INFINITY)
        through.assign(None)
        distance[source] = 0
        queued.assign(h.containing(source))
        key.assign(INFINITY)
        key.assign(h.weight, where=queued)
        with h.loop(at_most=h.hyperedges.count + 1) as loop:
            edge, best = argmin(key)
            loop.stop_when(edge.is_none)
            fresh = h.members(edge) & (distance == INFINITY)
            distance.assign(best, where=fresh)
            through.assign(edge, where=fresh)
            key[edge] = INFINITY
            reached = h.touching(fresh) & ~queued
            key.assign(best + h.weight, where=reached)
            queued.assign(True, where=reached)
        done.assign(source)
    return Outputs(distance=stream(distance, of=done), through=stream(through, of=done), near=stream(queued, of=done))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("graph", range(len(GRAPHS)))
def test_streams_of_lengths_pointers_and_flags(graph, backend):
    H = GRAPHS[graph]
    star = nx.Graph()
    star.add_nodes_from(("v", v) for v in H.vertices)
    star.add_weighted_edges_from(
        (("v", v), ("e", e), w) for e, w in zip(H.hyperedges, H.weights, strict=True) for v in H.members_of(e)
    )
    found = hyloop.run(distances, H, backend=backend)
    matrix, through, near = (found.matrix(name) for name in ("distance", "through", "near"))
    assert matrix.rows == matrix.columns == H.vertices
    for v in H.vertices:
        far = nx.single_source_dijkstra_path_length(star, ("v", v))
        assert [matrix[v, u] for u in H.vertices] == [
            far[end] / 2 if (end := ("v", u)) in far else None for u in H.vertices
        ]
        assert [near[v, e] for e in H.hyperedges] == [("e", e) in far for e in H.hyperedges]
        assert all((through[v, u] is None) == (u == v or matrix[v, u] is None) for u in H.vertices)
    assert found.to_json()["streams"].keys() == {"distance", "through", "near"}


def test_a_matrix_needs_one_row_for_each():
    H = GRAPHS[3]
    with pytest.raises(HyloopError, match="seen has several entries about 'a'; a matrix has one row for each"):
        hyloop.run(pairs, H).matrix("seen")
    with pytest.raises(HyloopError, match="pairs has no stream 'both'; a matrix is made of one"):
        hyloop.run(pairs, H).matrix("both")
    with pytest.raises(HyloopError, match="The matrix has no entry for 'a' and 'e'"):
        _ = hyloop.run(distances, H).matrix("distance")["a", "e"]


@algorithm
def endless(h):
    """The inner loop runs for four rounds, and declares fewer where there are fewer hyperedges."""
    x = h.state(Count, 0)
    done = h.state(Count, 0)
    with h.loop(at_most=2) as outer:
        x.assign(0)
        with h.loop(at_most=h.hyperedges.count) as inner:
            x.assign(x + 1)
            inner.stop_when(x == 4)
        done.assign(done + 1)
        outer.stop_when(done == 2)
    return Outputs(x=x)


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_inner_loop_that_exceeds_its_bound_is_an_error(backend):
    assert hyloop.run(endless, GRAPHS[4], backend=backend).iterations == 10
    for H in GRAPHS[:4]:
        with pytest.raises(HyloopError, match="endless did not stop within"):
            hyloop.run(endless, H, backend=backend)


def test_the_bound_multiplies():
    assert str(deep.program.at_most) == "(3 + 1) * (max(n_v, 1) * (n_e + 4) + 1 + 1)"
    assert str(pairs.program.at_most) == "max(n_v, 1) * (max(n_e, 1) + 1)"
    assert from_text(to_text(deep.program)) == deep.program


@algorithm
def sized(h):
    x = h.state(Count, 0)
    with h.loop(at_most=(h.vertices.count + 1) ** 2 + log2(h.hyperedges.count)) as loop:
        x.assign(x + 1)
        loop.stop_when(x == h.vertices.count)
    return Outputs(x=x)


def test_powers_and_logarithms_of_sizes():
    at_most_ = sized.program.at_most
    assert str(at_most_) == "(n_v + 1) ** 2 + log2(n_e)"
    for m in range(20):
        assert at_most_.at(3, m) == 16 + (math.ceil(math.log2(m)) if m else 0)
    assert at_most_.most(8) == 81 + 3
    assert from_text(to_text(sized.program)) == sized.program


def bounded_by(expression):
    """The `at_most` of a loop, with `n` vertices, an input `k` of at most 10 and one without a bound."""

    @algorithm
    def example(h, k: at_most(Count, 10), free: Count):
        x = h.state(Count, 0)
        with h.loop(at_most=expression(h.vertices.count, k, free)) as loop:
            x.assign(x + 1)
            loop.stop_when((x == k) | (x == free))
        return Outputs(x=x)

    return example


@pytest.mark.parametrize(
    ("expression", "text", "of_five"),
    [
        (lambda n, k, _: k * n + n**2 + 1, "10 * n_v + n_v ** 2 + 1", 76),
        (lambda n, k, _: n**2 + k, "n_v ** 2 + 10", 35),
        (lambda n, k, _: log2(n) * k, "10 * log2(n_v)", 30),
        (lambda n, k, _: k**2 + log2(k) + 1, "10 ** 2 + log2(10) + 1", 105),
        (lambda n, k, _: (k + n) ** 2 // 3, "(10 + n_v) ** 2 // 3", 75),
    ],
)
def test_powers_and_logarithms_beside_inputs_with_a_bound(expression, text, of_five):
    example = bounded_by(expression)
    assert str(example.program.at_most) == text
    assert example.program.most_iterations(5, 0) == of_five
    h = hyloop.Hypergraph.from_hyperedges([[1, 2, 3]])
    assert hyloop.run(hyloop.compile(example), h, k=4, free=9)["x"] == 4


@pytest.mark.parametrize(
    "expression",
    [
        lambda n, k, _: n**2 - k,
        lambda n, _, free: free + n**2,
        lambda n, _, free: free**2,
        lambda n, _, free: log2(free),
    ],
)
def test_what_is_no_bound_is_refused_there_too(expression):
    with pytest.raises(LanguageError):
        _ = bounded_by(expression).program


def test_a_bound_beside_an_input_is_no_value():
    with pytest.raises(LanguageError, match=r"10 \*\* 2 cannot be computed on this machine"):
        _ = bounded_by(lambda n, k, free: where(k**2 == n, 1, 2)).program


def test_regions_do_not_wait_for_each_other():
    """The layers of an iteration are those of its longest region, and each assignment keeps its line."""
    model = hyloop.compile(distances, hyloop.Capacity(1000, 1000))
    assert len(model.layers) <= 4
    body = distances.program.body
    lines = {name: {body.ops[each.op].where.line for each in body.assignments(name)} for name in ("key", "queued")}
    first = distances.function.__code__.co_firstlineno
    assert {line - first for line in lines["key"]} == {13, 14, 21, 23}
    assert all(a.line <= b.line for a, b in pairwise(state.where for state in distances.program.states[:5]))


@algorithm
def searching(h):
    """The reach of every vertex that is in a hyperedge, by a search; others only count; nested conditions and loops."""
    seen, reach, alone = h.vertices.state(Flag, False), h.vertices.state(Count, 0), h.state(Count, 0)
    rounds, after, lonely = h.state(Count, 0), h.state(Count, 0), h.state(Flag, False)
    with h.vertices.each() as v:
        lonely.assign(~any_(h.containing(v)))
        with when(lonely):
            alone.assign(alone + 1)
        with otherwise():
            seen.assign(h.vertices.number == v)
            with h.loop(at_most=h.vertices.count + 1) as search:
                fresh = h.covered(h.touching(seen)) & ~seen
                search.stop_when(~any_(fresh))
                seen.assign(True, where=fresh)
            reach[v] = sum_(seen)
            lonely.assign(True)  # the flag of the block is what it was
            with when(h.containing(v)[h.hyperedges.first]):
                rounds.assign(0)
                with h.loop(at_most=3) as wait:
                    rounds.assign(rounds + 1)
                    wait.stop_when(rounds == 2)
                after.assign(after + rounds)
        after.assign(after + 1)
    return Outputs(reach=reach, alone=alone, after=after)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("graph", GRAPHS)
def test_a_loop_in_a_condition(graph, backend):
    found = hyloop.run(searching, graph, backend=backend)
    pairs = nx.Graph()
    pairs.add_nodes_from(graph.vertices)
    sets = [graph.members_of(e) for e in graph.hyperedges]
    for members in sets:
        pairs.add_edges_from(pairwise(members))
    inside = {vertex for members in sets for vertex in members}
    reach = {v: len(nx.node_connected_component(pairs, v)) if v in inside else 0 for v in graph.vertices}
    first = len(sets[0]) if sets else 0
    assert found["reach"] == reach
    assert found["alone"] == len(graph.vertices) - len(inside)
    assert found["after"] == len(graph.vertices) + 2 * first


def test_what_a_condition_skips_takes_one_iteration():
    @algorithm
    def skipping(h, yes: Flag):
        n, m = h.state(Count, 0), h.state(Count, 0)
        with h.loop(at_most=4) as loop:
            n.assign(n + 1)
            with when(yes), h.loop(at_most=9) as inner:
                m.assign(m + 1)
                inner.stop_when(m == 3 * n)
            loop.stop_when(n == 4)
        return Outputs(n=n, m=m)

    h = Hypergraph.from_hyperedges({})
    found, skipped = (hyloop.run(skipping, h, yes=yes) for yes in (True, False))
    assert (found["n"], found["m"], found.iterations) == (4, 12, 4 * (1 + 3))
    assert (skipped["n"], skipped["m"], skipped.iterations) == (4, 0, 4 * (1 + 1))


def test_inputs_with_a_bound_stand_in_bounds():
    @algorithm
    def repeated(h, k: at_most(Count, 4)):
        n, rounds = h.state(Count, 0, at_most=k + 1), h.state(Count, 0)
        with h.loop(at_most=larger(k * h.vertices.count // 2, 3 * k) - 1) as loop:
            n.assign(smaller(n + 1, k))
            rounds.assign(rounds + 1)
            loop.stop_when(rounds == 2 * k)
        return Outputs(n=n, rounds=rounds)

    assert str(repeated.program.at_most) == "max(4 * n_v // 2, 4 * 3) - 1"
    assert str(repeated.program.state("n").at_most) == "4 + 1"
    for backend in BACKENDS:
        found = hyloop.run(repeated, GRAPHS[1], k=3, backend=backend)
        assert (found["n"], found["rounds"]) == (3, 6)
