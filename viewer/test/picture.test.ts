import { describe, expect, it } from "vitest";
import {
  edgeStyle,
  lightnessOf,
  middleValue,
  oklch,
  sequential,
  shareOf,
  stepOf,
  themeOf,
} from "../src/picture/colours";
import {
  area,
  type Box,
  convexHull,
  curveBetween,
  distance,
  insidePolygon,
  joiningTree,
  nestingLevels,
  outlinesOf,
  overlap,
  type Point,
} from "../src/picture/geometry";
import { graphOf, moveVertex, plainText } from "../src/picture/graph";
import { layoutOf } from "../src/picture/labelled";
import { Candidate, cutTexts, Lines, placed } from "../src/picture/labelling";
import { boxAt, shortened } from "../src/picture/labels";
import {
  BAR,
  edgeLabelText,
  fitOf,
  fitWhole,
  modeFor,
  overhang,
  type Room,
  radiusFor,
  WHOLE,
  zoomed,
} from "../src/picture/layout";
import { entriesOf, onScale } from "../src/picture/legend";
import { marginBox } from "../src/picture/links";
import { CHECKED, type Context, drawVertex, pointerBox, pointerSide, type Side } from "../src/picture/marks";
import { type Colour, colourable, jointRange, rangeOf } from "../src/picture/ranges";
import { focusOf } from "../src/picture/scene";
import { emptyStatus, inWords, readStatus, watched } from "../src/picture/status";
import { textsOf } from "../src/picture/texts";
import { treeCurve } from "../src/picture/tree";
import { Recording } from "../src/recording";
import type { Trace } from "../src/trace";
import { laidOut } from "./clashes";
import drawn from "./drawn.json";
import harbour from "./harbour.json";

const VIEW: Box = { left: -1000, top: -1000, right: 1000, bottom: 1000 };

describe("hulls", () => {
  it("have the corners only, once each", () => {
    const hull = convexHull([
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
      [2, 2],
      [2, 0],
      [0, 0],
    ]);
    expect(hull).toHaveLength(4);
    expect(area(hull)).toBe(16);
  });

  it("of one point and of points in a line are those", () => {
    expect(
      convexHull([
        [1, 1],
        [1, 1],
      ]),
    ).toEqual([[1, 1]]);
    expect(
      convexHull([
        [0, 0],
        [1, 1],
        [2, 2],
      ]),
    ).toEqual([
      [0, 0],
      [2, 2],
    ]);
  });
});

describe("outlines of hyperedges", () => {
  it("of one member are a circle", () => {
    const [circle, ...more] = outlinesOf([[10, 20]], [], 24, 10, VIEW);
    expect(more).toEqual([]);
    for (const point of circle ?? []) expect(distance(point, [10, 20])).toBeCloseTo(24, 0);
  });

  it("of two are a capsule", () => {
    const [capsule] = outlinesOf(
      [
        [0, 0],
        [100, 0],
      ],
      [],
      20,
      10,
      VIEW,
    );
    expect(area(capsule ?? [])).toBeCloseTo(100 * 40 + Math.PI * 400, -2);
    expect(insidePolygon([50, 18], capsule ?? [])).toBe(true);
    expect(insidePolygon([50, 22], capsule ?? [])).toBe(false);
  });

  it("hold all members and the middle, where nobody else is", () => {
    const members: Point[] = [
      [0, 0],
      [200, 0],
      [100, 150],
    ];
    const [outline] = outlinesOf(members, [], 20, 10, VIEW);
    for (const point of [...members, [100, 50] as const]) expect(insidePolygon(point, outline ?? [])).toBe(true);
  });

  it.each([
    ["in the middle", [100, 60]],
    ["on a side", [100, 0]],
    ["close to a corner", [150, 20]],
  ] as [string, Point][])("leave out a stranger %s", (_, stranger) => {
    const members: Point[] = [
      [0, 0],
      [200, 0],
      [100, 150],
    ];
    const outlines = outlinesOf(members, [stranger], 20, 14, VIEW);
    const inside = (point: Point) => outlines.filter((loop) => insidePolygon(point, loop)).length % 2 === 1;
    expect(inside(stranger)).toBe(false);
    for (const member of members) expect(inside(member)).toBe(true);
  });

  it("of no members, or out of sight, are nothing", () => {
    expect(outlinesOf([], [], 20, 10, VIEW)).toEqual([]);
    expect(outlinesOf([[5000, 5000]], [], 20, 10, VIEW)).toEqual([]);
  });

  it("are closed at the edge of what is seen", () => {
    const loops = outlinesOf(
      [
        [0, 0],
        [900, 0],
      ],
      [],
      30,
      10,
      { left: -50, top: -50, right: 50, bottom: 50 },
    );
    expect(loops).toHaveLength(1);
    for (const [x] of loops[0] ?? []) expect(x).toBeLessThan(60);
  });

  it("leave strangers out, also in holes, and keep away from them", () => {
    const members: Point[] = [
      [0, 0],
      [200, 0],
      [200, 160],
    ];
    const strangers: Point[] = [
      [100, 0],
      [180, 80],
      [60, 40],
      [225, 20],
    ];
    const loops = outlinesOf(members, strangers, 40, 20, VIEW, 18);
    for (const p of strangers) {
      expect(loops.some((loop) => insidePolygon(p, loop))).toBe(false);
      expect(Math.min(...loops.flat().map((q) => distance(p, q)))).toBeGreaterThan(16);
    }
    for (const p of members) expect(loops.some((loop) => insidePolygon(p, loop))).toBe(true);
  });

  it("join members by the shortest tree, around strangers if that costs little", () => {
    const tree = joiningTree(
      [
        [0, 0],
        [10, 0],
        [20, 0],
      ],
      [],
      1,
    );
    expect(tree.reduce((sum, [a, b]) => sum + distance(a, b), 0)).toBe(20);
  });

  it("of hyperedges that share a vertex have different widths", () => {
    const levels = nestingLevels([[1, 2, 3], [1, 2], [4], [2, 4]]);
    expect(levels[1]).toBe(0);
    expect(new Set([levels[0], levels[1], levels[3]]).size).toBe(3);
  });
});

