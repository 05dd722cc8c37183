/** A picture with its labels: names of vertices first, then those of hyperedges, then values. */

import {
  type Box,
  boxAround,
  edgesOf,
  insidePolygon,
  middleOfBox,
  overlap,
  type Point,
  type Segment,
} from "./geometry";
import type { Graph } from "./graph";
import {
  areaOf,
  type Beside,
  besideMark,
  Candidate,
  cutTexts,
  inTwoLines,
  isTaken,
  Lines,
  leadTo,
  type Place,
  placed,
  strangeness,
  takenOf,
} from "./labelling";
import { awayFrom, boxAt, Occupied } from "./labels";
import {
  circleBox,
  edgeFont,
  edgeLabelText,
  type Frame,
  type Layout,
  type Measure,
  placeRegions,
  pointOf,
  projected,
  sizeOfText,
  squareOf,
  squareSize,
  underBar,
  valueFont,
  vertexFont,
  vertexLabelText,
  viewBox,
} from "./layout";
import { linesOf } from "./lines";
import { placeResult } from "./result";

/** What a label needs to know of the picture around it. */
interface Page {
  readonly graph: Graph;
  readonly layout: Layout;
  readonly measure: Measure;
  readonly occupied: Occupied; // by vertices, and by labels that have their place
  readonly squares: Occupied;
  readonly lines: Lines<Owner>;
  readonly view: Box;
  readonly edgeTexts: readonly string[];
  readonly many: boolean; // so many that only straight places are tried
}

interface Owner {
  readonly hyperedge: number;
  readonly vertex: number;
}

const MOST_TRIED = 300; // vertices and hyperedges; of more, each label has few places, and makes way for earlier ones
const MOST_LINES = 2500; // incidences, of which labels stay off the lines
const LINE = 8; // the cost of a pixel of another's line
const OWN = 0.5;
const OWN_OF_VALUE = 3; // a number on a dashed outline is hard to read
const LED_SHARE = 0.4; // of what a label pays for standing near another vertex, if a line leads to it
const ROUND = 1.9; // the side of the square that a circle takes of the picture, in radii
const SQUARE = 3; // of a square pixel of another's square, which says less than a vertex

export function layoutOf(graph: Graph, frame: Frame, measure: Measure): Layout {
  const layout = projected(graph, frame);
  if (frame.mode === "regions") placeRegions(graph, layout);
  const texts = frame.edgeTexts ?? graph.members.map((_, e) => (e === 0 ? "" : edgeLabelText(graph, e)));
  const page = pageOf(graph, layout, measure, texts);
  layout.measure = measure;
  placeNames(page);
  if (frame.mode === "regions") placeRegionNames(page);
  else if (frame.mode === "bipartite") placeSquareNames(page);
  layout.occupied = writtenOn(page);
  layout.result = placeResult(layout, frame.result ?? []);
  if (layout.result) layout.occupied.add(layout.result.box);
  placeValues(page, frame.valueText ?? "");
  return layout;
}

/** What values stay off that are wider than their places. */
function writtenOn({ graph, layout, many }: Page): Occupied {
  const occupied = new Occupied();
  const [around, size] = [ROUND * layout.radius, 2 * squareSize(layout)];
  for (let v = 1; v <= graph.n; v++) occupied.add(boxAt(pointOf(layout, v), around, around));
  for (const name of layout.names) if (name) hold(occupied, name);
  for (const [e, box] of layout.edgeBox.entries()) if (box) hold(occupied, { box, lead: layout.edgeLead[e] ?? null });
  if (layout.mode === "bipartite" && !many)
    for (let e = 1; e <= graph.m; e++) occupied.add(boxAt(squareOf(layout, e), size, size));
  return occupied;
}

