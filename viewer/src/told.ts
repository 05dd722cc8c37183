// The run as a story: a sentence for each layer, made from what its parts are for and from the values there.

import type { State } from "./machine/encode";
import type { Explainer, LayerRun } from "./machine/explain";
import { Naming } from "./naming";
import type { Named, Recording, Thing } from "./recording";
import type { Kind, Purpose, Scope, Section } from "./trace";

/** What a layer did: whole clauses, the most important first. */
export interface Told {
  readonly layer: number;
  readonly clauses: readonly string[];
}

const LISTED = 5; // names in a sentence
const GROUPS = 4; // of rows that change alike

/** The clauses of a layer of the iteration that is shown; null where the layer cannot be computed. */
export function toldOf(explainer: Explainer, number: number): Told | null {
  const run = explainer.run(number);
  if (!run) return null;
  const teller = new Teller(explainer, run);
  const clauses = [...teller.heads(), ...teller.locals(), ...teller.changes()];
  const told = clauses.length > 0 ? clauses : teller.unnamed();
  return { layer: number, clauses: [...new Set(told)] };
}

/** "Layer 1 picks the hyperedge with the least key: ferry, 4." */
export function sentence({ layer, clauses }: Told, section: Section): string {
  if (clauses.length > 0) return `Layer ${layer} ${clauses.join("; ")}.`;
  return section === "before"
    ? `Layer ${layer} has nothing to do yet: its work belongs to the loop.`
    : `Layer ${layer} changes nothing here.`;
}

/** Why the first iteration of a program with statements before its loop is another than the rest; "" elsewhere. */
export function setupText(recording: Recording): string {
  if (recording.sectionOf(recording.frame) !== "before") return "";
  const { ops } = recording.trace.algorithm;
  const lines = ops
    .filter(({ section, assigns }) => section === "before" && assigns.length > 0)
    .map(({ line }) => line);
  const known = lines.filter((line) => line > 0);
  const [first, last] = [Math.min(...known), Math.max(...known)];
  const where = known.length === 0 ? "" : first === last ? ` (line ${first})` : ` (lines ${first} to ${last})`;
  return (
    `Iteration 1 only sets up: it runs the statements before the loop${where}. The layers are the same as ever; ` +
    "the flag started is still 0, so what they compute for the loop is not written."
  );
}

class Teller {
  readonly #naming: Naming;
  readonly #recording: Recording;
  readonly #section: Section;

  constructor(
    explainer: Explainer,
    readonly run: LayerRun,
  ) {
    this.#recording = explainer.recording;
    this.#naming = new Naming(explainer.model, explainer.recording);
    this.#section = this.#naming.section;
  }