describe("arrows", () => {
  it("begin and end outside of what they join", () => {
    const curve = curveBetween([0, 0], [100, 0], 10, 20, 0.2);
    expect(distance(curve.start, [0, 0])).toBeCloseTo(10);
    expect(distance(curve.end, [100, 0])).toBeCloseTo(20);
  });
});

describe("colours", () => {
  it("grow lighter evenly along the scale", () => {
    const steps = Array.from({ length: 21 }, (_, k) => lightnessOf(sequential(k / 20)));
    const rises = steps.slice(1).map((light, k) => light - (steps[k] ?? 0));
    for (const rise of rises) {
      expect(rise).toBeGreaterThan(0.012);
      expect(rise).toBeLessThan(0.05);
    }
  });

  it("are colours that screens have", () => {
    expect(oklch(1, 0, 0)).toEqual([255, 255, 255]);
    for (const part of oklch(0.6, 0.4, 140)) expect(part).toBeGreaterThanOrEqual(0);
  });

  it("stand for shares of the range, and for the middle where all is one", () => {
    expect([stepOf(0, 0, 8), stepOf(8, 0, 8), stepOf(99, 0, 8), stepOf(3, 3, 3)]).toEqual([0, 64, 64, 0]);
  });

  it("tell small values apart where one is huge", () => {
    expect(shareOf(3, 0, 1000)).toBeLessThan(0.01);
    expect(shareOf(3, 0, 1000, 2)).toBeGreaterThan(0.1);
    expect(shareOf(middleValue(0, 1000, 2), 0, 1000, 2)).toBeCloseTo(0.5);
    expect(middleValue(2, 4)).toBe(3);
  });

  it("of neighbouring hyperedges differ in line and pattern", () => {
    for (let k = 0; k < 40; k++) {
      const [one, next] = [edgeStyle(k, false), edgeStyle(k + 1, false)];
      expect(one.line).not.toBe(next.line);
      expect(one.dash).not.toEqual(next.dash);
    }
  });
});