function pageOf(graph: Graph, layout: Layout, measure: Measure, edgeTexts: readonly string[]): Page {
  const many = graph.n > MOST_TRIED;
  const [occupied, squares, lines] = [new Occupied(), new Occupied(), new Lines<Owner>()];
  // The corners of the square around a circle are free.
  const [around, size] = [ROUND * layout.radius, 2 * squareSize(layout) + 2];
  for (let v = 1; v <= graph.n; v++) occupied.add(boxAt(pointOf(layout, v), around, around));
  if (layout.mode === "bipartite" && !many)
    for (let e = 1; e <= graph.m; e++) squares.add(boxAt(squareOf(layout, e), size, size));
  if (!many && graph.incidences <= MOST_LINES)
    for (const { segment, ...owner } of linesOf(graph, layout)) lines.add(segment, owner);
  const view = many ? viewBox(layout, 20) : underBar(layout);
  return { graph, layout, measure, occupied, squares, lines, view, edgeTexts, many };
}

// -- vertices -------------------------------------------------------------------------------------------------------

const BROKEN = 20; // the cost of a name in two lines
const CUT = 1000; // of one that is cut; one that is cut shorter costs twice that
const LEAST_CUT = [12, 8, 5] as const; // letters of those, unless more are needed to tell names apart

interface Variant {
  readonly text: string;
  readonly cost: number;
}

/** A name in full, in two lines at a blank, or cut. */
function variantsOf(full: string, cut: readonly string[]): Variant[] {
  const broken = inTwoLines(full);
  const all = [
    { text: full, cost: 0 },
    ...(broken === null ? [] : [{ text: broken, cost: BROKEN }]),
    ...cut.map((text, k) => ({ text, cost: (k + 1) * CUT })),
  ];
  return all.filter(({ text }, k) => all.findIndex((other) => other.text === text) === k);
}

/** Those in many hyperedges first; of few vertices, a name that has no room is cut before it goes. */
function placeNames(page: Page): void {
  const { graph, layout, occupied, many } = page;
  const full = graph.vertexText.map((_, v) => (v === 0 ? "" : vertexLabelText(graph, v)));
  const cut = many ? [] : LEAST_CUT.map((least) => ["", ...cutTexts(full.slice(1), least)]);
  const order = Array.from({ length: graph.n }, (_, k) => k + 1)
    .filter((v) => overlap(circleBox(layout, v), viewBox(layout, 20)) > 0)
    .sort((a, b) => (graph.edgesOf[b]?.length ?? 0) - (graph.edgesOf[a]?.length ?? 0));
  layout.names = new Array(graph.n + 1).fill(null);
  const texts = (v: number): Variant[] => {
    const whole = full[v] as string;
    return many
      ? [{ text: whole, cost: 0 }]
      : variantsOf(
          whole,
          cut.map((list) => list[v] as string),
        );
  };
  if (many) {
    for (const v of order) keep(page, v, firstFree(page, nameCandidates(page, v, texts(v))));
    return;
  }
  const found = placed(order.map((v) => nameCandidates(page, v, texts(v))));
  for (const [k, v] of order.entries()) {
    const name = found[k] ? claimed(page, v, found[k]) : null;
    layout.names[v] = name;
    if (name) hold(occupied, name);
  }
}

/** A name that is no nearer to its own vertex than to another, and not right beside it, has a line that says whose it is. */
function claimed(page: Page, v: number, name: Candidate): Place {
  const { layout } = page;
  const own = pointOf(layout, v);
  if (name.lead || awayFrom(name.box, own) < layout.radius + LEAST_LEAD || layout.vertices.isNearest(name.box, v))
    return name;
  const lead = leadTo(own, layout.radius + 1, name.box);
  const { text, at, toward, box } = name;
  return { text, at, toward, box, lead: isOpen(page, lead) ? lead : null };
}

/** What comes later stays off a label, and off the line to it. */
function hold(occupied: Occupied, { box, lead = null }: Pick<Place, "box" | "lead">): void {
  occupied.add(box);
  if (!lead) return;
  const [[ax, ay], [bx, by]] = lead;
  const count = Math.ceil(Math.hypot(bx - ax, by - ay) / LEAD_STEP);
  for (let k = 0; k < count; k++) {
    const t = (k + 0.5) / count;
    occupied.add(boxAt([ax + (bx - ax) * t, ay + (by - ay) * t], LEAD_STEP, LEAD_STEP));
  }
}

const LEAD_STEP = 4; // pixels
const LEAST_LEAD = 3; // of a line that is seen

