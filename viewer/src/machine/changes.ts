/** Numbers by row, stored as changes from frame to frame: the twin of src/hyloop/recording/changes.py. */

import type { Changes } from "../trace";

const EVERY_ROW = -1;

export interface Log {
  now: Float64Array;
  /** The row of the first number: 0, or 1 for arrays. */
  readonly first: number;
  readonly changes: Changes;
}

export function emptyChanges(initial: Float64Array, first = 0, lines = false): Log {
  const changes: Changes = { initial: compact(initial), frame: [], row: [], value: [] };
  if (lines) changes.line = [];
  return { now: initial, first, changes };
}

/** Record the changes to other numbers; returns how many entries were written. */
export function becomes(
  log: Log,
  frame: number,
  next: ArrayLike<number>,
  lineOf: ((row: number) => number) | null,
): number {
  const { now, first, changes } = log;
  const rows: number[] = [];
  for (let k = 0; k < next.length; k++) if (now[k] !== next[k]) rows.push(k);
  if (rows.length === 0) return 0;
  const lines = lineOf ? rows.map((k) => lineOf(k + first)) : rows.map(() => 0);
  const whole = rows.length > 1 && allEqual(next) && allEqual(lines);
  const kept = whole ? rows.slice(0, 1) : rows;
  kept.forEach((k, place) => {
    changes.frame.push(frame);
    changes.row.push(whole ? EVERY_ROW : k + first);
    changes.value.push(next[k] as number);
    changes.line?.push(lines[place] as number);
  });
  log.now = next instanceof Float64Array ? next : Float64Array.from(next);
  return kept.length;
}

function compact(values: Float64Array): number | number[] {
  return values.length > 0 && allEqual(values) ? (values[0] as number) : Array.from(values);
}

function allEqual(values: ArrayLike<number>): boolean {
  for (let k = 1; k < values.length; k++) if (values[k] !== values[0]) return false;
  return true;
}
