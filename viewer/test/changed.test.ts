import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { changesBetween, sameThing } from "../src/edit/changed";
import {
  type Algorithm,
  addMember,
  addVertex,
  draftOf,
  dropVertex,
  NO_RENAMES,
  renameHyperedge,
  renamesBetween,
  renameVertex,
  runBody,
  setInput,
  setWeight,
} from "../src/edit/model";
import { readModel } from "../src/machine/model";
import { PageMachine } from "../src/machine/page";
import { Cancelled, sliced } from "../src/machine/slices";
import { Recording } from "../src/recording";
import { asTrace } from "../src/trace";

const [dijkstra] = JSON.parse(readFileSync(new URL("./machine.json", import.meta.url), "utf8"));
const trace = asTrace(dijkstra.runs[0].trace);
const model = readModel(new Uint8Array(gunzipSync(Buffer.from(dijkstra.model, "base64"))));
const machine = PageMachine.of(model, trace);
const [algorithm] = machine.algorithms;

async function changedBy(edit: (draft: ReturnType<typeof draftOf>) => ReturnType<typeof draftOf>): Promise<string[]> {
  if (!algorithm) throw new Error("no algorithm");
  const found = await machine.run(runBody(edit(draftOf(trace)), algorithm, new Map()));
  return changesBetween(model, new Recording(trace), new Recording(found));
}

const idOf = (label: string) => trace.hypergraph.vertices.indexOf(label) + 1;
const edgeOf = (label: string) => trace.hypergraph.vertices.length + trace.hypergraph.hyperedges.indexOf(label) + 1;

test("an edit that changes nothing in the answer has no lines", async () => {
  expect(await changedBy((draft) => draft)).toEqual([]);
});

test("what changed is told by label and by name, the main value first", async () => {
  const lines = await changedBy((draft) => addMember(draft, edgeOf("barge"), idOf("Wreck")));
  expect(lines[0]).toBe("Wreck: distance ∞ → 7, predecessor – → Cove, hyperedge – → barge");
});

test("another weight changes what is farther away", async () => {
  const lines = await changedBy((draft) => setWeight(draft, edgeOf("launch"), "2"));
  expect(lines).toContain("Mole: distance 1.5 → 2");
});

test("what is renamed is told as renamed, and what points to it is the same", async () => {
  const [before] = [draftOf(trace)];
  const after = renameVertex(renameHyperedge(before, edgeOf("launch"), "raft"), idOf("Isle"), "Key");
  const found = await machine.run(runBody(after, algorithm as Algorithm, new Map()));
  const lines = changesBetween(model, new Recording(trace), new Recording(found), renamesBetween(before, after));
  expect(lines).toEqual(["Isle: renamed, now Key", "launch: renamed, now raft"]);
});

test("what is selected stays so by its label, also where it was renamed, and not by its row", async () => {
  const before = draftOf(trace);
  const after = renameHyperedge(dropVertex(before, idOf("Quay")), edgeOf("launch"), "raft");
  const found = await machine.run(runBody(setInput(after, "source", idOf("Mole")), algorithm as Algorithm, new Map()));
  const kept = (scope: "vertices" | "hyperedges", label: string, renames = renamesBetween(before, after)) => {
    const thing = sameThing({ scope, row: trace.hypergraph[scope].indexOf(label) + 1 }, trace, found, renames);
    return thing && found.hypergraph[scope][thing.row - 1];
  };
  expect(kept("vertices", "Isle")).toBe("Isle");
  expect(kept("vertices", "Quay")).toBeNull();
  expect(kept("hyperedges", "launch")).toBe("raft");
  expect(kept("hyperedges", "launch", NO_RENAMES)).toBeNull();
});

test("what is dropped is told as gone, with what it was", async () => {
  const lines = await changedBy((draft) => dropVertex(draft, idOf("Wreck")));
  expect(lines).toEqual(["Wreck: gone, distance was ∞"]);
});

test("an input that names something else now is told first", async () => {
  const lines = await changedBy((draft) => dropVertex(draft, idOf("Quay")));
  expect(lines.slice(0, 2)).toEqual(["source: Quay → Mole", "Quay: gone, distance was 0"]);
});

test("an input whose vertex is renamed is the same", async () => {
  const before = draftOf(trace);
  const after = renameVertex(before, idOf("Quay"), "Pier");
  const found = await machine.run(runBody(after, algorithm as Algorithm, new Map()));
  const lines = changesBetween(model, new Recording(trace), new Recording(found), renamesBetween(before, after));
  expect(lines).toEqual(["Quay: renamed, now Pier"]);
});

test("what is new is told as new", async () => {
  const lines = await changedBy((draft) => addVertex(draft, "Pier"));
  expect(lines).toEqual(["Pier: new, distance ∞, predecessor –, hyperedge –"]);
});

test("a quotient is told as itself, not as the columns that it is made of", async () => {
  const cases = JSON.parse(readFileSync(new URL("./told.json", import.meta.url), "utf8"));
  const closeness = cases.find(({ name }: { name: string }) => name === "closeness");
  const made = readModel(new Uint8Array(gunzipSync(Buffer.from(closeness.model, "base64"))));
  const was = asTrace(closeness.runs[0].trace);
  const page = PageMachine.of(made, was);
  const [only] = page.algorithms;
  if (!only) throw new Error("no algorithm");
  const draft = draftOf(was);
  const [first] = was.hypergraph.members;
  const outside = was.hypergraph.vertices.findIndex((_, k) => !first?.includes(k + 1)) + 1;
  const edited = addMember(draft, was.hypergraph.vertices.length + 1, outside);
  const lines = changesBetween(
    made,
    new Recording(was),
    new Recording(await page.run(runBody(edited, only, new Map()))),
  );
  expect(lines.length).toBeGreaterThan(0);
  expect(lines).toContain("Quay: closeness stays 1, farness 1 → 2, connected 1 → 2");
  const others = lines.filter((line) => !line.includes("stays"));
  expect(others.length).toBeGreaterThan(0);
  for (const line of others) expect(line).toMatch(/: closeness [–\d./]+ → [–\d./]+$/);
});

test("long work comes in slices, tells how far it is, and ends when it is cancelled", async () => {
  let clock = 0; // a step takes a millisecond, however busy the machine is
  vi.spyOn(performance, "now").mockImplementation(() => clock);
  function* steps(count: number): Generator<number, string> {
    for (let k = 1; k <= count; k++) {
      clock += 1;
      yield k;
    }
    return "done";
  }
  const progress = vi.fn();
  expect(await sliced(steps(3), { progress })).toBe("done");
  expect(progress).not.toHaveBeenCalled();
  expect(await sliced(steps(100), { progress })).toBe("done");
  expect(progress.mock.calls.map(([told]) => told)).toEqual([40, 52, 64, 76, 88, 100]);
  await expect(sliced(steps(1e9), { cancelled: () => true })).rejects.toThrow(Cancelled);
  vi.restoreAllMocks();
});