describe("labels", () => {
  const candidate = (at: Point, cost = 0, under = 0) =>
    new Candidate("", at, [0, 0], boxAt(at, 40, 14), under, cost, () => 0);

  it("never cover one another; the first in order win", () => {
    const labels = Array.from({ length: 60 }, (_, k) => [candidate([(k * 37) % 200, (k * 53) % 120])]);
    const shown = placed(labels);
    const kept = shown.filter((each) => each !== null).map(({ box }) => box);
    expect(shown[0]).not.toBeNull();
    expect(kept.length).toBeGreaterThan(5);
    for (const a of kept) for (const b of kept) if (a !== b) expect(overlap(a, b)).toBe(0);
  });

  it("go where they cost least, and not where anything else is", () => {
    const [one] = placed([[candidate([0, 0], 3), candidate([100, 0], 1), candidate([200, 0], 0, 300)]]);
    expect(one?.at).toEqual([100, 0]);
    expect(placed([[candidate([0, 0], 0, 300)]])).toEqual([null]);
  });

  it("move to another place where one would have none", () => {
    const shown = placed([[candidate([0, 0]), candidate([100, 0], 9)], [candidate([0, 0])]]);
    expect(shown.map((each) => each?.at)).toEqual([
      [100, 0],
      [0, 0],
    ]);
  });

  it("that are cut still differ from each other", () => {
    expect(cutTexts(["Laura Mandeville", "Laura M", "Brenda Rogers", "Ada"], 5)).toEqual([
      "Laura Ma…",
      "Laura M",
      "Brend…",
      "Ada",
    ]);
  });

  it("know how much of a line lies under them", () => {
    const lines = new Lines<string>();
    lines.add(
      [
        [-200, 5],
        [200, 5],
      ],
      "long",
    );
    lines.add(
      [
        [3, -90],
        [3, 90],
      ],
      "own",
    );
    const box = { left: 0, right: 100, top: 0, bottom: 20 };
    expect(lines.under(box, () => 1)).toBeCloseTo(120);
    expect(lines.under(box, (owner) => (owner === "own" ? 0 : 2))).toBeCloseTo(200);
  });

  it("of hyperedges have weights only where one is not 1", () => {
    const trace = structuredClone(harbour) as unknown as Trace;
    expect(edgeLabelText(graphOf(trace), 1)).toMatch(/ · /);
    trace.hypergraph.weights = trace.hypergraph.weights.map(() => "1");
    expect(edgeLabelText(graphOf(trace), 1)).toBe(String(trace.hypergraph.hyperedges[0]));
  });

  it("are cut by characters, not by halves of them", () => {
    expect(shortened("🚢🚢🚢🚢", 3)).toBe("🚢🚢…");
    expect(shortened("Quay", 4)).toBe("Quay");
  });

  it("have nothing in them that would turn or hide text", () => {
    expect(plainText("a\u202eb\nc")).toBe("a b c");
    expect(plainText("")).toBe("␣");
    expect(plainText(7)).toBe("7");
  });
});

describe("the view", () => {
  it("suits the size", () => {
    expect(modeFor(8, 6, 15)).toBe("regions");
    expect(modeFor(18, 14, 89)).toBe("bipartite"); // few, but all over each other
    expect(modeFor(60, 40, 140)).toBe("bipartite"); // outlines of 40 that overlap hide each other, and their names
    expect(modeFor(30, 25, 77)).toBe("bipartite");
    expect(modeFor(20, 16, 53)).toBe("regions");
    expect(modeFor(60, 40, 80)).toBe("regions"); // nearly apart
    expect(modeFor(80, 250, 900)).toBe("bipartite");
    expect(modeFor(327, 7818, 18000)).toBe("sparse");
  });

  it("keeps the point under the pointer when it zooms", () => {
    const at: Point = [120, 80];
    const before = { k: 2, x: 30, y: -10 };
    const after = zoomed(before, 1.5, at);
    expect(after.k).toBe(3);
    const stage = (view: typeof before) => [(at[0] - view.x) / view.k, (at[1] - view.y) / view.k];
    expect(stage(after)[0]).toBeCloseTo(stage(before)[0] ?? 0);
    expect(stage(after)[1]).toBeCloseTo(stage(before)[1] ?? 0);
    expect(zoomed(before, 1e9, at).k).toBe(40);
  });

  it("puts all vertices into the picture, also one alone", () => {
    const fit = fitOf(
      [
        [0.2, 0.2],
        [0.8, 0.4],
      ],
      800,
      600,
      50,
    );
    for (const [x, y] of [
      [0.2, 0.2],
      [0.8, 0.4],
    ] as const) {
      expect(x * fit.sx + fit.ox).toBeGreaterThanOrEqual(49);
      expect(x * fit.sx + fit.ox).toBeLessThanOrEqual(751);
      expect(y * fit.sy + fit.oy).toBeGreaterThanOrEqual(49);
      expect(y * fit.sy + fit.oy).toBeLessThanOrEqual(551);
    }
    expect(0.3 * fitOf([[0.3, 0.3]], 800, 600, 50).sx + fitOf([[0.3, 0.3]], 800, 600, 50).ox).toBeCloseTo(400);
  });

  it("draws many vertices smaller, and zoomed ones larger", () => {
    expect(radiusFor(8, 900, 700, 1)).toBeGreaterThan(radiusFor(327, 900, 700, 1));
    expect(radiusFor(327, 900, 700, 4)).toBeGreaterThan(radiusFor(327, 900, 700, 1));
  });
});