function keep({ layout, occupied }: Page, v: number, found: Candidate | null): void {
  layout.names[v] = found;
  if (found) occupied.add(found.box);
}

function firstFree({ occupied }: Page, candidates: readonly Candidate[]): Candidate | null {
  return candidates.find(({ box }) => !occupied.hits(box)) ?? null;
}

function nameCandidates(page: Page, v: number, variants: readonly Variant[]): Candidate[] {
  const { layout, measure, many } = page;
  const own = pointOf(layout, v);
  const more = costOfVertex(page, v);
  return variants.flatMap(({ text, cost }) => {
    const [wide, height] = sizeOfText(text, vertexFont(layout), layout.font, measure);
    const places = besideMark(own, layout.radius, wide + 3, height, many ? "touching" : "far");
    return candidates(page, text, places, wide + 3, height, more, cost, { at: own, radius: layout.radius });
  });
}

interface Mark {
  readonly at: Point;
  readonly radius: number;
}

/** The places of a text of which nearly nothing is taken, and to which a line leads past all marks, if one does. */
function candidates(
  page: Page,
  text: string,
  places: readonly Beside[],
  width: number,
  height: number,
  more: (box: Box, led?: boolean) => number,
  added = 0,
  mark: Mark | null = null,
): Candidate[] {
  const { occupied, view, many } = page;
  const found: Candidate[] = [];
  for (const { at, toward, cost, far, from } of places) {
    const box = boxAt(at, width, height);
    const under = many ? 0 : takenOf(box, occupied, view);
    if (isTaken(box, under)) continue;
    const lead = from ? leadTo(from, 0, box) : far && mark ? leadTo(mark.at, mark.radius + 1, box) : null;
    if (lead && !isOpen(page, lead)) continue;
    const dear = lead ? (box: Box) => more(box, true) : more;
    found.push(new Candidate(text, at, toward, box, under, cost + added, dear, lead));
  }
  return found;
}

/** Whether nothing that is placed lies on a short line. */
function isOpen({ occupied, squares }: Page, [[ax, ay], [bx, by]]: Segment): boolean {
  return [0.15, 0.4, 0.65, 0.9].every((t) => {
    const box = boxAt([ax + (bx - ax) * t, ay + (by - ay) * t], 2, 2);
    return !occupied.hits(box) && !squares.hits(box);
  });
}

/** What a label of a vertex pays for the lines and squares that it covers, and for seeming to be that of another. */
function costOfVertex(page: Page, v: number, ownLine = OWN): (box: Box, led?: boolean) => number {
  const { graph, layout, many } = page;
  if (many) return () => 0;
  const own = new Set(graph.edgesOf[v]);
  const isOwn =
    layout.mode === "regions" ? ({ hyperedge }: Owner) => own.has(hyperedge) : (of: Owner) => of.vertex === v;
  return costOf(page, pointOf(layout, v), isOwn, ownLine);
}

function costOf(
  page: Page,
  own: Point,
  isOwn: (owner: Owner) => boolean,
  ownLine = OWN,
): (box: Box, led?: boolean) => number {
  const { lines, squares, layout } = page;
  const paid = (owner: Owner) => (isOwn(owner) ? ownLine : LINE);
  let marks: Point[] | null = null;
  return (box, led = false) => {
    marks ??= marksNear(page, own);
    const strange = strangeness(box, own, marks, layout.radius) * (led ? LED_SHARE : 1);
    return lines.under(box, paid) + SQUARE * squares.covered(box) + strange;
  };
}

const AROUND = 140; // pixels: farther marks are no neighbours

function marksNear({ graph, layout }: Page, own: Point): Point[] {
  const found: Point[] = [];
  const near = ([x, y]: Point) => Math.abs(x - own[0]) < AROUND && Math.abs(y - own[1]) < AROUND;
  for (let v = 1; v <= graph.n; v++) {
    const at = pointOf(layout, v);
    if (near(at) && (at[0] !== own[0] || at[1] !== own[1])) found.push(at);
  }
  return found;
}

const DIGITS = 2.1; // the width of a value, in heights of its letters
const MOST_DIGITS = 5;
const FEW = 60; // vertices whose values may change their places
const VALUE_CROSSED = 3; // pixels of others' lines under a value, from which on it goes
const CHOICES = 3; // places for one value: arrows that come and go take some

