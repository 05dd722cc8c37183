/** The runs that this page has shown: two of them are compared. */

import { Recording } from "../recording";
import type { Trace } from "../trace";
import { AFTER, hypergraphDifferences, Pairs } from "./differences";

const MOST = 8;
/** Changes of values that are kept in all, beyond the last two runs. */
const ROOM = 3_000_000;

export class KeptRun {
  #title = "";

  constructor(
    readonly number: number,
    readonly trace: Trace,
    readonly before: Trace | null,
  ) {}

  /** "2 · dijkstra: Pier added". Made when it is asked for: an edit does not wait for it. */
  get title(): string {
    this.#title ||= `${this.number} · ${described(this.trace, this.before)}`;
    return this.#title;
  }
}

export class KeptRuns {
  #kept: KeptRun[] = [];
  #next = 1;

  get all(): readonly KeptRun[] {
    return this.#kept;
  }

  /** Keep a run that was shown; the oldest make way, but for the one that the page began with. */
  keep(trace: Trace, before = this.#kept.at(-1)?.trace ?? null): KeptRun {
    const known = this.#kept.find((each) => each.trace === trace);
    if (known) return known;
    const added = new KeptRun(this.#next++, trace, before);
    this.#kept.push(added);
    while (this.#kept.length > 2 && (this.#kept.length > MOST || this.#size > ROOM)) {
      this.#kept.splice(this.#kept.length > 3 ? 1 : 0, 1);
    }
    return added;
  }

  /** Two runs of a link: the left one is told by what is other than in the page, the right one by the left. */
  keepPair(left: Trace, right: Trace): [KeptRun, KeptRun] {
    const origin = this.#kept[0]?.trace ?? null;
    return [this.keep(left, origin && differencesOf(origin, left).length > 0 ? origin : null), this.keep(right, left)];
  }

  get #size(): number {
    const changes = ({ columns }: Trace) => columns.reduce((sum, { frame }) => sum + frame.length, 0);
    return this.#kept.reduce((sum, { trace }) => sum + changes(trace), 0);
  }
}

function differencesOf(before: Trace, after: Trace): string[] {
  return hypergraphDifferences(new Pairs(new Recording(before), new Recording(after)), AFTER);
}

/** A run by its algorithm and, after an edit, by what that changed. */
function described(trace: Trace, before: Trace | null): string {
  const { algorithm, hypergraph } = trace;
  const same = before?.algorithm.name === algorithm.name && before.hypergraph.name === hypergraph.name;
  if (!before || !same) return [algorithm.name, hypergraph.name].filter((part) => part !== "").join(", ");
  const [first, ...more] = differencesOf(before, trace);
  return `${algorithm.name}: ${first ?? "the same again"}${more.length > 0 ? " …" : ""}`;
}
