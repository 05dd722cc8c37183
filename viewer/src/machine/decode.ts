/** The outputs of a recorded run, as `Result.to_json` of src/hyloop/result.py has them. */

import { type JsonLabel, type Label, labelInJson } from "../labels";
import { type Fraction, fractionOf, parseFraction, times, written } from "../numbers";
import type { Kind, Trace } from "../trace";
import { statesOf } from "./frames";
import type { Model } from "./model";
import type { Output, State } from "./program";

/** A pointer to a row where no such vertex or hyperedge is. Only an edited model has one, of which Python reads no result. */
export interface Nowhere {
  readonly row: number;
}

/** A value as JSON has it: infinite and none are null, a number that a double does not print as it is is text. */
export type Plain = boolean | number | JsonLabel | Nowhere | null | Plain[];

export interface Outputs {
  readonly vertices: Record<string, Plain>[];
  readonly hyperedges: Record<string, Plain>[];
  readonly scalars: Record<string, Plain>;
  readonly streams: Record<string, Record<string, Plain>[]>;
}

export function outputsOf(model: Model, trace: Trace): Outputs {
  const reader = new Reader(model, trace);
  const last = model.layers.length;
  // Only a stream has something of every iteration.
  const streams = model.program.outputs.some(({ form }) => form === "stream");
  let end: Numbers | null = null;
  let frame = 0;
  for (const columns of statesOf(trace)) {
    const ended = trace.frames.layer[frame++] === last;
    if (!(ended && streams) && frame < trace.frames.layer.length) continue;
    end = reader.numbers(columns);
    if (ended) reader.collect(end);
  }
  return reader.outputs(end as Numbers);
}

/** The integers of each state: one, or one for each row. */
type Numbers = ReadonlyMap<string, readonly number[]>;

class Reader {
  readonly #unit: Fraction;
  readonly #streams: Record<string, Record<string, Plain>[]> = {};
  readonly #states: ReadonlyMap<string, State>;

  constructor(
    readonly model: Model,
    readonly trace: Trace,
  ) {
    this.#unit = parseFraction(trace.unit) as Fraction;
    this.#states = new Map(model.program.states.map((state) => [state.name, state]));
    for (const { name, form } of model.program.outputs) if (form === "stream") this.#streams[name] = [];
  }

  numbers(columns: readonly Float64Array[]): Numbers {
    const found = this.model.program.states.map(({ name, type }) => {
      const column = columns[this.model.states.get(name) as number] as Float64Array;
      const rows = type.scope === "scalar" ? [0, 1] : [1, 1 + this.trace.hypergraph[type.scope].length];
      return [name, Array.from(column.subarray(rows[0], rows[1]))] as const;
    });
    return new Map(found);
  }

  /** Add what an iteration streams: all but zeros, or, of lengths, all that are finite. */
  collect(now: Numbers): void {
    for (const { name, form, of, state } of this.model.program.outputs) {
      const about = form === "stream" ? (now.get(of as string)?.[0] as number) : 0;
      if (about === 0) continue;
      const [pointer, array] = [this.#state(of as string), this.#state(state)];
      const absent = array.type.kind === "length" ? this.model.infinity : 0;
      const labels = this.#labels(array.type.scope === "vertices" ? "vertex" : "hyperedge");
      const values = (now.get(state) as readonly number[]).flatMap((value, k): Plain[] =>
        value === absent ? [] : [[labelInJson(labels[k] as Label), this.#plain(array.type.kind, value)]],
      );
      const record = { [pointer.type.kind]: this.#plain(pointer.type.kind, about), values };
      this.#streams[name]?.push(record);
    }
  }

  outputs(end: Numbers): Outputs {
    const scalars: Record<string, Plain> = {};
    const sides = { vertices: {} as Record<string, Plain[]>, hyperedges: {} as Record<string, Plain[]> };
    for (const output of this.model.program.outputs) {
      const { scope } = this.#state(output.state).type;
      if (output.form === "stream") continue;
      const values = this.#values(output, end);
      if (output.form === "total" || scope === "scalar") put(scalars, output, values[0] as Plain);
      else sides[scope][output.name] = values;
    }
    for (const [name, value] of Object.entries(scalars))
      if (Array.isArray(value) && value.every((each) => each === null)) scalars[name] = null;
    const { vertices, hyperedges } = this.trace.hypergraph;
    return {
      vertices: records("vertex", vertices, sides.vertices),
      hyperedges: records("hyperedge", hyperedges, sides.hyperedges),
      scalars,
      streams: this.#streams,
    };
  }

  #values(output: Output, end: Numbers): Plain[] {
    const numbers = end.get(output.state) as readonly number[];
    const { kind } = this.#state(output.state).type;
    if (output.form === "total") return [numbers.reduce((sum, each) => sum + each, 0)];
    if (output.over !== null) {
      const [by, over] = [end.get(output.over) as readonly number[], this.#state(output.over).type.kind];
      return numbers.map((value, k) => this.#divided(kind, value, over, by[k] as number));
    }
    const flags = output.known ?? output.unless;
    const there = flags === null ? null : (end.get(flags) as readonly number[]);
    const wanted = output.known !== null ? 1 : 0;
    return numbers.map((value, k) => (there && there[k] !== wanted ? null : this.#plain(kind, value)));
  }

  /** Exactly; null where a number is divided by 0, or where one of them is infinite. */
  #divided(kind: Kind, value: number, over: Kind, by: number): Plain {
    const [top, bottom] = [this.#number(kind, value), this.#number(over, by)];
    if (!top || !bottom || bottom.top === 0n) return null;
    return numberInJson(times(top, { top: bottom.bottom, bottom: bottom.top }));
  }

  /** A count, or a length in the user's unit; null if it is infinite. */
  #number(kind: Kind, value: number): Fraction | null {
    const exact = fractionOf(value) as Fraction;
    if (kind !== "length") return exact;
    return value === this.model.infinity ? null : times(exact, this.#unit);
  }

  #plain(kind: Kind, value: number): Plain {
    if (kind === "flag") return value !== 0;
    if (kind === "count" || kind === "length") {
      const number = this.#number(kind, value);
      return number && numberInJson(number);
    }
    const label = this.#labels(kind)[value - 1];
    if (label === undefined) return value === 0 ? null : { row: value };
    return labelInJson(label);
  }

  #labels(kind: "vertex" | "hyperedge"): readonly Label[] {
    return kind === "vertex" ? this.trace.hypergraph.vertices : this.trace.hypergraph.hyperedges;
  }

  #state(name: string): State {
    return this.#states.get(name) as State;
  }
}

/** Outputs with a place form a list. */
function put(scalars: Record<string, Plain>, { name, place }: Output, value: Plain): void {
  const before = scalars[name];
  scalars[name] = place === null ? value : [...(Array.isArray(before) ? before : []), value];
}

function records(what: string, labels: readonly Label[], outputs: Record<string, Plain[]>): Record<string, Plain>[] {
  const named = Object.entries(outputs);
  if (named.length === 0) return [];
  return labels.map((label, k) => ({
    [what]: labelInJson(label),
    ...Object.fromEntries(named.map(([name, values]) => [name, values[k] as Plain])),
  }));
}

/** As a number where every reader gets it back, else as text. */
function numberInJson(value: Fraction): number | string {
  const text = written(value);
  const nearest = Number(text);
  if (value.bottom === 1n) return Math.abs(nearest) <= 2 ** 53 ? nearest : text;
  const printed = Number.isFinite(nearest) ? fractionOf(nearest) : null;
  return printed && printed.top === value.top && printed.bottom === value.bottom ? nearest : text;
}
