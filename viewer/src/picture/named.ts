/** Names of the current hyperedges, where the layout has no room for them: what a step is about has its name in any picture. */

import { edgeStyle } from "./colours";
import { type Box, boxOfAll, movedInto, overlap, type Point } from "./geometry";
import { innerPlaces, outlinePlaces } from "./labelled";
import { areaOf, type Beside, besideMark } from "./labelling";
import { awayFrom, boxAt } from "./labels";
import { edgeBoxesOf, edgeFont, pointOf, squareOf, squareSize, underBar, viewBox } from "./layout";
import { type Context, drawPill } from "./marks";
import type { Moment, Scene } from "./scene";
import { edgeTextNow, squareLabel } from "./shapes";

const ON_NAME = 10; // the cost of a square pixel of another's name, or of a value
const ON_CIRCLE = 4; // of a vertex

/** Where the names of current hyperedges stand that have no place, by row; `written` are the texts of the frame. */
export function namesOfCurrent(scene: Scene, moment: Moment, written: readonly Box[]): Map<number, Box> {
  const { layout } = scene;
  const found = new Map<number, Box>();
  for (const e of moment.status.current.hyperedges.keys()) {
    if (layout.edgeBox[e]) continue;
    const box = placeOf(scene, e, edgeTextNow(scene, moment, e), [...written, ...found.values()]);
    if (box) found.set(e, box);
  }
  return found;
}

/** Drawn after all else, so that no line and no arrow crosses them; those without a place lie on a ground of their own. */
export function paintCurrentNames(ctx: Context, scene: Scene, moment: Moment, names: ReadonlyMap<number, Box>): void {
  const { layout, theme } = scene;
  ctx.globalAlpha = 1;
  if (layout.mode !== "regions")
    for (const e of moment.status.current.hyperedges.keys())
      if (layout.edgeBox[e]) squareLabel(ctx, scene, edgeTextNow(scene, moment, e), e, theme.current);
  for (const [e, box] of names) {
    const style = edgeStyle(e - 1, theme.dark);
    const [colour, rim] = layout.mode === "regions" ? [style.text, style.line] : [theme.current, theme.current];
    drawPill(ctx, edgeTextNow(scene, moment, e), box, edgeFont(layout, true), colour, theme.ground, rim);
  }
}

/** The place at the hyperedge, within the picture, that covers least; null for one that is out of sight. */
function placeOf({ graph, layout }: Scene, e: number, text: string, written: readonly Box[]): Box | null {
  const [width, height] = [layout.measure(text, edgeFont(layout, true)) + 12, layout.font + 4];
  const view = viewBox(layout);
  const places = placesAt({ graph, layout }, e, width, height, view);
  const boxes = places.map(({ at, cost }) => ({ box: movedInto(boxAt(at, width, height), underBar(layout)), cost }));
  if (boxes.length === 0) return null;
  // What is off all places is on none of them.
  const around = boxOfAll(boxes.map(({ box }) => box));
  const texts = [...written, ...edgeBoxesOf(layout), ...(layout.result ? [layout.result.box] : [])].filter(
    (other) => overlap(around, other) > 0,
  );
  const vertices: Point[] = [];
  for (let v = 1; v <= graph.n; v++)
    if (awayFrom(around, pointOf(layout, v)) < layout.radius) vertices.push(pointOf(layout, v));
  const costs = boxes.map(({ box, cost }) => {
    const named = texts.reduce((sum, other) => sum + overlap(box, other), 0);
    let marked = 0;
    for (const at of vertices)
      if (awayFrom(box, at) < layout.radius) marked += overlap(box, boxAt(at, 2 * layout.radius, 2 * layout.radius));
    return cost + (ON_NAME * named + ON_CIRCLE * marked) / Math.sqrt(areaOf(box));
  });
  return boxes[costs.indexOf(Math.min(...costs))]?.box ?? null;
}

/** On the outline, beside it, or inside; beside a square. */
function placesAt(
  { layout }: Pick<Scene, "graph" | "layout">,
  e: number,
  width: number,
  height: number,
  view: Box,
): Beside[] {
  const isSeen = (x: number, y: number) => x >= view.left && x <= view.right && y >= view.top && y <= view.bottom;
  if (layout.mode !== "regions") {
    const own = squareOf(layout, e);
    return isSeen(...own) ? besideMark(own, squareSize(layout) + 2, width, height, "near") : [];
  }
  const loops = layout.outlines[e] ?? [];
  if (!loops.some((loop) => loop.some(([x, y]) => isSeen(x, y)))) return [];
  return [...outlinePlaces(loops, width, height), ...innerPlaces(loops)].filter(({ at }) => isSeen(...at));
}
