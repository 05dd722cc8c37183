/** A looped transformer as a model file has it, its weights by their non-zero entries. */

import type { HeadKind, Purpose } from "../trace";
import { littleEndian, Sha256 } from "./hash";
import { type Program, parseProgram } from "./program";
import { Refusal } from "./refusal";
import { readTensors, type Tensor, type TensorFile } from "./safetensors";

/** A sum of columns: `weight[k]` times column `from[k]`. */
export interface Sum {
  readonly from: readonly number[];
  readonly weight: readonly number[];
}

export interface Head {
  readonly kind: HeadKind;
  readonly query: readonly [Sum, Sum];
  readonly key: readonly [Sum, Sum];
  /** The columns that it adds to, in order, and what it carries to each. */
  readonly writes: readonly number[];
  readonly value: readonly Sum[];
}

export interface Layer {
  readonly heads: readonly Head[];
  /** For each of three stages, what each hidden unit sums up. */
  readonly stages: readonly [readonly Sum[], readonly Sum[], readonly Sum[]];
  readonly writes: readonly number[];
  readonly out: readonly Sum[];
}

export type Rows = "global" | "rows" | "vertices" | "hyperedges" | "past vertices" | "past hyperedges";
export type Side = "vertices" | "hyperedges";

/** What the encoder writes into a column: `hyloop.machine.layout` says what each term is. */
export type Term =
  | { term: "Fill"; value: number; rows: Rows }
  | { term: "Position"; part: 0 | 1 }
  | { term: "Pointer"; part: 0 | 1; to: number | string }
  | { term: "Mark"; value: number; at: string }
  | { term: "Weights" }
  | { term: "Everywhere"; name: string; most: number }
  | { term: "Entries"; name: string; of: Side; most: number }
  | { term: "Cardinality"; of: Side }
  | { term: "Numbers"; rows: Side }
  | { term: "QuarterSquares" };

export interface Column {
  readonly name: string;
  readonly role: string;
  readonly of: string;
  readonly initial: readonly Term[];
}

export interface Model {
  readonly name: string;
  readonly hash: string;
  readonly columns: readonly Column[];
  readonly halt: number;
  readonly incidence: "ones" | "weights";
  readonly directed: boolean;
  readonly least: number;
  readonly capacity: { readonly rows: number; readonly weight: number };
  readonly infinity: number;
  readonly layers: readonly Layer[];
  readonly program: Program;
  /** By name, the column of each state. */
  readonly states: ReadonlyMap<string, number>;
  readonly held: readonly Held[];
}

/** What stands in a column after a layer: parts of values of the program. */
export interface Held {
  readonly layer: number;
  readonly column: number;
  readonly for: readonly Purpose[];
}

/** The column in which the entries of an array among the inputs stand; -1 if nothing depends on them. */
export function columnOfArray({ columns }: Model, name: string): number {
  return columns.findIndex(({ initial }) => initial.some((term) => term.term === "Entries" && term.name === name));
}

const FORMAT = 4;
const LARGEST = 2 ** 53; // a capacity may be that itself
const KEY_SIZE = 2;
const KINDS: readonly string[] = [
  "plain",
  "incidence",
  "transposed",
  "tails",
  "tails_transposed",
  "heads",
  "heads_transposed",
];
const TERMS: readonly string[] = [
  "Fill",
  "Position",
  "Pointer",
  "Mark",
  "Weights",
  "Everywhere",
  "Entries",
  "Cardinality",
  "Numbers",
  "QuarterSquares",
];
/** Columns of the machine's own: a state of such a name is kept in a column of another name. */
const OWN: readonly string[] = [
  "B_global",
  "B_local",
  "P_1",
  "P_2",
  "vertices",
  "hyperedges",
  "weight",
  "n_v",
  "n_e",
  "started",
  "halt",
];

interface Document {
  format: number;
  name: string;
  hash: string;
  dtype: string;
  capacity: { rows: number; weight: number };
  infinity: number;
  halt: string;
  incidence: "ones" | "weights";
  directed: boolean;
  positions: string;
  least: number;
  columns: Column[];
  layers: { heads: { kind: HeadKind }[] }[];
  program: string;
  held: Held[];
}

/** The model in a safetensors file of hyloop's; a refusal says what is wrong with it. */
export function readModel(bytes: Uint8Array): Model {
  return modelOf(readTensors(bytes));
}

/** The same, and its document: a file that is given to the page must have the hash that it says. */
export function readModelFile(bytes: Uint8Array): { model: Model; document: unknown } {
  const file = readTensors(bytes);
  const model = modelOf(file);
  if (hashOf(file, model.hash) !== model.hash) refuse("its hash does not fit: the file was damaged or edited");
  return { model, document: JSON.parse(file.metadata.hyloop as string) };
}

/** The hash of a file as `hyloop.machine.files` has it: of its document without the hash, and of the tensors. */
function hashOf({ metadata, tensors }: TensorFile, stated: string): string {
  const digest = new Sha256();
  const write = (text: string) => digest.update(new TextEncoder().encode(text));
  write(spaced(metadata.hyloop as string).replace(`"hash": "${stated}", `, ""));
  for (const [name, { dtype, shape, values }] of [...tensors].sort(([a], [b]) => (a < b ? -1 : 1))) {
    write(`${name} ${dtype === "F64" ? "float64" : "float32"} (${shape.join(", ")})`);
    digest.update(littleEndian(values));
  }
  return digest.hex();
}

/** Compact JSON with a blank after each comma and colon, as Python writes it. */
function spaced(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) => (part.length === 1 ? `${part} ` : part));
}

