/** A hypergraph as a page has it: labels, exact weights, members by number; and its incidences as the machine takes them. */

import type { Label } from "../labels";
import type { Fraction } from "../numbers";
import type { HeadKind } from "../trace";

export interface Hypergraph {
  readonly vertices: readonly Label[];
  readonly hyperedges: readonly Label[];
  readonly weights: readonly Fraction[];
  /** Of each hyperedge, the numbers of its vertices, from 1, in increasing order. */
  readonly members: readonly (readonly number[])[];
  /** Of a directed one: the members that each hyperedge leads from, and those that it leads to. */
  readonly tails: readonly (readonly number[])[] | null;
  readonly heads: readonly (readonly number[])[] | null;
}

/** A matrix of ones by its rows: row r (from 1) has the columns `columns[start[r]] ... columns[start[r + 1] - 1]`. */
export interface Incidence {
  readonly rows: number;
  readonly start: Int32Array;
  readonly columns: Int32Array;
}

export type IncidenceKind = Exclude<HeadKind, "plain">;

/** A matrix for each kind of heads: vertices by hyperedges, and transposed, of all members, of tails and of heads. */
export type Incidences = Readonly<Record<IncidenceKind, Incidence>>;

export function incidencesOf(h: Hypergraph): Incidences {
  const [n, m] = [h.vertices.length, h.hyperedges.length];
  const transposed = byRows(h.members, m);
  const tails = h.tails ? byRows(h.tails, m) : transposed;
  const heads = h.heads ? byRows(h.heads, m) : transposed;
  const incidence = turned(transposed, n);
  return {
    incidence,
    transposed,
    tails: h.tails ? turned(tails, n) : incidence,
    tails_transposed: tails,
    heads: h.heads ? turned(heads, n) : incidence,
    heads_transposed: heads,
  };
}

function byRows(lists: readonly (readonly number[])[], rows: number): Incidence {
  const start = new Int32Array(rows + 2);
  lists.forEach((list, k) => {
    start[k + 2] = (start[k + 1] as number) + list.length;
  });
  return { rows, start, columns: Int32Array.from(lists.flat()) };
}

function turned({ rows, start, columns }: Incidence, height: number): Incidence {
  const lists = Array.from({ length: height }, (): number[] => []);
  for (let r = 1; r <= rows; r++) {
    for (let k = start[r] as number; k < (start[r + 1] as number); k++) lists[(columns[k] as number) - 1]?.push(r);
  }
  return byRows(lists, height);
}
