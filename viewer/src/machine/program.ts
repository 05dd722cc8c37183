/** The program that a model carries, from its text: the twin of src/hyloop/lang/text.py. */

import type { Kind, Scope } from "../trace";
import { Refusal } from "./refusal";
import { parseSize, type Size } from "./size";

export interface Type {
  readonly kind: Kind;
  readonly scope: Scope;
}

/** A constant: infinite lengths are Infinity, none is null. */
export type Constant = number | boolean | null;

export interface Op {
  readonly name: string;
  readonly operands: readonly number[];
  /** The text of its constant part: a name, a scope or a constant; "" if it has none. */
  readonly argument: string;
  readonly type: Type;
  readonly label: string;
  /** The line of the program's text that it is in, from 1. */
  readonly line?: number;
}

export interface Input {
  readonly name: string;
  readonly type: Type;
  readonly atMost: bigint | null;
}

export interface State {
  readonly name: string;
  readonly type: Type;
  readonly initial: Constant;
  readonly atMost: Size | null;
  readonly line?: number;
}

export interface Output {
  readonly name: string;
  readonly state: string;
  readonly form: "value" | "total" | "stream";
  readonly known: string | null;
  readonly unless: string | null;
  readonly of: string | null;
  readonly over: string | null;
  readonly place: number | null;
}

export interface Section {
  readonly ops: readonly Op[];
  readonly updates: ReadonlyMap<string, number>;
  readonly stop: number | null;
}

export interface Program {
  readonly name: string;
  readonly about: string;
  readonly inputs: readonly Input[];
  readonly states: readonly State[];
  readonly before: Section;
  readonly body: Section;
  readonly atMost: Size;
  readonly outputs: readonly Output[];
}

/** Whether there are statements before the loop: they are the first iteration. */
export function begins(program: Program): boolean {
  return program.before.updates.size > 0;
}

/** The iterations that a run may take, the first one included; Infinity beyond what a number counts. */
export function mostIterations(program: Program, vertices: number, hyperedges: number): number {
  const most = program.atMost(vertices, hyperedges) + (begins(program) ? 1n : 0n);
  return most <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(most) : Number.POSITIVE_INFINITY;
}

/** Operations that tell tails from heads. */
export function usesDirection(program: Program): boolean {
  return [...program.before.ops, ...program.body.ops].some(({ name }) => /^(tails|heads)(_|$)/.test(name));
}

export interface Assignment {
  readonly op: number;
  readonly value: number;
  readonly mask: number | null;
}

/** The assignments to a state, the last one first; what stands before one on all rows has no effect. */
export function assignments(section: Section, state: string): Assignment[] {
  const found: Assignment[] = [];
  let at = section.updates.get(state);
  while (at !== undefined) {
    const op = section.ops[at] as Op;
    if (op.name === "state" && op.argument === state) break;
    if (op.name !== "where") {
      found.push({ op: at, value: at, mask: null });
      break;
    }
    const [mask, value, before] = op.operands as [number, number, number];
    found.push({ op: at, value, mask });
    at = before;
  }
  return found;
}

export function constantOf(text: string): Constant {
  const known: Readonly<Record<string, Constant>> = {
    true: true,
    false: false,
    none: null,
    infinity: Number.POSITIVE_INFINITY,
  };
  if (Object.hasOwn(known, text)) return known[text] as Constant;
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new Refusal(`The program has the constant ${text.slice(0, 50)}.`);
  return value;
}

// -- reading ----------------------------------------------------------------------------------------------------------

const WORD = "[^\\s:=%@\\[\\]]+";
const NAME = `${WORD}(?:\\[\\d+\\])?`;
const TYPE = "(?<kind>\\w+)(?:\\[(?<scope>\\w+)\\])?";
const PLACE = "@.*:\\d+:\\d+-\\d+";
const INPUT = new RegExp(`^input (?<name>${WORD}): ${TYPE}(?: at most (?<most>\\d+))?$`);
const STATE = new RegExp(
  `^state (?<name>${NAME}): ${TYPE}(?: at most (?<most>[^=@]+?))? = (?<initial>\\w+)  ${PLACE}$`,
);
const OP = new RegExp(
  `^(?<number>\\d+) (?<op>\\w+)(?: (?<argument>[^%:\\s][^%:]*?))?(?<operands>(?: %\\d+)*): ${TYPE}` +
    `(?: (?<label>${NAME}))?  ${PLACE}$`,
);
const UPDATE = new RegExp(`^(?<name>${NAME}) := (?<number>\\d+)$`);
const OUTPUT = new RegExp(
  `^output (?<name>${WORD})(?:\\[(?<at>\\d+)\\])? = (?:(?<form>total|stream) )?(?<state>${NAME})` +
    `(?: known (?<known>${NAME}))?(?: unless (?<unless>${NAME}))?(?: of (?<of>${NAME}))?(?: over (?<over>${NAME}))?$`,
);
const KINDS: readonly string[] = ["flag", "count", "length", "vertex", "hyperedge"];
const SCOPES: readonly string[] = ["scalar", "vertices", "hyperedges"];