  /** What the heads found, one clause for each operation. */
  heads(): string[] {
    const { heads } = this.#recording.trace.model.layers[this.run.number - 1] as { heads: { value: Brought[] }[] };
    const brought = heads.flatMap(({ value }) =>
      value.flatMap(({ column, for: purposes }) =>
        purposes.filter(([section]) => section === this.#section).map((purpose) => ({ column, purpose })),
      ),
    );
    const places = brought.filter(({ purpose }) => !this.#besidePointer(purpose, brought));
    return places.map(({ column, purpose }) => this.#found(purpose, column, brought));
  }

  /** The least value is told with the row that has it, if that is brought as well. */
  #besidePointer(purpose: Purpose, all: readonly { purpose: Purpose }[]): boolean {
    const pointer = POINTER_OF.get(this.#naming.op(purpose).name);
    return pointer !== undefined && all.some((other) => this.#sameSearch(purpose, other.purpose, pointer));
  }

  #sameSearch(one: Purpose, other: Purpose, name: string): boolean {
    const [a, b] = [this.#naming.op(one), this.#naming.op(other)];
    return b.name === name && a.operands.join() === b.operands.join();
  }

  #found(purpose: Purpose, column: number, all: readonly { column: number; purpose: Purpose }[]): string {
    const op = this.#naming.op(purpose);
    const said = (CLAUSES.get(op.name) ?? DEFAULT)(this.#asked(purpose));
    const value = this.#value(purpose, this.run.attended, column);
    const best = all.find((each) => {
      const { name } = this.#naming.op(each.purpose);
      return POINTER_OF.get(name) === op.name && this.#sameSearch(each.purpose, purpose, op.name);
    });
    const none = best && (this.run.attended[column] as Float64Array)[0] === 0;
    const also = best && !none ? `, ${this.#value(best.purpose, this.run.attended, best.column)}` : "";
    const when = purpose[3] ? ", for the next iteration" : "";
    return `${said}: ${value}${also}${when}`;
  }

  #asked(purpose: Purpose): Asked {
    const [section] = purpose;
    const op = this.#naming.op(purpose);
    const operand = (k: number) => {
      const number = op.operands[k];
      return number === undefined ? "" : this.#naming.brief(section, number);
    };
    const array = op.operands[0];
    const scope = array === undefined ? op.type.scope : this.#naming.op([section, array]).type.scope;
    return {
      what: this.#naming.brief(section, purpose[1], this.#naming.expression(section, purpose[1])),
      operand,
      thing: scope === "vertices" ? "vertex" : scope === "hyperedges" ? "hyperedge" : "row",
      pointed: (k) => this.#pointed(section, op.operands[k]),
    };
  }

  /** "edge, which is ferry", where the value of a pointer stands in X; else its name alone. */
  #pointed(section: Section, number: number | undefined): string {
    if (number === undefined) return "";
    const name = this.#naming.brief(section, number);
    const value = this.#scalar(section, number);
    return value === null || value === 0
      ? name
      : `${name} (${this.#text(this.#naming.op([section, number]).type.kind, value)})`;
  }

  /** The value of an operation that is one number and stands somewhere before this layer. */
  #scalar(section: Section, number: number): number | null {
    const { type, name, argument } = this.#naming.op([section, number]);
    if (type.scope !== "scalar") return null;
    const { columns, held } = this.#naming.model;
    const input = name === "input" ? columns.findIndex(({ role, of }) => role === "input" && of === argument) : -1;
    const layer = this.run.number - 1;
    const place = held.find(
      (each) =>
        each.layer === layer &&
        each.for.some(([s, op, part, ahead]) => s === section && op === number && part === "value" && !ahead),
    );
    const column = input >= 0 ? input : place?.column;
    return column === undefined ? null : ((this.run.before[column] as Float64Array)[0] as number);
  }

  /** The named locals that the MLP leaves in X. */
  locals(): string[] {
    return this.#computed()
      .filter(({ purpose }) => this.#naming.op(purpose).label !== "")
      .map((each) => this.#marked(each));
  }

  /** What else it leaves there: for a layer that has nothing with a name to tell of. */
  unnamed(): string[] {
    return this.#computed().map((each) => this.#marked(each));
  }

  #computed(): { purpose: Purpose; column: number }[] {
    const { held } = this.#naming.model;
    const layer = this.run.number;
    const before = new Set(
      held.filter((each) => each.layer === layer - 1).flatMap((each) => each.for.map((p) => `${p[0]} ${p[1]}`)),
    );
    const heads = new Set(
      this.run.layer.heads.flatMap((_, k) =>
        (this.#recording.trace.model.layers[layer - 1]?.heads[k]?.value ?? []).flatMap((each) =>
          each.for.map((p) => `${p[0]} ${p[1]}`),
        ),
      ),
    );
    return held
      .filter((each) => each.layer === layer)
      .flatMap(({ column, for: purposes }) =>
        purposes
          .filter(([section, op, part, ahead]) => {
            const own = section === this.#section && part === "value" && !ahead;
            return own && !before.has(`${section} ${op}`) && !heads.has(`${section} ${op}`);
          })
          .map((purpose) => ({ purpose, column })),
      );
  }

  #marked({ purpose, column }: { purpose: Purpose; column: number }): string {
    const { label } = this.#naming.op(purpose);
    const what = this.#naming.brief(purpose[0], purpose[1], this.#naming.expression(purpose[0], purpose[1]));
    const value = this.#value(purpose, this.run.after, column);
    return `works out ${label === "" ? what : `${label} (${what})`}: ${value}`;
  }

  /** The states that become others: rows that change alike together. */
  changes(): string[] {
    const states = [...this.#recording.variables.values()].filter(({ variable }) => variable?.role !== "local");
    const rows = new Map<string, { scope: Scope; row: number; parts: string[] }>();
    for (const named of states) for (const row of this.#changed(named)) this.#note(rows, named, row);
    const groups = new Map<string, Thing[]>();
    const own: string[] = [];
    for (const { scope, row, parts } of rows.values()) {
      if (scope === "scalar") own.push(...parts.map((part) => `sets ${part}`));
      else {
        const key = JSON.stringify([scope, parts]);
        groups.set(key, [...(groups.get(key) ?? []), { scope, row }]);
      }
    }
    const all = [...groups].map(
      ([key, things]) => `gives ${this.#names(things)} ${(JSON.parse(key)[1] as string[]).join(", ")}`,
    );
    const more = all.length > GROUPS ? [`changes ${all.length - GROUPS} more groups of rows`] : [];
    return [...all.slice(0, GROUPS), ...more, ...own, ...this.#halts()];
  }

  #changed({ column, scope }: Named): number[] {
    const last = scope === "scalar" ? 0 : this.#recording.count(scope);
    const first = scope === "scalar" ? 0 : 1;
    return this.run.changed(column).filter((row) => row >= first && row <= last);
  }

  #note(rows: Map<string, { scope: Scope; row: number; parts: string[] }>, named: Named, row: number): void {
    if (named.variable?.role === "halt") return;
    const key = `${named.scope} ${row}`;
    const noted = rows.get(key) ?? { scope: named.scope, row, parts: [] };
    const value = (this.run.after[named.column] as Float64Array)[row] as number;
    noted.parts.push(`${named.name} ${this.#text(named.kind, value)}`);
    rows.set(key, noted);
  }

  #halts(): string[] {
    const { halt, program } = this.#naming.model;
    if ((this.run.after[halt] as Float64Array)[0] !== 1 || (this.run.before[halt] as Float64Array)[0] === 1) return [];
    return [`ends the loop, since ${this.#naming.brief("body", program.body.stop as number)}`];
  }

  #value([section, op, part]: Purpose, state: State, column: number): string {
    const { type } = this.#naming.op([section, op]);
    const numbers = state[column] as Float64Array;
    const counts = part === "count" || part === "any-lacking";
    const at = (row: number) => {
      const value = numbers[row] as number;
      return counts && type.kind === "flag" ? Number(part === "any-lacking" ? value === 0 : value > 0) : value;
    };
    if (type.scope === "scalar") return this.#text(type.kind, at(0));
    const { scope } = type;
    const rows = Array.from({ length: this.#recording.count(scope) }, (_, k) => k + 1);
    if (type.kind === "flag") return this.#names(rows.filter((row) => at(row) !== 0).map((row) => ({ scope, row })));
    const absent = type.kind === "length" ? this.#recording.trace.model.infinity : 0;
    const said = rows
      .filter((row) => at(row) !== absent)
      .map((row) => `${this.#label({ scope, row })} = ${this.#text(type.kind, at(row))}`);
    return said.length > 0 ? listed(said) : `${this.#text(type.kind, absent)} everywhere`;
  }

  #text(kind: Kind, value: number): string {
    return value === 0 && (kind === "vertex" || kind === "hyperedge") ? "none" : this.#recording.text(kind, value);
  }

  #label({ scope, row }: Thing): string {
    return this.#recording.label(scope, row) ?? `row ${row}`;
  }

