import { el } from "../dom";
import { few } from "../few";
import { codeNodes } from "../marked";
import type { Noted } from "../notes";
import { listed } from "../told";

const LINES = 12;

/** What this iteration does, in its author's words: a sentence, and a line for rows that are alike. */
export function noteNode({ about, rows }: Noted): HTMLElement {
  const most = few(rows.length, LINES);
  const lines = rows.slice(0, most).map(({ names, said }) => el("li", {}, el("b", {}, `${listed(names)}: `), said));
  const rest = rows.slice(most).reduce((sum, { names }) => sum + names.length, 0);
  const more = rest > 0 ? [el("li", { class: "dim" }, `… and ${rest} more`)] : [];
  return el(
    "div",
    { class: "author-note", "data-testid": "note" },
    el("p", {}, ...codeNodes(`This iteration does ${about}.`)),
    ...(lines.length > 0 ? [el("ul", {}, ...lines, ...more)] : []),
  );
}