/** A run of three frames on Quay, Mole, Isle; distance, done, a local `key` that shares its column, and u. */
function traceOf(): Trace {
  const variable = (name: string, kind: string, scope: string, column: number, more = {}) => ({
    name,
    kind,
    scope,
    role: "state",
    column,
    section: "",
    from: 0,
    until: 2,
    line: 1,
    output: false,
    named: true,
    ...more,
  });
  const layer = {
    heads: [],
    units: { count: 0, stages: [], columns: [] },
  };
  return {
    format: "hyloop-trace",
    version: 2,
    hyloop: "0",
    algorithm: { name: "dijkstra", about: "", file: "", source: [], first: 1, listing: false, begins: true, ops: [] },
    inputs: [],
    hypergraph: {
      name: "harbour",
      vertices: ["Quay", "Mole", "Isle"],
      hyperedges: ["ferry", "launch"],
      weights: ["4", "1.5"],
      members: [
        [1, 3],
        [1, 2],
      ],
      positions: {
        vertices: [
          [0, 0],
          [1, 0],
          [0.5, 1],
        ],
        hyperedges: [
          [0.2, 0.5],
          [0.5, 0],
        ],
      },
    },
    unit: "1/2",
    model: { name: "", dtype: "float64", rows: 4, weight: 9, infinity: 1000, columns: [], layers: [layer, layer] },
    recorded: { layers: true, every: 1, first: null, last: null, iterations: 1, halted: true, stopped: "" },
    frames: { iteration: [0, 1, 1], layer: [0, 1, 2] },
    columns: [
      { initial: [0, 0, 1000, 1000], frame: [2, 2], row: [2, 3], value: [3, 8] },
      { initial: 0, frame: [2], row: [1], value: [1] },
      { initial: 0, frame: [1, 2], row: [-1, 2], value: [7, 70] },
      { initial: 0, frame: [1], row: [0], value: [1] },
      { initial: 0, frame: [2, 2], row: [2, 3], value: [1, 1] },
    ],
    variables: [
      variable("distance", "length", "vertices", 0, { output: true }),
      variable("done", "flag", "vertices", 1),
      variable("key", "count", "vertices", 2, { role: "local", section: "body", from: 1, until: 1 }),
      variable("u", "vertex", "scalar", 3),
      variable("predecessor", "vertex", "vertices", 4),
    ],
    program: [],
    attention: [],
    differences: { first: null, more: false, values: {} },
    shows: {
      value: "distance",
      settled: "done",
      frontier: { vertices: "distance", hyperedges: null },
      current: ["u"],
      predecessor: "predecessor",
      through: null,
    },
  } as unknown as Trace;
}

/** What colours vertices by a variable. */
function of(name: string): Colour {
  return { name, scope: "vertices", state: name, over: null };
}

