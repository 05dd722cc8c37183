import type { Changes } from "./trace";

const SNAPSHOT_BYTES = 48e6; // in all
const LEAST_COST_BETWEEN = 20_000; // cells written

/**
 * The values of all columns at one frame, and every change before and after it.
 *
 * Old values are worked out once, so that a change can be undone. A change of every row (row -1) is kept as the changes
 * of those rows that had other values than the rest, and then one fill of the rest: undoing it costs what doing it did.
 */
export class ChangeLog {
  readonly frames: number;
  readonly rows: number;
  readonly columns: number;
  frame = 0;
  /** All values now: column c, row r is at c * rows + r. */
  readonly now: Float64Array;
  /** The changes of frame f are start[f] ... start[f + 1]. */
  readonly start: Uint32Array;
  readonly column: Uint32Array;
  readonly row: Int32Array;
  readonly old: Float64Array;
  readonly value: Float64Array;
  readonly line: Int32Array;
  /** The largest absolute value that each column ever has, but for infinity. */
  readonly largest: Float64Array;

  readonly #infinity: number;
  readonly #snapshots: { frame: number; values: Float64Array }[] = [];
  readonly #cost: Float64Array; // cells written up to and with each frame
  #before = new Map<number, number>(); // cells changed at this frame -> their old values
  #filled = new Map<number, number>(); // columns filled at this frame -> the old value of the rest

  constructor(sources: readonly Changes[], rows: number, frames: number, infinity = Number.POSITIVE_INFINITY) {
    this.#infinity = infinity;
    this.frames = frames;
    this.rows = rows;
    this.columns = sources.length;
    this.now = new Float64Array(rows * sources.length);
    this.largest = new Float64Array(sources.length);
    const parts = sources.map((source, c) => this.#expand(source, c));
    this.start = counts(parts, frames);
    const total = this.start[frames] as number;
    this.column = new Uint32Array(total);
    this.row = new Int32Array(total);
    this.old = new Float64Array(total);
    this.value = new Float64Array(total);
    this.line = new Int32Array(total);
    this.#merge(parts);
    this.#cost = this.#costs();
    this.#takeSnapshots();
  }

  /** Go to a frame, by the shortest way from here or from a snapshot. */
  seek(frame: number): void {
    const cost = this.#cost;
    const here = Math.abs((cost[frame] as number) - (cost[this.frame] as number));
    const near = this.#nearest(frame);
    if (near && Math.abs((cost[frame] as number) - (cost[near.frame] as number)) + this.now.length / 8 < here) {
      this.now.set(near.values);
      this.frame = near.frame;
    }
    while (this.frame < frame) this.#forward(++this.frame);
    while (this.frame > frame) this.#backward(this.frame--);
    this.#note(frame);
  }

  /** The value of a cell at the frame before this one. */
  before(column: number, row: number): number {
    const cell = column * this.rows + row;
    return this.#before.get(cell) ?? this.#filled.get(column) ?? (this.now[cell] as number);
  }

  /** The cells (column * rows + row) changed one by one at this frame; fills are in `filled`. */
  get cells(): Iterable<number> {
    return this.#before.keys();
  }

  get filled(): ReadonlyMap<number, number> {
    return this.#filled;
  }

  #expand(source: Changes, column: number): Part {
    const { rows } = this;
    const at = column * rows;
    const part: Part = { column, frame: [], row: [], old: [], value: [], line: [] };
    const initial = source.initial;
    let base = typeof initial === "number" ? initial : 0;
    const values = this.now.subarray(at, at + rows).fill(base);
    if (typeof initial !== "number") for (let r = 0; r < rows; r++) values[r] = initial[r] ?? 0;
    const others = new Set<number>(); // rows that may differ from `base`
    if (typeof initial !== "number") for (let r = 0; r < rows; r++) if (values[r] !== base) others.add(r);
    for (const value of values) this.#grow(column, value);
    const first = values.slice();
    const push = (k: number, row: number, old: number, value: number) => {
      part.frame.push(source.frame[k] as number);
      part.row.push(row);
      part.old.push(old);
      part.value.push(value);
      part.line.push(source.line?.[k] ?? 0);
    };
    for (let k = 0; k < source.frame.length; k++) {
      const row = source.row[k] as number;
      const value = source.value[k] as number;
      this.#grow(column, value);
      if (row >= 0) {
        if (values[row] === value || row >= rows) continue;
        push(k, row, values[row] as number, value);
        values[row] = value;
        others.add(row);
        continue;
      }
      for (const r of others) if (values[r] !== base) push(k, r, values[r] as number, value);
      if (base !== value) push(k, -1, base, value);
      for (const r of others) values[r] = value;
      others.clear();
      if (base !== value) values.fill(value);
      base = value;
    }
    values.set(first);
    return part;
  }

