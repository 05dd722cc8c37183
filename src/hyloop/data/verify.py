"""Whether an answer solves its problem: a verifier for each algorithm of the standard data set.

A verifier is written from the definition of the problem (docs/algorithms.md). It runs no program of hyloop and reads no
recorded answer, and it accepts every right answer: any shortest-path tree, any depth-first order, any numbering of
components, any witness.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise, product

import numpy as np

from hyloop.algorithms.motifs import MOTIFS
from hyloop.data.hints import NONE
from hyloop.data.problem import BoolArray, IntArray, Problem
from hyloop.errors import FormatError

FAR = 1 << 62  # farther than every vertex that can be reached

Answer = Mapping[str, IntArray]  # by output; one that is not predicted is not there


@dataclass(frozen=True, eq=False)
class Verdict:
    """Which entries of each output are right, and which places (vertices, hyperedges) are right altogether."""

    outputs: Mapping[str, BoolArray]
    places: BoolArray

    @property
    def right(self) -> bool:
        """Whether the answer solves the problem."""
        return bool(self.places.all())


def fault_of(verdict: Verdict, answer: Answer) -> str:
    """What is wrong with a verdict on an answer, which somebody's verifier made; empty if nothing is."""
    outputs: object = verdict.outputs
    if not (isinstance(outputs, Mapping) and outputs.keys() <= answer.keys()):
        return f"outputs is a dictionary by the names of outputs: {', '.join(answer)}"
    for name, right in verdict.outputs.items():
        if not (_are_flags(right, len(answer[name])) or _are_flags(right, 1)):
            return (
                f"{name} has {len(answer[name]):,} entries, each right or not: an array of so many booleans, or of one"
            )
    lengths = [len(verdict.outputs.get(name, each)) for name, each in answer.items()]
    places = lengths[0] if len(set(lengths)) == 1 else sum(lengths)
    if not _are_flags(verdict.places, places):
        return f"there are {places:,} places, each right or not: an array of so many booleans"
    if len(verdict.outputs) == len(answer) and (verdict.places & ~judged(verdict.outputs).places).any():
        return "a place is right only where its outputs are"
    return ""


def _are_flags(given: object, count: int) -> bool:
    return isinstance(given, np.ndarray) and given.dtype == np.bool_ and given.shape == (count,)


Judge = Callable[[Answer], Verdict]
Verifier = Callable[[Problem], Judge]


def judged(found: Mapping[str, BoolArray], *also: BoolArray) -> Verdict:
    """The verdict where a place is right if all of its outputs are, and what else is asked."""
    parts = [*found.values(), *also]
    if len({len(part) for part in parts}) > 1:  # outputs of several locations
        return Verdict(found, np.concatenate(parts))
    return Verdict(found, np.logical_and.reduce(parts))


def exactly(**wanted: IntArray) -> Judge:
    """The verdict where there is one right answer."""
    return lambda answer: judged({name: answer[name] == wanted[name] for name in wanted if name in answer})


# -- paths ------------------------------------------------------------------------------------------------------------


def _cheapest(problem: Problem, source: int, weight: IntArray) -> tuple[IntArray, IntArray]:
    """The distance of every vertex, and through every hyperedge: the solution of Bellman's equations."""
    distance = np.full(problem.n, FAR, np.int64)
    distance[source] = 0
    while True:
        through = np.full(problem.m, FAR, np.int64)
        np.minimum.at(through, problem.hyperedge, distance[problem.member])
        through = np.where(through == FAR, FAR, through + weight)
        shorter = distance.copy()
        np.minimum.at(shorter, problem.member, through[problem.hyperedge])
        if np.array_equal(shorter, distance):
            return distance, through
        distance = shorter


def _paths(problem: Problem, name: str, weight: IntArray) -> Judge:
    """Distances, and a tree of shortest paths: weights are positive, so tight steps never form a cycle."""
    source = int(problem.inputs["source"])
    distance, through = _cheapest(problem, source, weight)
    wanted = np.where(distance == FAR, NONE, distance)
    vertices = np.arange(problem.n)
    leads = (through[problem.hyperedge] == distance[problem.member]) & (problem.member != source)
    leads &= distance[problem.member] != FAR
    last, reached = problem.hyperedge[leads], problem.member[leads]  # each last step of a shortest path
    alone = (distance == FAR) | (vertices == source)

    def begins(hyperedge: IntArray, vertex: IntArray) -> BoolArray:
        """Whether the shortest way through a hyperedge goes through it from this vertex."""
        inside = problem.has(hyperedge, vertex)
        at = np.where(inside, vertex, 0), np.where(inside, hyperedge, 0)
        return inside & (distance[at[0]] + weight[at[1]] == through[at[1]]) if problem.m else inside

    def ends(hyperedge: IntArray) -> BoolArray:
        inside = problem.has(hyperedge, vertices)
        at = np.where(inside, hyperedge, 0)
        return inside & (through[at] == distance) if problem.m else inside

    def judge(answer: Answer) -> Verdict:
        found, also = {}, []
        if name in answer:
            found[name] = answer[name] == wanted
        if "predecessor" in answer:
            before = answer["predecessor"]
            right = np.zeros(problem.n, np.bool_)
            right[reached[begins(last, before[reached])]] = True
            found["predecessor"] = np.where(alone, before == NONE, right)
        if "hyperedge" in answer:
            edge = answer["hyperedge"]
            found["hyperedge"] = np.where(alone, edge == NONE, ends(edge))
        if "predecessor" in answer and "hyperedge" in answer:
            also.append(alone | begins(edge, before))
        return judged(found, *also)

    return judge


