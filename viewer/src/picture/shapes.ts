/** Parts of hyperedges that several layers of the picture draw: outlines, lines to squares, names of squares. */

import type { EdgeStyle } from "./colours";
import { middleOfBox, movedInto, type Point } from "./geometry";
import type { Graph } from "./graph";
import { boxAt } from "./labels";
import { edgeFont, edgeTextWith, squareOf, squareSize, underBar } from "./layout";
import { type Context, drawText } from "./marks";
import type { Moment, Scene } from "./scene";

/** A hyperedge without members is a small ring, whose dashes are short. */
export function dashOf(graph: Graph, e: number, { dash }: EdgeStyle): number[] {
  return graph.members[e]?.length === 0 ? [3, 2.5] : dash;
}

export function outline(ctx: Context, path: Path2D, colour: string, dash: number[], width: number): void {
  ctx.setLineDash(dash);
  ctx.lineWidth = width;
  ctx.strokeStyle = colour;
  ctx.stroke(path);
  ctx.setLineDash([]);
}

export function edgeTextNow({ graph }: Scene, { status, edgeText }: Moment, e: number): string {
  return edgeTextWith(graph, e, status.chosen.hyperedges[e] === 1, edgeText(e));
}

/** Where its place is; beneath the square where it has none, and is shown all the same: but within the picture. */
export function squareLabel(ctx: Context, scene: Scene, text: string, e: number, colour: string): void {
  const { layout, theme } = scene;
  const [x, y] = squareOf(layout, e);
  const [place, font] = [layout.edgeBox[e], edgeFont(layout)];
  const at: Point = place ? middleOfBox(place) : [x, y + squareSize(layout) + layout.font * 0.75];
  const box = boxAt(at, layout.measure(text, font) + 4, layout.font + 1);
  drawText(ctx, text, middleOfBox(movedInto(box, underBar(layout))), font, colour, theme.ground);
}

export function spokes(ctx: Context, { graph, layout }: Scene, e: number): void {
  const [x, y] = squareOf(layout, e);
  for (const v of graph.members[e] ?? []) {
    ctx.moveTo(x, y);
    ctx.lineTo(layout.x[v] as number, layout.y[v] as number);
  }
}