describe("a frame", () => {
  const trace = traceOf();
  const recording = new Recording(trace);
  const graph = graphOf(trace);
  const at = (frame: number) => {
    const status = emptyStatus(graph);
    recording.seek(frame);
    readStatus(recording, graph, of("distance"), status);
    return status;
  };

  it("shows values, what is settled, current and changed", () => {
    const status = at(2);
    expect([...status.value].slice(1)).toEqual([0, 3, 8]);
    expect([...status.settled]).toEqual([0, 1, 0, 0]);
    expect([...status.changed]).toEqual([0, 1, 1, 1]);
    expect([...status.current.vertices]).toEqual([[1, "u"]]);
    expect([...status.predecessor]).toEqual([0, 0, 1, 1]);
  });

  it("takes a flag that all vertices have at the start for settled where it is lost", () => {
    const trace = traceOf();
    const columns = trace.columns.map((column, k) =>
      k === 1 ? { ...column, initial: [0, 1, 1, 1], frame: [2], row: [1], value: [0] } : column,
    );
    const losing = new Recording({ ...trace, columns });
    losing.seek(2);
    const status = emptyStatus(graph);
    readStatus(losing, graph, of("distance"), status);
    expect([...status.settled]).toEqual([0, 1, 0, 0]);
    const words = (one: Recording) =>
      entriesOf(one, "regions", of("distance"), rangeOf(trace, of("distance"))).map((entry) => entry.words);
    expect(words(losing)).toContain("settled: solid, ✓ (no longer done)");
    expect(words(recording)).toContain("settled: solid, ✓ (done)");
  });

  it("has no sign in the legend that vertices of its size do not have", () => {
    for (const radius of [4, CHECKED - 0.1, CHECKED, 15]) {
      const lines: string[] = [];
      const ctx = new Proxy({} as Record<string, unknown>, {
        get: (held, name) => held[String(name)] ?? (() => lines.push(String(name))),
      });
      const entries = entriesOf(recording, "regions", of("distance"), rangeOf(traceOf(), of("distance")), [], radius);
      const settled = entries.find(({ brief }) => brief === "settled");
      settled?.draw(ctx as unknown as Context, themeOf(false));
      const mark = { colour: "red", ink: "", settled: true, chosen: false, frontier: false };
      const inLegend = lines.includes("lineTo");
      lines.length = 0;
      drawVertex(
        ctx as unknown as Context,
        0,
        0,
        radius,
        { ...mark, changed: false, current: false, selected: false },
        themeOf(false),
      );
      expect(inLegend).toBe(lines.includes("lineTo"));
      expect(settled?.words.includes("solid, ✓")).toBe(inLegend);
    }
  });

  it("takes a finite length as a yes, and what is infinite as that", () => {
    const status = at(0);
    expect([...status.frontier.vertices]).toEqual([0, 1, 0, 0]);
    expect(status.value[2]).toBe(Infinity);
    expect([...status.changed]).toEqual([0, 0, 0, 0]);
  });

  it("is told in words", () => {
    const status = at(2);
    expect(inWords(recording, graph, status)).toBe(
      "Hypergraph harbour of 3 vertices and 2 hyperedges; iteration 1, layer 2; current vertex (u): Quay; " +
        "1 of 3 vertices settled; frontier: Quay, Mole, Isle; changed: Quay, Mole, Isle.",
    );
  });

  it("can be coloured by variables of vertices, with the range of the whole run", () => {
    expect(colourable(trace).map(({ name }) => name)).toEqual(["distance", "done", "key", "predecessor"]);
    const nameless = trace.variables.map((each) => (each.name === "key" ? { ...each, named: false } : each));
    expect(colourable({ ...trace, variables: nameless }).map(({ name }) => name)).toEqual([
      "distance",
      "done",
      "predecessor",
    ]);
    expect(rangeOf(trace, of("predecessor")).categories).toBe(true);
    expect(rangeOf(trace, of("distance"))).toMatchObject({ least: 0, most: 8, infinite: true });
    // At layer 2 the column of `key` holds something else.
    expect(rangeOf(trace, of("key"))).toMatchObject({ least: 7, most: 7 });
    expect(watched(trace, of("key"))).toEqual(["distance", "done"]);
  });

  it("has the scale of the answer: scratch values beyond it have the colours of its ends", () => {
    const scratch = structuredClone(harbour) as unknown as Trace;
    const variable = scratch.variables.find((each) => each.name === "distance");
    const column = scratch.columns[variable?.column as number];
    const range = rangeOf(scratch, of("distance"));
    expect(range).toMatchObject({ least: 0, most: 14, under: false, over: false, bend: 0 });
    // One vertex holds something else for a while.
    column?.frame.unshift(1, 2);
    column?.row.unshift(1, 1);
    column?.value.unshift(1e6, 0);
    expect(rangeOf(scratch, of("distance"))).toEqual({ ...range, over: true });
  });

  it("has one scale for two runs, also where their units differ", () => {
    const range = rangeOf(trace, of("distance"));
    const both = jointRange(range, { ...range, least: 1, most: 11, over: true }, 2);
    expect(both).toMatchObject({ least: 0, most: 22, over: true, under: false });
  });
});

