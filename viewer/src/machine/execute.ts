/**
 * The transformer itself, in the page: layer by layer, in float64, over the weights that are not 0.
 *
 * All numbers of a compiled model are integers below 2^53, so every sum is exact in any order, and each state equals
 * that of the dense formulas (src/hyloop/execute/dense.py), number by number. A state is a list of columns. A column
 * that a layer leaves as it was is the same array again, and what depends on such columns alone is not computed again.
 */

import type { State } from "./encode";
import type { IncidenceKind, Incidences } from "./hypergraph";
import type { Head, Layer, Model, Sum } from "./model";

/**
 * What each row attends to in a head: of the rows of the best score the lowest, how many tie, and the margin.
 *
 * The arrays are the executor's own, and hold until its next step.
 */
export interface Looks {
  /** How often rows, ties and margins were worked out: while it is the same, they are. */
  version: number;
  readonly row: Int32Array;
  readonly ties: Int32Array;
  /** The distance to the next score; Infinity where there is none. */
  readonly margin: Float64Array;
  /** What each row brings to each of the columns that the head writes, before the incidence. */
  readonly brought: readonly Float64Array[];
}

/** A model on one hypergraph. A state that it is given is never changed. */
export class Executor {
  readonly #layers: readonly LayerStep[];

  /** `weights` are those of the hyperedges, for models whose incidence has them for entries. */
  constructor(
    readonly model: Model,
    incidences: Incidences,
    weights: readonly number[],
    readonly size: number,
  ) {
    const product = new Product(incidences, model.incidence === "weights" ? weights : null);
    this.#layers = model.layers.map((layer) => new LayerStep(layer, product, size));
  }

  halted(state: State): boolean {
    return state[this.model.halt]?.[0] === 1;
  }

