/** Which layer wrote a number last: also one that wrote the same number again, so that nothing changed. */

import type { Section } from "../trace";
import type { State } from "./encode";
import { type Explainer, type LayerRun, PATIENCE, type Played } from "./explain";
import { assignedIn } from "./iteration";

/** Layers that are looked at first; each part after that is twice as long. */
const SPAN = 24;

interface Searched {
  readonly after: number;
  readonly upTo: number;
  readonly found: number | null | undefined;
}

const KNOWN = new WeakMap<Explainer, Map<string, Searched>>();

/**
 * The last frame after one and up to another at which a layer wrote to a cell; null: none did; undefined: that may be too
 * far back. The layers of all frames between are recorded.
 */
export function lastRewritten(
  explainer: Explainer,
  row: number,
  column: number,
  after: number,
  upTo: number,
): number | null | undefined {
  const cells = KNOWN.get(explainer) ?? new Map<string, Searched>();
  KNOWN.set(explainer, cells);
  const known = cells.get(`${row} ${column}`);
  // What was looked through at an earlier frame is so still.
  const goesOn = known?.after === after && known.upTo <= upTo;
  const [begin, earlier] = goesOn ? [known.upTo, known.found] : [after, null];
  const found = searched(explainer, row, column, begin, upTo) ?? (upTo - begin > PATIENCE ? undefined : earlier);
  cells.set(`${row} ${column}`, { after, upTo, found });
  return found;
}

/** The latest part first, since most numbers were written not long ago. */
function searched(explainer: Explainer, row: number, column: number, after: number, upTo: number): number | null {
  const least = Math.max(after, upTo - PATIENCE);
  for (let [to, span] = [upTo, SPAN]; to > least; to -= span, span *= 2) {
    let last: number | null = null;
    for (const each of explainer.played(Math.max(least, to - span), to))
      if (writes(explainer, each, row, column)) last = each.frame;
    if (last !== null) return last;
  }
  return null;
}

function writes(explainer: Explainer, { frame, before, after, adds }: Played, row: number, column: number): boolean {
  return (
    adds(row, column) && isWritten(explainer, explainer.recording.sectionOf(frame), { before, after }, row, column)
  );
}

/** Whether a layer of the iteration that is shown wrote to a cell. */
export function wroteTo(explainer: Explainer, run: LayerRun, row: number, column: number): boolean {
  const { recording } = explainer;
  const section = recording.sectionOf(recording.frame);
  return run.wrote(row, column).length > 0 && isWritten(explainer, section, run, row, column);
}

/**
 * Whether what was added to a cell writes it. States are written at the end of every iteration: where no statement
 * assigns one, it is kept, by a part that takes it away and another that adds it again.
 */
function isWritten(
  explainer: Explainer,
  section: Section,
  { before, after }: { before: State; after: State },
  row: number,
  column: number,
): boolean {
  const number = (state: State) => (state[column] as Float64Array)[row];
  return number(before) !== number(after) || assignedIn(explainer, section, before, row, column);
}