/** Where nothing else is, nearest to its own vertex: a value is in the tables, too. There is room for the longest of the answer, unless it is very long. */
function placeValues(page: Page, longest: string): void {
  const { graph, layout, occupied, squares, view, measure, many } = page;
  layout.values = graph.vertexText.map(() => []);
  const wanted = measure(longest, valueFont(layout, true)) + 5;
  const most = graph.n > FEW ? DIGITS : MOST_DIGITS;
  const width = Math.min(most * layout.font, Math.max(DIGITS * layout.font, wanted));
  const height = layout.font + 2;
  const choices = graph.n > FEW ? 1 : CHOICES;
  const rated = graph.vertexText.map((_, v) => {
    if (v === 0 || !layout.names[v]) return [];
    const places = besideMark(pointOf(layout, v), layout.radius, width, height, many ? "touching" : "near");
    const rank = places.map((place) => ({ ...place, cost: valueCost(place) }));
    return candidates(page, "", rank, width, height, costOfVertex(page, v, OWN_OF_VALUE))
      .filter(({ under, box }) => under === 0 && overlap(box, view) === areaOf(box) && !squares.hits(box))
      .filter(({ box }) => layout.vertices.isOwn(box, v) && isOffLines(page, v, box))
      .sort((a, b) => a.cost() - b.cost());
  });
  for (let turn = 0; turn < choices; turn++)
    for (const [v, places] of rated.entries()) {
      const found = places.find(({ box }) => !occupied.hits(box));
      if (!found) continue;
      occupied.add(found.box);
      layout.values[v]?.push(found);
    }
}

/** Whether next to nothing of others' lines is under a value. */
function isOffLines({ graph, layout, lines }: Page, v: number, box: Box): boolean {
  const own = new Set(graph.edgesOf[v]);
  const isOwn = ({ hyperedge, vertex }: Owner) => (layout.mode === "regions" ? own.has(hyperedge) : vertex === v);
  return lines.under(box, (owner) => (isOwn(owner) ? 0 : 1)) <= VALUE_CROSSED;
}

/** Beneath the vertex is where people look first. */
function valueCost({ toward: [, dy], cost }: Beside): number {
  return dy > 0.99 ? cost - 1 : dy < -0.99 ? cost + 3 : cost;
}

// -- hyperedges -----------------------------------------------------------------------------------------------------

const AMID = 400; // the cost of standing in another region, whose name it would seem to be
const BESIDE = 6;
const FAR = 20; // pixels from its outline, from which on a label is no more seen to belong to it
const ON = 6; // pixels of an outline under a label that stands on it
const HARDLY = 2; // pixels of others' lines under a label at the end of a line
const CLEARLY = 3.5; // pixels by which every other outline is farther from a label that stands beside its own
const FARTHER = 14; // pixels outside of an outline
const LED = [
  { gap: 5, cost: 50 },
  { gap: 11, cost: 60 },
  { gap: 20, cost: 80 },
  { gap: 34, cost: 110 },
  { gap: 50, cost: 150 },
] as const; // where a line leads from an outline to its label
const LED_PLACES = 40; // along an outline
const PLACES = 48; // along an outline
const MOST_CROSSED = { regions: 11, squares: 8 } as const; // pixels of others' lines under the name of a hyperedge, from which on it goes

/** On the outline or beside it, or else at the end of a line; the small regions first, which have the fewest places. */
function placeRegionNames(page: Page): void {
  const { graph, layout, occupied } = page;
  layout.edgeBox = graph.members.map(() => null);
  layout.edgeLabel = graph.members.map(() => false);
  const regions = layout.outlines.flatMap((loops, e) => loops.map((loop) => ({ e, loop, box: boxAround(loop) })));
  const order = [...graph.members.keys()].slice(1).sort((a, b) => (layout.areas[a] ?? 0) - (layout.areas[b] ?? 0));
  const beside = order.map((e) => besideRegion(page, regions, e));
  const first = placed(beside);
  const labels = beside.map((places, k) =>
    first[k] ? places : [...places, ...ledFromRegion(page, regions, order[k] as number)],
  );
  const chosen = first.includes(null) ? placed(labels) : first;
  for (const [k, found] of chosen.entries()) {
    const e = order[k] as number;
    if (!found) continue;
    hold(occupied, found);
    layout.edgeBox[e] = found.box;
    layout.edgeLabel[e] = true;
    layout.edgeLead[e] = found.lead;
    [layout.ex[e], layout.ey[e]] = found.at;
  }
}

