/** The expressions of a program as people say them: which rows are meant, what a number is, whether something is so. */

import type { Naming } from "./naming";
import type { Section } from "./trace";

/** The value of an operation that is one number, where it is known at this moment; else null. */
export type Known = (section: Section, op: number) => number | null;

type Words = (row: (k: number) => string, pointer: (k: number) => string) => string;

/** Rows that an operation picks out, from the other side of the incidence. */
const CROSSED: ReadonlyMap<string, Words> = new Map<string, Words>(
  (
    [
      ["", "members", "a member", "member"],
      ["tails_", "tails", "a tail", "tail"],
      ["heads_", "heads", "a head", "head"],
    ] as const
  ).flatMap(([prefix, many, one, bare]): [string, Words][] => [
    [`${prefix}members`, (_, pointer) => `among the ${many} of ${pointer(0)}`],
    [`${prefix}covered`, (row) => `among the ${many} of hyperedges ${row(0)}`],
    [`${prefix}containing`, (_, pointer) => `with ${bare} ${pointer(0)}`],
    [`${prefix}touching`, (row) => `with ${one} ${row(0)}`],
  ]),
);

/** Sums over the incidence: of flags, they count. */
const COUNTED: ReadonlyMap<string, string> = new Map([
  ["incidence", "hyperedges"],
  ["transposed", "members"],
  ["tails", "hyperedges"],
  ["tails_transposed", "tails"],
  ["heads", "hyperedges"],
  ["heads_transposed", "heads"],
]);

const COMPARED: ReadonlyMap<string, readonly [yes: string, no: string]> = new Map([
  ["equal", ["=", "≠"]],
  ["less", ["<", "≥"]],
  ["precedes", ["before", "not before"]],
]);

/** Whatever is true of all rows needs no words. */
const EVERY = "";
const NONE = "of no kind";
const PASSED: ReadonlySet<string> = new Set(["number", "spread"]);
const LONGEST = 110; // characters

export class Spoken {
  constructor(
    readonly naming: Naming,
    readonly known: Known,
  ) {}

  /** "not marked visited", "among the tails of hyperedges marked leading": to stand after "vertices". */
  rows(section: Section, op: number): string {
    return this.#fitting(section, op, this.#rows(section, op));
  }

  /** The same for an operation that has a name, from what it is made of. */
  opened(section: Section, op: number): string {
    return this.#fitting(section, op, this.#described(section, op, true));
  }

  /** "no vertex is marked kept", "edge is none": whether something is so. */
  statement(section: Section, op: number): string {
    return this.#fitting(section, op, this.#statement(section, op, true), "what", " holds");
  }

  /** A number: "distance + weight[edge]", "number of members marked kept". */
  noun(section: Section, op: number): string {
    const counted = this.#count(section, op);
    return counted === null ? this.naming.brief(section, op) : this.#fitting(section, op, counted);
  }

  /** What a pointer points to, and its name: "ferry (edge)"; of a choice, what is chosen. */
  pointer(section: Section, op: number, text: (value: number) => string): string {
    const chosen = this.#chosen(section, op);
    const value = this.known(section, chosen);
    const name = this.naming.brief(section, chosen);
    if (value === null) return name;
    return value === 0 ? `${name} (none)` : `${text(value)} (${name})`;
  }

  /** Whether an operation is a flag for each row, be it as a number. */
  areFlags(section: Section, op: number): boolean {
    return this.#op(section, this.#chosen(section, op)).type.kind === "flag";
  }

