import { describe, expect, it } from "vitest";
import type { Context } from "../src/picture/marks";
import { Recording } from "../src/recording";
import { stemOf } from "../src/save/download";
import { fitted, fittedHeading, framesOf, headingOf, noFrames, readingTime, scaleOf, wrapped } from "../src/save/film";
import { Colours, Gif } from "../src/save/gif";
import { pngWith, sourceText } from "../src/save/source";
import { escaped, Svg, writable } from "../src/save/svg";
import { harbour } from "./traces";

interface Read {
  width: number;
  height: number;
  delays: number[];
  frames: number[][]; // red, green and blue of each pixel in one number, as it is seen
}

/** A GIF as the standard has it, read without the code that wrote it. */
function readGif(bytes: Uint8Array): Read {
  let at = 13;
  const short = (k: number) => (bytes[k] as number) | ((bytes[k + 1] as number) << 8);
  const [width, height] = [short(6), short(8)];
  const colours = 1 << (((bytes[10] as number) & 7) + 1);
  const palette = Array.from({ length: colours }, (_, k) => {
    const [r, g, b] = [0, 1, 2].map((c) => bytes[13 + 3 * k + c] as number) as [number, number, number];
    return (r << 16) | (g << 8) | b;
  });
  at += 3 * colours;
  const blocks = (from: number): [number[], number] => {
    const all: number[] = [];
    let k = from;
    for (; bytes[k] !== 0; k += 1 + (bytes[k] as number))
      all.push(...bytes.subarray(k + 1, k + 1 + (bytes[k] as number)));
    return [all, k + 1];
  };
  const seen = new Array<number>(width * height).fill(-1);
  const found: Read = { width, height, delays: [], frames: [] };
  let clear = -1;
  for (; bytes[at] !== 0x3b; ) {
    if (bytes[at] === 0x21) {
      if (bytes[at + 1] === 0xf9) {
        found.delays.push(short(at + 4));
        clear = (bytes[at + 3] as number) & 1 ? (bytes[at + 6] as number) : -1;
      }
      at = blocks(at + 2)[1];
      continue;
    }
    expect(bytes[at]).toBe(0x2c);
    const [left, top, wide] = [short(at + 1), short(at + 3), short(at + 5)];
    const least = bytes[at + 10] as number;
    const [data, next] = blocks(at + 11);
    unpacked(data, least).forEach((index, k) => {
      const place = (top + Math.floor(k / wide)) * width + left + (k % wide);
      if (index !== clear) seen[place] = palette[index] as number;
    });
    found.frames.push([...seen]);
    at = next;
  }
  return found;
}

function unpacked(data: readonly number[], least: number): number[] {
  const [clear, stop] = [1 << least, (1 << least) + 1];
  let bit = 0;
  const code = (size: number) => {
    let value = 0;
    for (let k = 0; k < size; k++, bit++) value |= (((data[bit >> 3] as number) >> (bit & 7)) & 1) << k;
    return value;
  };
  const out: number[] = [];
  let words: number[][] = [];
  let [size, last] = [least + 1, null as number[] | null];
  for (;;) {
    const next = code(size);
    if (next === stop) return out;
    if (next === clear) {
      words = Array.from({ length: stop + 1 }, (_, k) => (k < clear ? [k] : []));
      [size, last] = [least + 1, null];
      continue;
    }
    const word = words[next] ?? ([...(last as number[]), (last as number[])[0]] as number[]);
    if (last && words.length < 4096) words.push([...last, word[0] as number]);
    if (words.length === 1 << size && size < 12) size++;
    out.push(...word);
    last = word;
  }
}

function pixelsOf(colours: readonly number[]): Uint8ClampedArray {
  return Uint8ClampedArray.from(colours.flatMap((rgb) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255, 255]));
}

function filmOf(width: number, height: number, frames: readonly number[][], most?: number): Read {
  const colours = new Colours();
  for (const frame of frames) colours.add(pixelsOf(frame));
  const gif = new Gif(width, height, colours.palette(most));
  frames.forEach((frame, k) => {
    gif.add(pixelsOf(frame), 50 + k);
  });
  return readGif(gif.end());
}

