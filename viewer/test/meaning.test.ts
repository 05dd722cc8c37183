import { expect, test } from "vitest";
import { explained } from "../src/glossary";
import { Explainer } from "../src/machine/explain";
import { iterationValues } from "../src/machine/iteration";
import { meaning, scopeOf } from "../src/meaning";
import { Naming } from "../src/naming";
import { holdsText } from "../src/purposes";
import { Recording } from "../src/recording";
import type { Column } from "../src/trace";
import { harbourAt, openedCases, toldAt } from "./cases";
import { harbour } from "./traces";

const recording = new Recording(harbour());
const columnOf = (name: string) => recording.trace.model.columns.findIndex((column) => column.name === name);
const at = (iteration: number, layer: number) => recording.seek(recording.frameOf(iteration, layer));

test("a number in X is told as people read it", () => {
  at(5, 1);
  expect(meaning(recording, 3, columnOf("distance"))).toBe("distance of Isle: 7 units of 0.5 = 3.5");
  expect(meaning(recording, 8, columnOf("distance"))).toBe("distance of Wreck: ∞");
  expect(meaning(recording, 2, columnOf("predecessor"))).toBe("predecessor of Mole: Quay (row 1)");
  expect(meaning(recording, 8, columnOf("predecessor"))).toBe("predecessor of Wreck: none (0)");
  expect(meaning(recording, 2, columnOf("settled"))).toBe("settled of Mole: yes");
  expect(meaning(recording, 4, columnOf("input source"))).toBe("input source: Quay (row 1)");
  expect(meaning(recording, 1, columnOf("weight"))).toBe("weight of ferry: 8 units of 0.5 = 4");
});

test("the head of a column has a sign of what it is about, also where that is one number", () => {
  const told = (name: string) => scopeOf(recording, columnOf(name));
  expect(["input source", "started", "weight", "distance"].map(told)).toEqual([
    "scalar",
    "scalar",
    "hyperedges",
    "vertices",
  ]);
});

test("a column is known by its role, whatever it is called", () => {
  const trace = harbour();
  for (const each of trace.model.columns) each.name = `column of ${each.role} ${each.of}`;
  const other = new Recording(trace);
  other.seek(other.frameOf(5, 1));
  expect(meaning(other, 4, columnOf("input source"))).toBe("input source: Quay (row 1)");
  expect(meaning(other, 1, columnOf("weight"))).toBe("weight of ferry: 8 units of 0.5 = 4");
});

test("a cell without a meaning has none", () => {
  at(5, 3);
  expect(meaning(recording, 0, columnOf("distance"))).toBe("");
  expect(meaning(recording, 8, columnOf("weight"))).toBe("");
  expect(meaning(recording, 1, columnOf("P_1"))).toBe("");
});

test("a local is told while it stands in its column", () => {
  at(5, 1);
  const edge = recording.variables.get("edge")?.column ?? -1;
  expect(meaning(recording, 2, edge)).toMatch(/^edge: dinghy \(row \d+\)$/);
  at(5, 3);
  expect(meaning(recording, 2, edge)).not.toContain("edge");
});

test("a temporary column is told by what the model keeps there", () => {
  const explainer = harbourAt(2, 3);
  const own = explainer.recording;
  const naming = new Naming(explainer.model, own);
  const told = (row: number, name: string) => meaning(own, row, columnOf(name), naming);
  expect(told(6, "temporary 4")).toBe("tail: Quay (row 1)");
  expect(told(0, "temporary 1")).toBe("edge: launch (row 2)");
  expect(told(3, "temporary 7")).toBe("count of touching(fresh) of mail boat: 1");
  expect(told(6, "temporary 3")).toBe("containing(source) (of the setup) of steamer: yes");
  const column = own.trace.model.columns[columnOf("temporary 4")] as Column;
  expect(holdsText(own, column, columnOf("temporary 4"), naming)).toBe("tail, line 26");
  expect(holdsText(own, column, columnOf("temporary 4"))).toBe("temporary values");
});

test("a gate in a temporary column has the lines of the statements that it lets take effect", () => {
  const explainer = toldAt("closeness", 2, 3);
  const { model, recording: own } = explainer;
  const naming = new Naming(model, own);
  const told = (name: string) => {
    const number = model.columns.findIndex((column) => column.name === name);
    return holdsText(own, own.trace.model.columns[number] as Column, number, naming);
  };
  expect(told("temporary 12")).toBe("whether lines 16, 19, 20, 21 take effect"); // the setup of the inner loop
  expect(told("temporary 15")).toBe("whether line 26 takes effect"); // key[edge] = INFINITY
  expect(told("temporary 16")).toBe("whether lines 28, 29 take effect"); // reached
  const column = model.columns.findIndex(({ name }) => name === "temporary 16");
  expect(naming.column(column, 4, "before")).toBe("‹whether lines 28, 29 take effect›");
});

test("a value has one name, in its card and in formulas", () => {
  const explainer = harbourAt(2, 1);
  const own = explainer.recording;
  const naming = new Naming(explainer.model, own);
  const column = columnOf("temporary 3");
  expect(meaning(own, 6, column, naming)).toBe("1 at edge of steamer: no"); // not "equal in key[edge]"
  expect(naming.column(column, 1, "after")).toBe("‹1 at edge›");
  own.seek(own.frameOf(2, 3));
  expect(meaning(own, 6, column, naming)).toBe("containing(source) (of the setup) of steamer: yes");
  expect(naming.column(column, 3, "after")).toBe("‹containing(source) (of the setup)›"); // not "temporary 3"
});

test("what is kept in temporary columns is what it is said to be", () => {
  let compared = 0;
  for (const { model, recordings } of openedCases()) {
    for (const own of recordings) {
      const [explainer, naming] = [new Explainer(model, own), new Naming(model, own)];
      for (let frame = 1; frame < Math.min(own.length, 60); frame++) {
        own.seek(frame);
        compared += compareHeld(explainer, naming);
      }
    }
  }
  expect(compared).toBeGreaterThan(100);
});

/** The values of operations that stand in temporary columns after this layer, against the interpreter's. */
function compareHeld(explainer: Explainer, naming: Naming): number {
  const { recording: run, model } = explainer;
  const values = iterationValues(explainer);
  let compared = 0;
  run.trace.model.columns.forEach(({ role }, column) => {
    const purpose = role === "temporary" ? naming.content(column, run.layer, "after")?.purpose : null;
    if (!purpose || !values || purpose[0] !== naming.section || purpose[2] !== "value" || purpose[3]) return;
    const value = values[purpose[1]] as number | readonly number[];
    const [first, all] = typeof value === "number" ? [0, [value]] : [1, value];
    all.forEach((each, k) => {
      const found = run.log.now[column * run.rows + first + k];
      expect(found, `${naming.purpose(purpose)} ${k} at ${run.frame}`).toBe(Math.min(each, model.infinity));
      compared++;
    });
  });
  return compared;
}

test("words are explained after their name", () => {
  expect(explained("margin")).toMatch(/^margin: The difference between the best score and the next lower one\./);
});
