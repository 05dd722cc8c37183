/** The states of a recorded run, frame by frame. */

import type { Changes, Trace } from "../trace";

/** The state at every frame, by columns. The arrays are changed in place: whoever keeps one needs a copy. */
export function* statesOf({ columns, frames }: Trace): Generator<Float64Array[]> {
  const rows = rowsIn(columns);
  const now = columns.map(({ initial }) =>
    typeof initial === "number" ? new Float64Array(rows).fill(initial) : Float64Array.from(initial),
  );
  const at = columns.map(() => 0);
  for (let frame = 0; frame < frames.iteration.length; frame++) {
    columns.forEach((changes, number) => {
      at[number] = advance(now[number] as Float64Array, changes, at[number] as number, frame);
    });
    yield now;
  }
}

/** The number of rows: positions differ from row to row, so their column is never one number. */
export function rowsIn(columns: Trace["columns"]): number {
  return columns.reduce(
    (most, { initial }) => (typeof initial === "number" ? most : Math.max(most, initial.length)),
    1,
  );
}

function advance(column: Float64Array, { frame, row, value }: Changes, from: number, until: number): number {
  let at = from;
  for (; at < frame.length && (frame[at] as number) <= until; at++) {
    if ((row[at] as number) < 0) column.fill(value[at] as number);
    else column[row[at] as number] = value[at] as number;
  }
  return at;
}
