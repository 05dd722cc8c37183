"""A small data set of Dijkstra's algorithm, and one of its runs step by step, from the hints alone.

    python examples/replay_hints.py

Needs pyarrow (pip install 'hyloop[data]'). docs/data.md has the format.
"""

import tempfile

from hyloop import data

with tempfile.TemporaryDirectory() as folder:
    data.make(data.custom(["dijkstra"], sizes=[12], generators=["communities"], seeds=[1], count=30), folder)
    [shard] = data.shards(folder)
    example = next(iter(shard.examples()))

print(f"{example['vertices']} vertices, {example['hyperedges']} hyperedges, from vertex {example['input_source']}")
for step, values in enumerate(data.steps_of(shard.document, example)):
    settled = values["settled"].nonzero()[0].tolist()
    print(f"{step:2}: hyperedge {values['edge'][0]:2} at distance {values['best'][0]:2}, settled {settled}")
assert (values["distance"] == example["output_distance"]).all()
print("The last step holds the answer.")
