/** Numbers by row, stored as changes from frame to frame: the twin of src/hyloop/recording/changes.py. */

import type { Changes } from "../trace";

const EVERY_ROW = -1;

export interface Log {
  now: ArrayLike<number>;
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
  if (now === next) return 0;
  if (lineOf === null && next.length > 1 && next[1] === next[0] && allEqual(next)) return fill(log, frame, next);
  const rows = differing(now, next);
  if (rows.length === 0) return 0;
  const lines = lineOf ? rows.map((k) => lineOf(k + first)) : null;
  const whole = rows.length > 1 && allEqual(next) && (lines === null || allEqual(lines));
  const kept = whole ? 1 : rows.length;
  const { frame: frames, row: at, value: values, line } = changes;
  // One list after the other: each grows in one go.
  for (let place = 0; place < kept; place++) frames.push(frame);
  for (let place = 0; place < kept; place++) at.push(whole ? EVERY_ROW : (rows[place] as number) + first);
  for (let place = 0; place < kept; place++) values.push(next[rows[place] as number] as number);
  if (line) for (let place = 0; place < kept; place++) line.push(lines?.[place] ?? 0);
  log.now = next;
  return kept;
}

/** Where numbers differ. Columns of X, which are most, have a loop of their own: one for both kinds of arrays is slow. */
function differing(now: ArrayLike<number>, next: ArrayLike<number>): number[] {
  if (now instanceof Float64Array && next instanceof Float64Array) return differingColumns(now, next);
  const rows: number[] = [];
  for (let k = 0; k < next.length; k++) if (now[k] !== next[k]) rows.push(k);
  return rows;
}

function differingColumns(now: Float64Array, next: Float64Array): number[] {
  const rows: number[] = [];
  for (let k = 0; k < next.length; k++) if (now[k] !== next[k]) rows.push(k);
  return rows;
}

/** The same for numbers that all become one: what a head brings to every row. */
function fill(log: Log, frame: number, next: ArrayLike<number>): number {
  const { now, first, changes } = log;
  let [changed, at] = [0, 0];
  for (let k = next.length - 1; k >= 0 && changed < 2; k--) {
    if (now[k] === next[k]) continue;
    changed++;
    at = k;
  }
  log.now = next;
  if (changed === 0) return 0;
  changes.frame.push(frame);
  changes.row.push(changed > 1 ? EVERY_ROW : at + first);
  changes.value.push(next[0] as number);
  changes.line?.push(0);
  return 1;
}

function compact(values: Float64Array): number | number[] {
  return values.length > 0 && allEqual(values) ? (values[0] as number) : Array.from(values);
}

function allEqual(values: ArrayLike<number>): boolean {
  for (let k = 1; k < values.length; k++) if (values[k] !== values[0]) return false;
  return true;
}
