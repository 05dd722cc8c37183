import type { Trace } from "../src/trace";

/** Three vertices and two hyperedges: as much of a trace as the editor looks at. */
export function traceOf(): Trace {
  return {
    algorithm: { name: "dijkstra", about: "", file: "", source: [], first: 1, listing: false, begins: true, ops: [] },
    inputs: [{ name: "source", kind: "vertex", value: 1 }],
    hypergraph: {
      name: "harbour.hif.json",
      vertices: ["Quay", 7, "Isle"],
      hyperedges: ["ferry", "launch"],
      weights: ["4", "1.5"],
      members: [
        [1, 3],
        [1, 2],
      ],
      positions: {
        vertices: [
          [0, 0],
          [1, 0],
          [0.5, 1],
        ],
        hyperedges: [
          [0.2, 0.5],
          [0.5, 0],
        ],
      },
    },
    unit: "1/2",
    recorded: { iterations: 3 },
  } as unknown as Trace;
}
