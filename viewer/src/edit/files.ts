/** Hypergraphs to begin with: examples to choose from, and files of one's own. */

import { button, el, setText } from "../dom";
import type { Origin } from "../machine/hif";
import type { Hypergraph } from "../machine/hypergraph";
import type { Example } from "../machine/page";
import type { Point } from "../machine/positions";
import { Refusal } from "../machine/refusal";
import { formatOf, readHypergraph } from "../read";
import { readAs } from "../read/told";
import { textOf, unzipped } from "../zip";
import type { Source } from "./model";

export interface FilesEvents {
  /** A model file, as its bytes. */
  model(bytes: Uint8Array, name: string): void;
  hypergraph(h: Hypergraph, source: Source): void;
  failed(sentence: string): void;
}

/** Bytes of a file that a page reads, packed or not. */
const MOST = 2 ** 26;

export class Files {
  readonly node: HTMLElement;
  readonly #examples: readonly Example[];
  readonly #on: FilesEvents;
  readonly #choice = el("select", { "data-testid": "edit-example", "aria-label": "Hypergraph" });

  readonly #told = el("p", { class: "edit-about", role: "status", hidden: true, "data-testid": "edit-read" });
  /** What is odd about the file that was opened. */
  readonly warnings = el("div", {
    class: "edit-warnings",
    role: "status",
    hidden: true,
    "data-testid": "edit-warnings",
  });

  constructor(examples: readonly Example[], on: FilesEvents) {
    this.#examples = examples;
    this.#on = on;
    const input = el("input", { type: "file", hidden: true, "aria-label": "Open a file", "data-testid": "edit-file" });
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      if (file) void this.read(file);
      input.value = ""; // so that the same file can be chosen again
    });
    const open = button(
      "Open a file: HIF, an edge list or an incidence table (CSV), or a model (.safetensors); it stays on this machine",
      { class: "edit-open", "data-testid": "edit-open" },
      () => input.click(),
      "Open a file …",
    );
    this.#choice.addEventListener("change", () => this.#chosen());
    const which = el("span", { class: "edit-which" }, examples.length > 0 ? this.#choice : null, open, input);
    this.node = el(
      "div",
      {},
      el("div", { class: "edit-line" }, el("span", {}, "Hypergraph"), which),
      this.#told,
      this.warnings,
    );
  }

  /** Show which one is edited. */
  show({ name, told = "", warnings = [] }: Source): void {
    setText(this.#told, told);
    this.#told.hidden = told === "";
    this.warnings.replaceChildren(...warnings.map((each) => el("p", {}, each)));
    this.warnings.hidden = warnings.length === 0;
    const known = this.#examples.some((each) => each.name === name);
    const other = known ? [] : [el("option", { value: "" }, name || "unnamed")];
    const options = this.#examples.map((each) => el("option", { value: each.name, title: each.about }, each.name));
    this.#choice.replaceChildren(...other, ...options);
    this.#choice.value = known ? name : "";
  }

  /** The hypergraph in a file; what is wrong with it is told. */
  async read(file: File): Promise<void> {
    try {
      if (isModel(file.name)) {
        this.#on.model(await bytesOf(file), file.name);
        return;
      }
      const [h, source] = await hypergraphIn(file);
      this.#on.hypergraph(h, source);
    } catch (error) {
      const why = error instanceof Refusal ? error.message : "it cannot be read.";
      const told = isModel(file.name) ? `${why} What a page does not take, Python may: hyloop view MODEL FILE` : why;
      this.#on.failed(`${file.name}: ${told}`);
    }
  }

  #chosen(): void {
    const example = this.#examples.find(({ name }) => name === this.#choice.value);
    if (!example) return;
    const warnings: string[] = [];
    const h = readHypergraph(new TextEncoder().encode(example.hif), "hif", (each) => warnings.push(each));
    const places = new Map(h.vertices.map((label, k) => [label, example.positions[k] as Point]));
    this.#on.hypergraph(h, { name: example.name, places, origin: originOf(example.hif), warnings });
  }
}

/** A file whose labels are those that are shown. */
function originOf(hif: string): Origin {
  return { hif, vertices: new Map(), hyperedges: new Map() };
}

/** Whether a file is a model, by the end of its name. */
function isModel(name: string): boolean {
  return /\.safetensors$/i.test(name);
}

async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > MOST) throw new Refusal("this file is too large for a page. Use hyloop run or hyloop trace.");
  return new Uint8Array(await file.arrayBuffer());
}

/** By the end of its name, with its text if it is HIF, and how it was read; a file that is gzipped is unpacked. */
async function hypergraphIn(file: File): Promise<[Hypergraph, Source]> {
  const format = formatOf(file.name.replace(/\.gz$/i, ""));
  if (format === null)
    throw new Refusal(
      "the end of its name must say what it is: .json or .hif (HIF), .txt or .edges (edge list), .csv or .tsv (incidence table), .safetensors (a model of hyloop's).",
    );
  const bytes = await bytesOf(file);
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (/\.gz$/i.test(file.name) && !packed) throw new Refusal("the name ends in .gz, but this is not a gzip file.");
  const plain = packed ? await unpackedFile(bytes) : bytes;
  const warnings: string[] = [];
  const h = readHypergraph(plain, format, (each) => warnings.push(each));
  const origin = format === "hif" ? originOf(textOf(plain)) : null;
  return [h, { name: file.name, places: new Map(), origin, told: readAs(h, format), warnings }];
}

async function unpackedFile(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  try {
    return await unzipped(bytes, "gzip", MOST);
  } catch (error) {
    const large = error instanceof RangeError;
    throw new Refusal(large ? "unpacked, it is too large for a page." : "it is not a complete gzip file.");
  }
}
