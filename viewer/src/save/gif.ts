/** Moving pictures as GIF: at most 255 colours for all of them, and of each frame only what is other than before. */

/** Four bytes a pixel, as canvases have them. */
export type Pixels = Uint8ClampedArray | Uint8Array;

const BINS = 1 << 15; // five bits of red, green and blue each
const MOST = 255; // colours; one more number stands for "as before"

function binOf(pixels: Pixels, at: number): number {
  const [r, g, b] = [pixels[at] as number, pixels[at + 1] as number, pixels[at + 2] as number];
  return ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
}

function rgbOf(pixels: Pixels, at: number): number {
  return ((pixels[at] as number) << 16) | ((pixels[at + 1] as number) << 8) | (pixels[at + 2] as number);
}

function channel(rgb: number, k: number): number {
  return (rgb >> (16 - 8 * k)) & 255;
}

interface Bin {
  readonly bin: number;
  readonly count: number;
  readonly rgb: number;
}

/** Which colours there are, and how often. */
export class Colours {
  readonly #count = new Uint32Array(BINS);
  // The colour that most pixels of a bin have, if one has more than half of them (Boyer and Moore's vote).
  readonly #rgb = new Uint32Array(BINS);
  readonly #votes = new Int32Array(BINS);

  add(pixels: Pixels): void {
    for (let at = 0; at < pixels.length; at += 4) {
      const bin = binOf(pixels, at);
      this.#count[bin] = (this.#count[bin] as number) + 1;
      const rgb = rgbOf(pixels, at);
      const votes = this.#votes[bin] as number;
      if (votes === 0) this.#rgb[bin] = rgb;
      this.#votes[bin] = votes === 0 || this.#rgb[bin] === rgb ? votes + 1 : votes - 1;
    }
  }

  /** At most so many colours that stand for all. */
  palette(most = MOST): Palette {
    const bins: Bin[] = [];
    for (let bin = 0; bin < BINS; bin++) {
      const count = this.#count[bin] as number;
      if (count > 0) bins.push({ bin, count, rgb: this.#rgb[bin] as number });
    }
    return new Palette(cut(bins, most));
  }
}

/** Bins in groups: the one that is worst together is divided, at its middle, until there are enough (median cut). */
function cut(bins: Bin[], most: number): Bin[][] {
  const groups = bins.length > 0 ? [bins] : [];
  while (groups.length < most) {
    const costs = groups.map((group) => (group.length < 2 ? 0 : spread(group).width * Math.sqrt(total(group))));
    const worst = costs.indexOf(Math.max(...costs));
    if (!costs[worst]) break;
    groups.push(...divided(groups.splice(worst, 1)[0] as Bin[]));
  }
  return groups;
}

function total(group: readonly Bin[]): number {
  return group.reduce((sum, { count }) => sum + count, 0);
}

function spread(group: readonly Bin[]): { width: number; along: number } {
  const widths = [0, 1, 2].map((k) => {
    const values = group.map(({ rgb }) => channel(rgb, k));
    return Math.max(...values) - Math.min(...values) + 1;
  });
  const width = Math.max(...widths);
  return { width, along: widths.indexOf(width) };
}

function divided(group: readonly Bin[]): [Bin[], Bin[]] {
  const { along } = spread(group);
  const sorted = [...group].sort((a, b) => channel(a.rgb, along) - channel(b.rgb, along));
  const half = total(sorted) / 2;
  let [k, sum] = [0, 0];
  while (k < sorted.length - 1 && (k === 0 || sum < half)) sum += (sorted[k++] as Bin).count;
  return [sorted.slice(0, k), sorted.slice(k)];
}

export class Palette {
  /** Red, green and blue in one number each. */
  readonly colours: readonly number[];
  readonly #index = new Int16Array(BINS).fill(-1);

  constructor(groups: readonly (readonly Bin[])[]) {
    // Flat colours stay what they are: a group is the colour that most of it has.
    this.colours = groups.map((group) => group.reduce((a, b) => (b.count > a.count ? b : a)).rgb);
    groups.forEach((group, k) => {
      for (const { bin } of group) this.#index[bin] = k;
    });
  }

  /** The number of the colour of a pixel. */
  indexOf(pixels: Pixels, at: number): number {
    const bin = binOf(pixels, at);
    const known = this.#index[bin] as number;
    if (known >= 0) return known;
    const found = this.#nearest(rgbOf(pixels, at));
    this.#index[bin] = found;
    return found;
  }

  #nearest(rgb: number): number {
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    this.colours.forEach((colour, k) => {
      const far = [0, 1, 2].reduce((sum, c) => sum + (channel(colour, c) - channel(rgb, c)) ** 2, 0);
      if (far < least) [best, least] = [k, far];
    });
    return best;
  }
}

/** Frames of one size, one after the other, again and again. */
export class Gif {
  readonly #out = new Bytes();
  readonly #bits: number;
  readonly #same: number; // the number for a pixel that stays as it was
  #before: Uint8Array | null = null;

  constructor(
    readonly width: number,
    readonly height: number,
    readonly palette: Palette,
    comment = "",
  ) {
    this.#same = palette.colours.length;
    this.#bits = Math.max(2, Math.ceil(Math.log2(this.#same + 1)));
    this.#out.text("GIF89a");
    this.#out.short(width);
    this.#out.short(height);
    this.#out.byte(0x80 | 0x70 | (this.#bits - 1), 0, 0);
    for (let k = 0; k < 1 << this.#bits; k++) {
      const rgb = palette.colours[k] ?? 0;
      this.#out.byte(channel(rgb, 0), channel(rgb, 1), channel(rgb, 2));
    }
    // Without this block, programs play it once.
    this.#out.byte(0x21, 0xff, 11);
    this.#out.text("NETSCAPE2.0");
    this.#out.byte(3, 1, 0, 0, 0);
    if (comment !== "") this.#comment(new TextEncoder().encode(comment));
  }

