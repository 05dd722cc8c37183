/** A canvas that writes SVG: the marks of the picture are drawn on it as on any other. */

import type { Point } from "../picture/geometry";
import type { Layout } from "../picture/layout";
import type { Context } from "../picture/marks";

type Measure = Pick<CanvasRenderingContext2D, "measureText" | "font">;

/** An outline that is kept as text; the browser's own kind does not tell what it is. */
interface Outline {
  readonly d: string;
}

/** The letters of a file: of the same width on most machines, which the page's own are not. */
export const FILE_FACE = "Helvetica, Arial, sans-serif";

export class Svg {
  // Those that the marks set, with what a canvas begins with.
  globalAlpha = 1;
  fillStyle = "#000000";
  strokeStyle = "#000000";
  lineWidth = 1;
  lineCap = "butt";
  lineJoin = "miter";
  font = "400 10px sans-serif";
  textAlign: CanvasTextAlign = "start";
  textBaseline: CanvasTextBaseline = "alphabetic";
  readonly #parts: string[] = [];
  readonly #measure: Measure;
  #path = "";
  #dash: readonly number[] = [];

  constructor(
    readonly width: number,
    readonly height: number,
    measure: Measure,
  ) {
    this.#measure = measure;
  }

  /** What the marks take for a canvas. */
  get context(): Context {
    return this as unknown as Context;
  }

  get canvas(): { width: number; height: number } {
    return { width: this.width, height: this.height };
  }

  /** The file; the title is what programs read aloud, the description says where it comes from. */
  text(title: string, from = ""): string {
    const [width, height] = [short(this.width), short(this.height)];
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" role="img">\n` +
      `<title>${escaped(title)}</title>\n${from && `<desc>${escaped(from)}</desc>\n`}${this.#parts.join("\n")}\n</svg>\n`
    );
  }

  beginPath(): void {
    this.#path = "";
  }

  moveTo(x: number, y: number): void {
    this.#path += `M${short(x)} ${short(y)}`;
  }

  lineTo(x: number, y: number): void {
    this.#path += `L${short(x)} ${short(y)}`;
  }

  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    this.#path += `Q${short(cx)} ${short(cy)} ${short(x)} ${short(y)}`;
  }

  closePath(): void {
    this.#path += "Z";
  }

  /** In parts of less than half a turn: SVG has no whole circles. */
  arc(x: number, y: number, radius: number, from: number, to: number): void {
    const parts = Math.ceil((to - from) / (0.9 * Math.PI));
    const at = (k: number): Point => {
      const angle = from + ((to - from) * k) / parts;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    };
    const [sx, sy] = at(0);
    this.#path += `${this.#path === "" || this.#path.endsWith("Z") ? "M" : "L"}${short(sx)} ${short(sy)}`;
    for (let k = 1; k <= parts; k++) {
      const [px, py] = at(k);
      this.#path += `A${short(radius)} ${short(radius)} 0 0 1 ${short(px)} ${short(py)}`;
    }
    if (to - from >= 2 * Math.PI) this.#path += "Z";
  }

  roundRect(x: number, y: number, width: number, height: number, radius: number): void {
    const r = Math.min(radius, width / 2, height / 2);
    const curve = (px: number, py: number) => `A${short(r)} ${short(r)} 0 0 1 ${short(px)} ${short(py)}`;
    this.#path +=
      `M${short(x + r)} ${short(y)}H${short(x + width - r)}${curve(x + width, y + r)}` +
      `V${short(y + height - r)}${curve(x + width - r, y + height)}H${short(x + r)}${curve(x, y + height - r)}` +
      `V${short(y + r)}${curve(x + r, y)}Z`;
  }

  fill(outline?: Outline): void {
    this.#shape(outline?.d ?? this.#path, this.#filled());
  }

  stroke(outline?: Outline): void {
    this.#shape(outline?.d ?? this.#path, `fill="none" ${this.#stroked()}`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.#parts.push(`<rect ${boxed(x, y, width, height)} ${this.#filled()}/>`);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.#parts.push(`<rect ${boxed(x, y, width, height)} fill="none" ${this.#stroked()}/>`);
  }

  setLineDash(dash: readonly number[]): void {
    this.#dash = [...dash];
  }

  fillText(text: string, x: number, y: number): void {
    this.#written(text, x, y, this.#filled());
  }

  strokeText(text: string, x: number, y: number): void {
    this.#written(text, x, y, `fill="none" ${this.#stroked()}`);
  }

  measureText(text: string): TextMetrics {
    this.#measure.font = inFile(this.font);
    return this.#measure.measureText(text);
  }

  /** Thousands of dots come as one image. */
  drawImage(image: HTMLCanvasElement): void {
    const [width, height] = [short(this.width), short(this.height)];
    const opacity = this.globalAlpha === 1 ? "" : ` opacity="${short(this.globalAlpha)}"`;
    this.#parts.push(`<image width="${width}" height="${height}" href="${image.toDataURL()}"${opacity}/>`);
  }

  getTransform(): { a: number; e: number; f: number } {
    return { a: 1, e: 0, f: 0 };
  }

  // Only around an image, which is where it belongs anyway.
  save(): void {}
  restore(): void {}
  setTransform(): void {}

  #shape(d: string, look: string): void {
    if (d !== "") this.#parts.push(`<path d="${d}" ${look}/>`);
  }

  #filled(): string {
    return painted("fill", this.fillStyle, this.globalAlpha);
  }

  #stroked(): string {
    const dash = this.#dash.length > 0 ? ` stroke-dasharray="${this.#dash.map(short).join(" ")}"` : "";
    const cap = this.lineCap === "butt" ? "" : ` stroke-linecap="${this.lineCap}"`;
    const join = this.lineJoin === "miter" ? "" : ` stroke-linejoin="${this.lineJoin}"`;
    return `${painted("stroke", this.strokeStyle, this.globalAlpha)} stroke-width="${short(this.lineWidth)}"${dash}${cap}${join}`;
  }

  #written(text: string, x: number, y: number, look: string): void {
    const { style, weight, size } = fontOf(this.font);
    const anchor = ANCHORS[this.textAlign] ?? "start";
    // Few programs know what a middle is; a third of the letters' size does as well.
    const down = this.textBaseline === "middle" ? 0.35 * size : 0;
    this.#parts.push(
      `<text x="${short(x)}" y="${short(y + down)}" font-family="${FILE_FACE}" font-size="${size}" ` +
        `font-weight="${weight}"${style} text-anchor="${anchor}" ${look}>${escaped(text)}</text>`,
    );
  }
}