def _dijkstra(problem: Problem) -> Judge:
    if sum(problem.weight.tolist()) >= FAR:  # no compiled transformer computes with such numbers
        raise FormatError("The weights of an example of dijkstra add up to 2^62 or more: make the data set anew.")
    return _paths(problem, "distance", problem.weight)


def _bfs(problem: Problem) -> Judge:
    return _paths(problem, "level", np.ones(problem.m, np.int64))


def _s_distance(problem: Problem) -> Judge:
    """Distances between hyperedges, level by level, and a tree of shortest walks."""
    source, s = int(problem.inputs["source"]), int(problem.inputs["s"])
    distance = np.full(problem.m, NONE, np.int64)
    distance[source] = 0
    level, front = 0, [source]
    allowed: dict[int, set[int]] = {}  # what may come before a hyperedge
    while front:
        level += 1
        for edge in front:
            near = np.flatnonzero(problem.overlaps(edge) >= s)
            distance[near[distance[near] == NONE]] = level
            for each in near[distance[near] == level].tolist():
                allowed.setdefault(each, set()).add(edge)
        front = np.flatnonzero(distance == level).tolist()

    def judge(answer: Answer) -> Verdict:
        found = {}
        if "distance" in answer:
            found["distance"] = answer["distance"] == distance
        if "previous" in answer:
            told = enumerate(answer["previous"].tolist())
            found["previous"] = np.array([value in allowed.get(edge, {NONE}) for edge, value in told], np.bool_)
        return judged(found)

    return judge


# -- depth-first search -----------------------------------------------------------------------------------------------


def _dfs(problem: Problem) -> Judge:
    """A depth-first search goes on from the vertex that it visited last, of those with a neighbour to visit.

    So an order determines the parents. Without an order, parents are right if each hyperedge is a chain of their tree.
    """
    source = int(problem.inputs["source"])
    here = _smallest_connected(problem)
    reached = here == here[source]

    def judge(answer: Answer) -> Verdict:
        if "order" not in answer:
            return judged({"predecessor": _search_tree(problem, source, reached, answer["predecessor"])})
        right, parent = _searched(problem, source, reached, answer["order"])
        visited = ~reached | (answer["order"] != NONE)
        found = {"order": right}
        if "predecessor" in answer:
            found["predecessor"] = visited & (answer["predecessor"] == parent)
        return judged(found)

    return judge


def _searched(problem: Problem, source: int, reached: BoolArray, order: IntArray) -> tuple[BoolArray, IntArray]:
    """Which vertices come when a depth-first search may visit them, after those before them; and their parents."""
    right, parent = ~reached & (order == NONE), np.full(problem.n, NONE)
    unvisited = [len(members) for members in problem.members_of]
    path: list[int] = []
    visits = [each for each in np.argsort(order, kind="stable").tolist() if order[each] != NONE]
    for rank, vertex in enumerate(visits, 1):
        while path and not any(unvisited[edge] for edge in problem.hyperedges_of[path[-1]]):
            path.pop()
        parent[vertex] = path[-1] if path else NONE
        may = problem.neighbours(path[-1], vertex) if path else rank == 1 and vertex == source
        right[vertex] = may and order[vertex] == rank
        path.append(vertex)
        for edge in problem.hyperedges_of[vertex]:
            unvisited[edge] -= 1
    return right, parent


def _search_tree(problem: Problem, source: int, reached: BoolArray, parent: IntArray) -> BoolArray:
    """Which parents are those of a depth-first search: all neighbours of a vertex are above or below it."""
    first, last = _spans(problem, source, parent)
    right = np.where(reached, first > 0, parent == NONE)
    right[source] = parent[source] == NONE
    for members in problem.members_of:
        chain = sorted((vertex for vertex in members if first[vertex] > 0), key=lambda vertex: first[vertex])
        if all(last[above] >= last[below] for above, below in pairwise(chain)):
            continue
        for a, b in combinations(chain, 2):
            if last[a] < last[b]:
                right[[a, b]] = False
    return right


