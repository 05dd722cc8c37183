/**
 * What a program means, on exact integers, one iteration at a time: the twin of src/hyloop/interpreter.py.
 *
 * It shares no code with the executor. A flag is 0 or 1, a pointer a number from 1 (0 is none), an infinite length is
 * Infinity. An integer that a float64 does not hold exactly is refused.
 */

import type { Incidence, Incidences } from "./hypergraph";
import {
  begins,
  type Constant,
  constantOf,
  mostIterations,
  type Op,
  type Program,
  type Section,
  type Type,
} from "./program";
import { Refusal } from "./refusal";

export type Value = number | readonly number[];

export interface World {
  readonly vertices: number;
  readonly hyperedges: number;
  readonly incidences: Incidences;
  readonly weights: readonly number[];
  readonly inputs: ReadonlyMap<string, Value>;
}

/** The end of an iteration: every state, every local by its number in the section, and whether the loop halts. */
export interface IterationEnd {
  readonly section: "before" | "body";
  readonly states: ReadonlyMap<string, Value>;
  readonly values: readonly Value[];
  readonly halted: boolean;
}

export function* interpret(program: Program, world: World): Generator<IterationEnd, undefined> {
  const most = mostIterations(program, world.vertices, world.hyperedges);
  let states = new Map(program.states.map(({ name, type, initial }) => [name, filled(world, type, plain(initial))]));
  let iteration = 0;
  const after = (section: Section, values: readonly Value[]) => {
    const next = new Map(states);
    for (const [name, number] of section.updates) next.set(name, values[number] as Value);
    requireWithin(program, next, world);
    return next;
  };
  if (begins(program)) {
    const values = new Evaluation(program.before, world).values(states);
    states = after(program.before, values);
    iteration++;
    yield { section: "before", states, values, halted: false };
  }
  const body = new Evaluation(program.body, world);
  for (;;) {
    if (iteration++ >= most)
      throw new Refusal(
        `${program.name} did not stop within the ${most.toLocaleString("en")} iterations that it declares (at_most).`,
      );
    const values = body.values(states);
    states = after(program.body, values);
    const halted = values[program.body.stop as number] === 1;
    yield { section: "body", states, values, halted };
    if (halted) return;
  }
}

/** The value of every operation of a section, from the states at its start. */
export function evaluated(section: Section, world: World, states: ReadonlyMap<string, Value>): Value[] {
  return new Evaluation(section, world).values(states);
}

function requireWithin(program: Program, states: ReadonlyMap<string, Value>, world: World): void {
  for (const { name, atMost } of program.states) {
    if (atMost === null) continue;
    const bound = Number(atMost(world.vertices, world.hyperedges));
    if (list(states.get(name) as Value).some((each) => each > bound))
      throw new Refusal(`${name} becomes more than ${bound.toLocaleString("en")}, which it is declared to be at most.`);
  }
}

/** A section that is evaluated again and again: what was computed of the same operands is not computed again. */
class Evaluation {
  readonly #last: Value[] = [];
  readonly #operands: (readonly Value[])[] = [];
  readonly #types: readonly (readonly Type[])[];

  constructor(
    readonly section: Section,
    readonly world: World,
  ) {
    this.#types = section.ops.map(({ operands }) => operands.map((number) => (section.ops[number] as Op).type));
  }

