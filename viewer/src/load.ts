import { libraryProblem, originProblem } from "./check";
import type { Algorithm } from "./edit/model";
import { type JsonLabel, type Label, labelFromJson } from "./labels";
import type { Origin } from "./machine/hif";
import { type Model, readModel } from "./machine/model";
import { type Example, type Machine, PageMachine } from "./machine/page";
import { isRunOf } from "./machine/same";
import { asTrace, isUnverified, type Trace } from "./trace";
import { bytesOf, textOf, unzipped } from "./zip";

/** What `hyloop view` puts into a page: algorithms with their models, and hypergraphs to choose from. */
interface Library {
  algorithms: (Algorithm & { model: string; template: string })[];
  examples: Example[];
}

/** The trace in the page: base64 of gzipped JSON. */
export async function traceOfPage(): Promise<Trace> {
  const text = contentOf("hyloop-trace");
  if (text === "") throw new Error("This page holds no trace. Write one with: hyloop trace ALGORITHM FILE -o run.html");
  return traceIn(text);
}

/** What runs an edited hypergraph: the transformers in the page; null if there are none. */
export async function runsOfPage(trace: Trace): Promise<PageMachine | null> {
  const library = libraryOfPage();
  if (library) return machinesOf(library, trace);
  const text = contentOf("hyloop-model");
  return text === "" || isUnverified(trace) ? null : PageMachine.of(readModel(await unpacked(text)), trace);
}

/**
 * The model whose run the page shows, if nobody vouches for it: to be opened, and not to be run on other hypergraphs.
 * Null where there is none, or where it computes other numbers here than those that were recorded.
 */
export async function unverifiedModelOfPage(trace: Trace): Promise<Model | null> {
  const text = contentOf("hyloop-model");
  if (text === "" || !isUnverified(trace)) return null;
  const model = readModel(await unpacked(text));
  return isRunOf(model, trace) ? model : null;
}

async function machinesOf({ algorithms, examples }: Library, trace: Trace): Promise<PageMachine> {
  const shelves = algorithms.map(({ model, template, ...algorithm }) => ({
    algorithm,
    // The template of the algorithm that is shown is its trace itself.
    open: async (): Promise<Machine> => ({
      model: readModel(await unpacked(model)),
      template: template === "" ? trace : await traceIn(template),
    }),
  }));
  const page = new PageMachine(shelves, examples, trace.hypergraph.name, await originOfPage(trace));
  // So that its inputs can be edited at once.
  const { name } = trace.algorithm;
  if (algorithms.some((each) => each.name === name)) await page.open(name);
  return page;
}

function libraryOfPage(): Library | null {
  const text = contentOf("hyloop-library");
  if (text === "") return null;
  const library: unknown = parsed(text);
  const wrong = libraryProblem(library);
  if (wrong !== null) throw new Error(`The algorithms in this page cannot be read: ${wrong.slice(1)}.`);
  return library as Library;
}

async function originOfPage({ hypergraph }: Trace): Promise<Origin | null> {
  const text = contentOf("hyloop-origin");
  if (text === "") return null;
  const found = parsed(textOf(await unpacked(text)));
  const wrong = originProblem(found);
  if (wrong !== null) throw new Error(`The file in this page cannot be read: ${wrong.slice(1)}.`);
  const { hif, vertices, hyperedges } = found as { hif: string; vertices: JsonLabel[]; hyperedges: JsonLabel[] };
  const paired = (shown: readonly Label[], own: readonly JsonLabel[]) =>
    new Map(shown.map((label, k) => [label, labelFromJson(own[k] as JsonLabel)]));
  return {
    hif,
    vertices: paired(hypergraph.vertices, vertices),
    hyperedges: paired(hypergraph.hyperedges, hyperedges),
  };
}

function contentOf(id: string): string {
  return (document.getElementById(id)?.textContent ?? "").trim();
}

const DAMAGED = "The trace in this page is damaged. Write it again with: hyloop trace ALGORITHM FILE -o run.html";

async function traceIn(base64: string): Promise<Trace> {
  return asTrace(parsed(textOf(await unpacked(base64))));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(DAMAGED);
  }
}

async function unpacked(base64: string): Promise<Uint8Array> {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser cannot unpack the trace. Open the page in one from 2023 or later.");
  }
  try {
    return await unzipped(bytesOf(base64), "gzip");
  } catch {
    throw new Error(DAMAGED);
  }
}
