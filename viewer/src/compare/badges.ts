/** Marks on a picture of what is other than in the picture beside it. */

import { type Box, isInside, overlap, type Point } from "../picture/geometry";
import { awayFrom, boxAt } from "../picture/labels";
import { circleBox, FACE, type Layout, pointOf, squareOf, viewBox } from "../picture/layout";
import { type Context, drawPill } from "../picture/marks";
import type { Scene } from "../picture/scene";

export interface Badges {
  /** By row: the sign beside it. */
  readonly vertices: ReadonlyMap<number, string>;
  readonly hyperedges: ReadonlyMap<number, string>;
}

export const UNLIKE = "≠";
export const ONLY_HERE = "only here";

const SIGN = 16; // pixels
const NAME = 10; // a name under a sign counts as so many values
const MOST = NAME * SIGN * 6; // of a name under a sign, from which on the sign goes
const STRANGE = 1e6; // of standing beyond the picture, or nearer to another vertex
const FONT = `700 11px ${FACE}`;

/** Signs keep off names, values, each other, and the `heads` of arrows. */
export function paintBadges(
  ctx: Context,
  { layout, theme }: Scene,
  { vertices, hyperedges }: Badges,
  heads: readonly Box[] = [],
): void {
  const [colour, ground] = theme.dark ? ["#43191a", "#ff9a90"] : ["#ffffff", "#b3261e"];
  ctx.globalAlpha = 1;
  const placed: Box[] = [...heads];
  const badge = (text: string, placeOf: (width: number) => Point | null) => {
    ctx.font = FONT;
    const width = ctx.measureText(text).width + 9;
    const at = placeOf(width);
    if (!at) return;
    placed.push(boxAt(at, width, SIGN));
    drawPill(ctx, text, boxAt(at, width, 15), FONT, colour, ground, theme.ground);
  };
  for (const [row, text] of hyperedges) badge(text, (width) => besideName(layout, row, width, placed));
  for (const [row, text] of vertices) badge(text, (width) => cornerOf(layout, row, placed, width));
}

const CORNERS: readonly Point[] = [
  [1, 1],
  [1, -1],
  [-1, -1],
  [-1, 1],
];
const SIDES: readonly Point[] = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
];

/** The place of a hyperedge's sign: at a corner of its name, or of its square; null where it has neither. */
export function besideName(layout: Layout, row: number, width: number, placed: readonly Box[] = []): Point | null {
  const box = layout.edgeBox[row];
  const [x, y] = squareOf(layout, row);
  if (!box && layout.mode === "regions") return null; // a region without a name has no place for it
  const { left, right, top, bottom } = box ?? boxAt([x, y], 20, 20);
  const [near, far] = [left - width / 2 + 6, right + width / 2 - 6];
  const places: Point[] = [
    [far, top],
    [far, bottom],
    [near, top],
    [near, bottom],
    [right + width / 2, (top + bottom) / 2],
    [left - width / 2, (top + bottom) / 2],
  ];
  const taken = takenNear(layout, 0, placed).filter((each) => each.box !== box);
  return cheapest(places, (sign) => costOn(sign, taken) + (isInside(sign, inView(layout)) ? 0 : STRANGE), width);
}

/** The place of a vertex's sign: it touches the circle, or the name, and covers least of names, values and other signs; null where no place is its own. */
export function cornerOf(layout: Layout, row: number, placed: readonly Box[] = [], width = SIGN): Point | null {
  const [x, y] = pointOf(layout, row);
  const { radius } = layout;
  const wider = (width - SIGN) / 2;
  const at =
    (far: number) =>
    ([dx, dy]: Point): Point => [x + dx * (far + wider), y + dy * far];
  const places = [
    ...CORNERS.map(at(0.9 * radius)),
    ...SIDES.map(at(radius + SIGN / 2)),
    ...CORNERS.map(at(0.7 * radius + SIGN / 2)),
    ...endsOf(layout.names[row]?.box, width),
  ];
  const taken = [...takenNear(layout, row, placed), { box: circleBox(layout, row), weight: 0.5 }];
  const isOwn = (sign: Box) =>
    isInside(sign, inView(layout)) && (touches(layout, row, sign) || layout.vertices.isNearest(sign, row));
  return cheapest(places, (sign) => costOn(sign, taken) + (isOwn(sign) ? 0 : STRANGE), width);
}

/** Places at the ends of a name. */
function endsOf(name: Box | undefined, width: number): Point[] {
  if (!name) return [];
  const { left, right, top, bottom } = name;
  const middle = (top + bottom) / 2;
  return [
    [right + width / 2, middle],
    [left - width / 2, middle],
    [right + width / 2 - 2, top],
    [left - width / 2 + 2, top],
    [right + width / 2 - 2, bottom],
    [left - width / 2 + 2, bottom],
  ];
}

/** Whether a sign lies at its vertex's name, and on no other vertex. */
function touches(layout: Layout, row: number, sign: Box): boolean {
  const name = layout.names[row]?.box;
  if (!name || !isInside(middleAt(sign), around(name, SIGN))) return false;
  for (let v = 1; v < layout.x.length; v++)
    if (v !== row && awayFrom(sign, pointOf(layout, v)) < layout.radius + 2) return false;
  return true;
}

function middleAt(box: Box): Box {
  return boxAt([(box.left + box.right) / 2, (box.top + box.bottom) / 2], 0, 0);
}

function around({ left, right, top, bottom }: Box, by: number): Box {
  return { left: left - by, right: right + by, top: top - by, bottom: bottom + by };
}

function inView(layout: Layout): Box {
  return viewBox(layout, -1);
}

function cheapest(places: readonly Point[], costOf: (sign: Box) => number, width: number): Point | null {
  const costs = places.map((place) => costOf(boxAt(place, width, SIGN)));
  const least = Math.min(...costs);
  return least < MOST ? (places[costs.indexOf(least)] as Point) : null;
}

function costOn(sign: Box, taken: readonly Weighed[]): number {
  return taken.reduce((sum, { box, weight }) => sum + weight * overlap(sign, box), 0);
}

interface Weighed {
  readonly box: Box;
  readonly weight: number;
}

/** What a sign should not cover: names and signs least of all, then values, labels of hyperedges and other vertices. */
function takenNear(layout: Layout, row: number, placed: readonly Box[]): Weighed[] {
  const found: Weighed[] = placed.map((box) => ({ box, weight: NAME }));
  for (const [v, name] of layout.names.entries()) {
    if (name) found.push({ box: name.box, weight: NAME });
    // Where its arrows are decides which of its places a value takes.
    for (const [k, { box }] of (layout.values[v] ?? []).entries()) found.push({ box, weight: k === 0 ? 5 : 1 });
    if (v > 0 && v !== row) found.push({ box: circleBox(layout, v), weight: 2 });
  }
  for (const box of layout.edgeBox) if (box) found.push({ box, weight: 2 });
  return found;
}
