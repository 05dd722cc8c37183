import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { History } from "../src/edit/history";
import { visible } from "../src/edit/list";
import {
  type Algorithm,
  addHyperedge,
  addMember,
  addVertex,
  type Draft,
  draftOf,
  dropHyperedge,
  dropVertex,
  freshName,
  hypergraphBody,
  numberProblem,
  Refusal,
  removeMember,
  renameHyperedge,
  renameVertex,
  runBody,
  sameHypergraph,
  setAlgorithm,
  setInput,
  setWeight,
  weightProblem,
} from "../src/edit/model";
import { Runner } from "../src/edit/runner";
import { asTrace, type Label } from "../src/trace";
import { traceOf } from "./small";

const DIJKSTRA: Algorithm = {
  name: "dijkstra",
  about: "Shortest paths.",
  inputs: [{ name: "source", kind: "vertex", scope: "scalar" }],
};
const NEAR: Algorithm = {
  name: "near",
  about: "",
  inputs: [
    { name: "source", kind: "vertex", scope: "scalar" },
    { name: "within", kind: "length", scope: "scalar" },
    { name: "steps", kind: "count", scope: "scalar" },
    { name: "strict", kind: "flag", scope: "scalar" },
    { name: "first", kind: "hyperedge", scope: "scalar" },
  ],
};

const QUAY = 1;
const SEVEN = 2;
const FERRY = 4;
const LAUNCH = 5;

