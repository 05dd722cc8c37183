/** Marks on a picture of what is other than in the picture beside it. */

import { overlap, type Point } from "../picture/geometry";
import { boxAt } from "../picture/labels";
import { FACE, type Layout, pointOf, squareOf } from "../picture/layout";
import { type Context, drawPill } from "../picture/marks";
import type { Scene } from "../picture/paint";

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
  for (const [row, text] of hyperedges) {
    const box = layout.edgeBox[row];
    const [x, y] = squareOf(layout, row);
    if (box) badge(text, box.right + 2, box.top);
    else if (layout.mode !== "regions") badge(text, x + 10, y - 10); // a region without a label has no place for it
  }
  for (const [row, text] of vertices) badge(text, ...cornerOf(layout, row));
}

const CORNERS: readonly Point[] = [
  [1, 1],
  [1, -1],
  [-1, -1],
  [-1, 1],
];

/** The place of a vertex's sign: the corner of it where it covers least of its name and value. */
export function cornerOf(layout: Layout, row: number): Point {
  const [x, y] = pointOf(layout, row);
  const far = layout.radius * 0.9;
  const places = CORNERS.map(([dx, dy]): Point => [x + dx * far, y + dy * far]);
  const [name, value] = [layout.names[row]?.box, layout.values[row]?.[0]?.box];
  const covered = places.map((at) => {
    const sign = boxAt(at, SIGN, SIGN);
    return (name ? NAME * overlap(sign, name) : 0) + (value ? overlap(sign, value) : 0);
  });
  return places[covered.indexOf(Math.min(...covered))] as Point;
}
