// Names for what stands in the columns of X at a moment of a layer, and sums of columns as formulas in these names.

import type { Model, Sum } from "./machine/model";
import { assignments, type Op } from "./machine/program";
import { gateLines } from "./machine/statements";
import { numberText } from "./numbers";
import type { Recording } from "./recording";
import type { Purpose, Section } from "./trace";

/** Before a layer, between its attention and its MLP, or after it. */
export type Moment = "before" | "attended" | "after";

/** What stands in a column: its purpose, and its name in a sentence and in a formula. */
export interface Content {
  readonly purpose: Purpose;
  readonly text: string;
  readonly quoted: string;
}

type Infix = readonly [sign: string, strength: number];

/** Operations that are written between their operands; the stronger one binds its operands first. */
const INFIX: ReadonlyMap<string, Infix> = new Map<string, Infix>([
  ["or", [" or ", 1]],
  ["and", [" and ", 2]],
  ["equal", [" = ", 4]],
  ["less", [" < ", 4]],
  ["precedes", [" comes before ", 4]],
  ["add", [" + ", 5]],
  ["subtract", [" − ", 5]],
  ["multiply", [" × ", 6]],
]);
const NOT = 3;
const ATOM = 9;
/** Characters of an expression in a sentence or a formula. */
const LONGEST = 80;

/** The program's own words for its operations, and for the columns of a model. */
export class Naming {
  /** By section and number: the state that an operation is a version of; null for none. */
  readonly #versions = new Map<string, string | null>();

  constructor(
    readonly model: Model,
    readonly recording: Recording,
  ) {}

  get section(): Section {
    return this.recording.sectionOf(this.recording.frame);
  }

  op([section, op]: readonly [Section, number, ...unknown[]]): Op {
    const { before, body } = this.model.program;
    return (section === "before" ? before : body).ops[op] as Op;
  }

  /** Whether the language made a state, and not the author of the program. */
  isMade(state: string): boolean {
    return this.recording.isMade(state);
  }

  /** The name of a state, which says so if its author did not make it. */
  stateName(state: string): string {
    return this.recording.shown(state);
  }

  /**
   * The state that an operation is a version of: what statements of this iteration have made of it so far, which
   * later ones use; null for another operation.
   */
  version(section: Section, op: number): string | null {
    const key = `${section} ${op}`;
    const known = this.#versions.get(key);
    if (known !== undefined) return known;
    const found = this.#versionOf(section, op);
    this.#versions.set(key, found);
    return found;
  }

