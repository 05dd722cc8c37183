import { describe, expect, it } from "vitest";
import { Explainer } from "../src/machine/explain";
import { Recording } from "../src/recording";
import { definite, described } from "../src/spoken";
import { sentence, toldOf } from "../src/told";
import { openedCases, toldAt } from "./cases";

describe("the words of a sentence", () => {
  it("have one article, and a noun after is", () => {
    expect(definite("size")).toBe("the size");
    expect(definite("the number of members")).toBe("the number of members");
    expect(described("marked kept")).toBe("marked kept");
    expect(described("where place is below 38")).toBe("one where place is below 38");
    expect(described("")).toBe("there");
  });

  it("make sentences in all runs", { timeout: 120_000 }, () => {
    for (const { name, model, recordings } of openedCases()) {
      for (const recording of recordings) {
        const explainer = new Explainer(model, recording);
        for (let frame = 1; frame < Math.min(recording.length, 100); frame++) {
          recording.seek(frame);
          const told = toldOf(explainer, recording.layer);
          const text = told ? sentence(told, recording.sectionOf(frame)) : "";
          expect(text, `${name} ${frame}`).not.toMatch(
            /the the |(vertex|hyperedge) is where |since \w+\.$|out (\w+), \w+:/,
          );
        }
      }
    }
  });
});

describe("a local that X had in an earlier layer of the iteration", () => {
  it("has not changed where the interpreter's value takes its place", () => {
    const { recording } = toldAt("closeness", 1, 1);
    const { trace } = recording;
    const early = trace.variables.filter(
      ({ role, until, named, scope, section }) =>
        role === "local" && named && scope === "scalar" && until < recording.layers - 1 && section === "body",
    );
    const both = early.filter(({ name }) => trace.program.some((each) => each.name === name));
    expect(both.length).toBeGreaterThan(0);
    const own = new Recording(trace);
    for (let iteration = 2; iteration <= own.trace.recorded.iterations; iteration++) {
      own.seek(own.frameOf(iteration, own.layers));
      for (const { name } of both) expect(own.changed(name, 0), `${name} in ${iteration}`).toBe(false);
    }
  });
});
