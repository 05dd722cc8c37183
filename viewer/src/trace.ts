// The trace document, as docs/traces.md specifies it.

import { unreadable } from "./check";
import { misfit } from "./fits";
import { type JsonLabel, type Label, labelFromJson } from "./labels";

export type Kind = "flag" | "count" | "length" | "vertex" | "hyperedge";
export type Scope = "scalar" | "vertices" | "hyperedges";
export type Section = "before" | "body" | "";
export type HeadKind =
  | "plain"
  | "incidence"
  | "transposed"
  | "tails"
  | "tails_transposed"
  | "heads"
  | "heads_transposed";

export type Part =
  | "value"
  | "one-hot"
  | "count"
  | "lacking"
  | "any-lacking"
  | "candidates"
  | "assignment"
  | "gate"
  | "halt";

/** An operation of the program (section and number), which part of it, and whether of the next iteration. */
export type Purpose = [section: "before" | "body", op: number, part: Part, ahead: boolean];

export interface Operation {
  section: "before" | "body";
  op: number;
  name: string;
  label: string;
  kind: Kind;
  scope: Scope;
  operands: number[];
  /** The states whose new value it is. */
  assigns: string[];
  line: number;
  /** The lines that assign it to a state, where they are others. */
  elsewhere?: { state: string; line: number }[];
}

export interface Changes {
  initial: number | number[];
  frame: number[];
  /** -1: every row becomes the value. */
  row: number[];
  value: number[];
  line?: number[];
}

export interface Variable {
  name: string;
  kind: Kind;
  scope: Scope;
  role: "state" | "local" | "halt";
  column: number;
  section: Section;
  from: number;
  until: number;
  line: number;
  output: boolean;
  /** Whether the program has a name for it; else `name` is its expression. */
  named: boolean;
  /** For what the language added it, to run loops in loops; not in older files, nor where its author declared it. */
  made?: Made;
  /** Of an output: the answer has it only where this flag of the same rows is set, or is not set. */
  known?: string;
  unless?: string;
}

export type Made = "" | "phase" | "rounds" | "times" | "held" | "each" | "coming";

/** A function that the algorithm calls, with its lines and the first line of what it says of itself. */
export interface CalledFunction {
  name: string;
  about: string;
  first: number;
  last: number;
}

/** A local of the program, as the interpreter computed it, at the ends of iterations. */
export interface Interpreted {
  name: string;
  kind: Kind;
  scope: Scope;
  line: number;
  section: "before" | "body";
  initial: number;
  frame: number[];
  row: number[];
  value: number[];
}

export interface Head {
  kind: HeadKind;
  query: Purpose[];
  key: Purpose[];
  value: { column: number; for: Purpose[] }[];
  empties: number[];
  columns: number[];
}

export interface Layer {
  heads: Head[];
  units: { count: number; stages: { carries: boolean; for: Purpose[] }[][]; columns: number[] };
}

export type Role =
  | "bias"
  | "position"
  | "class"
  | "weight"
  | "size"
  | "input"
  | "state"
  | "ahead"
  | "started"
  | "halt"
  | "temporary"
  | "spare"
  | "value";

export interface Column {
  name: string;
  scope: "global" | "array" | "uniform";
  role: Role;
  /** Which state, input, class of rows or position. */
  of: string;
  for: Purpose[];
}

export interface Attention {
  layer: number;
  head: number;
  frame: number[];
  /** 0: all rows attend to the same row; 1: each row attends to itself; 2: see `links`. */
  pattern: number[];
  row: number[];
  ties: number[];
  margin: (number | null)[];
  start: number[];
  links: { query: number[]; row: number[]; ties: number[]; margin: (number | null)[] };
}

export interface FirstDifference {
  frame: number;
  variable: string;
  row: number;
  expected: number;
  found: number;
}

export interface Differences {
  first: FirstDifference | null;
  more: boolean;
  values: { [variable: string]: { frame: number[]; row: number[]; expected: number[] } };
}