function sizeOfRegionName({ layout, measure, edgeTexts }: Page, e: number): [number, number] {
  return [measure(edgeTexts[e] ?? "", edgeFont(layout, true)) + 12, layout.font + 4];
}

function besideRegion(page: Page, regions: readonly Loop[], e: number): Candidate[] {
  const [width, height] = sizeOfRegionName(page, e);
  const loops = page.layout.outlines[e] ?? [];
  const around = outlinePlaces(loops, width, height).map((place) => ({
    ...place,
    at: inside(place.at, width, height, page.view),
  }));
  const places = [...around, ...innerPlaces(loops)];
  return candidates(page, "", places, width, height, costOfRegion(page, regions, e)).filter(
    ({ box, under }) => under === 0 && crossed(page.lines, e, box) <= MOST_CROSSED.regions,
  );
}

function ledFromRegion(page: Page, regions: readonly Loop[], e: number): Candidate[] {
  const [width, height] = sizeOfRegionName(page, e);
  const places = ledPlaces(page.layout.outlines[e] ?? [], width, height);
  const isClear = ({ box, under }: Candidate) =>
    under === 0 && crossed(page.lines, e, box) <= HARDLY && leavesValues(page, box);
  return candidates(page, "", places, width, height, costOfLed(regions)).filter(
    (place) => isClear(place) && place.lead && isOffLine(page.lines, e, place.lead),
  );
}

interface Loop {
  readonly e: number;
  readonly loop: readonly Point[];
  readonly box: Box;
}

function costOfRegion({ graph, lines }: Page, regions: readonly Loop[], e: number): (box: Box) => number {
  const paid = ({ hyperedge }: Owner) => (hyperedge === e ? OWN : LINE);
  const others = regions.filter((each) => each.e !== e && !holds(graph, each.e, e));
  const own = regions.filter((each) => each.e === e);
  const all = regions.filter((each) => each.e !== e);
  return (box) => {
    const strange = crossed(lines, e, box);
    const onOwn = lines.under(box, ({ hyperedge }) => (hyperedge === e ? 1 : 0)) >= Math.max(ON, strange);
    const amid = isAmid(others, middleOfBox(box));
    if (!onOwn && (amid || strange >= ON || !isItsOwn(own, all, box))) return Number.POSITIVE_INFINITY;
    return lines.under(box, paid) + (amid ? AMID : 0);
  };
}

/** Whether a label leaves room for the values of vertices. */
function leavesValues({ graph, layout }: Page, { left, right, top, bottom }: Box): boolean {
  const [wide, high] = [DIGITS * layout.font + layout.radius + 4, layout.font + layout.radius + 4];
  for (let v = 1; v <= graph.n; v++) {
    const [x, y] = pointOf(layout, v);
    if (x > left - wide && x < right + wide && y > top - high && y < bottom + high) return false;
  }
  return true;
}

/** At the end of a line it may stand near other regions, but not in one. */
function costOfLed(regions: readonly Loop[]): (box: Box) => number {
  return (box) => (isAmid(regions, middleOfBox(box)) ? Number.POSITIVE_INFINITY : 0);
}

function holds(graph: Graph, outer: number, inner: number): boolean {
  const members = graph.members[inner] ?? [];
  return members.length > 0 && members.every((v) => graph.members[outer]?.includes(v));
}

/** Whether a label off its own outline stands inside of it, or beside it and clearly nearer to it than to any other. */
function isItsOwn(own: readonly Loop[], others: readonly Loop[], box: Box): boolean {
  if (isAmid(own, middleOfBox(box))) return true; // and in no other
  const mine = Math.min(...own.map((each) => gapTo(each, box, FAR)));
  return mine < FAR && others.every((each) => gapTo(each, box, mine + CLEARLY) >= mine + CLEARLY);
}

