"""Other right answers and wrong ones, for the verifiers of data sets: permuted examples, changed entries.

`is_right` decides in its own way, by the definitions on sets. Where a problem has one answer, that is the recorded one.
"""

from itertools import combinations

import numpy as np

from hyloop.data.problem import Problem

LOCATED = {"vertex": 0, "hyperedge": 1}


def answer_of(document, example):
    """The outputs of an example, as arrays by name."""
    return {each["name"]: np.atleast_1d(np.array(example[each["column"]], np.int64)) for each in document["outputs"]}


def permuted(document, example, random):
    """The same example with vertices and hyperedges in another order: problem and answer.

    The answer is right, and it is not the one that the algorithm gives here: ties are broken by the old numbers.
    """
    new = [random.permutation(example["vertices"]), random.permutation(example["hyperedges"])]

    def value(about, given):
        place = LOCATED.get(about["kind"])
        if place is None:
            return given
        return np.where(given == -1, -1, np.append(new[place], -1)[given])

    def array(about, given):
        given, place = np.atleast_1d(np.array(given, np.int64)), LOCATED.get(about["location"])
        found = value(about, given)
        return found if place is None else found[np.argsort(new[place])]

    problem = Problem.of(document, example)
    incidences = sorted(
        (int(new[1][edge]), int(new[0][vertex]), int(direction))
        for vertex, edge, direction in zip(problem.member, problem.hyperedge, problem.direction, strict=True)
    )
    edges, vertices, directions = (np.array(column, np.int64) for column in zip(*incidences, strict=True))
    inputs = {each["name"]: array(each, example[each["column"]])[0] for each in document["inputs"]}
    weight = problem.weight[np.argsort(new[1])]
    answer = {each["name"]: array(each, example[each["column"]]) for each in document["outputs"]}
    if "witness" in answer:
        answer["witness"] = random.permutation(answer["witness"])
    return Problem(problem.n, problem.m, vertices, edges, directions, weight, inputs), answer


def changed(answer, problem, random):
    """The answer with one or two entries that are something else."""
    found = {name: value.copy() for name, value in answer.items()}
    for _ in range(random.integers(1, 3)):
        name = random.choice(sorted(found))
        place = random.integers(len(found[name]))
        old = found[name][place]
        other = [each for each in range(-1, max(problem.n, problem.m, old + 1) + 1) if each != old]
        found[name][place] = random.choice(other)
    return found


# -- the definitions, on sets -----------------------------------------------------------------------------------------


def is_right(algorithm, problem, right, answer):
    """Whether an answer is right, given one that is."""
    judge = JUDGES.get(algorithm)
    unique = all(np.array_equal(answer[name], right[name]) for name in right if name not in FREE.get(algorithm, ()))
    return unique and (judge is None or judge(problem, answer))


def _a_tree(problem, answer, distance, weight):
    sets, ends = [set(members) for members in problem.members_of], answer[distance]
    for vertex in range(problem.n):
        u, e = int(answer["predecessor"][vertex]), int(answer["hyperedge"][vertex])
        if ends[vertex] <= 0:
            if (u, e) != (-1, -1):
                return False
        elif not (0 <= e < problem.m and {u, vertex} <= sets[e] and ends[u] + weight[e] == ends[vertex]):
            return False
    return True


def _previous(problem, answer):
    sets, far = [set(members) for members in problem.members_of], answer["distance"]
    for edge, before in enumerate(answer["previous"].tolist()):
        if far[edge] <= 0:
            if before != -1:
                return False
        elif not 0 <= before < problem.m or far[before] + 1 != far[edge]:
            return False
        if far[edge] > 0 and len(sets[before] & sets[edge]) < problem.inputs["s"]:
            return False
    return True


def _a_search(problem, answer):
    """The four-point condition of depth-first orders; the parent is the last neighbour before."""
    near = {frozenset(pair) for members in problem.members_of for pair in combinations(members, 2)}
    order, parent = answer["order"].tolist(), answer["predecessor"].tolist()
    reached, more = {int(problem.inputs["source"])}, True
    while more:
        more = {v for u in reached for v in range(problem.n) if v not in reached and frozenset((u, v)) in near}
        reached |= more
    visits = sorted(reached, key=lambda vertex: order[vertex])
    if [order[vertex] for vertex in visits] != list(range(1, len(visits) + 1)) or order[problem.inputs["source"]] != 1:
        return False
    if any((order[v], parent[v]) != (-1, -1) for v in range(problem.n) if v not in reached):
        return False
    for a, b, c in combinations(visits, 3):
        between = visits[order[a] - 1 : order[b] - 1]
        if frozenset((a, c)) in near and not any(frozenset((d, b)) in near for d in between):
            return False
    for place, vertex in enumerate(visits):
        before = [u for u in visits[:place] if frozenset((u, vertex)) in near]
        if parent[vertex] != (before[-1] if before else -1):
            return False
    return True


def _a_witness(problem, answer):
    told = set(answer["witness"].tolist())
    if answer["helly"][0] == 1:
        return told == {-1}
    if len(told) != 3 or not told <= set(range(problem.n)):
        return False
    family = [set(members) for members in problem.members_of if len(told & set(members)) >= 2]
    return bool(family) and not set.intersection(*family)


FREE = {
    "dijkstra": ("predecessor", "hyperedge"),
    "bfs": ("predecessor", "hyperedge"),
    "s_distance": ("previous",),
    "dfs": ("order", "predecessor"),
    "components": ("component",),
    "scc": ("component",),
    "helly": ("witness",),
}


def _same_sets(right):
    """Whether two vertices have the same number where they have it in the right answer; -1 is none."""

    def judge(problem, answer):
        told, known = answer["component"].tolist(), right["component"].tolist()
        pairs = combinations(range(problem.n), 2)
        return -1 not in told and all((told[a] == told[b]) == (known[a] == known[b]) for a, b in pairs)

    return judge


JUDGES = {
    "dijkstra": lambda problem, answer: _a_tree(problem, answer, "distance", problem.weight),
    "bfs": lambda problem, answer: _a_tree(problem, answer, "level", [1] * problem.m),
    "s_distance": _previous,
    "dfs": _a_search,
    "helly": _a_witness,
}


def tried(shard, verifier, random, times=1):
    """Try a verifier on every example of a shard; how many right answers it accepted, and wrong ones it refused."""
    accepted = refused = 0
    for example in shard.examples():
        recorded = Problem.of(shard.document, example), answer_of(shard.document, example)
        assert verifier(recorded[0])(recorded[1]).right, example["number"]
        for _ in range(times):
            problem, answer = permuted(shard.document, example, random)
            judge = verifier(problem)
            assert judge(answer).right, example["number"]
            other = changed(answer, problem, random)
            same = _same_sets(answer)(problem, other) if "component" in answer else None
            wanted = is_right(shard.algorithm, problem, answer, other) if same is None else same
            assert judge(other).right == wanted, (example["number"], other)
            accepted += 1 + wanted
            refused += not wanted
    return accepted, refused
