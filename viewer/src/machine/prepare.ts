/** The user's hypergraph and inputs in integers: the twin of src/hyloop/execute/prepare.py and given.py. */

import type { Label } from "../labels";
import { type Fraction, written } from "../numbers";
import type { Scope } from "../trace";
import type { Hypergraph } from "./hypergraph";
import { type Input, type Program, usesDirection } from "./program";
import { DirectedRefusal, Refusal } from "./refusal";

/** What is given for one row: the number of a vertex or hyperedge (from 1; 0 is none), a flag, or an exact number. */
export type Entry = number | boolean | Fraction;
export type Given = ReadonlyMap<string, Entry | readonly Entry[]>;

export interface Prepared {
  readonly weights: readonly number[];
  readonly inputs: ReadonlyMap<string, number | readonly number[]>;
  readonly unit: Fraction;
}

/** Digits of a common denominator, as `hyloop.hypergraph` has them. */
const DIGITS = 1000;

export function prepare(program: Program, h: Hypergraph, given: Given): Prepared {
  if (h.tails !== null && !usesDirection(program))
    throw new DirectedRefusal(
      `This hypergraph is directed, and ${program.name} does not tell tails from heads. ` +
        "Clear the box “directed” in Edit to run it all the same.",
    );
  const entries = program.inputs.map((each) => [each, entriesOf(each, h, given.get(each.name))] as const);
  const lengths = entries.flatMap(([each, list]) => (each.type.kind === "length" ? list : []));
  const unit = commonUnit([...h.weights, ...lengths]);
  const inputs = entries.map(([each, list]) => {
    const by = each.type.kind === "length" ? unit : ONE;
    const whole = list.map((entry) => multiple(entry, by));
    return [each.name, each.type.scope === "scalar" ? (whole[0] as number) : whole] as const;
  });
  return { weights: h.weights.map((weight) => multiple(weight, unit)), inputs: new Map(inputs), unit };
}

const ONE: Fraction = { top: 1n, bottom: 1n };

/** The largest length of which all these are integer multiples; 1 if all are 0. */
export function commonUnit(lengths: readonly Fraction[]): Fraction {
  let [divisor, denominator] = [0n, 1n];
  const limit = 10n ** BigInt(DIGITS);
  for (const { top, bottom } of lengths) {
    divisor = gcd(divisor, top);
    if (denominator % bottom !== 0n) denominator = (denominator / gcd(denominator, bottom)) * bottom;
    if (denominator >= limit)
      throw new Refusal(`The weights have no common unit: their common denominator has more than ${DIGITS} digits.`);
  }
  return { top: divisor || 1n, bottom: denominator };
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x < 0n ? -x : x;
}

/** A length in units. Beyond 2^53 it is more than any model holds, and need not be exact to be refused. */
function multiple({ top, bottom }: Fraction, unit: Fraction): number {
  return Number((top / unit.top) * (unit.bottom / bottom));
}

// -- one input --------------------------------------------------------------------------------------------------------

/** The exact numbers of an input, one for each row of its scope. */
function entriesOf(each: Input, h: Hypergraph, given: Entry | readonly Entry[] | undefined): Fraction[] {
  if (given === undefined) throw new Refusal(`${each.name} is missing.`);
  if (each.type.scope === "scalar") {
    if (Array.isArray(given)) throw new Refusal(`The input ${each.name} is one value.`);
    return [numberOf(each, h, given as Entry, `The input ${each.name}`)];
  }
  const labels = labelsOf(h, each.type.scope);
  if (!Array.isArray(given) || given.length !== labels.length)
    throw new Refusal(`The input ${each.name} needs one entry for each of the ${each.type.scope}.`);
  const what = each.type.scope === "vertices" ? "vertex" : "hyperedge";
  return labels.map((label, k) => numberOf(each, h, given[k], `The input ${each.name} of ${what} ${String(label)}`));
}

export function labelsOf(h: Hypergraph, scope: Scope): readonly Label[] {
  return scope === "vertices" ? h.vertices : h.hyperedges;
}

function numberOf(each: Input, h: Hypergraph, entry: Entry, what: string): Fraction {
  const { kind, scope } = each.type;
  if (kind === "flag") {
    if (typeof entry !== "boolean") throw new Refusal(`${what} is a flag: yes or no.`);
    return whole(entry ? 1 : 0);
  }
  if (kind === "vertex" || kind === "hyperedge") {
    const last = (kind === "vertex" ? h.vertices : h.hyperedges).length;
    const first = scope === "scalar" ? 1 : 0;
    if (typeof entry !== "number" || !(entry >= first && entry <= last))
      throw new Refusal(`${what} must be a ${kind} of this hypergraph.`);
    return whole(entry);
  }
  if (typeof entry !== "object") throw new Refusal(`${what} must be a number.`);
  if (entry.top < 0n || (kind === "count" && entry.bottom !== 1n))
    throw new Refusal(`${what} is a ${kind} of at least 0, not ${written(entry)}.`);
  if (each.atMost !== null && entry.top > each.atMost * entry.bottom)
    throw new Refusal(`${what} is at most ${each.atMost}; ${written(entry)} is more.`);
  return entry;
}

function whole(value: number): Fraction {
  return { top: BigInt(value), bottom: 1n };
}
