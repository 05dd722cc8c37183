import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { labelInJson } from "../src/labels";
import { Refusal } from "../src/machine/refusal";
import { written } from "../src/numbers";
import { type Format, formatOf, readHypergraph } from "../src/read";
import { FormatRefusal } from "../src/read/fields";
import { readAs } from "../src/read/told";

interface Answer {
  refused?: string;
  /** The characters that are not seen, and that the refusal names. */
  names?: string[];
  vertices?: unknown[];
  warnings?: string[];
}

// Python answers: scripts/reader_cases.py.
const file = process.env.HYLOOP_READER_CASES ?? new URL("./readers.json", import.meta.url);
const cases = JSON.parse(readFileSync(file, "utf8")) as ({ format: Format; data: string } & Answer)[];

function answer(format: Format, bytes: Uint8Array): Answer {
  try {
    const warnings: string[] = [];
    const { weights, vertices, hyperedges, ...rest } = readHypergraph(bytes, format, (each) => warnings.push(each));
    const labels = { vertices: vertices.map(labelInJson), hyperedges: hyperedges.map(labelInJson) };
    return {
      ...(warnings.length > 0 ? { warnings } : {}),
      ...labels,
      weights: weights.map(written),
      ...rest,
    } as Answer;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const names = error.message.match(/U\+[0-9A-F]{4,}/g);
    return { refused: error instanceof FormatRefusal ? error.where : "", ...(names && { names: [...names] }) };
  }
}

/** The line of a table or list; of JSON only that it is refused: other parsers lose their way at other places. */
const place = (format: Format, { refused, ...rest }: Answer): Answer =>
  refused !== undefined && format === "hif" ? { refused: "" } : { ...rest, ...(refused !== undefined && { refused }) };

describe.each(["hif", "edge-list", "incidence-csv"] as const)("files of the format %s", (format) => {
  const mine = cases.filter((each) => each.format === format);

  it(`are read as Python reads them, with the same warnings, or refused at the same place (${mine.length})`, {
    timeout: 60_000,
  }, () => {
    for (const { format: _, data, ...wanted } of mine) {
      const bytes = new Uint8Array(Buffer.from(data, "base64"));
      const found = answer(format, bytes);
      expect({ file: Buffer.from(bytes).toString("latin1").slice(0, 300), ...place(format, found) }).toEqual({
        file: Buffer.from(bytes).toString("latin1").slice(0, 300),
        ...place(format, wanted),
      });
    }
  });

  it("are of both kinds", () => {
    expect(mine.some(({ refused }) => refused !== undefined)).toBe(true);
    expect(mine.some(({ vertices }) => vertices && vertices.length > 2)).toBe(true);
    expect(mine.some(({ warnings }) => warnings)).toBe(true);
  });
});

it("tells the format by the name", () => {
  expect(["a.hif.json", "b.TXT", "c.csv", "d.tsv", "e.png"].map(formatOf)).toEqual([
    "hif",
    "edge-list",
    "incidence-csv",
    "incidence-csv",
    null,
  ]);
});

describe("how a file was read", () => {
  const told = (text: string, format: Format = "edge-list") =>
    readAs(readHypergraph(new TextEncoder().encode(text), format), format);

  it("is told with counts and weights", () => {
    expect(told("a b | 1/2\nb c | 2\n* d")).toBe(
      "Read as an edge list: 2 hyperedges, 4 vertices, weights from 0.5 to 2.",
    );
    expect(told("edge,vertex\nferry,Quay", "incidence-csv")).toContain("Read as an incidence table: 1 hyperedge,");
  });

  it("hints at weights where every line has one number", () => {
    const hint = "If these are weights, write them after a bar: a b | 2";
    expect(told("a b 2\nb c 1\nc a 2.5")).toBe(
      `Read as an edge list: 3 hyperedges, 6 vertices, all weights 1. Every hyperedge has one number among its vertices. ${hint}`,
    );
    for (const other of ["a b 2\nb c", "1 2\n2 3", "a b | 2\nb c | 1", "a 1 2"])
      expect(told(other)).not.toContain(hint);
  });
});