def _spans(problem: Problem, source: int, parent: IntArray) -> tuple[IntArray, IntArray]:
    """When a walk over the tree enters and leaves each vertex, from 1; 0 for what does not hang on the source."""
    children: dict[int, list[int]] = {}
    for vertex, above in enumerate(parent.tolist()):
        if vertex != source and 0 <= above < problem.n and problem.neighbours(above, vertex):
            children.setdefault(above, []).append(vertex)
    first, last = np.zeros((2, problem.n), np.int64)
    todo, clock = [(source, False)], 0
    while todo:
        vertex, done = todo.pop()
        if done:
            last[vertex] = clock
            continue
        clock += 1
        first[vertex] = clock
        todo += [(vertex, True), *((each, False) for each in children.get(vertex, ()))]
    return first, last


# -- components -------------------------------------------------------------------------------------------------------


def _smallest_connected(problem: Problem) -> IntArray:
    """The smallest vertex that is connected with each."""
    smallest = np.arange(problem.n)
    while True:
        inside = np.full(problem.m, problem.n, np.int64)
        np.minimum.at(inside, problem.hyperedge, smallest[problem.member])
        smaller = smallest.copy()
        np.minimum.at(smaller, problem.member, inside[problem.hyperedge])
        if np.array_equal(smaller, smallest):
            return smallest
        smallest = smaller


def _numbering(wanted: IntArray) -> Judge:
    """Any numbers, the same for two vertices if and only if they belong together.

    Where that does not hold, each set is given a number of its own, most vertices first: those that have it are right.
    """

    def judge(answer: Answer) -> Verdict:
        given = answer["component"]
        pairs, count = np.unique(np.stack([wanted, given]), axis=1, return_counts=True)
        name: dict[int, int] = {}
        taken = {NONE}
        for place in np.argsort(-count, kind="stable").tolist():
            true, told = pairs[:, place].tolist()
            if true not in name and told not in taken:
                name[true] = told
                taken.add(told)
        # A set without a number has no right vertex, whatever they were given.
        named = [
            each in name and name[each] == told for each, told in zip(wanted.tolist(), given.tolist(), strict=True)
        ]
        return judged({"component": np.array(named, np.bool_)})

    return judge


def _components(problem: Problem) -> Judge:
    return _numbering(_smallest_connected(problem))


def _scc(problem: Problem) -> Judge:
    """Strongly connected: each leads to the other, through hyperedges from a tail to a head."""
    onward: list[list[int]] = [[] for _ in range(problem.n + problem.m)]
    incidences = zip(problem.member.tolist(), problem.hyperedge.tolist(), problem.direction.tolist(), strict=True)
    for vertex, edge, direction in incidences:
        if direction <= 0:
            onward[vertex].append(problem.n + edge)
        if direction >= 0:
            onward[problem.n + edge].append(vertex)
    return _numbering(np.array(_strong(onward)[: problem.n], np.int64))


def _strong(onward: list[list[int]]) -> list[int]:
    """A number for each node of a directed graph, the same for those that lead to each other (Tarjan)."""
    index, low, found = [0] * len(onward), [0] * len(onward), [NONE] * len(onward)
    clock, path = 0, []
    for root in range(len(onward)):
        calls = [] if index[root] else [(root, iter(onward[root]))]
        while calls:
            node, rest = calls[-1]
            if not index[node]:
                clock += 1
                index[node] = low[node] = clock
                path.append(node)
            following = next(rest, None)
            if following is not None:
                if not index[following]:
                    calls.append((following, iter(onward[following])))
                elif found[following] == NONE:
                    low[node] = min(low[node], index[following])
                continue
            calls.pop()
            if calls:
                low[calls[-1][0]] = min(low[calls[-1][0]], low[node])
            if low[node] == index[node]:
                while found[node] == NONE:
                    found[path.pop()] = node
    return found


# -- the rest ---------------------------------------------------------------------------------------------------------


def _levels(problem: Problem) -> Judge:
    distance, _ = _cheapest(problem, int(problem.inputs["source"]), np.ones(problem.m, np.int64))
    return exactly(level=np.where(distance == FAR, NONE, distance))


def _core_numbers(problem: Problem) -> Judge:
    """Vertices leave one at a time, always one of least degree; a hyperedge counts while it has two vertices."""
    size = [len(members) for members in problem.members_of]
    degree = [sum(size[edge] >= 2 for edge in edges) for edges in problem.hyperedges_of]
    core, level = np.full(problem.n, NONE, np.int64), 0
    queue = [(each, vertex) for vertex, each in enumerate(degree)]
    heapq.heapify(queue)
    while queue:
        least, vertex = heapq.heappop(queue)
        if core[vertex] != NONE or least != degree[vertex]:
            continue
        level = max(level, least)
        core[vertex] = level
        for edge in problem.hyperedges_of[vertex]:
            size[edge] -= 1
            for other in problem.members_of[edge] if size[edge] == 1 else ():
                if core[other] == NONE:
                    degree[other] -= 1
                    heapq.heappush(queue, (degree[other], other))
    return exactly(core=core)


