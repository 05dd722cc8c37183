/** Which labels are written where: none over another. */

import type { Box, Point } from "./geometry";
import { overlap } from "./geometry";

/** Boxes in a grid of buckets, so that asking what a box runs into looks at its neighbours only. */
export class Occupied {
  private readonly buckets = new Map<string, Box[]>();

  constructor(private readonly size = 48) {}

  add(box: Box): void {
    for (const key of this.keys(box)) {
      const bucket = this.buckets.get(key);
      if (bucket) bucket.push(box);
      else this.buckets.set(key, [box]);
    }
  }

  /** Whether the box has a point in common with an earlier one, other than `own`. */
  hits(box: Box, own?: Box): boolean {
    return this.keys(box).some((key) =>
      this.buckets.get(key)?.some((other) => other !== own && overlap(box, other) > 0),
    );
  }

  /** How much of earlier boxes the box covers. */
  covered(box: Box): number {
    const seen = new Set<Box>();
    for (const key of this.keys(box)) for (const other of this.buckets.get(key) ?? []) seen.add(other);
    let sum = 0;
    for (const other of seen) sum += overlap(box, other);
    return sum;
  }

  private keys(box: Box): string[] {
    const keys: string[] = [];
    for (let x = Math.floor(box.left / this.size); x <= Math.floor(box.right / this.size); x++) {
      for (let y = Math.floor(box.top / this.size); y <= Math.floor(box.bottom / this.size); y++)
        keys.push(`${x},${y}`);
    }
    return keys;
  }
}

/**
 * Which of the boxes can be shown so that none covers another; earlier ones in `order` win. Boxes outside `view` are
 * left out. `obstacles[k]` is what belongs to box k itself, and may lie under it.
 */
export function thinned(
  boxes: readonly Box[],
  order: readonly number[],
  view: Box,
  taken: Occupied,
  obstacles: readonly (Box | undefined)[] = [],
): boolean[] {
  const shown = boxes.map(() => false);
  for (const k of order) {
    const box = boxes[k];
    if (!box || overlap(box, view) === 0 || taken.hits(box, obstacles[k])) continue;
    shown[k] = true;
    taken.add(box);
  }
  return shown;
}

/** The box of a text of the given width and height, centred at a point. */
export function boxAt([x, y]: Point, width: number, height: number): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

/** The candidate whose box covers least, with what `other` adds to it; ties go to the first. */
export function bestPlace(
  candidates: readonly Point[],
  width: number,
  height: number,
  taken: Occupied,
  view: Box,
  other: (box: Box) => number = () => 0,
): Point | null {
  let best: Point | null = null;
  let least = Infinity;
  for (const candidate of candidates) {
    const box = boxAt(candidate, width, height);
    const inside = overlap(box, view) / (width * height);
    const cost = taken.covered(box) + (1 - inside) * width * height * 4 + other(box);
    if (cost < least) {
      least = cost;
      best = candidate;
    }
    if (cost === 0) break;
  }
  return best;
}

/** A text no longer than `most` characters. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