describe("what belongs together", () => {
  const graph = graphOf(traceOf());

  it("is a vertex with its hyperedges and their members, or a hyperedge with its members", () => {
    const vertex = focusOf(graph, { scope: "vertices", row: 2 }, null);
    expect([...(vertex.hyperedges ?? [])]).toEqual([2]);
    expect([...(vertex.vertices ?? [])].sort()).toEqual([1, 2]);
    expect([...(focusOf(graph, { scope: "hyperedges", row: 1 }, null).vertices ?? [])]).toEqual([1, 3]);
    expect(focusOf(graph, null, null).vertices).toBeNull();
  });

  it("moves together: the squares of a dragged vertex by their share, in the trace too", () => {
    const trace = traceOf();
    moveVertex(graphOf(trace), 3, -0.1, 0.7);
    expect(trace.hypergraph.positions.vertices[2]).toEqual([0.4, 1]); // not out of the unit square
    expect(trace.hypergraph.positions.hyperedges[0]?.[0]).toBeCloseTo(0.15);
  });
});

class NoPath {
  moveTo(): void {}
  quadraticCurveTo(): void {}
  closePath(): void {}
}

describe("a fit", () => {
  const cases: [number, number, { left: number; top: number; right: number; bottom: number }][] = [
    [436, 395, { left: 4, top: 40, right: 4, bottom: 4 }],
    [344, 220, { left: 4, top: 52, right: 4, bottom: 4 }],
    [626, 150, { left: 126, top: 4, right: 54, bottom: 4 }],
    [900, 600, { left: 4, top: 40, right: 4, bottom: 4 }],
  ];
  it.each(cases)("has whole regions in a picture of %i × %i, also after an edit", (width, height, taken) => {
    Object.assign(globalThis, { Path2D: NoPath });
    const trace = structuredClone(harbour) as unknown as Trace;
    const { vertices, hyperedges, members } = trace.hypergraph;
    members[hyperedges.indexOf("launch")]?.push(vertices.indexOf("Wreck") + 1);
    const graph = graphOf(trace);
    const margin = 0.15 * Math.min(width, height);
    const room: Room = { mode: "regions", width, height, taken };
    const fit = fitWhole(graph, room, margin);
    const over = overhang(graph, room, fit);
    expect(Math.max(...Object.values(over))).toBeLessThan(2);
    const { edgeBox } = layoutOf(graph, { ...room, view: WHOLE, fit }, (text) => 7 * text.length);
    for (const box of edgeBox) {
      if (!box) continue;
      expect(box.left).toBeGreaterThanOrEqual(taken.left - 1e-6);
      expect(box.right).toBeLessThanOrEqual(width - taken.right + 1e-6);
    }
  });
});

describe("names of vertices", () => {
  it.each([
    [436, 436],
    [436, 395],
    [344, 200],
    [626, 180],
  ])("are all there in a picture of %i × %i", (width, height) => {
    Object.assign(globalThis, { Path2D: NoPath });
    const graph = graphOf(harbour as unknown as Trace);
    const fit = fitOf(graph.vertexAt.slice(1), width, height, 0.15 * Math.min(width, height));
    const measure = (text: string) => 8 * text.length;
    const { names } = layoutOf(graph, { mode: "regions", view: WHOLE, fit, width, height, taken: BAR }, measure);
    expect(names.slice(1).map((name) => name?.text)).toEqual(graph.vertexText.slice(1));
  });
});

describe("labels of hyperedges", () => {
  it.each([
    [470, 525],
    [640, 520],
    [900, 600],
  ])("do not cover each other in a picture of %i × %i, also after an edit", (width, height) => {
    Object.assign(globalThis, { Path2D: NoPath });
    const trace = structuredClone(harbour) as unknown as Trace;
    const { vertices, hyperedges, members } = trace.hypergraph;
    members[hyperedges.indexOf("launch")]?.push(vertices.indexOf("Wreck") + 1);
    const graph = graphOf(trace);
    const fit = fitOf(graph.vertexAt.slice(1), width, height, 0.12 * Math.min(width, height) + 20);
    const measure = (text: string) => 7 * text.length;
    const { edgeBox } = layoutOf(graph, { mode: "regions", view: WHOLE, fit, width, height, taken: BAR }, measure);
    const boxes = edgeBox.filter((box) => box !== null);
    expect(boxes).toHaveLength(graph.m);
    for (const [k, one] of boxes.entries())
      for (const other of boxes.slice(k + 1)) expect(overlap(one, other)).toBeLessThan(0.05 * overlap(one, one));
  });
});

