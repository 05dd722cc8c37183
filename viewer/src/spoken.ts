/** The expressions of a program as people say them: which rows are meant, what a number is, whether something is so. */

import type { Value } from "./machine/interpret";
import { assignments, type Op } from "./machine/program";
import { code, plain } from "./marked";
import type { Naming } from "./naming";
import { numberText } from "./numbers";
import type { Section } from "./trace";

/** The value of an operation, where it is known at this moment; else null. */
export type Known = (section: Section, op: number) => Value | null;

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
  ["equal", ["is", "is not"]],
  ["less", ["is below", "is at least"]],
  ["precedes", ["comes before", "does not come before"]],
]);

/** What follows a row, or comes before it. */
const BESIDE: ReadonlyMap<string, string> = new Map([
  ["next", "after"],
  ["previous", "before"],
]);

/** Which of two numbers is taken, and how the other bounds it. */
const BOUNDED: ReadonlyMap<string, string> = new Map([
  ["smaller", "at most"],
  ["larger", "at least"],
]);

/** Whatever is true of all rows needs no words. */
const EVERY = "";
const NONE = "(none)";
const PASSED: ReadonlySet<string> = new Set(["number", "spread"]);
/** What is there without any work. */
const GIVEN: ReadonlySet<string> = new Set(["constant", "input", "size", "weight", "own", "state"]);
/** What has a condition or a bound after it; and, with these, what is in brackets where it is multiplied. */
const CHOICES: ReadonlySet<string> = new Set(["where", "smaller", "larger"]);
const SUMS: ReadonlySet<string> = new Set(["add", "subtract", ...CHOICES]);
const LONGEST = 150; // characters

export class Spoken {
  /** By section: the states that operations become the new value of, in this iteration. */
  readonly #new = new Map<Section, ReadonlyMap<number, string>>();

  constructor(
    readonly naming: Naming,
    readonly known: Known,
  ) {}

  /** "not marked visited", "among the tails of hyperedges marked leading": to stand after "vertices". */
  rows(section: Section, op: number): string {
    return this.#fitting(section, op, this.#rows(section, op));
  }

  /** Whether a condition on rows is said to hold on none, whatever they are. */
  areNone(section: Section, op: number): boolean {
    return this.#rows(section, op) === NONE;
  }

  /** The same for an operation that has a name, from what it is made of. */
  opened(section: Section, op: number): string {
    return this.#fitting(section, op, this.#described(section, op, true));
  }

  /** "no vertex is marked kept", "edge is none": whether something is so; "" if it only says which loop runs. */
  statement(section: Section, op: number): string {
    return this.#fitting(section, op, this.#statement(section, op, true), "what", " holds");
  }

  /** Why something is so: of several reasons the one that holds, with what its name stands for. */
  reason(section: Section, op: number): string {
    return this.#fitting(section, op, this.#reasons(section, op).join(" and "), "what", " holds");
  }

  /** A number: "distance plus the weight of ferry (edge)", "number of members marked kept". */
  noun(section: Section, op: number): string {
    return this.#fitting(section, op, this.#noun(section, op), "what");
  }