/** The pixels between a label and an outline; `most`, where there are as many or more. */
function gapTo({ loop, box: around }: Loop, box: Box, most: number): number {
  const gap = (x: number, y: number) =>
    Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
  const apart = Math.hypot(
    Math.max(box.left - around.right, 0, around.left - box.right),
    Math.max(box.top - around.bottom, 0, around.top - box.bottom),
  );
  if (apart >= most) return most;
  return loop.reduce((least, [x, y]) => Math.min(least, gap(x, y)), most);
}

/** How much of others' lines a label of a hyperedge would lie on. */
function crossed(lines: Lines<Owner>, own: number, box: Box): number {
  return lines.under(box, ({ hyperedge }) => (hyperedge === own ? 0 : 1));
}

/** Whether a line from an outline runs into no other; where it begins, it is clear which one that is. */
function isOffLine(lines: Lines<Owner>, own: number, [[ax, ay], [bx, by]]: Segment): boolean {
  const count = Math.ceil(Math.hypot(bx - ax, by - ay) / LEAD_STEP);
  return Array.from({ length: count + 1 }, (_, k) => k / count).every(
    (t) => crossed(lines, own, boxAt([ax + (bx - ax) * t, ay + (by - ay) * t], LEAD_STEP, LEAD_STEP)) === 0,
  );
}

/** Points of an outline, from its top on, then those just outside of it. */
export function outlinePlaces(loops: readonly (readonly Point[])[], width: number, height: number): Beside[] {
  return rimOf(loops, PLACES).flatMap(({ on, away, straight, cost }) => {
    const beside = (toward: Point, by: number, more: number) => ({
      at: along(on, toward, outOf(toward, width, height) + by),
      toward,
      cost: cost + more,
    });
    return [
      { at: on, toward: away, cost },
      beside(away, 2, BESIDE),
      beside(straight, 2, BESIDE),
      beside(away, FARTHER, 4 * BESIDE),
    ];
  });
}

/** Places farther outside, to which lines lead from the outline. */
function ledPlaces(loops: readonly (readonly Point[])[], width: number, height: number): Beside[] {
  return rimOf(loops, LED_PLACES).flatMap(({ on, away, straight, cost }) =>
    [away, straight, ...uprightAndLevel(straight)].flatMap((toward) =>
      LED.map((led) => {
        const at = along(on, toward, outOf(toward, width, height) + led.gap);
        return { at, toward, cost: cost + led.cost, from: on };
      }),
    ),
  );
}

/** The directions upright and level that are nearest to one. */
function uprightAndLevel([dx, dy]: Point): Point[] {
  const all: Point[] = [
    [Math.sign(dx), 0],
    [0, Math.sign(dy)],
  ];
  return all.filter(([x, y]) => x !== 0 || y !== 0);
}

interface Rim {
  readonly on: Point;
  readonly away: Point; // from the middle
  readonly straight: Point; // at right angles to the outline
  readonly cost: number;
}

/** Some points of an outline; those at its top cost least. */
function rimOf(loops: readonly (readonly Point[])[], most: number): Rim[] {
  const some = loops.flatMap((loop) => {
    const [every, turns] = [Math.max(1, Math.round(loop.length / most)), winding(loop)];
    return loop.flatMap((on, k) => (k % every === 0 ? [{ on, straight: straightFrom(loop, k, turns) }] : []));
  });
  const mean = (k: 0 | 1) => some.reduce((sum, { on }) => sum + on[k], 0) / some.length;
  const [cx, cy] = [mean(0), mean(1)];
  const top = Math.min(...some.map(({ on }) => on[1]));
  return some.map(({ on, straight }) => ({
    on,
    away: unit([on[0] - cx, on[1] - cy]),
    straight,
    cost: 0.02 * (on[1] - top),
  }));
}

/** Which way is straight out of an outline at its point k. */
function straightFrom(loop: readonly Point[], k: number, turns: 1 | -1): Point {
  const [a, b] = [loop[(k + loop.length - 2) % loop.length] as Point, loop[(k + 2) % loop.length] as Point];
  return unit([turns * (b[1] - a[1]), turns * (a[0] - b[0])]);
}

