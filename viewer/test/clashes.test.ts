import { describe, expect, it } from "vitest";
import { besideName, cornerOf, paintBadges } from "../src/compare/badges";
import { themeOf } from "../src/picture/colours";
import {
  alongCurve,
  type Box,
  type Curve,
  distanceToSegment,
  isInside,
  lengthInside,
  middleOfBox,
  overlap,
} from "../src/picture/geometry";
import { awayFrom, boxAt } from "../src/picture/labels";
import { edgeLabelText, pointOf, underBar } from "../src/picture/layout";
import { linesOf } from "../src/picture/lines";
import type { Context } from "../src/picture/marks";
import { paintLive, paintStatic } from "../src/picture/paint";
import { focusOf } from "../src/picture/scene";
import { emptyStatus } from "../src/picture/status";
import { textsOf } from "../src/picture/texts";
import { headAt, treeOf } from "../src/picture/tree";
import type { Trace } from "../src/trace";
import { type Clashes, clashesOf, laidOut, misread, ROOMS, widthOf } from "./clashes";
import drawn from "./drawn.json";

// The examples, and random hypergraphs of benchmarks/labels.py, with their positions.
const HYPERGRAPHS = drawn as unknown as Record<string, Trace["hypergraph"]>;

function counted(name: string, window: string): Clashes & { n: number; m: number } {
  const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS[name] } as Trace, window);
  return { ...clashesOf(graph, layout), n: graph.n, m: graph.m };
}

const PLAIN = { colour: null, ink: "", settled: false, chosen: false, frontier: false, selected: false };
const NO_RANGE = {
  ...{ least: 0, most: 0, under: false, over: false, infinite: false, none: false },
  ...{ categories: false, bend: 0 },
};
const WINDOWS = Object.keys(ROOMS);
const ALL = Object.keys(HYPERGRAPHS).flatMap((name) => WINDOWS.map((window) => [name, window] as const));

/** A canvas that writes down what is called. */
function recorder(calls: string[], known: Record<string, unknown>): unknown {
  const get = (held: Record<string, unknown>, name: string) => (name in held ? held[name] : () => calls.push(name));
  return new Proxy({ ...known } as Record<string, unknown>, { get: (held, name) => get(held, String(name)) });
}

