/** Reads edge lists, one hyperedge per line: the twin of src/hyloop/io/edge_list.py. */

import type { Label } from "../labels";
import type { Hypergraph } from "../machine/hypergraph";
import { Refusal } from "../machine/refusal";
import { JsonReader } from "./exact_json";
import {
  at,
  BYTE_ORDER_MARK,
  codePoint,
  FormatRefusal,
  JOINED_FILES,
  labelFromText,
  numberFromText,
  OTHER_LINE_ENDS,
  otherLineEnd,
  positive,
  short,
  textLabel,
} from "./fields";
import { Gathering } from "./gathering";

interface Token {
  readonly kind: "quoted" | "bare" | "mark";
  readonly text: string;
}

// U+FEFF is not bare: at the beginning of a file it would be read as a byte order mark.
const BARE = '[^\\s\\x00-\\x1f\\x7f-\\x9f"#|:,\\ufeff]+';
const AFTER = "(?=[ \\t:|#]|$)";
const TOKEN = new RegExp(
  `[ \\t]*(?:(?<end>#[^\\ufeff${OTHER_LINE_ENDS}]*$|$)` +
    `|(?<quoted>"(?:[^"\\\\]|\\\\[^\\n])*")${AFTER}|(?<bare>${BARE})${AFTER}|(?<mark>[:|]))`,
  "y",
);
/** A label or a comment, up to what it cannot have. */
const BEGUN = new RegExp(`^(?:${BARE}|#[^\\ufeff${OTHER_LINE_ENDS}]*)?`);
const OTHER_END = new RegExp(`[${OTHER_LINE_ENDS}]`);
const LISTS = "*"; // begins a line that lists vertices

export function readEdgeList(text: string): Hypergraph {
  const gathered = new Gathering();
  text.split(/\r\n|\r|\n/).forEach((line, k) => {
    at(`line ${k + 1}`, () => take(gathered, tokensOf(line)));
  });
  return gathered.hypergraph();
}

function tokensOf(line: string): Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  for (;;) {
    const from = TOKEN.lastIndex;
    const groups = TOKEN.exec(line)?.groups;
    if (!groups) throw new Refusal(unreadable(line.slice(from).replace(/^[ \t]+|[ \t]+$/g, "")));
    if (groups.end !== undefined) return found;
    const kind = (["quoted", "bare", "mark"] as const).find((each) => groups[each] !== undefined) as Token["kind"];
    found.push({ kind, text: groups[kind] as string });
  }
}

/** Why a part of a line cannot be read; a character that is not seen is named. */
function unreadable(rest: string): string {
  const begun = BEGUN.exec(rest)?.[0] ?? "";
  const odd = String.fromCodePoint(rest.codePointAt(begun.length) ?? 0);
  if (OTHER_END.test(odd)) return otherLineEnd(odd);
  if (odd === BYTE_ORDER_MARK) return JOINED_FILES;
  if (rest.length > begun.length && !/[^\p{C}\p{Z}]/u.test(odd))
    return (
      `here stands the character ${codePoint(odd)}; labels are separated by blanks or tabs, and one with any other ` +
      "white space or control character in it needs double quotes."
    );
  if (rest.startsWith('"')) return `the quoted label ${short(rest)} has no end, or something is attached to it.`;
  return `${short(rest)} cannot be read: labels are separated by white space; one with , or " needs double quotes.`;
}

function take(gathered: Gathering, tokens: readonly Token[]): void {
  const first = tokens[0];
  if (!first) return;
  if (first.kind === "bare" && first.text === LISTS) {
    for (const token of tokens.slice(1)) gathered.vertices.list(labelOf(token));
    return;
  }
  if (first.kind === "bare" && first.text.startsWith(LISTS))
    throw new Refusal(
      "to list vertices, put a blank after the first *; a label that begins with * needs double quotes.",
    );
  const [rest, weight] = withoutWeight(tokens);
  const [name, members] = named(rest, gathered.hyperedges.labels.length + 1);
  const labels = members.map(labelOf);
  const known = gathered.hyperedges.labels.length;
  const number = gathered.hyperedges.number(name);
  if (number !== known) throw new Refusal(`there is a hyperedge ${short(String(name))} already.`);
  for (const label of labels) gathered.incidence(number, label);
  if (weight !== null) gathered.weights.set(number, positive(numberFromText(weight), name));
}

function withoutWeight(tokens: readonly Token[]): [Token[], string | null] {
  const isBar = ({ kind, text }: Token) => kind === "mark" && text === "|";
  const bar = tokens.findIndex(isBar);
  if (bar < 0) return [[...tokens], null];
  const last = tokens.at(-1) as Token;
  if (tokens.filter(isBar).length > 1 || bar !== tokens.length - 2 || last.kind !== "bare")
    throw new Refusal("after | one number is expected, the weight, and nothing else.");
  return [tokens.slice(0, -2), last.text];
}

function named(tokens: readonly Token[], otherwise: number): [Label, readonly Token[]] {
  const [first, second] = tokens;
  if (first && second?.kind === "mark" && second.text === ":") return [labelOf(first), tokens.slice(2)];
  if (!first) throw new Refusal("a hyperedge without members needs a name, as in `name:`.");
  return [otherwise, tokens];
}

function labelOf({ kind, text }: Token): Label {
  if (kind === "mark") throw new Refusal(`${text} is out of place; put a label that contains it in double quotes.`);
  if (kind === "quoted") return textLabel(unquoted(text));
  if (text === LISTS) throw new Refusal('* begins a line that lists vertices; the label "*" needs double quotes.');
  return labelFromText(text);
}

function unquoted(text: string): string {
  try {
    return new JsonReader(text).string();
  } catch (error) {
    if (error instanceof FormatRefusal) throw new Refusal(`the quoted label ${short(text)} is not written as in JSON.`);
    throw error;
  }
}