const ANCHORS: { [align in CanvasTextAlign]?: string } = { center: "middle", right: "end", end: "end" };

/** The layout with outlines that can be written. */
export function writable(layout: Layout): Layout {
  return { ...layout, paths: layout.outlines.map((loops) => ({ d: outlineOf(loops) })) as unknown as Path2D[] };
}

/** Through the middles, with the points as controls, as on the page. */
function outlineOf(loops: readonly (readonly Point[])[]): string {
  return loops
    .map((loop) => {
      const middle = (k: number): string => {
        const [a, b] = [loop[k % loop.length] as Point, loop[(k + 1) % loop.length] as Point];
        return `${short((a[0] + b[0]) / 2)} ${short((a[1] + b[1]) / 2)}`;
      };
      const curves = loop.map(([x, y], k) => `Q${short(x)} ${short(y)} ${middle(k)}`);
      return `M${middle(loop.length - 1)}${curves.join("")}Z`;
    })
    .join("");
}

function boxed(x: number, y: number, width: number, height: number): string {
  return `x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
}

/** A colour and how much is seen through it, which SVG has apart. */
function painted(what: "fill" | "stroke", colour: string, alpha: number): string {
  const parts = /^rgba\((.+),\s*([\d.]+)\)$/.exec(colour);
  const [plain, own] = parts ? [`rgb(${parts[1]})`, Number(parts[2])] : [colour, 1];
  const opacity = own * alpha;
  return `${what}="${escaped(plain)}"${opacity === 1 ? "" : ` ${what}-opacity="${short(opacity)}"`}`;
}

/** A font of the page with the letters of a file. */
function inFile(font: string): string {
  return font.replace(/(?<=px ).+$/, FILE_FACE);
}

function fontOf(font: string): { style: string; weight: string; size: number } {
  const parts = /^(italic )?(\d+ )?([\d.]+)px /.exec(font);
  const style = parts?.[1] ? ' font-style="italic"' : "";
  return {
    style,
    weight: (parts?.[2] ?? "400").trim(),
    size: Number(parts?.[3] ?? 10),
  };
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Labels are text, whatever is in them; characters that XML does not have are left out. */
export function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
