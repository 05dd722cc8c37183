import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { draftOf, draftOfBody, type RunBody, runBody, setDirected, setEntry, setSide } from "../src/edit/model";
import { packedRun, unpackedRun } from "../src/edit/share";
import { inAddress } from "../src/zip";
import { traceOf } from "./small";

const ALGORITHM = {
  name: "dijkstra",
  about: "",
  inputs: [
    { name: "source", kind: "vertex" as const, scope: "scalar" as const },
    { name: "load", kind: "count" as const, scope: "vertices" as const },
    { name: "via", kind: "vertex" as const, scope: "hyperedges" as const },
  ],
};

function body(): RunBody {
  let draft = setSide(setDirected(draftOf(traceOf()), true), 4, 3, "head");
  draft = setEntry(setEntry(draft, "load", 2, "7"), "via", 5, 3);
  return runBody(draft, ALGORITHM, new Map([["Quay", [0.25, 0.5]]]));
}

const packed = (document: unknown) => inAddress(deflateRawSync(Buffer.from(JSON.stringify(document))));

test("a run has directions, and one entry for each row", () => {
  expect(body().hypergraph.hyperedges[0]).toMatchObject({ tails: ["Quay"], heads: ["Quay", "Isle"] });
  expect(body().inputs).toEqual({ source: "Quay", load: ["0", "7", "0"], via: [null, "Isle"] });
});

test("a link gives the same run back", async () => {
  const text = await packedRun(body());
  expect(text).toMatch(/^[\w-]+$/);
  const found = await unpackedRun(text as string);
  expect(found).toEqual(body());
  expect(runBody(draftOfBody(found, ALGORITHM), ALGORITHM, new Map([["Quay", [0.25, 0.5]]]))).toEqual(body());
});

test("a run that is too long for a link has none", async () => {
  const long = body();
  const digits = (k: number) => ((k * 2654435761) % 4294967296).toString(36) + ((k * 40503) % 65521).toString(36);
  long.hypergraph.vertices = Array.from({ length: 6000 }, (_, k) => digits(k + 1));
  expect(await packedRun(long)).toBeNull();
});

test.each([
  ["no base64", "%%%"],
  ["cut off", packed(body()).slice(0, -9)],
  ["no JSON", inAddress(deflateRawSync(Buffer.from("{")))],
  ["too much", packed(" ".repeat(2 ** 24))],
])("a link that is %s is refused", async (_, text) => {
  await expect(unpackedRun(text)).rejects.toThrow("cannot be read: the link is damaged or incomplete.");
});

test.each([
  [(run: RunBody) => ({ ...run, algorithm: 1 }), "algorithm: expected text"],
  [(run: RunBody) => ({ ...run, inputs: { source: { x: 1 } } }), "expected text or an integer"],
  [(run: RunBody) => ({ ...run, hypergraph: { name: "" } }), "vertices: expected a list"],
  [(run: RunBody) => ({ ...run, positions: { vertices: [["a", [1]]] } }), "expected two numbers"],
])("a link of the wrong shape says where", async (change, said) => {
  await expect(unpackedRun(packed(change(body())))).rejects.toThrow(said);
});

test.each(["", ")", "<img>", "a b", "%20", "...", "aZ_-9)"])("a damaged link is refused: %j", async (text) => {
  await expect(unpackedRun(text)).rejects.toThrow("the link is damaged or incomplete");
});

test("a link with a character too many is refused", async () => {
  const text = await packedRun(body());
  for (const more of [")", ".", "...", "%20", " <img>"])
    await expect(unpackedRun(`${text}${more}`)).rejects.toThrow("the link is damaged or incomplete");
});

test.each([
  ["source", "nobody", "the input source is no vertex of its hypergraph"],
  ["source", null, "the input source is no vertex of its hypergraph"],
  ["source", true, "the input source is no vertex of its hypergraph"],
  ["source", ["Quay"], "the input source is not of its type"],
  ["source", undefined, "the input source is missing"],
  ["load", ["0"], "the input load has not one entry for each row"],
  ["load", "0", "the input load is not of its type"],
  ["via", [null, "nobody"], "the input via is no vertex of its hypergraph"],
])("a link whose %s is %j is refused", (name, value, why) => {
  const { [name]: _, ...inputs } = body().inputs;
  const changed = { ...body(), inputs: value === undefined ? inputs : { ...inputs, [name]: value } } as RunBody;
  expect(() => draftOfBody(changed, ALGORITHM)).toThrow(why);
});
