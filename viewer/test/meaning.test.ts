import { expect, test } from "vitest";
import { explained } from "../src/glossary";
import { meaning } from "../src/meaning";
import { Recording } from "../src/recording";
import { harbour } from "./traces";

const recording = new Recording(harbour());
const columnOf = (name: string) => recording.trace.model.columns.findIndex((column) => column.name === name);
const at = (iteration: number, layer: number) => recording.seek(recording.frameOf(iteration, layer));

test("a number in X is told as people read it", () => {
  at(5, 1);
  expect(meaning(recording, 3, columnOf("distance"))).toBe("distance of Isle: 7 units of 0.5 = 3.5");
  expect(meaning(recording, 8, columnOf("distance"))).toBe("distance of Wreck: ∞");
  expect(meaning(recording, 2, columnOf("predecessor"))).toBe("predecessor of Mole: row 1, Quay");
  expect(meaning(recording, 8, columnOf("predecessor"))).toBe("predecessor of Wreck: nothing (0)");
  expect(meaning(recording, 2, columnOf("settled"))).toBe("settled of Mole: yes");
  expect(meaning(recording, 4, columnOf("input source"))).toBe("input source: row 1, Quay");
  expect(meaning(recording, 1, columnOf("weight"))).toBe("weight of ferry: 8 units of 0.5 = 4");
});

test("a column is known by its role, whatever it is called", () => {
  const trace = harbour();
  for (const each of trace.model.columns) each.name = `column of ${each.role} ${each.of}`;
  const other = new Recording(trace);
  other.seek(other.frameOf(5, 1));
  expect(meaning(other, 4, columnOf("input source"))).toBe("input source: row 1, Quay");
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
  expect(meaning(recording, 2, edge)).toMatch(/^edge: row \d+, dinghy$/);
  at(5, 3);
  expect(meaning(recording, 2, edge)).not.toContain("edge");
});

test("words are explained after their name", () => {
  expect(explained("margin")).toMatch(/^margin: The difference between the best score and the next lower one\./);
});
