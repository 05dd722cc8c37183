import { describe, expect, it, test } from "vitest";
import { placesText } from "../src/answer";
import { graphOf } from "../src/picture/graph";
import { entriesOf } from "../src/picture/legend";
import { answerList, answerSet, type Colour, colourable, everIn, rangeOf, shownColour } from "../src/picture/ranges";
import { emptyStatus, inWords, readStatus, type Status } from "../src/picture/status";
import type { Recording } from "../src/recording";
import type { OutputRecord, Trace, Variable } from "../src/trace";
import { toldAt } from "./cases";

function ended(algorithm: string): Recording {
  const { recording } = toldAt(algorithm, 1, 1);
  recording.seek(recording.length - 1);
  return recording;
}

function statusOf(recording: Recording, colour: Colour | null): Status {
  const graph = graphOf(recording.trace);
  const status = emptyStatus(graph);
  readStatus(recording, graph, colour, status);
  return status;
}

function wordsOf(recording: Recording, colour: Colour | null): string[] {
  const range = colour ? rangeOf(recording.trace, colour) : { ...rangeOf(recording.trace, NO_COLOUR) };
  return entriesOf(recording, "regions", colour, range).map(({ words }) => words);
}

const NO_COLOUR: Colour = { name: "", scope: "vertices", state: "", over: null };

/** Enough of a trace to ask what is part of its answer. */
function answering(variables: Partial<Variable>[], outputs?: OutputRecord[]): Trace {
  const whole = variables.map((each) => ({ output: true, role: "state", ...each }));
  return { variables: whole, algorithm: { outputs }, program: [], shows: { value: null } } as unknown as Trace;
}

describe("an answer that is a set", () => {
  it("of hyperedges is shown as it grows, and coloured by the step of each", () => {
    const recording = ended("set_cover");
    const { trace } = recording;
    expect(answerSet(trace, "hyperedges")).toEqual({ name: "chosen", by: "flag" });
    expect(shownColour(trace)).toEqual({ name: "step", scope: "hyperedges", state: "step", over: null });
    const status = statusOf(recording, shownColour(trace));
    const chosen = [...status.chosen.hyperedges.keys()].filter((e) => status.chosen.hyperedges[e]);
    expect(chosen.length).toBeGreaterThan(0); // the recording has the beginning of the run
    expect(chosen.every((e) => Number.isFinite(status.edgeValue[e]))).toBe(true);
    const others = [...status.edgeValue.keys()].filter((e) => e > 0 && !chosen.includes(e));
    expect(others.every((e) => Number.isNaN(status.edgeValue[e]))).toBe(true);
    expect(rangeOf(trace, shownColour(trace) as Colour)).toMatchObject({ least: 1, most: chosen.length, none: true });
    expect(wordsOf(recording, shownColour(trace))).toContain(
      "in the answer (chosen): heavy outline, ★ before the name",
    );
    expect(inWords(recording, graphOf(trace), status)).toContain("hyperedges in the answer (chosen): ");
    expect([...everIn(trace, "hyperedges", { name: "chosen", by: "flag" })]).toEqual([...status.chosen.hyperedges]);
    recording.seek(0);
    expect(statusOf(recording, null).chosen.hyperedges.some((flag) => flag === 1)).toBe(false);
  });

  it("is told by kinds and rows, never by what it is called", () => {
    const flag = { name: "a", kind: "flag", scope: "vertices" } as const;
    const target = { name: "b", kind: "vertex", scope: "hyperedges" } as const;
    expect(answerSet(answering([flag]), "vertices")).toEqual({ name: "a", by: "flag" });
    expect(answerSet(answering([{ ...flag, output: false }]), "vertices")).toBeNull();
    // Hyperedges that have a target each, as in a matching; where there are numbers, too, a target is no such set.
    expect(answerSet(answering([target]), "hyperedges")).toEqual({ name: "b", by: "target" });
    const number = { name: "c", kind: "count", scope: "hyperedges" } as const;
    expect(answerSet(answering([target, number]), "hyperedges")).toBeNull();
    // A flag that says where another output has no value is no answer of its own.
    const denied = { name: "d", kind: "count", scope: "vertices", unless: "a" } as const;
    expect(answerSet(answering([flag, denied]), "vertices")).toBeNull();
    // Nor is an array of which the result has the sum only.
    const sum = { name: "sum", state: "c", form: "total" } as const;
    expect(shownColour(answering([number], [sum]))).toBeNull();
    expect(shownColour(answering([number]))?.name).toBe("c");
  });
});

describe("an output that not all rows have", () => {
  const { trace } = ended("topological");
  const colour = shownColour(trace) as Colour;

  it("has a scale of what the answer has, not of what is stored elsewhere", () => {
    expect(rangeOf(trace, colour)).toMatchObject({ least: 1, most: 4, under: false, over: false, none: true });
  });

  it("has one even where a single row has it", () => {
    const ordered = [11, 14, 16];
    const one = structuredClone(trace);
    const { column } = one.variables.find(({ name }) => name === "left") as Variable;
    const left = one.columns[column] as Trace["columns"][number];
    left.value = left.value.map((value, k) => (ordered.includes(left.row[k] as number) ? 1 : value));
    expect(rangeOf(one, colour)).toMatchObject({ least: 1, most: 1, over: false });
  });
});