describe("a picture of squares and lines", () => {
  /** Eighty people in a ring of small groups, on a disc. */
  function ring(groups: number): Trace {
    const trace = structuredClone(harbour) as unknown as Trace;
    const at = (k: number, r: number) => [0.5 + r * Math.cos(k), 0.5 + r * Math.sin(k)] as [number, number];
    const rows = Array.from({ length: 80 }, (_, k) => k + 1);
    trace.hypergraph = {
      ...trace.hypergraph,
      vertices: rows.map((k) => `P${k}`),
      hyperedges: Array.from({ length: groups }, (_, k) => `g${k}`),
      weights: Array.from({ length: groups }, () => "1"),
      members: Array.from({ length: groups }, (_, k) => [(k % 80) + 1, ((k * 7) % 80) + 1]),
      positions: {
        vertices: rows.map((k) => at(2.4 * k, 0.5 * Math.sqrt(k / 80))),
        hyperedges: Array.from({ length: groups }, (_, k) => at(2.4 * k + 1, 0.5 * Math.sqrt((k % 80) / 80))),
      },
    };
    return trace;
  }

  function laidOut(groups: number) {
    const graph = graphOf(ring(groups));
    const fit = fitOf(graph.vertexAt.slice(1), 436, 400, 34);
    return layoutOf(
      graph,
      { mode: "bipartite", view: WHOLE, fit, width: 436, height: 400, taken: BAR },
      (text) => 7 * text.length,
    );
  }

  it("has smaller marks where there are many squares", () => {
    expect(laidOut(190).radius).toBeLessThan(laidOut(10).radius);
  });

  it("has nearly all names", () => {
    const { names } = laidOut(190);
    expect(names.filter((name) => name).length).toBeGreaterThan(72);
  });
});

describe("a pointer", () => {
  const inside = { left: 0, top: 0, right: 300, bottom: 200 };
  const at = (side: Side) => pointerBox(150, 100, 15, "source, coming", side);

  it("stands where it covers no name", () => {
    const { side, fits } = pointerSide(at, [at("left")], [], inside);
    expect([side === "left", fits]).toEqual([false, true]);
  });

  it("leaves its name out where every side has that of another", () => {
    const halves = (["left", "right", "above", "below"] as const).map((side) => {
      const { left, right, ...rest } = at(side);
      return { ...rest, left, right: left + 0.2 * (right - left) };
    });
    expect(pointerSide(at, halves, [], inside).fits).toBe(false);
    expect(pointerSide(at, [], halves, inside).fits).toBe(true); // over a part of a circle it stays
  });

  it("stands where it points at its own, though another side is free", () => {
    const taken = [at("above"), at("below")];
    const isOwn = (box: Box) => overlap(box, at("left")) === 0;
    expect(pointerSide(at, taken, [], inside, isOwn)).toMatchObject({ side: "right", fits: true });
    expect(pointerSide(at, [], [], inside, () => false).fits).toBe(false);
  });
});

it("the ends of a scale are short: a long fraction is a decimal that says so", () => {
  expect(onScale("30013/30")).toBe("≈ 1000.4");
  expect(onScale("92/3")).toBe("92/3");
  expect(onScale("7.5")).toBe("7.5");
  expect(onScale("∞")).toBe("∞");
});

describe("arrows of the tree", () => {
  const { graph, layout } = laidOut(harbour as unknown as Trace, "1280 x 720");
  const bends = [0.1, -0.1, 0.2, -0.2, 0.45, -0.45];
  const pairs = [...graph.vertexAt.keys()]
    .slice(1)
    .flatMap((a) => [...graph.vertexAt.keys()].slice(1).map((b) => [a, b] as const))
    .filter(([a, b]) => a !== b);
  const at = (v: number): Point => [layout.x[v] as number, layout.y[v] as number];

  it("end at their vertex, at its rings, or at its name: never in the void", () => {
    for (const [from, v] of pairs)
      for (const bend of bends) {
        const curve = treeCurve(layout, from, v, bend, 0);
        for (const [end, own] of [
          [curve?.start, from],
          [curve?.end, v],
        ] as const) {
          if (!end) continue;
          const name = layout.names[own]?.box;
          const near = name && overlap(boxAt(end, 8, 8), name) > 0;
          expect(near || distance(end, at(own)) < layout.radius + 2.5).toBe(true);
        }
      }
  });

  it("never point away from their vertex, however wide its rings are", () => {
    for (const [from, v] of pairs)
      for (const rings of [0, 12, 60]) {
        const curve = treeCurve(layout, from, v, 0.1, rings);
        if (!curve) continue;
        const along = (p: Point) =>
          (p[0] - at(from)[0]) * (at(v)[0] - at(from)[0]) + (p[1] - at(from)[1]) * (at(v)[1] - at(from)[1]);
        expect(along(curve.end)).toBeGreaterThan(along(curve.start));
      }
  });
});

