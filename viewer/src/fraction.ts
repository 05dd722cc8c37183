// Exact fractions, so that lengths are shown as they are and not as floats.

export interface Fraction {
  top: bigint;
  bottom: bigint;
}

/** "3", "1.5" or "4/3" as a fraction in lowest terms; null for anything else. */
export function parseFraction(text: string): Fraction | null {
  const ratio = /^\s*(-?\d+)\s*\/\s*(\d+)\s*$/.exec(text);
  if (ratio) return reduced(BigInt(ratio[1] as string), BigInt(ratio[2] as string));
  const decimal = /^\s*(-?)(\d+)(?:\.(\d+))?\s*$/.exec(text);
  if (!decimal) return null;
  const digits = decimal[3] ?? "";
  const top = BigInt(`${decimal[2]}${digits}`);
  return reduced(decimal[1] ? -top : top, 10n ** BigInt(digits.length));
}

/** As people write it: "1.5" where the decimals end, "4/3" where they do not. */
export function fractionText({ top, bottom }: Fraction): string {
  if (bottom === 1n) return String(top);
  const places = decimalPlaces(bottom);
  if (places === null) return `${top}/${bottom}`;
  const scaled = (top * 10n ** BigInt(places)) / bottom;
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(places + 1, "0");
  return `${scaled < 0n ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

export function times(fraction: Fraction, by: bigint): Fraction {
  return reduced(fraction.top * by, fraction.bottom) as Fraction;
}

function reduced(top: bigint, bottom: bigint): Fraction | null {
  if (bottom === 0n) return null;
  let [a, b] = [top < 0n ? -top : top, bottom];
  while (b !== 0n) [a, b] = [b, a % b];
  return { top: top / a, bottom: bottom / a };
}

/** How many decimals a fraction of that denominator has; null if they never end. */
function decimalPlaces(bottom: bigint): number | null {
  let [twos, fives, rest] = [0, 0, bottom];
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  return rest === 1n ? Math.max(twos, fives) : null;
}
