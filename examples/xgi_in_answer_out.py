"""An XGI hypergraph in, Dijkstra's answer out.

    python examples/xgi_in_answer_out.py

The weight of a hyperedge is its attribute `weight`, as XGI itself has it. Distances are exact.
"""

import xgi

import hyloop

H = xgi.Hypergraph()
H.add_node("Wreck")  # which no boat calls at
H.add_edge(["Quay", "Isle", "Cove"], idx="ferry", weight=4)
H.add_edge(["Quay", "Mole"], idx="launch", weight=1.5)
H.add_edge(["Mole", "Isle", "Light"], idx="mail boat", weight=2)
H.add_edge(["Cove", "Dunes"], idx="barge", weight=3)

found = hyloop.run("dijkstra", H, source="Quay")
for vertex in sorted(H.nodes):
    boat = found["hyperedge"][vertex]
    print(f"{vertex:6}{found['distance'][vertex]!s:>5}  {'' if boat is None else f'by {boat}'}".rstrip())

# What is found can go back to XGI, as attributes of its nodes.
H.set_node_attributes(found["distance"], name="distance")
print("within 4:", *sorted(H.nodes.filterby_attr("distance", 4, mode="leq")))
