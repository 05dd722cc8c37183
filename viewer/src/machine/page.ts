/** The transformers in the page: they run what is edited, file by file, algorithm by algorithm. */

import {
  type Algorithm,
  type ArrayInput,
  type HypergraphBody,
  isDirected,
  type RunBody,
  type SingleBody,
} from "../edit/model";
import { type JsonLabel, type Label, labelFromJson } from "../labels";
import { type Fraction, parseFraction } from "../numbers";
import { asTrace, type Kind, type Trace } from "../trace";
import { type Outputs, outputsOf } from "./decode";
import { areDecimal, writeEdgeList } from "./edge_list";
import { again, givenOf } from "./given";
import { runHash } from "./hash";
import { type Origin, writeHif } from "./hif";
import type { Hypergraph } from "./hypergraph";
import { type Model, readModelFile } from "./model";
import { type Point, positionsOf } from "./positions";
import type { Entry, Given } from "./prepare";
import { type Input, usesDirection } from "./program";
import { record, recording } from "./record";
import { DirectedRefusal, Refusal } from "./refusal";
import { isRunOf } from "./same";
import { sliced, type Watch } from "./slices";
import { templateOf } from "./template";

/** A hypergraph to choose from: a HIF document, and where its vertices are drawn. */
export interface Example {
  readonly name: string;
  readonly about: string;
  readonly hif: string;
  readonly positions: readonly Point[];
}

/** A hypergraph as a file. */
export interface SavedFile {
  readonly format: "hif" | "edge-list";
  readonly text: string;
}

/** A model file that was taken: its algorithm here, and the one of the page that has its name, if there is one. */
export interface Adopted {
  readonly algorithm: Algorithm;
  readonly beside: string | null;
}

/** Who runs an edited hypergraph, and what it offers. */
export interface Runs {
  readonly algorithms: readonly Algorithm[];
  readonly examples: readonly Example[];
  readonly file: string;
  /** The inputs of a run that are arrays. */
  arrays(trace: Trace): ArrayInput[];
  run(body: RunBody, watch?: Watch): Promise<Trace>;
  /** The file that the hypergraph of the page came from, if it says more than that. */
  readonly origin: Origin | null;
  /** The file of a hypergraph: HIF, or an edge list where HIF cannot hold its weights. */
  saved(body: HypergraphBody, origin: Origin | null): SavedFile;
  /** The model whose run a trace is, if the page has it. */
  modelOf?(trace: Trace): Model | null;
  /** Take a model file: its algorithm is among those that the page runs, beside others of its name. */
  adopt?(file: Uint8Array): Adopted;
  /** Whether an algorithm is of a model file that was opened here: another copy of the page does not have it. */
  isAdopted?(algorithm: string): boolean;
}

/** A model, and a trace of it: what does not depend on the input is taken from that. */
export interface Machine {
  readonly model: Model;
  readonly template: Trace;
}

/** An algorithm of the page; its model is unpacked when it is wanted. */
export interface Shelf {
  readonly algorithm: Algorithm;
  open(): Promise<Machine>;
}

export class PageMachine implements Runs {
  readonly examples: readonly Example[];
  readonly file: string;
  #shelves: readonly Shelf[];
  readonly #open = new Map<string, Machine>();
  readonly #adopted = new Set<string>();
  /** Whether the model of this page makes the run of a trace. */
  readonly #fits = new WeakMap<Trace, boolean>();

  constructor(
    shelves: readonly Shelf[],
    examples: readonly Example[],
    file: string,
    readonly origin: Origin | null = null,
  ) {
    this.#shelves = shelves;
    this.examples = examples;
    this.file = file;
  }

  get algorithms(): readonly Algorithm[] {
    return this.#shelves.map(({ algorithm }) => algorithm);
  }

  adopt(file: Uint8Array): Adopted {
    const { model: given, document } = readModelFile(file);
    const { name: own } = given.program;
    const name = this.#free(own);
    const model = { ...given, program: { ...given.program, name } };
    const machine = { model, template: templateOf(model, document) };
    requireDescribed(machine);
    const algorithm = offered(model, machine.template);
    this.#shelves = [{ algorithm, open: async () => machine }, ...this.#shelves];
    this.#open.set(name, machine);
    this.#adopted.add(name);
    return { algorithm, beside: name === own ? null : own };
  }

  isAdopted(algorithm: string): boolean {
    return this.#adopted.has(algorithm);
  }

