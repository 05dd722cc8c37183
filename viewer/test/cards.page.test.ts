// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import type { LayerRun } from "../src/machine/explain";
import { numberText } from "../src/numbers";
import { cellCard } from "../src/panels/machine_cell";
import { Diagram } from "../src/panels/machine_diagram";
import { headCard } from "../src/panels/machine_head";
import { Opened, unusedRows } from "../src/panels/machine_parts";
import { busiestRow, unitsCard } from "../src/panels/machine_units";
import { cellWidth, lettersIn } from "../src/panels/state";
import { headCell } from "../src/panels/table";
import { changedText } from "../src/panels/variables";
import type { Named } from "../src/recording";
import type { Attention, Head } from "../src/trace";
import { look } from "../src/words";
import { harbourAt, toldAt } from "./cases";

function openedAt(iteration: number, layer: number): Opened {
  const explainer = harbourAt(iteration, layer);
  return new Opened(explainer, explainer.run(layer) as LayerRun);
}

/** The texts of the nodes of a card that a selector finds. */
function texts(nodes: readonly HTMLElement[], selector: string): string[] {
  const root = document.createElement("div");
  root.append(...nodes);
  return [...root.querySelectorAll(selector)].map(({ textContent }) => textContent ?? "");
}

const choices = { all: false, asked: null, choose: () => {}, list: () => {} };

describe("what an iteration does not use", () => {
  it("comes last in a head, and says so", () => {
    const { nodes } = headCard(openedAt(3, 3), 0, 1, () => {});
    const flows = texts(nodes, ".writes").filter((text) => text.startsWith("Flows"));
    expect(flows).toEqual([
      "Flows as ‹count of touching(fresh)›:",
      "Flows as ‹containing(source) (of the setup)›, not used in this iteration:",
    ]);
    const again = headCard(openedAt(3, 3), 0, 1, () => {}).nodes;
    expect(texts(again, "[data-testid=head-gets]")).toEqual([
      "ferry gets ‹count of touching(fresh)›: 1, from Isle: 1; " +
        "‹containing(source) (of the setup)›: 1, from Quay: 1, not used in this iteration.",
    ]);
  });

  it("is not what the MLP opens on", () => {
    const opened = openedAt(3, 2);
    expect(busiestRow(opened)).toBe(2); // on row 1 it writes for the setup alone
    const card = () => unitsCard(opened, { ...choices, row: 1 });
    expect(texts(card(), ".chips")).toEqual(["It changes rows 234 and for the setup alone 1"]);
    const units = texts(card(), "[data-testid=units] > *");
    const last = units.indexOf("Of the setup, not used in this iteration:");
    expect(last).toBeGreaterThan(0);
    expect(units.slice(0, last).join()).not.toContain("(of the setup)");
    expect(units.slice(last + 1).every((text) => text.includes("(of the setup)"))).toBe(true);
  });
});

it("a unit that writes started is for that, not for halt", () => {
  const opened = openedAt(1, 3);
  const units = texts(unitsCard(opened, { ...choices, row: 1, asked: 21 }), "[data-unit]");
  expect(units.find((text) => text.startsWith("a23"))).toMatch(/= 1started$/);
  expect(units.find((text) => text.startsWith("c22"))).toMatch(/= 1started$/);
});

it("a head in words leaves out the rows of which it brings what the iteration does not use", () => {
  const opened = openedAt(3, 3);
  const { recording } = opened;
  const attention = recording.trace.attention.find((each) => each.layer === 3 && each.head === 1) as Attention;
  const head = recording.trace.model.layers[2]?.heads[0] as Head;
  const seen = look(recording, attention, head, unusedRows(opened, 0));
  expect(seen?.text).toBe(
    "Each vertex attends to itself. Nonzero: Isle (row 3), Light (row 4). " +
      "For the setup, not used in this iteration: Quay (row 1).",
  );
  expect(new Set(seen?.arrows.map(({ from }) => from?.row))).toEqual(new Set([3, 4]));
});

