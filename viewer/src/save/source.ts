/** Where a saved picture comes from, as text inside its file. */

import { shortHash } from "../cite";
import { unmarked } from "../isolate";
import type { Trace } from "../trace";
import { headingOf } from "./film";

/** "hyloop · dijkstra · harbour.hif.json · iteration 4 of 8 · layer 2 of 3 · run 9cb28f3a8767…" */
export function sourceText(trace: Trace, edited: boolean, place: string, hash: string | null): string {
  const run = hash === null ? "" : `run ${shortHash(hash)}`;
  const text = ["hyloop", unmarked(headingOf(trace, edited)), place, run].filter((part) => part !== "").join(" · ");
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}

const SIGNATURE = 8; // bytes before the first chunk of a PNG

/** A PNG with a text chunk after its header: in UTF-8, which labels and names may need. */
export function pngWith(png: Uint8Array, keyword: string, text: string): Uint8Array<ArrayBuffer> {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const after = SIGNATURE + 12 + view.getUint32(SIGNATURE); // length, name and sum of the header have 4 bytes each
  const letters = new TextEncoder();
  // The keyword; not compressed, in no language, with no other keyword.
  const added = chunk(letters.encode(`iTXt${keyword}\0\0\0\0\0${text}`));
  const made = new Uint8Array(png.length + added.length);
  made.set(png.subarray(0, after));
  made.set(added, after);
  made.set(png.subarray(after), after + added.length);
  return made;
}

function chunk(named: Uint8Array): Uint8Array {
  const made = new Uint8Array(named.length + 8);
  const view = new DataView(made.buffer);
  view.setUint32(0, named.length - 4);
  made.set(named, 4);
  view.setUint32(made.length - 4, checksum(named));
  return made;
}

/** CRC-32, as PNG has it. */
function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let k = 0; k < 8; k++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
