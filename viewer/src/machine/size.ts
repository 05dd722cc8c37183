/** Numbers that follow from the size of the hypergraph: a loop's `at most`. The twin of src/hyloop/lang/size.py. */

import { Refusal } from "./refusal";

/** A size at so many vertices and hyperedges. */
export type Size = (vertices: number, hyperedges: number) => bigint;

/** "This or more": no run takes so many iterations. */
const MOST = 10n ** 18n;
const DEEPEST = 200;
const CALLS: Readonly<Record<string, number>> = { max: 2, choose: 2, log2: 1 };
const BINDS: Readonly<Record<string, number>> = { "+": 1, "-": 1, "*": 2, "//": 2, "**": 3 };

const least = (a: bigint, b: bigint) => (a < b ? a : b);
const most = (a: bigint, b: bigint) => (a > b ? a : b);

const MEANING: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  "+": (a, b) => least(a + b, MOST),
  "-": (a, b) => (a >= MOST ? a : most(a - b, 0n)),
  "*": (a, b) => least(a * b, MOST),
  "//": (a, b) => (a >= MOST ? a : a / b),
  "**": power,
  max: most,
  choose: choices,
  log2: (n) => BigInt(n <= 1n ? 0 : (n - 1n).toString(2).length),
};

function power(n: bigint, k: bigint): bigint {
  if (n < 2n) return k === 0n ? 1n : n;
  let found = 1n;
  for (let times = 0n; times < k && found < MOST; times++) found *= n;
  return least(found, MOST);
}

function choices(n: bigint, k: bigint): bigint {
  if (n >= MOST) return k === 0n ? 1n : MOST;
  if (k > n) return 0n;
  const fewer = least(k, n - k);
  let found = 1n;
  for (let taken = 1n; taken <= fewer; taken++) {
    found = (found * (n - fewer + taken)) / taken;
    if (found >= MOST) return MOST;
  }
  return found;
}

/** "n_v * 2 + 1" as a size. */
export function parseSize(text: string): Size {
  const words = text.match(/[0-9]+|[a-z_][a-z_0-9]*|\*\*|\/\/|[-+*(),]|\S/g) ?? [];
  const reader = new Reader(words, text);
  const size = reader.sum(0, 0);
  reader.expect(undefined);
  return size;
}

class Reader {
  #at = 0;

  constructor(
    readonly words: readonly string[],
    readonly text: string,
  ) {}

  expect(word: string | undefined): void {
    if (this.words[this.#at++] !== word) this.#refuse();
  }

  /** Operators that bind at least so strongly; those of one strength from the left. */
  sum(binds: number, depth: number): Size {
    let left = this.#one(depth + 1);
    for (;;) {
      const operator = this.words[this.#at] ?? "";
      const strength = BINDS[operator];
      if (strength === undefined || strength < binds) return left;
      this.#at++;
      left = this.#joined(operator, left, this.sum(strength + 1, depth + 1));
    }
  }

  #one(depth: number): Size {
    if (depth > DEEPEST) this.#refuse();
    const word = this.words[this.#at++] ?? "";
    if (word === "n_v") return (vertices) => BigInt(vertices);
    if (word === "n_e") return (_, hyperedges) => BigInt(hyperedges);
    if (/^[0-9]+$/.test(word)) {
      const value = least(BigInt(word), MOST);
      return () => value;
    }
    if (word === "(") return this.#closed(this.sum(0, depth));
    if (Object.hasOwn(CALLS, word)) return this.#call(word, depth);
    return this.#refuse();
  }

  #call(name: string, depth: number): Size {
    this.expect("(");
    const first = this.sum(0, depth);
    if (CALLS[name] === 1) return this.#closed(this.#joined(name, first, () => 0n));
    this.expect(",");
    return this.#closed(this.#joined(name, first, this.sum(0, depth)));
  }

  #closed(size: Size): Size {
    this.expect(")");
    return size;
  }

  #joined(operator: string, left: Size, right: Size): Size {
    const meaning = MEANING[operator] ?? this.#refuse();
    return (v, e) => {
      const by = right(v, e);
      if (operator === "//" && by === 0n) this.#refuse();
      return meaning(left(v, e), by);
    };
  }

  #refuse(): never {
    throw new Refusal(`The bound of the loop, ${this.text.slice(0, 200)}, cannot be read.`);
  }
}
