"""Oracles of examples/pagerank.py: plain integers, in two orders, and fractions without rounding."""

import numpy as np

POINTS, DAMPING = 4_000, 85


def parts(h):
    """The hyperedges of each vertex, and the members of each hyperedge, by label."""
    members = {e: list(h.members_of(e)) for e in h.hyperedges}
    return {v: [e for e in h.hyperedges if v in members[e]] for v in h.vertices}, members


def arriving(v, rank, around, members):
    """What a vertex gets of a share of every rank."""
    found = 0
    for e in around[v]:
        found += sum(rank[u] // len(around[u]) for u in members[e]) // len(members[e])
    return (POINTS * (100 - DAMPING) // 100) // len(around) + DAMPING * found // 100


def together(h):
    """The ranks, all at once in every round from 0, and how many rounds changed something."""
    around, members = parts(h)
    rank, rounds = dict.fromkeys(h.vertices, 0), 0
    while True:
        new = {v: arriving(v, rank, around, members) for v in h.vertices}
        if new == rank:
            return rank, rounds
        rank, rounds = new, rounds + 1


def one_by_one(h):
    """The same least fixed point, one vertex after the other, the last one first."""
    around, members = parts(h)
    rank = dict.fromkeys(h.vertices, 0)
    while True:
        wrong = [v for v in h.vertices if arriving(v, rank, around, members) != rank[v]]
        if not wrong:
            return rank
        rank[wrong[-1]] = arriving(wrong[-1], rank, around, members)


def unrounded(h):
    """The ranks in floats, by solving the equations."""
    around, members = parts(h)
    place = {v: n for n, v in enumerate(h.vertices)}
    step = np.zeros((len(place), len(place)))
    for inside in members.values():
        for u in inside:
            for v in inside:
                step[place[v], place[u]] += 1 / len(around[u]) / len(inside)
    anew = np.full(len(place), POINTS * (100 - DAMPING) / 100 / max(len(place), 1))
    found = np.linalg.solve(np.eye(len(place)) - DAMPING / 100 * step, anew)
    return dict(zip(h.vertices, found.tolist(), strict=True))
