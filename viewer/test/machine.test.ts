import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { givenOf, hypergraphOf } from "../src/machine/given";
import { type Model, readModel } from "../src/machine/model";
import { record } from "../src/machine/record";
import { asTrace, type Trace } from "../src/trace";

interface Case {
  name: string;
  model: string;
  traces: unknown[];
}

// Python makes the runs of all algorithms: scripts/machine_cases.py. Without them, the one that is kept here.
const file = process.env.HYLOOP_MACHINE_CASES;
const cases: Case[] = file
  ? (JSON.parse(gunzipSync(readFileSync(file)).toString("utf8")) as Case[])
  : (JSON.parse(readFileSync(new URL("./machine.json", import.meta.url), "utf8")) as Case[]);

function again(model: Model, trace: Trace): Trace {
  const { positions } = trace.hypergraph;
  return record(model, trace, hypergraphOf(trace), givenOf(model, trace), { positions });
}

describe.each(cases)("the transformer of $name", ({ model: packed, traces }) => {
  const model = readModel(gunzipSync(Buffer.from(packed, "base64")));

  it("has in every layer of every iteration the numbers that Python has", () => {
    for (const document of traces) {
      const trace = asTrace(document);
      const found = again(model, trace);
      expect({ ...found, recorded: { ...found.recorded, backend: trace.recorded.backend } }).toEqual(trace);
    }
  });
});
