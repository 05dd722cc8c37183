import type { Box } from "./geometry";
import type { Context } from "./marks";

/** Something drawn: `key` tells whether it looks as before, and nothing of it lies outside of its box. */
export interface Item {
  readonly id: number;
  readonly key: string;
  readonly box: Box;
  draw(ctx: Context): void;
}

/**
 * Drawings that are kept from frame to frame: only where something changed is anything drawn again. Copying the whole
 * takes a tenth of the time that its hundreds of strokes take where there is no graphics card.
 */
export class Kept {
  #canvas: OffscreenCanvas | null = null;
  #ctx: OffscreenCanvasRenderingContext2D | null = null;
  #items = new Map<number, Item>();
  #of: readonly unknown[] = [];

  /** `flat`: all items have one colour, so that a new one may lie on top of the others. */
  constructor(readonly flat = false) {}

  /** Draw items in their order; `of` is what they all depend on, compared by identity. */
  draw(onto: Context, items: readonly Item[], of: readonly unknown[]): void {
    const ctx = this.#room(onto, of);
    if (!ctx || !this.#canvas) return;
    this.#update(ctx, items);
    onto.save();
    onto.setTransform(1, 0, 0, 1, 0, 0);
    onto.drawImage(this.#canvas, 0, 0);
    onto.restore();
  }

  #room(onto: Context, of: readonly unknown[]): OffscreenCanvasRenderingContext2D | null {
    const { width, height } = onto.canvas;
    const all = [width, height, onto.getTransform().a, ...of];
    if (this.#ctx && all.length === this.#of.length && all.every((each, k) => each === this.#of[k])) return this.#ctx;
    this.#of = all;
    this.#items.clear();
    this.#canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
    this.#ctx = this.#canvas.getContext("2d");
    this.#ctx?.setTransform(onto.getTransform());
    return this.#ctx;
  }

  #update(ctx: OffscreenCanvasRenderingContext2D, items: readonly Item[]): void {
    const { fresh, places } = changesIn(this.#items, items);
    if (fresh.length === 0 && places.length === 0) return;
    this.#items = new Map(items.map((item) => [item.id, item]));
    if (!this.flat) places.push(...fresh.map(({ box }) => box));
    const { a: scale, e: left, f: top } = ctx.getTransform();
    const parts = places.map((place) => {
      const box = onPixels(place, scale, left, top);
      return { box, items: items.filter((item) => meet(item.box, box)) };
    });
    const work = parts.reduce((sum, part) => sum + part.items.length, 0);
    if (work > items.length) {
      const corner = { left: -left / scale, top: -top / scale };
      const right = corner.left + ctx.canvas.width / scale;
      redraw(ctx, items, { ...corner, right, bottom: corner.top + ctx.canvas.height / scale });
      return;
    }
    for (const part of parts) redraw(ctx, part.items, part.box);
    if (this.flat) for (const item of fresh) item.draw(ctx);
  }
}

/** The items that were not there before, and where others are other than before. */
export function changesIn(before: ReadonlyMap<number, Item>, items: readonly Item[]): { fresh: Item[]; places: Box[] } {
  const [fresh, places]: [Item[], Box[]] = [[], []];
  for (const item of items) {
    const earlier = before.get(item.id);
    if (!earlier) fresh.push(item);
    else if (earlier.key !== item.key) places.push(around(earlier.box, item.box));
  }
  if (items.length - fresh.length < before.size) {
    const now = new Set(items.map(({ id }) => id));
    for (const [id, { box }] of before) if (!now.has(id)) places.push(box);
  }
  return { fresh, places };
}

function around(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

function meet(a: Box, b: Box): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}

/** Whole pixels, so that there is no seam. */
function onPixels(box: Box, scale: number, left: number, top: number): Box {
  return {
    left: (Math.floor(box.left * scale + left) - left) / scale,
    top: (Math.floor(box.top * scale + top) - top) / scale,
    right: (Math.ceil(box.right * scale + left) - left) / scale,
    bottom: (Math.ceil(box.bottom * scale + top) - top) / scale,
  };
}

function redraw(ctx: OffscreenCanvasRenderingContext2D, items: readonly Item[], place: Box): void {
  const { left, top, right, bottom } = place;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, right - left, bottom - top);
  ctx.clip();
  ctx.clearRect(left, top, right - left, bottom - top);
  for (const item of items) item.draw(ctx);
  ctx.restore();
}
