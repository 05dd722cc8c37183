/** What is under the pointer, in words. Labels become text nodes only. */

import { el } from "../dom";
import { isolated, unmarked } from "../isolate";
import { shortText } from "../numbers";
import type { Recording, Thing } from "../recording";
import { type Graph, plainText } from "./graph";

const MOST_ROWS = 12;

export class Tooltip {
  readonly node = el("div", { class: "picture-tip", role: "tooltip", hidden: true, "data-testid": "picture-tip" });

  hide(): void {
    this.node.hidden = true;
  }

  show(recording: Recording, graph: Graph, thing: Thing, x: number, y: number, width: number, height: number): void {
    this.#place([head(graph, thing), ...rowsOf(recording, thing)], x, y, width, height);
  }

  /** The same for a mark that is no vertex and no hyperedge. */
  say(name: string, about: string, x: number, y: number, width: number, height: number): void {
    this.#place([title(name, about)], x, y, width, height);
  }

  #place(parts: readonly HTMLElement[], x: number, y: number, width: number, height: number): void {
    this.node.replaceChildren(...parts);
    this.node.hidden = false;
    const [w, h] = [this.node.offsetWidth, this.node.offsetHeight];
    const left = x + 16 + w > width ? x - 16 - w : x + 16;
    this.node.style.left = `${Math.max(4, left)}px`;
    this.node.style.top = `${Math.max(4, Math.min(height - h - 4, y + 12))}px`;
  }
}

function head(graph: Graph, { scope, row }: Thing): HTMLElement {
  if (scope === "vertices") {
    const edges = graph.edgesOf[row]?.length ?? 0;
    return title(graph.vertexText[row] ?? "", `vertex ${row}, in ${edges} ${edges === 1 ? "hyperedge" : "hyperedges"}`);
  }
  const members = graph.members[row] ?? [];
  const names = members.slice(0, 8).map((v) => graph.vertexText[v] ?? "");
  const more = members.length > names.length ? `, … ${members.length} in all` : "";
  return title(
    graph.edgeText[row] ?? "",
    `hyperedge ${row}, weight ${shortText(graph.weights[row] as string)}: ${names.map(isolated).join(", ")}${more}`,
  );
}

function title(name: string, about: string): HTMLElement {
  return el("div", { class: "picture-tip-head" }, el("strong", {}, name), el("span", {}, about));
}

function rowsOf(recording: Recording, { scope, row }: Thing): HTMLElement[] {
  const rows: HTMLElement[] = [];
  for (const [name, { scope: its, variable }] of namesOf(recording)) {
    // Values without a name of their own are called by their expression: too long for here.
    if (its !== scope || variable?.named === false) continue;
    const named = recording.standing(name);
    if (named === null) continue;
    const wrong = recording.expectedOf(named, row) !== recording.valueOf(named, row);
    const denied = recording.denied(named, row);
    const notes = `${denied && ` (${denied})`}${wrong ? " (the interpreter differs)" : ""}`;
    const changed = recording.changed(name, row);
    rows.push(
      el(
        "div",
        { class: `picture-tip-row${changed ? " changed" : ""}` },
        el("span", {}, plainText(name)),
        el("span", {}, isolated(plainText(unmarked(recording.cellText(named, row)))) + notes),
      ),
    );
    if (rows.length === MOST_ROWS) break;
  }
  return rows;
}

function namesOf(recording: Recording) {
  // States first: locals come and go.
  const states = [...recording.variables].filter(([, named]) => named.variable?.role !== "local");
  return new Map([...states, ...recording.variables, ...recording.locals]);
}
