import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { draftOf, type RunBody, runBody } from "../src/edit/model";
import type { Live } from "../src/live";
import { type Model, readModel } from "../src/machine/model";
import { PageMachine } from "../src/machine/page";
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
  const inputs = trace.inputs.map(({ name, kind }) => ({ name, kind }));
  const places = new Map(
    trace.hypergraph.vertices.map((label, k) => [label, trace.hypergraph.positions.vertices[k] as [number, number]]),
  );
  return runBody(draftOf(trace), { name: trace.algorithm.name, about: "", inputs }, places);
}

function withServer(trace: Trace) {
  const run = vi.fn(async () => trace);
  const server = { algorithms: [{ name: "bfs", about: "", inputs: [] }], file: "a.json", run, hif: vi.fn() };
  return { run, server: server as unknown as Live };
}

describe("a page with a model", () => {
  it("runs what was recorded to the same states, and leaves vertices where they are", async () => {
    const { model, trace } = page(0);
    const found = await new PageMachine(model, trace, null).run(bodyOf(trace));
    expect(found.columns).toEqual(trace.columns);
    expect(found.hypergraph.positions.vertices).toEqual(trace.hypergraph.positions.vertices);
    expect(found.differences.first).toBeNull();
  });

  it("places a new vertex near its neighbours, and apart from all others", async () => {
    const { model, trace } = page(0);
    const body = bodyOf(trace);
    body.hypergraph.vertices.push("Pier");
    body.hypergraph.hyperedges[0]?.members.push("Pier");
    const { vertices } = (await new PageMachine(model, trace, null).run(body)).hypergraph.positions;
    const [x, y] = vertices.at(-1) as [number, number];
    for (const [ox, oy] of vertices.slice(0, -1)) expect(Math.hypot(x - ox, y - oy)).toBeGreaterThan(0.1);
  });

  it("offers its one algorithm without a server", () => {
    const { model, trace } = page(0);
    const { algorithms } = new PageMachine(model, trace, null);
    expect(algorithms.map(({ name, inputs }) => [name, inputs])).toEqual([
      ["dijkstra", [{ name: "source", kind: "vertex" }]],
    ]);
  });

  it("tells the server what it ran, and asks it for other algorithms and what the model does not hold", async () => {
    const { model, trace } = page(0);
    const { run, server } = withServer(trace);
    const machine = new PageMachine(model, trace, server);
    expect((await machine.run(bodyOf(trace))).recorded.backend).toBe("page");
    expect(run).toHaveBeenCalledTimes(1);
    expect((await machine.run({ ...bodyOf(trace), algorithm: "bfs" })).recorded.backend).toBe("dense");
    const heavy = bodyOf(trace);
    (heavy.hypergraph.hyperedges[0] as { weight: string }).weight = "1".padEnd(40, "0");
    expect((await machine.run(heavy)).recorded.backend).toBe("dense");
    await expect(new PageMachine(model, trace, null).run(heavy)).rejects.toThrow("holds at most");
  });

  it("goes on without a server that is gone", async () => {
    const { model, trace } = page(0);
    const { run, server } = withServer(trace);
    run.mockRejectedValue(new Error("gone"));
    expect((await new PageMachine(model, trace, server).run(bodyOf(trace))).recorded.backend).toBe("page");
  });

  it("keeps directions; a new member is a tail and a head", async () => {
    const { model, trace } = page(2);
    const body = bodyOf(trace);
    body.hypergraph.vertices.push("new");
    body.hypergraph.hyperedges[0]?.members.push("new");
    const { tails, heads, vertices } = (await new PageMachine(model, trace, null).run(body)).hypergraph;
    expect(tails?.slice(1)).toEqual(trace.hypergraph.tails?.slice(1));
    expect([tails?.[0], heads?.[0]]).toEqual([
      [...(trace.hypergraph.tails?.[0] ?? []), vertices.length],
      [...(trace.hypergraph.heads?.[0] ?? []), vertices.length],
    ]);
  });

  it("refuses a model that is not the one whose run it shows", () => {
    expect(() => new PageMachine(page(2).model, page(0).trace, null)).toThrow("not the one whose run it shows");
  });

  it("saves HIF with exact decimals, and refuses what no decimal equals", async () => {
    const { model, trace } = page(0);
    const machine = new PageMachine(model, trace, null);
    const { hypergraph } = bodyOf(trace);
    const document = JSON.parse(await machine.hif({ hypergraph }));
    expect(document.edges[1]).toEqual({ edge: "launch", weight: 1.5, attrs: { weight: 1.5 } });
    (hypergraph.hyperedges[0] as { weight: string }).weight = "1/3";
    await expect(machine.hif({ hypergraph })).rejects.toThrow("no decimal number equals");
  });
});
