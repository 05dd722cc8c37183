import { describe, expect, it } from "vitest";
import { hashOf, inPython, quickHash, shortHash } from "../src/cite";
import { runHash, stateBytes } from "../src/machine/hash";
import type { Trace } from "../src/trace";
import { harbourAt, openedCases } from "./cases";

function traces(): Trace[] {
  return openedCases().flatMap(({ recordings }) => recordings.map(({ trace }) => trace));
}

describe("the hash of a run", () => {
  it("is the same in slices as at once", async () => {
    for (const trace of traces()) expect(await hashOf(trace)).toBe(runHash(trace));
  });

  it("tells how far it is", async () => {
    const { trace } = harbourAt(1, 1).recording;
    expect(stateBytes(trace)).toBe(8 * 25 * trace.columns.length * 9);
    expect(await quickHash(trace)).toBe(runHash(trace));
  });

  it("is not computed unasked where the run is long", async () => {
    const { trace } = harbourAt(1, 1).recording;
    const { columns, frames } = trace;
    const long = { ...trace, frames: { ...frames, iteration: new Array(100_000).fill(0) } };
    expect(stateBytes(long)).toBe(8 * 100_000 * columns.length * 9);
    expect(await quickHash(long)).toBeNull();
  });

  it("is short to look at", () => {
    expect(shortHash("0123456789abcdef")).toBe("0123456789ab…");
  });

  it("comes with the Python that gives the same", () => {
    const { trace } = harbourAt(1, 1).recording;
    expect(inPython(trace, 'my "run".html')).toEqual(['hyloop.Trace.load("my \\"run\\".html").run_hash', ""]);
    const own = { ...trace, recorded: { ...trace.recorded, backend: "page", layers: false, every: 3 } };
    expect(inPython(own, "run.html")[0]).toBe("hyloop trace dijkstra FILE --no-layers --every 3 -o run.json");
    const foreign = { ...own, algorithm: { ...trace.algorithm, shipped: false } };
    expect(inPython(foreign, "run.html")[0]).toContain("hyloop trace PROGRAM.py FILE");
    // What hyloop compiles anew under that name need not be this model.
    for (const verified of ["unverified", "reproduced", "proved"] as const) {
      const filed = { ...own, model: { ...trace.model, verified } };
      expect(inPython(filed, "run.html")[0]).toContain("hyloop trace MODEL.safetensors FILE");
    }
  });
});
