"""Dijkstra with onnxruntime and numpy alone. The file is from `hyloop.export.to_onnx(hyloop.compile("dijkstra"), ...)`.

    python examples/onnx_without_hyloop.py dijkstra.onnx

The file says itself what its columns start with (`columns` in its metadata) and which number stands for infinity:
`first_state` does what it says, for any model. docs/interop.md has the terms.
"""

import json
import sys

import numpy as np
import onnxruntime


def first_state(told, n_v, weights, inputs):
    """The state before the first iteration, from the metadata of a file."""
    n_e, columns = len(weights), json.loads(told["columns"])
    K = 1 + max(n_v, n_e, 1, int(told["least"]))  # rows of padding change nothing
    j = np.arange(K)
    vertices, hyperedges, rows = (j > 0) & (j <= n_v), (j > 0) & (j <= n_e), j > 0
    on = {"global": j == 0, "rows": rows, "vertices": vertices, "hyperedges": hyperedges}
    on |= {"past vertices": rows & ~vertices, "past hyperedges": rows & ~hyperedges}
    terms = {
        "Fill": lambda term: term["value"] * on[term["rows"]],
        "Position": lambda term: j ** (1 + term["part"]),
        "Weights": lambda _: np.concatenate([[0], weights, np.zeros(K - 1 - n_e)]),
        "Everywhere": lambda term: np.full(K, inputs[term["name"]]),
        "Entries": lambda term: np.pad(inputs[term["name"]], (1, K - 1 - len(inputs[term["name"]]))),
        "Cardinality": lambda term: np.full(K, {"vertices": n_v, "hyperedges": n_e}[term["of"]]),
        "Numbers": lambda term: j * on[term["rows"]],
        "QuarterSquares": lambda _: j * j // 4,
    }
    X = np.zeros((K, len(columns)))
    for number, column in enumerate(columns):
        for term in column["initial"]:
            X[:, number] += terms[term["term"]](term)
    return X


def incidence(members, K):
    """Vertex j in row j, hyperedge j in column j; row and column 0 are empty."""
    A = np.zeros((K, K))
    for number, each in enumerate(members, start=1):
        A[each, number] = 1
    return A


if __name__ == "__main__":
    # Hyperedges over vertices 1 to 6, and their weights. Row j of the state is vertex j and hyperedge j; row 0 is none.
    edges, weights = [[1, 2], [2, 3, 4], [1, 4], [4, 5]], [3, 1, 5, 2]
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    session = onnxruntime.InferenceSession(sys.argv[1])
    told = session.get_modelmeta().custom_metadata_map
    X = first_state(told, 6, weights, {"source": 1})
    state, iterations = session.run(None, {"X": X, "A": incidence(edges, len(X)), "limit": np.array(1000)})

    column = [each["name"] for each in json.loads(told["columns"])].index("distance")
    infinity = int(told["infinity"])
    print(f"{iterations} iterations:", [None if x == infinity else int(x) for x in state[1:7, column]])
