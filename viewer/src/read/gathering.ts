/** Collects the content of a file: a number for each label, and two for each incidence; as hyloop.io.gathering. */

import type { Label } from "../labels";
import type { Hypergraph } from "../machine/hypergraph";
import { Refusal } from "../machine/refusal";
import type { Fraction } from "../numbers";
import { keyOf } from "./fields";

export type Direction = "tail" | "head" | null;

/** Incidences of a file that a page reads: it could not draw or run more. */
const MOST = 2 ** 22;
const ONE: Fraction = { top: 1n, bottom: 1n };

/** Numbers from 0 for labels, in order of first appearance; those that are listed come first at the end. */
class Numbering {
  readonly labels: Label[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #listed = new Set<number>();

  number(label: Label): number {
    const key = keyOf(label);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.labels.length);
    return this.labels.push(label) - 1;
  }

  list(label: Label): number {
    const number = this.number(label);
    this.#listed.add(number);
    return number;
  }

  /** The numbers in their final order. */
  order(): number[] {
    const others = [...this.labels.keys()].filter((number) => !this.#listed.has(number));
    return [...this.#listed, ...others];
  }
}

export class Gathering {
  readonly vertices = new Numbering();
  readonly hyperedges = new Numbering();
  readonly weights = new Map<number, Fraction>();
  readonly #members: Map<number, Set<Direction>>[] = [];
  #count = 0;
  #directed = false;

  incidence(hyperedge: number, vertex: Label, direction: Direction = null): void {
    if (++this.#count > MOST) throw new Refusal(`there are more than ${MOST.toLocaleString("en")} incidences.`);
    this.#members[hyperedge] ??= new Map();
    const members = this.#members[hyperedge];
    const number = this.vertices.number(vertex);
    members.set(number, (members.get(number) ?? new Set()).add(direction));
    this.#directed ||= direction !== null;
  }

  hypergraph(directed = false): Hypergraph {
    const [vertices, hyperedges] = [this.vertices.order(), this.hyperedges.order()];
    const place = new Map(vertices.map((number, k) => [number, k + 1]));
    // A member without a direction is a tail and a head.
    const side = (wanted: Direction) =>
      hyperedges.map((e) =>
        [...(this.#members[e] ?? [])]
          .filter(([, said]) => wanted === null || said.has(null) || said.has(wanted))
          .map(([v]) => place.get(v) as number)
          .sort((a, b) => a - b),
      );
    const told = directed || this.#directed;
    return {
      vertices: vertices.map((number) => this.vertices.labels[number] as Label),
      hyperedges: hyperedges.map((number) => this.hyperedges.labels[number] as Label),
      weights: hyperedges.map((number) => this.weights.get(number) ?? ONE),
      members: side(null),
      tails: told ? side("tail") : null,
      heads: told ? side("head") : null,
    };
  }
}
