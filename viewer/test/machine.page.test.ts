// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { el } from "../src/dom";
import { Explainer, type HeadRun, type LayerRun, type Scores } from "../src/machine/explain";
import { idleNodes, tellingPart } from "../src/panels/machine";
import { flowThrough, headCard } from "../src/panels/machine_head";
import { foldedNode, Opened, obligationNode, renew } from "../src/panels/machine_parts";
import { Recording } from "../src/recording";
import { toldOf } from "../src/told";
import type { Trace } from "../src/trace";
import { harbourAt, openedCases, toldAt } from "./cases";

function openedAt(explainer: Explainer): Opened {
  return new Opened(explainer, explainer.run(explainer.recording.layer) as LayerRun);
}

function cardOf(opened: Opened, head: number, row = 0): HTMLElement {
  return el("div", {}, ...headCard(opened, head, row, () => {}).nodes);
}

/** The same with some other properties. */
function withOther<T extends object>(thing: T, others: Partial<T>): T {
  return new Proxy(thing, {
    get(target, name) {
      if (name in others) return others[name as keyof T];
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The card of a head that has other scores. */
function scored(scores: Omit<Scores, "query">): HTMLElement {
  const { explainer, run } = openedAt(harbourAt(4, 1));
  const [first] = run.heads as [HeadRun];
  const head = withOther(first, { scores: () => ({ ...first.scores(0), ...scores }) });
  return cardOf(new Opened(explainer, withOther(run, { heads: [head] })), 0);
}

/** The rows whose bars have a mark. */
function marked(card: HTMLElement, mark: string): number[] {
  const rows = [...card.querySelectorAll<HTMLElement>(".bar-row")];
  return rows
    .filter((row) => row.querySelector(".bar-mark")?.textContent === mark)
    .map(({ dataset }) => Number(dataset.row));
}

function nameOf({ explainer }: Opened, column: number): string {
  return `“${explainer.model.columns[column]?.name}”`;
}

/** All heads of all layers that are recorded of runs of several programs. */
function* cards(): Generator<{ opened: Opened; head: number; card: HTMLElement }> {
  for (const explainer of [harbourAt(1, 1), ...["pagerank", "closeness"].map((name) => toldAt(name, 1, 1))])
    for (let frame = 1; frame < Math.min(explainer.recording.length, 60); frame++) {
      explainer.recording.seek(frame);
      const opened = openedAt(explainer);
      for (const head of opened.run.heads.keys()) yield { opened, head, card: cardOf(opened, head) };
    }
}

describe("the card of a head", () => {
  it("names every column that it adds to", () => {
    for (const { opened, head, card } of cards()) {
      const run = opened.run.heads[head] as HeadRun;
      if (run.head.kind !== "plain") continue;
      const changed = run.head.writes.filter((_, k) => (run.adds[k] as Float64Array).some((value) => value !== 0));
      const writes = card.querySelector("[data-testid=head-writes]") as HTMLElement;
      for (const column of changed) expect(writes.textContent).toContain(nameOf(opened, column));
      expect(writes.querySelector("details") !== null).toBe(changed.length > 12);
    }
  });

  it("says how many columns are folded, where it adds to many", () => {
    const { explainer, run } = openedAt(toldAt("pagerank", 2, 1));
    const [first, ...others] = run.heads as [HeadRun, ...HeadRun[]];
    const columns = first.head.writes;
    expect(columns.length).toBe(20);
    // As if all that it erases were something.
    const adds = columns.map((_, k) => new Float64Array(explainer.recording.rows).fill(k + 1));
    const opened = new Opened(explainer, withOther(run, { heads: [withOther(first, { adds }), ...others] }));
    const writes = cardOf(opened, 0).querySelector("[data-testid=head-writes]") as HTMLElement;
    const rest = writes.querySelector("details") as HTMLDetailsElement;
    expect([rest.open, rest.querySelector("summary")?.textContent]).toEqual([false, "and 8 more columns"]);
    for (const column of columns.slice(12)) expect(rest.textContent).toContain(nameOf(opened, column));
    for (const column of columns) expect(writes.textContent).toContain(nameOf(opened, column));
    expect(writes.textContent?.endsWith(".")).toBe(true);
  });

  it("has a formula for each column that it carries, folded or not", () => {
    for (const { opened, head, card } of cards()) {
      const asks = 3; // query, key, score
      const writes = opened.run.heads[head]?.head.writes.length as number;
      expect(card.querySelectorAll(".formula-name").length).toBe(asks + writes);
    }
  });

  it("marks every runner-up", () => {
    for (const { opened, head, card } of cards()) {
      const { runnersUp, winners } = (opened.run.heads[head] as HeadRun).scores(0);
      if (opened.recording.rows > 40) continue;
      expect(marked(card, "2nd")).toEqual([...runnersUp].sort((a, b) => a - b));
      expect(marked(card, "★")).toEqual([...winners].sort((a, b) => a - b));
    }
  });

  it("marks them where there are many", () => {
    const score = new Float64Array(9).fill(7, 4, 5);
    const next = [0, 1, 2, 3, 5, 6, 7, 8];
    const card = scored({ score, winners: [4], runnersUp: next, margin: 7 });
    expect(marked(card, "2nd")).toEqual(next);
    expect(card.querySelector("[data-testid=verdict]")?.textContent).toContain("global row (and 7 more), 0.");
  });

  it("says of rows without a bar what their scores are", () => {
    const score = new Float64Array(60).fill(-1).fill(5, 0, 42).fill(2, 42, 50);
    const rows = [...score.keys()];
    const card = scored({ score, winners: rows.slice(0, 42), runnersUp: rows.slice(42, 50), margin: 3 });
    const bars = card.querySelector("[data-testid=bars]");
    const text = "… and 20 more rows: 2 with the best score, 8 with the second, 10 with lower scores";
    expect(bars?.lastElementChild?.textContent).toBe(text);
  });
});

it("a list that was unfolded stays so at the next frame", () => {
  const root = el("div");
  renew(root, foldedNode("list", "and 2 more columns", "a; b."));
  const details = root.firstElementChild as HTMLDetailsElement;
  details.setAttribute("open", "");
  renew(root, foldedNode("list", "and 3 more columns", "a; b; c."));
  expect(root.firstElementChild).toBe(details);
  expect([details.hasAttribute("open"), details.textContent]).toEqual([true, "and 3 more columnsa; b; c."]);
  renew(root, foldedNode("another", "and 1 more column", "d."));
  expect(root.firstElementChild?.hasAttribute("open")).toBe(false);
});

describe("a head through the incidence", () => {
  const opened = openedAt(harbourAt(2, 2)); // launch has been picked: its members are marked
  const text = (row: number, scope: "vertices" | "hyperedges" | null) => {
    const { giver, taker } = flowThrough(opened, 0, { row, scope });
    const card = el("div", {}, ...headCard(opened, 0, giver, () => {}, taker).nodes);
    const part = (id: string) => card.querySelector(`[data-testid=${id}]`)?.textContent;
    return [part("head-gets"), part("head-gives")];
  };
  const [quay, launch] = [1, 2];

  it("explains who gave what a vertex got", () => {
    expect(text(quay, "vertices")).toEqual(["Quay gets members: 1, from launch: 1.", "launch gives:"]);
  });

  it("tells of a hyperedge with one that gets what it gives", () => {
    expect(text(launch, "hyperedges")).toEqual(["Quay gets members: 1, from launch: 1.", "launch gives:"]);
  });

  it("tells of both things of a row that was chosen, or that nobody gives to", () => {
    expect(text(quay, null)[1]).toBe("ferry, which has row 1 as well, gives:");
    expect(flowThrough(opened, 0, { row: 4, scope: "vertices" })).toEqual({ giver: 4, taker: 4 });
  });
});

describe("what is said of the proof", () => {
  function said(change: { verified?: Trace["model"]["verified"]; shipped?: boolean }): string {
    const { model, recordings } = openedCases()[0] as ReturnType<typeof openedCases>[number];
    const { trace } = recordings[0] as Recording;
    const recording = new Recording({
      ...trace,
      algorithm: { ...trace.algorithm, ...("shipped" in change ? { shipped: change.shipped as boolean } : {}) },
      model: { ...trace.model, ...("verified" in change ? { verified: change.verified } : {}) } as Trace["model"],
    });
    recording.seek(recording.frameOf(2, 1));
    return obligationNode(openedAt(new Explainer(model, recording)), 0).textContent ?? "";
  }

  it("is that there is none on this page, where the model was only compiled", () => {
    for (const verified of ["compiled", "reproduced"] as const) {
      const own = said({ verified, shipped: false });
      expect(own).toContain("This is not proved on this page: hyloop prove ");
      expect(own).not.toContain("It is proved");
    }
    // Where hyloop compiled it, the command compiles it again; what came from a file is not that model.
    expect(said({ verified: "compiled" })).toContain(
      "hyloop prove dijkstra proves or refutes it of the model that hyloop compiles by default,",
    );
    expect(said({ verified: "compiled", shipped: false })).toContain("hyloop prove PROGRAM.py proves or refutes it of");
    expect(said({ verified: "reproduced" })).toContain("hyloop prove MODEL.safetensors proves or refutes it, and");
  });

  it("is that it is proved, where it is", () => {
    expect(said({ verified: "proved" })).toContain(
      "It is proved for this model. hyloop prove MODEL.safetensors also lists",
    );
  });

  it("is nothing of an obligation, where nobody vouches for the model", () => {
    const text = said({ verified: "unverified" });
    expect(text).toContain("Nothing is proved of this part: the model is unverified.");
    expect(text).toContain("hyloop prove MODEL.safetensors --edited, given this model’s file, says what holds of it.");
    expect(text).not.toContain("dijkstra");
  });
});

describe("the part that answers why", () => {
  it("is none where the sentence tells of nothing", () => {
    const explainer = harbourAt(1, 1);
    const told = toldOf(explainer, 1);
    expect(told?.clauses).toEqual([]);
    expect(tellingPart(told)).toBeNull();
    expect(idleNodes()[0]?.textContent).toContain("none of its parts is opened as the reason");
  });

  it("is that which did what the sentence tells", () => {
    expect(tellingPart(toldOf(harbourAt(4, 1), 1))).toBe(0);
    expect(tellingPart(toldOf(harbourAt(3, 3), 3))).toBe("mlp");
  });
});