  #grow(column: number, value: number): void {
    const size = Math.abs(value);
    if (value !== this.#infinity && size > (this.largest[column] as number)) this.largest[column] = size;
  }

  #merge(parts: readonly Part[]): void {
    const next = this.start.slice();
    for (const part of parts) {
      for (let k = 0; k < part.frame.length; k++) {
        const frame = part.frame[k] as number;
        const i = next[frame] as number;
        next[frame] = i + 1;
        this.column[i] = part.column;
        this.row[i] = part.row[k] as number;
        this.old[i] = part.old[k] as number;
        this.value[i] = part.value[k] as number;
        this.line[i] = part.line[k] as number;
      }
    }
  }

  #costs(): Float64Array {
    const costs = new Float64Array(this.frames);
    let sum = 0;
    for (let f = 0; f < this.frames; f++) {
      const end = this.start[f + 1] as number;
      for (let i = this.start[f] as number; i < end; i++) sum += (this.row[i] as number) < 0 ? this.rows / 8 : 1;
      costs[f] = ++sum;
    }
    return costs;
  }

  #takeSnapshots(): void {
    const most = Math.floor(SNAPSHOT_BYTES / Math.max(1, this.now.byteLength));
    const total = this.#cost[this.frames - 1] ?? 0;
    const between = Math.max(LEAST_COST_BETWEEN, this.now.length, total / Math.max(1, most));
    const first = this.now.slice();
    this.#snapshots.push({ frame: 0, values: first });
    let next = between;
    for (let f = 1; f < this.frames; f++) {
      this.#forward(f);
      if ((this.#cost[f] as number) < next) continue;
      this.#snapshots.push({ frame: f, values: this.now.slice() });
      next = (this.#cost[f] as number) + between;
    }
    this.now.set(first);
  }

  #nearest(frame: number): { frame: number; values: Float64Array } | undefined {
    const snapshots = this.#snapshots;
    let [low, high] = [0, snapshots.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((snapshots[middle]?.frame ?? 0) <= frame) low = middle + 1;
      else high = middle;
    }
    const [left, right] = [snapshots[low - 1], snapshots[low]];
    if (!left || !right) return left ?? right;
    const cost = (at: number) => Math.abs((this.#cost[at] as number) - (this.#cost[frame] as number));
    return cost(left.frame) <= cost(right.frame) ? left : right;
  }

  #forward(frame: number): void {
    const end = this.start[frame + 1] as number;
    for (let i = this.start[frame] as number; i < end; i++) this.#write(i, this.value[i] as number);
  }

  #backward(frame: number): void {
    const begin = this.start[frame] as number;
    for (let i = (this.start[frame + 1] as number) - 1; i >= begin; i--) this.#write(i, this.old[i] as number);
  }

  #write(i: number, value: number): void {
    const row = this.row[i] as number;
    const at = (this.column[i] as number) * this.rows;
    if (row < 0) this.now.fill(value, at, at + this.rows);
    else this.now[at + row] = value;
  }

  #note(frame: number): void {
    this.#before.clear();
    this.#filled.clear();
    const end = this.start[frame + 1] as number;
    for (let i = this.start[frame] as number; i < end; i++) {
      const [column, row, old] = [this.column[i] as number, this.row[i] as number, this.old[i] as number];
      if (this.#filled.has(column)) continue;
      const cell = column * this.rows + row;
      if (row < 0) this.#filled.set(column, old);
      else if (!this.#before.has(cell)) this.#before.set(cell, old);
    }
  }
}

interface Part {
  column: number;
  frame: number[];
  row: number[];
  old: number[];
  value: number[];
  line: number[];
}

/** Where the changes of each frame begin, if those of all parts are put in order of frames. */
function counts(parts: readonly Part[], frames: number): Uint32Array {
  const start = new Uint32Array(frames + 1);
  for (const part of parts) for (const frame of part.frame) start[frame + 1] = (start[frame + 1] as number) + 1;
  for (let f = 0; f < frames; f++) start[f + 1] = (start[f + 1] as number) + (start[f] as number);
  return start;
}
