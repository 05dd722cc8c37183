// The schema of a trace. Invalid documents are refused: a guess would be shown as a fact.

import { isLongInteger } from "./labels";
import { parseFraction, written } from "./numbers";

/** What is wrong with a value, and where in it: ".unit: expected ..."; null if nothing is. */
type Check = (value: unknown) => string | null;

const leaf =
  (expected: string, holds: (value: unknown) => boolean): Check =>
  (value) =>
    holds(value) ? null : `: expected ${expected}, found ${found(value)}`;

const isWhole = (value: unknown, least: number): boolean => Number.isSafeInteger(value) && (value as number) >= least;
/** A lone surrogate is not text: Python cannot write it either. */
const isText = (value: unknown): boolean => typeof value === "string" && !/\p{Surrogate}/u.test(value);
const text = leaf("text", isText);
const flag = leaf("true or false", (value) => typeof value === "boolean");
const number = leaf("a number", Number.isFinite);
const count = leaf("a whole number of at least 0", (value) => isWhole(value, 0));
const asked = leaf("a whole number of at least 1", (value) => isWhole(value, 1));
const zero = leaf("0", (value) => value === 0);
const row = leaf("a row", (value) => isWhole(value, -1));
const oneOf = (...names: string[]): Check => leaf(names.join(", "), (value) => names.includes(value as string));
const positive = leaf("a positive number as hyloop writes it, such as 3, 0.25 or 1/3", (value) => {
  const fraction = typeof value === "string" ? parseFraction(value) : null;
  return fraction !== null && fraction.top > 0n && written(fraction) === value;
});
const label = leaf(
  "text or an integer",
  (value) => isText(value) || Number.isSafeInteger(value) || isLongInteger(value),
);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? null : check(value);
/** An optional field, as in older files. */
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? null : check(value);

const list =
  (of: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return `: expected a list, found ${found(value)}`;
    for (let k = 0; k < value.length; k++) {
      const wrong = of(value[k]);
      if (wrong !== null) return `[${k}]${wrong}`;
    }
    return null;
  };

const record =
  (parts: { readonly [name: string]: Check }): Check =>
  (value) => {
    if (value === null || typeof value !== "object" || Array.isArray(value))
      return `: expected an object, found ${found(value)}`;
    for (const [name, check] of Object.entries(parts)) {
      const wrong = check(Object.hasOwn(value, name) ? (value as { [name: string]: unknown })[name] : undefined);
      if (wrong !== null) return `.${name}${wrong}`;
    }
    return null;
  };

const values =
  (of: Check): Check =>
  (value) =>
    record(Object.fromEntries(Object.keys(value ?? {}).map((name) => [name, of])))(value);

function found(value: unknown): string {
  if (value === undefined) return "nothing";
  const shown = typeof value === "object" ? (Array.isArray(value) ? "a list" : "an object") : JSON.stringify(value);
  return value === null ? "null" : shown.length <= 40 ? shown : `${shown.slice(0, 39)}…`;
}

export const kind = oneOf("flag", "count", "length", "vertex", "hyperedge");
const scope = oneOf("scalar", "vertices", "hyperedges");
const section = oneOf("before", "body");
const part = oneOf("value", "one-hot", "count", "lacking", "any-lacking", "candidates", "assignment", "gate", "halt");
const purpose: Check = (value) => {
  if (!Array.isArray(value) || value.length !== 4) return `: expected a purpose, found ${found(value)}`;
  const checks = [section, count, part, flag];
  const wrong = checks.map((check, k) => check(value[k])).find((each) => each !== null);
  return wrong ?? null;
};
const purposes = list(purpose);
const role = oneOf(
  ...["bias", "position", "class", "weight", "size", "input", "state", "ahead", "started", "halt", "temporary"],
  ...["spare", "value"],
);
const place: Check = (value) =>
  list(number)(value) ?? ((value as unknown[]).length === 2 ? null : ": expected two numbers");
const margins = list(orNull(number));
const name = orNull(text);
const changed = { frame: list(count), row: list(row), value: list(number) };
const initial: Check = (value) => (Array.isArray(value) ? list(number)(value) : number(value));

const inside = list(list(leaf("a vertex", (value) => isWhole(value, 1))));

const sentence = list(leaf("text or an operation", (value) => isText(value) || isWhole(value, 0)));