describe("the draft", () => {
  const draft = draftOf(traceOf());

  it("is what the trace has, labels with their types", () => {
    expect(hypergraphBody(draft)).toEqual({
      name: draft.source.name,
      vertices: ["Quay", 7, "Isle"],
      hyperedges: [
        { name: "ferry", weight: "4", members: ["Quay", "Isle"] },
        { name: "launch", weight: "1.5", members: ["Quay", 7] },
      ],
    });
  });

  it("gives the body of a run, with the positions of vertices that have one", () => {
    const edited = addVertex(draft, "Mole");
    const body = runBody(
      edited,
      DIJKSTRA,
      new Map<Label, [number, number]>([
        ["Quay", [0, 0]],
        [7, [1, 0]],
        ["gone", [1, 1]],
      ]),
    );
    expect(body.algorithm).toBe("dijkstra");
    expect(body.inputs).toEqual({ source: "Quay" });
    expect(body.positions).toEqual({
      vertices: [
        ["Quay", [0, 0]],
        [7, [1, 0]],
      ],
    });
    expect(JSON.parse(JSON.stringify(body))).toEqual(body);
  });

  it("sends integers that no number holds with all digits, and knows them again", () => {
    const json = JSON.parse(readFileSync(new URL("./harbour.json", import.meta.url), "utf8"));
    const long = { integer: "9007199254740993" };
    json.hypergraph.vertices.splice(0, 3, long, "9007199254740993", 7);
    json.hypergraph.hyperedges[0] = { integer: "-9007199254740993" };
    const trace = asTrace(structuredClone(json));
    expect(trace.hypergraph.vertices.slice(0, 3)).toEqual([9007199254740993n, "9007199254740993", 7]);
    const draft = draftOf(trace);
    const body = runBody(draft, DIJKSTRA, new Map([[9007199254740993n, [0, 1]]]));
    expect(body.hypergraph.vertices).toEqual(json.hypergraph.vertices);
    expect(body.hypergraph.hyperedges[0]).toMatchObject({
      name: { integer: "-9007199254740993" },
      members: [long, 7, "Cove"],
    });
    expect(body.inputs).toEqual({ source: long });
    expect(body.positions).toEqual({ vertices: [[long, [0, 1]]] });
    expect(JSON.parse(JSON.stringify(body))).toEqual(body);
    expect(sameHypergraph(draft, draftOf(asTrace(structuredClone(json))))).toBe(true);
    expect(sameHypergraph(renameVertex(draft, QUAY, "other"), draft)).toBe(false);
  });

  it("leaves earlier drafts as they were", () => {
    const before = JSON.stringify(draft);
    dropVertex(renameVertex(addMember(draft, FERRY, SEVEN), QUAY, "Pier"), SEVEN);
    expect(JSON.stringify(draft)).toBe(before);
  });

  it("follows a renamed vertex in hyperedges and inputs", () => {
    const body = runBody(renameVertex(draft, QUAY, "Pier"), DIJKSTRA, new Map());
    expect(body.inputs).toEqual({ source: "Pier" });
    expect(body.hypergraph.hyperedges[0]?.members).toEqual(["Pier", "Isle"]);
  });

  it("keeps a number a number when its text is not changed, and makes text of new names", () => {
    expect(renameVertex(draft, SEVEN, "7").vertices[1]?.label).toBe(7);
    expect(renameVertex(draft, SEVEN, "8").vertices[1]?.label).toBe("8");
  });

  it("drops a vertex from its hyperedges, and gives inputs another", () => {
    const body = runBody(dropVertex(draft, QUAY), DIJKSTRA, new Map());
    expect(body.hypergraph.hyperedges.map((e) => e.members)).toEqual([["Isle"], [7]]);
    expect(body.inputs).toEqual({ source: 7 });
  });

  it("says so where an input has nothing to point to", () => {
    const empty = draft.vertices.reduce<Draft>((rest, { id }) => dropVertex(rest, id), draft);
    expect(() => runBody(empty, DIJKSTRA, new Map())).toThrow("There is no vertex to be source. Add one.");
  });

  it("adds, renames and drops hyperedges and members", () => {
    let next = addHyperedge(draft, "barge", [SEVEN], "1/3");
    const barge = next.hyperedges[2]?.id ?? 0;
    next = addMember(addMember(next, barge, QUAY), barge, QUAY);
    expect(next.hyperedges[2]?.members).toEqual([SEVEN, QUAY]);
    next = removeMember(renameHyperedge(next, barge, "raft"), barge, SEVEN);
    expect(hypergraphBody(next).hyperedges[2]).toEqual({ name: "raft", weight: "1/3", members: ["Quay"] });
    expect(dropHyperedge(next, FERRY).hyperedges.map((e) => e.name)).toEqual(["launch", "raft"]);
  });

  it.each([
    ["an empty name", (d: Draft) => addVertex(d, "  "), "A vertex needs a name."],
    ["a vertex twice", (d: Draft) => addVertex(d, "Quay"), "There is a vertex Quay already; choose another name."],
    ["what reads like a number that is there", (d: Draft) => addVertex(d, "7"), "There is a vertex 7 already"],
    ["a hyperedge twice", (d: Draft) => renameHyperedge(d, LAUNCH, "ferry"), "There is a hyperedge ferry already"],
    ["half a character", (d: Draft) => addVertex(d, "\ud800"), "This is not valid Unicode text."],
    ["a weight of 0", (d: Draft) => setWeight(d, FERRY, "0"), "A weight must be more than 0."],
    ["a word as weight", (d: Draft) => setWeight(d, FERRY, "four"), "Write a number, such as 2, 1.5 or 1/3."],
  ])("refuses %s", (_, edit, sentence) => {
    expect(() => edit(draft)).toThrow(Refusal);
    expect(() => edit(draft)).toThrow(sentence);
  });

  it("keeps inputs of the same name and kind when the algorithm changes", () => {
    const chosen = setInput(draft, "source", SEVEN);
    const near = setAlgorithm(chosen, NEAR, DIJKSTRA);
    expect(runBody(near, NEAR, new Map()).inputs).toEqual({
      source: 7,
      within: "0",
      steps: "2",
      strict: false,
      first: "ferry",
    });
    const filled = setInput(setInput(near, "within", " 3/2 "), "strict", true);
    expect(runBody(filled, NEAR, new Map()).inputs).toMatchObject({ within: "3/2", strict: true });
    expect(() => runBody(setInput(near, "steps", "1.5"), NEAR, new Map())).toThrow(
      "The input steps: Write a whole number",
    );
  });

  it("reads inputs of every kind from a trace", () => {
    const trace = traceOf();
    trace.inputs = [
      { name: "within", kind: "length", value: 3 },
      { name: "strict", kind: "flag", value: 1 },
      { name: "first", kind: "hyperedge", value: 2 },
    ];
    expect(draftOf(trace).inputs).toEqual({ within: "1.5", strict: true, first: LAUNCH });
  });

  it("is the same hypergraph however weights are written", () => {
    expect(sameHypergraph(setWeight(draft, LAUNCH, "3/2"), draft)).toBe(true);
    expect(sameHypergraph(setWeight(draft, LAUNCH, "2"), draft)).toBe(false);
  });

  it("finds fresh names", () => {
    expect(freshName("vertex", ["a", "vertex 3"])).toBe("vertex 4");
  });
});

