import { describe, expect, it } from "vitest";
import { badgesOf, briefly, titleOf } from "../src/compare";
import { AFTER, counted, goTo, hypergraphDifferences, momentsOf, Pairs } from "../src/compare/differences";
import { KeptRuns } from "../src/compare/runs";
import { addMember, addVertex, type Draft, draftOf, dropVertex, runBody, setWeight } from "../src/edit/model";
import { drained } from "../src/machine/slices";
import { Recording } from "../src/recording";
import type { Trace } from "../src/trace";
import { harbourMachine } from "./cases";

/** The harbour's run after an edit. */
async function edited(edit: (draft: Draft) => Draft): Promise<{ before: Trace; after: Trace }> {
  const { machine, trace } = harbourMachine();
  const algorithm = machine.algorithms[0] as (typeof machine.algorithms)[number];
  const draft = edit(draftOf(trace));
  return { before: trace, after: await machine.run(runBody(draft, algorithm, draft.source.places)) };
}

function pairsOf({ before, after }: { before: Trace; after: Trace }): Pairs {
  return new Pairs(new Recording(before), new Recording(after));
}

const id = (draft: Draft, label: string) => draft.vertices.find((v) => v.label === label)?.id as number;
const edge = (draft: Draft, name: string) => draft.hyperedges.find((e) => e.name === name)?.id as number;

describe("two runs", () => {
  it("have titles that begin with what differs", async () => {
    const { left, right } = pairsOf(await edited((d) => d));
    expect(titleOf(left, right)).toBe("dijkstra · source: Quay");
    const trace = { ...right.trace, inputs: right.trace.inputs.map((input) => ({ ...input, value: 2 })) };
    expect(titleOf(left, new Recording(trace))).toBe("source: Quay · dijkstra");
    expect(titleOf(new Recording(trace), left)).toBe("source: Mole · dijkstra");
    const other = { ...right.trace, algorithm: { ...right.trace.algorithm, name: "reachable" } };
    expect(titleOf(new Recording(other), left)).toBe("reachable · source: Quay");
  });

  it("differ in the vertex that an edit reaches, and only from where it does", async () => {
    const pairs = pairsOf(await edited((d) => addMember(d, edge(d, "launch"), id(d, "Wreck"))));
    const moments = momentsOf(pairs.left, pairs.right);
    goTo(pairs, moments.at(-1) as (typeof moments)[number]);
    expect(pairs.now().map(briefly)).toEqual([
      "Wreck: distance ∞ ≠ 1.5",
      "Wreck: predecessor – ≠ Quay",
      "Wreck: hyperedge – ≠ launch",
      "Wreck: settled no ≠ yes",
    ]);
    const counts = drained(counted(pairs, moments, 1000));
    expect(counts[0]).toBe(0);
    const first = counts.findIndex((count) => count > 0);
    goTo(pairs, moments[first] as (typeof moments)[number]);
    expect([pairs.left.iteration, pairs.left.layer]).toEqual([2, 3]);
    expect(counts.at(-1)).toBe(4);
    expect(hypergraphDifferences(pairs)).toEqual(["launch: Wreck only on the right"]);
    expect(hypergraphDifferences(pairs, AFTER)).toEqual(["launch: Wreck added"]);
    const moved = { ...pairs.right.trace, inputs: pairs.right.trace.inputs.map((each) => ({ ...each, value: 2 })) };
    const other = new Pairs(pairs.left, new Recording(moved));
    expect(hypergraphDifferences(other, AFTER)).toEqual(["launch: Wreck added", "source: Quay → Mole"]);
    expect(hypergraphDifferences(other, AFTER, false)).toEqual(["launch: Wreck added"]);
  });

  it("differ in the hyperedge that a step is about, and say so first", async () => {
    const pairs = pairsOf(await edited((d) => setWeight(d, edge(d, "ferry"), "1")));
    const told = momentsOf(pairs.left, pairs.right).flatMap((moment) => {
      goTo(pairs, moment);
      const [here, there] = [pairs.left, pairs.right].map((run) => {
        const row = run.value("edge", 0);
        return row === null ? null : run.text("hyperedge", row);
      });
      const found = pairs.now().findIndex(({ name }) => name === "edge");
      expect(found).toBe(here === there ? -1 : 0);
      expect(pairs.count()).toBe(pairs.now().length);
      return found < 0 ? [] : [briefly(pairs.now()[found] as ReturnType<typeof pairs.now>[number])];
    });
    expect(told).toContain("edge launch ≠ ferry");
  });

  it("belong together by label, not by row", async () => {
    const pairs = pairsOf(await edited((d) => addVertex(dropVertex(d, id(d, "Mole")), "Pier")));
    expect(hypergraphDifferences(pairs)[0]).toBe("Mole only on the left");
    expect(hypergraphDifferences(pairs)[1]).toBe("Pier only on the right");
    const isle = pairs.left.trace.hypergraph.vertices.indexOf("Isle") + 1;
    expect(pairs.vertices.find(([left]) => left === isle)?.[1]).toBe(isle - 1);
    goTo(pairs, { iteration: 99, layer: null });
    for (const { name, left, right } of pairs.now()) expect([name, left]).not.toEqual([name, right]);
    const [mine, other] = [badgesOf(pairs, pairs.now(), 0), badgesOf(pairs, pairs.now(), 1)];
    expect(mine.vertices.get(pairs.left.trace.hypergraph.vertices.indexOf("Mole") + 1)).toBe("only here");
    expect(other.vertices.get(pairs.right.trace.hypergraph.vertices.indexOf("Pier") + 1)).toBe("only here");
  });

  it("with other units are compared by what the numbers mean", async () => {
    // Thirds: the unit is another one, and so is every number that stands in X.
    const pairs = pairsOf(await edited((d) => setWeight(d, edge(d, "steamer"), "19/3")));
    expect(pairs.left.trace.unit).not.toBe(pairs.right.trace.unit);
    goTo(pairs, { iteration: 99, layer: null });
    const mill = pairs.now().filter(({ label }) => label !== "Mill" && label !== "Dunes");
    expect(mill.filter(({ name }) => name === "distance")).toEqual([]);
    expect(hypergraphDifferences(pairs)).toEqual(["steamer: weight 7 ≠ 19/3"]);
    expect(badgesOf(pairs, [], 0).hyperedges.size).toBe(1);
  });

  it("are at the same place in time; one that has ended stays", async () => {
    const { before, after } = await edited((d) => dropVertex(d, id(d, "Cove")));
    const pairs = pairsOf({ before, after });
    const moments = momentsOf(pairs.left, pairs.right);
    const last = Math.max(before.recorded.iterations, after.recorded.iterations);
    expect(moments.at(-1)?.iteration).toBe(last);
    expect(moments.length).toBe(1 + last * pairs.left.layers);
    goTo(pairs, moments.at(-1) as (typeof moments)[number]);
    expect(pairs.left.frame).toBe(pairs.left.length - 1);
    expect(pairs.right.frame).toBe(pairs.right.length - 1);
  });
});

