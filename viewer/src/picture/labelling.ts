/**
 * Where labels go: beside what they name, off the marks and lines of others, and off each other.
 *
 * Each label has candidates with a fixed cost. They are chosen one after another, then again in view of all others,
 * until nothing changes: no search, so the same picture always has the same labels. `hyloop draw` does the same.
 */

import { type Box, lengthInside, nearestIn, overlap, type Point, type Segment } from "./geometry";
import { awayFrom, type Occupied } from "./labels";

/** A text where it stands; `toward` is the direction in which it stands from what it names. */
export interface Place {
  readonly text: string;
  readonly at: Point; // its middle
  readonly box: Box;
  readonly toward: Point;
  readonly lead?: Segment | null; // the line to it, where it is not right beside what it names
}

/** One place of a label. What it costs is made when it is first asked for: that looks at all lines nearby. */
export class Candidate implements Place {
  readonly least: number; // what it costs at least
  readonly whole: Box; // with the line to it
  #cost = Number.NaN;

  constructor(
    readonly text: string,
    readonly at: Point,
    readonly toward: Point,
    readonly box: Box,
    readonly under: number, // square pixels of it that marks, earlier labels and the end of the picture take
    cost: number,
    readonly more: (box: Box) => number,
    readonly lead: Segment | null = null,
  ) {
    this.least = cost + COVERED * under;
    this.whole = lead === null ? box : around(box, lead);
  }

