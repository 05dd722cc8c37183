// The answer of a run: its outputs in words, and the path to a vertex where the program keeps predecessors.

import { isolated } from "./isolate";
import { labelFromJson, labelText, nowhereText } from "./labels";
import { type Outputs, outputsOf, type Plain } from "./machine/decode";
import type { Model } from "./machine/model";
import type { Output } from "./machine/program";
import { numberText } from "./numbers";
import type { Recording } from "./recording";
import { FEW, listed } from "./told";
import { isUnverified, type Kind } from "./trace";

/** A line of the answer: an output, and what it says. */
export interface Answer {
  readonly name: string;
  readonly text: string;
  /** With the first few entries of a list. */
  readonly brief: string;
}

/** A table of outputs, a line for each vertex or hyperedge. */
export interface AnswerTable {
  readonly scope: "vertices" | "hyperedges";
  /** What the algorithm is for comes first. */
  readonly columns: readonly string[];
  readonly rows: readonly { label: string; cells: readonly string[] }[];
  /** Its first column in a few words. */
  readonly brief: string;
  /** Whether a line is about what one row of a stream has, not about a vertex or hyperedge of its own. */
  readonly stream: boolean;
}

type Side = AnswerTable["scope"];
type Entries = Outputs["streams"][string];

/** Entries that the sentence at the end has: all of a hypergraph that can be looked through. */
const BRIEF = 40;
/** Entries of a stream that a cell of a table has. */
const CELL = 30;

/** The outputs of a run that has ended, as text. */
export class Answers {
  readonly single: readonly Answer[];
  readonly tables: readonly AnswerTable[];
  readonly #kinds: ReadonlyMap<string, Kind | undefined>;
  /** Outputs that others are made of: the numbers of a quotient. */
  readonly parts: ReadonlySet<string>;

