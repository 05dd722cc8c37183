import { Recording } from "../src/recording";
import type { Changes, Trace } from "../src/trace";

/** A recording as `hyloop trace` makes it with `every` or `last`: the frames of some iterations only. */
export function thinned(trace: Trace, has: (iteration: number) => boolean): Recording {
  const full = new Recording(trace);
  const kept = [...trace.frames.iteration.keys()].filter((frame) => frame === 0 || has(full.iterationOf(frame)));
  return new Recording({
    ...trace,
    frames: {
      iteration: kept.map((frame) => full.iterationOf(frame)),
      layer: kept.map((frame) => full.layerOf(frame)),
    },
    columns: trace.columns.map((column, c) => ({
      ...changes(full, kept, c),
      // Older recordings have the lines of the iteration that ends a gap: the page must not tell them.
      ...(column.line ? { line: changes(full, kept, c).frame.map(() => 27) } : {}),
    })),
    program: trace.program.map((local, k) => ({
      ...local,
      ...changes(full, kept, trace.columns.length + k),
      initial: 0,
    })),
    attention: [],
  });
}

/** The same, with the ends of iterations only. */
export function withoutLayers(trace: Trace): Recording {
  const full = new Recording(trace);
  const kept = [...trace.frames.layer.keys()].filter((f) => f === 0 || full.layerOf(f) === full.layers);
  const variables = trace.variables.filter(({ role, until }) => role !== "local" || until === full.layers);
  return new Recording({
    ...trace,
    recorded: { ...trace.recorded, layers: false },
    frames: { iteration: kept.map((f) => full.iterationOf(f)), layer: kept.map((f) => full.layerOf(f)) },
    columns: trace.columns.map((column, c) => ({ ...column, ...changes(full, kept, c), line: undefined })),
    program: trace.program.map((local, k) => ({
      ...local,
      ...changes(full, kept, trace.columns.length + k),
      initial: 0,
    })),
    variables,
    attention: [],
  } as Trace);
}

function changes(
  full: Recording,
  kept: readonly number[],
  column: number,
): Pick<Changes, "frame" | "row" | "value" | "initial"> {
  const found = { frame: [] as number[], row: [] as number[], value: [] as number[] };
  let now: number[] = [];
  kept.forEach((frame, k) => {
    full.seek(frame);
    const next = [...full.log.now.subarray(column * full.rows, (column + 1) * full.rows)];
    if (k === 0) now = next;
    next.forEach((value, row) => {
      if (value === now[row]) return;
      found.frame.push(k);
      found.row.push(row);
      found.value.push(value);
    });
    now = next;
  });
  full.seek(0);
  const initial = [...full.log.now.subarray(column * full.rows, (column + 1) * full.rows)];
  return { initial, ...found };
}
