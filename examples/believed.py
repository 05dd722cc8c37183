"""What a greedy matching chooses, found slowly: an answer to check matching.py against. See docs/tutorial.md."""


def slow(h):
    """The heaviest hyperedge first; of two alike, the first."""
    taken, chosen = set(), {}
    for e in sorted(h.hyperedges, key=lambda e: -h.weight_of(e)):
        chosen[e] = not taken & set(h.members_of(e))
        taken |= set(h.members_of(e)) if chosen[e] else set()
    return {"chosen": chosen}
