/**
 * A layer taken apart: what each head scores, brings and adds, what each hidden unit sums up, and who wrote a cell.
 *
 * Every number is computed from the weights and the state before the layer. The states are those of the executor, and
 * so those of the recording.
 */

import type { Recording } from "../recording";
import type { Trace } from "../trace";
import { rowsOf, type State } from "./encode";
import { Executor, type Looks, Product } from "./execute";
import { givenOf, hypergraphOf } from "./given";
import { type Incidences, incidencesOf } from "./hypergraph";
import type { Head, Layer, Model, Sum } from "./model";
import { prepare } from "./prepare";

/** Layers that are run at most to get from one recorded frame to the next. */
export const PATIENCE = 3_000;

/** A layer that was run again, and whether any part of it added to a cell, be it that all of it together is 0. */
export interface Played {
  readonly frame: number;
  readonly before: State;
  readonly after: State;
  readonly adds: (row: number, column: number) => boolean;
}

/** The scores of all rows for the query of one row, and which rows are the best. */
export interface Scores {
  readonly query: readonly [number, number];
  readonly score: Float64Array;
  /** The rows of the best score, the lowest first. */
  readonly winners: readonly number[];
  /** The rows of the second best score. */
  readonly runnersUp: readonly number[];
  /** The distance between the two; null where all rows tie. */
  readonly margin: number | null;
}

/** A head at work on one state. */
export class HeadRun {
  /** What it adds to each of the columns that it writes, after the incidence. */
  readonly adds: readonly Float64Array[];
  #queries: [Float64Array, Float64Array] | null = null;
  #keys: [Float64Array, Float64Array] | null = null;

  constructor(
    readonly head: Head,
    readonly looks: Looks,
    readonly state: State,
    product: Product,
  ) {
    const { kind } = head;
    this.adds = looks.brought.map((brought) => {
      if (kind === "plain") return brought;
      const sums = new Float64Array(brought.length);
      product.of(kind, brought, sums);
      return sums;
    });
  }

  /** Two columns each, of which a row's query and key are a row. */
  get queries(): readonly [Float64Array, Float64Array] {
    this.#queries ??= this.#pair(this.head.query);
    return this.#queries;
  }

  get keys(): readonly [Float64Array, Float64Array] {
    this.#keys ??= this.#pair(this.head.key);
    return this.#keys;
  }

  #pair([first, second]: readonly [Sum, Sum]): [Float64Array, Float64Array] {
    const size = this.looks.row.length;
    return [column(first, this.state, size), column(second, this.state, size)];
  }

  /** What it would carry from a row to the k-th of the columns that it writes. */
  value(k: number, row: number): number {
    return at(this.head.value[k] as Sum, this.state, row);
  }

  /** Whether all rows ask the same. */
  get uniform(): boolean {
    return this.queries.every((part) => part.every((each) => each === part[0]));
  }

  /** The score of every row for the query of one. */
  scores(row: number): Scores {
    const query = [this.queries[0][row] as number, this.queries[1][row] as number] as const;
    const [first, second] = this.keys;
    const score = first.map((key, j) => query[0] * key + query[1] * (second[j] as number));
    const best = score.reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY);
    const next = score.reduce((most, each) => (each < best ? Math.max(most, each) : most), Number.NEGATIVE_INFINITY);
    const rows = (wanted: number) => [...score.keys()].filter((j) => score[j] === wanted);
    const margin = Number.isFinite(next) ? best - next : null;
    return { query, score, winners: rows(best), runnersUp: rows(next), margin };
  }
}

/** One part of what a layer added to a cell: a head (from 0), or a hidden unit of the last stage times its weight. */
export type Contribution =
  | { readonly part: "head"; readonly head: number; readonly adds: number }
  | { readonly part: "unit"; readonly unit: number; readonly weight: number; readonly adds: number };

