/** What is other in one run than in another: their hypergraphs, and what stands in them at a moment. */

import { isolated } from "../isolate";
import { labelText } from "../labels";
import type { Named, Recording, Thing } from "../recording";
import { listed } from "../told";
import type { Label, Trace } from "../trace";

type Side = Thing["scope"];
const SIDES: readonly Side[] = ["vertices", "hyperedges"];

/** A value that differs; rows are those of the left and of the right run, 0 for a single value. */
export interface Difference {
  readonly scope: Named["scope"];
  readonly label: string;
  readonly name: string;
  readonly left: string;
  readonly right: string;
  readonly rows: readonly [number, number];
}

/** The rows of one label in both runs; 0 where it is not. */
export type Pair = readonly [number, number];

/** How a difference is called: side by side, or before and after. */
export interface Terms {
  readonly left: string;
  readonly right: string;
  readonly other: string;
}

export const BESIDE: Terms = { left: "only on the left", right: "only on the right", other: "≠" };
export const AFTER: Terms = { left: "removed", right: "added", other: "→" };

function keyOf(label: Label): string {
  return `${typeof label} ${String(label)}`;
}

/** Two runs, row by row: labels that both have belong together. */
export class Pairs {
  readonly vertices: readonly Pair[];
  readonly hyperedges: readonly Pair[];
  readonly #names: readonly [Named, Named][];

  constructor(
    readonly left: Recording,
    readonly right: Recording,
  ) {
    [this.vertices, this.hyperedges] = SIDES.map((side) => paired(left.trace, right.trace, side)) as [Pair[], Pair[]];
    const states = (recording: Recording) =>
      [...recording.variables.values()].filter(({ variable }) => variable?.role === "state");
    const others = new Map(states(right).map((named) => [named.name, named]));
    this.#names = states(left).flatMap((named) => {
      const other = others.get(named.name);
      return other && other.scope === named.scope && other.kind === named.kind ? [[named, other] as const] : [];
    }) as [Named, Named][];
  }

  /** The states that both have, by name. */
  get names(): string[] {
    return this.#names.map(([{ name }]) => name);
  }

  /**
   * What differs where both runs stand now: which vertex or hyperedge the step is about, then the values of states;
   * those that the picture shows come first.
   */
  now(): Difference[] {
    const main = this.left.trace.shows.value;
    const ordered = [...this.#names].sort(([a], [b]) => Number(b.name === main) - Number(a.name === main));
    return [...this.#current(), ...ordered].flatMap(([one, other]) => this.#differences(one, other));
  }

  /** How many values differ there. */
  count(): number {
    return [...this.#current(), ...this.#names].reduce(
      (sum, [one, other]) => sum + this.#unequal(one, other).length,
      0,
    );
  }

  /** What both pictures show as current, unless it is a state: a local stands in some layers only. */
  #current(): [Named, Named][] {
    const names = this.left.trace.shows.current.filter((name) => this.right.trace.shows.current.includes(name));
    return names.flatMap((name): [Named, Named][] => {
      if (this.#names.some(([known]) => known.name === name)) return [];
      const [one, other] = [this.left.standing(name), this.right.standing(name)];
      return one && other && one.scope === "scalar" && other.scope === "scalar" && one.kind === other.kind
        ? [[one, other]]
        : [];
    });
  }

  #differences(one: Named, other: Named): Difference[] {
    return this.#unequal(one, other).map((rows) => ({
      scope: one.scope,
      label: one.scope === "scalar" ? "" : (this.left.label(one.scope, rows[0]) ?? ""),
      name: one.name,
      left: this.left.cellText(one, rows[0]),
      right: this.right.cellText(other, rows[1]),
      rows,
    }));
  }

  #unequal(one: Named, other: Named): Pair[] {
    const rows: readonly Pair[] = one.scope === "scalar" ? [[0, 0]] : this[one.scope];
    return rows.filter((pair) => {
      const [a, b] = pair;
      if (one.scope !== "scalar" && (a === 0 || b === 0)) return false;
      if (this.left.lacksOf(one, a) !== this.right.lacksOf(other, b)) return true;
      return !this.#equal(one, other, this.left.valueOf(one, a), this.right.valueOf(other, b));
    });
  }

  /** Whether two numbers mean the same: rows and units of the two runs may be others. */
  #equal({ kind }: Named, other: Named, a: number, b: number): boolean {
    if (kind === "flag" || kind === "count") return a === b;
    if (kind === "length" && this.left.trace.unit === this.right.trace.unit) {
      const [infinite, its] = [this.left.trace.model.infinity, this.right.trace.model.infinity];
      return a === infinite || b === its ? (a === infinite) === (b === its) : a === b;
    }
    return this.left.text(kind, a) === this.right.text(other.kind, b);
  }
}

function paired(left: Trace, right: Trace, side: Side): Pair[] {
  const there = new Map(right.hypergraph[side].map((label, k) => [keyOf(label), k + 1]));
  const here = left.hypergraph[side].map((label, k): Pair => [k + 1, there.get(keyOf(label)) ?? 0]);
  const known = new Set(left.hypergraph[side].map(keyOf));
  const more = right.hypergraph[side].flatMap((label, k): Pair[] => (known.has(keyOf(label)) ? [] : [[0, k + 1]]));
  return [...here, ...more];
}