  #names(things: readonly Thing[]): string {
    const count = things[0] ? this.#recording.count(things[0].scope) : 0;
    if (things[0] && things.length === count && count > LISTED) return `all ${count} ${things[0].scope}`;
    return listed(things.map((thing) => this.#label(thing)));
  }
}

type Brought = { column: number; for: Purpose[] };

/** "Cove, Mill and 3 more"; "none". */
export function listed(names: readonly string[]): string {
  if (names.length === 0) return "none";
  if (names.length === 1) return names[0] as string;
  if (names.length > LISTED + 1) return `${names.slice(0, LISTED).join(", ")} and ${names.length - LISTED} more`;
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** The search whose row has the value that another one finds. */
const POINTER_OF: ReadonlyMap<string, string> = new Map([
  ["min", "argmin"],
  ["max", "argmax"],
]);

interface Asked {
  /** The whole expression. */
  readonly what: string;
  /** An operand by name. */
  readonly operand: (k: number) => string;
  /** What the rows are that it looks at. */
  readonly thing: string;
  /** An operand that is a pointer, and what it points to. */
  readonly pointed: (k: number) => string;
}

type Clause = (asked: Asked) => string;

/** " of those with open": the mask of a search, if it has one. */
const among = ({ operand }: Asked): string => (operand(1) === "" ? "" : `, of those with ${operand(1)}`);

const SIDES = [
  ["", "members", (what: string) => `contain ${what}`],
  ["tails_", "tails", (what: string) => `have ${what} as a tail`],
  ["heads_", "heads", (what: string) => `have ${what} as a head`],
] as const;

function crossing([prefix, members, contain]: (typeof SIDES)[number]): [string, Clause][] {
  const [there, back] = prefix === "" ? ["incidence", "transposed"] : [members, `${members}_transposed`];
  return [
    [`${prefix}members`, ({ pointed }) => `goes from ${pointed(0)} to its ${members}`],
    [`${prefix}containing`, ({ pointed }) => `goes from ${pointed(0)} to the hyperedges that ${contain("it")}`],
    [
      `${prefix}touching`,
      ({ operand }) => `goes from the vertices with ${operand(0)} to the hyperedges that ${contain("one")}`,
    ],
    [`${prefix}covered`, ({ operand }) => `goes from the hyperedges with ${operand(0)} to their ${members}`],
    [there, ({ operand }) => `sums ${operand(0)} over the hyperedges that ${contain("each vertex")}`],
    [back, ({ operand }) => `sums ${operand(0)} over the ${members} of each hyperedge`],
  ];
}

const DEFAULT: Clause = ({ what }) => `finds ${what}`;

/** What a head does for an operation. An operation that is not here is told by its expression. */
const CLAUSES: ReadonlyMap<string, Clause> = new Map<string, Clause>([
  ["argmin", (asked) => `picks the ${asked.thing} with the least ${asked.operand(0)}${among(asked)}`],
  ["argmax", (asked) => `picks the ${asked.thing} with the greatest ${asked.operand(0)}${among(asked)}`],
  ["min", (asked) => `finds the least ${asked.operand(0)}${among(asked)}`],
  ["max", (asked) => `finds the greatest ${asked.operand(0)}${among(asked)}`],
  ["first", ({ thing, operand }) => `finds the first ${thing} with ${operand(0)}`],
  ["any", ({ thing, operand }) => `asks whether any ${thing} has ${operand(0)}`],
  ["all", ({ thing, operand }) => `asks whether every ${thing} has ${operand(0)}`],
  ["read", ({ what }) => `reads ${what}`],
  ["mean", ({ operand }) => `adds up ${operand(0)}`],
  ...SIDES.flatMap(crossing),
]);