export interface Shows {
  value: string | null;
  settled: string | null;
  frontier: { vertices: string | null; hyperedges: string | null };
  current: string[];
  predecessor: string | null;
  through: string | null;
}

/** What an author tells of a loop: text, and operations of it, which stand for their values. */
export interface Note {
  about: (string | number)[];
  /** Said of every row of its arrays. */
  each: (string | number)[];
  /** The flag that says whether the loop runs in an iteration; without one it always does. */
  guard?: number;
}

/** What the result has under a name: a state, its sum, what it is after iterations, or one state divided by another. */
export interface OutputRecord {
  name: string;
  state: string;
  form: "value" | "total" | "stream";
  over?: string;
}

export type { Label };

export interface Trace {
  format: "hyloop-trace";
  version: 2;
  hyloop: string;
  algorithm: {
    name: string;
    about: string;
    file: string;
    source: string[];
    first: number;
    listing: boolean;
    begins: boolean;
    ops: Operation[];
    functions?: CalledFunction[];
    notes?: Note[];
    /** What the result has, in its order; not in older files. */
    outputs?: OutputRecord[];
    /** What its outputs mean, if it is one of hyloop's own. */
    meaning?: string;
    /** Whether it is one of hyloop's own; not in older files. */
    shipped?: boolean;
  };
  inputs: { name: string; kind: Kind; value: number }[];
  /** The inputs that are arrays and stand in no column, since nothing depends on them. */
  arrays?: { name: string; kind: Kind; scope: "vertices" | "hyperedges"; values: number[] }[];
  hypergraph: {
    name: string;
    vertices: Label[];
    hyperedges: Label[];
    weights: string[];
    members: number[][];
    /** Of a directed hypergraph: the members that each hyperedge leads from, and those that it leads to. */
    tails?: number[][];
    heads?: number[][];
    positions: { vertices: [number, number][]; hyperedges: [number, number][] };
  };
  unit: string;
  model: {
    name: string;
    dtype: "float64" | "float32";
    rows: number;
    weight: number;
    infinity: number;
    verified?: "compiled" | "reproduced" | "proved" | "unverified";
    columns: Column[];
    layers: Layer[];
  };
  recorded: {
    layers: boolean;
    every: number;
    first: number | null;
    last: number | null;
    iterations: number;
    halted: boolean;
    stopped: string;
    backend: string;
  };
  frames: { iteration: number[]; layer: number[] };
  columns: Changes[];
  variables: Variable[];
  program: Interpreted[];
  attention: Attention[];
  differences: Differences;
  shows: Shows;
}

/** The document as a trace, or an error that says why it is not one. */
export function asTrace(document: unknown): Trace {
  const trace = document as Partial<Trace> | null;
  if (trace === null || typeof trace !== "object" || trace.format !== "hyloop-trace") {
    throw new Error("This is not a trace of hyloop. Write one with: hyloop trace ALGORITHM FILE -o run.html");
  }
  if (trace.version !== 2) {
    throw new Error(
      `This trace has version ${String(trace.version)}; this viewer reads version 2. Record the run again with hyloop trace.`,
    );
  }
  const wrong = unreadable(trace) ?? unfitting(withLabels(trace as Trace));
  if (wrong !== null) {
    throw new Error(`The trace in this page cannot be read: ${wrong}. Write the page again with hyloop trace.`);
  }
  return trace as Trace;
}

/** The trace itself, its labels read. */
function withLabels(trace: Trace): Trace {
  const h = trace.hypergraph;
  for (const scope of ["vertices", "hyperedges"] as const) h[scope] = (h[scope] as JsonLabel[]).map(labelFromJson);
  return trace;
}

function unfitting(trace: Trace): string | null {
  const part = misfit(trace);
  return part === null ? null : `its parts do not fit together: ${part}`;
}

/** Whether nobody vouches for the model of a run: its weights may have been edited. */
export function isUnverified({ model }: Pick<Trace, "model">): boolean {
  return model.verified === "unverified";
}
