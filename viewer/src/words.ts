// Attention in words: which row attends to which, by name.

import { few } from "./few";
import type { Link } from "./picture";
import { lowerBound, type Recording, type Thing } from "./recording";
import type { Attention, Head, Operation } from "./trace";

type Rows = Thing["scope"] | null; // whether rows are vertices or hyperedges; null: unknown

export interface Look {
  /** One sentence. */
  text: string;
  margin: number | null;
  /** Single links, for a list. */
  links: { text: string; margin: number | null }[];
  /** How many more links there are than are listed. */
  more: number;
  arrows: Link[];
}

const LISTED = 60;
const DRAWN = 400;
const FEW = 30;

/**
 * What a head did at the recording's current frame; null if that is not recorded. `unused` are the rows of which it
 * brings only what statements use that do not run now.
 */
export function look(
  recording: Recording,
  attention: Attention,
  head: Head,
  unused: ReadonlySet<number> = new Set(),
): Look | null {
  const k = lowerBound(attention.frame, recording.frame);
  if (attention.frame[k] !== recording.frame) return null;
  const subject = queries(recording, head);
  if (attention.pattern[k] === 0) return one(recording, attention, k, head, subject);
  const seen =
    attention.pattern[k] === 1
      ? itself(recording, attention, k, subject, unused)
      : several(recording, attention, k, head, subject);
  if (head.kind === "plain") return seen;
  const gives = attention.links.query.slice(attention.start[k], attention.start[k + 1]);
  return { ...seen, arrows: flows(recording, head.kind, new Set(gives.filter((row) => !unused.has(row)))) };
}

/** What a head through the incidence does: from each row that has something to give, to its neighbours. */
function flows(
  { trace: { hypergraph: h } }: Recording,
  kind: Exclude<Head["kind"], "plain">,
  gives: ReadonlySet<number>,
): Link[] {
  const lists = kind.startsWith("tails") ? h.tails : kind.startsWith("heads") ? h.heads : h.members;
  const back = kind.endsWith("transposed");
  const links: Link[] = [];
  lists?.forEach((members, e) => {
    for (const row of members) {
      const [edge, vertex]: [Thing, Thing] = [
        { scope: "hyperedges", row: e + 1 },
        { scope: "vertices", row },
      ];
      if (gives.has(back ? row : e + 1))
        links.push({ from: back ? vertex : edge, to: back ? edge : vertex, margin: null });
    }
  });
  return links.slice(0, DRAWN);
}

function one(recording: Recording, attention: Attention, k: number, head: Head, subject: Rows): Look {
  const row = attention.row[k] as number;
  const ties = attention.ties[k] ?? 1;
  const meant = target(recording, head);
  const name = rowName(recording, row, meant);
  const who = subject ? `Every ${subject === "vertices" ? "vertex" : "hyperedge"}` : "Every row";
  const tied = ties > 1 ? ` (and ${ties - 1} more that tie with it)` : "";
  const arrows = row > 0 ? towards(recording, thing(recording, row, meant), attention.margin[k] ?? null) : [];
  return { text: `${who} attends to ${name}${tied}.`, margin: attention.margin[k] ?? null, links: [], more: 0, arrows };
}

/** Arrows from every vertex, where these are few, and from the global row. */
function towards(recording: Recording, to: Thing, margin: number | null): Link[] {
  const count = recording.count("vertices");
  const rows = count > FEW ? [] : Array.from({ length: count }, (_, k) => k + 1);
  const others = rows.filter((row) => to.scope !== "vertices" || row !== to.row);
  const arrows = others.map((row): Link => ({ from: { scope: "vertices", row }, to, margin: null }));
  return [...arrows, { from: null, to, margin }];
}

function itself(
  recording: Recording,
  attention: Attention,
  k: number,
  subject: Rows,
  unused: ReadonlySet<number>,
): Look {
  const all = attention.links.query.slice(attention.start[k], attention.start[k + 1]);
  const own = all.filter((row) => !unused.has(row));
  const names = (rows: readonly number[]) => {
    const most = few(rows.length, LISTED);
    const more = rows.length > most ? ` and ${rows.length - most} more` : "";
    return `${rows
      .slice(0, most)
      .map((row) => rowName(recording, row, subject))
      .join(", ")}${more}`;
  };
  const who = subject ? (subject === "vertices" ? "vertex" : "hyperedge") : "row";
  const brought = own.length > 0 ? ` Nonzero: ${names(own)}.` : "";
  const idle = all.filter((row) => unused.has(row));
  const others = recording.sectionOf(recording.frame) === "before" ? "loop" : "setup";
  const rest = idle.length > 0 ? ` For the ${others}, not used in this iteration: ${names(idle)}.` : "";
  const arrows = own.slice(0, DRAWN).flatMap((row): Link[] => {
    const self = row > 0 ? thing(recording, row, subject) : null;
    return self ? [{ from: self, to: self, margin: null }] : [];
  });
  const margin = attention.margin[k] ?? null;
  return { text: `Each ${who} attends to itself.${brought}${rest}`, margin, links: [], more: 0, arrows };
}