  #op(section: Section, op: number) {
    return this.naming.op([section, op]);
  }

  #fitting(section: Section, op: number, text: string, begins = "as", ends = ""): string {
    if (text.length <= LONGEST) return text;
    const { line } = this.naming.recording.operations.at(section as "before" | "body", op);
    return line > 0 ? `${begins} line ${line} says${ends}` : text;
  }

  /** The branch that a choice takes now, where that is known; the operation itself otherwise. */
  #chosen(section: Section, op: number): number {
    const { name, operands, label } = this.#op(section, op);
    if (PASSED.has(name) && label === "") return this.#chosen(section, operands[0] as number);
    if (name !== "where" || label !== "") return op;
    const condition = this.#truth(section, operands[0] as number);
    return condition === null ? op : this.#chosen(section, operands[condition ? 1 : 2] as number);
  }

  /** Whether a condition that is one flag holds, where that is known. */
  #truth(section: Section, op: number): boolean | null {
    const { name, operands, type, argument } = this.#op(section, op);
    const of = (k: number) => this.#truth(section, operands[k] as number);
    if (PASSED.has(name)) return of(0);
    if (type.scope !== "scalar") return null;
    const value = this.known(section, op);
    if (value !== null) return value !== 0;
    if (name === "constant") return argument === "true";
    if (name === "missing") {
      const pointer = this.known(section, operands[0] as number);
      return pointer === null ? null : pointer === 0;
    }
    if (name === "not") return negated(of(0));
    if (name !== "and" && name !== "or") return null;
    const parts = operands.map((_, k) => of(k));
    const decides = name === "or";
    if (parts.includes(decides)) return decides;
    return parts.includes(null) ? null : !decides;
  }

  #rows(section: Section, op: number): string {
    const { label, name } = this.#op(section, op);
    if (label === "" || name === "state") return this.#described(section, op, true);
    return `in ${label}`;
  }

  #described(section: Section, given: number, yes: boolean): string {
    const op = this.#chosen(section, given);
    const { name, operands, label, argument, type } = this.#op(section, op);
    const word = yes ? "" : "not ";
    const first = operands[0] as number;
    if (type.scope === "scalar") return this.#whole(section, op, yes);
    if (op !== given && label !== "" && name !== "state") return `${word}in ${label}`;
    if (name === "state" || name === "input") return `${word}marked ${label || argument}`;
    if (name === "constant") return (argument === "true") === yes ? EVERY : NONE;
    if (name === "not") return this.#denied(section, first, !yes);
    if (name === "missing") return `${yes ? "without" : "with a"} ${this.naming.brief(section, first)}`;
    if (name === "and" || name === "or") return this.#joined(section, op, yes);
    const compared = COMPARED.get(name);
    if (compared) return this.#comparison(section, operands, compared[yes ? 0 : 1]);
    const crossed = CROSSED.get(name);
    if (!crossed) return `${word}with ${this.naming.brief(section, op)}`;
    const pointer = (k: number) =>
      this.pointer(section, operands[k] as number, (value) => this.#label(section, operands[k] as number, value));
    return word + crossed((k) => this.#rows(section, operands[k] as number), pointer);
  }

  #denied(section: Section, op: number, yes: boolean): string {
    const { label, name } = this.#op(section, op);
    return label !== "" && name !== "state" ? `${yes ? "" : "not "}in ${label}` : this.#described(section, op, yes);
  }

  /** A flag that is the same for all rows: all of them, or none. */
  #whole(section: Section, op: number, yes: boolean): string {
    const truth = this.#truth(section, op);
    if (truth !== null) return truth === yes ? EVERY : NONE;
    return `if ${this.#statement(section, op, yes)}`;
  }

  /** "A and B"; what is true of all rows is left out. */
  #joined(section: Section, op: number, yes: boolean): string {
    const { name, operands } = this.#op(section, op);
    const both = (name === "and") === yes;
    const parts = [...new Set(this.#chain(section, name, operands).map((each) => this.#denied(section, each, yes)))];
    const [decides, idle] = both ? [NONE, EVERY] : [EVERY, NONE];
    if (parts.includes(decides)) return decides;
    const said = parts.filter((part) => part !== idle);
    const last = said.pop() ?? idle;
    return said.length === 0 ? last : `${said.join(", ")} ${both ? "and" : "or"} ${last}`;
  }

  /** The operands of an operation and of the same one within it. */
  #chain(section: Section, name: string, operands: readonly number[]): number[] {
    return operands.flatMap((each) => {
      const inner = this.#op(section, each);
      return inner.name === name && inner.label === "" ? this.#chain(section, name, inner.operands) : [each];
    });
  }

  #comparison(section: Section, operands: readonly number[], sign: string): string {
    const [a, b] = operands as [number, number];
    const own = [a, b].find((each) => this.#op(section, this.#chosen(section, each)).name === "own");
    if (own === undefined) return `with ${this.noun(section, a)} ${sign} ${this.noun(section, b)}`;
    const other = own === a ? b : a;
    const name = this.pointer(section, other, (value) => this.#label(section, other, value));
    return sign === "=" ? `equal to ${name}` : `other than ${name}`;
  }

  #label(section: Section, op: number, value: number): string {
    return this.naming.recording.text(this.#op(section, op).type.kind, value);
  }

  /** "number of members marked kept"; null if it is no such sum. */
  #count(section: Section, op: number): string | null {
    const { name, operands, label } = this.#op(section, op);
    if (PASSED.has(name) && label === "") return this.#count(section, operands[0] as number);
    const what = COUNTED.get(name);
    if (what === undefined || label !== "") return null;
    return `number of ${what} ${this.#rows(section, operands[0] as number)}`;
  }

  #statement(section: Section, given: number, yes: boolean): string {
    const { name, operands, label } = this.#op(section, given);
    const first = operands[0] as number;
    if (label !== "") return `${yes ? "" : "not "}${label}`;
    if (PASSED.has(name)) return this.#statement(section, first, yes);
    if (name === "not") return this.#statement(section, first, !yes);
    if (name === "missing") return `${this.naming.brief(section, first)} is ${yes ? "" : "not "}none`;
    if (name === "and" || name === "or") {
      const word = (name === "and") === yes ? " and " : " or ";
      return operands.map((each) => this.#statement(section, each, yes)).join(word);
    }
    const thing = this.#op(section, first)?.type.scope === "hyperedges" ? "hyperedge" : "vertex";
    if (name === "any") return `${yes ? "some" : "no"} ${thing} is ${this.#rows(section, first)}`;
    if (name === "all") return `${yes ? "every" : "not every"} ${thing} is ${this.#rows(section, first)}`;
    return `${yes ? "" : "not "}${this.naming.brief(section, given)}`;
  }
}

function negated(truth: boolean | null): boolean | null {
  return truth === null ? null : !truth;
}
