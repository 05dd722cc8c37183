import { labelText, toldApart } from "./labels";
import type { Recording, Thing } from "./recording";

export type Found = { what: "thing"; thing: Thing; text: string } | { what: "variable"; name: string; text: string };

/** Finds vertices, hyperedges and variables by a part of their name. */
export class Index {
  readonly #entries: { found: Found; folded: string }[];

  constructor(recording: Recording) {
    const { hypergraph } = recording.trace;
    const edges = toldApart(hypergraph.vertices, hypergraph.hyperedges); // as the picture calls them
    const things = (["vertices", "hyperedges"] as const).flatMap((scope) =>
      hypergraph[scope].map((label, k): Found => {
        const named = scope === "hyperedges" ? edges?.[k] : undefined;
        return { what: "thing", thing: { scope, row: k + 1 }, text: named ?? labelText(label) };
      }),
    );
    const names = new Set([...recording.variables.keys(), ...recording.locals.keys()]);
    const variables = [...names].map((name): Found => ({ what: "variable", name, text: recording.shown(name) }));
    this.#entries = [...things, ...variables].map((found) => ({ found, folded: fold(found.text) }));
  }

  /** At most `limit` matches: whole names first, then beginnings, then parts. */
  find(query: string, limit = 50): Found[] {
    const wanted = fold(query.trim());
    if (wanted === "") return [];
    const ranks: Found[][] = [[], [], []];
    for (const { found, folded } of this.#entries) {
      const at = folded.indexOf(wanted);
      if (at < 0) continue;
      ranks[folded === wanted ? 0 : at === 0 ? 1 : 2]?.push(found);
    }
    return ranks.flat().slice(0, limit);
  }
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
