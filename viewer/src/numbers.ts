// One way to write a number, the twin of src/hyloop/numbers.py: exact, without exponents. test/numbers.json holds both.

export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** Characters of a number that is read; those of hyloop's own traces have fewer than 5,000. */
const LONGEST = 10_000;
/** Characters of a number in a table, and in the picture. */
export const MOST = 40;
export const FEW = 12;

/** "3", "1.5" or "4/3" as a fraction in lowest terms, the inverse of `written`; null for anything else, such as "1e-9". */
export function parseFraction(text: string): Fraction | null {
  const match = text.length <= LONGEST ? /^(-?)([0-9]+)(?:\/([0-9]+)|\.([0-9]+))?$/.exec(text) : null;
  if (!match) return null;
  const [, minus, whole, bottom, decimals] = match;
  const digits = BigInt(`${whole}${decimals ?? ""}`);
  const top = minus ? -digits : digits;
  return reduced(top, bottom === undefined ? 10n ** BigInt(decimals?.length ?? 0) : BigInt(bottom));
}

/** A number of JavaScript as the decimal that it prints, which is how Python's floats are read, too; null: not finite. */
export function fractionOf(value: number): Fraction | null {
  const match = /^(-?[0-9.]+)(?:e([+-][0-9]+))?$/.exec(String(value));
  const digits = match ? parseFraction(match[1] as string) : null;
  if (!match || !digits) return null;
  const exponent = Number(match[2] ?? "0");
  const power = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? reduced(digits.top, digits.bottom * power) : reduced(digits.top * power, digits.bottom);
}

/** "1.5" if the decimals are finite, else "4/3". */
export function written({ top, bottom }: Fraction): string {
  const sign = top < 0n ? "-" : "";
  const places = decimalPlaces(bottom);
  if (places === null) return `${sign}${absolute(top)}/${bottom}`;
  return `${sign}${pointed((absolute(top) * 10n ** BigInt(places)) / bottom, places)}`;
}

/** The same for at most so many characters; else the first digits, none of them rounded, and a sign for more. */
export function short(fraction: Fraction, most: number = MOST): string {
  const sign = fraction.top < 0n ? "-" : "";
  const { top, bottom } = { top: absolute(fraction.top), bottom: fraction.bottom };
  const whole = top / bottom;
  const room = most - sign.length - String(whole).length;
  if (room < 0) return `${sign}${cut(whole, most - sign.length)}`;
  const text = written(fraction);
  if (text.length <= most) return text;
  const places = Math.max(0, room - 2); // the point, and the sign for more
  const shown = (top * 10n ** BigInt(places)) / bottom;
  if (shown === 0n) return `${sign}${cut(top, most >> 1)}/${cut(bottom, most >> 1)}`;
  return `${sign}${pointed(shown, places)}${places === 0 ? "." : ""}…`;
}

/** A number that Python wrote, such as a weight, in at most so many characters. */
export function shortText(text: string, most: number = MOST): string {
  const fraction = parseFraction(text);
  if (!fraction) throw new Error(`${text} is not a number such as 3, 0.25 or 1/3.`);
  return short(fraction, most);
}

/** A number of JavaScript: that of a count, or of a length in units. */
export function numberText(value: number, most: number = MOST): string {
  const fraction = fractionOf(value);
  return fraction ? short(fraction, most) : notFinite(value);
}

/** Kept: `toLocaleString` makes one at every call. */
const COMMAS = new Intl.NumberFormat("en");

/** How many there are of something (rows, iterations), with commas. Numbers of a run have none, so they can be copied. */
export function counted(value: number, most: number = MOST): string {
  return Number.isSafeInteger(value) ? COMMAS.format(value) : numberText(value, most);
}

export function times(one: Fraction, other: Fraction): Fraction {
  return reduced(one.top * other.top, one.bottom * other.bottom) as Fraction;
}

function notFinite(value: number): string {
  if (Number.isNaN(value)) return "not a number";
  return value > 0 ? "∞" : "-∞";
}

/** Digits with a point before the last so many. */
function pointed(digits: bigint, places: number): string {
  const text = String(digits).padStart(places + 1, "0");
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
}

/** The first digits of a whole number of at least 0, and how many there are. */
function cut(whole: bigint, most: number): string {
  const digits = String(whole);
  if (digits.length <= most) return digits;
  const count = `…(${counted(digits.length)} digits)`;
  return `${digits.slice(0, Math.max(4, most - count.length))}${count}`;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function reduced(top: bigint, bottom: bigint): Fraction | null {
  if (bottom === 0n) return null;
  let [a, b] = [absolute(top), bottom];
  while (b !== 0n) [a, b] = [b, a % b];
  return { top: top / a, bottom: bottom / a };
}

/** The number of decimals of a fraction in lowest terms; null if they are infinite. */
function decimalPlaces(bottom: bigint): number | null {
  let [twos, fives, rest] = [0, 0, bottom];
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  return rest === 1n ? Math.max(twos, fives) : null;
}