function several(recording: Recording, attention: Attention, k: number, head: Head, subject: Rows): Look {
  const [begin, end] = [attention.start[k] as number, attention.start[k + 1] as number];
  const { query, row, ties, margin } = attention.links;
  const look: Look = { text: "", margin: attention.margin[k] ?? null, links: [], more: 0, arrows: [] };
  const most = few(end - begin, LISTED);
  for (let i = begin; i < end && i < begin + DRAWN; i++) {
    const [from, to] = [query[i] as number, row[i] as number];
    const meant = target(recording, head) ?? (from === to ? subject : null);
    look.arrows.push({
      from: from > 0 ? thing(recording, from, subject) : null,
      to: to > 0 ? thing(recording, to, meant) : null,
      margin: margin[i] ?? null,
    });
    if (i >= begin + most) continue;
    const tied = (ties[i] ?? 1) > 1 ? ` (${ties[i]} tie)` : "";
    const text = `${rowName(recording, from, subject)} → ${from === to ? "itself" : rowName(recording, to, meant)}${tied}`;
    look.links.push({ text, margin: margin[i] ?? null });
  }
  look.more = end - begin - look.links.length;
  look.text =
    end === begin
      ? "All queries get 0."
      : `${end - begin} ${end - begin === 1 ? "query gets a nonzero value" : "queries get nonzero values"}:`;
  return look;
}

const AFTERWARDS: Record<Head["kind"], string> = {
  plain: "",
  incidence: "Then each vertex gets the sum over its hyperedges.",
  transposed: "Then each hyperedge gets the sum over its vertices.",
  tails: "Then each vertex gets the sum over the hyperedges that it is a tail of.",
  tails_transposed: "Then each hyperedge gets the sum over its tails.",
  heads: "Then each vertex gets the sum over the hyperedges that it is a head of.",
  heads_transposed: "Then each hyperedge gets the sum over its heads.",
};

/** What a head of this kind does with the attended values. */
export function afterwards(head: Head): string {
  return AFTERWARDS[head.kind];
}

/** A row by name; by both names if it may be the vertex or the hyperedge. */
export function rowName(recording: Recording, row: number, meant: Rows): string {
  if (row === 0) return "the global row";
  const label = meant === "vertices" || meant === "hyperedges" ? recording.called(meant, row) : null;
  const [vertex, hyperedge] = [recording.label("vertices", row), recording.label("hyperedges", row)];
  if (label !== null) return `${label} (row ${row})`;
  const both = [vertex === null ? "" : `vertex ${vertex}`, hyperedge === null ? "" : `hyperedge ${hyperedge}`];
  return `row ${row} (${both.filter((part) => part !== "").join(" / ")})`;
}

function thing(recording: Recording, row: number, meant: Rows): Thing {
  const scope = meant ?? (row <= recording.count("vertices") ? "vertices" : "hyperedges");
  return { scope, row };
}

/** The operations of a head's query in the section that runs now; those of all sections if there are none. */
function sought(recording: Recording, head: Head): Operation[] {
  const section = recording.sectionOf(recording.frame);
  const here = head.query.filter((purpose) => purpose[0] === section);
  return (here.length > 0 ? here : head.query).map((purpose) => recording.operations.of(purpose));
}

/** The scope of a head's queries: that over which its result is summed, or that of its value. */
function queries(recording: Recording, head: Head): Rows {
  if (["incidence", "tails", "heads"].includes(head.kind)) return "hyperedges";
  if (head.kind !== "plain") return "vertices";
  return agreed(sought(recording, head).map((op) => (op.scope === "scalar" ? null : op.scope)));
}

/** The scope of the attended row: an entry of the array that is searched or read. */
function target(recording: Recording, head: Head): Rows {
  if (head.kind !== "plain") return queries(recording, head);
  return agreed(
    sought(recording, head).map((op) => {
      const array = op.operands[0];
      const scope = array === undefined ? op.scope : recording.operations.at(op.section, array).scope;
      return scope === "scalar" ? null : scope;
    }),
  );
}

/** The common value; null if they differ or there is none. */
function agreed(rows: readonly Rows[]): Rows {
  const [first, ...others] = new Set(rows);
  return others.length === 0 ? (first ?? null) : null;
}
