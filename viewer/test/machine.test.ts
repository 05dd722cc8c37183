import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { outputsOf } from "../src/machine/decode";
import { again } from "../src/machine/given";
import { runHash, Sha256 } from "../src/machine/hash";
import { KNOWN } from "../src/machine/interpret";
import { readModel } from "../src/machine/model";
import { asTrace, type Trace } from "../src/trace";
import { random } from "./traces";

interface Case {
  name: string;
  model: string;
  runs: { trace: unknown; hash: string; outputs: unknown }[];
}

// Python makes the runs: scripts/machine_cases.py. Those of all algorithms are in the file that is named, if one is.
const file = process.env.HYLOOP_MACHINE_CASES;
const cases: Case[] = file
  ? (JSON.parse(gunzipSync(readFileSync(file)).toString("utf8")) as Case[])
  : (JSON.parse(readFileSync(new URL("./machine.json", import.meta.url), "utf8")) as Case[]);
const bytesOf = (packed: string) => new Uint8Array(gunzipSync(Buffer.from(packed, "base64")));
const LONG = 120_000;

describe.each(cases)("the transformer of $name in the page", ({ model: packed, runs }) => {
  const model = readModel(bytesOf(packed));

  it("has the numbers that Python has, after every layer of every iteration", { timeout: LONG }, () => {
    for (const { trace: document, hash } of runs) {
      const trace = asTrace(document);
      const found = again(model, trace);
      const same: Trace = { ...found, recorded: { ...found.recorded, backend: trace.recorded.backend } };
      // Far quicker than `toEqual`, which then says where they differ.
      if (!isDeepStrictEqual(same, trace)) expect(same).toEqual(trace);
      expect(runHash(found)).toBe(hash);
    }
  });

  it("gives the results that Python gives", { timeout: LONG }, () => {
    for (const { trace, outputs } of runs) expect(outputsOf(model, asTrace(structuredClone(trace)))).toEqual(outputs);
  });
});

describe("a model file", () => {
  const bytes = bytesOf((cases[0] as Case).model);
  const edited = (change: (header: string) => string) => {
    const size = Number(new DataView(bytes.buffer).getBigUint64(0, true));
    const header = new TextEncoder().encode(change(new TextDecoder().decode(bytes.subarray(8, 8 + size))));
    const made = new Uint8Array(8 + header.length + bytes.length - 8 - size);
    new DataView(made.buffer).setBigUint64(0, BigInt(header.length), true);
    made.set(header, 8);
    made.set(bytes.subarray(8 + size), 8 + header.length);
    return made;
  };

  it("is refused in a sentence where it is not one", () => {
    expect(() => readModel(new Uint8Array(3))).toThrow("not a model file: it is cut off");
    expect(() => readModel(bytes.slice(0, -8))).toThrow("has not as many bytes as its shape says");
    expect(() => readModel(edited(() => "[]"))).toThrow("its header is not a JSON object");
    expect(() => readModel(edited((text) => text.replace('"hyloop":', '"other":')))).toThrow("not one of hyloop's");
    expect(() => readModel(edited((text) => text.replace("layers.0.mlp.w1", "layers.9.mlp.w1")))).toThrow(
      "layers.0.mlp.w1",
    );
    expect(() => readModel(edited((text) => text.replace('\\"format\\":4', '\\"format\\":5')))).toThrow("format 5");
    expect(() => readModel(edited((text) => text.replace('\\"float64\\"', '\\"float32\\"')))).toThrow("float64");
    expect(() => readModel(edited((text) => text.replace("loop at most", "loop about")))).toThrow("cannot be read");
  });

  it("differs in its runs where a weight differs", () => {
    const other = bytes.slice();
    const view = new DataView(other.buffer);
    // The last weight of the file that is not 0.
    let at = other.length - 8;
    while (view.getFloat64(at, true) === 0) at -= 8;
    view.setFloat64(at, view.getFloat64(at, true) + 1, true);
    const trace = asTrace(structuredClone((cases[0] as Case).runs[0]?.trace));
    expect(runHash(again(readModel(other), trace))).not.toBe((cases[0] as Case).runs[0]?.hash);
  });
});

it("knows every operation of the language", () => {
  const names = JSON.parse(readFileSync(new URL("./operations.json", import.meta.url), "utf8")) as string[];
  expect(names.filter((name) => !KNOWN.includes(name))).toEqual([]);
});

it("hashes as SHA-256 does, whatever the pieces", () => {
  const next = random(7);
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const bytes = Uint8Array.from({ length }, () => next(256));
    const [digest, cut] = [new Sha256(), next(length + 1)];
    digest.update(bytes.subarray(0, cut));
    digest.update(bytes.subarray(cut));
    expect(digest.hex()).toBe(createHash("sha256").update(bytes).digest("hex"));
  }
});