/** The same numbers in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe("a GIF", () => {
  it.each([
    [2, 1, 1],
    [3, 7, 5],
    [60, 40, 33],
    [200, 150, 90],
  ])("of %i colours, %i by %i, shows every pixel of every frame", (count, width, height) => {
    const next = random(count);
    // Far enough apart that no two share a bin.
    const colours = Array.from(
      { length: count },
      (_, k) => (((k % 16) * 16) << 16) | ((Math.floor(k / 16) * 16) << 8) | 77,
    );
    const first = Array.from({ length: width * height }, () => colours[next(count)] as number);
    const frames = [first, first.map((c) => (next(9) === 0 ? (colours[next(count)] as number) : c)), first, first];
    const found = filmOf(width, height, frames);
    expect([found.width, found.height]).toEqual([width, height]);
    expect(found.frames).toEqual(frames);
    expect(found.delays).toEqual([50, 51, 52, 53]);
  });

  it("of one colour is small, however large it is", () => {
    const colours = new Colours();
    const pixels = pixelsOf(new Array(400 * 300).fill(0xffffff));
    colours.add(pixels);
    const gif = new Gif(400, 300, colours.palette());
    for (let k = 0; k < 10; k++) gif.add(pixels, 10);
    const bytes = gif.end();
    expect(bytes.length).toBeLessThan(2000);
    expect(new Set(readGif(bytes).frames[9])).toEqual(new Set([0xffffff]));
  });

  it("of more colours than there are numbers has those that most pixels have, and others near by", () => {
    const next = random(5);
    const frame = Array.from({ length: 5000 }, (_, k) => (k % 2 === 0 ? 0xffffff : next(1 << 24)));
    const [seen] = filmOf(100, 50, [frame]).frames as [number[]];
    frame.forEach((rgb, k) => {
      if (rgb === 0xffffff) expect(seen[k]).toBe(rgb);
    });
    expect(new Set(seen).size).toBeLessThanOrEqual(255);
    const off = seen.map((rgb, k) => Math.abs((rgb >> 16) - ((frame[k] as number) >> 16)));
    expect(off.reduce((a, b) => a + b, 0) / off.length).toBeLessThan(24);
  });
});

const RULER = { font: "", measureText: (text: string) => ({ width: text.length * 7 }) } as unknown as Context;

describe("an SVG", () => {
  const svg = () => new Svg(100, 50, RULER as CanvasRenderingContext2D);

  it("has circles, colours and what is seen through", () => {
    const one = svg();
    one.beginPath();
    one.arc(10, 10, 5, 0, 2 * Math.PI);
    one.fillStyle = "rgba(1, 2, 3, 0.5)";
    one.globalAlpha = 0.5;
    one.fill();
    const text = one.text("t");
    expect(text).toContain('<path d="M15 10A5 5 0 0 1');
    expect(text).toContain('fill="rgb(1, 2, 3)" fill-opacity="0.25"');
  });

  it("writes labels as text, whatever is in them", () => {
    const one = svg();
    one.font = "italic 600 12px a, 'b'";
    one.fillText('</text><script>alert(1)</script>"&\u0000\u0007', 1, 2);
    const text = one.text("<b>");
    expect(text).not.toContain("<script");
    expect(text).toContain("&#60;script&#62;alert(1)");
    expect(text).toContain('font-style="italic"');
    expect(text).toContain("<title>&#60;b&#62;</title>");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0008]/);
    expect(escaped("\ud800a")).toBe("a");
  });

  it("has outlines that the page keeps as something else", () => {
    const loop = [
      [0, 0],
      [2, 0],
      [2, 2],
    ];
    const [path] = writable({ outlines: [[loop]] } as never).paths as unknown as { d: string }[];
    expect(path?.d).toBe("M1 1Q0 0 1 0Q2 0 2 1Q2 2 1 1Z");
  });
});

describe("a film", () => {
  const recording = () => new Recording(harbour());

  it("has every layer, or every iteration, of those that are wanted", () => {
    const r = recording();
    const last = r.length - 1;
    expect(framesOf(r, { every: "layer", from: 0, to: 99 })).toEqual(Array.from({ length: r.length }, (_, k) => k));
    const whole = framesOf(r, { every: "iteration", from: 2, to: 4 });
    expect(whole.map((f) => [r.iterationOf(f), r.layerOf(f)])).toEqual([
      [2, r.layers],
      [3, r.layers],
      [4, r.layers],
    ]);
    expect(framesOf(r, { every: "iteration", from: 3, to: 2 })).toEqual([]);
    expect(noFrames({ every: "iteration", from: 3, to: 2 })).toBe("The first iteration is after the last one.");
    expect(noFrames({ every: "iteration", from: 98, to: 99 })).toBe("There is no such iteration.");
    expect(framesOf(r, { every: "layer", from: 0, to: 99 }, 4)).toEqual([0, last / 3, (2 * last) / 3, last]);
  });

  it("is at most twice as large as the picture", () => {
    expect(scaleOf(300, 200)).toBe(2);
    expect(scaleOf(900, 100)).toBe(1);
    expect(scaleOf(600, 1800)).toBe(0.5);
  });

  it("shows a sentence as long as it takes to read it", () => {
    expect(readingTime("")).toBe(0);
    expect(readingTime("Layer 1 picks a boat.")).toBeCloseTo(1.25);
    expect(readingTime("word ".repeat(500))).toBe(7);
  });

  it("says that the hypergraph was edited", () => {
    const { trace } = recording();
    expect(headingOf(trace, false)).toBe("dijkstra · harbour.hif.json · source: Quay");
    expect(headingOf(trace, true)).toBe("dijkstra · harbour.hif.json, edited · source: Quay");
    const unnamed = { ...trace, hypergraph: { ...trace.hypergraph, name: "" } };
    expect(headingOf(unnamed, true)).toBe("dijkstra · edited · source: Quay");
  });

  it("cuts the name of the file before the inputs", () => {
    const { trace } = recording();
    expect(fittedHeading(RULER, trace, false, "f", 217)).toBe("dijkstra · harb… · source: Quay");
    expect(fittedHeading(RULER, trace, false, "f", 1000)).toBe(headingOf(trace, false));
  });

  it("says that the model is unverified, in the picture and in its description", () => {
    const trace = harbour();
    trace.model.verified = "unverified";
    expect(headingOf(trace, false)).toBe("dijkstra · unverified model · harbour.hif.json · source: Quay");
    expect(sourceText(trace, false, "iteration 4 of 8", null)).toBe(
      "hyloop · dijkstra · unverified model · harbour.hif.json · source: Quay · iteration 4 of 8",
    );
  });

  it("breaks sentences between words, and says that there is more", () => {
    expect(wrapped(RULER, "one two three four", "f", 70, 3)).toEqual(["one two", "three four"]);
    expect(wrapped(RULER, "one two three four", "f", 70, 1)).toEqual(["one two t…"]);
    expect(wrapped(RULER, "", "f", 70, 3)).toEqual([]);
    expect(fitted(RULER, "harbour", "f", 35)).toBe("harb…");
  });
});

it("files are called by what they show", () => {
  expect(stemOf("folder/harbour.hif.json.gz")).toBe("harbour");
  expect(stemOf("../<b>.csv")).toBe("b");
  expect(stemOf("")).toBe("hypergraph");
});

describe("where a file comes from", () => {
  it("is algorithm, hypergraph, place and the beginning of the hash, without what breaks a line", () => {
    const trace = harbour();
    const run = "9cb28f3a87671234";
    expect(sourceText(trace, true, "iteration 4 of 8", run)).toBe(
      "hyloop · dijkstra · harbour.hif.json, edited · source: Quay · iteration 4 of 8 · run 9cb28f3a8767…",
    );
    trace.hypergraph.name = "a\nb\u202e";
    expect(sourceText(trace, false, "", null)).toBe("hyloop · dijkstra · a b  · source: Quay");
  });

  it("stands in a chunk after the header of a PNG", () => {
    const header = [...new Uint8Array(8), 0, 0, 0, 1, 73, 72, 68, 82, 7, 0, 0, 0, 0];
    const made = pngWith(Uint8Array.from([...header, 9]), "A", "é");
    expect([...made.subarray(0, header.length)]).toEqual(header);
    expect([...made.subarray(header.length, header.length + 16)]).toEqual([
      ...[0, 0, 0, 8],
      ...[105, 84, 88, 116],
      65,
      0,
      0,
      0,
      0,
      0,
      0xc3,
      0xa9,
    ]);
    expect(made.length).toBe(header.length + 21);
    expect(made.at(-1)).toBe(9);
  });
});
