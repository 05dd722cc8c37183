/**
 * Labels of any script in a sentence. A label that reads from right to left, or that has characters which turn the
 * direction round, stands between marks, so that the words and numbers around it keep their order. Elements are made of
 * what is between the marks (`dom.ts`); what is searched, compared, linked or written to files has labels without them.
 */

const [BEGIN, END] = ["\u2068", "\u2069"];
const BEGINS: ReadonlySet<string> = new Set(["\u2066", "\u2067", BEGIN]);
/** Letters and numbers of scripts that are written from right to left, and characters that set a direction. */
const TURNS =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A label for a text of more words than it. */
export function isolated(label: string): string {
  return TURNS.test(label) ? `${BEGIN}${balanced(label)}${END}` : label;
}

/** What a label opens, it closes itself, and nothing else: it cannot end its own isolation. */
function balanced(label: string): string {
  let open = 0;
  let text = "";
  for (const letter of label) {
    if (BEGINS.has(letter)) open++;
    if (letter === END && open === 0) continue;
    if (letter === END) open--;
    text += letter;
  }
  return text + END.repeat(open);
}

/** A part of a text: a label that stands by itself, or the words between. */
export interface Part {
  readonly text: string;
  readonly alone: boolean;
}

export function hasIsolated(text: string): boolean {
  return text.includes(BEGIN);
}

/** The words and the labels of a text, in order. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, from)) {
    const end = endOf(text, at);
    if (end < 0) break;
    if (at > from) parts.push({ text: text.slice(from, at), alone: false });
    parts.push({ text: text.slice(at + 1, end), alone: true });
    from = end + 1;
  }
  if (from < text.length) parts.push({ text: text.slice(from), alone: false });
  return parts;
}

/** Where what begins at a place ends; -1 where it does not. */
function endOf(text: string, begin: number): number {
  let open = 0;
  for (let at = begin; at < text.length; at++) {
    const letter = text[at] as string;
    if (BEGINS.has(letter)) open++;
    else if (letter === END && --open === 0) return at;
  }
  return -1;
}

/** A text without the marks. */
export function unmarked(text: string): string {
  return hasIsolated(text)
    ? partsOf(text)
        .map((part) => part.text)
        .join("")
    : text;
}