  /** The state after layer `number` (from 0), and the attention of each of its heads. */
  layer(number: number, state: State): { state: State; looks: Looks[] } {
    return (this.#layers[number] as LayerStep).apply(state);
  }

  /** Whether the last step of a layer (from 0) added anything to a cell, be it that all of it together is 0. */
  added(number: number, row: number, column: number): boolean {
    return (this.#layers[number] as LayerStep).added(row, column);
  }

  /** The state after an iteration. */
  iterate(state: State): State {
    return this.#layers.reduce((now, layer) => layer.apply(now).state, state);
  }
}

/** Attention, then MLP, both with a residual. */
class LayerStep {
  readonly #heads: readonly HeadStep[];
  readonly #attention: readonly Residual[];
  /** Of the three stages, in order; one that is passed on stands in the list of its own stage alone. */
  readonly #units: readonly Unit[];
  readonly #mlp: readonly Residual[];

  constructor(layer: Layer, product: Product, size: number) {
    this.#heads = layer.heads.map((head) => new HeadStep(head, product, size));
    const parts = layer.heads.flatMap(({ writes }, h) => writes.map((column, k) => ({ column, h, k })));
    const columns = [...new Set(parts.map(({ column }) => column))];
    this.#attention = columns.map((column) => {
      const mine = parts.filter((part) => part.column === column);
      return new Residual(
        column,
        mine.map(({ h, k }) => (this.#heads[h] as HeadStep).outputs[k] as Unit),
      );
    });
    const [one, two, three] = layer.stages;
    const first = one.map((sum) => new Unit(sum, size, null, true));
    const second = two.map((sum) => carried(sum, first) ?? new Unit(sum, size, first, true));
    const third = three.map((sum) => carried(sum, second) ?? new Unit(sum, size, second, true));
    this.#units = [...new Set([...first, ...second, ...third])];
    this.#mlp = layer.writes.map(
      (column, k) => new Residual(column, [new Unit(layer.out[k] as Sum, size, third, false)]),
    );
  }

  apply(state: State): { state: State; looks: Looks[] } {
    for (const head of this.#heads) head.update(state);
    const attended = state.slice();
    for (const each of this.#attention) attended[each.column] = each.over(state);
    for (const unit of this.#units) unit.update(attended);
    const next = attended.slice();
    for (const each of this.#mlp) {
      for (const sum of each.parts) sum.update(attended);
      next[each.column] = each.over(attended);
    }
    return { state: next, looks: this.#heads.map(({ looks }) => looks) };
  }

  /** Whether a head or a unit of the last stage added to a cell in the last step. */
  added(row: number, column: number): boolean {
    const parts = (all: readonly Residual[]) => all.find((each) => each.column === column)?.parts ?? [];
    const units = parts(this.#mlp).flatMap(({ sum, units }) => sum.from.map((unit) => units?.[unit] as Unit));
    return [...parts(this.#attention), ...units].some(({ value }) => value[row] !== 0);
  }
}

/** The unit that another one passes on as it is: what a ReLU gave is at least 0. */
function carried({ from, weight }: Sum, units: readonly Unit[]): Unit | null {
  return from.length === 1 && weight[0] === 1 ? (units[from[0] as number] as Unit) : null;
}

/** A sum of columns or of units, with or without a ReLU, and how often it has changed. */
class Unit {
  readonly value: Float64Array;
  version = 0;
  readonly #seen: (Float64Array | number | null)[];
  #first = { version: -1, row: 0 };

  /** `units` are those of the stage before; null: it sums up columns of the state. */
  constructor(
    readonly sum: Sum,
    size: number,
    readonly units: readonly Unit[] | null,
    readonly relu: boolean,
  ) {
    this.value = new Float64Array(size);
    this.#seen = sum.from.map(() => null);
  }

  update(state: State): void {
    if (!this.#differs(state)) return;
    const { value, sum, units, relu } = this;
    const { from, weight } = sum;
    const part = (k: number) => {
      const at = from[k] as number;
      return units ? (units[at] as Unit).value : (state[at] as Float64Array);
    };
    // What comes out as it was changes nothing of what follows.
    if (added(value, part, weight, from.length, relu)) this.version++;
  }

  /** The first row that is not 0. */
  get first(): number {
    if (this.#first.version !== this.version) this.#first = { version: this.version, row: firstOther(this.value) };
    return this.#first.row;
  }

  /** Whether anything that it sums up is another than it was. */
  #differs(state: State): boolean {
    const { from } = this.sum;
    let differs = false;
    for (let k = 0; k < from.length; k++) {
      const now = this.units
        ? (this.units[from[k] as number] as Unit).version
        : (state[from[k] as number] as Float64Array);
      if (this.#seen[k] !== now) {
        this.#seen[k] = now;
        differs = true;
      }
    }
    return differs;
  }
}

/**
 * `value = Σ weight[k] part(k)`, with a ReLU or without; returns whether any of it is another than before.
 *
 * Up to three at a time: each pass over the rows costs as much as what it adds. The sum begins with 0, so that it is 0, not
 * -0, where a product is: numbers are compared by their bits, too.
 */
function added(
  value: Float64Array,
  part: (k: number) => Float64Array,
  weight: readonly number[],
  terms: number,
  relu: boolean,
): boolean {
  if (terms === 0) return false;
  const by = (k: number) => weight[k] as number;
  if (terms === 1) return one(value, part(0), by(0), relu);
  if (terms === 2) return two(value, part(0), by(0), part(1), by(1), relu);
  if (terms === 3) return three(value, part(0), by(0), part(1), by(1), part(2), by(2), relu);
  const total = room(value.length);
  let k = terms % 2 === 0 ? 2 : 3; // the last two are added below
  if (k === 2) setTwice(total, part(0), by(0), part(1), by(1));
  else three(total, part(0), by(0), part(1), by(1), part(2), by(2), false);
  for (; k + 2 < terms; k += 2) addTwice(total, part(k), by(k), part(k + 1), by(k + 1));
  return three(value, total, 1, part(k), by(k), part(k + 1), by(k + 1), relu);
}

/** For sums of many terms. */
let spare = new Float64Array();

function room(size: number): Float64Array {
  if (spare.length !== size) spare = new Float64Array(size);
  return spare;
}

function setTwice(total: Float64Array, a: Float64Array, p: number, b: Float64Array, q: number): void {
  for (let row = 0; row < total.length; row++) total[row] = 0 + p * (a[row] as number) + q * (b[row] as number);
}

function addTwice(total: Float64Array, a: Float64Array, p: number, b: Float64Array, q: number): void {
  for (let row = 0; row < total.length; row++)
    total[row] = (total[row] as number) + p * (a[row] as number) + q * (b[row] as number);
}

function one(value: Float64Array, a: Float64Array, p: number, relu: boolean): boolean {
  let changed = false;
  for (let row = 0; row < value.length; row++) {
    let sum = 0 + p * (a[row] as number);
    if (relu && !(sum > 0)) sum = 0;
    if (value[row] !== sum) {
      value[row] = sum;
      changed = true;
    }
  }
  return changed;
}

function two(value: Float64Array, a: Float64Array, p: number, b: Float64Array, q: number, relu: boolean): boolean {
  let changed = false;
  for (let row = 0; row < value.length; row++) {
    let sum = 0 + p * (a[row] as number) + q * (b[row] as number);
    if (relu && !(sum > 0)) sum = 0;
    if (value[row] !== sum) {
      value[row] = sum;
      changed = true;
    }
  }
  return changed;
}

function three(
  value: Float64Array,
  a: Float64Array,
  p: number,
  b: Float64Array,
  q: number,
  c: Float64Array,
  r: number,
  relu: boolean,
): boolean {
  let changed = false;
  for (let row = 0; row < value.length; row++) {
    let sum = 0 + p * (a[row] as number) + q * (b[row] as number) + r * (c[row] as number);
    if (relu && !(sum > 0)) sum = 0;
    if (value[row] !== sum) {
      value[row] = sum;
      changed = true;
    }
  }
  return changed;
}

/** A column plus what is added to it; the same array as before where nothing of it has changed. */
class Residual {
  #before: Float64Array | null = null;
  #after: Float64Array | null = null;
  readonly #versions: number[];
  readonly #total: Float64Array;
  readonly #known: Float64Array[] = [];

  constructor(
    readonly column: number,
    readonly parts: readonly Unit[],
  ) {
    this.#versions = parts.map(() => -1);
    this.#total = new Float64Array((parts[0] as Unit).value.length);
  }

  over(state: State): Float64Array {
    const before = state[this.column] as Float64Array;
    let same = before === this.#before && this.#after !== null;
    for (let k = 0; k < this.parts.length; k++) {
      const { version } = this.parts[k] as Unit;
      same &&= this.#versions[k] === version;
      this.#versions[k] = version;
    }
    if (same) return this.#after as Float64Array;
    this.#before = before;
    this.#after = this.#added(before);
    return this.#after;
  }

  #added(before: Float64Array): Float64Array {
    const { parts } = this;
    const total = this.#total;
    let any = false;
    for (let k = 0; k < parts.length; k++) {
      const { value, first } = parts[k] as Unit;
      if (first === value.length) continue;
      if (!any) total.set(before);
      any = true;
      for (let row = first; row < total.length; row++) total[row] = (total[row] as number) + (value[row] as number);
    }
    if (!any || (parts.length > 1 && equal(total, before))) return before;
    // Numbers that come back, as those of a column that is cleared, are the array that they were.
    for (const known of this.#known) if (equal(total, known)) return known;
    const next = total.slice();
    this.#known.push(next);
    if (this.#known.length > REMEMBERED) this.#known.shift();
    return next;
  }
}

/** The first row that is not 0. */
function firstOther(column: Float64Array): number {
  let row = 0;
  while (row < column.length && column[row] === 0) row++;
  return row;
}

/** Arrays that a column may become again. */
const REMEMBERED = 2;

function equal(a: Float64Array, b: Float64Array): boolean {
  for (let row = 0; row < a.length; row++) if (a[row] !== b[row]) return false;
  return true;
}

/** The incidences, as matrices to multiply by. */
export class Product {
  constructor(
    readonly incidences: Incidences,
    readonly weights: readonly number[] | null,
  ) {}

  /** `into = M what`, on the rows that the matrix has. */
  of(kind: IncidenceKind, what: Float64Array, into: Float64Array): void {
    const { rows, start, columns } = this.incidences[kind];
    const { weights } = this;
    const transposed = kind.endsWith("transposed");
    for (let row = 1; row <= rows; row++) {
      let sum = 0;
      const end = start[row + 1] as number;
      for (let k = start[row] as number; k < end; k++) {
        const column = columns[k] as number;
        sum += (weights ? (weights[(transposed ? row : column) - 1] as number) : 1) * (what[column] as number);
      }
      into[row] = sum;
    }
  }
}

// -- attention --------------------------------------------------------------------------------------------------------

/** Distinct queries that are compared one by one. */
const FEW = 4;
/** Sums that make up the scores of a head: two of the query, two of the key. */
const SCORED = 4;

/** The hardmax of one head: `M σ(X Wq Wkᵀ Xᵀ) X Wv`, where σ averages over ties, as sum ÷ count. */
class HeadStep {
  readonly looks: Looks;
  /** What it adds to each of the columns that it writes. */
  readonly outputs: readonly Unit[];
  readonly #query: readonly [Unit, Unit];
  readonly #key: readonly [Unit, Unit];
  readonly #value: readonly Unit[];
  readonly #scores: Float64Array;
  readonly #parts: readonly Unit[];
  readonly #versions: number[];
  /** Whether every row attends to one row only. */
  #single = false;
  #parabola = false;
  /** Rows whose queries differ: rows with equal queries attend to the same rows. */
  #distinct: number[] = [];
  #known: Map<number, Map<number, number>> | null = null;

  constructor(
    readonly head: Head,
    readonly product: Product,
    readonly size: number,
  ) {
    const unit = (sum: Sum) => new Unit(sum, size, null, false);
    this.#query = [unit(head.query[0]), unit(head.query[1])];
    this.#key = [unit(head.key[0]), unit(head.key[1])];
    this.#value = head.value.map(unit);
    this.#scores = new Float64Array(size);
    this.#parts = [...this.#query, ...this.#key, ...this.#value];
    this.#versions = this.#parts.map(() => -1);
    this.outputs = head.value.map(() => new Unit({ from: [], weight: [] }, size, null, false));
    this.looks = {
      version: 0,
      row: new Int32Array(size),
      ties: new Int32Array(size),
      margin: new Float64Array(size),
      brought:
        head.kind === "plain" ? this.outputs.map(({ value }) => value) : head.value.map(() => new Float64Array(size)),
    };
  }

  update(state: State): void {
    let [same, attends] = [true, true];
    for (let k = 0; k < this.#parts.length; k++) {
      const unit = this.#parts[k] as Unit;
      unit.update(state);
      if (this.#versions[k] === unit.version) continue;
      same = false;
      attends &&= k >= SCORED; // queries and keys come first
      this.#versions[k] = unit.version;
    }
    if (same) return;
    if (attends && this.#single) this.#bring();
    else this.#look();
    const { kind } = this.head;
    this.outputs.forEach((unit, k) => {
      unit.version++;
      if (kind !== "plain") this.product.of(kind, this.looks.brought[k] as Float64Array, unit.value);
    });
  }

  /** Other values from the same rows. */
  #bring(): void {
    const { row, brought } = this.looks;
    for (let k = 0; k < brought.length; k++) {
      const [into, from] = [brought[k] as Float64Array, (this.#value[k] as Unit).value];
      for (let at = 0; at < into.length; at++) into[at] = from[row[at] as number] as number;
    }
  }

  #look(): void {
    this.#attend();
    this.looks.version++;
    const { ties } = this.looks;
    this.#single = true;
    for (let row = 0; row < ties.length && this.#single; row++) this.#single = ties[row] === 1;
  }

  /** All rows with the query of row 0. */
  #alone(): void {
    const { row, ties, margin, brought } = this.looks;
    this.#scored(0, this.#query[0].value[0] as number, this.#query[1].value[0] as number);
    row.fill(row[0] as number);
    ties.fill(ties[0] as number);
    margin.fill(margin[0] as number);
    for (const column of brought) column.fill(column[0] as number);
  }

  #attend(): void {
    const q0 = this.#query[0].value;
    const q1 = this.#query[1].value;
    if (isUniform(q0) && isUniform(q1) && q1[0] !== -1) {
      this.#alone();
      return;
    }
    this.#parabola = onParabola(this.#key[0].value, this.#key[1].value);
    this.#distinct = [];
    this.#known = null;
    for (let row = 0; row < this.size; row++) {
      const a = q0[row] as number;
      const b = q1[row] as number;
      if (this.#parabola && b === -1) this.#nearest(row, a);
      else {
        const alike = this.#alike(row, a, b);
        if (alike === row) this.#scored(row, a, b);
        else this.#copy(alike, row);
      }
    }
  }

  /** The first row with this query. */
  #alike(row: number, a: number, b: number): number {
    const { length } = this.#distinct;
    if (length > FEW) return this.#remembered(row, a, b);
    for (let k = length - 1; k >= 0; k--) {
      const other = this.#distinct[k] as number;
      if (this.#query[0].value[other] === a && this.#query[1].value[other] === b) return other;
    }
    this.#distinct.push(row);
    return row;
  }

  #remembered(row: number, a: number, b: number): number {
    if (this.#known === null) {
      this.#known = new Map();
      for (const other of this.#distinct) this.#remember(this.#known, other);
    }
    const found = this.#known.get(a)?.get(b);
    if (found === undefined) this.#remember(this.#known, row);
    return found ?? row;
  }

  #remember(known: Map<number, Map<number, number>>, row: number): void {
    const a = this.#query[0].value[row] as number;
    const under = known.get(a) ?? new Map<number, number>();
    known.set(a, under.set(this.#query[1].value[row] as number, row));
  }

  /** Every key against one query. */
  #scored(row: number, a: number, b: number): void {
    const scores = this.#scores;
    const k0 = this.#key[0].value;
    const k1 = this.#key[1].value;
    let best = Number.NEGATIVE_INFINITY;
    let next = Number.NEGATIVE_INFINITY;
    let at = 0;
    let ties = 0;
    for (let j = 0; j < scores.length; j++) {
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
    this.looks.row[row] = at;
    this.looks.ties[row] = ties;
    this.looks.margin[row] = best - next;
    for (let k = 0; k < this.#value.length; k++) {
      const column = (this.#value[k] as Unit).value;
      let sum = column[at] as number;
      if (ties > 1) for (let j = at + 1; j < scores.length; j++) if (scores[j] === best) sum += column[j] as number;
      (this.looks.brought[k] as Float64Array)[row] = sum / ties;
    }
  }

  /** Keys `(j, j²)` and the query `(2c, -1)`: the row nearest to `c` wins. */
  #nearest(row: number, doubled: number): void {
    const last = this.size - 1;
    const down = Math.min(Math.max(Math.floor(doubled / 2), 0), last);
    const up = Math.min(Math.max(Math.ceil(doubled / 2), 0), last);
    const low = height(doubled, down) < height(doubled, up) ? up : down;
    const high = height(doubled, up) < height(doubled, down) ? down : up;
    const below = low > 0 ? height(doubled, low - 1) : Number.NEGATIVE_INFINITY;
    const above = high < last ? height(doubled, high + 1) : Number.NEGATIVE_INFINITY;
    this.looks.row[row] = low;
    this.looks.ties[row] = low === high ? 1 : 2;
    this.looks.margin[row] = height(doubled, low) - Math.max(below, above);
    for (let k = 0; k < this.#value.length; k++) {
      const column = (this.#value[k] as Unit).value;
      (this.looks.brought[k] as Float64Array)[row] = ((column[low] as number) + (column[high] as number)) / 2;
    }
  }

  #copy(from: number, to: number): void {
    const { row, ties, margin, brought } = this.looks;
    row[to] = row[from] as number;
    ties[to] = ties[from] as number;
    margin[to] = margin[from] as number;
    for (let k = 0; k < brought.length; k++) {
      const column = brought[k] as Float64Array;
      column[to] = column[from] as number;
    }
  }
}

function isUniform(column: Float64Array): boolean {
  for (let row = 1; row < column.length; row++) if (column[row] !== column[0]) return false;
  return true;
}

/** The score of row `j` for the query `(doubled, -1)`. */
function height(doubled: number, j: number): number {
  return doubled * j - j * j;
}

function onParabola(k0: Float64Array, k1: Float64Array): boolean {
  for (let j = 0; j < k0.length; j++) if (k0[j] !== j || k1[j] !== j * j) return false;
  return true;
}
