"""Dijkstra with onnxruntime and numpy alone. The file is from `hyloop.export.to_onnx(hyloop.compile("dijkstra"), ...)`.

    python examples/onnx_without_hyloop.py dijkstra.onnx

The file says itself what its columns start with (`columns` in its metadata) and which number stands for infinity.
"""

import json
import sys

import numpy as np
import onnxruntime

# Hyperedges over vertices 1 to 6, and their weights. Row j of the state is vertex j and hyperedge j; row 0 is neither.
edges, weights, source = [[1, 2], [2, 3, 4], [1, 4], [4, 5]], [3, 1, 5, 2], 1
vertices, hyperedges, j = slice(1, 7), slice(1, 5), np.arange(7)

session = onnxruntime.InferenceSession(sys.argv[1])
told = session.get_modelmeta().custom_metadata_map
column = {each["name"]: number for number, each in enumerate(json.loads(told["columns"]))}
X, A, infinity = np.zeros((7, len(column))), np.zeros((7, 7)), int(told["infinity"])
X[0, column["B_global"]], X[1:, column["B_local"]], X[:, column["input source"]] = 1, 1, source
X[:, column["P_1"]], X[:, column["P_2"]], X[hyperedges, column["weight"]] = j, j * j, weights
X[vertices, column["vertices"]], X[hyperedges, column["hyperedges"]] = 1, 1
X[vertices, column["distance"]], X[hyperedges, column["key"]] = infinity, infinity
A[[v for members in edges for v in members], [e + 1 for e, members in enumerate(edges) for _ in members]] = 1
state, iterations = session.run(None, {"X": X, "A": A, "limit": np.array(1000)})

distance = state[vertices, column["distance"]]
print(f"{iterations} iterations:", [None if value == infinity else int(value) for value in distance])