  #versionOf(section: Section, op: number): string | null {
    const { name, operands, label } = this.op([section, op]);
    if (name !== "where" || label !== "") return null;
    const [, value, before] = operands as [number, number, number];
    const under = this.op([section, before]);
    const state = under.name === "state" ? under.argument : this.version(section, before);
    if (state === null) return null;
    const program = this.model.program;
    const made = assignments(section === "before" ? program.before : program.body, state);
    return made.some((each) => each.value === value) ? this.stateName(state) : null;
  }

  /** "members and settled and distance + weight[edge] = best": an operation, down to what has a name. */
  expression(section: Section, op: number): string {
    return this.#written(section, op, 0, true);
  }

  /** The name of an operation, or else its expression; choices in brackets. */
  called(section: Section, op: number): string {
    return this.#written(section, op, 1, false);
  }

  /** The same for a sentence: an expression that is too long for one by its source line. */
  brief(section: Section, op: number, text = this.called(section, op)): string {
    if (text.length <= LONGEST) return text;
    const { line } = this.recording.operations.at(section as "before" | "body", op);
    return line > 0 ? `what line ${line} says` : `${this.op([section, op]).name}(…)`;
  }

  #written(section: Section, number: number, within: number, open: boolean): string {
    const op = this.op([section, number]);
    if (op.name === "state") return this.stateName(op.argument);
    if (op.label !== "" && !open) return op.label;
    const version = open ? null : this.version(section, number);
    if (version !== null) return `${version} by now`;
    const [text, strength] = this.#form(section, op);
    return strength < within ? `(${text})` : text;
  }

  #form(section: Section, op: Op): [text: string, strength: number] {
    const part = (k: number, within: number) => this.#written(section, op.operands[k] as number, within, false);
    const infix = INFIX.get(op.name);
    if (infix) {
      const [sign, strength] = infix;
      // "a or b and c" is read in two ways: with brackets, in one.
      const isMixed = (k: number) => op.name === "or" && this.op([section, op.operands[k] as number]).name === "and";
      const within = (k: number) => (isMixed(k) ? NOT : k === 0 ? strength : strength + 1);
      return [op.operands.map((_, k) => part(k, within(k))).join(sign), strength];
    }
    switch (op.name) {
      case "input":
        return [op.label || op.argument, ATOM];
      case "constant":
        return [constantText(op), ATOM];
      case "weight":
        return ["weight", ATOM];
      case "size":
        return [op.argument === "n_v" ? "number of vertices" : "number of hyperedges", ATOM];
      case "own":
        return [op.argument === "vertices" ? "this vertex" : "this hyperedge", ATOM];
      case "number":
      case "spread":
        return [part(0, 0), this.#strength(section, op.operands[0] as number)];
      case "not": {
        const denied = this.op([section, op.operands[0] as number]);
        if (denied.name !== "missing" || denied.label !== "") return [`not ${part(0, NOT)}`, NOT];
        return [`${this.#written(section, denied.operands[0] as number, ATOM, false)} is not none`, 4];
      }
      case "missing":
        return [`${part(0, ATOM)} is none`, 4];
      case "read":
        return [`${part(0, ATOM)}[${part(1, 0)}]`, ATOM];
      case "multiple":
        return [`${op.argument} × ${part(0, 6)}`, 6];
      case "where":
        return [`${part(1, 1)} where ${part(0, 1)} else ${part(2, 1)}`, 0];
      default:
        return [`${op.name}(${op.operands.map((_, k) => part(k, 0)).join(", ")})`, ATOM];
    }
  }

  #strength(section: Section, number: number): number {
    const op = this.op([section, number]);
    return op.label !== "" ? ATOM : this.#form(section, op)[1];
  }

  /** A purpose in the program's words: its name or expression, and which part of it. */
  purpose(purpose: Purpose): string {
    const [section, op, part, ahead] = purpose;
    const text = this.#part(purpose, part, this.#short(section, op));
    return ahead ? `${text} (next iteration)` : text;
  }

  /** Its name or expression; a long one by its operation and its line, and which of several such there it is. */
  #short(section: "before" | "body", op: number): string {
    const text = this.called(section, op);
    if (text.length <= LONGEST) return text;
    const { line, name } = this.recording.operations.at(section, op);
    const state = this.#assigned(section, op);
    if (state !== undefined) return `new ${this.stateName(state)}${line > 0 ? ` of line ${line}` : ""}`;
    const alike = this.recording.operations.alike(section, op);
    const which = alike.length > 1 ? ` ${alike.indexOf(op) + 1}` : "";
    return `${name}${which}${line > 0 ? ` of line ${line}` : ""}`;
  }

  /** The state that a statement gives the value of an operation to, if there is one. */
  #assigned(section: Section, op: number): string | undefined {
    const { before, body } = this.model.program;
    const here = section === "before" ? before : body;
    return [...here.updates.keys()].find((state) => assignments(here, state).some(({ value }) => value === op));
  }

  #part(purpose: Purpose, part: Purpose[2], name: string): string {
    switch (part) {
      case "value":
        return name;
      case "one-hot": {
        const pointer = this.op(purpose).operands[0];
        return `1 at ${pointer === undefined ? name : this.called(purpose[0], pointer)}`;
      }
      case "count":
        return `count of ${name}`;
      case "lacking":
        return `not ${name}`;
      case "any-lacking":
        return `any lacking for ${name}`;
      case "candidates":
        return `candidates for ${name}`;
      case "assignment":
        return `new ${this.recording.operations.name(purpose)}`;
      case "gate":
        return `whether ${this.recording.operations.name(purpose)} is written`;
      case "halt":
        return "halt";
    }
  }

  /** Purposes of the statements that run now, each once; those of the others where there are none. */
  purposes(all: readonly Purpose[]): string[] {
    return [...new Set(this.here(all).map((purpose) => this.purpose(purpose)))];
  }

  /** " (of the setup)", where purposes are those of other statements than the ones that run now. */
  whose(all: readonly Purpose[]): string {
    return this.idle(all) ? ` (of the ${this.others})` : "";
  }

  /** Whether purposes are only those of statements that do not run now: what is computed for these is not used. */
  idle(all: readonly Purpose[]): boolean {
    return all.length > 0 && all.every(([section]) => section !== this.section);
  }

  /** The statements that do not run now. */
  get others(): string {
    return this.section === "before" ? "loop" : "setup";
  }

  /** Those of the section that runs now; all of them if there are none. */
  here(all: readonly Purpose[]): readonly Purpose[] {
    const mine = all.filter(([section]) => section === this.section);
    const found = mine.length > 0 ? mine : all;
    // The state says it shorter than the choices that it is made of.
    const short = found.filter((purpose) => purpose[2] !== "value" || this.op(purpose).name !== "where");
    return short.length > 0 ? short : found;
  }

  /** What a column holds at a moment of a layer (from 1). */
  column(column: number, layer: number, moment: Moment): string {
    const { name, role, of } = this.model.columns[column] as Model["columns"][number];
    if (role === "input") return of;
    if (role === "state") return this.stateName(of);
    if (role === "halt") return of || name;
    const ahead = role === "ahead" ? (this.recording.trace.model.columns[column]?.for ?? []) : [];
    const [told] = ahead.map((purpose) => this.#quoted(purpose)).sort((a, b) => rank(a) - rank(b));
    return told ?? this.content(column, layer, moment)?.quoted ?? name;
  }

  /** A name as it is; anything longer in brackets, so that it can stand in a formula. */
  #quoted(purpose: Purpose, text = this.purpose(purpose)): string {
    const named = purpose[2] === "value" && !purpose[3] && this.op(purpose).label !== "";
    const whose = this.whose([purpose]);
    return named && whose === "" ? text : `‹${text}${whose}›`;
  }

  /** The purposes of what stands in a temporary column. */
  held(column: number, layer: number, moment: Moment): readonly Purpose[] {
    const about = this.recording.trace.model.layers[layer - 1];
    if (!about) return [];
    if (moment === "after") {
      const found = this.#after(column, layer);
      // What nobody reads any more still stands there, if nothing was added to it.
      return found.length > 0 || about.units.columns.includes(column) ? found : this.held(column, layer, "attended");
    }
    if (moment === "attended") {
      const brought = about.heads.flatMap(({ value }) => value.filter((each) => each.column === column));
      if (brought.length > 0) return brought.flatMap((each) => each.for);
      if (about.heads.some(({ columns }) => columns.includes(column))) return [];
    }
    return this.held(column, layer - 1, "after");
  }

  #after(column: number, layer: number): readonly Purpose[] {
    const found = this.model.held.find((each) => each.column === column && each.layer === layer);
    return found?.for ?? [];
  }

  /** What a temporary column holds for the statements that run now, or else for the others; null: nothing known. */
  content(column: number, layer: number, moment: Moment): Content | null {
    const held = this.held(column, layer, moment);
    const here = held.filter(([section]) => section === this.section);
    // All of them are that number: the shortest name will do, and one of the program's own is better.
    const named = (purpose: Purpose) => rank(this.#quoted(purpose));
    const [purpose] = [...(here.length > 0 ? here : held)].sort((a, b) => named(a) - named(b));
    if (!purpose) return null;
    const text = this.#effect(purpose, column, layer, moment) || this.purpose(purpose);
    return { purpose, text: text + this.whose([purpose]), quoted: this.#quoted(purpose, text) };
  }

  /** "whether line 26 takes effect": of the gates to a state, which one; "" where that is not known. */
  #effect(purpose: Purpose, column: number, layer: number, moment: Moment): string {
    const lines = purpose[2] === "gate" ? gateLines(this, column, layer, moment) : [];
    if (lines.length === 0) return "";
    return lines.length === 1
      ? `whether line ${lines[0]} takes effect`
      : `whether lines ${lines.join(", ")} take effect`;
  }

  /** Whether a column is the one of ones on row 0, or on all others. */
  #bias(column: number): string {
    const { role, of } = this.model.columns[column] as Model["columns"][number];
    return role === "bias" ? of : "";
  }

  /** A sum of columns as a formula: "Ω − Ω·hyperedges + key". The two columns of ones together are a constant. */
  formula(sum: Sum, name: (column: number) => string): string {
    return this.sum(this.#terms(sum, name));
  }

  /** Whether a sum is the same number on every row. */
  constant(sum: Sum): boolean {
    return sum.from.length > 0 && this.#terms(sum, () => "x").every(({ name }) => name === "");
  }

  #terms({ from, weight }: Sum, name: (column: number) => string): Term[] {
    const ones = from.map((column, k) => ({ of: this.#bias(column), weight: weight[k] as number }));
    const weightOf = (of: string) => ones.find((each) => each.of === of)?.weight;
    const constant = weightOf("global") !== undefined && weightOf("global") === weightOf("rows");
    const terms: Term[] = [];
    from.forEach((column, k) => {
      const each = { name: name(column), weight: weight[k] as number };
      if (!constant || this.#bias(column) === "") terms.push(each);
      else if (this.#bias(column) === "global") terms.push({ name: "", weight: each.weight });
    });
    return terms;
  }

  /** The same with the numbers of one row in place of the names: "22 − 22·1 + 8". */
  numbers({ from, weight }: Sum, value: (column: number) => number): string {
    return this.total(from.map((column, k) => ({ value: value(column), weight: weight[k] as number })));
  }

  /** Numbers times weights, without those that are 0; one alone needs no brackets. */
  total(all: readonly { readonly value: number; readonly weight: number }[]): string {
    const some = all.filter(({ value }) => value !== 0);
    const [first] = some;
    if (first && some.length === 1 && first.weight === 1) return this.number(first.value);
    return this.sum(some.map(({ value, weight }) => ({ name: this.factor(value), weight })));
  }

  /** A number of X; Ω, which stands for ∞, by its letter. */
  number(value: number): string {
    return this.#text(value).text;
  }

  /** The same as a factor or a term: in brackets if it is a sum itself. */
  factor(value: number): string {
    const { text, compound } = this.#text(value);
    return compound || value < 0 ? `(${text})` : text;
  }

  sum(terms: readonly Term[]): string {
    for (const { weight } of terms) this.#text(weight);
    return written(terms, this.#ohm);
  }

  /** Whether any number so far was written with Ω. */
  get wroteOhm(): boolean {
    return this.#wroteOhm;
  }

  #wroteOhm = false;

  #text(value: number): InOhms {
    const text = inOhms(value, this.#ohm);
    if (text.ohms) this.#wroteOhm = true;
    return text;
  }

  /** Ω, in programs that have lengths; else 0. */
  get #ohm(): number {
    const { states, before, body } = this.model.program;
    const lengths = [...states, ...before.ops, ...body.ops].some(({ type }) => type.kind === "length");
    return lengths ? this.model.infinity : 0;
  }
}

/** The program's own names first, then the shorter ones. */
function rank(name: string): number {
  return name.length + (name.startsWith("‹") ? 1000 : 0);
}

export interface Term {
  readonly name: string;
  readonly weight: number;
}

/** "2·edge − 1": terms with a sign between them; a term without a name is a constant. */
export function written(terms: readonly Term[], infinity: number): string {
  if (terms.length === 0) return "0";
  // A sum that begins with a plus reads better.
  const first = terms.findIndex(({ weight }) => weight > 0);
  const order = first > 0 ? [terms[first] as Term, ...terms.filter((_, k) => k !== first)] : terms;
  return order
    .map(({ name, weight }, k) => {
      const sign = weight < 0 ? (k === 0 ? "−" : " − ") : k === 0 ? "" : " + ";
      const size = Math.abs(weight);
      const { text, compound } = inOhms(size, infinity);
      const by = compound ? `(${text})` : text;
      return sign + (name === "" ? by : size === 1 ? name : `${by}·${name}`);
    })
    .join("");
}

interface InOhms {
  readonly text: string;
  /** Whether it is a sum, and whether it has Ω. */
  readonly compound: boolean;
  readonly ohms: boolean;
}

/** A number near a multiple of Ω reads better as that: "Ω − 8", "2Ω + 2". */
function inOhms(value: number, infinity: number): InOhms {
  const times = infinity > 0 ? Math.round(value / infinity) : 0;
  const rest = value - times * infinity;
  if (times === 0 || !Number.isSafeInteger(value) || Math.abs(rest) * NEAR > infinity)
    return { text: value < 0 ? `−${numberText(-value)}` : numberText(value), compound: false, ohms: false };
  const size = Math.abs(times);
  const ohms = `${times < 0 ? "−" : ""}${size === 1 ? "" : numberText(size)}Ω`;
  if (rest === 0) return { text: ohms, compound: false, ohms: true };
  return { text: `${ohms} ${rest < 0 ? "−" : "+"} ${numberText(Math.abs(rest))}`, compound: true, ohms: true };
}

/** So many times nearer than to 0. */
const NEAR = 1000;

function constantText({ argument, type }: Op): string {
  if (argument === "infinity") return "∞";
  if (type.kind === "flag") return argument === "true" ? "yes" : "no";
  return /^\d+$/.test(argument) ? numberText(Number(argument)) : argument;
}
