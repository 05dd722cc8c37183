/** Reads incidence tables, one row per incidence: the twin of src/hyloop/io/incidence_csv.py. */

import type { Hypergraph } from "../machine/hypergraph";
import { Refusal } from "../machine/refusal";
import type { Fraction } from "../numbers";
import {
  at,
  BYTE_ORDER_MARK,
  FormatRefusal,
  JOINED_FILES,
  labelFromText,
  numberFromText,
  OTHER_LINE_ENDS,
  otherLineEnd,
  positive,
  short,
  stripped,
  withoutBlanks,
} from "./fields";
import { Gathering } from "./gathering";
import { shownLabel } from "./shown";

type Column = "vertex" | "hyperedge" | "weight";

const COLUMNS: Readonly<Record<string, Column>> = {
  vertex: "vertex",
  node: "vertex",
  hyperedge: "hyperedge",
  edge: "hyperedge",
  weight: "weight",
};
const EXPECTED =
  "expected the columns vertex, hyperedge and, if there are weights, weight (node and edge are understood), separated " +
  "by commas, semicolons or tabs. A table has no directions: a directed hypergraph is given as HIF.";
const SEPARATORS = [",", ";", "\t"];
const LINE_END = /\r\n|\r|\n|$/g;
const OTHER_END = new RegExp(`[${OTHER_LINE_ENDS}]`);

interface Row {
  readonly fields: string[];
  readonly line: number;
  readonly quoted: boolean;
}

export function readIncidenceCsv(text: string): Hypergraph {
  const [separator, columns] = headerOf(text);
  const gathered = new Gathering();
  const rows = rowsOf(text, separator);
  const header = rows.next().value as Row;
  for (const row of rows) at(`line ${row.line}`, () => take(gathered, columns, header.quoted, row));
  return gathered.hypergraph();
}

/** The separator and the columns. No column name contains a separator, so the choice is unique. */
function headerOf(text: string): [string, Column[]] {
  for (const separator of SEPARATORS) {
    const row = firstRow(text, separator);
    const columns = row && columnsOf(row);
    if (columns) return [separator, columns];
  }
  const [line] = /^[^\r\n]*/.exec(text) as RegExpExecArray;
  const odd = OTHER_END.exec(line)?.[0];
  throw new FormatRefusal(
    "line 1",
    odd === undefined ? `the header is ${shownLabel(line)}; ${EXPECTED}` : otherLineEnd(odd),
  );
}

function firstRow(text: string, separator: string): Row | null {
  try {
    return rowsOf(text, separator).next().value ?? null;
  } catch (error) {
    if (error instanceof FormatRefusal) return null; // the quotes may be valid with another separator
    throw error;
  }
}

/** The columns that a row names, in any order, if it is a header. */
function columnsOf({ fields }: Row): Column[] | null {
  const found = fields.map((name) => {
    const word = stripped(name).toLowerCase();
    return Object.hasOwn(COLUMNS, word) ? COLUMNS[word] : undefined;
  });
  if (found.includes(undefined) || new Set(found).size < found.length) return null;
  return found.includes("vertex") && found.includes("hyperedge") ? (found as Column[]) : null;
}

// -- rows of fields -----------------------------------------------------------------------------------------------------

function* rowsOf(text: string, separator: string): Generator<Row, undefined> {
  let [position, line] = [0, 1];
  while (position < text.length) {
    LINE_END.lastIndex = position;
    const end = LINE_END.exec(text) as RegExpExecArray;
    if (text.startsWith(BYTE_ORDER_MARK, position)) throw new FormatRefusal(`line ${line}`, JOINED_FILES);
    const content = text.slice(position, end.index);
    let row: Row;
    if (content.includes('"')) {
      const found = quotedRow(text, separator, position, line);
      row = found.row;
      position = found.position;
      line = found.line;
    } else {
      const fields = plain(content, line).split(separator).map(trimmed);
      row = { fields, line, quoted: false };
      position = end.index + end[0].length;
      line++;
    }
    if (row.quoted || row.fields.length !== 1 || row.fields[0] !== "") yield row;
  }
}

/** The next row; quoted fields may span several lines. */
function quotedRow(text: string, separator: string, from: number, first: number) {
  let [position, line, quoted] = [from, first, false];
  const fields: string[] = [];
  const pattern = fieldOf(separator);
  for (;;) {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (!match)
      throw new FormatRefusal(`line ${line}`, "a field in quotes has no end, or something is attached to it.");
    if (match[1] === undefined) fields.push(trimmed(plain(match[3] as string, line)));
    else {
      fields.push(match[1].replaceAll('""', '"'));
      line += match[1].match(/\r\n|\r|\n/g)?.length ?? 0;
      quoted = true;
    }
    position += match[0].length;
    if (match[2] === undefined && match[4] === undefined) break;
    position += separator.length;
  }
  const end = /\r\n|\r|\n|$/y;
  end.lastIndex = position;
  position += end.exec(text)?.[0].length ?? 0;
  return { row: { fields, line: first, quoted }, position, line: line + 1 };
}

function fieldOf(separator: string): RegExp {
  const blank = separator === "\t" ? "[ ]*" : "[ \\t]*";
  const end = `(?=(${separator})|[\\r\\n]|$)`;
  return new RegExp(
    `${blank}"([^"]*(?:""[^"]*)*)"${blank}${end}|(?!${blank}")${blank}([^${separator}\\r\\n]*)${end}`,
    "y",
  );
}

/** Unquoted text; a character that only some programs treat as a line end is refused. */
function plain(text: string, line: number): string {
  const odd = OTHER_END.exec(text)?.[0];
  if (odd === undefined) return text;
  throw new FormatRefusal(`line ${line}`, otherLineEnd(odd));
}

function trimmed(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, "");
}

// -- their content ------------------------------------------------------------------------------------------------------

function take(gathered: Gathering, columns: readonly Column[], quotedHeader: boolean, row: Row): void {
  if ((quotedHeader || !row.quoted) && columnsOf(row)) throw new Refusal("a header is repeated here; leave it out.");
  if (row.fields.length !== columns.length)
    throw new Refusal(`the row has ${row.fields.length} fields, but the header has ${columns.length}.`);
  const said = (name: Column) => row.fields[columns.indexOf(name)] ?? "";
  const [vertex, hyperedge, weight] = [said("vertex"), said("hyperedge"), withoutBlanks(said("weight"))];
  if (hyperedge === "") {
    if (weight !== "" || vertex === "")
      throw new Refusal("the row names no hyperedge; it may then hold a vertex, and nothing else.");
    gathered.vertices.list(labelFromText(vertex));
    return;
  }
  const label = labelFromText(hyperedge);
  const number = gathered.hyperedges.number(label);
  if (vertex !== "") gathered.incidence(number, labelFromText(vertex));
  if (weight !== "") state(gathered, number, positive(numberFromText(weight), label), String(label));
}

/** Rows that state the weight of a hyperedge must agree. */
function state({ weights }: Gathering, number: number, weight: Fraction, name: string): void {
  const before = weights.get(number) ?? weight;
  if (before.top !== weight.top || before.bottom !== weight.bottom)
    throw new Refusal(`the weight of hyperedge ${short(name)} differs from that of an earlier row.`);
  weights.set(number, weight);
}
