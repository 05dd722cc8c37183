/** The two layers of the picture: what stays from frame to frame, and what does not. */

import { edgeStyle } from "./colours";
import {
  type Box,
  boxOf,
  boxOfAll,
  type Curve,
  isInside,
  middleOfBox,
  overlap,
  type Point,
  type Segment,
} from "./geometry";
import { paintBipartite, paintDots, paintEdgeNames, paintHyperedges, paintRegions } from "./hyperedges";
import type { Item } from "./kept";
import { boxAt } from "./labels";
import { circleBox, edgeBoxesOf, type Layout, pointOf, squareOf, squareSize, underBar, viewBox } from "./layout";
import { addLinks, paintLinks } from "./links";
import {
  type Context,
  drawArrows,
  drawHeads,
  drawPointer,
  drawShafts,
  drawVertex,
  pointerBox,
  pointerSide,
  reach,
  ring,
  SIDES,
  type Side,
  type VertexMark,
} from "./marks";
import { namesOfCurrent, paintCurrentNames } from "./named";
import { drawResult } from "./result";
import { coloursOf, DIMMED, dimOf, isHovered, isSeen, type Moment, type Scene, vertexAlpha } from "./scene";
import type { Sprites } from "./sprites";
import { boxOfText, fill, isLeftOut, rim, type Text, textHeight, textsOf, textWidth } from "./texts";
import { headAt, type Tree, treeAlpha, treeHead, treeOf, treeWidth } from "./tree";

export function paintStatic(ctx: Context, scene: Scene): void {
  if (scene.layout.mode === "regions") paintRegions(ctx, scene);
  else if (scene.layout.mode === "bipartite") paintBipartite(ctx, scene);
  else paintDots(ctx, scene);
  paintLeaders(ctx, scene);
  ctx.globalAlpha = 1;
}

/** Thin lines to names that do not stand right beside what they name. */
function paintLeaders(ctx: Context, { graph, layout, theme, focus }: Scene): void {
  ctx.lineWidth = 0.9;
  const lead = (line: Segment | null | undefined, alpha: number, colour = theme.soft) => {
    if (!line) return;
    ctx.strokeStyle = colour;
    ctx.globalAlpha = alpha;
    ctx.beginPath();
    ctx.moveTo(...line[0]);
    ctx.lineTo(...line[1]);
    ctx.stroke();
  };
  for (const [v, name] of layout.names.entries()) lead(name?.lead, vertexAlpha(focus, v));
  const colourOf = (e: number) => (layout.mode === "regions" ? edgeStyle(e - 1, theme.dark).line : theme.soft);
  for (let e = 1; e <= graph.m; e++) lead(layout.edgeLead[e], dimOf(focus.hyperedges, e), colourOf(e));
}

/** What of a frame could not be drawn in full, and what to keep off in drawing more on it. */
interface Drawn {
  readonly heads: readonly Box[]; // of arrows of the tree
  readonly notes: readonly string[]; // in sentences
  readonly leftOut: boolean; // whether there is no room for some value or name
}

/** Draws the frame. */
export function paintLive(ctx: Context, scene: Scene, moment: Moment): Drawn {
  const notes: string[] = [];
  paintHyperedges(ctx, scene, moment, notes);
  const marks = scene.graph.vertexText.map((_, v) => markOf(scene, moment, v));
  const tree = treeOf(scene, moment, marks);
  if (!scene.sprites) addLinks(scene, moment, tree);
  const texts = textsOf(scene, moment, marks, tree);
  if (scene.sprites) {
    paintEdgeNames(ctx, scene, moment);
    paintKept(ctx, scene, scene.sprites, marks, texts, tree);
  } else paintAnew(ctx, scene, moment, marks, texts, tree);
  const { result } = scene.layout;
  if (result && moment.ended) drawResult(ctx, result, scene.theme);
  const written = texts.map((text) => boxOfText(scene.layout, text));
  const named = namesOfCurrent(scene, moment, written);
  paintCurrentNames(ctx, scene, moment, named);
  paintPointers(ctx, scene, moment, marks, written, named);
  paintLinks(ctx, scene, moment, texts, notes);
  ctx.globalAlpha = 1;
  return { heads: headsOf(scene, tree), notes, leftOut: isLeftOut(scene, moment, texts) };
}

function headsOf({ graph, layout }: Scene, tree: Tree): Box[] {
  const heads = graph.vertexText.map((_, v) => headAt(tree, v, layout)).filter((head) => head !== null);
  const size = treeHead(layout) * 0.8; // in any direction
  return heads.map(([[x, y], [u, w]]) => boxAt([(x + u) / 2, (y + w) / 2], size, size));
}

