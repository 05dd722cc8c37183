import { describe, expect, test } from "vitest";
import { Recording } from "../src/recording";
import { Index } from "../src/search";
import { harbour, randomTrace } from "./traces";

describe("search", () => {
  const index = new Index(new Recording(harbour()));

  test("finds a vertex whatever its case", () => {
    expect(index.find("qUAY")).toEqual([{ what: "thing", thing: { scope: "vertices", row: 1 }, text: "Quay" }]);
  });

  test("finds parts, whole names and beginnings first", () => {
    const found = index.find("e").map((each) => each.text);
    expect(found).toContain("ferry");
    expect(found.indexOf("edge")).toBeLessThan(found.indexOf("ferry"));
    expect(index.find("settled")[0]).toEqual({ what: "variable", name: "settled", text: "settled" });
  });

  test("nothing, for nothing", () => {
    expect(index.find("  ")).toEqual([]);
    expect(index.find("no such name")).toEqual([]);
  });

  test("many labels", () => {
    const many = new Index(new Recording(randomTrace(1, { frames: 2, rows: 8001, columns: 1 })));
    expect(many.find("v1")).toHaveLength(50);
    expect(many.find("v8000")[0]?.text).toBe("v8000");
  });
});
