/** Small drawings kept as images: drawing the same mark or text hundreds of times a frame is then a copy. */

import { Kept } from "./kept";
import type { Context } from "./marks";

const MOST = 6000;

export class Sprites {
  /** The arrows of the tree, and all vertices with their texts, as they were drawn last. */
  readonly tree = new Kept(true);
  readonly vertices = new Kept();
  readonly #kept = new Map<string, CanvasImageSource>();

  constructor(readonly ratio: number) {}

  /** Draw at (x, y) what `draw` draws around the middle of a box of the given size; `key` tells drawings apart. */
  draw(
    ctx: Context,
    key: string,
    x: number,
    y: number,
    width: number,
    height: number,
    draw: (ctx: Context, x: number, y: number) => void,
  ): void {
    const [w, h] = [Math.ceil(width), Math.ceil(height)];
    let sprite = this.#kept.get(key);
    if (!sprite) {
      sprite = this.#make(w, h, draw);
      if (this.#kept.size >= MOST) this.#kept.clear();
      this.#kept.set(key, sprite);
    }
    // At whole device pixels, the copy is sharp.
    const at = (place: number) => Math.round(place * this.ratio) / this.ratio;
    ctx.drawImage(sprite, at(x - w / 2), at(y - h / 2), w, h);
  }

  #make(width: number, height: number, draw: (ctx: Context, x: number, y: number) => void): CanvasImageSource {
    const [w, h] = [Math.max(1, Math.ceil(width * this.ratio)), Math.max(1, Math.ceil(height * this.ratio))];
    const canvas = new OffscreenCanvas(w, h);
    const ctx = canvas.getContext("2d");
    if (ctx) {
      ctx.scale(w / width, h / height);
      draw(ctx, width / 2, height / 2);
    }
    return canvas.transferToImageBitmap();
  }
}