function modelOf({ metadata, tensors }: TensorFile): Model {
  const document = documentOf(metadata.hyloop);
  const d = document.columns.length;
  const layers = document.layers.map((each, number) => layerOf(each.heads, `layers.${number}`, tensors, d));
  const used = document.layers.reduce((count, { heads }) => count + 3 * heads.length + 4, 0);
  if (used !== tensors.size) refuse("it has tensors that no layer uses");
  const program = parseProgram(document.program);
  const numbers = new Map(document.columns.map(({ name }, number) => [name, number]));
  const numberOf = (name: string) => numbers.get(name) ?? refuse(`it has no column ${name}`);
  const states = program.states.map(
    ({ name }) => [name, numberOf(OWN.includes(name) ? `state ${name}` : name)] as const,
  );
  const { name, hash, columns, incidence, directed, least, capacity, infinity, held } = document;
  return {
    ...{ name, hash, columns, incidence, directed, least, capacity, infinity, held, layers, program },
    halt: numberOf(document.halt),
    states: new Map(states),
  };
}

function documentOf(text: string | undefined): Document {
  if (text === undefined) refuse("it is a safetensors file, but not one of hyloop's");
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    refuse("its document is not JSON");
  }
  if (!isDocument(document)) refuse("its document is not what it should be");
  if (document.format !== FORMAT) refuse(`it is of format ${document.format}; this page reads format ${FORMAT}`);
  if (document.dtype !== "float64") refuse(`it computes in ${document.dtype}; a page computes in float64`);
  return document;
}

/** Whether all that is read here is there and of its type; Python's schema says more of its ranges. */
function isDocument(value: unknown): value is Document {
  const document = value as Partial<Document> | null;
  if (typeof document !== "object" || document === null) return false;
  const whole = (...values: unknown[]) =>
    values.every((each) => Number.isInteger(each) && Number(each) >= 0 && Number(each) <= LARGEST);
  const texts = [document.name, document.hash, document.dtype, document.halt, document.program, document.positions];
  return (
    texts.every((text) => typeof text === "string") &&
    document.positions === "parabola" &&
    (document.incidence === "ones" || document.incidence === "weights") &&
    typeof document.directed === "boolean" &&
    whole(document.format, document.infinity, document.least, document.capacity?.rows, document.capacity?.weight) &&
    Array.isArray(document.columns) &&
    document.columns.every(isColumn) &&
    Array.isArray(document.held) &&
    document.held.every((each) => whole(each?.layer, each?.column) && Array.isArray(each.for)) &&
    Array.isArray(document.layers) &&
    document.layers.length > 0 &&
    document.layers.every(
      (each) => Array.isArray(each?.heads) && each.heads.every((head) => KINDS.includes(head?.kind)),
    )
  );
}

function isColumn(value: unknown): value is Column {
  const column = value as Partial<Column> | null;
  const texts = [column?.name, column?.role, column?.of];
  return (
    texts.every((text) => typeof text === "string") &&
    Array.isArray(column?.initial) &&
    column.initial.every((each) => TERMS.includes((each as Term | null)?.term as string))
  );
}

function layerOf(
  heads: readonly { kind: HeadKind }[],
  name: string,
  tensors: ReadonlyMap<string, Tensor>,
  d: number,
): Layer {
  const matrix = (part: string, rows: number, columns: number | null) =>
    matrixOf(tensors, `${name}.${part}`, rows, columns);
  const first = matrix("mlp.w1", d, null);
  const h = first.columns;
  const out = written(matrix("mlp.w4", h, d));
  return {
    heads: heads.map(({ kind }, place): Head => {
      const pair = (part: string) => sumsOf(matrix(`heads.${place}.${part}`, d, KEY_SIZE)) as unknown as [Sum, Sum];
      const { writes, sums } = written(matrix(`heads.${place}.value`, d, d));
      return { kind, query: pair("query"), key: pair("key"), writes, value: sums };
    }),
    stages: [sumsOf(first), sumsOf(matrix("mlp.w2", h, h)), sumsOf(matrix("mlp.w3", h, h))],
    writes: out.writes,
    out: out.sums,
  };
}

interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

function matrixOf(tensors: ReadonlyMap<string, Tensor>, name: string, rows: number, columns: number | null): Matrix {
  const tensor = tensors.get(name) ?? refuse(`the tensor ${name} is missing`);
  const [height, width] = tensor.shape;
  if (tensor.shape.length !== 2 || height !== rows || width === undefined || (columns !== null && width !== columns))
    refuse(`the tensor ${name} is of the wrong shape`);
  if (!tensor.values.every((each) => Number.isSafeInteger(each)))
    refuse(`the tensor ${name} has entries that are not whole numbers below 2^53`);
  return { rows, columns: width, values: tensor.values };
}

/** What each column of a matrix sums up. */
function sumsOf({ rows, columns, values }: Matrix): Sum[] {
  return Array.from({ length: columns }, (_, column) => {
    const from = Array.from({ length: rows }, (_, row) => row).filter((row) => values[row * columns + column] !== 0);
    return { from, weight: from.map((row) => values[row * columns + column] as number) };
  });
}

function written(matrix: Matrix): { writes: number[]; sums: Sum[] } {
  const sums = sumsOf(matrix);
  const writes = sums.flatMap(({ from }, column) => (from.length > 0 ? [column] : []));
  return { writes, sums: writes.map((column) => sums[column] as Sum) };
}

function refuse(what: string): never {
  throw new Refusal(`This model cannot be used: ${what}.`);
}
