import type { Runs } from "./machine/page";
import { asTrace, type Kind, type Trace } from "./trace";

/** What `hyloop view` puts into the page. */
export interface LiveConfig {
  token: string;
  algorithms: { name: string; about: string; inputs: { name: string; kind: Kind }[] }[];
  file: string;
}

/** The server behind a live page: it runs algorithms on edited hypergraphs. */
export class Live implements Runs {
  readonly algorithms: LiveConfig["algorithms"];
  readonly file: string;
  readonly #token: string;

  constructor(config: LiveConfig) {
    this.algorithms = config.algorithms;
    this.file = config.file;
    this.#token = config.token;
  }

  /** Run an algorithm; an error carries the server's sentence. */
  async run(body: unknown): Promise<Trace> {
    return asTrace(await (await this.#post("/api/run", body)).json());
  }

  /** The HIF document of a hypergraph, as text to save. */
  async hif(body: unknown): Promise<string> {
    return (await this.#post("/api/hif", body)).text();
  }

  async #post(path: string, body: unknown): Promise<Response> {
    const answer = await this.#send(path, body);
    if (!answer.ok) throw new Error(await sentence(answer));
    return answer;
  }

  async #send(path: string, body: unknown): Promise<Response> {
    const headers = { "Content-Type": "application/json", "X-Hyloop-Token": this.#token };
    try {
      return await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    } catch {
      throw new Error("The server does not answer. Is `hyloop view` still running?");
    }
  }
}

async function sentence(answer: Response): Promise<string> {
  try {
    const { error } = (await answer.json()) as { error?: unknown };
    if (typeof error === "string" && error !== "") return error;
  } catch {
    // No JSON: fall back to the status.
  }
  return `The server answered ${answer.status}. Reload the page and try again.`;
}
