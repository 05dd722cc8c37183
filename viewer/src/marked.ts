/** Texts in which names of the program are marked, so that a page can show them in code font. */

import { el, texts } from "./dom";

const [BEGIN, END] = ["\u0002", "\u0003"];

/** A name of the program. */
export function code(name: string): string {
  return `${BEGIN}${name}${END}`;
}

/** The text without marks: for files, titles and readers. */
export function plain(text: string): string {
  return text.replaceAll(BEGIN, "").replaceAll(END, "");
}

/** What an author wrote, in which names stand between backticks. */
export function documented(text: string): string {
  return text.replace(/`([^`]*)`/g, (_, name: string) => code(name));
}

const SHOWN = new WeakMap<Element, string>();

/** Show a text in an element, its names in code font; the same text is not drawn again. */
export function setCoded(node: Element, text: string): void {
  if (SHOWN.get(node) === text) return;
  SHOWN.set(node, text);
  node.replaceChildren(...codeNodes(text));
}

/** The text, its names in code font. */
export function codeNodes(text: string): (string | Node)[] {
  return text.split(BEGIN).flatMap((part, k) => {
    const end = k === 0 ? -1 : part.indexOf(END);
    if (end < 0) return part === "" ? [] : texts(plain(part));
    const [name, rest] = [part.slice(0, end), plain(part.slice(end + 1))];
    return [el("code", {}, name), ...(rest === "" ? [] : texts(rest))];
  });
}
