import { describe, expect, it } from "vitest";
import { inputArrays, inputTexts } from "../src/inputs";
import { Recording } from "../src/recording";
import { openedCases } from "./cases";

function recordingOf(wanted: string): Recording {
  return openedCases().find(({ name }) => name === wanted)?.recordings[0] as Recording;
}

/** The same run with other numbers in the column of its set. */
function withSeeds(chosen: (row: number) => boolean): Recording {
  const { trace } = recordingOf("several");
  const at = trace.model.columns.findIndex(({ of, role }) => role === "input" && of === "seeds");
  const rows = trace.hypergraph.vertices.map((_, k) => (chosen(k + 1) ? 1 : 0));
  const columns = trace.columns.map((each, k) => (k === at ? { ...each, initial: [0, ...rows] } : each));
  return new Recording({ ...trace, columns });
}

describe("the inputs of a run", () => {
  it("are single values", () => {
    expect(inputTexts(recordingOf("dijkstra"), 3)).toEqual([{ name: "source", text: "Quay" }]);
  });

  it("are sets, in the column that has them", () => {
    expect(inputTexts(recordingOf("several"), 3)).toEqual([
      { name: "rounds", text: "2" },
      { name: "seeds", text: "Quay, Isle" },
    ]);
  });

  it("are told in short where they are many, and where there is none", () => {
    const seeds = (recording: Recording) => inputTexts(recording, 3).find(({ name }) => name === "seeds")?.text;
    expect(seeds(withSeeds((row) => row <= 4))).toBe("4 vertices");
    expect(seeds(withSeeds(() => false))).toBe("no vertex");
  });

  it("are arrays that no column has", () => {
    const recording = recordingOf("unused");
    expect(inputArrays(recording).map(({ name }) => name)).toEqual(["start", "load", "via", "rank"]);
    expect(inputTexts(recording, 3)).toEqual([
      { name: "start", text: "Quay" },
      { name: "load", text: "a length for each hyperedge" },
      { name: "via", text: "a hyperedge for each vertex" },
      { name: "rank", text: "a count for each hyperedge" },
    ]);
    const [, load, via] = inputTexts(recording, 8).map(({ text }) => text);
    expect(load).toMatch(/^ferry 0, .* 1\/3, /);
    expect(via).toMatch(/^Quay –, .* ferry, /);
  });
});
