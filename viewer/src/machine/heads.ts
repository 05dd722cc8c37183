/** The attention of each head, as a trace stores it: the twin of src/hyloop/recording/attention.py. */

import type { Attention } from "../trace";
import type { Looks } from "./execute";

const ALL_AT_ONE = 0;
const EACH_AT_ITSELF = 1;
const LINKS = 2;

export function emptyAttention(layer: number, head: number): Attention {
  return {
    ...{ layer, head, frame: [], pattern: [], row: [], ties: [], margin: [], start: [0] },
    links: { query: [], row: [], ties: [], margin: [] },
  };
}

/** Add a frame. A head whose values the incidence `spreads` always has links: they show what is summed. */
export function noteAttention(into: Attention, frame: number, looks: Looks, spreads: boolean): number {
  const { pattern, row, all } = seen(looks);
  const linked = pattern === LINKS || spreads;
  const matters = linked ? mattering(looks) : [];
  const [ties, margin] = matters.length > 0 ? extremesAt(looks, matters) : all;
  into.frame.push(frame);
  into.pattern.push(pattern);
  into.row.push(row);
  into.ties.push(ties);
  into.margin.push(finite(margin));
  for (const k of matters) {
    into.links.query.push(k);
    into.links.row.push(looks.row[k] as number);
    into.links.ties.push(looks.ties[k] as number);
    into.links.margin.push(finite(looks.margin[k] as number));
  }
  into.start.push(into.links.query.length);
  return 1 + matters.length;
}

interface Seen {
  readonly version: number;
  readonly pattern: number;
  readonly row: number;
  /** Ties and margin of all rows. */
  readonly all: [ties: number, margin: number];
}

const SEEN = new WeakMap<Looks, Seen>();

/** What follows from rows, ties and margins alone, which stay while a head brings other values from the same rows. */
function seen(looks: Looks): Seen {
  const known = SEEN.get(looks);
  if (known?.version === looks.version) return known;
  const [pattern, row] = patternOf(looks);
  const found = { version: looks.version, pattern, row, all: extremes(looks) };
  SEEN.set(looks, found);
  return found;
}

/** The most ties of all rows, and the least margin. */
function extremes({ ties, margin }: Looks): [ties: number, margin: number] {
  let [most, least] = [1, Number.POSITIVE_INFINITY];
  for (let k = 0; k < ties.length; k++) {
    if ((ties[k] as number) > most) most = ties[k] as number;
    if ((margin[k] as number) < least) least = margin[k] as number;
  }
  return [most, least];
}

/** The same of some rows. */
function extremesAt({ ties, margin }: Looks, rows: readonly number[]): [ties: number, margin: number] {
  let [most, least] = [1, Number.POSITIVE_INFINITY];
  for (const k of rows) {
    most = Math.max(most, ties[k] as number);
    least = Math.min(least, margin[k] as number);
  }
  return [most, least];
}

function patternOf({ row, ties }: Looks): [pattern: number, row: number] {
  let [one, own] = [true, true];
  for (let k = 0; k < row.length && (one || own); k++) {
    one &&= row[k] === row[0] && ties[k] === ties[0];
    own &&= row[k] === k && ties[k] === 1;
  }
  if (one) return [ALL_AT_ONE, row[0] as number];
  return [own ? EACH_AT_ITSELF : LINKS, -1];
}

/** The rows whose output is not 0 in every column. */
function mattering({ row, brought }: Looks): number[] {
  const found: number[] = [];
  for (let k = 0; k < row.length; k++) {
    for (let c = 0; c < brought.length; c++) {
      if ((brought[c] as Float64Array)[k] === 0) continue;
      found.push(k);
      break;
    }
  }
  return found;
}

function finite(margin: number): number | null {
  return Number.isFinite(margin) ? margin : null;
}
