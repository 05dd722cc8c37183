import { describe, expect, it } from "vitest";
import { resultOf } from "../src/answer";
import { overlap } from "../src/picture/geometry";
import { layoutOf } from "../src/picture/labelled";
import { circleBox, fitFor, type Layout, WHOLE } from "../src/picture/layout";
import { heightOfResult, placeResult } from "../src/picture/result";
import type { Recording } from "../src/recording";
import { openedCases, toldAt } from "./cases";
import { laidOut, ROOMS, widthOf } from "./clashes";
import { harbour } from "./traces";

const TEXTS = ["helly: no", "witness: Quay, Mole and Isle"];
const trace = harbour();

/** A layout as the page makes it: with a strip for the answer where no corner is free. */
function withResult(window: string, texts: readonly string[]): { layout: Layout; strip: number } {
  const { graph, layout } = laidOut(trace, window);
  const { width, height, taken } = ROOMS[window] as (typeof ROOMS)[string];
  const at = (strip: number) => {
    const room = { mode: layout.mode, width, height, taken: { ...taken, bottom: taken.bottom + strip } };
    return layoutOf(graph, { ...room, view: WHOLE, fit: fitFor(graph, room), result: texts }, widthOf);
  };
  const first = at(0);
  if (first.result) return { layout: first, strip: 0 };
  const strip = heightOfResult(first, texts);
  return { layout: at(strip), strip };
}

describe("the answer in the picture", () => {
  it.each(Object.keys(ROOMS))("covers no vertex, name, value or outline, and is all in view: %s", (window) => {
    const { layout } = withResult(window, TEXTS);
    const { result } = layout;
    if (result === null) throw new Error("There is no place for it.");
    const boxes = [...layout.names.map((name) => name?.box ?? null), ...layout.edgeBox];
    for (let v = 1; v < layout.x.length; v++) boxes.push(circleBox(layout, v), layout.values[v]?.[0]?.box ?? null);
    expect(boxes.filter((box) => box && overlap(box, result.box) > 0)).toEqual([]);
    const points = layout.outlines.flat(2);
    expect(
      points.filter(([x, y]) => overlap({ left: x, right: x + 1, top: y, bottom: y + 1 }, result.box) > 0),
    ).toEqual([]);
    expect(overlap(result.box, { left: 0, right: layout.width, top: layout.taken.top, bottom: layout.height })).toBe(
      overlap(result.box, result.box),
    );
    expect(result.lines.join(" ").replace(" · ", " ")).toBe(TEXTS.join(" "));
  });

  it("is cut where no line holds it, and is not there without any text", () => {
    const name = "x".repeat(400);
    const { layout } = withResult("360 x 640", [`diameter: ${name}`]);
    expect(layout.result?.lines.at(-1)).toMatch(/^x+…$/);
    expect(placeResult(layout, [])).toBeNull();
  });
});

describe("the answer in lines", () => {
  it("is of programs whose first output is one value", () => {
    const cases = openedCases();
    const of = (name: string) => {
      const { model, recordings } = cases.find((each) => each.name === name) as (typeof cases)[number];
      return resultOf(model, recordings[0] as Recording);
    };
    expect(of("dijkstra")).toEqual([]);
    expect(of("unused")).toEqual(["n: 2"]);
    const { model, recording } = toldAt("topological", 1, 1);
    expect(resultOf(model, recording)).toEqual(["acyclic: no"]);
    expect(
      resultOf(model, { trace: { ...recording.trace, recorded: { ...recording.trace.recorded, halted: false } } }),
    ).toEqual([]);
  });
});
