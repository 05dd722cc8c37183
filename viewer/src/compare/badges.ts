/** Marks on a picture of what is other than in the picture beside it. */

import { boxAt } from "../picture/labels";
import { FACE, pointOf, squareOf } from "../picture/layout";
import { type Context, drawPill } from "../picture/marks";
import type { Scene } from "../picture/paint";

export interface Badges {
  /** By row: the sign beside it. */
  readonly vertices: ReadonlyMap<number, string>;
  readonly hyperedges: ReadonlyMap<number, string>;
}

export const UNLIKE = "≠";
export const ONLY_HERE = "only here";

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
  for (const [row, text] of vertices) {
    const [x, y] = pointOf(layout, row);
    badge(text, x + layout.radius * 0.9, y + layout.radius * 0.9);
  }
}