  values(states: ReadonlyMap<string, Value>): Value[] {
    const values: Value[] = [];
    this.section.ops.forEach((op, number) => {
      const found = op.name === "state" ? (states.get(op.argument) as Value) : this.#value(op, number, values);
      values.push(kept(this.#last[number], found));
      this.#last[number] = values[number] as Value;
    });
    return values;
  }

  #value(op: Op, number: number, values: readonly Value[]): Value {
    const operands = op.operands.map((each) => values[each] as Value);
    const before = this.#operands[number];
    if (before?.every((each, k) => each === operands[k])) return this.#last[number] as Value;
    const meaning = MEANING.get(op.name);
    if (!meaning) throw new Refusal(`This page does not know the operation ${op.name} of the program.`);
    this.#operands[number] = operands;
    const found = meaning(this.world, op, operands, this.#types[number] as readonly Type[]);
    return op.type.kind === "flag" ? found : checked(found);
  }
}

/** The array that was there before, if nothing in it is another: so that what follows from it is known, too. */
function kept(before: Value | undefined, now: Value): Value {
  if (before === undefined || before === now || typeof before === "number" || typeof now === "number") return now;
  for (let k = 0; k < now.length; k++) if (before[k] !== now[k]) return now;
  return before.length === now.length ? before : now;
}

/** Integers that are exact, or Infinity. */
function checked(value: Value): Value {
  const all = list(value);
  let fine = true;
  for (let k = 0; k < all.length; k++) fine &&= Number.isSafeInteger(all[k]) || all[k] === Number.POSITIVE_INFINITY;
  if (fine) return value;
  throw new Refusal("A value of the program is beyond 2^53, which a page does not compute exactly.");
}

function list(value: Value): readonly number[] {
  return typeof value === "number" ? [value] : value;
}

function plain(value: Constant): number {
  return Number(value ?? 0);
}

function count(world: World, scope: string): number {
  return scope === "vertices" ? world.vertices : scope === "hyperedges" ? world.hyperedges : 1;
}

function filled(world: World, { scope }: Type, value: number): Value {
  return scope === "scalar" ? value : new Array<number>(count(world, scope)).fill(value);
}

// -- meanings ---------------------------------------------------------------------------------------------------------

type Meaning = (world: World, op: Op, operands: readonly Value[], types: readonly Type[]) => Value;

/** Up to three values of each row: the value of a row is at its number times the step, which is 0 for a scalar. */
type Rows = (
  found: number[],
  a: readonly number[],
  byA: number,
  b: readonly number[],
  byB: number,
  c: readonly number[],
  byC: number,
  op: Op,
) => void;

/**
 * An operation on up to three values of one row; scalars count for every row. Each operation has a loop of its own:
 * what is called from one loop for all operations, browsers do not make fast.
 */
function rows(loop: Rows): Meaning {
  return (_, op, [a = 0, b = 0, c = 0]) => {
    const array = typeof a !== "number" ? a : typeof b !== "number" ? b : typeof c !== "number" ? c : null;
    const found: number[] = new Array<number>(array?.length ?? 1).fill(0);
    const by = (value: Value) => (typeof value === "number" ? 0 : 1);
    loop(found, list(a), by(a), list(b), by(b), list(c), by(c), op);
    return array === null ? (found[0] as number) : found;
  };
}

/** The same for operations that are rare, or long. */
function rowwise(meaning: (op: Op, a: number, b: number, c: number) => number): Meaning {
  return rows((found, a, byA, b, byB, c, byC, op) => {
    for (let row = 0; row < found.length; row++)
      found[row] = meaning(op, a[row * byA] as number, b[row * byB] as number, c[row * byC] as number);
  });
}

function at(value: Value, row: number): number {
  return typeof value === "number" ? value : (value[row] as number);
}

/** All flags of a row. */
const both: Meaning = rows((found, a, byA, b, byB) => {
  for (let row = 0; row < found.length; row++) found[row] = a[row * byA] !== 0 && b[row * byB] !== 0 ? 1 : 0;
});
const every: Meaning = (world, op, operands, types) =>
  operands.reduce((all, one) => both(world, op, [all, one], types), 1);

const flag = (truth: boolean) => (truth ? 1 : 0);
const endless = (value: number) => value === Number.POSITIVE_INFINITY;

/** At least 0; nothing is left of what is as large, infinite or not. */
function difference(a: number, b: number): number {
  return a > b ? a - b : 0;
}

/** Infinity times 0 is 0. */
function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** 0 where there is nothing to divide by, or infinity is divided. Infinity goes into anything finite 0 times. */
function divided(divide: (a: number, b: number) => number): Meaning {
  return rowwise((_, a, b) => (b === 0 || endless(a) ? 0 : divide(a, b)));
}

/** Rows from 0 that a search considers: finite lengths, pointers to something, any count; and where its mask holds. */
function candidates(operands: readonly Value[], types: readonly Type[]): number[] {
  const x = list(operands[0] as Value);
  const mask = operands[1];
  const kind = types[0]?.kind;
  const pointer = kind === "vertex" || kind === "hyperedge";
  const absent = kind === "length" ? Number.POSITIVE_INFINITY : pointer ? 0 : Number.NaN;
  const found: number[] = [];
  for (let row = 0; row < x.length; row++)
    if (x[row] !== absent && (mask === undefined || at(mask, row) !== 0)) found.push(row);
  return found;
}

/** The row of the best candidate, the lowest first; null where there is none. */
function best(better: (a: number, b: number) => boolean) {
  return (operands: readonly Value[], types: readonly Type[]): number | null => {
    const x = list(operands[0] as Value);
    let found: number | null = null;
    for (const row of candidates(operands, types))
      if (found === null || better(x[row] as number, x[found] as number)) found = row;
    return found;
  };
}

const least = best((a, b) => a < b);
const greatest = best((a, b) => a > b);

function times(matrix: Incidence, x: readonly number[]): number[] {
  const { rows, start, columns } = matrix;
  const found = new Array<number>(rows);
  for (let k = 0; k < rows; k++) {
    let sum = 0;
    const end = start[k + 2] as number;
    for (let at = start[k + 1] as number; at < end; at++) sum += x[(columns[at] as number) - 1] as number;
    found[k] = sum;
  }
  return found;
}

function oneHot(size: number, number: Value | undefined): number[] {
  const found = new Array<number>(size).fill(0);
  if (typeof number === "number" && number >= 1 && number <= size) found[number - 1] = 1;
  return found;
}

const CROSSINGS = [
  ["incidence", "transposed", ""],
  ["tails", "tails_transposed", "tails_"],
  ["heads", "heads_transposed", "heads_"],
] as const;

/** The operations along an incidence. */
function crossings([there, back, prefix]: (typeof CROSSINGS)[number]): [string, Meaning][] {
  const along =
    (kind: typeof there | typeof back): Meaning =>
    (world, _, [x]) =>
      times(world.incidences[kind], list(x as Value));
  const some =
    (kind: typeof there | typeof back): Meaning =>
    (world, op, operands, types) =>
      list(along(kind)(world, op, operands, types)).map((sum) => flag(sum > 0));
  return [
    [there, along(there)],
    [back, along(back)],
    [`${prefix}touching`, some(back)],
    [`${prefix}covered`, some(there)],
    [`${prefix}members`, (world, _, [e]) => times(world.incidences[there], oneHot(world.hyperedges, e))],
    [`${prefix}containing`, (world, _, [v]) => times(world.incidences[back], oneHot(world.vertices, v))],
  ];
}

const MEANING: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ["input", (world, op) => world.inputs.get(op.argument) as Value],
  ["constant", (_, op) => plain(constantOf(op.argument))],
  ["weight", (world) => world.weights],
  ["size", (world, op) => (op.argument === "n_v" ? world.vertices : world.hyperedges)],
  ["own", (world, op) => Array.from({ length: count(world, op.argument) }, (_, row) => row + 1)],
  [
    "add",
    rows((found, a, byA, b, byB) => {
      for (let row = 0; row < found.length; row++) found[row] = (a[row * byA] as number) + (b[row * byB] as number);
    }),
  ],
  [
    "subtract",
    rows((found, a, byA, b, byB) => {
      for (let row = 0; row < found.length; row++)
        found[row] = difference(a[row * byA] as number, b[row * byB] as number);
    }),
  ],
  ["multiple", rowwise((op, a) => product(Number(op.argument), a))],
  [
    "smaller",
    rows((found, a, byA, b, byB) => {
      for (let row = 0; row < found.length; row++)
        found[row] = Math.min(a[row * byA] as number, b[row * byB] as number);
    }),
  ],
  ["larger", rowwise((_, a, b) => (a < b ? b : a))],
  [
    "less",
    rows((found, a, byA, b, byB) => {
      for (let row = 0; row < found.length; row++)
        found[row] = (a[row * byA] as number) < (b[row * byB] as number) ? 1 : 0;
    }),
  ],
  // None (0) precedes nothing.
  ["precedes", rowwise((_, a, b) => flag(a < b && a !== 0))],
  [
    "equal",
    rows((found, a, byA, b, byB) => {
      for (let row = 0; row < found.length; row++) found[row] = a[row * byA] === b[row * byB] ? 1 : 0;
    }),
  ],
  ["and", every],
  [
    "or",
    rows((found, a, byA, b, byB) => {
      for (let row = 0; row < found.length; row++)
        found[row] = (a[row * byA] as number) + (b[row * byB] as number) > 0 ? 1 : 0;
    }),
  ],
  [
    "not",
    rows((found, a, byA) => {
      for (let row = 0; row < found.length; row++) found[row] = 1 - (a[row * byA] as number);
    }),
  ],
  [
    "where",
    rows((found, a, byA, b, byB, c, byC) => {
      for (let row = 0; row < found.length; row++)
        found[row] = a[row * byA] !== 0 ? (b[row * byB] as number) : (c[row * byC] as number);
    }),
  ],
  ["number", rowwise((_, a) => a)],
  ["spread", (world, op, [a]) => filled(world, op.type, a as number)],
  ["missing", rowwise((_, p) => flag(p === 0))],
  [
    "next",
    (world, op, operands, types) => {
      const last = op.type.kind === "vertex" ? world.vertices : world.hyperedges;
      return rowwise((_, p) => (p === 0 || p === last ? 0 : p + 1))(world, op, operands, types);
    },
  ],
  ["previous", rowwise((_, p) => (p === 0 ? 0 : p - 1))],
  [
    "ordinal",
    (world, op, operands, types) =>
      rowwise((_, p) => (p === 0 ? count(world, op.argument) : p - 1))(world, op, operands, types),
  ],
  [
    "read",
    (_, __, [array, at]) => {
      const read = (row: number) => (row === 0 ? 0 : ((array as readonly number[])[row - 1] as number));
      return typeof at === "number" ? read(at) : (at as readonly number[]).map(read);
    },
  ],
  ["argmin", (_, __, operands, types) => (least(operands, types) ?? -1) + 1],
  ["argmax", (_, __, operands, types) => (greatest(operands, types) ?? -1) + 1],
  [
    "min",
    (_, op, operands, types) => {
      const row = least(operands, types);
      if (row !== null) return list(operands[0] as Value)[row] as number;
      return op.type.kind === "length" ? Number.POSITIVE_INFINITY : 0;
    },
  ],
  [
    "max",
    (_, __, operands, types) => {
      const row = greatest(operands, types);
      return row === null ? 0 : (list(operands[0] as Value)[row] as number);
    },
  ],
  ["first", (_, __, [flags]) => list(flags as Value).findIndex((each) => each !== 0) + 1],
  ["any", (_, __, [flags]) => flag(list(flags as Value).some((each) => each !== 0))],
  ["all", (_, __, [flags]) => flag(list(flags as Value).every((each) => each !== 0))],
  [
    "mean",
    (_, __, [x]) => {
      const all = list(x as Value);
      // The number of rows divides every entry.
      return all.reduce((sum, each) => sum + each / all.length, 0);
    },
  ],
  ["multiply", rowwise((_, a, b) => product(a, b))],
  ["quotient", divided((a, b) => (endless(b) ? 0 : Math.floor(a / b)))],
  ["remainder", divided((a, b) => (endless(b) ? a : a % b))],
  ["finite", rowwise((_, a) => (endless(a) ? 0 : a))],
  ...CROSSINGS.flatMap(crossings),
]);

/** The operations that the page knows. */
export const KNOWN: readonly string[] = ["state", ...MEANING.keys()];