describe("numbers", () => {
  it.each(["1", "0.5", "1/3", " 2 ", "10/4"])("a weight may be %s", (text) => expect(weightProblem(text)).toBeNull());
  it.each(["", "0", "0/3", "-1", "1/0", "1e3", "∞", "0x10"])("a weight may not be %j", (text) =>
    expect(weightProblem(text)).not.toBeNull(),
  );
  it("a length may be 0, a count is whole", () => {
    expect(numberProblem("length", "0")).toBeNull();
    expect(numberProblem("count", "3/2")).not.toBeNull();
  });
});

describe("undo and redo", () => {
  it("go back and forth", () => {
    const history = new History(0);
    history.push(1);
    history.push(2);
    expect([history.undo(), history.undo(), history.undo()]).toEqual([1, 0, 0]);
    expect([history.redo(), history.redo(), history.redo()]).toEqual([1, 2, 2]);
    history.undo();
    history.push(5);
    expect(history.canRedo).toBe(false);
  });

  it("take what was typed in one field as one step", () => {
    const history = new History("");
    history.push("1", "weight");
    history.push("1.5", "weight");
    history.settle();
    history.push("1.55", "weight");
    expect(history.undo()).toBe("1.5");
    expect(history.undo()).toBe("");
  });

  it("forget what is too long ago", () => {
    const history = new History(0, 2);
    for (const k of [1, 2, 3]) history.push(k);
    expect([history.undo(), history.undo(), history.undo()]).toEqual([2, 1, 1]);
  });
});

describe("long lists", () => {
  const items = Array.from({ length: 100 }, (_, id) => ({ id }));
  it("are cut, but the selected one is there", () => {
    expect(visible(items, () => true, 3, 50)).toEqual({
      shown: [{ id: 50 }, { id: 0 }, { id: 1 }, { id: 2 }],
      found: 100,
    });
    expect(visible(items, ({ id }) => id % 50 === 0, 3, null)).toEqual({ shown: [{ id: 0 }, { id: 50 }], found: 2 });
  });
});

describe("runs", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are asked once after several changes, and only the newest answer counts", async () => {
    const answers: ((text: string) => void)[] = [];
    const asked: string[] = [];
    const on = { begun: vi.fn(), done: vi.fn(), failed: vi.fn() };
    const run = (question: string) => {
      asked.push(question);
      return new Promise<string>((resolve) => answers.push(resolve));
    };
    const runner = new Runner(run, on);
    runner.ask(() => "a", 250);
    await vi.advanceTimersByTimeAsync(200);
    runner.ask(() => "b", 250);
    await vi.advanceTimersByTimeAsync(300);
    expect(asked).toEqual(["b"]);
    runner.ask(() => "c");
    await vi.advanceTimersByTimeAsync(300);
    expect(asked).toEqual(["b"]); // one at a time
    answers[0]?.("old");
    await vi.advanceTimersByTimeAsync(0);
    expect(on.done).not.toHaveBeenCalled();
    expect(asked).toEqual(["b", "c"]);
    answers[1]?.("new");
    await vi.advanceTimersByTimeAsync(0);
    expect(on.done.mock.calls).toEqual([["new"]]);
  });

  it("tell what went wrong", async () => {
    const on = { begun: vi.fn(), done: vi.fn(), failed: vi.fn() };
    const runner = new Runner(() => Promise.reject(new Error("No.")), on);
    runner.ask(() => 1);
    await vi.advanceTimersByTimeAsync(300);
    runner.ask(() => {
      throw new Refusal("Not yet.");
    });
    await vi.advanceTimersByTimeAsync(300);
    expect(on.failed.mock.calls).toEqual([["No."], ["Not yet."]]);
  });
});
