import { describe, expect, it } from "vitest";
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
  const { spoken, last } = spokenOf(given, () => null);
  return plain(spoken.noun("body", last));
}

/** Which rows the last of some operations is, with the values of scalars. */
function rowsOf(given: Given[], values: ReadonlyMap<number, number>): string {
  const { spoken, last } = spokenOf(given, (op) => values.get(op) ?? null);
  return plain(spoken.rows("body", last));
}

function spokenOf(given: Given[], known: (op: number) => number | null): { spoken: Spoken; last: number } {
  const type = { kind: "count", scope: "vertices" };
  const ops = given.map((op) => ({ operands: [], argument: "", label: "", type, ...op }));
  const section = { ops, updates: new Map() };
  const naming = {
    op: ([, number]: [string, number]) => ops[number],
    version: () => null,
    stateName: (name: string) => name,
    brief: () => "first(left)",
    isMade: () => false,
    model: { program: { before: section, body: section } },
    recording: { called: (_: string, row: number) => ["Quay", "Mole"][row - 1] ?? null },
  };
  return { spoken: new Spoken(naming as unknown as Naming, (_, op) => known(op)), last: ops.length - 1 };
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

it("of two numbers it says that they are equal, and not that one name is another", () => {
  const count = { kind: "count", scope: "scalar" } as Op["type"];
  const [done, rounds]: [Given, Given] = [
    { ...state("done"), type: count },
    { name: "input", label: "rounds", type: count },
  ];
  const equal: Given = { name: "equal", operands: [0, 1], type: { kind: "flag", scope: "scalar" } as Op["type"] };
  const reason = (...given: Given[]) => {
    const { spoken, last } = spokenOf(given, () => null);
    return plain(spoken.reason("body", last));
  };
  expect(reason(done, rounds, equal)).toBe("done equals rounds");
  expect(reason(done, { name: "constant", argument: "0", type: count }, equal)).toBe("done is 0");
});

describe("rows that are compared", () => {
  const vertex = { kind: "vertex", scope: "scalar" } as Op["type"];
  const vertices = { kind: "vertex", scope: "vertices" } as Op["type"];
  const label = { ...state("label"), type: vertices };
  const equal: Given = { name: "equal", operands: [0, 1], type: flag };

  it("with a pointer are told with what it points to", () => {
    const which = { name: "first", label: "which", type: vertex };
    expect(rowsOf([label, which, equal], new Map([[1, 2]]))).toBe("where label is Mole (which)");
    // What has no name is called by its value.
    expect(rowsOf([label, { ...which, label: "" }, equal], new Map([[1, 2]]))).toBe("where label is Mole");
  });

  it("with each other are equal, or differ", () => {
    const coming = { ...state("coming"), type: vertices };
    expect(rowsOf([label, coming, equal], new Map())).toBe("where label equals coming");
    const differs: Given = { name: "not", operands: [2], type: flag };
    expect(rowsOf([label, coming, equal, differs], new Map())).toBe("where label differs from coming");
  });

  it("are not those of a flag that is the same for all", () => {
    const turning: Given = { name: "any", label: "turning", type: { kind: "flag", scope: "scalar" } as Op["type"] };
    const both: Given = { name: "and", operands: [0, 1], type: flag };
    const marked: Given = { ...state("left"), type: flag };
    expect(rowsOf([turning, marked, both], new Map([[0, 1]]))).toBe("marked left");
  });
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

it("rows after another one, or before it, are not said to be equal to it", () => {
  const own: Given = { name: "own", argument: "vertices", type: { kind: "vertex", scope: "vertices" } as Op["type"] };
  const other: Given = { ...state("x"), type: { kind: "vertex", scope: "scalar" } as Op["type"] };
  const rows = (name: string, ...operands: number[]) =>
    rowsOf([own, other, { name, operands, type: flag }], new Map([[1, 2]]));
  expect(rows("precedes", 1, 0)).toContain("after");
  expect(rows("precedes", 0, 1)).toContain("before");
  expect(rows("equal", 0, 1)).toContain("equal to");
  const negated = [
    own,
    other,
    { name: "precedes", operands: [1, 0], type: flag },
    { name: "not", operands: [2], type: flag },
  ];
  expect(rowsOf(negated, new Map([[1, 2]]))).toContain("not after");
});
