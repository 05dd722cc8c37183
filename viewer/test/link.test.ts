import { describe, expect, test } from "vitest";
import { formatPlace, frameOfPlace, type Place, parsePlace } from "../src/link";
import { Recording } from "../src/recording";
import { harbour } from "./traces";

const NOWHERE: Place = { run: null, compared: null, iteration: null, layer: null, selected: null, tab: null };

describe("deep links", () => {
  test.each([
    ["", NOWHERE],
    ["#", NOWHERE],
    ["#i=12&l=3", { ...NOWHERE, iteration: 12, layer: 3 }],
    ["#i=1&v=4", { ...NOWHERE, iteration: 1, selected: { scope: "vertices", row: 4 } }],
    ["#e=2&tab=state", { ...NOWHERE, selected: { scope: "hyperedges", row: 2 }, tab: "state" }],
    ["#i=-1&l=1e9&v=x&tab=__proto__", NOWHERE],
    ["#i=99999999999999999999", NOWHERE],
    ["#v=0", NOWHERE],
    ["#tab=machine&p=2", { ...NOWHERE, tab: "machine", part: 2 }],
    ["#tab=machine&p=mlp", { ...NOWHERE, tab: "machine", part: "mlp" }],
    ["#p=0", NOWHERE],
    ["#p=head", NOWHERE],
    ["#h=aZ_-9&i=1", { ...NOWHERE, run: "aZ_-9", iteration: 1 }],
    ["#c=aZ_-9.b&m=3", { ...NOWHERE, compared: { runs: ["aZ_-9", "b"], moment: 3 } }],
    ["#c=aZ_-9.b&m=-1", { ...NOWHERE, compared: { runs: ["aZ_-9", "b"], moment: 0 } }],
    // What is damaged stays in the place, and is refused when it is unpacked.
    ["#c=a", { ...NOWHERE, compared: { runs: ["a", ""], moment: 0 } }],
    ["#c=a.b.c", { ...NOWHERE, compared: { runs: ["a.b.c", ""], moment: 0 } }],
    ["#c=a.<img>&m=1", { ...NOWHERE, compared: { runs: ["a.<img>", ""], moment: 1 } }],
    ["#h=<img>", { ...NOWHERE, run: "<img>" }],
    ["#h=", { ...NOWHERE, run: "" }],
    ["#i=<b>&&==&%E0%A4%A", NOWHERE],
  ])("%s", (hash, place) => {
    expect(parsePlace(hash)).toEqual(place);
  });

  test("what is written is read", () => {
    const place: Place = {
      run: "eJw-_9",
      compared: { runs: ["aZ_-9", "b"], moment: 12 },
      iteration: 7,
      layer: 0,
      selected: { scope: "vertices", row: 3 },
      tab: "attention",
      part: 2,
    };
    expect(parsePlace(formatPlace(place))).toEqual(place);
  });

  test("the frame meant", () => {
    const recording = new Recording(harbour());
    expect(frameOfPlace(recording, parsePlace("#i=4&l=2"))).toBe(11);
    expect(frameOfPlace(recording, parsePlace("#i=4"))).toBe(12);
    expect(frameOfPlace(recording, parsePlace("#v=4"))).toBeNull();
  });
});
