/** What an edited page asks for: the transformer in the page runs it, or else the server of `hyloop view`. */

import type { HypergraphBody, RunBody } from "../edit/model";
import { type JsonLabel, type Label, labelFromJson } from "../labels";
import type { Live } from "../live";
import { type Fraction, parseFraction } from "../numbers";
import { asTrace, type Kind, type Trace } from "../trace";
import { type Outputs, outputsOf } from "./decode";
import { again, givenOf, hypergraphOf } from "./given";
import { runHash } from "./hash";
import { writeHif } from "./hif";
import type { Hypergraph } from "./hypergraph";
import type { Model } from "./model";
import { type Point, positionsOf } from "./positions";
import { type Entry, type Given, labelsOf } from "./prepare";
import { begins, type Input } from "./program";
import { record } from "./record";
import { Refusal } from "./refusal";

/** Who runs an edited hypergraph, and what it offers. */
export interface Runs {
  readonly algorithms: { name: string; about: string; inputs: { name: string; kind: Kind }[] }[];
  readonly file: string;
  run(body: RunBody): Promise<Trace>;
  hif(body: { hypergraph: HypergraphBody }): Promise<string>;
}

/** Milliseconds after which a run in the page is given up: the page does not answer while it computes. */
const PATIENCE = 4_000;

export class PageMachine implements Runs {
  readonly algorithms: Runs["algorithms"];
  readonly file: string;
  readonly #model: Model;
  readonly #template: Trace;
  readonly #seen: Hypergraph;
  readonly #given: Given;
  readonly #server: Live | null;

  /** `template` is the trace of the model that the page was made with. */
  constructor(model: Model, template: Trace, server: Live | null) {
    requireSame(model, template);
    this.#model = model;
    this.#template = template;
    this.#seen = hypergraphOf(template);
    this.#given = givenOf(model, template);
    this.#server = server;
    const inputs = template.inputs.map(({ name, kind }) => ({ name, kind }));
    const about = template.algorithm.about.split("\n")[0] as string;
    this.algorithms = server?.algorithms ?? [{ name: model.program.name, about, inputs }];
    this.file = server?.file ?? template.hypergraph.name;
  }

  /** Run an edited hypergraph: here if it can be, else by the server; an error carries a sentence. */
  async run(body: RunBody): Promise<Trace> {
    const server = this.#server;
    if (server && body.algorithm !== this.#model.program.name) return server.run(body);
    try {
      const trace = this.runHere(body);
      // So that the page shows the same when it is loaded again; nobody waits for the answer.
      server?.run(body).catch(() => {});
      return trace;
    } catch (error) {
      // Beyond the capacity of this model, or of the page's patience: the server compiles another, and has time.
      if (server && error instanceof Refusal) return server.run(body);
      throw error;
    }
  }

  async hif(body: { hypergraph: HypergraphBody }): Promise<string> {
    return this.#server ? this.#server.hif(body) : writeHif(this.#hypergraph(body.hypergraph));
  }

  /** A recorded run of this model once more: its trace as this page computes it, the hash and the outputs. For tests. */
  again(document: unknown): { trace: Trace; hash: string; outputs: Outputs } {
    const trace = again(this.#model, asTrace(document));
    return { trace, hash: runHash(trace), outputs: outputsOf(this.#model, trace) };
  }

  /** The run in this page. */
  runHere(body: RunBody): Trace {
    const h = this.#hypergraph(body.hypergraph);
    const places = new Map(body.positions?.vertices.map(([label, at]) => [labelFromJson(label), at]));
    const positions = positionsOf(
      h,
      h.vertices.map((label): Point | undefined => places.get(label)),
    );
    const until = performance.now() + PATIENCE;
    return record(this.#model, this.#template, h, this.#inputs(h, body.inputs), {
      positions,
      progress: (iterations) => {
        if (performance.now() < until) return;
        throw new Refusal(
          `After ${iterations.toLocaleString("en")} iterations the run takes too long for a page. Use hyloop run or hyloop trace.`,
        );
      },
    });
  }

  /** The edited hypergraph, directed as the one that the page showed at first; new members are tails and heads. */
  #hypergraph({ vertices, hyperedges }: HypergraphBody): Hypergraph {
    const labels = vertices.map(labelFromJson);
    const numbers = new Map(labels.map((label, k) => [label, k + 1]));
    const members = hyperedges.map((each) =>
      each.members.map((label) => numberOf(numbers, label)).sort((a, b) => a - b),
    );
    const names = hyperedges.map(({ name }) => labelFromJson(name));
    return {
      vertices: labels,
      hyperedges: names,
      weights: hyperedges.map(({ weight, name }) => weightOf(weight, labelFromJson(name))),
      members,
      tails: this.#side("tails", "heads", labels, names, members),
      heads: this.#side("heads", "tails", labels, names, members),
    };
  }

  /** The members of each hyperedge on one side: those that were not on the other side alone. */
  #side(
    side: "tails" | "heads",
    other: "tails" | "heads",
    labels: readonly Label[],
    names: readonly Label[],
    members: readonly (readonly number[])[],
  ): number[][] | null {
    const seen = this.#seen;
    if (!seen[side]) return null;
    const known = new Map(seen.hyperedges.map((name, e) => [name, e]));
    const before = new Map(seen.vertices.map((label, v) => [label, v + 1]));
    return members.map((list, k) => {
      const e = known.get(names[k] as Label);
      return list.filter((v) => {
        const was = before.get(labels[v - 1] as Label);
        if (e === undefined || was === undefined) return true;
        return seen[side]?.[e]?.includes(was) || !seen[other]?.[e]?.includes(was);
      });
    });
  }

  #inputs(h: Hypergraph, asked: RunBody["inputs"]): Given {
    const inputs = this.#model.program.inputs.map(
      (each) => [each.name, each.type.scope === "scalar" ? entryOf(each, h, asked) : this.#array(each, h)] as const,
    );
    return new Map<string, Entry | readonly Entry[]>(inputs);
  }

