import type { Context } from "./marks";

type Place = (row: number) => readonly [number, number];

/**
 * Thousands of small squares of one colour, written as pixels: a canvas without a graphics card takes milliseconds for
 * each thousand of `fillRect`, and next to nothing for one image. From frame to frame only the squares that come or go
 * are written; each pixel knows how many lie on it.
 */
export class Dots {
  #canvas: HTMLCanvasElement | null = null;
  #target: CanvasRenderingContext2D | null = null;
  #image: ImageData | null = null;
  #pixels = new Uint32Array();
  #covers = new Uint16Array();
  #shown = new Uint8Array();
  #of: readonly unknown[] = [];
  #paint = 0;

  /** `of` is what the places depend on, compared by identity; `rows` are numbers up to `most`. */
  draw(
    ctx: Context,
    rows: readonly number[],
    most: number,
    place: Place,
    half: number,
    colour: string,
    of: unknown,
  ): void {
    const { width, height } = ctx.canvas;
    const { a: scale, e: left, f: top } = ctx.getTransform();
    this.#room(width, height, most, colour, [width, height, scale, left, top, most, half, colour, of]);
    if (!this.#canvas || !this.#target || !this.#image) return;
    const side = Math.max(1, Math.round(2 * half * scale));
    const next = new Uint8Array(most + 1);
    for (const row of rows) next[row] = 1;
    let [first, last] = [height, 0];
    for (let row = 1; row <= most; row++) {
      if (next[row] === this.#shown[row]) continue;
      const [x, y] = place(row);
      const column = Math.round((x - half) * scale + left);
      const line = Math.round((y - half) * scale + top);
      if (column < 0 || line < 0 || column + side > width || line + side > height) continue;
      this.#cover(column, line, side, width, next[row] === 1 ? 1 : -1);
      [first, last] = [Math.min(first, line), Math.max(last, line + side)];
    }
    this.#shown = next;
    if (last > first) this.#target.putImageData(this.#image, 0, 0, 0, first, width, last - first);
    ctx.save();
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(this.#canvas, 0, 0);
    ctx.restore();
  }

  #cover(column: number, line: number, side: number, width: number, by: 1 | -1): void {
    for (let y = line; y < line + side; y++) {
      for (let at = y * width + column; at < y * width + column + side; at++) {
        const covers = (this.#covers[at] as number) + by;
        this.#covers[at] = covers;
        this.#pixels[at] = covers > 0 ? this.#paint : 0;
      }
    }
  }

  #room(width: number, height: number, most: number, colour: string, of: readonly unknown[]): void {
    if (of.length === this.#of.length && of.every((each, k) => each === this.#of[k])) return;
    this.#of = of;
    this.#canvas ??= document.createElement("canvas");
    this.#canvas.width = width; // clears it
    this.#canvas.height = height;
    this.#target = this.#canvas.getContext("2d", { willReadFrequently: true });
    if (!this.#target) return;
    this.#image = this.#target.createImageData(Math.max(width, 1), Math.max(height, 1));
    this.#pixels = new Uint32Array(this.#image.data.buffer);
    this.#covers = new Uint16Array(this.#pixels.length);
    this.#shown = new Uint8Array(most + 1);
    this.#paint = pixelOf(this.#target, colour);
  }
}

/** A colour as a pixel, in the order of bytes of this machine. */
function pixelOf(target: CanvasRenderingContext2D, colour: string): number {
  target.fillStyle = colour;
  const hex = String(target.fillStyle);
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
  return new Uint32Array(new Uint8Array([r, g, b, 255]).buffer)[0] as number;
}
