"""Interpretability with ground truth: find the head that pops Dijkstra's queue, and see what breaks without it.

Run it: python examples/find_the_head.py
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

import hyloop

model = hyloop.compile("dijkstra")
circuit = model.circuit()

# The program calls what it pops `edge`. Which head brings it, and from what?
[head] = [node for node in circuit.find("edge") if node.kind == "head" and node.name == "plain"]
print(f"{head.id} computes {' and '.join(head.variables)} of {head.where[0]}")
for role in ("query", "key", "value"):
    edges = [edge for edge in circuit.into(head.id) if edge.role == role]
    print(f"  {role:5} from {', '.join(sorted({circuit[edge.source].name for edge in edges}))}")
brought = [circuit[edge.target] for edge in circuit.out_of(head.id)]
print(f"  brings to {', '.join(node.name for node in brought)}")

# Switch it off: its value matrix becomes 0.
layer, number = (int("".join(filter(str.isdigit, part))) - 1 for part in head.id.split("."))
heads = list(model.layers[layer].heads)
heads[number] = replace(heads[number], value=np.zeros_like(heads[number].value))
layers = list(model.layers)
layers[layer] = replace(layers[layer], heads=tuple(heads))
broken = replace(model, layers=tuple(layers))

h = hyloop.read(Path(__file__).with_name("harbour.hif.json"))
print("whole: ", hyloop.check(model, h, source="Quay").agrees)
print("broken:", hyloop.check(broken, h, source="Quay").difference)