/** A layer at work on one state. */
export class LayerRun {
  /** Column by column, before the layer, between attention and MLP, and after it. */
  readonly before: State;
  readonly attended: State;
  readonly after: State;
  readonly heads: readonly HeadRun[];
  readonly #size: number;
  #units: readonly [State, State, State] | null = null;

  constructor(
    readonly number: number,
    readonly layer: Layer,
    before: State,
    executor: Executor,
    product: Product,
  ) {
    const { state, looks } = executor.layer(number - 1, before);
    this.before = before;
    this.after = state;
    this.heads = layer.heads.map((head, k) => new HeadRun(head, copied(looks[k] as Looks), before, product));
    this.attended = before.slice();
    for (const { head, adds } of this.heads) {
      head.writes.forEach((column, k) => {
        this.attended[column] = sum(this.attended[column] as Float64Array, adds[k] as Float64Array);
      });
    }
    this.#size = executor.size;
  }

  /** The hidden units of the three stages, after their ReLU. */
  get units(): readonly [State, State, State] {
    this.#units ??= this.#stages();
    return this.#units;
  }

  #stages(): [State, State, State] {
    const { stages } = this.layer;
    const first = stage(stages[0], this.attended, this.#size);
    const second = stage(stages[1], first, this.#size);
    return [first, second, stage(stages[2], second, this.#size)];
  }

  /** Who added what to a cell; together the difference between before and after. */
  wrote(row: number, column: number): Contribution[] {
    const found: Contribution[] = [];
    this.heads.forEach(({ head, adds }, number) => {
      const k = head.writes.indexOf(column);
      const added = k < 0 ? 0 : ((adds[k] as Float64Array)[row] as number);
      if (added !== 0) found.push({ part: "head", head: number, adds: added });
    });
    const { from, weight } = this.out(column);
    from.forEach((unit, k) => {
      const adds = (weight[k] as number) * ((this.units[2][unit] as Float64Array)[row] as number);
      if (adds !== 0) found.push({ part: "unit", unit, weight: weight[k] as number, adds });
    });
    return found;
  }

  /** The units of the last stage that a column gets, with their weights. */
  out(column: number): Sum {
    const k = this.layer.writes.indexOf(column);
    return k < 0 ? { from: [], weight: [] } : (this.layer.out[k] as Sum);
  }

  /** The rows at which a column becomes another number in this layer. */
  changed(column: number): number[] {
    const [before, after] = [this.before[column] as Float64Array, this.after[column] as Float64Array];
    return [...before.keys()].filter((row) => before[row] !== after[row]);
  }
}

/** The layers of a recorded run, one at a time. */
export class Explainer {
  readonly incidences: Incidences;
  /** The entries of the incidence by hyperedge, in models whose incidence has weights; else null: they are 1. */
  readonly entries: readonly number[] | null;
  readonly #executor: Executor;
  readonly #product: Product;
  #known = { frame: -1, runs: new Map<number, LayerRun | null>() };

  constructor(
    readonly model: Model,
    readonly recording: Recording,
  ) {
    const { trace } = recording;
    const h = hypergraphOf(trace);
    const { weights, inputs } = prepare(model.program, h, givenOf(model, trace));
    const [vertices, hyperedges] = [h.vertices.length, h.hyperedges.length];
    this.incidences = incidencesOf(h);
    this.entries = model.incidence === "weights" ? weights : null;
    this.#product = new Product(this.incidences, this.entries);
    const size = rowsOf(model, { vertices, hyperedges, weights, inputs });
    this.#executor = new Executor(model, this.incidences, weights, size);
  }

  /** Layer `number` (from 1) of the iteration that is shown; null at the start, and where too much lies between. */
  run(number = this.recording.layer): LayerRun | null {
    const { frame } = this.recording;
    if (this.#known.frame !== frame) this.#known = { frame, runs: new Map() };
    const { runs } = this.#known;
    const known = runs.get(number);
    if (known !== undefined) return known;
    const run = this.#computed(number);
    runs.set(number, run);
    return run;
  }

  /** The layers of the frames after one and up to another, all of them recorded, one after the other. */
  *played(after: number, upTo: number): Generator<Played> {
    let before = this.#state(after);
    for (let frame = after + 1; frame <= upTo; frame++) {
      const layer = this.recording.layerOf(frame) - 1;
      const { state } = this.#executor.layer(layer, before);
      yield { frame, before, after: state, adds: (row, column) => this.#executor.added(layer, row, column) };
      before = state;
    }
  }

  #computed(number: number): LayerRun | null {
    const { recording } = this;
    const layer = this.model.layers[number - 1];
    if (recording.frame === 0 || !layer) return null;
    const from = this.#from(number);
    const steps = (recording.iteration - from.iteration) * recording.layers + number - 1 - from.layer;
    if (steps < 0 || steps > PATIENCE) return null;
    let state = from.state;
    for (let k = 0; k < steps; k++)
      state = this.#executor.layer((from.layer + k) % recording.layers, state).state.slice();
    return new LayerRun(number, layer, state, this.#executor, this.#product);
  }

  /** A recorded state to begin with: that of the last frame before this layer. */
  #from(number: number): { iteration: number; layer: number; state: State } {
    const { recording } = this;
    const here = recording.frame;
    let frame = here - 1;
    while (frame > 0 && recording.iterationOf(frame) === recording.iteration && recording.layerOf(frame) >= number)
      frame--;
    // The first state is that after the last layer of an iteration 0.
    const layer = frame === 0 ? recording.layers : recording.layerOf(frame);
    return { iteration: recording.iterationOf(frame), layer, state: this.#state(frame) };
  }

  #state(frame: number): State {
    const { log, rows, frame: here } = this.recording;
    const column = (value: (c: number, row: number) => number) =>
      this.model.columns.map((_, c) => Float64Array.from({ length: rows }, (_, row) => value(c, row)));
    if (frame === here - 1) return column((c, row) => log.before(c, row));
    log.seek(frame);
    const found = column((c, row) => log.now[c * rows + row] as number);
    log.seek(here);
    return found;
  }
}

/** The last frame up to `frame` at which a cell of X became what it is; 0 if it is what the encoder wrote. */
export function lastWritten({ columns }: Trace, row: number, column: number, frame: number): number {
  const { frame: frames, row: rows, value, initial } = columns[column] as Trace["columns"][number];
  let now = typeof initial === "number" ? initial : (initial[row] ?? 0);
  let last = 0;
  for (let k = 0; k < frames.length && (frames[k] as number) <= frame; k++) {
    if ((rows[k] !== row && rows[k] !== -1) || value[k] === now) continue;
    now = value[k] as number;
    last = frames[k] as number;
  }
  return last;
}

/** A sum of columns on one row. */
export function at({ from, weight }: Sum, state: State, row: number): number {
  return from.reduce(
    (total, column, k) => total + (weight[k] as number) * ((state[column] as Float64Array)[row] as number),
    0,
  );
}

/** A sum of columns on all rows. */
function column({ from, weight }: Sum, state: State, size: number): Float64Array {
  const total = new Float64Array(size);
  from.forEach((each, k) => {
    const [part, times] = [state[each] as Float64Array, weight[k] as number];
    for (let row = 0; row < size; row++) total[row] = (total[row] as number) + times * (part[row] as number);
  });
  return total;
}

function stage(sums: readonly Sum[], below: State, size: number): State {
  return sums.map((each) => column(each, below, size).map((value) => Math.max(0, value)));
}

function sum(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, row) => value + (b[row] as number));
}

function copied({ version, row, ties, margin, brought }: Looks): Looks {
  return {
    version,
    row: row.slice(),
    ties: ties.slice(),
    margin: margin.slice(),
    brought: brought.map((each) => each.slice()),
  };
}