describe("an output that is a quotient", () => {
  it("can colour, in the exact order of the fractions, with exact ends of its scale", () => {
    const recording = ended("closeness");
    const { trace } = recording;
    const colour = colourable(trace).find(({ over }) => over !== null) as Colour;
    expect(colour).toEqual({ name: "closeness", scope: "vertices", state: "connected", over: "farness" });
    const { value } = statusOf(recording, colour);
    const range = rangeOf(trace, colour);
    const pairs = [...value.keys()].slice(1).map((row) => ({
      value: value[row] as number,
      top: BigInt(recording.value("connected", row) ?? 0),
      bottom: BigInt(recording.value("farness", row) ?? 0),
    }));
    for (const a of pairs)
      for (const b of pairs)
        if (a.bottom > 0n && b.bottom > 0n && a.top * b.bottom < b.top * a.bottom)
          expect(a.value).toBeLessThanOrEqual(b.value);
    for (const { value, bottom } of pairs) expect(Number.isNaN(value)).toBe(bottom === 0n);
    const finite = pairs.map((pair) => pair.value).filter((each) => !Number.isNaN(each));
    expect([range.least, range.most]).toEqual([Math.min(...finite), Math.max(...finite)]);
    expect((range.exact?.least[0] ?? 0) / (range.exact?.least[1] ?? 0)).toBe(range.least);
  });
});

describe("the legend", () => {
  it("says what has a value, and what the numbers are, also where nothing is settled", () => {
    const recording = ended("pagerank");
    const words = wordsOf(recording, shownColour(recording.trace));
    expect(words).toContain("has a value (rank): a coloured ring");
    expect(words.find((each) => each.startsWith("beside a vertex: its rank"))).toContain(
      "pagerank: Rank of every vertex: 15,000",
    );
  });

  it.each(["pagerank", "closeness", "topological", "b_distance", "scc", "set_cover"])(
    "of %s has every mark that a frame has",
    (algorithm) => {
      const { recording } = toldAt(algorithm, 1, 1);
      const colour = shownColour(recording.trace);
      const words = wordsOf(recording, colour).join("\n");
      for (let frame = 0; frame < recording.length; frame++) {
        recording.seek(frame);
        const { value, settled, chosen, frontier, current, changed } = statusOf(recording, colour);
        for (let v = 1; v < value.length; v++) {
          const hollow = !settled[v] && !chosen.vertices[v];
          const coloured = Number.isFinite(value[v]);
          if (chosen.vertices[v]) expect(words).toMatch(/in the answer .*: solid, ★/);
          else if (settled[v]) expect(words).toContain("settled: solid, ✓");
          if (hollow && coloured) expect(words).toContain("has a value");
          if (hollow && !coloured) expect(words).toMatch(/hollow: no value|vertex: a circle/);
          if (frontier.vertices[v]) expect(words).toContain("frontier: dashed ring");
          if (changed[v]) expect(words).toContain("halo");
        }
        if (current.vertices.size + current.hyperedges.size > 0) expect(words).toContain("current (");
        if (frontier.hyperedges.includes(1)) expect(words).toContain("hyperedge on the frontier");
      }
    },
  );

  it("colours by the output that a value is a part of", () => {
    expect(shownColour(ended("closeness").trace)).toMatchObject({ name: "closeness", over: "farness" });
    expect(shownColour(ended("pagerank").trace)?.name).toBe("rank");
    expect(shownColour(ended("scc").trace)?.name).toBe("component");
    expect(shownColour(ended("set_cover").trace)?.name).toBe("step");
  });

  it("says of a name beside a vertex that it is what the vertex points to", () => {
    const recording = ended("scc");
    expect(wordsOf(recording, shownColour(recording.trace)).join("\n")).toContain(
      "→ beside a vertex: where its component points to",
    );
  });
});

describe("an answer that lists vertices", () => {
  const single = (name: string, more: Partial<Variable> = {}): Partial<Variable> => ({
    name,
    kind: "vertex",
    scope: "scalar",
    ...more,
  });
  const output = (name: string, state: string): OutputRecord => ({ name, state, form: "value" });

  it("is an output of several single pointers", () => {
    const trace = answering([single("x"), single("y")], [output("ends", "x"), output("ends", "y")]);
    expect(answerList(trace)).toEqual({ name: "ends", states: ["x", "y"] });
    expect(answerList(answering([single("pc")], [output("pc", "pc")]))).toBeNull();
    const numbers = [single("x", { kind: "count" }), single("y", { kind: "count" })];
    expect(answerList(answering(numbers, [output("counts", "x"), output("counts", "y")]))).toBeNull();
  });
});

test("many numbers of one output are told by their places, as hyloop.result.in_line does", () => {
  expect(placesText(["0", "2", "0", "0", "0", "0", "0", "0", "3"])).toBe(
    "number 2 = 2, number 9 = 3, the other 7 are 0",
  );
  expect(placesText(["0", "0", "0", "0", "0", "0"])).toBe("all 6 are 0");
  expect(placesText(["1", "2"])).toBe("number 1 = 1, number 2 = 2");
});
