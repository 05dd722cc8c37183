"""Forward chaining over Horn rules: tails are what a rule asks for, heads what it says; one round an iteration."""

from hyloop.lang import Count, Flag, Outputs, algorithm, any, known


@algorithm
def forward_chaining(h):
    """What follows: the heads of a hyperedge are derived once all its tails are; without tails they are facts."""
    derived = h.vertices.state(Flag, False)
    round_ = h.vertices.state(Count, 0)  # in which it was derived: facts in round 1
    rounds = h.state(Count, 0)
    fires = h.hyperedges.state(Flag, False)

    fires.assign(h.tails.within(derived))

    with h.loop(at_most=h.vertices.count + 1) as loop:
        fresh = h.heads.covered(fires) & ~derived
        loop.stop_when(~any(fresh))
        rounds.assign(rounds + 1)
        round_.assign(rounds, where=fresh)
        fires.assign(h.tails.within(derived | fresh))
        derived.assign(True, where=fresh)
    return Outputs(derived=derived, round=known(round_, where=derived))