  /** A name that no algorithm of the page has: "dijkstra (your file)". */
  #free(name: string): string {
    const taken = new Set(this.algorithms.map((each) => each.name));
    const tries = [name, `${name} (your file)`];
    for (let k = 2; taken.has(tries[0] as string); k++) {
      tries.shift();
      tries.push(`${name} (your file ${k})`);
    }
    return tries[0] as string;
  }

  /** A page with the one model whose run it shows. */
  static of(model: Model, trace: Trace): PageMachine {
    requireSame(model, trace);
    const machine = { model, template: trace };
    const algorithm = offered(model, trace);
    const page = new PageMachine([{ algorithm, open: async () => machine }], [], trace.hypergraph.name);
    page.#open.set(algorithm.name, machine);
    return page;
  }

  modelOf(trace: Trace): Model | null {
    const model = this.#open.get(trace.algorithm.name)?.model;
    if (!model) return null;
    const fits = this.#fits.get(trace) ?? isRunOf(model, trace);
    this.#fits.set(trace, fits);
    return fits ? model : null;
  }

  /** Unpack the model of an algorithm; a refusal says which there are. */
  async open(algorithm: string): Promise<Machine> {
    const known = this.#open.get(algorithm);
    if (known) return known;
    const shelf = this.#shelves.find((each) => each.algorithm.name === algorithm);
    if (!shelf) throw new Refusal(`There is no algorithm ${algorithm} in this page.`);
    const machine = await shelf.open();
    requireSame(machine.model, machine.template);
    this.#open.set(algorithm, machine);
    return machine;
  }

  arrays(trace: Trace): ArrayInput[] {
    const model = this.modelOf(trace);
    if (!model) return [];
    const given = givenOf(model, trace);
    return model.program.inputs.flatMap(({ name, type: { kind, scope } }) =>
      scope === "scalar" ? [] : [{ name, kind, scope, entries: given.get(name) as readonly Entry[] }],
    );
  }

  /** Run an edited hypergraph, in slices; an error carries a sentence. */
  async run(body: RunBody, watch?: Watch): Promise<Trace> {
    const { model, template } = await this.open(body.algorithm);
    const h = hypergraphOf(body.hypergraph);
    const places = new Map(body.positions?.vertices.map(([label, at]) => [labelFromJson(label), at]));
    const positions = positionsOf(
      h,
      h.vertices.map((label): Point | undefined => places.get(label)),
    );
    const given = givenIn(model, h, body.inputs);
    const options = { positions, name: body.hypergraph.name };
    try {
      const trace = await sliced(recording(model, template, h, given, options), watch);
      this.#fits.set(trace, true);
      return trace;
    } catch (error) {
      throw error instanceof DirectedRefusal ? await this.#advised(error) : error;
    }
  }

  /** The refusal of a directed hypergraph, with an algorithm of this page that takes one, if there is any. */
  async #advised({ message }: DirectedRefusal): Promise<Refusal> {
    for (const { name } of this.algorithms) {
      const { model } = await this.open(name);
      if (usesDirection(model.program))
        return new Refusal(`${message} Or choose an algorithm that does, such as ${name}.`);
    }
    return new Refusal(message);
  }

  saved(body: HypergraphBody, origin: Origin | null = null): SavedFile {
    const h = hypergraphOf(body);
    const fits = areDecimal(h) || h.tails !== null;
    return fits ? { format: "hif", text: writeHif(h, origin) } : { format: "edge-list", text: writeEdgeList(h) };
  }

  /** A recorded run of one of these models once more: its trace as this page computes it, the hash and the outputs. */
  again(document: unknown): { trace: Trace; hash: string; outputs: Outputs } {
    const given = asTrace(document);
    const model = this.modelOf(given);
    if (!model) throw new Refusal(`There is no algorithm ${given.algorithm.name} in this page.`);
    const trace = again(model, given);
    return { trace, hash: runHash(trace), outputs: outputsOf(model, trace) };
  }
}

/** What a page offers of a model. */
function offered({ program }: Model, { algorithm }: Trace): Algorithm {
  const inputs = program.inputs.map(({ name, type: { kind, scope } }) => ({ name, kind, scope }));
  const about = algorithm.about.split("\n")[0] as string;
  return { name: program.name, about, inputs, directed: usesDirection(program) };
}