  /** "up = 3 is above 0": a comparison of two numbers as it turned out, with these. */
  comparison(section: Section, op: number): string {
    const yes = this.#scalar(section, op) !== 0;
    const { name, operands } = this.#op(section, op);
    const isSaid = name === "equal" && yes && operands.some((each) => this.#isConstant(section, each));
    const noun = (each: number) => this.#noun(section, each) + (isSaid ? "" : this.#equals(section, each));
    return this.#fitting(section, op, this.#compared(section, op, yes, noun), "what");
  }

  /** "minus of third = 1 is not 0": why a flag holds on no row, whatever the row; "" where it is not so. */
  excluded(section: Section, op: number): string {
    const { name, operands, type, label } = this.#op(section, op);
    if (type.scope === "scalar") {
      if (this.#truth(section, op) !== false) return "";
      return this.#isComparison(section, op) && label === ""
        ? this.comparison(section, op)
        : this.#fitting(section, op, this.#statement(section, op, false), "what", " holds");
    }
    if (PASSED.has(name)) return this.excluded(section, operands[0] as number);
    if (name !== "and") return "";
    return operands.map((each) => this.excluded(section, each)).find((text) => text !== "") ?? "";
  }

  /** Whether an operation compares two numbers of the author's, each the same for all rows. */
  compares(section: Section, op: number): boolean {
    const { operands, type } = this.#op(section, op);
    const isOwn = () => operands.every((each) => !this.isOfLoops(section, each));
    return this.#isComparison(section, op) && type.scope === "scalar" && isOwn();
  }

  /** Whether an operation says of each row how two numbers compare. */
  comparesRows(section: Section, op: number): boolean {
    return this.#isComparison(section, op) && this.#op(section, op).type.scope !== "scalar";
  }

  #isComparison(section: Section, op: number): boolean {
    return COMPARED.has(this.#op(section, op).name);
  }

  /** " = 3", after a number that is not said by itself. */
  #equals(section: Section, op: number): string {
    const value = this.#scalar(section, op);
    if (value === null || this.#isConstant(section, op)) return "";
    const { recording } = this.naming;
    const { kind } = this.#op(section, op).type;
    const inX = value === Number.POSITIVE_INFINITY ? recording.trace.model.infinity : value;
    return ` = ${isPointer(this.#op(section, op).type) && value !== 0 ? this.#label(section, op, value) : recording.text(kind, inX)}`;
  }

  /** Whether an operation only gives another name to what has one: an input, a state, or what a choice has chosen. */
  isName(section: Section, op: number): boolean {
    const chosen = this.#chosen(section, this.#through(section, op));
    const { name, label } = this.#op(section, chosen);
    return name === "input" || name === "state" || (chosen !== op && label !== "");
  }

  /** The same of an operation that has a name, or is to be one's new value, from what it is made of. */
  made(section: Section, op: number, begins = "what"): string {
    const through = this.#through(section, op);
    const version = this.naming.version(section, through);
    return this.#fitting(section, op, this.#computed(section, through) + (version === null ? "" : " by now"), begins);
  }

  /** The state that an operation is the new value of in this iteration; null if it is none's. */
  becomes(section: Section, op: number): string | null {
    const known = this.#new.get(section) ?? this.#assigned(section);
    this.#new.set(section, known);
    return known.get(op) ?? null;
  }

  /** What a pointer points to, and its name: "ferry (edge)"; of a choice, what is chosen. */
  pointer(section: Section, op: number, text: (value: number) => string): string {
    const chosen = this.#chosen(section, op);
    const value = this.#scalar(section, chosen);
    const name = this.#noun(section, chosen);
    if (value === null) return name;
    const { name: kind, argument, label } = this.#op(section, chosen);
    // What the author gave no name is called by its value alone.
    const isNamed = label !== "" || (GIVEN.has(kind) && !(kind === "state" && this.naming.isMade(argument)));
    if (value !== 0 && !isNamed) return text(value);
    return value === 0 ? `${name} (none)` : `${text(value)} (${name})`;
  }

  /** Whether an operation is a flag for each row, be it as a number. */
  areFlags(section: Section, op: number): boolean {
    return this.#op(section, this.#chosen(section, op)).type.kind === "flag";
  }

  /** The operation whose value it is in this iteration: the branch of a choice that is taken, and the like. */
  resolved(section: Section, op: number): number {
    return this.#through(section, op);
  }

  /** Whether an operation only says which of several loops runs: it is made of nothing but what the language made. */
  isOfLoops(section: Section, op: number): boolean {
    const given = this.#given(section, op);
    const made = given.filter(({ name, argument }) => name === "state" && this.naming.isMade(argument));
    return made.length > 0 && given.every((each) => each.name !== "state" || made.includes(each));
  }

  /** Whether a condition is as it is because of which loop runs: what else it says does not matter then. */
  isDecidedByLoops(section: Section, op: number): boolean {
    const { name, operands, label } = this.#op(section, op);
    if (label !== "") return false;
    if (PASSED.has(name) || name === "not") return this.isDecidedByLoops(section, operands[0] as number);
    if (name !== "and" && name !== "or") return this.isOfLoops(section, op);
    const [loops, own] = [true, false].map((of) =>
      operands.filter((each) => this.isDecidedByLoops(section, each) === of),
    );
    if (own?.length === 0) return true;
    return loops?.some((each) => this.#truth(section, each) === (name === "or")) ?? false;
  }

  /** What an operation is made of in the end. */
  #given(section: Section, op: number): Op[] {
    const all = new Set([op]);
    for (const each of all) for (const operand of this.#op(section, each).operands) all.add(operand); // it grows
    return [...all].map((each) => this.#op(section, each)).filter(({ name }) => GIVEN.has(name));
  }

  #op(section: Section, op: number): Op {
    return this.naming.op([section, op]);
  }

  #fitting(section: Section, op: number, text: string, begins = "as", ends = ""): string {
    if (plain(text).length <= LONGEST) return text;
    const { line } = this.naming.recording.operations.at(section as "before" | "body", op);
    return line > 0 ? `${begins} line ${line} says${ends}` : text;
  }

  // -- values -----------------------------------------------------------------------------------------------------------

  #scalar(section: Section, op: number): number | null {
    const value = this.known(section, op);
    return typeof value === "number" ? value : null;
  }

  /** The value that is the same on all rows; null if it is not known, or differs. */
  #uniform(section: Section, op: number): number | null {
    const value = this.known(section, op);
    if (value === null || typeof value === "number") return value;
    const [first] = value;
    return first !== undefined && value.every((each) => each === first) ? first : null;
  }

