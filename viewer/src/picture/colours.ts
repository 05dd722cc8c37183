/** Colours of the picture: an even scale for values, distinct ones for hyperedges, and those of the two themes. */

type Triple = readonly [number, number, number];

/** OKLCH to 8-bit sRGB; what sRGB cannot show loses chroma until it can. */
export function oklch(lightness: number, chroma: number, hue: number): Triple {
  for (let c = chroma; c > 0.002; c *= 0.94) {
    const rgb = linear(lightness, c, hue);
    if (rgb.every((x) => x >= -0.0005 && x <= 1.0005)) return rgb.map(encoded) as unknown as Triple;
  }
  return linear(lightness, 0, hue).map(encoded) as unknown as Triple;
}

// The matrices are those of Björn Ottosson's OKLab.
function linear(lightness: number, chroma: number, hue: number): number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function encoded(x: number): number {
  const y = Math.min(1, Math.max(0, x));
  return Math.round(255 * (y <= 0.0031308 ? 12.92 * y : 1.055 * y ** (1 / 2.4) - 0.055));
}

export function css([r, g, b]: Triple, alpha = 1): string {
  return alpha === 1 ? `rgb(${r}, ${g}, ${b})` : `rgba(${r}, ${g}, ${b}, ${alpha})`;
}

/** The lightness that people see, 0 to 1, of an 8-bit colour (CIE L*, over 100). */
export function lightnessOf([r, g, b]: Triple): number {
  const flat = (x: number) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4);
  const y = 0.2126 * flat(r) + 0.7152 * flat(g) + 0.0722 * flat(b);
  return y <= 0.008856 ? y * 9.033 : 1.16 * Math.cbrt(y) - 0.16;
}

/**
 * The colour of a share 0 ... 1 of the scale: from deep violet over teal to light yellow. Lightness grows evenly, so that
 * the order is seen without any hue, in print and by colour-blind people too.
 */
export function sequential(share: number): Triple {
  const t = Math.min(1, Math.max(0, share));
  return oklch(0.37 + 0.53 * t, 0.13 + 0.03 * Math.sin(Math.PI * t), 296 - 190 * t);
}

const STEPS = 64;
const SCALE: string[] = Array.from({ length: STEPS + 1 }, (_, k) => css(sequential(k / STEPS)));
const INK: string[] = Array.from({ length: STEPS + 1 }, (_, k) =>
  lightnessOf(sequential(k / STEPS)) > 0.58 ? "#14161a" : "#ffffff",
);

/** The share 0 ... 1 of a value between the least and the most; with a bend, the share grows as the logarithm does. */
export function shareOf(value: number, least: number, most: number, bend = 0): number {
  if (most <= least) return 0;
  const share =
    bend > 0
      ? Math.log1p((value - least) / bend) / Math.log1p((most - least) / bend)
      : (value - least) / (most - least);
  return Math.min(1, Math.max(0, share));
}

/** The value in the middle of the scale. */
export function middleValue(least: number, most: number, bend = 0): number {
  return least + (bend > 0 ? bend * Math.expm1(Math.log1p((most - least) / bend) / 2) : (most - least) / 2);
}

/** Which step of the scale a value is; the first where there is only one value. */
export function stepOf(value: number, least: number, most: number, bend = 0): number {
  return Math.round(shareOf(value, least, most, bend) * STEPS);
}

export function colourOfStep(step: number): string {
  return SCALE[step] ?? (SCALE[0] as string);
}

/** Black or white: what can be read on the colour of a step. */
export function inkOnStep(step: number): string {
  return INK[step] ?? (INK[0] as string);
}

/** The scale as a CSS gradient, for the legend. */
export function gradient(): string {
  return `linear-gradient(to right, ${[0, 8, 16, 24, 32, 40, 48, 56, 64].map(colourOfStep).join(", ")})`;
}

// -- hyperedges ---------------------------------------------------------------------------------------------------

// Hues in an order in which neighbours differ most, for red-green blind people too (blue, orange, ... first).
const HUES = [255, 55, 165, 350, 95, 300, 205, 25];

export interface EdgeStyle {
  line: string;
  fill: string;
  text: string;
  dash: number[];
}

// A second mark beside colour: outlines differ in their pattern.
const DASHES: readonly (readonly number[])[] = [[], [9, 4], [2, 4], [12, 3, 2, 3], [5, 3]];

/** How hyperedge number `k` (from 0) is drawn. */
export function edgeStyle(k: number, dark: boolean): EdgeStyle {
  const hue = (HUES[k % HUES.length] as number) + 14 * Math.floor(k / HUES.length);
  return {
    line: css(oklch(dark ? 0.74 : 0.58, 0.13, hue)),
    fill: css(oklch(dark ? 0.7 : 0.72, 0.12, hue), dark ? 0.13 : 0.14),
    text: css(oklch(dark ? 0.84 : 0.42, 0.11, hue)),
    dash: [...(DASHES[(k + Math.floor(k / HUES.length)) % DASHES.length] as readonly number[])],
  };
}

// -- themes -------------------------------------------------------------------------------------------------------

export interface Theme {
  dark: boolean;
  ground: string;
  ink: string;
  soft: string; // second-rank text
  faint: string; // lines that join
  hollow: string; // the inside of a vertex that has no value
  rim: string;
  current: string;
  frontier: string;
  changed: string;
  answer: string; // what is in the answer
  selected: string;
  tree: string;
  link: string;
}

const LIGHT: Theme = {
  dark: false,
  ground: "#ffffff",
  ink: "#1b1f27",
  soft: "#5a6272",
  faint: "#c3c9d4",
  hollow: "#ffffff",
  rim: "#3d4452",
  current: "#c2410c",
  frontier: "#0b67a8",
  changed: "#f5a524",
  answer: "#0a7a3d",
  selected: "#b0127b",
  tree: "#2b3140",
  link: "#7c3aed",
};

const DARK: Theme = {
  dark: true,
  ground: "#14171d",
  ink: "#e8ebf1",
  soft: "#a2abbb",
  faint: "#434b59",
  hollow: "#14171d",
  rim: "#c9d0dc",
  current: "#ff9b5e",
  frontier: "#6cc3ff",
  changed: "#ffc14d",
  answer: "#62d494",
  selected: "#ff7ccb",
  tree: "#dfe4ee",
  link: "#b69cff",
};

export function themeOf(dark: boolean): Theme {
  return dark ? DARK : LIGHT;
}