describe("the picture of", () => {
  it.each(ALL)("%s at %s has no label on another, none outside, and no stranger in a region", (name, window) => {
    const { text, out, held, near } = counted(name, window);
    expect({ text, out, held, near }).toEqual({ text: 0, out: 0, held: 0, near: 0 });
  });

  it.each(ALL)("%s at %s has no two names so near each other in a line that they read as one", (name, window) => {
    const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS[name] } as Trace, window);
    const boxes = layout.names.slice(1, graph.n + 1).flatMap((each) => (each ? [each.box] : []));
    const wider = boxes.map((box) => ({ ...box, left: box.left - 4, right: box.right + 4 }));
    const near = boxes.flatMap((box, k) => wider.slice(0, k).filter((other) => overlap(box, other) > 0));
    expect(near).toEqual([]);
  });

  it.each(ALL)("%s at %s has no name of a hyperedge that reads as another's, also zoomed in", (name, window) => {
    const trace = { hypergraph: HYPERGRAPHS[name] } as Trace;
    const { width, height } = ROOMS[window] as (typeof ROOMS)[string];
    for (const [k, x, y] of [
      [1, 0, 0],
      [2, -width / 2, -height / 2],
      [3, -1.2 * width, -height],
    ] as const) {
      const { graph, layout } = laidOut(trace, window, undefined, { k, x, y });
      expect(misread(graph, layout)).toEqual([]);
    }
  });

  it.each(ALL)("%s at %s has at most a few labels on a vertex or square of another", (name, window) => {
    const { mark, n } = counted(name, window);
    expect(mark).toBeLessThanOrEqual(n / 6);
  });

  it.each(WINDOWS)("the harbour at %s has all names and values, and hyperedges, at most one on a line", (window) => {
    const { names, values, edges, line, mark } = counted("harbour", window);
    expect({ names, values, mark }).toEqual({ names: 8, values: 8, mark: 0 });
    expect(edges).toBeGreaterThanOrEqual(window.startsWith("1") ? 6 : 5); // on a phone, one would read as another's
    expect(line).toBeLessThanOrEqual(1);
  });

  it.each(WINDOWS)("Davis's women at %s has every name in full, in two lines if need be", (window) => {
    const { lost, short, names } = counted("davis", window);
    expect(lost).toBe(0);
    expect(short).toBeLessThanOrEqual(window.startsWith("1") ? 0 : 1); // on a phone, one has no room
    expect(names + short).toBe(18);
  });

  it.each(ALL)("%s at %s has no line to a name that runs through another name or vertex", (name, window) => {
    const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS[name] } as Trace, window);
    for (const [v, { lead = null } = { lead: null }] of layout.names.map((each) => each ?? undefined).entries()) {
      if (!lead) continue;
      const others = layout.names.filter((other, u) => other && u !== v);
      for (const other of others) expect(other && lengthInside(lead, other.box)).toBe(0);
      for (let u = 1; u <= graph.n; u++) {
        if (u !== v) expect(distanceToSegment(pointOf(layout, u), lead)).toBeGreaterThan(0.6 * layout.radius);
      }
    }
  });

  it.each(ALL)("%s at %s has all of its values in the picture, however long they are", (name, window) => {
    const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS[name] } as Trace, window);
    const { taken, width, height } = layout;
    const scene = { graph, layout, theme: themeOf(false), focus: focusOf(graph, null, null), sprites: null };
    const marks = graph.vertexText.map((_, v) => ({ ...PLAIN, current: v === 1, changed: true }));
    for (const value of ["7", "32640127", "1234567890123/7654321"]) {
      const moment = {
        status: emptyStatus(graph),
        range: NO_RANGE,
        links: [],
        valueText: () => value,
        edgeText: () => "",
      };
      const tree = { near: new Map(), dimmed: new Map(), towards: new Map() };
      for (const { text, at, font } of textsOf(scene, moment, marks, tree)) {
        const lines = text.split("\n");
        const wide = Math.max(...lines.map((line) => widthOf(line, font)));
        const box = boxAt(at, wide, lines.length * layout.font);
        expect(box.left).toBeGreaterThanOrEqual(Math.min(taken.left, 4) - 1);
        expect(box.right).toBeLessThanOrEqual(width);
        expect(box.top).toBeGreaterThanOrEqual(0);
        expect(box.bottom).toBeLessThanOrEqual(height);
      }
    }
  });

  it.each(ALL)("%s at %s has no value that another vertex is nearer to, or that is on one", (name, window) => {
    const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS[name] } as Trace, window);
    const scene = { graph, layout, theme: themeOf(false), focus: focusOf(graph, null, null), sprites: null };
    const tree = { near: new Map(), dimmed: new Map(), towards: new Map() };
    for (const value of ["7", "→ Quay", "32640127"])
      for (const now of [1, Math.ceil(graph.n / 2), graph.n]) {
        const marks = graph.vertexText.map((_, v) => ({ ...PLAIN, current: v === now, changed: true }));
        const words = { valueText: () => value, edgeText: () => "" };
        const moment = { status: emptyStatus(graph), range: NO_RANGE, links: [], ...words };
        for (const { id, text, at, font } of textsOf(scene, moment, marks, tree)) {
          if (id <= 2 * graph.n) continue; // a name
          const box = boxAt(at, widthOf(text, font), layout.font);
          const far = (v: number) => {
            const [x, y] = pointOf(layout, v);
            return Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
          };
          const others = graph.vertexText.flatMap((_, v) => (v === 0 || v === id - 2 * graph.n ? [] : [far(v)]));
          expect(Math.min(...others)).toBeGreaterThan(Math.max(far(id - 2 * graph.n), layout.radius));
        }
      }
  });

  it.each(ALL)("%s at %s has next to no value under the head of the arrow to its vertex", (name, window) => {
    const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS[name] } as Trace, window, "regions");
    const scene = { graph, layout, theme: themeOf(false), focus: focusOf(graph, null, null), sprites: null };
    const status = emptyStatus(graph);
    const marks = graph.vertexText.map(() => ({ ...PLAIN, current: false, changed: false }));
    for (const other of [0, 1, -1]) {
      // Each vertex comes from one of its first neighbours, or from its last.
      for (let v = 1; v <= graph.n; v++) {
        const beside = (graph.edgesOf[v] ?? []).flatMap((e) => (graph.members[e] ?? []).filter((u) => u !== v));
        status.predecessor[v] = beside.at(other) ?? 0;
      }
      const moment = { status, range: NO_RANGE, links: [], valueText: () => "3.5", edgeText: () => "" };
      const tree = treeOf(scene, moment, marks);
      const covered = textsOf(scene, moment, marks, tree).filter(({ id, text, at, font }) => {
        const head = id > 2 * graph.n ? headAt(tree, id - 2 * graph.n, layout) : null;
        return head && lengthInside(head, boxAt(at, widthOf(text, font), layout.font)) > 0;
      });
      // In a small window, or among many regions, there may be no other place.
      expect(covered.length).toBeLessThanOrEqual(name === "harbour" ? 0 : graph.n / 5);
    }
  });

  it.each(WINDOWS)(
    "the harbour at %s has next to no arrow through a name, and names lie on top of arrows",
    (window) => {
      const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS.harbour } as Trace, window);
      const scene = { graph, layout, theme: themeOf(false), focus: focusOf(graph, null, null), sprites: null };
      const status = emptyStatus(graph);
      status.settled.fill(1, 1, 8);
      // Quay to Mole and Cove, Mole to Isle and Light, Cove to Dunes and Mill.
      status.predecessor.set([0, 0, 1, 2, 2, 1, 5, 5]);
      const moment = { status, range: NO_RANGE, links: [], valueText: () => "", edgeText: () => "" };
      const marks = graph.vertexText.map(() => ({ ...PLAIN, current: false, changed: false }));
      const arrows = [...treeOf(scene, moment, marks).near.values()];
      expect(arrows).toHaveLength(6);
      const along = (curve: Curve) => Array.from({ length: 21 }, (_, k) => alongCurve(curve, k / 20));
      const isOn = (curve: Curve) =>
        layout.names.some((name) => name && along(curve).some((at) => awayFrom(name.box, at) === 0));
      expect(arrows.filter(isOn).length).toBeLessThanOrEqual(1);
      const drawn: string[] = [];
      const ctx = recorder(drawn, { measureText: () => ({ width: 40 }) });
      const { heads } = paintLive(ctx as unknown as Context, scene, moment);
      expect(heads).toHaveLength(arrows.length);
      const shafts = drawn.indexOf("quadraticCurveTo");
      expect(shafts).toBeGreaterThanOrEqual(0);
      expect(drawn.indexOf("strokeText")).toBeGreaterThan(shafts); // the rims of names
      expect(drawn.indexOf("roundRect")).toBeGreaterThan(shafts); // names of hyperedges
    },
  );

  it.each(ALL)("%s at %s has the name of the current hyperedge, and a mark that points at it", (name, window) => {
    for (const style of ["regions", "bipartite", "sparse"] as const) {
      const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS[name] } as Trace, window, style);
      for (let e = 1; e <= graph.m; e++) {
        const status = emptyStatus(graph);
        status.current.hyperedges.set(e, "best");
        const moment = { status, range: NO_RANGE, links: [], valueText: () => "12", edgeText: () => "" };
        const scene = { graph, layout, theme: themeOf(false), focus: focusOf(graph, null, null), sprites: null };
        const written: { text: string; at: readonly [number, number] }[] = [];
        const wedges: string[] = [];
        const ctx = recorder([], {
          measureText: (text: string) => ({ width: widthOf(text, "700 12px") }),
          fillText: (text: string, x: number, y: number) => written.push({ text, at: [x, y] }),
          closePath: () => wedges.push("a wedge"), // nothing else is closed where nothing but this hyperedge is told
        });
        paintStatic(ctx as unknown as Context, scene);
        wedges.length = 0; // those of directions
        paintLive(ctx as unknown as Context, scene, moment);
        const named = written.filter(({ text }) => text === edgeLabelText(graph, e));
        expect(named.length).toBeGreaterThan(0);
        for (const { at } of named) expect(isInside(boxAt(at, 0, 0), underBar(layout))).toBe(true);
        expect(wedges).toHaveLength(1);
      }
    }
  });

  it("many hypergraphs has few labels on lines of others", () => {
    const found = ALL.map(([name, window]) => counted(name, window));
    const sum = (of: (each: (typeof found)[number]) => number) => found.reduce((total, each) => total + of(each), 0);
    const labels = sum(({ names, short, edges, values }) => names + short + edges + values);
    expect(sum(({ line }) => line)).toBeLessThan(0.09 * labels);
    expect(sum(({ lost }) => lost)).toBeLessThan(0.05 * sum(({ n }) => n));
    expect(sum(({ short }) => short)).toBeLessThan(0.02 * sum(({ n }) => n));
  });

  it("many hypergraphs has few names that are nearer to another vertex and have no line to their own", () => {
    const strange = ([name, window]: (typeof ALL)[number]) => {
      const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS[name] } as Trace, window);
      const rows = Array.from({ length: graph.n }, (_, k) => k + 1);
      return rows.filter((v) => {
        const name = layout.names[v];
        if (!name || name.lead) return false;
        const own = awayFrom(name.box, pointOf(layout, v));
        return rows.some((u) => u !== v && awayFrom(name.box, pointOf(layout, u)) < own);
      });
    };
    const found = ALL.map((each) => ({ each, rows: strange(each) }));
    expect(found.reduce((sum, { rows }) => sum + rows.length, 0)).toBeLessThan(35); // of some 590 names
    // One of the two seems to be Ruth DeSand's otherwise.
    const davis = found.find(({ each: [name, window] }) => name === "davis" && window === "1280 x 720");
    expect(davis?.rows.length).toBeLessThan(2);
  }, 20_000);

  it("many hypergraphs has most values off all lines, also those of their own hyperedges", () => {
    const values = ALL.flatMap(([name, window]) => {
      const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS[name] } as Trace, window);
      const lines = [...linesOf(graph, layout)].map(({ segment }) => segment);
      return layout.values.flatMap(([place]) => {
        if (!place) return [];
        const { left, right, top, bottom } = place.box;
        const digits = { left: left + 3, right: right - 3, top: top + 2, bottom: bottom - 2 };
        return [lines.some((line) => lengthInside(line, digits) > 2)];
      });
    });
    expect(values.filter((on) => on).length).toBeLessThan(0.3 * values.length);
  }, 20_000);

  it("the citric acid cycle has nearly all names of its reactions in a large window", () => {
    const { edges, names, m } = counted("citric_acid_cycle", "1920 x 1080");
    expect(edges).toBeGreaterThanOrEqual(m - 1);
    expect(names).toBe(17);
  });

  it.each(WINDOWS)("the harbour at %s has signs at their own vertices or names, off all names", (window) => {
    const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS.harbour } as Trace, window);
    const signs: Box[] = [];
    for (let v = 1; v <= graph.n; v++) {
      const at = cornerOf(layout, v, signs);
      expect(at).not.toBeNull();
      if (!at) continue;
      const sign = boxAt(at, 12, 12);
      for (const box of [...layout.names.map((name) => name?.box), ...signs])
        expect(box ? overlap(sign, box) : 0).toBeLessThan(12);
      const name = layout.names[v]?.box;
      const [own, named] = [
        awayFrom(boxAt(at, 16, 16), pointOf(layout, v)),
        name && overlap(boxAt(at, 18, 18), name) > 0,
      ];
      expect(own <= layout.radius + 1 || named).toBe(true);
      signs.push(sign);
    }
  });

  it.each(["1280 x 720", "1920 x 1080"])("the harbour at %s has the names of what points at its vertices", (window) => {
    const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS.harbour } as Trace, window);
    const scene = { graph, layout, theme: themeOf(false), focus: focusOf(graph, null, null), sprites: null };
    for (const [v, name] of [...graph.vertexText.keys()]
      .slice(1)
      .map((v) => [v, v === 1 ? "pc, a, b, c" : "second"] as const)) {
      const status = emptyStatus(graph);
      status.current.vertices.set(v, name);
      const moment = { status, range: NO_RANGE, links: [], valueText: () => "", edgeText: () => "" };
      const written: string[] = [];
      const fillText = (text: string) => written.push(text);
      const measureText = (text: string) => ({ width: widthOf(text, "700 12px") });
      paintLive(recorder([], { fillText, measureText }) as unknown as Context, scene, moment);
      expect(written).toContain(name);
    }
  });

  it.each(WINDOWS)("the harbour at %s has no sign of a difference on the head of an arrow", (window) => {
    const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS.harbour } as Trace, window);
    const scene = { graph, layout, theme: themeOf(false), focus: focusOf(graph, null, null), sprites: null };
    const signOf = (v: number, heads: readonly Box[]) => {
      const signs: Box[] = [];
      const roundRect = (x: number, y: number, w: number, h: number) => signs.push(boxAt([x + w / 2, y + h / 2], w, h));
      const ctx = recorder([], { roundRect, measureText: () => ({ width: 7 }) });
      paintBadges(ctx as unknown as Context, scene, { vertices: new Map([[v, "≠"]]), hyperedges: new Map() }, heads);
      expect(signs).toHaveLength(1);
      return signs[0] as Box;
    };
    for (let v = 1; v <= graph.n; v++) {
      const head = boxAt(middleOfBox(signOf(v, [])), 9, 9);
      expect(overlap(signOf(v, [head]), head)).toBeLessThan(20);
    }
  });

  it.each(ALL)("%s at %s has signs within the picture, at names of hyperedges or nowhere", (name, window) => {
    const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS[name] } as Trace, window);
    for (let e = 1; e <= graph.m; e++) {
      const at = besideName(layout, e, 16);
      if (!at) continue;
      const [sign, box] = [boxAt(at, 16, 16), layout.edgeBox[e]];
      expect(isInside(sign, { left: 0, top: 0, right: layout.width, bottom: layout.height })).toBe(true);
      if (layout.mode === "regions") expect(box && overlap(boxAt(at, 18, 18), box)).toBeGreaterThan(0);
    }
  });
});