interface Draft {
  name: string;
  about: string;
  inputs: Input[];
  states: State[];
  outputs: Output[];
  atMost: Size | null;
  sections: Map<"before" | "body", { ops: Op[]; updates: Map<string, number>; stop: number | null }>;
  current: "before" | "body" | null;
  /** Of the text, that is being read. */
  line: number;
}

export function parseProgram(text: string): Program {
  const draft: Draft = {
    name: "",
    about: "",
    inputs: [],
    states: [],
    outputs: [],
    atMost: null,
    sections: new Map(),
    current: null,
    line: 0,
  };
  text.split("\n").forEach((line, k) => {
    draft.line = k + 1;
    if (line.trim() !== "" && !read(draft, line.trim()))
      throw new Refusal(`Line ${k + 1} of the program's text cannot be read: ${line.trim().slice(0, 200)}`);
  });
  const { atMost, name, about, inputs, states, outputs } = draft;
  const section = (name: "before" | "body"): Section =>
    draft.sections.get(name) ?? { ops: [], updates: new Map(), stop: null };
  const body = section("body");
  if (!draft.name || !atMost || body.stop === null) throw new Refusal("The program's text has no name or no loop.");
  return { name, about, inputs, states, outputs, before: section("before"), body, atMost };
}

/** One line; false for one that is not of the form it should have. */
function read(draft: Draft, line: string): boolean {
  const [word, rest] = [/^\S*/.exec(line)?.[0] ?? "", line.slice(line.indexOf(" ") + 1)];
  if (UPDATE.test(line)) return readUpdate(draft, line);
  if (/^[0-9]/.test(word)) return readOp(draft, line);
  const reader = Object.hasOwn(READ, word) ? READ[word] : undefined;
  return reader?.(draft, line, rest) ?? false;
}

const READ: Readonly<Record<string, (draft: Draft, line: string, rest: string) => boolean>> = {
  algorithm: (draft, _, rest) => {
    draft.name = rest;
    return true;
  },
  about: (draft, _, rest) => {
    draft.about = String(JSON.parse(rest));
    return true;
  },
  input: (draft, line) => {
    const found = INPUT.exec(line)?.groups;
    const type = found && typeOf(found);
    if (!found || !type) return false;
    draft.inputs.push({ name: found.name as string, type, atMost: found.most ? BigInt(found.most) : null });
    return true;
  },
  state: (draft, line) => {
    const found = STATE.exec(line)?.groups;
    const type = found && typeOf(found);
    if (!found || !type) return false;
    const initial = constantOf(found.initial as string);
    const atMost = found.most ? parseSize(found.most) : null;
    draft.states.push({ name: found.name as string, type, initial, atMost, line: draft.line });
    return true;
  },
  before: (draft) => begin(draft, "before"),
  loop: (draft, _, rest) => {
    if (!rest.startsWith("at most ")) return false;
    draft.atMost = parseSize(rest.slice("at most ".length));
    return begin(draft, "body");
  },
  stop: (draft, _, rest) => {
    const here = draft.current && draft.sections.get(draft.current);
    if (!here || !/^\d+$/.test(rest)) return false;
    here.stop = Number(rest);
    return true;
  },
  output: (draft, line) => {
    const found = OUTPUT.exec(line)?.groups;
    if (!found) return false;
    draft.outputs.push({
      name: found.name as string,
      state: found.state as string,
      form: (found.form as Output["form"]) ?? "value",
      known: found.known ?? null,
      unless: found.unless ?? null,
      of: found.of ?? null,
      over: found.over ?? null,
      place: found.at === undefined ? null : Number(found.at),
    });
    return true;
  },
};

function begin(draft: Draft, name: "before" | "body"): boolean {
  if (draft.sections.has(name)) return false;
  draft.sections.set(name, { ops: [], updates: new Map(), stop: null });
  draft.current = name;
  return true;
}

function readOp(draft: Draft, line: string): boolean {
  const found = OP.exec(line)?.groups;
  const here = draft.current && draft.sections.get(draft.current);
  const type = found && typeOf(found);
  if (!found || !here || !type || Number(found.number) !== here.ops.length) return false;
  const operands = (found.operands as string).match(/\d+/g)?.map(Number) ?? [];
  if (operands.some((each) => each >= here.ops.length)) return false;
  here.ops.push({
    name: found.op as string,
    operands,
    argument: found.argument ?? "",
    type,
    label: found.label ?? "",
    line: draft.line,
  });
  return true;
}

function readUpdate(draft: Draft, line: string): boolean {
  const found = UPDATE.exec(line)?.groups;
  const here = draft.current && draft.sections.get(draft.current);
  if (!found || !here || Number(found.number) >= here.ops.length) return false;
  here.updates.set(found.name as string, Number(found.number));
  return true;
}

function typeOf(found: Readonly<Record<string, string | undefined>>): Type | null {
  const [kind, scope] = [found.kind ?? "", found.scope ?? "scalar"];
  return KINDS.includes(kind) && SCOPES.includes(scope) ? { kind: kind as Kind, scope: scope as Scope } : null;
}
