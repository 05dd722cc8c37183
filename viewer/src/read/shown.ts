/** Values as Python's messages show them, so that both readers have the same sentences: the twin of `shown` in Python. */

import type { Label } from "../labels";
import { shortText } from "../numbers";
import { type Json, Written } from "./exact_json";
import { integerOf } from "./fields";

/** Characters of a value in a sentence. */
const MOST = 60;
/** Exponents of decimals that are written out. */
const MODERATE = 4000;

/** A label: an integer as digits, a text in quotes. */
export function shownLabel(label: Label): string {
  return typeof label === "string" ? cut(inQuotes(label)) : shortText(String(label), MOST);
}

/** A value of a JSON file: a number as people write it, else as Python writes it, in one line. */
export function shownJson(value: Json): string {
  if (!(value instanceof Written)) return cut(asPython(value));
  const { sign, digits, exponent } = partsOf(value);
  if (Math.abs(exponent) > MODERATE) return cut(decimalText(value));
  const text = exponent > 0 ? digits + "0".repeat(exponent) : pointed(digits, exponent);
  return shortText(sign + text, MOST);
}

/** A text with whatever is not ASCII escaped. */
export function inAscii(text: string): string {
  return inQuotes(text, /[ -~]/);
}

/** A text in the quotes that need no escape, if there are any; what cannot be printed is escaped. */
function inQuotes(text: string, plain = /[^\p{C}\p{Z}]| /u): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const letters = Array.from(text, (each) => {
    if (each === quote || each === "\\") return `\\${each}`;
    return ESCAPED[each] ?? (plain.test(each) ? each : escaped(each.codePointAt(0) as number));
  });
  return `${quote}${letters.join("")}${quote}`;
}

const ESCAPED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(code: number): string {
  const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.toString(16).padStart(digits, "0")}`;
}

function asPython(value: Json): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return inQuotes(value);
  if (value instanceof Written) return value.isInteger ? integerOf(value.text) : `Decimal('${decimalText(value)}')`;
  if (Array.isArray(value)) return `[${value.map(asPython).join(", ")}]`;
  return `{${[...value].map(([name, each]) => `${inQuotes(name)}: ${asPython(each)}`).join(", ")}}`;
}

/** The digits of a number, and the power of ten by which they count. */
export function partsOf({ text }: Written): { sign: string; digits: string; exponent: number } {
  const [mantissa = "", power = "0"] = text.replace(/^-/, "").toLowerCase().split("e");
  const [before = "", after = ""] = mantissa.split(".");
  const digits = `${before}${after}`.replace(/^0+(?=.)/, "");
  return { sign: text.startsWith("-") ? "-" : "", digits, exponent: Number(power) - after.length };
}

/** As Python's decimals are written: with an exponent where one was stated, or where many zeros would be. */
function decimalText(value: Written): string {
  const { sign, digits, exponent } = partsOf(value);
  const first = exponent + digits.length - 1;
  if (exponent <= 0 && first >= -6) return sign + pointed(digits, exponent);
  const rest = digits.length > 1 ? `.${digits.slice(1)}` : "";
  return `${sign}${digits[0]}${rest}E${first < 0 ? "" : "+"}${first}`;
}

function pointed(digits: string, exponent: number): string {
  if (exponent === 0) return digits;
  const padded = digits.padStart(1 - exponent, "0");
  return `${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** At most one line. */
function cut(text: string): string {
  const letters = [...text];
  return letters.length <= MOST ? text : `${letters.slice(0, MOST - 3).join("")}...`;
}
