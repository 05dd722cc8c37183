/** Labels and numbers as the text formats write them: the twin of io/fields.py and hypergraph/labels.py in Python. */

import type { Label } from "../labels";
import { Refusal } from "../machine/refusal";
import type { Fraction } from "../numbers";

/** Digits of the two numbers of a fraction, and of a label that is an integer. */
const DIGITS = 1000;
/** Characters of a label, and of a number as it is written. */
const LABEL = 10_000;
const NUMBER = 5000;
const TOO_LONG = 10n ** BigInt(DIGITS);

/** Characters that only some programs treat as line ends. */
export const OTHER_LINE_ENDS = "\\x0b\\x0c\\x1c\\x1d\\x1e\\x85\\u2028\\u2029";
export const BYTE_ORDER_MARK = "\ufeff";

/** "U+2028" */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The sentence that refuses one of `OTHER_LINE_ENDS`. */
export function otherLineEnd(character: string): string {
  return (
    `here stands the character ${codePoint(character)}, which some programs take for the end of a line; ` +
    "end lines with a line feed, or put the label that contains it in double quotes."
  );
}

/** The sentence that refuses a byte order mark that is not at the beginning of a file. */
export const JOINED_FILES =
  "here stands U+FEFF, the byte order mark with which some programs begin a file, as where files were joined; " +
  "take it out, or put the label that contains it in double quotes.";

/** White space, as Python has it: a byte order mark is none, some control characters are. */
export const WHITE = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";

/** Takes a sentence about a file that is read all the same. */
export type Warn = (sentence: string) => void;

/** The place of what is wrong with a JSON file as a whole. */
const WHOLE = "$";

/** What is wrong with a file, and where. */
export class FormatRefusal extends Refusal {
  constructor(
    readonly where: string,
    sentence: string,
  ) {
    super(where === WHOLE ? sentence : `${where}: ${sentence}`);
  }
}

/** Run something; a refusal gets the place. */
export function at<T>(where: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Refusal) || error instanceof FormatRefusal) throw error;
    throw new FormatRefusal(where, error.message);
  }
}

/** As Python's `strip` has it. */
export function stripped(text: string): string {
  return text.replace(new RegExp(`^${WHITE}+|${WHITE}+$`, "g"), "");
}

/** A weight without the blanks around it. Other white space is no blank, and a weight that has it is no number. */
export function withoutBlanks(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isBlank(text[from])) from += 1;
  while (to > from && isBlank(text[to - 1])) to -= 1;
  return text.slice(from, to);
}

const isBlank = (character: string | undefined): boolean => character === " " || character === "\t";

// -- labels -----------------------------------------------------------------------------------------------------------

/** An integer if it looks like one (7, -7; not 07), else the string. */
export function labelFromText(text: string): Label {
  return /^(?:0|-?[1-9][0-9]*)$/.test(text) ? integerLabel(text) : textLabel(text);
}

/** The digits of an integer of JSON, which may be -0. */
export function integerOf(text: string): string {
  return text === "-0" ? "0" : text;
}

export function integerLabel(digits: string): Label {
  if (digits.replace("-", "").length > DIGITS)
    throw new Refusal(`An integer of more than ${DIGITS} digits cannot be a label.`);
  const value = BigInt(digits);
  const small = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
  return small ? Number(value) : value;
}

export function textLabel(text: string): string {
  if (text.length > LABEL && [...text].length > LABEL)
    throw new Refusal(`A text of more than ${LABEL.toLocaleString("en")} characters cannot be a label.`);
  if (/[\ud800-\udfff]/u.test(text)) throw new Refusal("A label is not valid Unicode text.");
  return text;
}

/** A key for maps: 1 and "1" are different labels. */
export function keyOf(label: Label): string {
  return typeof label === "string" ? `"${label}` : String(label);
}

// -- numbers ----------------------------------------------------------------------------------------------------------

const RATIO = /^([+-]?[0-9]+)\/([0-9]+)$/;
const DECIMAL = /^([+-]?)(?:([0-9]+)\.?([0-9]*)|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?$/;

/** The number that a text states: an integer, a decimal or a fraction p/q. */
export function numberFromText(text: string): Fraction {
  if (text.length > NUMBER) throw new Refusal(`A number has ${text.length.toLocaleString("en")} characters.`);
  const ratio = RATIO.exec(text);
  if (ratio && BigInt(ratio[2] as string) !== 0n)
    return exact(BigInt(unsigned(ratio[1] as string)), BigInt(ratio[2] as string));
  if (ratio || !DECIMAL.test(text))
    throw new Refusal(`${short(text)} is not a number; expected one like 3, 0.25 or 1/3.`);
  return decimal(text);
}

/** A decimal number, with or without an exponent, as it is. */
export function decimal(text: string): Fraction {
  const [, sign, whole = "", after = "", only = "", power = "0"] = DECIMAL.exec(text) as RegExpExecArray;
  const decimals = after || only;
  const digits = `${whole}${decimals}`.replace(/^0+(?=.)/, "");
  const shift = power.replace(/^[+-]?0*(?=.)/, "").length > 9 ? Number.NaN : Number(power);
  const exponent = shift - decimals.length;
  // The exponents of both ends: a number such as 1e9999999 is never written out.
  const ends = [exponent, digits.length + exponent - 1];
  if (!ends.every((end) => Math.abs(end) <= 4 * DIGITS)) throw tooLong(text);
  const top = BigInt(digits) * (sign === "-" ? -1n : 1n);
  const ten = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? exact(top, ten, text) : exact(top * ten, 1n, text);
}

function unsigned(text: string): string {
  return text.replace(/^\+/, "");
}

function exact(top: bigint, bottom: bigint, text = ""): Fraction {
  let [a, b] = [top < 0n ? -top : top, bottom];
  while (b !== 0n) [a, b] = [b, a % b];
  const found = { top: top / a, bottom: bottom / a };
  if ((found.top < 0n ? -found.top : found.top) >= TOO_LONG || found.bottom >= TOO_LONG) throw tooLong(text);
  return found;
}

function tooLong(text: string): Refusal {
  return new Refusal(`${short(text)} is beyond the limit of ${DIGITS} digits for the two numbers of a fraction.`);
}

export function positive(weight: Fraction, hyperedge: Label): Fraction {
  if (weight.top > 0n) return weight;
  throw new Refusal(`The weight of hyperedge ${short(String(hyperedge))} is not above 0; a weight must be positive.`);
}

export function short(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