/** How the hyperedge of a pair differs, in words: "Wreck only on the right, weight 4 ≠ 5"; "" if it does not. */
export function edgeDifference(left: Trace, right: Trace, [a, b]: Pair, terms = BESIDE): string {
  const membersOf = ({ hypergraph: h }: Trace, e: number) =>
    (h.members[e - 1] ?? []).map((v) => labelText(h.vertices[v - 1] as Label));
  const [here, there] = [membersOf(left, a), membersOf(right, b)];
  const only = (some: string[], others: string[]) => some.filter((name) => !others.includes(name));
  const weights = [left.hypergraph.weights[a - 1], right.hypergraph.weights[b - 1]];
  const parts = [
    ...said(only(here, there), terms.left),
    ...said(only(there, here), terms.right),
    ...(weights[0] === weights[1] ? [] : [`weight ${weights[0]} ${terms.other} ${weights[1]}`]),
    ...(directionsOf(left, a) === directionsOf(right, b) ? [] : ["other directions"]),
  ];
  return parts.join(", ");
}

function said(names: readonly string[], where: string): string[] {
  return names.length === 0 ? [] : [`${listed(names.map(isolated))} ${where}`];
}

function directionsOf({ hypergraph: h }: Trace, e: number): string {
  const names = (rows: readonly number[] | undefined) =>
    (rows ?? []).map((v) => labelText(h.vertices[v - 1] as Label)).sort();
  return h.tails && h.heads ? JSON.stringify([names(h.tails[e - 1]), names(h.heads[e - 1])]) : "";
}

/** How the hypergraphs and inputs of two runs differ, a sentence each. */
export function hypergraphDifferences(pairs: Pairs, terms = BESIDE, inputs = true): string[] {
  const [left, right] = [pairs.left.trace, pairs.right.trace];
  const lines = SIDES.flatMap((side) => {
    const only = (which: 0 | 1, recording: Recording) =>
      pairs[side]
        .filter((pair) => pair[1 - which] === 0)
        .map((pair) => labelText(recording.trace.hypergraph[side][pair[which] - 1] as Label));
    return [...said(only(0, pairs.left), terms.left), ...said(only(1, pairs.right), terms.right)];
  });
  for (const pair of pairs.hyperedges) {
    if (pair[0] === 0 || pair[1] === 0) continue;
    const told = edgeDifference(left, right, pair, terms);
    if (told !== "") lines.push(`${pairs.left.label("hyperedges", pair[0])}: ${told}`);
  }
  for (const { name, kind, value } of inputs ? left.inputs : []) {
    const other = right.inputs.find((each) => each.name === name && each.kind === kind);
    const [a, b] = [pairs.left.text(kind, value), other && pairs.right.text(kind, other.value)];
    if (b !== undefined && a !== b) lines.push(`${name}: ${a} ${terms.other} ${b}`);
  }
  return lines;
}

export interface Moment {
  readonly iteration: number;
  /** Null: the end of the iteration. */
  readonly layer: number | null;
}

/** One time for both runs, of what both have: layer by layer where both have the same layers, else by iterations. */
export function momentsOf(left: Recording, right: Recording): Moment[] {
  const byLayers =
    left.trace.recorded.layers &&
    right.trace.recorded.layers &&
    left.trace.algorithm.name === right.trace.algorithm.name &&
    left.layers === right.layers;
  const found = new Map<number, Moment>();
  for (const recording of [left, right]) {
    for (let frame = 0; frame < recording.length; frame++) {
      const [iteration, layer] = [recording.iterationOf(frame), byLayers ? recording.layerOf(frame) : null];
      if (![left, right].every((each) => isKnown(each, iteration))) continue;
      found.set(iteration * (left.layers + 1) + (layer ?? 0), { iteration, layer });
    }
  }
  return [...found].sort(([a], [b]) => a - b).map(([, moment]) => moment);
}

/** Whether a run's state in an iteration is recorded: it is, or the run halted before. */
function isKnown(recording: Recording, iteration: number): boolean {
  const found = recording.iterationOf(recording.frameOf(iteration));
  return found === iteration || (recording.trace.recorded.halted && found === recording.trace.recorded.iterations);
}

/** The number of the last moment that is not after another one. */
export function momentAt(moments: readonly Moment[], { iteration, layer }: Moment): number {
  const after = moments.findIndex(
    (each) =>
      each.iteration > iteration ||
      (each.iteration === iteration && each.layer !== null && layer !== null && each.layer > layer),
  );
  return after < 0 ? moments.length - 1 : Math.max(0, after - 1);
}

/** Bring both runs to a moment; one that has ended stays at its end. */
export function goTo(pairs: Pairs, { iteration, layer }: Moment): void {
  for (const recording of [pairs.left, pairs.right]) recording.seek(recording.frameOf(iteration, layer ?? undefined));
}

/** How many values differ at each moment, found step by step: of many moments, at some. */
export function* counted(pairs: Pairs, moments: readonly Moment[], most: number): Generator<number, Float64Array> {
  const counts = new Float64Array(moments.length);
  const every = Math.max(1, Math.ceil(moments.length / most));
  for (let k = 0; k < moments.length; k += every) {
    // Others may look at the runs between two steps: they find them where they left them.
    const here = [pairs.left.frame, pairs.right.frame] as const;
    goTo(pairs, moments[k] as Moment);
    counts.fill(pairs.count(), k, k + every);
    pairs.left.seek(here[0]);
    pairs.right.seek(here[1]);
    yield k;
  }
  return counts;
}
