/** Hypergraphs from files: the page's own readers of what `hyloop.read` reads as text. */

import type { Hypergraph } from "../machine/hypergraph";
import { Refusal } from "../machine/refusal";
import { readEdgeList } from "./edge_list";
import type { Warn } from "./fields";
import { readHif } from "./hif";
import { readIncidenceCsv } from "./incidence_csv";
import { lookalikes } from "./lookalikes";

export type Format = "hif" | "edge-list" | "incidence-csv";

/** Bytes of a file that a page reads. */
const MOST = 2 ** 26;
const READERS: Readonly<Record<Format, (text: string, warn: Warn) => Hypergraph>> = {
  hif: readHif,
  "edge-list": readEdgeList,
  "incidence-csv": readIncidenceCsv,
};
const EXTENSIONS: readonly (readonly [RegExp, Format])[] = [
  [/\.(json|hif)$/i, "hif"],
  [/\.(txt|edges|hyperedges)$/i, "edge-list"],
  [/\.(csv|tsv|tab)$/i, "incidence-csv"],
];

/** The format that the name of a file tells; null if it tells none. */
export function formatOf(name: string): Format | null {
  return EXTENSIONS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** The hypergraph in a file, or a refusal that says where and why not; `warn` is told what is odd about it. */
export function readHypergraph(bytes: Uint8Array, format: Format, warn: Warn = () => {}): Hypergraph {
  if (bytes.length > MOST) throw new Refusal("This file is too large for a page. Use hyloop run or hyloop trace.");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal("This file is not UTF-8 text.");
  }
  // Text of two bytes a character, or no text at all.
  if (text.includes("\0")) throw new Refusal("This file has a null character; it is not UTF-8 text.");
  const h = READERS[format](text, warn);
  for (const each of lookalikes(h)) warn(each);
  return h;
}