  cost(): number {
    if (Number.isNaN(this.#cost)) this.#cost = this.least + this.more(this.box);
    return this.#cost;
  }
}

/** Whether so much of a label is taken that it should not stand there. */
export function isTaken(box: Box, under: number): boolean {
  return under > TOO_MUCH * areaOf(box);
}

export const COVERED = 6; // the cost of a square pixel of a mark or of another label
const TOO_MUCH = 0.02; // the part of a label that may be covered
const ROUNDS = 4;
const FEW_LABELS = 16; // of which two may move for a third: of more, that takes too long

type Chosen = (Candidate | null)[];

/** Each label where it costs least, off all others, or null where every place is taken; earlier ones go last. */
export function placed(labels: readonly (readonly Candidate[])[], rounds = ROUNDS): Chosen {
  const chosen: Chosen = labels.map(() => null);
  for (let round = 0; round < rounds; round++) {
    let moved = false;
    for (const [k, candidates] of labels.entries()) {
      const before = chosen[k] as Candidate | null;
      chosen[k] = null;
      const found = cheapest(candidates, chosen);
      moved ||= found !== before;
      chosen[k] = found;
    }
    if (!moved) break;
  }
  const moves = labels.length <= FEW_LABELS ? 2 : 1;
  for (const k of labels.keys()) if (!chosen[k]) makeRoom(labels, chosen, k, moves);
  const again = labels.length <= MANY_LABELS ? rounds : 1;
  for (let round = 0; round < again; round++) if (!improve(labels, chosen)) break;
  return chosen;
}

const MANY_LABELS = 40; // of which all are looked at once more
const MOST_MOVED = 2; // labels that one pushes away
const GAIN = 4; // what a change has to bring

/** Labels take cheaper places of others that can go elsewhere, if all together costs less; returns whether any did. */
function improve(labels: readonly (readonly Candidate[])[], chosen: Chosen): boolean {
  let better = false;
  for (const [k, candidates] of labels.entries()) {
    const now = chosen[k];
    if (!now || now.cost() < GAIN) continue;
    const wanted = candidates.filter((each) => each.least < now.cost() - GAIN && !isTaken(each.box, each.under));
    for (const each of wanted.sort((a, b) => a.least - b.least))
      if (pushIn(labels, chosen, k, each)) {
        better = true;
        break;
      }
  }
  return better;
}

/** Puts a label where others stand, and these elsewhere; leaves all as it was unless that costs less. */
function pushIn(labels: readonly (readonly Candidate[])[], chosen: Chosen, own: number, wanted: Candidate): boolean {
  const now = chosen[own] as Candidate;
  if (wanted.cost() > now.cost() - GAIN) return false;
  const moving = [...chosen.keys()].filter((k) => k !== own && isOver(chosen[k], wanted));
  if (moving.length > MOST_MOVED) return false;
  const before = moving.map((k) => chosen[k] as Candidate);
  let spare = now.cost() - wanted.cost() - GAIN;
  chosen[own] = wanted;
  for (const k of moving) chosen[k] = null;
  for (const [place, k] of moving.entries()) {
    const found = cheapest(labels[k] ?? [], chosen, spare + (before[place] as Candidate).cost());
    if (!found) {
      chosen[own] = now;
      for (const [at, each] of moving.entries()) chosen[each] = before[at] as Candidate;
      return false;
    }
    spare += (before[place] as Candidate).cost() - found.cost();
    chosen[k] = found;
  }
  return true;
}

function isOver(other: Candidate | null | undefined, wanted: Candidate): boolean {
  return other !== null && other !== undefined && clash(wanted, other);
}

/** The cheapest place off all others that costs less than `most`. */
function cheapest(candidates: readonly Candidate[], others: Chosen, most = Number.POSITIVE_INFINITY): Candidate | null {
  let best: Candidate | null = null;
  let least = most;
  for (const each of candidates) {
    if (each.least >= least || isTaken(each.box, each.under) || hits(each, others)) continue;
    const cost = each.cost();
    if (cost < least) [best, least] = [each, cost];
  }
  return best;
}

function hits(each: Candidate, others: Chosen): boolean {
  for (const other of others) if (other && clash(each, other)) return true;
  return false;
}

/** A box that has a segment in it, too; a little wider, since a segment may have no width. */
function around(box: Box, [a, b]: Segment): Box {
  return {
    left: Math.min(box.left, a[0], b[0]) - 1,
    right: Math.max(box.right, a[0], b[0]) + 1,
    top: Math.min(box.top, a[1], b[1]) - 1,
    bottom: Math.max(box.bottom, a[1], b[1]) + 1,
  };
}

const APART = 4; // pixels between two labels in a line: nearer, they read as one

function isNear(a: Box, b: Box): boolean {
  if (a.left >= b.right + APART || b.left >= a.right + APART) return false;
  return a.top < b.bottom && b.top < a.bottom;
}

/** Whether two labels overlap or nearly touch, or the line to one runs through the other. */
function clash(a: Candidate, b: Candidate): boolean {
  const [one, other] = [a.whole, b.whole];
  if (!isNear(one, other)) return false; // nearly always
  if (isNear(a.box, b.box)) return true;
  return (a.lead !== null && lengthInside(a.lead, b.box) > 0) || (b.lead !== null && lengthInside(b.lead, a.box) > 0);
}

/** A place for a label that has none, from which one other label can move to another place, which may move one more. */
function makeRoom(labels: readonly (readonly Candidate[])[], chosen: Chosen, own: number, moves: number): boolean {
  const byCost = [...(labels[own] ?? [])].sort((a, b) => a.cost() - b.cost());
  for (const each of byCost) {
    const moving = isTaken(each.box, each.under) ? null : onlyOneIn(chosen, each);
    if (moving === null || each.cost() === Number.POSITIVE_INFINITY) continue;
    const before = [...chosen];
    [chosen[own], chosen[moving]] = [each, null];
    chosen[moving] = cheapest(labels[moving] ?? [], chosen);
    if (chosen[moving]) return true;
    // What was just placed may not be moved again: it is taken as a label without other places.
    const rest = labels.map((places, k) => (k === own ? [] : places));
    if (moves > 1 && makeRoom(rest, chosen, moving, moves - 1)) return true;
    for (const k of before.keys()) chosen[k] = before[k] as Candidate | null;
  }
  return false;
}

/** The number of the label where another wants to be; null where there are more, or none. */
function onlyOneIn(chosen: Chosen, wanted: Candidate): number | null {
  const found = [...chosen.keys()].filter((k) => isOver(chosen[k], wanted));
  return found.length === 1 ? (found[0] as number) : null;
}

export function areaOf({ left, right, top, bottom }: Box): number {
  return (right - left) * (bottom - top);
}

// Directions from a mark, as degrees with what each costs: above, below, right, left, then those between.
const DIRECTIONS: readonly (readonly [number, number])[] = [
  [270, 0],
  [90, 1],
  [0, 2],
  [180, 2],
  [315, 4],
  [225, 4],
  [45, 4],
  [135, 4],
  [338, 5],
  [202, 5],
  [22, 5],
  [158, 5],
  [292, 5],
  [248, 5],
  [68, 5],
  [112, 5],
];
const TOWARD = DIRECTIONS.map(([degrees, cost]) => {
  const angle = (degrees * Math.PI) / 180;
  return { toward: [Math.cos(angle), Math.sin(angle)] as Point, cost };
});
const GAPS: readonly (readonly [number, number])[] = [
  [0, 0],
  [5, 12],
  [12, 40],
  [22, 60],
  [34, 90],
];
const LED = 12; // pixels from which on a line leads to the label
export const SIDES = 4; // of the directions: straight ones only

export interface Beside {
  readonly at: Point;
  readonly cost: number;
  readonly toward: Point;
  readonly far?: boolean; // a line has to lead there
  readonly from?: Point; // where that line begins, if not at a mark
}

/** Right beside a mark and straight; a little farther in any direction; or at the end of a line that leads there. */
export type Reach = "touching" | "near" | "far";

const REACHES: Record<Reach, number> = { touching: 1, near: 2, far: GAPS.length };

/** The middles of a text of that size beside a mark, with what each place costs. */
export function besideMark(
  [x, y]: Point,
  radius: number,
  width: number,
  height: number,
  reach: Reach = "far",
): Beside[] {
  const found: Beside[] = [];
  const few = reach === "touching";
  for (const [gap, far] of GAPS.slice(0, REACHES[reach])) {
    for (const { toward, cost } of few ? TOWARD.slice(0, SIDES) : TOWARD) {
      const [dx, dy] = toward;
      // The text is pushed away from the mark by as much of itself as lies in that direction.
      const [px, py] = [clamp(1.5 * dx) * (width / 2), clamp(1.5 * dy) * (height / 2)];
      const off = radius + 1 + gap;
      found.push({ at: [x + dx * off + px, y + dy * off + py], cost: cost + far, toward, far: gap >= LED });
    }
  }
  return found;
}

function clamp(share: number): number {
  return Math.max(-1, Math.min(1, share));
}

const NEARER = 30; // the cost of a pixel by which a label is nearer to another mark than to its own
const FAR = 20; // pixels from which on it does not matter

/** What a label pays for being nearer to the mark of another than to its own: it would seem to name that. */
export function strangeness(box: Box, own: Point, marks: readonly Point[], radius: number): number {
  const mine = awayFrom(box, own) - radius;
  let other = Number.POSITIVE_INFINITY;
  for (const mark of marks) if (mark !== own) other = Math.min(other, awayFrom(box, mark) - radius);
  return NEARER * Math.min(FAR, Math.max(0, mine - other + 2));
}

/** The line from a mark to a label of it. */
export function leadTo(own: Point, radius: number, box: Box): Segment {
  const to = nearestIn(box, own);
  const share = radius === 0 ? 0 : radius / Math.max(radius, Math.hypot(to[0] - own[0], to[1] - own[1]));
  return [[own[0] + (to[0] - own[0]) * share, own[1] + (to[1] - own[1]) * share], to];
}

/** What of a box marks, earlier labels and the end of the picture take. */
export function takenOf(box: Box, occupied: Occupied, view: Box): number {
  return occupied.covered(box) + areaOf(box) - overlap(box, view);
}

/** Lines in a grid of cells, so that asking what lies under a box looks at its cells only. */
export class Lines<Owner> {
  readonly #cells = new Map<number, { readonly segment: Segment; readonly owner: Owner }[]>();
  readonly #size = 40;

  add(segment: Segment, owner: Owner): void {
    const line = { segment, owner };
    const [[ax, ay], [bx, by]] = segment;
    const around = { left: Math.min(ax, bx), right: Math.max(ax, bx), top: Math.min(ay, by), bottom: Math.max(ay, by) };
    const one = this.#isOne(around);
    this.#each(around, (key, cell) => {
      if (!one && lengthInside(segment, cell) === 0) return;
      const held = this.#cells.get(key);
      if (held) held.push(line);
      else this.#cells.set(key, [line]);
    });
  }

