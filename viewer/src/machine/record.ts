/** A run in the page, recorded as a trace: the twin of src/hyloop/recording/record.py. */

import { written } from "../numbers";
import type { Attention, Trace } from "../trace";
import { Beside } from "./beside";
import { becomes, emptyChanges, type Log } from "./changes";
import { encode, rowsOf, type State } from "./encode";
import { Executor } from "./execute";
import { emptyAttention, noteAttention } from "./heads";
import { type Hypergraph, incidencesOf } from "./hypergraph";
import { columnOfArray, type Model } from "./model";
import { type Given, type Prepared, prepare } from "./prepare";
import { mostIterations } from "./program";
import { Refusal } from "./refusal";
import { drained } from "./slices";

/** About so many changes are recorded at most; a trace has 14 bytes for each. */
const ENTRIES = 7_000_000;
/** Up to so many rows × layers × iterations, layers are recorded, as src/hyloop/recording/record.py has it. */
const FEW = 4_000_000;
/** Up to so many they are recorded where nobody knows how long the run will be. */
const TRIED = 1_000_000;

export interface RecordOptions {
  readonly positions: Trace["hypergraph"]["positions"];
  /** The title of the hypergraph. */
  readonly name: string;
  /** Whether the layers of a long run are recorded, too. */
  readonly whole?: boolean;
  /** The most iterations; by default those that the program declares. */
  readonly first?: number;
}

/**
 * Run a model on a hypergraph and record it. `template` is a trace of the same model: what does not depend on the
 * input is taken from it, and its layers are recorded if it has them.
 */
export function record(model: Model, template: Trace, h: Hypergraph, given: Given, options: RecordOptions): Trace {
  return drained(recording(model, template, h, given, options));
}

/** The same, step by step: after each iteration, how many there were. */
export function* recording(
  model: Model,
  template: Trace,
  h: Hypergraph,
  given: Given,
  { positions, name, whole, first: asked = Number.POSITIVE_INFINITY }: RecordOptions,
): Generator<number, Trace> {
  const { weights, inputs, unit } = prepare(model.program, h, given);
  const [vertices, hyperedges] = [h.vertices.length, h.hyperedges.length];
  const frame = { vertices, hyperedges, weights, inputs };
  const first = encode(model, { ...frame, unit, of: h });
  const most = Math.min(mostIterations(model.program, vertices, hyperedges), asked);
  const size = rowsOf(model, frame);
  const incidences = incidencesOf(h);
  const world = { vertices, hyperedges, incidences, weights, inputs };
  const recorder = (base: Trace) => {
    const beside = new Beside(model, world, base, base.variables);
    return new Recorder(new Executor(model, incidences, weights, size), base, beside, first);
  };
  const per = size * model.layers.length;
  const few = whole || per * most <= FEW;
  let [base, made] = [template, recorder(template)];
  // A bound says little of how long a run is: whether its layers are too many is seen on the way.
  const tried = few ? most : Math.floor(TRIED / per);
  const ended = template.recorded.layers ? yield* made.run(Math.min(tried, most), most) : false;
  if (!ended) {
    base = withoutLayers(template, model.layers.length);
    made = recorder(base);
    yield* made.run(most, most);
  }
  return {
    ...base,
    inputs: base.inputs.map(({ name, kind }) => ({ name, kind, value: inputs.get(name) as number })),
    ...unplaced(model, inputs),
    hypergraph: hypergraphDocument(h, name, positions),
    unit: written(unit),
    ...made.document(),
    program: made.beside.documents(),
    differences: made.beside.differences,
  };
}

/** A trace that has the ends of iterations only, and of the locals those that stand there. */
function withoutLayers(template: Trace, last: number): Trace {
  const variables = template.variables.filter(({ role, until }) => role !== "local" || until === last);
  return { ...template, variables, recorded: { ...template.recorded, layers: false } };
}

/** The arrays among the inputs that stand in no column of a model, as a trace has them. */
function unplaced(model: Model, inputs: Prepared["inputs"]): Pick<Trace, "arrays"> {
  const arrays = model.program.inputs.flatMap(({ name, type: { kind, scope } }) =>
    scope === "scalar" || columnOfArray(model, name) >= 0
      ? []
      : [{ name, kind, scope, values: [...(inputs.get(name) as readonly number[])] }],
  );
  return arrays.length > 0 ? { arrays } : {};
}

