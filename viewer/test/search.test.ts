import { describe, expect, test } from "vitest";
import { toldApart } from "../src/labels";
import { graphOf } from "../src/picture/graph";
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

  test("hyperedges that are bare numbers beside vertices that are go by the name in the picture", () => {
    const trace = harbour();
    const numbered = (labels: readonly unknown[]) => labels.map((_, k) => k + 1);
    const { vertices, hyperedges } = trace.hypergraph;
    Object.assign(trace.hypergraph, { vertices: numbered(vertices), hyperedges: numbered(hyperedges) });
    const found = new Index(new Recording(trace)).find("3");
    expect(found.slice(0, 2).map(({ text }) => text)).toEqual(["3", "e3"]);
    expect(graphOf(trace).edgeText.slice(1, 3)).toEqual(["e1", "e2"]);
  });

  test("hyperedges keep their labels where these tell them apart", () => {
    expect(toldApart([1, 2], [1, 2])).toEqual(["e1", "e2"]);
    expect(toldApart(["1", "Quay"], ["-7", 10n ** 20n])).toEqual(["e-7", "e100000000000000000000"]);
    expect(toldApart(["Quay"], [1])).toBeNull();
    expect(toldApart([1], [1, "ferry"])).toBeNull();
    expect(toldApart([1, "e1"], [1])).toBeNull();
    expect(toldApart([1], ["01"])).toBeNull();
  });

  test("many labels", () => {
    const many = new Index(new Recording(randomTrace(1, { frames: 2, rows: 8001, columns: 1 })));
    expect(many.find("v1")).toHaveLength(50);
    expect(many.find("v8000")[0]?.text).toBe("v8000");
  });
});
