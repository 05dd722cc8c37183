/** The hash of a run, the same function as src/hyloop/recording/run_hash.py: SHA-256 of the states at all frames. */

import type { Trace } from "../trace";
import { rowsIn, statesOf } from "./frames";
import { drained } from "./slices";

export function runHash(trace: Trace): string {
  return drained(hashing(trace));
}

/** The hash, frame by frame: tells how many are done. */
export function* hashing(trace: Trace): Generator<number, string> {
  const digest = new Sha256();
  let done = 0;
  for (const state of statesOf(trace)) {
    for (const column of state) digest.update(littleEndian(column));
    yield ++done;
  }
  return digest.hex();
}

/** How many bytes are hashed: those of the states at all frames. */
export function stateBytes({ columns, frames }: Trace): number {
  return 8 * frames.iteration.length * columns.length * rowsIn(columns);
}

export function littleEndian(column: Float64Array): Uint8Array {
  const bytes = new Uint8Array(8 * column.length);
  const view = new DataView(bytes.buffer);
  column.forEach((value, row) => {
    view.setFloat64(8 * row, value, true);
  });
  return bytes;
}

const BLOCK = 64;

/** SHA-256 (FIPS 180-4), piece by piece; the browser's own wants the whole at once, and is missing in some contexts. */
export class Sha256 {
  readonly #state = Uint32Array.from(FIRST);
  readonly #block = new Uint8Array(BLOCK);
  readonly #words = new Uint32Array(BLOCK);
  #filled = 0;
  #length = 0;

  update(bytes: Uint8Array): void {
    this.#length += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const taken = Math.min(BLOCK - this.#filled, bytes.length - at);
      this.#block.set(bytes.subarray(at, at + taken), this.#filled);
      this.#filled += taken;
      at += taken;
      if (this.#filled === BLOCK) this.#mix();
    }
  }

  hex(): string {
    const bits = BigInt(this.#length) * 8n;
    const end = new Uint8Array(BLOCK - ((this.#filled + 8) % BLOCK) + 8);
    end[0] = 0x80;
    new DataView(end.buffer).setBigUint64(end.length - 8, bits);
    this.update(end);
    return Array.from(this.#state, (word) => word.toString(16).padStart(8, "0")).join("");
  }

  #mix(): void {
    this.#filled = 0;
    const w = this.#words;
    const view = new DataView(this.#block.buffer);
    for (let t = 0; t < 16; t++) w[t] = view.getUint32(4 * t);
    for (let t = 16; t < BLOCK; t++) {
      const [a, b] = [w[t - 15] as number, w[t - 2] as number];
      const s0 = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
      const s1 = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
      w[t] = (w[t - 16] as number) + s0 + (w[t - 7] as number) + s1;
    }
    let [a, b, c, d, e, f, g, h] = this.#state as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    for (let t = 0; t < BLOCK; t++) {
      const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const one = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[t] as number) + (w[t] as number)) | 0;
      const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, k) => {
      this.#state[k] = (this.#state[k] as number) + word;
    });
  }
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits of the fractional parts of roots of primes: square roots, then cube roots. */
const PRIMES = primes(BLOCK);
const FIRST = PRIMES.slice(0, 8).map((p) => fraction(p, 2n));
const ROUND = PRIMES.map((p) => fraction(p, 3n));

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((p) => n % p !== 0)) found.push(n);
  return found;
}

/** `⌊2^32 · p^(1/k)⌋`, of which the last 32 bits count: the largest integer whose k-th power is at most p · 2^(32k). */
function fraction(p: number, k: bigint): number {
  const target = BigInt(p) << (32n * k);
  let [low, high] = [0n, BigInt(p) << 32n];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (middle ** k <= target) low = middle;
    else high = middle - 1n;
  }
  return Number(low & 0xffffffffn);
}
