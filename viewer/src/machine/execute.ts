/**
 * The transformer itself, in the page: layer by layer, in float64, over the weights that are not 0.
 *
 * All numbers of a compiled model are integers below 2^53, so every sum is exact in any order, and each state equals
 * that of the dense formulas (src/hyloop/execute/dense.py), number by number.
 */

import type { Incidence, IncidenceKind, Incidences } from "./hypergraph";
import type { State } from "./encode";
import type { Head, Layer, Model, Sum } from "./model";

/** What each row attends to in a head: of the rows of the best score the lowest, how many tie, and the margin. */
export interface Looks {
  readonly row: Int32Array;
  readonly ties: Int32Array;
  /** The distance to the next score; Infinity where there is none. */
  readonly margin: Float64Array;
  /** What each row brings to each of the columns that the head writes, before the incidence. */
  readonly brought: readonly Float64Array[];
}

/** A model on one hypergraph. A state that it is given is never changed. */
export class Executor {
  readonly #incidences: Incidences;
  readonly #weights: readonly number[] | null;

  /** `weights` are those of the hyperedges, for models whose incidence has them for entries. */
  constructor(
    readonly model: Model,
    incidences: Incidences,
    weights: readonly number[],
    readonly size: number,
  ) {
    this.#incidences = incidences;
    this.#weights = model.incidence === "weights" ? weights : null;
  }

  halted(state: State): boolean {
    return state[this.model.halt]?.[0] === 1;
  }

  /** The state after layer `number` (from 0), and the attention of each of its heads. */
  layer(number: number, state: State): { state: State; looks: Looks[] } {
    const layer = this.model.layers[number] as Layer;
    const looks = layer.heads.map((head) => attend(head, state, this.size));
    const next = state.slice();
    layer.heads.forEach((head, k) => {
      head.writes.forEach((column, place) => {
        const brought = (looks[k] as Looks).brought[place] as Float64Array;
        // The first head that writes a column makes the copy.
        if (next[column] === state[column]) next[column] = Float64Array.from(state[column] as Float64Array);
        if (head.kind === "plain") add(next[column] as Float64Array, brought);
        else this.#addProduct(next[column] as Float64Array, head.kind, brought);
      });
    });
    return { state: feedForward(layer, next, this.size), looks };
  }

  /** The state after an iteration. */
  iterate(state: State): State {
    let now = state;
    for (let number = 0; number < this.model.layers.length; number++) now = this.layer(number, now).state;
    return now;
  }

  #addProduct(into: Float64Array, kind: IncidenceKind, brought: Float64Array): void {
    const { rows, start, columns }: Incidence = this.#incidences[kind];
    const weights = this.#weights;
    const transposed = kind.endsWith("transposed");
    for (let row = 1; row <= rows; row++) {
      let sum = 0;
      const end = start[row + 1] as number;
      for (let k = start[row] as number; k < end; k++) {
        const column = columns[k] as number;
        const entry = weights ? (weights[(transposed ? row : column) - 1] as number) : 1;
        sum += entry * (brought[column] as number);
      }
      into[row] = (into[row] as number) + sum;
    }
  }
}

function add(into: Float64Array, what: Float64Array): void {
  for (let row = 0; row < into.length; row++) into[row] = (into[row] as number) + (what[row] as number);
}

/** `Σ weight × column`. */
function summed({ from, weight }: Sum, columns: readonly Float64Array[], size: number): Float64Array {
  const total = new Float64Array(size);
  for (let k = 0; k < from.length; k++) {
    const [column, times] = [columns[from[k] as number] as Float64Array, weight[k] as number];
    for (let row = 0; row < size; row++) total[row] = (total[row] as number) + times * (column[row] as number);
  }
  return total;
}

// -- the MLP --------------------------------------------------------------------------------------------------------

function feedForward(layer: Layer, state: State, size: number): State {
  if (layer.writes.length === 0) return state;
  let units: Float64Array[] = layer.stages[0].map((sum) => relu(summed(sum, state, size)));
  for (const stage of [layer.stages[1], layer.stages[2]]) {
    const before = units;
    units = stage.map((sum) => carried(sum, before) ?? relu(summed(sum, before, size)));
  }
  const next = state.slice();
  layer.writes.forEach((column, k) => {
    const total = summed(layer.out[k] as Sum, units, size);
    add(total, state[column] as Float64Array);
    next[column] = total;
  });
  return next;
}

/** The unit that another one passes on as it is: what a ReLU gave is at least 0. */
function carried({ from, weight }: Sum, units: readonly Float64Array[]): Float64Array | null {
  return from.length === 1 && weight[0] === 1 ? (units[from[0] as number] as Float64Array) : null;
}

function relu(values: Float64Array): Float64Array {
  for (let row = 0; row < values.length; row++) if (!((values[row] as number) > 0)) values[row] = 0;
  return values;
}

// -- attention --------------------------------------------------------------------------------------------------------

