"""What if the mail boat is cancelled in the middle of Dijkstra? Read and patch a named variable with nnsight.

    python examples/nnsight_patching.py

The variables of the program are columns of the state. `state` is the state before each iteration and at the end, so
`key`, the distance through each waiting hyperedge, can be read there, and overwritten: a boat whose key is infinite is
never taken. The answer must then be that of a harbour without this boat, which had not left yet.
"""

from pathlib import Path

from nnsight import NNsight

import hyloop
from hyloop.export import to_torch

CANCELLED, AFTER = "mail boat", 2  # the boat, and how many iterations have been run by then

h = hyloop.read(Path(__file__).parent / "harbour.hif.json")
module = to_torch(hyloop.compile("dijkstra"))
X, A = module.encode([h], source="Quay")
key, distance = module.column("key"), module.column("distance")
row = 1 + h.hyperedge_number(CANCELLED)

model = NNsight(module)
with model.trace(X, A) as tracer:
    seen = [].save()
    looks_at = [].save()
    for done in tracer.iter[: AFTER + 2]:
        seen.append(int(model.state.output[0, row, key]))
        if done == AFTER:
            model.state.output[0, row, key] = module.model.infinity
        # The head that takes the next boat off the queue: every row looks at the hyperedge with the least key.
        looks_at.append(int(model.layer1.head1_edge_best.pattern.output[0, 0].argmax()))
    patched = model.output.save()


def units(value):
    """A length in integer units, for people."""
    return "-" if value == module.model.infinity else str(value)


print(f"key of the {CANCELLED}, before each iteration: {' '.join(units(value) for value in seen)}")
print(f"taken from the queue: {', '.join(h.hyperedges[place - 1] for place in looks_at[1:])}")
for number, vertex in enumerate(h.vertices, start=1):
    before, after = (int(state[0, number, distance]) for state in (module(X, A).X, patched.X))
    print(f"{vertex:6} {units(before):>3} -> {units(after):>3}")

boats = {boat: h.members_of(boat) for boat in h.hyperedges if boat != CANCELLED}
weights = {boat: weight for boat, weight in zip(h.hyperedges, h.weights, strict=True) if boat != CANCELLED}
without = hyloop.Hypergraph.from_hyperedges(boats, vertices=h.vertices, weights=weights)
_, unit = h.integer_weights()
expected = hyloop.run("dijkstra", without, source="Quay")["distance"]
found = [int(value) for value in patched.X[0, 1 : len(h.vertices) + 1, distance]]
agrees = found == [module.model.infinity if expected[v] is None else expected[v] / unit for v in h.vertices]
print(f"a harbour without the {CANCELLED} has {'the same distances' if agrees else 'OTHER DISTANCES'}")