  #isSame(section: Section, op: number, other: number): boolean {
    const [a, b] = [this.known(section, op), this.known(section, other)];
    if (a === null || b === null) return false;
    const size = typeof a === "number" ? 1 : a.length;
    const at = (value: Value, k: number) => (typeof value === "number" ? value : value[k]);
    return (
      (typeof b === "number" || b.length === size) &&
      Array.from({ length: size }, (_, k) => k).every((k) => at(a, k) === at(b, k))
    );
  }

  /** The branch that a choice takes now, where that is known; the operation itself otherwise. */
  #chosen(section: Section, op: number): number {
    return this.#op(section, op).label === "" ? this.#through(section, op) : op;
  }

  /** The same of an operation with a name. */
  #through(section: Section, op: number): number {
    const { name, operands } = this.#op(section, op);
    const [first, second, third] = operands as [number, number, number];
    if (PASSED.has(name)) return this.#chosen(section, first);
    if (BOUNDED.has(name) && this.#isSame(section, op, first)) return this.#chosen(section, first);
    if (name !== "where") return op;
    const condition = this.#truth(section, first);
    return condition === null ? op : this.#chosen(section, condition ? second : third);
  }

  /** Whether a condition holds, where that is known and the same on all rows. */
  #truth(section: Section, op: number): boolean | null {
    const { name, operands, argument } = this.#op(section, op);
    const of = (k: number) => this.#truth(section, operands[k] as number);
    if (PASSED.has(name)) return of(0);
    const value = this.#uniform(section, op);
    if (value !== null) return value !== 0;
    if (name === "constant") return argument === "true";
    if (name === "missing") {
      const pointer = this.#scalar(section, operands[0] as number);
      return pointer === null ? null : pointer === 0;
    }
    if (name === "not") return negated(of(0));
    if (name !== "and" && name !== "or") return null;
    const parts = operands.map((_, k) => of(k));
    const decides = name === "or";
    if (parts.includes(decides)) return decides;
    return parts.includes(null) ? null : !decides;
  }

  /** What the assignments that take effect make of states; the last one on all rows hides those before it. */
  #assigned(section: Section): ReadonlyMap<number, string> {
    const found = new Map<number, string>();
    const { before, body } = this.naming.model.program;
    const here = section === "before" ? before : body;
    for (const state of here.updates.keys()) {
      for (const { value, mask } of assignments(here, state)) {
        const taken = mask === null ? true : this.#truth(section, mask);
        const op = this.#chosen(section, value);
        const { name, label } = this.#op(section, op);
        if (taken === true && label === "" && !GIVEN.has(name)) found.set(op, state);
        if (taken === true) break;
      }
    }
    return found;
  }

  // -- rows -------------------------------------------------------------------------------------------------------------

  #rows(section: Section, op: number): string {
    return this.#denied(section, op, true);
  }

  #described(section: Section, given: number, yes: boolean): string {
    const { label: own, type } = this.#op(section, given);
    const op = own !== "" && type.scope !== "scalar" ? this.#through(section, given) : this.#chosen(section, given);
    const { name, operands, label, argument, type: its } = this.#op(section, op);
    const word = yes ? "" : "not ";
    const first = operands[0] as number;
    if (its.scope === "scalar") return this.#whole(section, op, yes);
    if (op !== given && label !== "" && name !== "state") return `${word}in ${code(label)}`;
    if (name === "state" || name === "input") return `${word}marked ${code(this.naming.stateName(argument))}`;
    const version = this.naming.version(section, op);
    if (version !== null) return `${word}marked ${code(version)} by now`;
    if (name === "constant") return (argument === "true") === yes ? EVERY : NONE;
    if (name === "not") return this.#denied(section, first, !yes);
    if (name === "missing") return `${yes ? "without" : "with a"} ${this.#noun(section, first)}`;
    if (name === "and" || name === "or") return this.#joined(section, op, yes);
    if (COMPARED.has(name)) return this.#comparison(section, op, yes);
    const crossed = CROSSED.get(name);
    if (!crossed) return `${word}with ${this.naming.brief(section, op)}`;
    const pointer = (k: number) =>
      this.pointer(section, operands[k] as number, (value) => this.#label(section, operands[k] as number, value));
    const rows = (k: number) => {
      const inner = operands[k] as number;
      const text = this.#rows(section, inner);
      return this.#word(section, inner, true, false) === null ? text : `(${text})`;
    };
    return word + crossed(rows, pointer);
  }

  #denied(section: Section, op: number, yes: boolean): string {
    const { label, name, type } = this.#op(section, op);
    // A flag that is the same for all rows is no set of them.
    return label !== "" && name !== "state" && type.scope !== "scalar"
      ? `${yes ? "" : "not "}in ${code(label)}`
      : this.#described(section, op, yes);
  }

  /** A flag that is the same for all rows: all of them, or none. */
  #whole(section: Section, op: number, yes: boolean): string {
    const truth = this.#truth(section, op);
    if (truth !== null) return truth === yes ? EVERY : NONE;
    return `if ${this.#statement(section, op, yes)}`;
  }

  /** "A and B"; what is true of all rows is left out. */
  #joined(section: Section, op: number, yes: boolean): string {
    const parts = this.#partsOfRows(section, op, yes);
    const both = (this.#op(section, op).name === "and") === yes;
    const [last, ...others] = parts.map((part) => inBrackets(part, parts.length, both ? "and" : "or")).reverse();
    if (last === undefined) return both ? EVERY : NONE;
    return others.length === 0 ? last : `${others.reverse().join(", ")} ${both ? "and" : "or"} ${last}`;
  }

  /** What a condition on rows is made of; only what decides, where one part does. */
  #partsOfRows(section: Section, op: number, yes: boolean): Part[] {
    const { name, operands } = this.#op(section, op);
    const both = (name === "and") === yes;
    const parts = distinct(
      this.#chain(section, name, operands).map((each) => ({
        text: this.#denied(section, each, yes),
        word: this.#word(section, each, yes, false),
      })),
    );
    const [decides, idle] = both ? [NONE, EVERY] : [EVERY, NONE];
    const decisive = parts.find(({ text }) => text === decides);
    return decisive ? [decisive] : parts.filter(({ text }) => text !== idle);
  }

  #partsOfStatement(section: Section, op: number, yes: boolean): Part[] {
    const { name, operands } = this.#op(section, op);
    const parts = this.#chain(section, name, operands).map((each) => ({
      text: this.#statement(section, each, yes),
      word: this.#word(section, each, yes, true),
    }));
    return distinct(parts.filter(({ text }) => text !== ""));
  }

  /** The word between the parts of a condition, as it is said; null where it has one part only. */
  #word(section: Section, given: number, yes: boolean, isStatement: boolean): "and" | "or" | null {
    const op = this.#chosen(section, given);
    const { name, operands, label, type } = this.#op(section, op);
    if (label !== "") return null;
    if (name === "not") return this.#word(section, operands[0] as number, !yes, isStatement);
    if (name !== "and" && name !== "or") return null;
    const asStatement = isStatement || type.scope === "scalar";
    const parts = asStatement ? this.#partsOfStatement(section, op, yes) : this.#partsOfRows(section, op, yes);
    return parts.length > 1 ? ((name === "and") === yes ? "and" : "or") : (parts[0]?.word ?? null);
  }

  /** The operands of an operation and of the same one within it. */
  #chain(section: Section, name: string, operands: readonly number[]): number[] {
    return operands.flatMap((each) => {
      const inner = this.#op(section, each);
      return inner.name === name && inner.label === "" ? this.#chain(section, name, inner.operands) : [each];
    });
  }

  #comparison(section: Section, op: number, yes: boolean): string {
    const [a, b] = this.#op(section, op).operands as [number, number];
    const own = this.#own(section, op);
    if (own === undefined) return `where ${this.#compared(section, op, yes)}`;
    const other = own === a ? b : a;
    const name = this.pointer(section, other, (value) => this.#label(section, other, value));
    const precedes = this.#op(section, op).name === "precedes";
    const place = own === b ? "after" : "before";
    const [holds, fails] = precedes ? [place, `not ${place}`] : ["equal to", "other than"];
    return `${yes ? holds : fails} ${name}`;
  }

  /** The operand that is the row itself, if one is. */
  #own(section: Section, op: number): number | undefined {
    return this.#op(section, op).operands.find((each) => this.#op(section, this.#chosen(section, each)).name === "own");
  }

  /** "place is below 38", "distance is ∞" */
  #compared(section: Section, op: number, yes: boolean, noun = (each: number) => this.#noun(section, each)): string {
    const { name, operands } = this.#op(section, op);
    const [a, b] = operands as [number, number];
    if (name === "less" && this.#op(section, this.#chosen(section, a)).name === "constant")
      return `${noun(b)} is ${yes ? "above" : "at most"} ${noun(a)}`;
    const sign = (COMPARED.get(name) as readonly [string, string])[yes ? 0 : 1];
    const infinite = this.#op(section, this.#chosen(section, b)).argument === "infinity";
    if (infinite) return (name === "less") === yes ? `${noun(a)} is finite` : `${this.#noun(section, a)} is ∞`;
    const [left, right] = [a, b].map((each) => this.#op(section, each).type) as [Op["type"], Op["type"]];
    const isPointed = name === "equal" && left.scope !== "scalar" && right.scope === "scalar" && isPointer(right);
    if (isPointed) return `${noun(a)} ${sign} ${this.#pointed(section, b)}`;
    const isOfRows = left.scope !== "scalar" && right.scope !== "scalar";
    // "done is rounds" would be said of two names of one thing.
    const areEqual = name === "equal" && (isOfRows || isNumber(right)) && !this.#isConstant(section, b);
    const compares = areEqual ? (yes ? "equals" : "differs from") : sign;
    return `${noun(a)} ${compares} ${noun(b)}`;
  }

  #isConstant(section: Section, op: number): boolean {
    return this.#op(section, this.#chosen(section, op)).name === "constant";
  }

  /** Where a flag of rows holds, to stand after a number: "where left is at least leaves", "at Quay (free)". */
  #where(section: Section, op: number): string {
    const { name, label, operands, type } = this.#op(section, op);
    const denied = name === "not" ? (operands[0] as number) : op;
    const compares = label === "" && COMPARED.has(this.#op(section, denied).name) && !this.#own(section, denied);
    if (compares) return `where ${this.#compared(section, denied, denied === op)}`;
    return `on the ${type.scope} ${this.#rows(section, op)}`;
  }

  #label(section: Section, op: number, value: number): string {
    const { kind } = this.#op(section, op).type;
    const scope = kind === "vertex" ? "vertices" : kind === "hyperedge" ? "hyperedges" : null;
    const { recording } = this.naming;
    return (scope && recording.called(scope, value)) ?? recording.text(kind, value);
  }

  // -- numbers ----------------------------------------------------------------------------------------------------------

  #noun(section: Section, given: number): string {
    const counted = this.#count(section, given);
    if (counted !== null) return counted;
    const op = this.#chosen(section, given);
    const { name, label } = this.#op(section, op);
    if (label !== "" && name !== "state" && name !== "input") return code(label);
    const state = GIVEN.has(name) ? null : this.becomes(section, op);
    return state === null ? this.#computed(section, op) : `the new ${code(this.naming.stateName(state))}`;
  }

  #computed(section: Section, op: number): string {
    const { name, operands, argument, label } = this.#op(section, op);
    const noun = (k: number) => this.#noun(section, operands[k] as number);
    const version = this.naming.version(section, op);
    if (version !== null) return code(version);
    switch (name) {
      case "state":
        return code(this.naming.stateName(argument));
      case "input":
        return code(label || argument);
      case "constant":
        return /^\d+$/.test(argument) ? numberText(Number(argument)) : this.naming.called(section, op);
      case "multiple":
        return argument === "2"
          ? `twice ${this.#factor(section, operands[0] as number)}`
          : `${numberText(Number(argument))} times ${this.#factor(section, operands[0] as number)}`;
      case "add":
        return this.#sum(section, operands as [number, number]);
      case "subtract":
        return `${this.#reduced(section, operands[0] as number)} minus ${this.#factor(section, operands[1] as number)}`;
      case "multiply":
        return operands.map((each) => this.#factor(section, each)).join(" times ");
      case "read":
        return `${definite(noun(0))} of ${this.#pointed(section, operands[1] as number)}`;
      case "where":
        return `${noun(1)} ${this.#where(section, operands[0] as number)}, else ${noun(2)}`;
      default:
        return this.#other(section, op);
    }
  }

  /** A number that is multiplied or subtracted: a sum without a name in brackets. */
  #factor(section: Section, given: number): string {
    return this.#bracketed(section, given, (name) => SUMS.has(name));
  }

  /** A number that another is subtracted from: in brackets where its last words say where it holds, or how far. */
  #reduced(section: Section, given: number): string {
    return this.#bracketed(section, given, (name, op) => CHOICES.has(name) || this.#addsFlag(section, op));
  }

  #bracketed(section: Section, given: number, isSum: (name: string, op: number) => boolean): string {
    const noun = this.#noun(section, given);
    const op = this.#chosen(section, given);
    const { name, label } = this.#op(section, op);
    const named = label !== "" || this.naming.version(section, op) !== null || this.becomes(section, op) !== null;
    return !named && isSum(name, op) ? `(${noun})` : noun;
  }

  /** Whether an operation is a sum that ends with "plus 1 where …". */
  #addsFlag(section: Section, op: number): boolean {
    const { name, operands } = this.#op(section, op);
    const last = name === "add" ? this.#op(section, operands[1] as number) : null;
    return last?.name === "number" && last.label === "" && this.#truth(section, last.operands[0] as number) === null;
  }

  #other(section: Section, op: number): string {
    const { name, operands, type } = this.#op(section, op);
    const bounded = BOUNDED.get(name);
    const noun = (k: number) => this.#noun(section, operands[k] as number);
    if (bounded) return `${noun(0)}, ${bounded} ${noun(1)}`;
    const beside = BESIDE.get(name);
    if (beside) return `the ${type.kind} ${beside} ${this.#pointed(section, operands[0] as number)}`;
    const over = COUNTED.get(name);
    if (over) return `the sum of ${noun(0)} over its ${over}`;
    return this.naming.brief(section, op);
  }

  #pointed(section: Section, op: number): string {
    return this.pointer(section, op, (value) => this.#label(section, op, value));
  }

  /** "twice rank, plus 1 where left is at least leaves": a flag that is added counts as 1. */
  #sum(section: Section, [a, b]: readonly [number, number]): string {
    const { name, operands, label } = this.#op(section, b);
    const bounded = (op: number) => this.#bracketed(section, op, (each) => CHOICES.has(each));
    if (name !== "number" || label !== "") return `${bounded(a)} plus ${bounded(b)}`;
    const truth = this.#truth(section, operands[0] as number);
    if (truth !== null) return truth ? `${this.#noun(section, a)} plus 1` : this.#noun(section, a);
    return `${this.#noun(section, a)}, plus 1 ${this.#where(section, operands[0] as number)}`;
  }

  /** "number of members marked kept"; null if it is no such sum. */
  #count(section: Section, op: number): string | null {
    const { name, operands, label } = this.#op(section, op);
    if (PASSED.has(name) && label === "") return this.#count(section, operands[0] as number);
    const what = COUNTED.get(name);
    if (what === undefined || label !== "" || !this.areFlags(section, operands[0] as number)) return null;
    return `the number of ${what} ${this.#rows(section, operands[0] as number)}`.trimEnd();
  }

  // -- statements -------------------------------------------------------------------------------------------------------

  #statement(section: Section, given: number, yes: boolean): string {
    const { name, operands, label } = this.#op(section, given);
    const first = operands[0] as number;
    if (label !== "") return `${yes ? "" : "not "}${code(label)}`;
    if (this.isOfLoops(section, given)) return "";
    if (PASSED.has(name)) return this.#statement(section, first, yes);
    if (name === "not") return this.#statement(section, first, !yes);
    if (name === "missing") return this.#missing(section, first, yes);
    if (COMPARED.has(name)) return this.#compared(section, given, yes);
    if (name === "and" || name === "or") {
      const word = (name === "and") === yes ? "and" : "or";
      const parts = this.#partsOfStatement(section, given, yes);
      return parts.map((part) => inBrackets(part, parts.length, word)).join(` ${word} `);
    }
    const thing = this.#op(section, first)?.type.scope === "hyperedges" ? "hyperedge" : "vertex";
    if (name === "any") return `${yes ? "some" : "no"} ${thing} is ${described(this.#rows(section, first))}`;
    if (name === "all") return `${yes ? "every" : "not every"} ${thing} is ${described(this.#rows(section, first))}`;
    if (name === "state") return `${code(this.naming.called(section, given))} is ${yes ? "yes" : "no"}`;
    const version = this.naming.version(section, given);
    if (version !== null) return `${code(version)} is ${yes ? "yes" : "no"} by now`;
    return `${yes ? "" : "not "}${this.naming.brief(section, given)}`;
  }

  /** "edge is none"; what it is, where that is known. */
  #missing(section: Section, pointer: number, yes: boolean): string {
    const op = this.#chosen(section, pointer);
    const { name, operands, type, label } = this.#op(section, op);
    const beside = label === "" ? BESIDE.get(name) : undefined;
    const one = beside ? `${type.kind} ${beside} ${this.#pointed(section, operands[0] as number)}` : "";
    if (beside) return yes ? `there is no ${one}` : `there is a ${one}`;
    if (name === "first" && label === "") return this.#whether(section, op, !yes);
    const value = this.#scalar(section, op);
    const is = !yes && value ? this.#label(section, op, value) : yes ? "none" : "not none";
    return `${this.#noun(section, op)} is ${is}`;
  }

  /** Whether there is a row that is searched for. */
  #whether(section: Section, search: number, yes: boolean): string {
    const first = this.#op(section, search).operands[0] as number;
    const thing = this.#op(section, first).type.scope === "hyperedges" ? "hyperedge" : "vertex";
    return `${yes ? "some" : "no"} ${thing} is ${described(this.#rows(section, first))}`;
  }

  /** The parts of a condition that holds which say why; what says only that the loop did not end before is left out. */
  #reasons(section: Section, op: number): string[] {
    const { name, operands, label } = this.#op(section, op);
    if (label !== "") return [this.#named(section, op)];
    if (PASSED.has(name)) return this.#reasons(section, operands[0] as number);
    if (name === "or") {
      const holds = operands.find((each) => this.#truth(section, each) === true);
      return holds === undefined ? [this.#statement(section, op, true)] : this.#reasons(section, holds);
    }
    if (name !== "and" && this.compares(section, op)) return [this.comparison(section, op)];
    if (name !== "and") return this.isOfLoops(section, op) ? [] : [this.#statement(section, op, true)];
    const parts = this.#chain(section, "and", operands);
    const own = parts.filter((each) => !this.#isEarlier(section, each));
    return [...new Set((own.length > 0 ? own : parts).flatMap((each) => this.#reasons(section, each)))];
  }

  /** Whether a condition is that an earlier one did not hold. */
  #isEarlier(section: Section, op: number): boolean {
    const { name, operands, label } = this.#op(section, op);
    const denied = this.#op(section, operands[0] as number);
    return name === "not" && label === "" && ["and", "or"].includes(denied?.name ?? "") && denied?.label === "";
  }

  /** "closed is yes, that is, the before of Quay (current) is Mole": a name, and what it stands for. */
  #named(section: Section, op: number): string {
    const { label, name, operands } = this.#op(section, op);
    const denied = name === "not" ? this.#op(section, operands[0] as number) : null;
    const missing = denied?.name === "missing" && denied.label === "" ? (denied.operands[0] as number) : null;
    const said = missing === null ? "" : this.#missing(section, missing, false);
    return `${code(label)} is yes${said === "" ? "" : `, that is, ${said}`}`;
  }
}

/** What rows are, after "is": "marked kept", "one where place is below 38", "there". */
export function described(rows: string): string {
  if (rows === "") return "there";
  if (rows === NONE) return "left to look at";
  return rows.startsWith("where ") ? `one ${rows}` : rows;
}

/** "the size", "the number of members": a noun with its article. */
export function definite(noun: string): string {
  return noun.startsWith("the ") ? noun : `the ${noun}`;
}

/** "number of members": the same without, to stand after "the least". */
export function bare(noun: string): string {
  return noun.startsWith("the ") ? noun.slice("the ".length) : noun;
}

function isPointer({ kind }: Op["type"]): boolean {
  return kind === "vertex" || kind === "hyperedge";
}

function isNumber({ kind }: Op["type"]): boolean {
  return kind === "count" || kind === "length";
}

/** A part of a condition, and the word between its own parts, if it has several. */
interface Part {
  readonly text: string;
  readonly word: "and" | "or" | null;
}

/** In brackets, where its own parts are joined by the other word: "A or B and C" can be read in two ways. */
function inBrackets({ text, word }: Part, count: number, outer: "and" | "or"): string {
  return count > 1 && word !== null && word !== outer ? `(${text})` : text;
}

/** Each text once. */
function distinct(parts: readonly Part[]): Part[] {
  return parts.filter(({ text }, k) => parts.findIndex((other) => other.text === text) === k);
}

function negated(truth: boolean | null): boolean | null {
  return truth === null ? null : !truth;
}