it("no number of X is cut in its cell", () => {
  for (const number of [0, 99_999, 1_044_480_000, 2 ** 53 - 1])
    expect(lettersIn(cellWidth(number) - 1)).toBeGreaterThanOrEqual(numberText(number).length);
});

describe("numbers of a card", () => {
  it("say what Ω is, where they are written with it", () => {
    const card = (iteration: number, layer: number) => unitsCard(openedAt(iteration, layer), { ...choices, row: 2 });
    expect(texts(card(3, 2), "[data-testid=ohm]")).toEqual(["Ω = 22906492213 stands for an infinite length."]);
    expect(texts(card(3, 1), "[data-testid=ohm]")).toEqual([]);
  });

  it("have no brackets around one alone", () => {
    const naming = openedAt(3, 2).naming;
    const { infinity } = naming.model;
    expect(naming.total([{ value: infinity - 11, weight: 1 }])).toBe("Ω − 11");
    expect(naming.total([{ value: infinity - 11, weight: 2 }])).toBe("2·(Ω − 11)");
    expect(naming.total([])).toBe("0");
  });
});

it("the diagram becomes a little smaller to be seen whole, not much", () => {
  const diagram = new Diagram(
    openedAt(3, 2).explainer.model,
    () => "",
    () => {},
  );
  const whole = diagram.width;
  diagram.fit(whole - 20);
  expect(diagram.width).toBe(whole - 20);
  diagram.fit(whole / 2);
  expect(diagram.width).toBe(whole);
  diagram.fit(2 * whole);
  expect(diagram.width).toBe(whole);
});

it("a table of variables names the columns that are new or changed, also those out of view", () => {
  const { recording } = openedAt(3, 2);
  const told = () => {
    const here = [...recording.variables.values()].filter((each) => recording.standing(each.name) === each);
    const columns = here.filter(({ scope }) => scope === "vertices");
    return changedText(recording, columns, recording.count("vertices"));
  };
  expect(told()).toBe(" · new: fresh");
  recording.seek(recording.frameOf(3, 3));
  expect(told()).toBe(" · changed: distance, predecessor, hyperedge, settled");
  recording.seek(0);
  expect(told()).toBe("");
});

it("the end of a loop is written for the stop that holds", () => {
  const explainer = toldAt("subleq", 5, 5);
  const cell = { row: 0, column: explainer.model.halt };
  expect(
    texts(
      cellCard(explainer, cell, () => {}),
      "p",
    ).join(),
  ).toMatch(/Written in iteration 5, layer 5: 0 → 1, by line 26: loop.stop_when\(halted \|/);
});

it("a formula for a pointer ends with its row, and with what has that row", () => {
  const explainer = toldAt("subleq", 1, 5);
  const opened = new Opened(explainer, explainer.run(5) as LayerRun);
  const formulas = texts(unitsCard(opened, { ...choices, row: 0 }), "[data-testid=unit-writes] .formula");
  const pc = formulas.find((text) => text.startsWith("pc")) as string;
  expect(pc).toMatch(/ = 1 \(vertex "0"\)$/);
  expect(pc.match(/ = /g)).toHaveLength(1);
});

it("a head names the row that it adds to, after the number", () => {
  const { nodes } = headCard(openedAt(4, 1), 0, 0, () => {});
  expect(texts(nodes, "[data-testid=head-writes]").join()).toMatch(/^Adds to “[^”]+”: \S+ on (all \d+ rows|rows? )/);
});

it("the column of an output that is computed from states says so far until the run has ended", () => {
  const { recording } = toldAt("closeness", 3, 4);
  const [top, bottom] = ["reached", "farness"].map((name) => recording.variables.get(name)) as [Named, Named];
  const quotient = { ...(top ?? bottom), name: "closeness", over: bottom };
  expect([false, true].map((ended) => headCell(quotient, ended).textContent)).toEqual([
    "closeness so far",
    "closeness",
  ]);
  expect(headCell(quotient, false).title).toContain("The answer is what it is at the end");
  const output = recording.variables.get(recording.trace.variables.find((each) => each.output)?.name ?? "") as Named;
  expect(headCell(output, false).title).toContain("as it is now");
  expect(headCell(output, true).title).not.toContain("as it is now");
});
