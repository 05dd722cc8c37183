/** Strict JSON with exact numbers: the twin of src/hyloop/io/exact_json.py. */

import { FormatRefusal } from "./fields";

/** A number as it is written. An integer has neither a point nor an exponent. */
export class Written {
  constructor(readonly text: string) {}

  get isInteger(): boolean {
    return /^-?[0-9]+$/.test(this.text) && this.text.length <= INTEGER;
  }
}

export type Json = null | boolean | string | Written | Json[] | Map<string, Json>;

/** Characters of an integer that Python reads as one, and of any number. */
const INTEGER = 4000;
const NUMBER = 5000;
/** Python's own limit is about 1,000; deeper values than 100 are refused as attributes, anyway. */
const DEEPEST = 900;

const BLANK = /[ \t\n\r]*/y;
const NUMBER_TEXT = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const CONTROL = "\\x00-\\x1f"; // must be escaped in a string
const PLAIN = new RegExp(`[^"\\\\${CONTROL}]*`, "y");
const WORDS: readonly (readonly [string, Json])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
];
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Walks through a JSON text. */
export class JsonReader {
  position = 0;

  constructor(readonly text: string) {}

  /** The next character that is not white space; "" at the end. */
  peek(): string {
    this.#match(BLANK);
    return this.text.charAt(this.position);
  }

  /** Go past one of these characters. */
  expect(allowed: string): string {
    const found = this.peek();
    if (found === "" || !allowed.includes(found)) this.fail(`expected ${[...allowed].join(" or ")}`);
    this.position++;
    return found;
  }

  value(depth = 0): Json {
    if (depth > DEEPEST) this.fail("the value is nested too deeply to be read");
    const first = this.peek();
    if (first === '"') return this.string();
    if (first === "{") return this.#object(depth);
    if (first === "[") return this.#array(depth);
    for (const [word, value] of WORDS) {
      if (this.text.startsWith(word, this.position)) {
        this.position += word.length;
        return value;
      }
    }
    return this.#number();
  }

  string(): string {
    this.expect('"');
    let found = "";
    for (;;) {
      found += this.#match(PLAIN);
      const next = this.text.charAt(this.position++);
      if (next === '"') return found;
      if (next !== "\\") this.fail("a string has no end, or a control character in it");
      found += this.#escape();
    }
  }

  #escape(): string {
    const letter = this.text.charAt(this.position++);
    if (Object.hasOwn(ESCAPES, letter)) return ESCAPES[letter] as string;
    const digits = this.text.slice(this.position, this.position + 4);
    if (letter !== "u" || !/^[0-9a-fA-F]{4}$/.test(digits)) this.fail("a string has an invalid escape");
    this.position += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #object(depth: number): Map<string, Json> {
    const found = new Map<string, Json>();
    this.expect("{");
    if (this.peek() === "}") {
      this.position++;
      return found;
    }
    do {
      this.peek();
      const name = this.string();
      if (found.has(name)) this.fail(`an object has the field ${name.slice(0, 60)} twice`);
      this.expect(":");
      found.set(name, this.value(depth + 1));
    } while (this.expect(",}") === ",");
    return found;
  }

  #array(depth: number): Json[] {
    const found: Json[] = [];
    this.expect("[");
    if (this.peek() === "]") {
      this.position++;
      return found;
    }
    do found.push(this.value(depth + 1));
    while (this.expect(",]") === ",");
    return found;
  }

  #number(): Written {
    const text = this.#match(NUMBER_TEXT);
    if (text === "") this.fail("expected a value");
    if (text.length > NUMBER) this.fail("a number has too many digits to be read");
    // Python's decimals end there, too.
    if ((/[eE][-+]?0*([0-9]+)$/.exec(text)?.[1]?.length ?? 0) > 18) this.fail("a number is beyond 10^(10^18)");
    return new Written(text);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.position += found.length;
    return found;
  }

  fail(message: string): never {
    const before = this.text.slice(0, this.position).split("\n");
    const column = (before.at(-1) as string).length + 1;
    throw new FormatRefusal("$", `this is not JSON at line ${before.length}, column ${column}: ${message}.`);
  }
}