describe("the runs that are kept", () => {
  it("are called by what an edit changed", async () => {
    const { before, after } = await edited((d) => addMember(d, edge(d, "launch"), id(d, "Wreck")));
    const kept = new KeptRuns();
    expect(kept.keep(before).title).toBe("1 · dijkstra");
    expect(kept.keep(after).title).toBe("2 · dijkstra: launch: Wreck added");
    expect(kept.keep(before).number).toBe(1);
  });

  it("of a link are told by the page's own, whatever was shown last", async () => {
    const { before, after } = await edited((d) => addMember(d, edge(d, "launch"), id(d, "Wreck")));
    const kept = new KeptRuns();
    kept.keep(before);
    kept.keep(after);
    const [left, right] = kept.keepPair({ ...before }, { ...after });
    expect([left.title, right.title]).toEqual(["3 · dijkstra", "4 · dijkstra: launch: Wreck added"]);
    const [edit] = kept.keepPair({ ...after }, { ...before });
    expect(edit.title).toBe("5 · dijkstra: launch: Wreck added");
  });

  it("are the first and the last few", () => {
    const { trace } = harbourMachine();
    const kept = new KeptRuns();
    for (let k = 0; k < 20; k++) kept.keep({ ...trace });
    expect(kept.all.map(({ number }) => number)).toEqual([1, 14, 15, 16, 17, 18, 19, 20]);
  });
});