def _forward_chaining(problem: Problem) -> Judge:
    """A head is derived a round after the last of the tails, by the first of its rules."""
    tail, head = problem.direction <= 0, problem.direction >= 0
    round_ = np.full(problem.n, FAR, np.int64)
    while True:
        fires = np.zeros(problem.m, np.int64)
        np.maximum.at(fires, problem.hyperedge[tail], round_[problem.member[tail]])
        fires = np.minimum(fires + 1, FAR)
        earlier = round_.copy()
        np.minimum.at(earlier, problem.member[head], fires[problem.hyperedge[head]])
        if np.array_equal(earlier, round_):
            break
        round_ = earlier
    derived = round_ < FAR
    return exactly(derived=derived.astype(np.int64), round=np.where(derived, round_, NONE))


def _helly(problem: Problem) -> Judge:
    """Any three vertices refute it if the hyperedges with two of them have no vertex in common (Berge and Duchet)."""
    meet: dict[tuple[int, int], int] = {}  # what all hyperedges with these two vertices have in common, as bits
    for members in problem.members_of:
        bits = sum(1 << vertex for vertex in members)
        for pair in combinations(members, 2):
            meet[pair] = meet.get(pair, bits) & bits

    def refutes(x: int, y: int, z: int) -> bool:
        pairs = ((x, y), (x, z), (y, z))
        return all(pair in meet for pair in pairs) and not meet[x, y] & meet[x, z] & meet[y, z]

    @cache
    def holds() -> bool:
        above: list[list[int]] = [[] for _ in range(problem.n)]
        for x, y in sorted(meet):
            above[x].append(y)
        return not any(refutes(x, y, z) for x in range(problem.n) for y, z in combinations(above[x], 2))

    def judge(answer: Answer) -> Verdict:
        found = {}
        if "witness" in answer:
            told = sorted(answer["witness"].tolist())
            ok = holds() if told == [NONE] * 3 else refutes(*told)
            found["witness"] = np.array([ok])
        if "helly" in answer:
            found["helly"] = answer["helly"] == int(holds())
        return judged(found)

    return judge


def _motifs(problem: Problem) -> Judge:
    """Three hyperedges, no two with the same vertices, have seven regions; which of them are empty is the motif."""
    member = np.zeros((problem.m, problem.n), np.int64)
    member[problem.hyperedge, problem.member] = 1
    both = member @ member.T
    size = np.diagonal(both)
    twins = (both == size) & (both == size[:, np.newaxis])
    later = np.triu(np.ones((problem.m, problem.m), np.bool_), 1)
    counts = np.zeros(len(MOTIFS), np.int64)
    for i in range(problem.m):
        i_j, i_k, j_k = both[i][:, np.newaxis], both[i], both
        all_three = (member * member[i]) @ member.T
        regions = [
            all_three,
            size[i] - i_j - i_k + all_three,
            size[:, np.newaxis] - i_j - j_k + all_three,
            size - i_k - j_k + all_three,
            j_k - all_three,  # opposite of what only i has
            i_k - all_three,
            i_j - all_three,
        ]
        code = sum((region > 0).astype(np.int64) << bit for bit, region in enumerate(regions))
        three = later & (np.arange(problem.m) > i)[:, np.newaxis] & ~twins & ~twins[i] & ~twins[i][:, np.newaxis]
        three &= ((i_j > 0).astype(np.int8) + (i_k > 0) + (j_k > 0)) >= 2
        counts += np.bincount(_motif_of()[np.asarray(code)[three]], minlength=len(MOTIFS))
    return exactly(counts=counts)


@cache
def _motif_of() -> IntArray:
    """The number of the motif, from 0, by which of the regions are not empty: bits, in the order of `_motifs`."""
    found = np.full(128, NONE, np.int64)
    for bits in product((0, 1), repeat=7):
        common, private, pairs = bits[0], bits[1:4], bits[4:]
        apart = sum(not (own and opposite) for own, opposite in zip(private, pairs, strict=True))
        kind = (common, sum(private), sum(pairs), apart)
        if kind in MOTIFS:
            found[sum(bit << place for place, bit in enumerate(bits))] = MOTIFS.index(kind)
    return found


VERIFIERS: dict[str, Verifier] = {
    "dijkstra": _dijkstra,
    "levels": _levels,
    "bfs": _bfs,
    "dfs": _dfs,
    "components": _components,
    "core_numbers": _core_numbers,
    "s_distance": _s_distance,
    "scc": _scc,
    "forward_chaining": _forward_chaining,
    "helly": _helly,
    "motifs": _motifs,
}
