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

  /** The state after an iteration. */
  iterate(state: State): State {
    return this.#layers.reduce((now, layer) => layer.apply(now).state, state);
  }
}

/** Attention, then MLP, both with a residual. */
class LayerStep {
  readonly #heads: readonly HeadStep[];
  readonly #attention: readonly Residual[];
  readonly #units: readonly [Unit[], Unit[], Unit[]];
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
    this.#units = [first, second, third];
    this.#mlp = layer.writes.map(
      (column, k) => new Residual(column, [new Unit(layer.out[k] as Sum, size, third, false)]),
    );
  }

  apply(state: State): { state: State; looks: Looks[] } {
    for (const head of this.#heads) head.update(state);
    const attended = state.slice();
    for (const each of this.#attention) attended[each.column] = each.over(state);
    const [first, ...others] = this.#units;
    for (const unit of first) unit.update(attended);
    for (const unit of others.flat()) unit.update(attended);
    const next = attended.slice();
    for (const each of this.#mlp) {
      for (const sum of each.parts) sum.update(attended);
      next[each.column] = each.over(attended);
    }
    return { state: next, looks: this.#heads.map(({ looks }) => looks) };
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
    this.version++;
    const { value, sum, units } = this;
    value.fill(0);
    for (let k = 0; k < sum.from.length; k++) {
      const from = sum.from[k] as number;
      addTimes(value, units ? (units[from] as Unit).value : (state[from] as Float64Array), sum.weight[k] as number);
    }
    if (this.relu) for (let row = 0; row < value.length; row++) if (!((value[row] as number) > 0)) value[row] = 0;
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

function addTimes(total: Float64Array, column: Float64Array, times: number): void {
  for (let row = 0; row < total.length; row++) total[row] = (total[row] as number) + times * (column[row] as number);
}

/** A column plus what is added to it; the same array as before where nothing of it has changed. */
class Residual {
  #before: Float64Array | null = null;
  #after: Float64Array | null = null;
  readonly #versions: number[];

  constructor(
    readonly column: number,
    readonly parts: readonly Unit[],
  ) {
    this.#versions = parts.map(() => -1);
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
    const total = before.slice();
    for (const { value } of this.parts) addTimes(total, value, 1);
    for (let row = 0; row < total.length; row++) if (total[row] !== before[row]) return total;
    return before;
  }
}

/** The incidences, as matrices to multiply by. */
class Product {
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

/** The hardmax of one head: `M σ(X Wq Wkᵀ Xᵀ) X Wv`, where σ averages over ties, as sum ÷ count. */
class HeadStep {
  readonly looks: Looks;
  /** What it adds to each of the columns that it writes. */
  readonly outputs: readonly Unit[];
  readonly #query: readonly [Unit, Unit];
  readonly #key: readonly [Unit, Unit];
  readonly #value: readonly Unit[];
  readonly #scores: Float64Array;
  readonly #versions: number[];
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
    this.#versions = this.#parts().map(() => -1);
    this.outputs = head.value.map(() => new Unit({ from: [], weight: [] }, size, null, false));
    this.looks = {
      row: new Int32Array(size),
      ties: new Int32Array(size),
      margin: new Float64Array(size),
      brought:
        head.kind === "plain" ? this.outputs.map(({ value }) => value) : head.value.map(() => new Float64Array(size)),
    };
  }

  #parts(): Unit[] {
    return [...this.#query, ...this.#key, ...this.#value];
  }

  update(state: State): void {
    let same = true;
    this.#parts().forEach((unit, k) => {
      unit.update(state);
      same &&= this.#versions[k] === unit.version;
      this.#versions[k] = unit.version;
    });
    if (same) return;
    this.#look();
    const { kind } = this.head;
    this.outputs.forEach((unit, k) => {
      unit.version++;
      if (kind !== "plain") this.product.of(kind, this.looks.brought[k] as Float64Array, unit.value);
    });
  }

  #look(): void {
    const q0 = this.#query[0].value;
    const q1 = this.#query[1].value;
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

/** The score of row `j` for the query `(doubled, -1)`. */
function height(doubled: number, j: number): number {
  return doubled * j - j * j;
}

function onParabola(k0: Float64Array, k1: Float64Array): boolean {
  for (let j = 0; j < k0.length; j++) if (k0[j] !== j || k1[j] !== j * j) return false;
  return true;
}
