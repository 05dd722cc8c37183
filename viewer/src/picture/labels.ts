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

/** The box of a text of the given width and height, centred at a point. */
export function boxAt([x, y]: Point, width: number, height: number): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

/** A text no longer than `most` characters. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