/** Refuse a model whose description of itself does not fit: a first iteration must be a trace. */
function requireDescribed({ model, template }: Machine): void {
  const one = [[1]];
  const sides = usesDirection(model.program) ? { tails: one, heads: one } : { tails: null, heads: null };
  const weights = [{ top: 1n, bottom: 1n }];
  const h = { vertices: ["v"], hyperedges: ["e"], weights, members: one, ...sides };
  const given = new Map(model.program.inputs.map((each) => [each.name, smallest(each)] as const));
  const positions = positionsOf(h, [undefined]);
  const trace = record(model, template, h, given, { positions, name: "", first: 1 });
  try {
    asTrace(JSON.parse(JSON.stringify(trace)));
  } catch {
    throw new Refusal("This model cannot be used: what its file says of its parts does not fit together.");
  }
}

function smallest({ type: { kind, scope } }: Input): Entry | readonly Entry[] {
  const one: Entry = kind === "flag" ? false : isPointer(kind) ? 1 : { top: 0n, bottom: 1n };
  return scope === "scalar" ? one : [one];
}

/** Refuse a model that is not the one whose run the page shows: nothing that it computes would fit the rest. */
function requireSame(model: Model, trace: Trace): void {
  if (isRunOf(model, trace)) return;
  throw new Refusal("The model in this page is not the one whose run it shows. Write the page again.");
}

// -- from a request ---------------------------------------------------------------------------------------------------

function hypergraphOf(body: HypergraphBody): Hypergraph {
  const { vertices, hyperedges } = body;
  const labels = vertices.map(labelFromJson);
  const names = hyperedges.map(({ name }) => labelFromJson(name));
  requireDistinct(labels, "vertices");
  requireDistinct(names, "hyperedges");
  const numbers = new Map(labels.map((label, k) => [label, k + 1]));
  const rows = (list: readonly JsonLabel[]) =>
    [...new Set(list.map((label) => numberOf(numbers, label)))].sort((a, b) => a - b);
  const directed = isDirected(body);
  const side = (of: "tails" | "heads") => (directed ? hyperedges.map((each) => rows(each[of] ?? each.members)) : null);
  return {
    vertices: labels,
    hyperedges: names,
    weights: hyperedges.map(({ weight, name }) => weightOf(weight, labelFromJson(name))),
    members: hyperedges.map(({ members }) => rows(members)),
    tails: side("tails"),
    heads: side("heads"),
  };
}

function requireDistinct(labels: readonly Label[], what: string): void {
  const seen = new Set<Label>();
  for (const label of labels) {
    if (seen.has(label)) throw new Refusal(`There are two ${what} ${String(label)}; each label may occur once.`);
    seen.add(label);
  }
}

function numberOf(numbers: ReadonlyMap<Label, number>, label: JsonLabel): number {
  const found = numbers.get(labelFromJson(label));
  if (found === undefined) throw new Refusal(`${String(labelFromJson(label))} is no vertex.`);
  return found;
}

/** Characters of a number: a link may come from anybody. */
const LONGEST = 1000;

function weightOf(text: string, label: Label): Fraction {
  const found = text.length <= LONGEST ? parseFraction(text.trim()) : null;
  if (found && found.top > 0n) return found;
  throw new Refusal(`The weight of hyperedge ${String(label)} must be a number above 0, such as 2, 1.5 or 1/3.`);
}

function givenIn({ program }: Model, h: Hypergraph, asked: RunBody["inputs"]): Given {
  const inputs = program.inputs.map((each) => {
    const value = Object.hasOwn(asked, each.name) ? asked[each.name] : undefined;
    if (value === undefined) throw new Refusal(`The input ${each.name} is missing.`);
    return [
      each.name,
      Array.isArray(value) ? value.map((one) => entryOf(each, h, one)) : entryOf(each, h, value),
    ] as const;
  });
  return new Map<string, Entry | readonly Entry[]>(inputs);
}

function entryOf({ name, type }: Input, h: Hypergraph, value: SingleBody): Entry {
  if (typeof value === "boolean") return value;
  if (isPointer(type.kind)) return value === null ? 0 : rowOf(h, type.kind, labelFromJson(value));
  const number = typeof value === "string" && value.length <= LONGEST ? parseFraction(value.trim()) : null;
  if (!number) throw new Refusal(`The input ${name} must be a number.`);
  return number;
}

function isPointer(kind: Kind): kind is "vertex" | "hyperedge" {
  return kind === "vertex" || kind === "hyperedge";
}

function rowOf(h: Hypergraph, kind: "vertex" | "hyperedge", label: Label): number {
  return (kind === "vertex" ? h.vertices : h.hyperedges).indexOf(label) + 1;
}