function paintAnew(
  ctx: Context,
  scene: Scene,
  moment: Moment,
  marks: readonly VertexMark[],
  texts: readonly Text[],
  { near, dimmed }: Tree,
): void {
  const { graph, layout, theme } = scene;
  const head = treeHead(layout);
  const kinds = [
    { arrows: [...dimmed.values()], alpha: DIMMED },
    { arrows: [...near.values()], alpha: treeAlpha(layout) },
  ];
  for (const { arrows, alpha } of kinds) {
    ctx.globalAlpha = alpha;
    drawShafts(ctx, arrows, treeWidth(layout), theme.tree, head);
  }
  // Names and the rims of texts interrupt the arrows beneath them, but do not cut off their heads.
  paintEdgeNames(ctx, scene, moment);
  for (const text of texts) rim(ctx, text, scene);
  for (const { arrows, alpha } of kinds) {
    ctx.globalAlpha = alpha;
    drawHeads(ctx, arrows, theme.tree, head);
  }
  for (let v = 1; v <= graph.n; v++) if (isSeen(layout, v)) paintVertex(ctx, scene, v, marks[v] as VertexMark);
  for (const text of texts) fill(ctx, text, scene);
}

/** The same where there are many vertices: only what is other than at the frame before is drawn again. */
function paintKept(
  ctx: Context,
  scene: Scene,
  { tree: arrows, vertices }: Sprites,
  marks: readonly VertexMark[],
  texts: readonly Text[],
  tree: Tree,
): void {
  const of = [scene.graph, scene.layout, scene.theme];
  ctx.globalAlpha = treeAlpha(scene.layout);
  arrows.draw(ctx, arrowsOf(scene, tree), of);
  ctx.globalAlpha = 1;
  vertices.draw(ctx, [...vertexItems(scene, marks), ...textItems(scene, texts)], of);
}

/** Opaque, but for those that are dimmed: all are drawn with the transparency of the tree at once. */
function arrowsOf({ layout, theme }: Scene, { near, dimmed }: Tree): Item[] {
  const [width, head] = [treeWidth(layout), treeHead(layout)];
  const item =
    (dim: boolean) =>
    ([v, curve]: [number, Curve]): Item => {
      const { place, box } = placeOf(curve, width + head);
      return {
        id: v,
        key: `${dim} ${place}`,
        box,
        draw: (to) => {
          to.globalAlpha = dim ? DIMMED / treeAlpha(layout) : 1;
          drawArrows(to, [curve], width, theme.tree, head);
        },
      };
    };
  return [...[...dimmed].map(item(true)), ...[...near].map(item(false))];
}

interface Placed {
  readonly place: string; // in letters
  readonly box: Box;
}
const PLACED = new WeakMap<Curve, Placed>();

/** Where an arrow lies; it is of one layout, which says how wide it is. */
function placeOf(curve: Curve, width: number): Placed {
  const known = PLACED.get(curve);
  if (known) return known;
  const { start, control, end } = curve;
  const found = { place: `${start} ${control} ${end}`, box: boxOf([start, control, end], width) };
  PLACED.set(curve, found);
  return found;
}

function vertexItems(scene: Scene, marks: readonly VertexMark[]): Item[] {
  const { graph, layout, focus } = scene;
  const items: Item[] = [];
  const size = vertexSize(layout);
  for (let v = 1; v <= graph.n; v++) {
    if (!isSeen(layout, v)) continue;
    const mark = marks[v] as VertexMark;
    items.push({
      id: v,
      key: `${markKey(mark)} ${vertexAlpha(focus, v)} ${isHovered(focus, v)}`,
      box: boxAt(pointOf(layout, v), size + 2, size + 2),
      draw: (to) => paintVertex(to, scene, v, mark),
    });
  }
  return items;
}

function textItems(scene: Scene, texts: readonly Text[]): Item[] {
  return texts.map((text) => ({
    id: text.id,
    key: `${text.text} ${text.at} ${text.font} ${text.colour} ${text.alpha}`,
    box: boxAt(text.at, textWidth(text.text) + 2, textHeight(text.text) + 2),
    draw: (to) => fill(to, text, scene),
  }));
}

function markOf({ focus, theme }: Scene, { status, range }: Moment, v: number): VertexMark {
  return {
    ...coloursOf(status.value[v] as number, range, theme.dark),
    chosen: status.chosen.vertices[v] === 1,
    settled: status.settled[v] === 1,
    frontier: status.frontier.vertices[v] === 1,
    changed: status.changed[v] === 1,
    current: status.current.vertices.has(v),
    selected: focus.selected?.scope === "vertices" && focus.selected.row === v,
  };
}

function paintVertex(ctx: Context, { layout, theme, sprites, focus }: Scene, v: number, mark: VertexMark): void {
  const { radius } = layout;
  const [x, y] = pointOf(layout, v);
  ctx.globalAlpha = vertexAlpha(focus, v);
  if (sprites) {
    const size = vertexSize(layout);
    const key = `vertex ${radius} ${markKey(mark)}`;
    sprites.draw(ctx, key, x, y, size, size, (to, cx, cy) => drawVertex(to, cx, cy, radius, mark, theme));
  } else drawVertex(ctx, x, y, radius, mark, theme);
  if (isHovered(focus, v)) ring(ctx, x, y, radius + 1.5, 2.5, theme.ink);
}

