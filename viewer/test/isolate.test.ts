import { describe, expect, it } from "vitest";
import { Answers, Paths } from "../src/answer";
import { partsOf } from "../src/isolate";
import { Recording } from "../src/recording";
import { Index } from "../src/search";
import { sentence, type Told, toldOf } from "../src/told";
import { harbourAt } from "./cases";
import { harbour } from "./traces";

const HEBREW = "abc שלום";

describe("a run whose labels read from right to left", () => {
  const names = ["מזח", "מגדלור", "חוף", "סירה", HEBREW, "أ", "ب", "ت", "ث", "ج"];
  const trace = harbour();
  const hypergraph = { ...trace.hypergraph, vertices: trace.hypergraph.vertices.map((_, k) => names[k] ?? `v${k}`) };

  it("isolates every label of a sentence, of the answer and of a path", () => {
    const explainer = harbourAt(3, 3);
    explainer.recording.trace.hypergraph.vertices.splice(0, hypergraph.vertices.length, ...hypergraph.vertices);
    const { recording, model } = explainer;
    const said = sentence(toldOf(explainer, 3) as Told, "body");
    recording.seek(recording.length - 1);
    const paths = new Paths(model, recording);
    const answer = new Answers(model, recording).brief;
    for (const text of [said, answer, paths.text(2)]) {
      expect(partsOf(text).some(({ alone }) => alone)).toBe(true);
      const outside = partsOf(text).filter(({ alone }) => !alone);
      expect(outside.map((part) => part.text).join("")).not.toMatch(/[\u0590-\u06ff]/u);
    }
  });

  it("finds them as they are", () => {
    const index = new Index(new Recording({ ...trace, hypergraph }));
    expect(index.find("שלום").map(({ text }) => text)).toEqual([HEBREW]);
  });
});