const TRACE = record({
  hyloop: text,
  algorithm: record({
    name: text,
    about: text,
    file: text,
    source: list(text),
    first: count,
    listing: flag,
    begins: flag,
    ops: list(
      record({
        section,
        op: count,
        name: text,
        label: text,
        kind,
        scope,
        operands: list(count),
        assigns: list(text),
        line: count,
        elsewhere: optional(list(record({ state: text, line: count }))),
      }),
    ),
    shipped: optional(flag),
    outputs: optional(
      list(record({ name: text, state: text, form: oneOf("value", "total", "stream"), over: optional(text) })),
    ),
    meaning: optional(text),
    functions: optional(list(record({ name: text, about: text, first: count, last: count }))),
    notes: optional(list(record({ about: sentence, each: sentence, guard: optional(count) }))),
  }),
  inputs: list(record({ name: text, kind, value: number })),
  arrays: optional(list(record({ name: text, kind, scope: oneOf("vertices", "hyperedges"), values: list(count) }))),
  hypergraph: record({
    name: text,
    vertices: list(label),
    hyperedges: list(label),
    weights: list(positive),
    members: inside,
    tails: optional(inside),
    heads: optional(inside),
    positions: record({ vertices: list(place), hyperedges: list(place) }),
  }),
  unit: positive,
  model: record({
    name: text,
    dtype: oneOf("float64", "float32"),
    rows: count,
    weight: count,
    infinity: number,
    verified: optional(oneOf("compiled", "reproduced", "proved", "unverified")),
    columns: list(record({ name: text, scope: oneOf("global", "array", "uniform"), role, of: text, for: purposes })),
    layers: list(
      record({
        heads: list(
          record({
            kind: oneOf("plain", "incidence", "transposed", "tails", "tails_transposed", "heads", "heads_transposed"),
            query: purposes,
            key: purposes,
            value: list(record({ column: count, for: purposes })),
            empties: list(count),
            columns: list(count),
          }),
        ),
        units: record({
          count,
          stages: list(list(record({ carries: flag, for: purposes }))),
          columns: list(count),
        }),
      }),
    ),
  }),
  recorded: record({
    layers: flag,
    every: asked,
    first: orNull(asked),
    last: orNull(asked),
    iterations: count,
    halted: flag,
    stopped: text,
    backend: text,
  }),
  frames: record({ iteration: list(count), layer: list(count) }),
  columns: list(record({ initial, ...changed, line: optional(list(count)) })),
  variables: list(
    record({
      name: text,
      kind,
      scope,
      role: oneOf("state", "local", "halt"),
      column: count,
      section: oneOf("before", "body", ""),
      from: count,
      until: count,
      line: count,
      output: flag,
      named: flag,
      made: optional(oneOf("", "phase", "rounds", "times", "held", "each", "coming")),
      known: optional(text),
      unless: optional(text),
    }),
  ),
  program: list(record({ name: text, kind, scope, line: count, section, initial: zero, ...changed })),
  attention: list(
    record({
      layer: count,
      head: count,
      frame: list(count),
      pattern: list(oneOfNumbers(0, 1, 2)),
      row: list(row),
      ties: list(count),
      margin: margins,
      start: list(count),
      links: record({ query: list(count), row: list(count), ties: list(count), margin: margins }),
    }),
  ),
  differences: record({
    first: orNull(record({ frame: count, variable: text, row: count, expected: number, found: number })),
    more: flag,
    values: values(record({ frame: list(count), row: list(count), expected: list(number) })),
  }),
  shows: record({
    value: name,
    settled: name,
    frontier: record({ vertices: name, hyperedges: name }),
    current: list(text),
    predecessor: name,
    through: name,
  }),
});

function oneOfNumbers(...numbers: number[]): Check {
  return leaf(numbers.join(", "), (value) => numbers.includes(value as number));
}

/** The first invalid part of a document, as "unit: expected ..., found ..."; null if there is none. */
export function unreadable(document: unknown): string | null {
  return TRACE(document)?.slice(1) ?? null;
}

const inputs = list(record({ name: text, kind, scope }));

/** What `hyloop view` puts into the page. */
export const libraryProblem: Check = record({
  algorithms: list(
    record({
      ...{ name: text, about: text, inputs, model: text, template: text },
      ...{ short: optional(text), directed: optional(flag) },
    }),
  ),
  examples: list(record({ name: text, about: text, hif: text, positions: list(place) })),
});

/** The file that a page's hypergraph came from: its text, and the labels there. */
export const originProblem: Check = record({ hif: text, vertices: list(label), hyperedges: list(label) });

/** A label, a number as text, a flag, or nothing. */
const single: Check = (value) => (value === null || typeof value === "boolean" ? null : label(value));
const labels = list(label);
const placed: Check = (value) =>
  Array.isArray(value) && value.length === 2 ? (label(value[0]) ?? place(value[1])) : ": expected a label and a point";

/** A run as a link has it. */
export const runProblem: Check = record({
  hypergraph: record({
    name: text,
    vertices: labels,
    hyperedges: list(
      record({ name: label, weight: text, members: labels, tails: optional(labels), heads: optional(labels) }),
    ),
    directed: optional(flag),
  }),
  algorithm: text,
  inputs: values((value) => (Array.isArray(value) ? list(single)(value) : single(value))),
  positions: optional(record({ vertices: list(placed) })),
});
