import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { tokenise } from "../src/python";
import { harbour } from "./traces";

describe("Python's tokens", () => {
  test("put together they are the line, whatever it is", () => {
    const lines = [
      ...harbour().algorithm.source,
      "x = 'a' # ü",
      'f"""open',
      "</script>",
      'still""" + 1_0.5e3',
      "'",
      "\t@",
      "é",
    ];
    expect(tokenise(lines).map((tokens) => tokens.map((token) => token.text).join(""))).toEqual(lines);
  });

  test("strings go on over lines", () => {
    const roles = tokenise(['"""a', "b def", 'c""" def'])
      .flat()
      .map((token) => token.role);
    expect(roles).toEqual(["string", "string", "string", "string", "plain", "keyword"]);
  });
});

// Labels, names and source come from files that somebody else wrote.
test("nothing turns text into markup or code", () => {
  const folder = new URL("../src/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const bad =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|srcdoc|DOMParser|\beval\(|new Function/;
  const found = files.filter((name) => bad.test(readFileSync(new URL(name, folder), "utf8")));
  expect(found).toEqual([]);
});
