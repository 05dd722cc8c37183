/** From an input in integers to the machine's first state: the twin of src/hyloop/execute/encode.py. */

import { isolated } from "../isolate";
import { labelText } from "../labels";
import { counted, type Fraction, short, times } from "../numbers";
import type { Label } from "../trace";
import type { Hypergraph } from "./hypergraph";
import type { Model, Rows, Term } from "./model";
import { Refusal } from "./refusal";

/** All that the encoder may know: no incidence. Inputs are integers (rows from 1), or one integer for each row. */
export interface Frame {
  readonly vertices: number;
  readonly hyperedges: number;
  readonly weights: readonly number[];
  readonly inputs: ReadonlyMap<string, number | readonly number[]>;
  /** One unit of weights, and the hyperedges as they were given, if these are known: to tell which one is too heavy. */
  readonly unit?: Fraction;
  readonly of?: Pick<Hypergraph, "hyperedges" | "weights">;
}

/** A state by its columns; each has a number for every row. */
export type State = Float64Array[];

/** `K`: row 0, a row for each vertex and hyperedge, and as many as the model needs. */
export function rowsOf(model: Model, { vertices, hyperedges }: Frame): number {
  return Math.max(vertices, hyperedges, 1, model.least) + 1;
}

/** The first state; a refusal says what of the input is beyond the model's capacity. */
export function encode(model: Model, frame: Frame): State {
  requireRoom(model, frame);
  const size = rowsOf(model, frame);
  return model.columns.map(({ initial }) => {
    const column = new Float64Array(size);
    for (const term of initial) {
      const [from, to, value] = placed(term, frame, size);
      for (let row = from; row < to; row++) column[row] = (column[row] as number) + value(row);
    }
    return column;
  });
}

function requireRoom(model: Model, frame: Frame): void {
  const { capacity } = model;
  const rows = Math.max(frame.vertices, frame.hyperedges);
  if (rows > capacity.rows)
    throw new Refusal(
      `There are ${counted(rows)} rows; the model in this page holds at most ${counted(capacity.rows)}.`,
    );
  if (!readsWeights(model)) return;
  const most = frame.weights.reduce((most, weight) => Math.max(most, weight), 1);
  if (most <= capacity.weight) return;
  throw new Refusal(`${weightText(frame, most)}; the model in this page holds at most ${mostText(capacity, frame)}.`);
}

/** Whether its state or its incidence has the weights of hyperedges; one without takes any weights. */
function readsWeights({ incidence, columns }: Model): boolean {
  return incidence === "weights" || columns.some(({ initial }) => initial.some(({ term }) => term === "Weights"));
}

/** "The weight of hyperedge ferry is 1234567.891, that is 1,234,567,891 units of 0.001, of which all weights are multiples" */
function weightText({ weights, unit, of }: Frame, most: number): string {
  const row = of ? heaviestOf(of.weights) : weights.indexOf(most);
  const named = of
    ? `The weight of hyperedge ${isolated(labelText(of.hyperedges[row] as Label))} is`
    : "The heaviest hyperedge weighs";
  const inUnits = whole(weights[row] as number);
  if (!of || !unit) return `${named} ${inUnits} in integer units`;
  if (isOne(unit)) return `${named} ${inUnits}`;
  return `${named} ${short(of.weights[row] as Fraction)}, that is ${inUnits} units of ${short(unit)}, of which all weights and given lengths are multiples`;
}

/** The limit in units, and as weights are given: beside a weight such as 87379, only the second says what is too much. */
function mostText({ weight }: Model["capacity"], { unit }: Frame): string {
  if (!unit || isOne(unit)) return counted(weight);
  return `${counted(weight)} units, a weight of ${short(times(unit, { top: BigInt(weight), bottom: 1n }))}`;
}

function isOne({ top, bottom }: Fraction): boolean {
  return top === bottom;
}

/** The first of the largest, exactly: in float64, several may be alike. */
function heaviestOf(weights: readonly Fraction[]): number {
  const isMore = (a: Fraction, b: Fraction) => a.top * b.bottom > b.top * a.bottom;
  return weights.reduce((best, weight, k) => (isMore(weight, weights[best] as Fraction) ? k : best), 0);
}

/** An integer; of a larger one than float64 holds exactly, `prepare` has rounded the digits. */
function whole(value: number): string {
  const most = Number.MAX_SAFE_INTEGER;
  return value > most ? `more than ${counted(most)}` : counted(value);
}

/** On which rows a term is written, the last one excluded, and what on each of them. */
function placed(term: Term, frame: Frame, size: number): [from: number, to: number, value: (row: number) => number] {
  switch (term.term) {
    case "Fill":
      return [...range(term.rows, frame, size), () => term.value];
    case "Position":
      return [1, size, (row) => (term.part ? row * row : row)];
    case "Pointer": {
      const to = typeof term.to === "number" ? term.to : rowGiven(term.to, frame);
      return [0, 1, () => (term.part ? to * to : to)];
    }
    case "Mark": {
      const at = rowGiven(term.at, frame);
      return [at, at + 1, () => term.value];
    }
    case "Weights":
      return [1, frame.hyperedges + 1, (row) => frame.weights[row - 1] as number];
    case "Everywhere": {
      const value = within(one(term.name, frame), term.most, term.name);
      return [0, size, () => value];
    }
    case "Entries": {
      const entries = array(term.name, frame);
      return [...range(term.of, frame, size), (row) => within(entries[row - 1] as number, term.most, term.name)];
    }
    case "Cardinality":
      return [0, size, () => frame[term.of]];
    case "Numbers":
      return [...range(term.rows, frame, size), (row) => row];
    case "QuarterSquares":
      return [0, size, (row) => Math.floor((row * row) / 4)];
  }
}

function range(rows: Rows, { vertices, hyperedges }: Frame, size: number): [number, number] {
  const ranges: Record<Rows, [number, number]> = {
    global: [0, 1],
    rows: [1, size],
    vertices: [1, vertices + 1],
    hyperedges: [1, hyperedges + 1],
    "past vertices": [vertices + 1, size],
    "past hyperedges": [hyperedges + 1, size],
  };
  return ranges[rows];
}

function one(name: string, { inputs }: Frame): number {
  const value = inputs.get(name);
  if (typeof value !== "number") throw new Refusal(`The input ${name} must be one value.`);
  return value;
}

function array(name: string, { inputs }: Frame): readonly number[] {
  const value = inputs.get(name);
  if (typeof value !== "object") throw new Refusal(`The input ${name} must have one value for each row.`);
  return value;
}

function rowGiven(name: string, frame: Frame): number {
  const row = one(name, frame);
  const last = Math.max(frame.vertices, frame.hyperedges);
  if (row >= 1 && row <= last) return row;
  throw new Refusal(`The input ${name} is row ${row}; the vertices and hyperedges are rows 1 to ${last}.`);
}

function within(value: number, most: number, name: string): number {
  if (value >= 0 && value <= most) return value;
  throw new Refusal(
    `The input ${name} is ${whole(value)} as an integer; the model in this page holds 0 to ${counted(most)}.`,
  );
}
