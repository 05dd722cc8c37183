import { liveProblem } from "./check";
import { Live, type LiveConfig } from "./live";
import { readModel } from "./machine/model";
import { PageMachine, type Runs } from "./machine/page";
import { asTrace, type Trace } from "./trace";

/** The trace in the page: base64 of gzipped JSON. */
export async function traceOfPage(): Promise<Trace> {
  const text = document.getElementById("hyloop-trace")?.textContent ?? "";
  if (text.trim() === "")
    throw new Error("This page holds no trace. Write one with: hyloop trace ALGORITHM FILE -o run.html");
  return asTrace(parsed(await unpack(text)));
}

/** What runs an edited hypergraph: the transformer in the page, the server behind it, or both; null if neither. */
export async function runsOfPage(trace: Trace): Promise<Runs | null> {
  const server = liveOfPage();
  const text = document.getElementById("hyloop-model")?.textContent ?? "";
  if (text.trim() === "") return server;
  const model = readModel(new Uint8Array(await (await unpacked(text)).arrayBuffer()));
  return new PageMachine(model, trace, server);
}

/** The server behind the page, if `hyloop view` made it. */
export function liveOfPage(): Live | null {
  const text = document.getElementById("hyloop-live")?.textContent ?? "";
  if (text.trim() === "") return null;
  const config: unknown = parsed(text);
  const wrong = liveProblem(config);
  if (wrong !== null) throw new Error(`The data of hyloop view in this page cannot be read: ${wrong.slice(1)}.`);
  return new Live(config as LiveConfig);
}

const DAMAGED = "The trace in this page is damaged. Write it again with: hyloop trace ALGORITHM FILE -o run.html";

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(DAMAGED);
  }
}

async function unpack(base64: string): Promise<string> {
  return (await unpacked(base64)).text();
}

async function unpacked(base64: string): Promise<Blob> {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser cannot unpack the trace. Open the page in one from 2023 or later.");
  }
  try {
    const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return await new Response(stream).blob();
  } catch {
    throw new Error(DAMAGED);
  }
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64.replace(/\s+/g, ""));
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return bytes;
}
