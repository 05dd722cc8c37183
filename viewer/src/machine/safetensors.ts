/** A file of tensors as safetensors writes it: the length of a JSON header, the header, the numbers. */

import { Refusal } from "./refusal";

export interface Tensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly values: Float64Array;
}

export interface TensorFile {
  readonly metadata: Readonly<Record<string, string>>;
  readonly tensors: ReadonlyMap<string, Tensor>;
}

/** The most bytes of a file, as `hyloop.machine.files` has it. */
const BYTES = 2 ** 27;
const SIZES: Readonly<Record<string, number>> = { F64: 8, F32: 4 };

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

export function readTensors(bytes: Uint8Array): TensorFile {
  if (bytes.length > BYTES) refuse(`it has ${bytes.length.toLocaleString("en")} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = bytes.length < 8 ? Number.NaN : Number(view.getBigUint64(0, true));
  if (!(size <= bytes.length - 8)) refuse("it is cut off");
  const header = headerOf(bytes.subarray(8, 8 + size));
  const { __metadata__: metadata = {}, ...entries } = header;
  if (!isRecord(metadata) || Object.values(metadata).some((text) => typeof text !== "string"))
    refuse("its metadata are not texts");
  const tensors = new Map<string, Tensor>();
  for (const [name, entry] of Object.entries(entries)) {
    if (!isEntry(entry)) refuse(`its header does not say what the tensor ${name} is`);
    tensors.set(name, { ...entry, values: valuesOf(view, 8 + size, name, entry) });
  }
  return { metadata: metadata as Record<string, string>, tensors };
}

function headerOf(bytes: Uint8Array): Record<string, unknown> {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    refuse("its header is not JSON");
  }
  if (!isRecord(header)) refuse("its header is not a JSON object");
  return header;
}

function valuesOf(view: DataView, base: number, name: string, { dtype, shape, data_offsets }: Entry): Float64Array {
  const [start, end] = data_offsets;
  const width = SIZES[dtype];
  const count = shape.reduce((product, side) => product * side, 1);
  if (width === undefined) refuse(`the tensor ${name} holds ${dtype}, not F64 or F32`);
  if (end - start !== count * width || start < 0 || base + end > view.byteLength)
    refuse(`the tensor ${name} has not as many bytes as its shape says`);
  const at = (k: number) => base + start + k * width;
  const read =
    dtype === "F64" ? (k: number) => view.getFloat64(at(k), true) : (k: number) => view.getFloat32(at(k), true);
  return Float64Array.from({ length: count }, (_, k) => read(k));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEntry(value: unknown): value is Entry {
  if (!isRecord(value) || typeof value.dtype !== "string") return false;
  const whole = (list: unknown): list is number[] =>
    Array.isArray(list) && list.every((each) => Number.isSafeInteger(each) && each >= 0);
  return whole(value.shape) && whole(value.data_offsets) && value.data_offsets.length === 2;
}

function refuse(what: string): never {
  throw new Refusal(`This is not a model file: ${what}.`);
}
