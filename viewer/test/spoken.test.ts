import { expect, it } from "vitest";
import type { Op } from "../src/machine/program";
import { plain } from "../src/marked";
import { meaning } from "../src/meaning";
import { Naming } from "../src/naming";
import type { Named } from "../src/recording";
import { bare, Spoken } from "../src/spoken";
import { sentence, toldOf } from "../src/told";
import { toldAt } from "./cases";

type Given = Partial<Op> & Pick<Op, "name">;

/** The words of the last of some operations, of which no value is known. */
function said(...given: Given[]): string {
  const type = { kind: "count", scope: "vertices" };
  const ops = given.map((op) => ({ operands: [], argument: "", label: "", type, ...op }));
  const section = { ops, updates: new Map() };
  const naming = {
    op: ([, number]: [string, number]) => ops[number],
    version: () => null,
    stateName: (name: string) => name,
    isMade: () => false,
    model: { program: { before: section, body: section } },
  };
  return plain(new Spoken(naming as unknown as Naming, () => null).noun("body", ops.length - 1));
}

const state = (argument: string): Given => ({ name: "state", argument });
const flag = { kind: "flag", scope: "vertices" } as Op["type"];

it("a choice that is added or subtracted is in brackets", () => {
  const choice: Given[] = [
    state("votes"),
    { ...state("has"), type: flag },
    { name: "constant", argument: "0" },
    { name: "where", operands: [1, 0, 2] },
    state("sums"),
  ];
  const where = "(votes on the vertices marked has, else 0)";
  expect(said(...choice, { name: "subtract", operands: [4, 3] })).toBe(`sums minus ${where}`);
  expect(said(...choice, { name: "subtract", operands: [3, 4] })).toBe(`${where} minus sums`);
  expect(said(...choice, { name: "add", operands: [4, 3] })).toBe(`sums plus ${where}`);
});

it("a sum with a flag is in brackets where something is subtracted from it", () => {
  const sum: Given[] = [
    state("over"),
    { ...state("late"), type: flag },
    { name: "number", operands: [1] },
    { name: "add", operands: [0, 2] },
    state("arrives"),
  ];
  const text = "(over, plus 1 on the vertices marked late) minus arrives";
  expect(said(...sum, { name: "subtract", operands: [3, 4] })).toBe(text);
  expect(said(...sum)).toBe("arrives");
});

it("a noun has one article", () => {
  expect(bare("the number of members")).toBe("number of members");
  const told = [1, 2, 3].map((layer) => {
    const explainer = toldAt("set_cover", 1, layer);
    const found = toldOf(explainer, layer);
    return found ? sentence(found, "body") : "";
  });
  expect(told.join(" ")).toContain("the greatest number of members marked uncovered");
  expect(told.join(" ")).not.toMatch(/the (least|greatest) the/);
});

it("numbers in a sentence are written as in the tables: without commas, so that they can be copied", () => {
  const explainer = toldAt("pagerank", 2, 3);
  const { recording } = explainer;
  const said = sentence(toldOf(explainer, 3) as NonNullable<ReturnType<typeof toldOf>>, "body");
  const rank = recording.variables.get("rank") as Named;
  expect(said).toContain(`rank ${recording.cellText(rank, 1)}`);
  expect(recording.cellText(rank, 1)).toBe("255000");
  expect(meaning(recording, 1, rank.column)).toMatch(/: 255000$/);
  expect(new Naming(explainer.model, recording).number(255_000)).toBe("255000");
});
