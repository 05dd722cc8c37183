// The trace document, as docs/traces.md specifies it.

import { unreadable } from "./check";

export type Kind = "flag" | "count" | "length" | "vertex" | "hyperedge";
export type Scope = "scalar" | "vertices" | "hyperedges";
export type Section = "before" | "body" | "";
export type HeadKind = "plain" | "incidence" | "transposed";

/** Source lines of the statements before the loop, and of the loop. */
export interface Lines {
  before: number[];
  body: number[];
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
  serves: string[];
  lines: Lines;
  columns: number[];
}

export interface Layer {
  heads: Head[];
  units: { count: number; serves: string[]; lines: Lines; columns: number[] };
  lines: Lines;
}

export interface Column {
  name: string;
  scope: "global" | "array" | "uniform";
  holds: string;
}

export interface Attention {
  layer: number;
  head: number;
  frame: number[];
  /** 0: all rows look at one and the same; 1: each row looks at itself; 2: see `links`. */
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

export type Label = string | number;

export interface Trace {
  format: "hyloop-trace";
  version: 1;
  hyloop: string;
  algorithm: {
    name: string;
    about: string;
    file: string;
    source: string[];
    first: number;
    listing: boolean;
    begins: boolean;
  };
  inputs: { name: string; kind: Kind; value: number }[];
  hypergraph: {
    name: string;
    vertices: Label[];
    hyperedges: Label[];
    weights: string[];
    members: number[][];
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
  };
  frames: { iteration: number[]; layer: number[] };
  columns: Changes[];
  variables: Variable[];
  program: Interpreted[];
  attention: Attention[];
  differences: Differences;
  shows: Shows;
}

/** The document as a trace, or an error that says why it is none. */
export function asTrace(document: unknown): Trace {
  const trace = document as Partial<Trace> | null;
  if (trace === null || typeof trace !== "object" || trace.format !== "hyloop-trace") {
    throw new Error("This is not a trace of hyloop. Write one with: hyloop trace ALGORITHM FILE -o run.html");
  }
  if (trace.version !== 1) {
    throw new Error(
      `This trace has version ${String(trace.version)}; this viewer reads version 1. Use the viewer of the hyloop that wrote it.`,
    );
  }
  const wrong = unreadable(trace) ?? misfit(trace as Trace);
  if (wrong !== null) {
    throw new Error(`The trace in this page cannot be read: ${wrong}. Write the page anew with hyloop trace.`);
  }
  return trace as Trace;
}

/** Which parts do not fit each other; null if all do. */
function misfit({ hypergraph: h, frames, model, columns, variables, program, attention, differences }: Trace) {
  const [n, m, total] = [h.vertices.length, h.hyperedges.length, frames.iteration.length];
  const rows = Math.max(n, m, 1);
  const rules: [string, boolean][] = [
    ["hyperedges", [h.weights, h.members, h.positions.hyperedges].every((part) => part.length === m)],
    ["vertices", h.positions.vertices.length === n],
    ["members", h.members.every((members) => members.every((vertex) => vertex <= n))],
    ["frames", total > 0 && frames.layer.length === total],
    ["columns", columns.length === model.columns.length],
    ["variables", variables.every(({ column }) => column < columns.length)],
    ["changes", [...columns, ...program].every((changes) => inStep(changes, total, rows))],
    ["attention", attention.every(attentionFits)],
    ["differences", Object.values(differences.values).every((d) => sameLength(d.frame, d.row, d.expected))],
    ["differences", differing(differences).every((name) => variables.some((variable) => variable.name === name))],
  ];
  const wrong = rules.find(([, holds]) => !holds);
  return wrong ? `its ${wrong[0]} do not fit together` : null;
}

function differing({ first, values }: Differences): string[] {
  return [...(first ? [first.variable] : []), ...Object.keys(values)];
}

function inStep({ initial, frame, row, value, line }: Changes | Interpreted, total: number, rows: number): boolean {
  return (
    sameLength(frame, row, value, Array.isArray(line) ? line : value) &&
    frame.every((at, k) => at < total && (k === 0 || at >= (frame[k - 1] as number))) &&
    row.every((at) => at <= rows) &&
    (typeof initial === "number" || initial.length === rows + 1)
  );
}

function attentionFits({ frame, pattern, row, ties, margin, start, links }: Attention): boolean {
  return (
    sameLength(frame, pattern, row, ties, margin) &&
    start.length === frame.length + 1 &&
    start.every((at, k) => k === 0 || at >= (start[k - 1] as number)) &&
    sameLength(links.query, links.row, links.ties, links.margin) &&
    links.query.length === start[start.length - 1]
  );
}

function sameLength(...lists: readonly (readonly unknown[])[]): boolean {
  return lists.every((list) => Array.isArray(list) && list.length === lists[0]?.length);
}