/** The rows that each row of a state attends to in a head, and the averages of their values, as sum ÷ count. */
export function attend(head: Head, state: State, size: number): Looks {
  const [q0, q1] = [summed(head.query[0], state, size), summed(head.query[1], state, size)];
  const [k0, k1] = [summed(head.key[0], state, size), summed(head.key[1], state, size)];
  const values = head.value.map((sum) => summed(sum, state, size));
  const looks = emptyLooks(size, values.length);
  if (onParabola(q1, k0, k1)) nearest(q0, values, looks);
  else scored(q0, q1, k0, k1, values, looks);
  return looks;
}

function emptyLooks(size: number, columns: number): Looks {
  return {
    row: new Int32Array(size),
    ties: new Int32Array(size),
    margin: new Float64Array(size),
    brought: Array.from({ length: columns }, () => new Float64Array(size)),
  };
}

/** Each distinct query against every key: rows with equal queries attend to the same rows. */
function scored(
  q0: Float64Array,
  q1: Float64Array,
  k0: Float64Array,
  k1: Float64Array,
  values: readonly Float64Array[],
  looks: Looks,
): void {
  const size = q0.length;
  const first = firstAlike(q0, q1);
  const scores = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    const alike = first[row] as number;
    if (alike < row) copyLook(looks, alike, row);
    else lookFrom(row, q0[row] as number, q1[row] as number, k0, k1, scores, values, looks);
  }
}

/** For each row, the first row with the same query. */
function firstAlike(q0: Float64Array, q1: Float64Array): Int32Array {
  const first = new Int32Array(q0.length);
  const known = new Map<number, Map<number, number>>();
  for (let row = 0; row < q0.length; row++) {
    const [a, b] = [q0[row] as number, q1[row] as number];
    // Most often the query is that of the row before.
    first[row] = row > 0 && q0[row - 1] === a && q1[row - 1] === b ? (first[row - 1] as number) : remembered(known, a, b, row);
  }
  return first;
}

/** The row that is known for a query; this one from now on, if there is none. */
function remembered(known: Map<number, Map<number, number>>, a: number, b: number, row: number): number {
  const under = known.get(a) ?? new Map<number, number>();
  if (under.size === 0) known.set(a, under);
  const found = under.get(b);
  if (found === undefined) under.set(b, row);
  return found ?? row;
}

function lookFrom(
  row: number,
  a: number,
  b: number,
  k0: Float64Array,
  k1: Float64Array,
  scores: Float64Array,
  values: readonly Float64Array[],
  looks: Looks,
): void {
  const size = k0.length;
  let [best, next, at, ties] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (let j = 0; j < size; j++) {
    const score = a * (k0[j] as number) + b * (k1[j] as number);
    scores[j] = score;
    if (score > best) {
      next = best;
      best = score;
      at = j;
      ties = 1;
    } else if (score === best) ties++;
    else if (score > next) next = score;
  }
  looks.row[row] = at;
  looks.ties[row] = ties;
  looks.margin[row] = best - next;
  values.forEach((column, k) => {
    let sum = column[at] as number;
    if (ties > 1) for (let j = at + 1; j < size; j++) if (scores[j] === best) sum += column[j] as number;
    (looks.brought[k] as Float64Array)[row] = sum / ties;
  });
}

function copyLook({ row, ties, margin, brought }: Looks, from: number, to: number): void {
  row[to] = row[from] as number;
  ties[to] = ties[from] as number;
  margin[to] = margin[from] as number;
  for (const column of brought) column[to] = column[from] as number;
}

/** Whether keys are `(j, j²)` and queries `(2c, -1)`: then the row nearest to `c` wins. */
function onParabola(q1: Float64Array, k0: Float64Array, k1: Float64Array): boolean {
  for (let j = 0; j < q1.length; j++) if (q1[j] !== -1 || k0[j] !== j || k1[j] !== j * j) return false;
  return true;
}

function nearest(doubled: Float64Array, values: readonly Float64Array[], looks: Looks): void {
  const last = doubled.length - 1;
  for (let row = 0; row <= last; row++) {
    const c = doubled[row] as number;
    const height = (j: number) => c * j - j * j;
    const down = Math.min(Math.max(Math.floor(c / 2), 0), last);
    const up = Math.min(Math.max(Math.ceil(c / 2), 0), last);
    const low = height(down) < height(up) ? up : down;
    const high = height(up) < height(down) ? down : up;
    const below = low > 0 ? height(low - 1) : Number.NEGATIVE_INFINITY;
    const above = high < last ? height(high + 1) : Number.NEGATIVE_INFINITY;
    looks.row[row] = low;
    looks.ties[row] = low === high ? 1 : 2;
    looks.margin[row] = height(low) - Math.max(below, above);
    for (let k = 0; k < values.length; k++) {
      const column = values[k] as Float64Array;
      (looks.brought[k] as Float64Array)[row] = ((column[low] as number) + (column[high] as number)) / 2;
    }
  }
}
