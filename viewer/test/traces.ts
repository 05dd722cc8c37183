import { readFileSync } from "node:fs";
import { asTrace, type Changes, type Trace } from "../src/trace";

/** A real run: Dijkstra's algorithm on examples/harbour.hif.json from Quay. */
export function harbour(): Trace {
  return asTrace(JSON.parse(readFileSync(new URL("./harbour.json", import.meta.url), "utf8")));
}

/** Numbers that look random and are the same every time. */
export function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A trace with columns that change at random, on some rows or on all at once. */
export function randomTrace(seed: number, size: { frames: number; rows: number; columns: number }): Trace {
  const next = random(seed);
  const columns = Array.from({ length: size.columns }, () => randomChanges(next, size.frames, size.rows));
  const trace = harbour();
  const vertices = Array.from({ length: size.rows - 1 }, (_, k) => `v${k + 1}`);
  return {
    ...trace,
    hypergraph: {
      ...trace.hypergraph,
      vertices,
      hyperedges: vertices.map((_, k) => `e${k + 1}`),
      weights: vertices.map(() => "1"),
      members: vertices.map((_, k) => [k + 1]),
    },
    frames: {
      iteration: Array.from({ length: size.frames }, (_, f) => Math.ceil(f / 3)),
      layer: Array.from({ length: size.frames }, (_, f) => (f === 0 ? 0 : ((f - 1) % 3) + 1)),
    },
    recorded: { ...trace.recorded, iterations: Math.ceil(size.frames / 3) },
    columns,
    variables: columns.map((_, column) => ({
      ...(trace.variables[0] as Trace["variables"][number]),
      name: `x${column}`,
      column,
    })),
    program: [],
    attention: [],
    differences: { first: null, more: false, values: {} },
  };
}

function randomChanges(next: (below: number) => number, frames: number, rows: number): Changes {
  const initial = next(2) === 0 ? next(5) : Array.from({ length: rows }, () => next(5));
  const changes: Required<Changes> = { initial, frame: [], row: [], value: [], line: [] };
  for (let f = 1; f < frames; f++) {
    for (let k = next(4); k > 0; k--) {
      changes.frame.push(f);
      changes.row.push(next(5) === 0 ? -1 : next(rows));
      changes.value.push(next(5));
      changes.line.push(next(9));
    }
  }
  return changes;
}

/** All values at a frame, by playing the changes one by one from the start. */
export function naive(trace: Trace, rows: number, frame: number): number[][] {
  return trace.columns.map((changes) => {
    const { initial } = changes;
    const values = Array.from({ length: rows }, (_, r) => (typeof initial === "number" ? initial : (initial[r] ?? 0)));
    changes.frame.forEach((f, k) => {
      if (f > frame) return;
      const [row, value] = [changes.row[k] as number, changes.value[k] as number];
      if (row === -1) values.fill(value);
      else values[row] = value;
    });
    return values;
  });
}