  /** The sum, over the lines under a box, of their length there times what a pixel of each costs. */
  under(box: Box, costOf: (owner: Owner) => number): number {
    let sum = 0;
    this.#each(box, (key, cell) => {
      const held = this.#cells.get(key);
      if (!held) return;
      const part = {
        left: Math.max(cell.left, box.left),
        right: Math.min(cell.right, box.right),
        top: Math.max(cell.top, box.top),
        bottom: Math.min(cell.bottom, box.bottom),
      };
      for (const { segment, owner } of held) {
        const length = lengthInside(segment, part);
        if (length > 0) sum += length * costOf(owner);
      }
    });
    return sum;
  }

  #isOne({ left, right, top, bottom }: Box): boolean {
    const cell = (value: number) => Math.floor(value / this.#size);
    return cell(left) === cell(right) && cell(top) === cell(bottom);
  }

  #each(box: Box, visit: (key: number, cell: Box) => void): void {
    const size = this.#size;
    for (let x = Math.floor(box.left / size); x <= Math.floor(box.right / size); x++)
      for (let y = Math.floor(box.top / size); y <= Math.floor(box.bottom / size); y++)
        visit(x * 65_536 + y, { left: x * size, right: (x + 1) * size, top: y * size, bottom: (y + 1) * size });
  }
}

/** The shortest beginning of each text that no other begins with, but no shorter than `least`; cut texts end with "…". */
export function cutTexts(texts: readonly string[], least: number): string[] {
  const counts = new Map<string, number>();
  const split = texts.map((text) => [...text]);
  for (const letters of split)
    for (let k = least; k <= letters.length; k++) {
      const start = letters.slice(0, k).join("");
      counts.set(start, (counts.get(start) ?? 0) + 1);
    }
  return split.map((letters, number) => {
    for (let k = least; k < letters.length - 1; k++) {
      const start = letters.slice(0, k).join("");
      if (counts.get(start) === 1) return `${start.trimEnd()}…`;
    }
    return texts[number] as string;
  });
}

/** A text in two lines, broken at the blank that makes them shortest; null for one without a blank. */
export function inTwoLines(text: string): string | null {
  const words = text.split(" ");
  if (words.length < 2) return null;
  const all = words.slice(1).map((_, k) => [words.slice(0, k + 1).join(" "), words.slice(k + 1).join(" ")]);
  const longest = (lines: readonly string[]) => Math.max(...lines.map((line) => line.length));
  return all.reduce((best, lines) => (longest(lines) < longest(best) ? lines : best)).join("\n");
}
