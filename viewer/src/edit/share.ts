/** A run as text for a link: its hypergraph, algorithm and inputs, and where vertices are drawn. */

import { runProblem } from "../check";
import { fromAddress, inAddress, textOf, unzipped, zipped } from "../zip";
import { Refusal, type RunBody } from "./model";

/** Characters of a link: some programs cut longer ones. */
export const LONGEST = 30_000;
/** Bytes that a link may unpack to. */
const MOST = 2 ** 23;

/** The text of a run; null if it is too long for a link. */
export async function packedRun(body: RunBody): Promise<string | null> {
  const positions = body.positions?.vertices.map(([label, [x, y]]) => [label, [rounded(x), rounded(y)]]);
  const document = { ...body, ...(positions ? { positions: { vertices: positions } } : {}) };
  const text = inAddress(await zipped(new TextEncoder().encode(JSON.stringify(document)), "deflate-raw"));
  return text.length <= LONGEST ? text : null;
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** The run in a link, checked: it may come from anybody. */
export async function unpackedRun(text: string): Promise<RunBody> {
  let document: unknown;
  try {
    document = JSON.parse(textOf(await unzipped(fromAddress(text), "deflate-raw", MOST)));
  } catch {
    throw new Refusal("The hypergraph in this link cannot be read: the link is damaged or incomplete.");
  }
  const wrong = runProblem(document);
  if (wrong !== null) throw new Refusal(`The hypergraph in this link cannot be read: ${wrong.slice(1)}.`);
  return document as RunBody;
}
