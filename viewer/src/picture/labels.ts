/** What of the picture is taken, and texts that fit. */

import type { Box, Point } from "./geometry";
import { overlap } from "./geometry";

/** Boxes in a grid of buckets, so that asking what a box runs into looks at its neighbours only. */
export class Occupied {
  private readonly buckets = new Map<number, { box: Box; asked: number }[]>();
  private asked = 0; // the number of the question: a box in several buckets counts once

  constructor(private readonly size = 48) {}

  add(box: Box): void {
    const held = { box, asked: 0 };
    this.each(box, (key) => {
      const bucket = this.buckets.get(key);
      if (bucket) bucket.push(held);
      else this.buckets.set(key, [held]);
      return false;
    });
  }

  /** Whether the box has a point in common with an earlier one. */
  hits(box: Box): boolean {
    return this.each(box, (key) => {
      for (const other of this.buckets.get(key) ?? []) if (overlap(box, other.box) > 0) return true;
      return false;
    });
  }

  /** How much of earlier boxes the box covers. */
  covered(box: Box): number {
    const asked = ++this.asked;
    let sum = 0;
    this.each(box, (key) => {
      for (const other of this.buckets.get(key) ?? []) {
        if (other.asked === asked) continue;
        other.asked = asked;
        sum += overlap(box, other.box);
      }
      return false;
    });
    return sum;
  }

  /** Each bucket that the box is in, until `stop` says so; returns whether it did. */
  private each(box: Box, stop: (key: number) => boolean): boolean {
    const { size } = this;
    for (let x = Math.floor(box.left / size); x <= Math.floor(box.right / size); x++)
      for (let y = Math.floor(box.top / size); y <= Math.floor(box.bottom / size); y++)
        if (stop(x * 65_536 + y)) return true;
    return false;
  }
}

const CLEAR = 4; // pixels by which a text is nearer to its own vertex than to any other
const OFF = 8; // pixels that a pointer stays off the circles of other vertices

/** Vertices in a grid of cells: whose a text beside them seems to be. */
export class Vertices {
  readonly #cells = new Map<number, number[]>();
  readonly #size = 48;

  /** Entry 0 of the places is unused. */
  constructor(
    readonly x: Float64Array,
    readonly y: Float64Array,
    readonly radius: number,
  ) {
    for (let v = 1; v < x.length; v++) {
      const key = this.#key(this.#cell(x[v] as number), this.#cell(y[v] as number));
      const held = this.#cells.get(key);
      if (held) held.push(v);
      else this.#cells.set(key, [v]);
    }
  }

  /** Whether a box is on no other vertex, and is clearly nearer to this one than to any other. */
  isNearest(box: Box, v: number): boolean {
    const own = awayFrom(box, [this.x[v] as number, this.y[v] as number]);
    const most = Math.max(own + CLEAR, this.radius + 1);
    return !this.#some(box, most, (u, at) => u !== v && awayFrom(box, at) < most);
  }

  /** The same, and its middle is nearest to this vertex, too: of a long text beside it, another may be under the middle. */
  isOwn(box: Box, v: number): boolean {
    if (!this.isNearest(box, v)) return false;
    const middle = { left: (box.left + box.right) / 2, top: (box.top + box.bottom) / 2 };
    const point = { ...middle, right: middle.left, bottom: middle.top };
    const own = awayFrom(point, [this.x[v] as number, this.y[v] as number]);
    return !this.#some(point, own, (u, at) => u !== v && awayFrom(point, at) <= own);
  }

  /** Whether a box is well off all other vertices: of what points at this one. */
  isOff(box: Box, v: number): boolean {
    const off = this.radius + OFF;
    return !this.#some(box, off, (u, at) => u !== v && awayFrom(box, at) < off);
  }

  /** Whether one of the vertices around a box is such. */
  #some(box: Box, around: number, is: (v: number, at: Point) => boolean): boolean {
    const [left, right] = [this.#cell(box.left - around), this.#cell(box.right + around)];
    const [top, bottom] = [this.#cell(box.top - around), this.#cell(box.bottom + around)];
    for (let cx = left; cx <= right; cx++)
      for (let cy = top; cy <= bottom; cy++)
        for (const v of this.#cells.get(this.#key(cx, cy)) ?? [])
          if (is(v, [this.x[v] as number, this.y[v] as number])) return true;
    return false;
  }

  #cell(at: number): number {
    return Math.floor(at / this.#size);
  }

  #key(cx: number, cy: number): number {
    return cx * 65_536 + cy;
  }
}

/** How far a point is from a box. */
export function awayFrom({ left, right, top, bottom }: Box, [x, y]: Point): number {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

/** The box of a text of the given width and height, centred at a point. */
export function boxAt([x, y]: Point, width: number, height: number): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

/** A text no longer than `most` characters. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
