/** Different labels that look the same: the twin of src/hyloop/io/lookalikes.py. */

import type { Label } from "../labels";
import type { Hypergraph } from "../machine/hypergraph";
import { WHITE } from "./fields";
import { inAscii, shownLabel } from "./shown";

const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
/** Format characters, and what else has no width: the grapheme joiner and variation selectors. */
const HIDDEN = /\p{Cf}|\u034f|[\ufe00-\ufe0f]/gu;
const BLANKS = new RegExp(`${WHITE}+`, "g");
const SHOWN = 3;
const LONG = 200;

/** A sentence for the vertices, and one for the hyperedges, where labels look the same. */
export function lookalikes(h: Pick<Hypergraph, "vertices" | "hyperedges">): string[] {
  return (["vertices", "hyperedges"] as const).flatMap((kind) => {
    const pairs = pairsOf(h[kind]);
    if (pairs.length === 0) return [];
    const said = pairs.slice(0, SHOWN).map(([first, second]) => `${told(first)} and ${told(second)}`);
    const more = pairs.length > SHOWN ? `; and ${(pairs.length - SHOWN).toLocaleString("en")} more` : "";
    return [`these are different ${kind}, though they look the same: ${said.join("; ")}${more}.`];
  });
}

/** Each label that looks like an earlier one, with the first of them. */
function pairsOf(labels: readonly Label[]): [Label, Label][] {
  const first = new Map<string, Label>();
  return labels.flatMap((label): [Label, Label][] => {
    const look = lookOf(label);
    const known = first.get(look);
    if (known !== undefined) return [[known, label]];
    first.set(look, label);
    return [];
  });
}

/** The same for labels that look the same: 1 and "1", both forms of é, outer blanks, characters without width. */
function lookOf(label: Label): string {
  if (typeof label !== "string") return String(label);
  if (PLAIN.test(label) || [...label].length > LONG) return label;
  return label.normalize("NFC").replace(HIDDEN, "").replace(BLANKS, " ").replace(/^ | $/g, "");
}

/** A label with invisible or ambiguous characters escaped. */
function told(label: Label): string {
  if (typeof label !== "string") return `${shownLabel(label)} (an integer)`;
  const letters = [...label];
  return inAscii(letters.length <= 40 ? label : `${letters.slice(0, 20).join("")}...${letters.slice(-17).join("")}`);
}
