/** The interpreter beside the transformer: values, differences, source lines: the twin of hyloop.recording.beside. */

import type { Differences, Interpreted, Kind, Scope, Trace, Variable } from "../trace";
import { becomes, emptyChanges, type Log } from "./changes";
import type { State } from "./encode";
import { type IterationEnd, interpret, type Value, type World } from "./interpret";
import type { Model } from "./model";
import { operationsOf } from "./places";
import { assignments, type Section } from "./program";

/** Differences that are listed. */
const MOST = 10_000;

/** An assignment to a state: the line, and the operation that says where it holds. */
interface Assigned {
  readonly line: number;
  readonly mask: number | null;
}

export class Beside {
  readonly differences: Differences = { first: null, more: false, values: {} };
  readonly #model: Model;
  readonly #world: World;
  readonly #variables: readonly Variable[];
  readonly #ops: readonly (number | null)[];
  readonly #lines: ReadonlyMap<string, number>;
  readonly #assignments = {
    before: new Map<string, readonly Assigned[]>(),
    body: new Map<string, readonly Assigned[]>(),
  };
  readonly #steps: Generator<IterationEnd, undefined>;
  readonly #named: { about: Interpreted; op: number; log: Log }[];
  /** Of arrays of lengths, which stay the same arrays while nothing in them changes. */
  readonly #inMachine = new WeakMap<readonly number[], readonly number[]>();
  /** Of each variable, the arrays that were last found equal. */
  readonly #agreed: ({ wanted: readonly number[]; column: Float64Array } | undefined)[] = [];
  #step: IterationEnd | null = null;
  #over = false;
  #listed = 0;

  constructor(model: Model, world: World, template: Trace, variables: readonly Variable[]) {
    this.#model = model;
    this.#world = world;
    this.#variables = variables;
    this.#ops = operationsOf(model, variables);
    this.#lines = linesOf(template);
    this.#steps = interpret(model.program, world);
    this.#named = template.program.map((about) => ({
      about,
      op: this.#section(about.section).ops.findLastIndex(({ label, name }) => label === about.name && name !== "input"),
      log: emptyChanges(new Float64Array(Math.max(this.#size(about.scope), 1)), about.scope === "scalar" ? 0 : 1),
    }));
  }

  /** Run one iteration; after its last one the interpreter stays as it is. */
  advance(): void {
    const { value } = this.#steps.next();
    this.#over = value === undefined;
    this.#step = value ?? this.#step;
  }

  /** The source line that assigned a state at a row in this iteration; 0 if none did. */
  line(state: string, row: number): number {
    const step = this.#over ? null : this.#step;
    if (!step) return 0;
    for (const { line, mask } of this.#assigned(step.section, state))
      if (mask === null || holds(step.values[mask] as Value, row)) return line;
    return 0;
  }

  /** Record the named locals at the end of an iteration. */
  record(frame: number): void {
    const step = this.#over ? null : this.#step;
    if (!step) return;
    for (const { about, op, log } of this.#named) {
      if (about.section === step.section)
        becomes(log, frame, this.#machine(about.kind, step.values[op] as Value), null);
    }
  }

  /** Record where the transformer's variables differ from the interpreter's after a layer. */
  compare(frame: number, layer: number, state: State): void {
    this.#variables.forEach((variable, k) => {
      if (!this.#stands(variable, layer)) return;
      const wanted = this.#machine(variable.kind, this.#value(variable, this.#ops[k] ?? null));
      const column = state[variable.column] as Float64Array;
      // Arrays stay the same ones while nothing in them changes.
      const agreed = this.#agreed[k];
      if (agreed?.wanted === wanted && agreed.column === column) return;
      const first = variable.scope === "scalar" ? 0 : 1;
      let differs = false;
      for (let k = 0; k < wanted.length; k++) {
        const found = column[k + first] as number;
        if (found === wanted[k]) continue;
        differs = true;
        this.#differs(frame, variable, k + first, wanted[k] as number, found);
      }
      this.#agreed[k] = differs ? undefined : { wanted, column };
    });
  }

  /** Record that the transformer halts before its first iteration, while the program always runs one. */
  haltedAtOnce(state: State): void {
    const halt = this.#variables.find(({ role }) => role === "halt") as Variable;
    this.#differs(0, halt, 0, 0, state[halt.column]?.[0] as number);
  }

  documents(): Interpreted[] {
    return this.#named.map(({ about, log: { changes } }) => {
      const { name, kind, scope, line, section } = about;
      const { frame, row, value } = changes;
      return { name, kind, scope, line, section, initial: 0, frame, row, value };
    });
  }

  #section(name: "before" | "body"): Section {
    return name === "before" ? this.#model.program.before : this.#model.program.body;
  }

  /** The assignments to a state, with their lines; asked for every change. */
  #assigned(section: "before" | "body", state: string): readonly Assigned[] {
    const known = this.#assignments[section].get(state);
    if (known) return known;
    const found = assignments(this.#section(section), state).map(({ op, mask }) => ({
      mask,
      line: this.#lines.get(`${section} ${op} ${state}`) ?? this.#lines.get(`${section} ${op}`) ?? 0,
    }));
    this.#assignments[section].set(state, found);
    return found;
  }

  #size(scope: Scope): number {
    return scope === "vertices" ? this.#world.vertices : scope === "hyperedges" ? this.#world.hyperedges : 0;
  }

  #stands({ role, section, from, until }: Variable, layer: number): boolean {
    if (!this.#step) return false;
    if (role !== "local") return layer === this.#model.layers.length;
    return !this.#over && section === this.#step.section && from <= layer && layer <= until;
  }

  #value({ role, name }: Variable, op: number | null): Value {
    const step = this.#step as IterationEnd;
    if (role === "halt") return step.halted ? 1 : 0;
    return role === "state" ? (step.states.get(name) as Value) : (step.values[op as number] as Value);
  }

  /** A value as the machine should have it: infinite lengths are its own number for them. */
  #machine(kind: Kind, value: Value): readonly number[] {
    if (typeof value === "number") return [value === Number.POSITIVE_INFINITY ? this.#model.infinity : value];
    if (kind !== "length") return value;
    const known = this.#inMachine.get(value);
    if (known) return known;
    const found = value.includes(Number.POSITIVE_INFINITY)
      ? value.map((each) => (each === Number.POSITIVE_INFINITY ? this.#model.infinity : each))
      : value;
    this.#inMachine.set(value, found);
    return found;
  }

  #differs(frame: number, variable: Variable, row: number, expected: number, found: number): void {
    const all = this.differences;
    all.first ??= { frame, variable: variable.name, row, expected, found };
    if (this.#listed >= MOST) {
      all.more = true;
      return;
    }
    this.#listed++;
    if (!Object.hasOwn(all.values, variable.name)) {
      // As data: a variable may be called __proto__.
      const value = { frame: [], row: [], expected: [] };
      Object.defineProperty(all.values, variable.name, { value, enumerable: true, configurable: true, writable: true });
    }
    const noted = all.values[variable.name] as Differences["values"][string];
    noted.frame.push(frame);
    noted.row.push(row);
    noted.expected.push(expected);
  }
}

/** A flag at a row; rows beyond an array are padding, where nothing is assigned. */
function holds(value: Value, row: number): boolean {
  return typeof value === "number" ? value !== 0 : (value[row - 1] ?? 0) !== 0;
}

/** The source lines of operations; and of assignments to a state, where they are others. */
function linesOf({ algorithm: { ops } }: Trace): ReadonlyMap<string, number> {
  return new Map(
    ops.flatMap(({ section, op, line, elsewhere = [] }) => [
      [`${section} ${op}`, line] as const,
      ...elsewhere.map((each) => [`${section} ${op} ${each.state}`, each.line] as const),
    ]),
  );
}
