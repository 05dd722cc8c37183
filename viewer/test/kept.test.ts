import { expect, test } from "vitest";
import { changesIn, type Item } from "../src/picture/kept";

function item(id: number, key: string, left: number): Item {
  return { id, key, box: { left, top: 0, right: left + 10, bottom: 10 }, draw: () => {} };
}

function kept(...items: Item[]): Map<number, Item> {
  return new Map(items.map((each) => [each.id, each]));
}

test("what looks as before is drawn nowhere", () => {
  expect(changesIn(kept(item(1, "a", 0)), [item(1, "a", 0)])).toEqual({ fresh: [], places: [] });
});

test("what looks other is drawn where it was and where it is", () => {
  const { fresh, places } = changesIn(kept(item(1, "a", 0)), [item(1, "b", 30)]);
  expect(fresh).toEqual([]);
  expect(places).toEqual([{ left: 0, top: 0, right: 40, bottom: 10 }]);
});

test("what is new is told apart, and what is gone leaves its place", () => {
  const arrived = item(2, "a", 50);
  const { fresh, places } = changesIn(kept(item(1, "a", 0)), [arrived]);
  expect(fresh).toEqual([arrived]);
  expect(places).toEqual([item(1, "a", 0).box]);
});
