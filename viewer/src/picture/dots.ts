import type { Context } from "./marks";

/**
 * Thousands of small squares of one colour, written as pixels: a canvas without a graphics card takes milliseconds for
 * each thousand of `fillRect`, and next to nothing for one image.
 */
export class Dots {
  #canvas: HTMLCanvasElement | null = null;
  #image: ImageData | null = null;

  draw(ctx: Context, points: Iterable<readonly [number, number]>, half: number, colour: string): void {
    const { width, height } = ctx.canvas;
    const { canvas, image, target } = this.#room(width, height);
    if (!canvas || !image || !target) return;
    const pixels = new Uint32Array(image.data.buffer);
    pixels.fill(0);
    const { a: scale, e: left, f: top } = ctx.getTransform();
    const paint = pixelOf(target, colour);
    const side = Math.max(1, Math.round(2 * half * scale));
    for (const [x, y] of points) {
      const column = Math.round((x - half) * scale + left);
      const row = Math.round((y - half) * scale + top);
      if (column < 0 || row < 0 || column + side > width || row + side > height) continue;
      for (let line = row; line < row + side; line++) {
        pixels.fill(paint, line * width + column, line * width + column + side);
      }
    }
    target.putImageData(image, 0, 0);
    ctx.save();
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(canvas, 0, 0);
    ctx.restore();
  }

  #room(width: number, height: number) {
    this.#canvas ??= document.createElement("canvas");
    const canvas = this.#canvas;
    const target = canvas.getContext("2d", { willReadFrequently: true });
    if (target && (canvas.width !== width || canvas.height !== height || !this.#image)) {
      canvas.width = width;
      canvas.height = height;
      this.#image = target.createImageData(Math.max(width, 1), Math.max(height, 1));
    }
    return { canvas, image: this.#image, target };
  }
}

/** A colour as a pixel, in the order of bytes of this machine. */
function pixelOf(target: CanvasRenderingContext2D, colour: string): number {
  target.fillStyle = colour;
  const hex = String(target.fillStyle);
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
  return new Uint32Array(new Uint8Array([r, g, b, 255]).buffer)[0] as number;
}
