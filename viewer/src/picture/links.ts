/** The arrows of attention. */

import { numberText } from "../numbers";
import type { Thing } from "../recording";
import {
  alongCurve,
  type Box,
  type Curve,
  curveBetween,
  lengthInside,
  movedInto,
  overlap,
  type Point,
} from "./geometry";
import { boxAt } from "./labels";
import { circleBox, FACE, pointOf, squareOf, squareSize, underBar } from "./layout";
import { type Context, drawArrows, drawPill } from "./marks";
import type { Link, Moment, Scene } from "./scene";
import { boxOfText, type Text } from "./texts";
import type { Tree } from "./tree";

export const MOST_LINKS = 60;

/** Values make way for the arrows of attention, too. */
export function addLinks(scene: Scene, { links }: Moment, { towards }: Tree): void {
  for (const link of links.slice(0, MOST_LINKS)) {
    const { control } = linkCurve(scene, link);
    for (const end of [link.from, link.to])
      if (end?.scope === "vertices") towards.set(end.row, [...(towards.get(end.row) ?? []), control]);
  }
}

/** Where row 0, which is no vertex and no hyperedge, has its mark: in the corner where it covers least. */
function globalAt({ graph, layout }: Pick<Scene, "graph" | "layout">): Point {
  const { width, height, radius } = layout;
  const corners: Point[] = [
    [42, 64],
    [width - 42, 64],
    [42, height - 24],
    [width - 42, height - 24],
  ];
  const taken = [...layout.edgeBox, layout.result?.box ?? null].filter((box) => box !== null);
  for (let v = 1; v <= graph.n; v++) taken.push(boxAt(pointOf(layout, v), 4 * radius, 4 * radius));
  const costs = corners.map((at) => taken.reduce((sum, box) => sum + overlap(boxAt(at, 80, 50), box), 0));
  return corners[costs.indexOf(Math.min(...costs))] ?? [42, 64];
}

/** The mark of row 0; null where no arrow begins or ends there. */
export function globalBox(scene: Pick<Scene, "graph" | "layout">, links: readonly Link[]): Box | null {
  const isDrawn = links.slice(0, MOST_LINKS).some((link) => !link.from || !link.to);
  return isDrawn ? boxAt(globalAt(scene), 50, 22) : null;
}

export function paintLinks(
  ctx: Context,
  scene: Scene,
  { links }: Moment,
  texts: readonly Text[],
  notes: string[],
): void {
  if (links.length === 0) return;
  const { theme } = scene;
  ctx.globalAlpha = 1;
  const drawn = links.slice(0, MOST_LINKS);
  if (drawn.length < links.length)
    notes.push(`The first ${MOST_LINKS} of ${links.length.toLocaleString("en")} attention links.`);
  for (const link of drawn) drawLink(ctx, scene, link);
  const taken = writtenBoxes(scene, texts);
  for (const link of drawn) {
    if (link.margin === null || same(link)) continue;
    const text = `margin ${numberText(link.margin)}`;
    ctx.font = MARGIN_FONT;
    const box = marginBox(scene, linkCurve(scene, link), ctx.measureText(text).width + 10, taken);
    taken.push(box);
    drawPill(ctx, text, box, MARGIN_FONT, theme.link, theme.ground, theme.link);
  }
  const box = globalBox(scene, links);
  if (box) {
    drawPill(ctx, "row 0", box, `600 12px ${FACE}`, theme.link, theme.ground, theme.link);
  }
}

const MARGIN_FONT = `500 11px ${FACE}`;

/** The texts of the picture, and its vertices. */
function writtenBoxes({ layout, graph }: Scene, texts: readonly Text[]): Box[] {
  const found = texts.map((text) => boxOfText(layout, text));
  if (layout.result) found.push(layout.result.box);
  for (const box of layout.edgeBox) if (box) found.push(box);
  for (let v = 1; v <= graph.n; v++) found.push(circleBox(layout, v));
  return found;
}

/** Where along an arrow its margin covers least; the middle where nothing is there. */
export function marginBox({ layout }: Pick<Scene, "layout">, curve: Curve, width: number, taken: readonly Box[]): Box {
  const view = underBar(layout);
  const boxes = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8].map((share) => {
    const [x, y] = alongCurve(curve, share);
    return boxAt([x, Math.max(y, view.top + 9)], width, 16);
  });
  const costs = boxes.map((box) => taken.reduce((sum, other) => sum + overlap(box, other), 0) - overlap(box, view));
  return movedInto(boxes[costs.indexOf(Math.min(...costs))] as Box, view);
}

function same({ from, to }: Link): boolean {
  return from === to || (from?.scope === to?.scope && from?.row === to?.row);
}

function anchor(scene: Scene, thing: Thing | null): { at: Point; gap: number } {
  const { layout } = scene;
  if (!thing) return { at: globalAt(scene), gap: 18 };
  if (thing.scope === "vertices") return { at: pointOf(layout, thing.row), gap: layout.radius + 3 };
  return { at: squareOf(layout, thing.row), gap: layout.mode === "regions" ? 11 : squareSize(layout) + 3 };
}

function linkCurve(scene: Scene, link: Link): Curve {
  const [a, b] = [anchor(scene, link.from), anchor(scene, link.to)];
  const { control } = curveBetween(a.at, b.at, 0, 0, LINK_BEND);
  const gap = (thing: Thing | null, { at, gap }: typeof a) => labelGap(scene, thing, at, control) ?? gap;
  return curveBetween(a.at, b.at, gap(link.from, a), gap(link.to, b), LINK_BEND);
}

const LINK_BEND = 0.22;

/** How far an arrow to a region begins or ends from the middle of its label: at the rim of that, which is wide. */
function labelGap({ layout }: Scene, thing: Thing | null, at: Point, there: Point): number | null {
  const box = thing?.scope === "hyperedges" && layout.mode === "regions" ? layout.edgeBox[thing.row] : null;
  return box ? lengthInside([at, there], box) + 2 : null;
}

function drawLink(ctx: Context, scene: Scene, link: Link): void {
  const { theme } = scene;
  if (!same(link)) {
    drawArrows(ctx, [linkCurve(scene, link)], 1.8, theme.link, 9);
    return;
  }
  // A row that looks at itself: a small loop.
  const { at, gap } = anchor(scene, link.from);
  ctx.beginPath();
  ctx.arc(at[0] + gap, at[1] - gap, gap * 0.8, Math.PI * 0.85, Math.PI * 2.65);
  ctx.lineWidth = 1.6;
  ctx.strokeStyle = theme.link;
  ctx.stroke();
}
