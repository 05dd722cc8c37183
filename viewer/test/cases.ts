import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Explainer } from "../src/machine/explain";
import { type Model, readModel } from "../src/machine/model";
import { PageMachine } from "../src/machine/page";
import { Recording } from "../src/recording";
import { asTrace, type Trace } from "../src/trace";

interface Case {
  name: string;
  model: string;
  runs: { trace: unknown; outputs: unknown }[];
}

export interface Opened {
  readonly name: string;
  readonly model: Model;
  readonly recordings: readonly Recording[];
  readonly outputs: readonly unknown[];
}

/** Python's runs: a few small ones, or those of all algorithms in the file that HYLOOP_MACHINE_CASES names. */
export function openedCases(): Opened[] {
  const file = process.env.HYLOOP_MACHINE_CASES;
  const text = file
    ? gunzipSync(readFileSync(file)).toString("utf8")
    : readFileSync(`${import.meta.dirname}/machine.json`, "utf8");
  return (JSON.parse(text) as Case[]).map(({ name, model, runs }) => ({
    name,
    model: readModel(modelFile(model)),
    recordings: runs.map(({ trace }) => new Recording(asTrace(trace))),
    outputs: runs.map(({ outputs }) => outputs),
  }));
}

/** Dijkstra's algorithm on the harbour, from Quay, at an iteration and layer. */
export function harbourAt(iteration: number, layer: number): Explainer {
  const { model, recordings } = openedHarbour();
  const recording = recordings[0] as Recording;
  recording.seek(recording.frameOf(iteration, layer));
  return new Explainer(model, recording);
}

/** A run of an algorithm on examples/citric_acid_cycle.hif.json (closeness: on a ferry), or the beginning of one. */
export function toldAt(algorithm: string, iteration: number, layer: number): Explainer {
  const explainer = TOLD.get(algorithm) ?? toldOne(algorithm);
  TOLD.set(algorithm, explainer);
  const { recording } = explainer;
  recording.seek(recording.frameOf(iteration, layer));
  return explainer;
}

const TOLD = new Map<string, Explainer>();

function toldOne(algorithm: string): Explainer {
  const text = readFileSync(`${import.meta.dirname}/told.json`, "utf8");
  const { model, runs } = (JSON.parse(text) as Case[]).find(({ name }) => name === algorithm) as Case;
  return new Explainer(readModel(modelFile(model)), new Recording(asTrace(runs[0]?.trace)));
}

/** The bytes of a case's model file. */
function modelFile(model: string): Uint8Array {
  return new Uint8Array(gunzipSync(Buffer.from(model, "base64")));
}

/** Model files with traces of theirs, as Python wrote both. */
export function modelFiles(): { name: string; file: Uint8Array; trace: Trace }[] {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
  return ["./machine.json", "./told.json"].flatMap((each) =>
    (JSON.parse(read(each)) as Case[]).map(({ name, model, runs }) => ({
      name,
      file: modelFile(model),
      trace: asTrace(runs[0]?.trace),
    })),
  );
}

/** A page with Dijkstra's model and that run. */
export function harbourMachine(): { machine: PageMachine; trace: Trace } {
  const { model, recordings } = openedHarbour();
  const { trace } = recordings[0] as Recording;
  return { machine: PageMachine.of(model, trace), trace };
}

function openedHarbour(): Opened {
  const text = readFileSync(`${import.meta.dirname}/machine.json`, "utf8");
  const { name, model, runs } = (JSON.parse(text) as Case[])[0] as Case;
  return {
    name,
    model: readModel(modelFile(model)),
    recordings: runs.map(({ trace }) => new Recording(asTrace(trace))),
    outputs: [],
  };
}
