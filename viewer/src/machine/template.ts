/**
 * What a recording says of a model that does not depend on its input, from the model's file alone: the twin of
 * src/hyloop/recording/describe.py. The program is shown as its listing, since a model file has no source.
 */

import type { Column, Head, Interpreted, Layer, Operation, OutputRecord, Trace, Variable } from "../trace";
import type { Model } from "./model";
import { localPlaces } from "./places";
import { begins, type Op, type Program, type Section } from "./program";
import { type NamedLocal, showsOf } from "./shows";

/** Of a model file's document, what the page's model leaves out; `asTrace` checks it. */
interface Described {
  readonly program: string;
  readonly dtype: "float64";
  readonly columns: readonly Column[];
  readonly layers: readonly {
    readonly heads: readonly Omit<Head, "columns">[];
    readonly units: Layer["units"]["stages"];
  }[];
}

const SECTIONS = ["before", "body"] as const;

/** A trace without a run: a template for `record`. */
export function templateOf(model: Model, document: unknown): Trace {
  const described = document as Described;
  const { program } = model;
  const source = described.program.split("\n");
  const named = namedLocals(program);
  return {
    format: "hyloop-trace",
    version: 2,
    hyloop: "",
    algorithm: {
      name: program.name,
      about: program.about,
      file: `${program.name} (listing)`,
      source: source.at(-1) === "" ? source.slice(0, -1) : source,
      first: 1,
      listing: true,
      outputs: outputsOf(program),
      shipped: false,
      begins: begins(program),
      ops: SECTIONS.flatMap((section) => operations(section, program[section])),
    },
    inputs: program.inputs
      .filter(({ type }) => type.scope === "scalar")
      .map(({ name, type }) => ({ name, kind: type.kind, value: 0 })),
    hypergraph: {
      name: "",
      vertices: [],
      hyperedges: [],
      weights: [],
      members: [],
      positions: { vertices: [], hyperedges: [] },
    },
    unit: "1",
    model: modelDocument(model, described),
    recorded: {
      ...{ layers: true, every: 1, first: null, last: null },
      ...{ iterations: 0, halted: false, stopped: "", backend: "page" },
    },
    frames: { iteration: [0], layer: [0] },
    columns: [],
    variables: variables(model),
    program: named.map((each) => interpreted(program, each)),
    attention: [],
    differences: { first: null, more: false, values: {} },
    shows: showsOf(program, named),
  };
}

function operations(section: "before" | "body", { ops, updates }: Section): Operation[] {
  return ops.map(({ name, label, argument, type, operands, line }, op) => ({
    section,
    op,
    name,
    label: label || (name === "state" || name === "input" ? argument : ""),
    kind: type.kind,
    scope: type.scope,
    operands: [...operands],
    assigns: [...updates].filter(([, value]) => value === op).map(([state]) => state),
    line: line ?? 0,
  }));
}

function outputsOf({ outputs }: Program): OutputRecord[] {
  return outputs.map(({ name, state, form, over }) => ({ name, state, form, ...(over !== null && { over }) }));
}

function modelDocument(model: Model, { dtype, columns, layers }: Described): Trace["model"] {
  return {
    name: model.name,
    dtype,
    rows: model.capacity.rows,
    weight: model.capacity.weight,
    infinity: model.infinity,
    verified: "unverified",
    columns: columns.map(({ name, scope, role, of, for: purposes }) => ({ name, scope, role, of, for: purposes })),
    layers: model.layers.map(({ heads, stages, writes }, k) => ({
      heads: heads.map((head, place) => {
        const { kind, query, key, value, empties } = (layers[k] as Described["layers"][number]).heads[place] as Head;
        return { kind, query, key, value, empties, columns: [...head.writes] };
      }),
      units: { count: stages[0].length, stages: layers[k]?.units as Layer["units"]["stages"], columns: [...writes] },
    })),
  };
}

/** The named locals, each once: the last operation of that name in its section, in the order in which names come up. */
function namedLocals(program: Program): NamedLocal[] {
  const found = new Map<string, NamedLocal>();
  for (const section of SECTIONS) {
    program[section].ops.forEach(({ name, label }, op) => {
      if (label !== "" && name !== "input") found.set(`${section} ${label}`, { name: label, section, op });
    });
  }
  return [...found.values()];
}

function interpreted(program: Program, { name, section, op }: NamedLocal): Interpreted {
  const { type, line } = program[section].ops[op] as Op;
  const changes = { initial: 0, frame: [], row: [], value: [] };
  return { name, kind: type.kind, scope: type.scope, line: line ?? 0, section, ...changes };
}

/** The states, the halt flag, and the locals that are in a column after a layer. */
function variables(model: Model): Variable[] {
  const { program } = model;
  const unique = uniqueNames();
  const last = model.layers.length;
  const outputs = new Set(program.outputs.map(({ state }) => state));
  const kept = { section: "", from: 0, until: last, named: true } as const;
  const states = program.states.map(({ name, type, line }): Variable => {
    const column = model.states.get(name) as number;
    const output = outputs.has(name);
    const placed = { name: unique(name, 0), ...type, role: "state", column, ...kept, line: line ?? 0, output } as const;
    return { ...placed, ...whereOf(program, name) };
  });
  const stop = program.body.ops[program.body.stop as number]?.line ?? 0;
  const flag = { kind: "flag", scope: "scalar" } as const;
  const halt = { name: unique("halt", 0), ...flag, role: "halt", column: model.halt, ...kept, line: stop } as const;
  const locals = localPlaces(model).map(({ section, op, column, from, until }): Variable => {
    const { name, label, type, line = 0 } = program[section].ops[op] as Op;
    const shown = unique(label || `${name} %${op}`, line);
    return {
      ...{ name: shown, ...type, role: "local", column, section, from, until, line },
      ...{ output: false, named: label !== "" },
    };
  });
  return [...states, { ...halt, output: false }, ...locals];
}

/** Where the answer has a state, if every output of it says the same. */
function whereOf({ outputs }: Program, state: string): Pick<Variable, "known" | "unless"> {
  const [first, ...others] = outputs.filter((each) => each.state === state);
  if (!first || others.some(({ known, unless }) => known !== first.known || unless !== first.unless)) return {};
  return {
    ...(first.known !== null && { known: first.known }),
    ...(first.unless !== null && { unless: first.unless }),
  };
}

/** Makes names unique: the line, then a number, is appended to a name that is taken. */
function uniqueNames(): (name: string, line: number) => string {
  const taken = new Set<string>();
  return (name, line) => {
    const tries = [name, ...(line > 0 ? [`${name} (line ${line})`] : [])];
    let found = tries.find((each) => !taken.has(each));
    for (let number = 2; found === undefined; number++)
      found = taken.has(`${name} (${number})`) ? undefined : `${name} (${number})`;
    taken.add(found);
    return found;
  };
}