describe("texts that the layout has no room for", () => {
  const { graph, layout } = laidOut({ hypergraph: drawn["random 11"] } as unknown as Trace, "360 x 640");
  const crowd = { ...layout, names: layout.names.map(() => null), values: layout.values.map(() => []) };
  const plain = {
    colour: null,
    ink: "",
    settled: false,
    chosen: false,
    frontier: false,
    changed: false,
    current: false,
  };

  it("are those of what is selected, and of neighbours where they lie on no other", () => {
    for (let row = 1; row <= graph.n; row++) {
      const selected = { scope: "vertices", row } as const;
      const marks = graph.vertexText.map((_, v) => ({ ...plain, selected: v === row }));
      const scene = {
        graph,
        layout: crowd,
        theme: themeOf(false),
        focus: focusOf(graph, selected, null),
        sprites: null,
      };
      const moment = {
        status: emptyStatus(graph),
        range: rangeOf(harbour as unknown as Trace, of("distance")),
        links: [],
        valueText: () => "12",
        edgeText: () => "",
      };
      const none = { near: new Map(), dimmed: new Map(), towards: new Map() };
      const texts = textsOf(scene, moment, marks, none);
      expect(texts.some(({ text }) => text === graph.vertexText[row])).toBe(true);
      const boxes = texts.map(({ text, at }) => boxAt(at, text.length * crowd.font * 0.6, crowd.font));
      const pairs = boxes.flatMap((one, k) => boxes.slice(k + 1).filter((other) => overlap(one, other) > 0));
      expect(pairs).toEqual([]);
    }
  });

  it("of a margin move along their arrow, off what is written there", () => {
    const curve = curveBetween([50, 150], [300, 150], 0, 0, 0);
    const label = boxAt([175, 150], 60, 16);
    const box = marginBox({ layout }, curve, 40, [label]);
    expect(overlap(box, label)).toBe(0);
    expect(marginBox({ layout }, curve, 40, [])).toEqual(boxAt([175, 150], 40, 16));
  });
});

describe("hyperedges without members", () => {
  const hypergraph = {
    ...{ name: "", vertices: ["A", "B", "C"], hyperedges: ["ab", "none", "bc", "also none"] },
    ...{ weights: ["1", "1", "1", "1"], members: [[1, 2], [], [2, 3], []] },
    positions: {
      vertices: [
        [0, 0],
        [1, 0],
        [1, 0.2],
      ],
      hyperedges: [
        [0.5, 0],
        [0.2, 1],
        [1, 0.5],
        [0.5, 1],
      ],
    },
  };

  it.each(["regions", "bipartite"] as const)(
    "are drawn apart from all others, in the picture, with their names, as %s",
    (mode) => {
      for (const window of ["1280 x 720", "360 x 640"]) {
        const { graph, layout } = laidOut({ hypergraph } as unknown as Trace, window, mode);
        const places = [2, 4].map((e): Point => [layout.ex[e] ?? 0, layout.ey[e] ?? 0]);
        if (mode === "regions") expect(layout.outlines.slice(1).every((loops) => loops.length > 0)).toBe(true);
        expect(layout.edgeLabel.slice(1)).toEqual([true, true, true, true]);
        for (const v of [1, 2, 3])
          for (const [e, loops] of layout.outlines.entries())
            if (graph.members[e]?.length === 0)
              for (const loop of loops) expect(insidePolygon([layout.x[v] ?? 0, layout.y[v] ?? 0], loop)).toBe(false);
        expect(distance(places[0] as Point, places[1] as Point)).toBeGreaterThan(20);
        for (const [x, y] of places) expect([x > 0, x < layout.width, y > 0, y < layout.height]).not.toContain(false);
      }
    },
  );
});
