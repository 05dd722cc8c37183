import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fileName } from "../src/edit";
import { draftOf, type RunBody, runBody } from "../src/edit/model";
import { type Model, readModel } from "../src/machine/model";
import { PageMachine } from "../src/machine/page";
import { readHypergraph } from "../src/read";
import { asTrace, type Trace } from "../src/trace";

interface Case {
  model: string;
  runs: { trace: unknown }[];
}
const cases = JSON.parse(readFileSync(new URL("./machine.json", import.meta.url), "utf8")) as Case[];

function page(number: number): { model: Model; trace: Trace } {
  const { model, runs } = cases[number] as Case;
  return {
    model: readModel(new Uint8Array(gunzipSync(Buffer.from(model, "base64")))),
    trace: asTrace(structuredClone(runs[0]?.trace)),
  };
}

function bodyOf(trace: Trace): RunBody {
  const inputs = trace.inputs.map(({ name, kind }) => ({ name, kind, scope: "scalar" as const }));
  const places = new Map(
    trace.hypergraph.vertices.map((label, k) => [label, trace.hypergraph.positions.vertices[k] as [number, number]]),
  );
  return runBody(draftOf(trace), { name: trace.algorithm.name, about: "", inputs }, places);
}

describe("a page with a model", () => {
  it("runs what was recorded to the same states, and leaves vertices where they are", async () => {
    const { model, trace } = page(0);
    const found = await PageMachine.of(model, trace).run(bodyOf(trace));
    expect(found.columns).toEqual(trace.columns);
    expect(found.hypergraph.positions.vertices).toEqual(trace.hypergraph.positions.vertices);
    expect(found.differences.first).toBeNull();
  });

  it("places a new vertex near its neighbours, and apart from all others", async () => {
    const { model, trace } = page(0);
    const body = bodyOf(trace);
    body.hypergraph.vertices.push("Pier");
    body.hypergraph.hyperedges[0]?.members.push("Pier");
    const { vertices } = (await PageMachine.of(model, trace).run(body)).hypergraph.positions;
    const [x, y] = vertices.at(-1) as [number, number];
    for (const [ox, oy] of vertices.slice(0, -1)) expect(Math.hypot(x - ox, y - oy)).toBeGreaterThan(0.1);
  });

  it("offers its one algorithm ", () => {
    const { model, trace } = page(0);
    const { algorithms } = PageMachine.of(model, trace);
    expect(algorithms.map(({ name, inputs }) => [name, inputs])).toEqual([
      ["dijkstra", [{ name: "source", kind: "vertex", scope: "scalar" }]],
    ]);
  });

  it("refuses what the model does not hold, and an algorithm that is not there", async () => {
    const { model, trace } = page(0);
    const machine = PageMachine.of(model, trace);
    const heavy = bodyOf(trace);
    (heavy.hypergraph.hyperedges[0] as { weight: string }).weight = "1".padEnd(40, "0");
    await expect(machine.run(heavy)).rejects.toThrow("holds at most");
    await expect(machine.run({ ...bodyOf(trace), algorithm: "bfs" })).rejects.toThrow("no algorithm bfs");
  });

  it("keeps directions; a new member is a tail and a head", async () => {
    const { model, trace } = page(2);
    const body = bodyOf(trace);
    body.hypergraph.vertices.push("new");
    const first = body.hypergraph.hyperedges[0];
    for (const list of [first?.members, first?.tails, first?.heads]) list?.push("new");
    const { tails, heads, vertices } = (await PageMachine.of(model, trace).run(body)).hypergraph;
    expect(tails?.slice(1)).toEqual(trace.hypergraph.tails?.slice(1));
    expect([tails?.[0], heads?.[0]]).toEqual([
      [...(trace.hypergraph.tails?.[0] ?? []), vertices.length],
      [...(trace.hypergraph.heads?.[0] ?? []), vertices.length],
    ]);
  });

  it("refuses a model that is not the one whose run it shows", () => {
    expect(() => PageMachine.of(page(2).model, page(0).trace)).toThrow("not the one whose run it shows");
  });

  it("refuses a model of the same columns and another program, and a run that it does not make", () => {
    const { model, trace } = page(0);
    const { body } = model.program;
    const changed = (change: Partial<typeof body>) => ({
      ...model,
      program: { ...model.program, body: { ...body, ...change } },
    });
    const first = { ...(body.ops[0] as (typeof body.ops)[number]), operands: [1] };
    const other = [changed({ ops: [first, ...body.ops.slice(1)] }), changed({ updates: new Map() })];
    for (const each of other) expect(() => PageMachine.of(each, trace)).toThrow("not the one whose run it shows");
    const layers = model.layers.map((layer) => ({ ...layer, out: layer.out.map((sum) => ({ ...sum, from: [] })) }));
    expect(() => PageMachine.of({ ...model, layers }, trace)).toThrow("not the one whose run it shows");
    const state = trace.columns.find(({ value }) => value.length > 0) as (typeof trace.columns)[number];
    state.value[state.value.length - 1] = (state.value.at(-1) as number) + 1;
    expect(() => PageMachine.of(model, trace)).toThrow("not the one whose run it shows");
  });

  it("saves HIF with exact decimals, and an edge list where no decimal equals a weight", async () => {
    const { model, trace } = page(0);
    const machine = PageMachine.of(model, trace);
    const { hypergraph } = bodyOf(trace);
    const document = JSON.parse(machine.saved(hypergraph).text);
    expect(document.edges[1]).toEqual({ edge: "launch", weight: 1.5, attrs: { weight: 1.5 } });
    (hypergraph.hyperedges[0] as { weight: string }).weight = "1/3";
    const { format, text } = machine.saved(hypergraph);
    expect([format, fileName("harbour.hif.json", format)]).toEqual(["edge-list", "harbour-edited.txt"]);
    const again = readHypergraph(new TextEncoder().encode(text), "edge-list");
    expect(again.weights[0]).toEqual({ top: 1n, bottom: 3n });
    expect([again.vertices, again.hyperedges]).toEqual([trace.hypergraph.vertices, trace.hypergraph.hyperedges]);
    expect(again.members).toEqual(trace.hypergraph.members);
  });

  it("refuses to save directions with weights that no decimal equals", () => {
    const { model, trace } = page(2);
    const { hypergraph } = bodyOf(trace);
    (hypergraph.hyperedges[0] as { weight: string }).weight = "1/3";
    expect(() => PageMachine.of(model, trace).saved(hypergraph)).toThrow("no decimal number equals");
  });
});