function unit([x, y]: Point): Point {
  const long = Math.hypot(x, y) || 1;
  return [x / long, y / long];
}

/** 1 for an outline that goes round clockwise on the screen, else -1. */
function winding(loop: readonly Point[]): 1 | -1 {
  return edgesOf(loop).reduce((twice, [a, b]) => twice + a[0] * b[1] - b[0] * a[1], 0) >= 0 ? 1 : -1;
}

function along([x, y]: Point, [dx, dy]: Point, by: number): Point {
  return [x + dx * by, y + dy * by];
}

/** From the middle of a label to where it ends in the other direction. */
function outOf([dx, dy]: Point, width: number, height: number): number {
  return (Math.abs(dx) * width) / 2 + (Math.abs(dy) * height) / 2;
}

const INNER = 8; // rows and columns of places inside

/** Places inside of a region: where it has room that is no other's, its name can stand there. */
export function innerPlaces(loops: readonly (readonly Point[])[]): Beside[] {
  return loops.flatMap((loop) => {
    const { left, right, top, bottom } = boxAround(loop);
    const steps = Array.from({ length: INNER }, (_, k) => (k + 0.5) / INNER);
    const all = steps.flatMap((x) => steps.map((y): Point => [left + x * (right - left), top + y * (bottom - top)]));
    return all
      .filter((at) => insidePolygon(at, loop))
      .map((at): Beside => ({ at, toward: [0, -1], cost: 4 * BESIDE + 0.02 * (at[1] - top) }));
  });
}

/** A label that would be cut by the end of the picture moves into it. */
function inside([x, y]: Point, width: number, height: number, view: Box): Point {
  if (overlap(boxAt([x, y], width, height), view) === 0) return [x, y];
  const within = (at: number, least: number, most: number) => Math.min(Math.max(at, least), Math.max(least, most));
  return [
    within(x, view.left + width / 2, view.right - width / 2),
    within(y, view.top + height / 2, view.bottom - height / 2),
  ];
}

/** Whether a place lies in one of these regions. */
function isAmid(regions: readonly Loop[], place: Point): boolean {
  return regions.some(({ loop, box }) => {
    // Most regions are elsewhere: their boxes tell that at once.
    if (place[0] < box.left || place[0] > box.right || place[1] < box.top || place[1] > box.bottom) return false;
    return insidePolygon(place, loop);
  });
}

/** Beside the squares, the large hyperedges first. */
function placeSquareNames(page: Page): void {
  const { graph, layout, measure, occupied, squares, lines, many } = page;
  layout.edgeBox = graph.members.map(() => null);
  layout.edgeLabel = graph.members.map(() => false);
  const order = [...graph.members.keys()]
    .slice(1)
    .sort((a, b) => (graph.members[b]?.length ?? 0) - (graph.members[a]?.length ?? 0));
  const height = layout.font + 1;
  const few = many || graph.m > MOST_TRIED;
  const seen = order.filter((e) => overlap(boxAt(squareOf(layout, e), 2, 2), page.view) > 0);
  for (const e of seen.slice(0, MOST_TRIED)) {
    const own = squareOf(layout, e);
    const width = measure(page.edgeTexts[e] ?? "", edgeFont(layout)) + 4;
    const beside = besideMark(own, squareSize(layout) + 1, width, height, few ? "touching" : "far");
    const cost = few ? () => 0 : costOf(page, own, ({ hyperedge }) => hyperedge === e);
    const mark = { at: own, radius: squareSize(layout) + 1 };
    const places = candidates(page, "", beside, width, height, cost, 0, mark)
      .filter(({ box, under }) => under === 0 && !occupied.hits(box) && !squares.hits(box))
      .filter(({ box }) => crossed(lines, e, box) <= MOST_CROSSED.squares)
      .sort((a, b) => a.cost() - b.cost());
    const [found] = places;
    if (!found) continue;
    hold(occupied, found);
    layout.edgeBox[e] = found.box;
    layout.edgeLabel[e] = true;
    layout.edgeLead[e] = found.lead;
  }
}