/** The room of a vertex with all that may be around it. */
function vertexSize({ radius }: Layout): number {
  return 2 * (radius + Math.max(12, radius * 1.4));
}

function markKey({ settled, chosen, frontier, changed, current, selected, colour }: VertexMark): string {
  const flags = Number(settled) + 2 * Number(frontier) + 4 * Number(changed) + 8 * Number(current);
  return `${flags + 16 * Number(selected) + 32 * Number(chosen)} ${colour}`;
}

type Reaches = Readonly<Record<Side, number>>;

function paintPointers(
  ctx: Context,
  scene: Scene,
  { status }: Moment,
  marks: readonly VertexMark[],
  texts: readonly Box[],
  named: ReadonlyMap<number, Box>, // current hyperedges whose names have no place of the layout
): void {
  const { layout, theme } = scene;
  ctx.globalAlpha = 1;
  const placed: Box[] = [...named.values()]; // pointers make way for each other, too
  const draw = (
    at: Point,
    tries: readonly Reaches[],
    name: string,
    own: Box | null,
    owns: readonly ((box: Box) => boolean)[], // rules, the strictest first
    always: boolean,
  ) => {
    // What is off all places is on none of them.
    const around = boxOfAll(
      tries.flatMap((reaches) => SIDES.map((side) => pointerBox(...at, reaches[side], name, side))),
    );
    const { names, circles } = takenBy(scene, around, texts, own);
    const found = (reaches: Reaches, said: string, isOwn = owns[0]) => {
      const boxOf = (side: Side) => pointerBox(...at, reaches[side], said, side);
      const taken = [...names, ...placed.filter((box) => box !== own)];
      return { reaches, said, ...pointerSide(boxOf, taken, circles, underBar(layout), isOwn) };
    };
    const all = owns.flatMap((isOwn) => tries.map((reaches) => found(reaches, name, isOwn)));
    // Over other names, the tip alone, right at what it points to: the legend has the name.
    const best = all.find(({ fits }) => fits) ?? found(tries.at(-1) as Reaches, "");
    if (!best.fits && !always) return; // the rings of a vertex say it, too
    const { reaches, said, side } = best;
    placed.push(pointerBox(...at, reaches[side], said, side));
    drawPointer(ctx, ...at, reaches[side], said, theme, side);
  };
  for (const [v, name] of status.current.vertices) {
    const mark = marks[v];
    if (!mark) continue;
    const gap = layout.radius + reach(mark, layout.radius);
    const past = gap + layout.font + 4; // a name above or beneath
    const tries = [
      { left: gap, right: gap, above: past, below: past },
      { left: gap, right: gap, above: gap, below: gap },
    ];
    draw(pointOf(layout, v), tries, name, null, ownsOf(scene, v), false);
  }
  for (const [e, name] of status.current.hyperedges) {
    const box = layout.mode === "regions" ? (layout.edgeBox[e] ?? named.get(e) ?? null) : null;
    if (layout.mode === "regions" && !box) continue; // the region is out of sight
    const [wide, high] = box
      ? [(box.right - box.left) / 2, (box.bottom - box.top) / 2]
      : [squareSize(layout) + 2, squareSize(layout) + layout.font + 4];
    const reaches = { left: wide, right: wide, above: high, below: high };
    const at = box ? middleOfBox(box) : squareOf(layout, e);
    // A heavy outline among others does not say that it is the current one.
    draw(at, [reaches], name, box, [() => true], isInside(boxAt(at, 0, 0), viewBox(layout)));
  }
}

/** A pointer with its name is nearest to its vertex; where that cannot be, it is well off all others. */
function ownsOf({ layout }: Scene, v: number): ((box: Box) => boolean)[] {
  return [(box) => layout.vertices.isNearest(box, v), (box) => layout.vertices.isOff(box, v)];
}

/** What there a pointer should not cover: names of others, and vertices. */
function takenBy(
  { layout, graph }: Scene,
  around: Box,
  texts: readonly Box[],
  own: Box | null,
): { names: readonly Box[]; circles: readonly Box[] } {
  const isThere = (box: Box) => overlap(around, box) > 0;
  const names = texts.filter(isThere);
  if (layout.result) names.push(layout.result.box);
  for (const box of edgeBoxesOf(layout)) if (box !== own && isThere(box)) names.push(box);
  const circles: Box[] = [];
  for (let v = 1; v <= graph.n; v++) {
    const circle = circleBox(layout, v);
    if (isThere(circle)) circles.push(circle);
  }
  return { names, circles };
}