  /** An array as it was given, by label: a row that was added since has no entry. */
  #array({ name, type }: Input, h: Hypergraph): Entry[] {
    const before = labelsOf(this.#seen, type.scope);
    const entries = this.#given.get(name) as readonly Entry[];
    const known = new Map(before.map((label, k) => [label, entries[k] as Entry]));
    return labelsOf(h, type.scope).map((label) => {
      const entry = known.get(label);
      const what = type.scope === "vertices" ? "vertex" : "hyperedge";
      if (entry === undefined)
        throw new Refusal(`The input ${name} has no entry for ${what} ${String(label)}; every one needs its own.`);
      return this.#repointed(entry, type.kind, h);
    });
  }

  /** A pointer by the label of what it pointed to; none, if that was removed. */
  #repointed(entry: Entry, kind: Kind, h: Hypergraph): Entry {
    if (kind !== "vertex" && kind !== "hyperedge") return entry;
    const scope = kind === "vertex" ? "vertices" : "hyperedges";
    const label = labelsOf(this.#seen, scope)[(entry as number) - 1];
    return label === undefined ? 0 : labelsOf(h, scope).indexOf(label) + 1;
  }
}

/** Whether the model in a page is the one whose run it shows; else nothing that it computes would fit the rest. */
function requireSame(model: Model, { algorithm, model: said, recorded }: Trace): void {
  const names = (columns: readonly { name: string }[]) => columns.map(({ name }) => name).join("\n");
  const same =
    model.program.name === algorithm.name &&
    begins(model.program) === algorithm.begins &&
    model.infinity === said.infinity &&
    model.layers.length === said.layers.length &&
    model.layers.every(({ heads }, k) => heads.length === said.layers[k]?.heads.length) &&
    names(model.columns) === names(said.columns) &&
    typeof recorded.layers === "boolean";
  if (!same) throw new Refusal("The model in this page is not the one whose run it shows. Write the page again.");
}

function numberOf(numbers: ReadonlyMap<Label, number>, label: JsonLabel): number {
  const found = numbers.get(labelFromJson(label));
  if (found === undefined) throw new Refusal(`${String(labelFromJson(label))} is no vertex.`);
  return found;
}

function weightOf(text: string, label: Label): Fraction {
  const found = parseFraction(text.trim());
  if (found && found.top > 0n) return found;
  throw new Refusal(`The weight of hyperedge ${String(label)} must be a number above 0, such as 2, 1.5 or 1/3.`);
}

function entryOf({ name, type }: Input, h: Hypergraph, asked: RunBody["inputs"]): Entry {
  const value = Object.hasOwn(asked, name) ? asked[name] : undefined;
  if (value === undefined) throw new Refusal(`The input ${name} is missing.`);
  if (typeof value === "boolean") return value;
  if (type.kind === "vertex") return h.vertices.indexOf(labelFromJson(value)) + 1;
  if (type.kind === "hyperedge") return h.hyperedges.indexOf(labelFromJson(value)) + 1;
  const number = typeof value === "string" ? parseFraction(value.trim()) : null;
  if (!number) throw new Refusal(`The input ${name} must be a number.`);
  return number;
}