function hypergraphDocument(
  h: Hypergraph,
  name: string,
  positions: Trace["hypergraph"]["positions"],
): Trace["hypergraph"] {
  const lists = (side: readonly (readonly number[])[]) => side.map((each) => [...each]);
  return {
    name,
    vertices: [...h.vertices],
    hyperedges: [...h.hyperedges],
    weights: h.weights.map(written),
    members: lists(h.members),
    ...(h.tails && h.heads ? { tails: lists(h.tails), heads: lists(h.heads) } : {}),
    positions,
  };
}

class Recorder {
  readonly #layers: boolean;
  readonly #logs: Log[];
  readonly #states: ReadonlyMap<number, string>;
  readonly #attention: Attention[];
  readonly #iterations = [0];
  readonly #layerOf = [0];
  #state: State;
  #done = 0;
  #entries = 0;
  #stopped = "";

  constructor(
    readonly executor: Executor,
    template: Trace,
    readonly beside: Beside,
    first: State,
  ) {
    this.#layers = template.recorded.layers;
    this.#state = first;
    const states = template.variables.filter(({ role }) => role === "state");
    this.#states = new Map(states.map(({ column, name }) => [column, name]));
    this.#logs = first.map((column, number) => emptyChanges(column, 0, this.#states.has(number)));
    this.#attention = executor.model.layers.flatMap(({ heads }, layer) =>
      heads.map((_, head) => emptyAttention(layer + 1, head + 1)),
    );
  }

  /** Run until the transformer halts, or `until` iterations are done and more may come; returns whether it ended. */
  *run(until: number, most: number): Generator<number, boolean> {
    if (this.executor.halted(this.#state)) this.beside.haltedAtOnce(this.#state);
    while (!this.executor.halted(this.#state)) {
      if (this.#done >= most) {
        this.#stopped = `The transformer did not halt within the ${most.toLocaleString("en")} iterations that the program declares.`;
        return true;
      }
      if (this.#entries > ENTRIES) {
        this.#stopped = `The recording reached its limit after iteration ${this.#done.toLocaleString("en")}.`;
        return true;
      }
      if (this.#done >= until) return false;
      this.#iterate();
      yield this.#done;
    }
    return true;
  }

  #iterate(): void {
    this.beside.advance();
    this.#done++;
    const last = this.executor.model.layers.length;
    let head = 0;
    for (let layer = 1; layer <= last; layer++) {
      const { state, looks } = this.executor.layer(layer - 1, this.#state);
      this.#state = state;
      if (!this.#layers && layer < last) continue;
      const frame = this.#frame(layer);
      if (!this.#layers) continue;
      for (const look of looks) {
        const into = this.#attention[head++] as Attention;
        const spreads = this.executor.model.layers[layer - 1]?.heads[into.head - 1]?.kind !== "plain";
        this.#entries += noteAttention(into, frame, look, spreads);
      }
    }
    this.beside.record(this.#iterations.length - 1);
  }

  /** Add a frame for the current state. */
  #frame(layer: number): number {
    const frame = this.#iterations.length;
    this.#entries++;
    this.#iterations.push(this.#done);
    this.#layerOf.push(layer);
    this.#logs.forEach((log, number) => {
      const column = this.#state[number] as Float64Array;
      if (column === log.now) return; // no head and no unit writes it in this layer
      const name = this.#states.get(number);
      const before = log.changes.value.length;
      this.#entries += becomes(log, frame, column, name === undefined ? null : (row) => this.beside.line(name, row));
      requireExact(log, before, this.#done);
    });
    this.beside.compare(frame, layer, this.#state);
    return frame;
  }

  document(): Pick<Trace, "recorded" | "frames" | "columns" | "attention"> {
    return {
      recorded: {
        layers: this.#layers,
        every: 1,
        first: null,
        last: null,
        iterations: this.#done,
        halted: this.executor.halted(this.#state),
        stopped: this.#stopped,
        backend: "page",
      },
      frames: { iteration: this.#iterations, layer: this.#layerOf },
      columns: this.#logs.map(({ changes }) => changes),
      attention: this.#layers ? this.#attention : [],
    };
  }
}

/** A number that a float64 does not hold exactly would differ between executors: nothing is shown of such a run. */
function requireExact({ changes }: Log, from: number, iteration: number): void {
  for (let k = from; k < changes.value.length; k++) {
    if (!Number.isSafeInteger(changes.value[k]))
      throw new Refusal(
        `In iteration ${iteration.toLocaleString("en")} the transformer left the numbers that are exact.`,
      );
  }
}
