/** Marks on a picture of what is other than in the picture beside it. */

import { type Box, overlap, type Point } from "../picture/geometry";
import { boxAt } from "../picture/labels";
import { circleBox, FACE, type Layout, pointOf, squareOf } from "../picture/layout";
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
const FONT = `700 11px ${FACE}`;

export function paintBadges(ctx: Context, { layout, theme }: Scene, { vertices, hyperedges }: Badges): void {
  const [colour, ground] = theme.dark ? ["#43191a", "#ff9a90"] : ["#ffffff", "#b3261e"];
  ctx.globalAlpha = 1;
  const badge = (text: string, x: number, y: number) => {
    ctx.font = FONT;
    drawPill(ctx, text, boxAt([x, y], ctx.measureText(text).width + 9, 15), FONT, colour, ground, theme.ground);
  };
  const placed: Box[] = [];
  for (const [row, text] of hyperedges) {
    const box = layout.edgeBox[row];
    const [x, y] = squareOf(layout, row);
    if (box) badge(text, box.right + 2, box.top);
    else if (layout.mode !== "regions") badge(text, x + 10, y - 10); // a region without a label has no place for it
    if (box) placed.push(boxAt([box.right + 2, box.top], SIGN, SIGN));
  }
  for (const [row, text] of vertices) {
    const at = cornerOf(layout, row, placed);
    placed.push(boxAt(at, SIGN, SIGN));
    badge(text, ...at);
  }
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

/** The place of a vertex's sign, at its rim or just off it, where it covers least of names, values and other signs. */
export function cornerOf(layout: Layout, row: number, placed: readonly Box[] = []): Point {
  const [x, y] = pointOf(layout, row);
  const at =
    (far: number) =>
    ([dx, dy]: Point): Point => [x + dx * far, y + dy * far];
  const { radius } = layout;
  const places = [
    ...CORNERS.map(at(0.9 * radius)),
    ...SIDES.map(at(radius + SIGN / 2)),
    ...CORNERS.map(at(0.7 * radius + SIGN / 2)),
    ...[0.6, 0.9, 1.2, 1.5].flatMap((far) => [
      ...CORNERS.map(at(0.7 * radius + far * SIGN)),
      ...SIDES.map(at(radius + far * SIGN)),
    ]),
  ];
  const taken = takenNear(layout, row, placed);
  const costs = places.map((place) => {
    const sign = boxAt(place, SIGN, SIGN);
    return taken.reduce((sum, { box, weight }) => sum + weight * overlap(sign, box), 0);
  });
  return places[costs.indexOf(Math.min(...costs))] as Point;
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