  constructor(
    model: Model,
    recording: Pick<Recording, "trace">,
    readonly none = NONE,
  ) {
    const outputs = outputsOf(model, recording.trace);
    const { program } = model;
    const kindOf = (state: string) => program.states.find((each) => each.name === state)?.type.kind;
    this.#kinds = new Map(program.outputs.map(({ name, state }) => [name, kindOf(state)]));
    this.parts = partsOf(program.outputs);
    this.single = Object.entries(outputs.scalars).map(([name, value]) => this.#single(name, value));
    const sides = ["vertices", "hyperedges"] as const;
    this.tables = [
      ...sides.flatMap((scope) => this.#table(outputs, scope)),
      ...Object.entries(outputs.streams).map(([name, entries]) => this.#stream(name, entries)),
    ];
  }

  /** In a few words, for the end of the story. */
  get brief(): string {
    const single = this.single.map(({ name, brief }) => `${name}: ${brief}`);
    return [...single, ...this.tables.map(({ brief }) => brief), ...this.#untold()].join("; ");
  }

  /** How many outputs that leaves out: of a table it has the first. */
  #untold(): string[] {
    const others = this.tables.flatMap(({ columns }) => columns.slice(1)).length;
    return others === 0 ? [] : [`${others} more ${others === 1 ? "output" : "outputs"} in Story`];
  }

  #text(name: string, value: Plain): string {
    if (value === null) return this.#kinds.get(name) === "length" ? "∞" : this.none;
    return plainText(value, this.#kinds.get(name));
  }

  #single(name: string, value: Plain): Answer {
    if (!Array.isArray(value)) return { name, text: this.#text(name, value), brief: this.#text(name, value) };
    const kind = this.#kinds.get(name);
    const many = value.length > FEW && (kind === "count" || kind === "length");
    const texts = value.map((each) => plainText(each, kind));
    const text = many ? placesText(texts) : texts.join(", ");
    return { name, text, brief: many ? text : listed(texts) };
  }

  #table(outputs: Outputs, scope: Side): AnswerTable[] {
    const records = outputs[scope];
    const [first] = records;
    if (!first) return [];
    const [label, ...names] = Object.keys(first) as [string, ...string[]];
    const columns = [...names.filter((name) => !this.parts.has(name)), ...names.filter((name) => this.parts.has(name))];
    const rows = records.map((record) => ({
      label: plainText(record[label] as Plain, SIDE[scope]),
      cells: columns.map((name) => this.#text(name, record[name] as Plain)),
    }));
    const main = columns[0] as string;
    const told = records.flatMap((record) =>
      this.#briefly(main, plainText(record[label] as Plain, SIDE[scope]), record[main] as Plain),
    );
    const lacking = told.length === 0 ? "" : this.#lacking(main, records);
    const brief = `${main}: ${listed(told, BRIEF)}${lacking}`;
    return [{ scope, columns, rows, brief, stream: false }];
  }

  /** "Quay = 0"; of flags, the rows where they hold. What has no value is left out. */
  #briefly(name: string, label: string, value: Plain): string[] {
    if (typeof value === "boolean") return value ? [label] : [];
    const text = this.#text(name, value);
    return value === null && text === this.none ? [] : [`${label} = ${text}`];
  }

  /** " (1 of 8 has none)" */
  #lacking(name: string, records: readonly Record<string, Plain>[]): string {
    const count = records.filter((record) => this.#text(name, record[name] as Plain) === this.none).length;
    return count === 0 ? "" : ` (${count} of ${records.length} ${count === 1 ? "has" : "have"} none)`;
  }

  /** A line for each row that the stream is about: what it has there. */
  #stream(name: string, entries: Entries): AnswerTable {
    const kind = this.#kinds.get(name);
    const rows = entries.map(({ values, ...about }) => {
      const [of] = Object.values(about) as [Plain];
      const pairs = (values as [Plain, Plain][]).map(
        ([label, value]) => `${plainText(label, "vertex")} = ${plainText(value, kind)}`,
      );
      return { label: plainText(of, "vertex"), cells: [listed(pairs, CELL)], brief: listed(pairs) };
    });
    const [first, ...others] = rows;
    const scope = entries.some((each) => "hyperedge" in each) ? "hyperedges" : "vertices";
    const more = others.length > 0 ? `; ${others.length} more ${scope} have their own` : "";
    return {
      scope,
      columns: [name],
      rows,
      brief: `${name}${first ? ` of ${first.label}: ${first.brief}${more}` : ": none"}`,
      stream: true,
    };
  }
}

/** The answer in lines, of a program whose first output is one value: all of its outputs, if all are. */
export function resultOf(model: Model, recording: Pick<Recording, "trace">): string[] {
  const { outputs, states } = model.program;
  const isSingle = ({ form, state }: Output) =>
    form === "total" || (form !== "stream" && states.find(({ name }) => name === state)?.type.scope === "scalar");
  const [first] = outputs;
  if (!first || !isSingle(first) || !recording.trace.recorded.halted) return [];
  const { single, parts } = new Answers(model, recording);
  const told = single.filter(({ name }) => !parts.has(name));
  return (outputs.every(isSingle) ? told : told.slice(0, 1)).map(({ name, brief }) => `${name}: ${brief}`);
}

/** The outputs whose numbers another one divides. */
function partsOf(outputs: readonly Output[]): Set<string> {
  const divided = outputs.filter(({ over }) => over !== null);
  const states = new Set(divided.flatMap(({ state, over }) => [state, over]));
  return new Set(outputs.filter((each) => each.over === null && states.has(each.state)).map(({ name }) => name));
}

/** "number 2 = 2, number 21 = 3, the other 24 are 0", as `hyloop.result.in_line` has it. */
export function placesText(values: readonly string[]): string {
  const found = values.flatMap((value, k) => (value === "0" ? [] : [`number ${k + 1} = ${value}`]));
  const rest = values.length - found.length;
  const others = rest === 0 ? [] : [found.length === 0 ? `all ${rest} are 0` : `the other ${rest} are 0`];
  return [...found, ...others].join(", ");
}

const [YES, NO, NONE] = ["yes", "no", "none"];

const SIDE = { vertices: "vertex", hyperedges: "hyperedge" } as const;

/** A value of a kind: text is a label, or a number that JSON has as text. */
function plainText(value: Plain, kind: Kind | undefined): string {
  if (value === null) return NONE;
  if (typeof value === "boolean") return value ? YES : NO;
  if (Array.isArray(value)) return value.map((each) => plainText(each, kind)).join(", ");
  if (typeof value === "object" && "row" in value) return nowhereText(value.row);
  if (kind === "vertex" || kind === "hyperedge") return isolated(labelText(labelFromJson(value)));
  return typeof value === "number" ? numberText(value) : String(value);
}

/** One step of a path: from a vertex through a hyperedge, if the program names it, to the next vertex. */
export interface Hop {
  readonly vertex: number;
  /** The hyperedge by which it was reached; 0: none is named. */
  readonly through: number;
}

/** A way back along the predecessors, or why it is none. */
type Walk = { readonly hops: Hop[] } | { readonly fault: string };

/** Paths along the predecessors that a program answers with; none of a program that only works with such pointers. */
export class Paths {
  readonly #recording: Recording;
  readonly #predecessor: Output | null;
  readonly #through: string | null;
  readonly #value: Output | null;