  #comment(letters: Uint8Array): void {
    this.#out.byte(0x21, 0xfe);
    for (let k = 0; k < letters.length; k += 255) {
      const part = letters.subarray(k, k + 255);
      this.#out.byte(part.length);
      this.#out.bytes(part);
    }
    this.#out.byte(0);
  }

  /** A frame, and for how many hundredths of a second it is seen. */
  add(pixels: Pixels, hundredths: number): void {
    const now = new Uint8Array(this.width * this.height);
    for (let k = 0; k < now.length; k++) now[k] = this.palette.indexOf(pixels, 4 * k);
    const [left, top, width, height] = this.#changedBox(now);
    this.#out.byte(0x21, 0xf9, 4, 0x04 | 0x01); // stays; has a number for "as before"
    this.#out.short(Math.min(65_535, Math.max(2, Math.round(hundredths))));
    this.#out.byte(this.#same, 0, 0x2c);
    for (const each of [left, top, width, height]) this.#out.short(each);
    this.#out.byte(0, this.#bits);
    packed(this.#part(now, left, top, width, height), this.#bits, this.#out);
    this.#before = now;
  }

  end(): Uint8Array<ArrayBuffer> {
    this.#out.byte(0x3b);
    return this.#out.all();
  }

  /** Left, top, width and height of what is other than before; at least one pixel. */
  #changedBox(now: Uint8Array): [number, number, number, number] {
    const before = this.#before;
    if (!before) return [0, 0, this.width, this.height];
    let [left, right, top, bottom] = [this.width, -1, this.height, -1];
    for (let k = 0; k < now.length; k++) {
      if (now[k] === before[k]) continue;
      const [x, y] = [k % this.width, Math.floor(k / this.width)];
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    return right < 0 ? [0, 0, 1, 1] : [left, top, right - left + 1, bottom - top + 1];
  }

  #part(now: Uint8Array, left: number, top: number, width: number, height: number): Uint8Array {
    const part = new Uint8Array(width * height);
    for (let k = 0; k < part.length; k++) {
      const at = (top + Math.floor(k / width)) * this.width + left + (k % width);
      const index = now[at] as number;
      part[k] = this.#before && this.#before[at] === index ? this.#same : index;
    }
    return part;
  }
}

const LAST_CODE = 4095;

/** Lempel, Ziv and Welch's codes of GIF, in blocks of 255 bytes. */
function packed(indices: Uint8Array, bits: number, out: Bytes): void {
  const [clear, stop] = [1 << bits, (1 << bits) + 1];
  const next = new Uint16Array((LAST_CODE + 1) << bits); // code and index: the code of the longer word; 0: none yet
  const codes = new Codes(out);
  let [size, free] = [bits + 1, stop + 1];
  codes.put(clear, size);
  let word = indices[0] as number;
  for (let k = 1; k < indices.length; k++) {
    const index = indices[k] as number;
    const place = (word << bits) | index;
    const longer = next[place] as number;
    if (longer !== 0) {
      word = longer;
      continue;
    }
    codes.put(word, size);
    if (free <= LAST_CODE) {
      if (free === 1 << size) size++;
      next[place] = free++;
    } else {
      codes.put(clear, size);
      next.fill(0);
      [size, free] = [bits + 1, stop + 1];
    }
    word = index;
  }
  codes.put(word, size);
  // A reader has added a word for this code as well.
  if (free === 1 << size && size < 12) size++;
  codes.put(stop, size);
  codes.end();
}

class Codes {
  readonly #block = new Uint8Array(255);
  #length = 0;
  #held = 0;
  #bits = 0;

  constructor(readonly out: Bytes) {}

  put(code: number, size: number): void {
    this.#held |= code << this.#bits;
    this.#bits += size;
    for (; this.#bits >= 8; this.#bits -= 8) {
      this.#byte(this.#held & 255);
      this.#held >>>= 8;
    }
  }

  end(): void {
    if (this.#bits > 0) this.#byte(this.#held & 255);
    if (this.#length > 0) this.#flush();
    this.out.byte(0);
  }

  #byte(byte: number): void {
    this.#block[this.#length++] = byte;
    if (this.#length === 255) this.#flush();
  }

  #flush(): void {
    this.out.byte(this.#length);
    this.out.bytes(this.#block.subarray(0, this.#length));
    this.#length = 0;
  }
}

class Bytes {
  #held = new Uint8Array(1 << 16);
  #length = 0;

  byte(...bytes: number[]): void {
    this.bytes(Uint8Array.from(bytes));
  }

  short(value: number): void {
    this.byte(value & 255, value >> 8);
  }

  text(text: string): void {
    this.bytes(new TextEncoder().encode(text));
  }

  bytes(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#held.length) {
      const more = new Uint8Array(2 * this.#held.length + bytes.length);
      more.set(this.#held.subarray(0, this.#length));
      this.#held = more;
    }
    this.#held.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  all(): Uint8Array<ArrayBuffer> {
    return this.#held.slice(0, this.#length);
  }
}
