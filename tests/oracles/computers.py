"""Subleq twice: on a list of signed integers, and on words with an offset, in numpy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hyloop import Hypergraph

MOST, STEPS = 1_000_000_000, 1_000_000


def _outputs(H: Hypergraph, cells: list[int], pc: int, steps: int, why: str) -> dict[str, Any]:
    return {
        "positive": {v: max(cell, 0) for v, cell in zip(H.vertices, cells, strict=True)},
        "negative": {v: max(-cell, 0) for v, cell in zip(H.vertices, cells, strict=True)},
        "pc": H.vertices[pc] if 0 <= pc < len(cells) else None,
        "steps": steps,
        "halted": why == "halted",
        "overflow": why == "overflow",
    }


def subleq_by_lists(
    H: Hypergraph, positive: Mapping[Any, int], negative: Mapping[Any, int], budget: int
) -> dict[str, Any]:
    """Python's own integers, which have a sign."""
    cells, pc = [positive[v] - negative[v] for v in H.vertices], 0
    inside, done = range(len(cells)), 0
    while True:
        if pc not in inside or pc + 2 not in inside or cells[pc] not in inside or cells[pc + 1] not in inside:
            return _outputs(H, cells, pc, done, "halted")
        if done == min(budget, STEPS):
            return _outputs(H, cells, pc, done, "out of steps")
        a, b, c = cells[pc : pc + 3]
        left = cells[b] - cells[a]
        if abs(left) > MOST:
            return _outputs(H, cells, pc, done, "overflow")
        cells[b], done = left, done + 1
        pc = c if left <= 0 else pc + 3


def subleq_by_words(
    H: Hypergraph, positive: Mapping[Any, int], negative: Mapping[Any, int], budget: int
) -> dict[str, Any]:
    """Unsigned words that hold a value and a billion; beyond the memory, cells that hold no address."""
    zero, n = np.uint64(MOST), len(H.vertices)
    words = np.full(n + 3, np.uint64(0))  # minus a billion, which is no address
    words[:n] = [MOST + positive[v] - negative[v] for v in H.vertices]
    pc = 0
    for step in range(min(budget, STEPS) + 1):
        a, b, c = (int(word) - MOST for word in words[pc : pc + 3])
        if min(a, b) < 0 or max(a, b) >= n or pc + 3 > n:
            why = "halted"
            break
        why, new = "out of steps", words[b] + zero - words[a]
        if step == min(budget, STEPS):
            break
        if new > 2 * MOST:  # below 0 an unsigned word is huge
            why = "overflow"
            break
        words[b] = new
        pc = pc + 3 if new > zero else c if 0 <= c < n else n
    return _outputs(H, [int(word) - MOST for word in words[:n]], pc, step, why)
