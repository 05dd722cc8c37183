/** Whether a model is the one whose run a trace is: it has the program's operations, and begins as the run does. */

import type { Changes, Trace } from "../trace";
import { encode, rowsOf, type State } from "./encode";
import { Executor } from "./execute";
import { givenOf, hypergraphOf } from "./given";
import { incidencesOf } from "./hypergraph";
import type { Model } from "./model";
import { prepare } from "./prepare";
import { begins, type Section } from "./program";

/** Numbers of states that are computed and compared when a page opens: some milliseconds. */
const CELLS = 1_000_000;

export function isRunOf(model: Model, trace: Trace): boolean {
  return isDescribed(model, trace) && doesTheSame(model, trace);
}

function isDescribed(model: Model, { algorithm, model: said, recorded }: Trace): boolean {
  const names = (columns: readonly { name: string }[]) => columns.map(({ name }) => name).join("\n");
  return (
    model.program.name === algorithm.name &&
    begins(model.program) === algorithm.begins &&
    model.infinity === said.infinity &&
    model.layers.length === said.layers.length &&
    model.layers.every(({ heads }, k) => heads.length === said.layers[k]?.heads.length) &&
    names(model.columns) === names(said.columns) &&
    typeof recorded.layers === "boolean" &&
    hasOperations(model, algorithm.ops)
  );
}

type Told = Trace["algorithm"]["ops"][number];
type Operation = ReturnType<typeof operations>[number];

function hasOperations({ program }: Model, told: readonly Told[]): boolean {
  const ops = [...operations("before", program.before), ...operations("body", program.body)];
  return ops.length === told.length && ops.every((op, k) => isTold(op, told[k] as Told));
}

/** Whether a trace says of an operation what the model has of it; its lines in a source are not in the model. */
function isTold(op: Operation, told: Told): boolean {
  const said = { ...told, label: NAMED.includes(told.name) ? told.label : "" };
  return MEANT.every((part) => JSON.stringify(op[part]) === JSON.stringify(said[part]));
}

const MEANT = ["section", "op", "name", "label", "kind", "scope", "operands", "assigns"] as const;
const NAMED: readonly string[] = ["state", "input"];

function operations(section: "before" | "body", { ops, updates }: Section) {
  return ops.map(({ name, operands, argument, type, label }, op) => ({
    section,
    op,
    name,
    label: NAMED.includes(name) ? label || argument : "",
    kind: type.kind,
    scope: type.scope,
    operands,
    assigns: [...updates].flatMap(([state, value]) => (value === op ? [state] : [])),
  }));
}

/** Whether the model leads from state to state as the trace has them, as far as that takes no time. */
function doesTheSame(model: Model, trace: Trace): boolean {
  const h = hypergraphOf(trace);
  const { weights, inputs } = prepare(model.program, h, givenOf(model, trace));
  const frame = { vertices: h.vertices.length, hyperedges: h.hyperedges.length, weights, inputs };
  const size = rowsOf(model, frame);
  const executor = new Executor(model, incidencesOf(h), weights, size);
  const replay = trace.columns.map((changes) => new Replay(changes, size));
  const { iteration, layer } = trace.frames;
  const last = model.layers.length;
  let [state, done] = [encode(model, frame), 0];
  for (const [number, at] of iteration.entries()) {
    if (number > 0 && layer[number] !== last) continue;
    if (at * size * model.columns.length * last > CELLS) return true;
    for (; done < at; done++) {
      if (executor.halted(state)) return false;
      state = executor.iterate(state);
    }
    if (!replay.every((column, k) => column.is(number, state[k] as State[number]))) return false;
  }
  return true;
}

/** A column of a trace, frame by frame. */
class Replay {
  readonly #now: Float64Array;
  #next = 0;

  constructor(
    readonly changes: Changes,
    size: number,
  ) {
    const { initial } = changes;
    this.#now = typeof initial === "number" ? new Float64Array(size).fill(initial) : Float64Array.from(initial);
  }

  /** Whether these are its numbers at a frame; frames are asked for in order. */
  is(frame: number, values: Float64Array): boolean {
    const { frame: frames, row, value } = this.changes;
    for (; this.#next < frames.length && (frames[this.#next] as number) <= frame; this.#next++) {
      const [at, to] = [row[this.#next] as number, value[this.#next] as number];
      if (at < 0) this.#now.fill(to);
      else this.#now[at] = to;
    }
    return this.#now.length === values.length && this.#now.every((number, k) => number === values[k]);
  }
}