  constructor({ program }: Model, recording: Recording) {
    const { predecessor, through, value } = recording.trace.shows;
    const answered = (state: string | null) => program.outputs.find((each) => each.state === state) ?? null;
    this.#recording = recording;
    this.#predecessor = answered(predecessor);
    this.#through = answered(through)?.state ?? null;
    this.#value = value === predecessor ? null : answered(value);
  }

  /** Whether the answer says that there is a path to a vertex: the program keeps predecessors, and it is reached. */
  has(vertex: number): boolean {
    return this.#predecessor !== null && this.#reached(vertex);
  }

  /** The path to a vertex, from where it begins; null if there is none, or the predecessors make none. */
  to(vertex: number): Hop[] | null {
    const walk = this.has(vertex) ? this.#walk(vertex) : { fault: "" };
    return "hops" in walk ? walk.hops : null;
  }

  /** "Quay –ferry→ Cove, distance 4"; or why the predecessors make no path. */
  text(vertex: number): string {
    if (!this.has(vertex)) return "";
    const walk = this.#walk(vertex);
    if ("fault" in walk) return `No path: ${walk.fault}.`;
    const steps = walk.hops.map(({ vertex, through }, k) => {
      const name = this.#vertex(vertex);
      const by = through > 0 ? this.#recording.label("hyperedges", through) : null;
      return k === 0 ? name : by === null ? `→ ${name}` : `–${by}→ ${name}`;
    });
    return `${steps.join(" ")}${this.#told(vertex)}`;
  }

  /** Back to a vertex that has no predecessor, or is its own. */
  #walk(vertex: number): Walk {
    const { name, state } = this.#predecessor as Output;
    const hops: Hop[] = [];
    const seen = new Set<number>();
    let [at, next] = [vertex, vertex];
    do {
      at = next;
      if (seen.has(at)) return { fault: `${name} leads in a circle, back to ${this.#vertex(at)}` };
      seen.add(at);
      hops.push({ vertex: at, through: this.#number(this.#through, at) });
      next = this.#number(state, at);
      if (next !== 0 && this.#recording.label("vertices", next) === null)
        return { fault: `${name} of ${this.#vertex(at)} is ${this.#vertex(next)}, which is no vertex` };
    } while (next !== 0 && next !== at);
    hops.reverse();
    const fault = isUnverified(this.#recording.trace) ? this.#elsewhere(at) || this.#apart(hops) : "";
    return fault === "" ? { hops } : { fault };
  }

  /** That an unverified model leads back to a vertex that is none of those given; "" if it is one. */
  #elsewhere(first: number): string {
    const given = this.#recording.trace.inputs.filter(({ kind, value }) => kind === "vertex" && value !== 0);
    if (given.length === 0 || given.some(({ value }) => value === first)) return "";
    const names = given.map(({ name, value }) => `${name} (${this.#vertex(value)})`);
    return `${this.#predecessor?.name} leads back to ${this.#vertex(first)}, not to ${names.join(" or ")}`;
  }

  /** That two vertices of which an unverified model says that one leads to the other share no hyperedge; "" if all do. */
  #apart(hops: readonly Hop[]): string {
    const { members } = this.#recording.trace.hypergraph;
    for (const [k, { vertex, through }] of hops.slice(1).entries()) {
      const before = (hops[k] as Hop).vertex;
      const crossed = through === 0 ? members : [members[through - 1] ?? []];
      if (crossed.some((each) => each.includes(before) && each.includes(vertex))) continue;
      const by = through === 0 ? "one hyperedge" : this.#recording.text("hyperedge", through);
      return `${this.#vertex(before)} and ${this.#vertex(vertex)} are not both in ${by}`;
    }
    return "";
  }

  #vertex(row: number): string {
    return this.#recording.text("vertex", row);
  }

  #told(vertex: number): string {
    const kind = this.#value && this.#recording.kindOf(this.#value.state)?.kind;
    if (!this.#value || !kind) return "";
    return `, ${this.#value.name} ${this.#recording.text(kind, this.#number(this.#value.state, vertex))}`;
  }

  /** Whether the answer has a finite value for it. */
  #reached(vertex: number): boolean {
    if (this.#value === null) return true;
    const { state, known, unless } = this.#value;
    const flag = known ?? unless;
    if (flag !== null && (this.#number(flag, vertex) === 1) !== (known !== null)) return false;
    const recording = this.#recording;
    const endless = recording.kindOf(state)?.kind === "length" ? recording.trace.model.infinity : null;
    return this.#number(state, vertex) !== endless;
  }

  #number(state: string | null, row: number): number {
    return (state === null ? null : this.#recording.value(state, row)) ?? 0;
  }
}
