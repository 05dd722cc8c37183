/** Plane geometry of the picture: hulls, distances to them, and the smooth outlines around hyperedges. */

export type Point = readonly [number, number];
export type Segment = readonly [Point, Point];
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The corners of the convex hull, counter-clockwise in a plane whose y points up (Andrew's monotone chain). */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const unique = sorted.filter(
    (point, k) => k === 0 || point[0] !== sorted[k - 1]?.[0] || point[1] !== sorted[k - 1]?.[1],
  );
  if (unique.length < 3) return unique;
  const lower = chain(unique);
  const upper = chain([...unique].reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

function chain(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    while (kept.length >= 2 && turn(kept[kept.length - 2] as Point, kept[kept.length - 1] as Point, point) <= 0)
      kept.pop();
    kept.push(point);
  }
  return kept;
}

/** Twice the signed area of the triangle a, b, c. */
export function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

export function distanceToSegment(p: Point, [a, b]: Segment): number {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length));
  return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
}

export function insidePolygon(p: Point, polygon: readonly Point[]): boolean {
  let inside = false;
  for (let k = 0, j = polygon.length - 1; k < polygon.length; j = k++) {
    const [ax, ay] = polygon[k] as Point;
    const [bx, by] = polygon[j] as Point;
    if (ay > p[1] !== by > p[1] && p[0] < ((bx - ax) * (p[1] - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

export function edgesOf(polygon: readonly Point[]): Segment[] {
  if (polygon.length === 1) return [[polygon[0] as Point, polygon[0] as Point]];
  if (polygon.length === 2) return [[polygon[0] as Point, polygon[1] as Point]];
  return polygon.map((point, k) => [point, polygon[(k + 1) % polygon.length] as Point] as const);
}

/** The area of a polygon, whichever way round it goes. */
export function area(polygon: readonly Point[]): number {
  let twice = 0;
  for (const [a, b] of edgesOf(polygon)) twice += a[0] * b[1] - b[0] * a[1];
  return Math.abs(twice) / 2;
}

export function boxAround(points: readonly Point[], margin = 0): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const [x, y] of points) {
    box.left = Math.min(box.left, x - margin);
    box.right = Math.max(box.right, x + margin);
    box.top = Math.min(box.top, y - margin);
    box.bottom = Math.max(box.bottom, y + margin);
  }
  return box;
}

/** The box around points, so much wider on every side. */
export function boxOf(points: readonly Point[], more: number): Box {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return {
    left: Math.min(...xs) - more,
    top: Math.min(...ys) - more,
    right: Math.max(...xs) + more,
    bottom: Math.max(...ys) + more,
  };
}

/** The box around boxes. */
export function boxOfAll(boxes: readonly Box[]): Box {
  const all = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { left, top, right, bottom } of boxes) {
    all.left = Math.min(all.left, left);
    all.top = Math.min(all.top, top);
    all.right = Math.max(all.right, right);
    all.bottom = Math.max(all.bottom, bottom);
  }
  return all;
}

export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/** A box moved into another, which may be too small for it: then to its left and top. */
export function movedInto(box: Box, view: Box): Box {
  const right = Math.min(0, view.right - box.right);
  const down = Math.min(0, view.bottom - box.bottom);
  const dx = Math.max(right, view.left - box.left);
  const dy = Math.max(down, view.top - box.top);
  return { left: box.left + dx, right: box.right + dx, top: box.top + dy, bottom: box.bottom + dy };
}

export function isInside(box: Box, view: Box): boolean {
  return box.left >= view.left && box.right <= view.right && box.top >= view.top && box.bottom <= view.bottom;
}

export function middleOfBox({ left, right, top, bottom }: Box): Point {
  return [(left + right) / 2, (top + bottom) / 2];
}

/** The point of a box that is nearest to another point. */
export function nearestIn({ left, right, top, bottom }: Box, [x, y]: Point): Point {
  return [Math.min(Math.max(x, left), right), Math.min(Math.max(y, top), bottom)];
}

/** The length of a segment inside a box. */
export function lengthInside([a, b]: Segment, { left, right, top, bottom }: Box): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  let [from, to] = [0, 1];
  if (dx === 0) {
    if (a[0] < left || a[0] > right) return 0;
  } else {
    const [first, last] = [(left - a[0]) / dx, (right - a[0]) / dx];
    from = Math.max(from, Math.min(first, last));
    to = Math.min(to, Math.max(first, last));
  }
  if (dy === 0) {
    if (a[1] < top || a[1] > bottom) return 0;
  } else {
    const [first, last] = [(top - a[1]) / dy, (bottom - a[1]) / dy];
    from = Math.max(from, Math.min(first, last));
    to = Math.min(to, Math.max(first, last));
  }
  return to > from ? (to - from) * Math.hypot(dx, dy) : 0;
}

// -- skeletons: what a region is drawn around ---------------------------------------------------------------------

/** What a region surrounds: all of a polygon, or only some segments. */
export interface Skeleton {
  polygon: Point[]; // empty: only the segments count
  segments: Segment[];
}

/**
 * The hull of the members where no stranger lies in it or closer than `clearance`; else a tree of segments that joins
 * the members and keeps away from strangers where it can.
 */
export function skeletonOf(members: readonly Point[], strangers: readonly Point[], clearance: number): Skeleton {
  const hull = convexHull(members);
  const segments = edgesOf(hull);
  const disturbs = (p: Point) =>
    insidePolygon(p, hull) || segments.some((segment) => distanceToSegment(p, segment) < clearance);
  if (!strangers.some(disturbs)) return { polygon: hull.length > 2 ? hull : [], segments };
  return {
    polygon: [],
    segments: joiningTree(members, strangers, clearance).flatMap((s) => around(s, strangers, clearance)),
  };
}

/** A spanning tree of short segments, where passing a stranger makes a segment count as longer (Prim's algorithm). */
export function joiningTree(points: readonly Point[], strangers: readonly Point[], clearance: number): Segment[] {
  const tree: Segment[] = [];
  if (points.length === 1) return [[points[0] as Point, points[0] as Point]];
  const open = new Set(points.keys());
  open.delete(0);
  const best = points.map((point) => ({ from: 0, cost: cost(points[0] as Point, point, strangers, clearance) }));
  while (open.size > 0) {
    let next = -1;
    for (const k of open) if (next < 0 || at(best, k).cost < at(best, next).cost) next = k;
    open.delete(next);
    tree.push([at(points, at(best, next).from), at(points, next)]);
    for (const k of open) {
      const found = cost(at(points, next), at(points, k), strangers, clearance);
      if (found < at(best, k).cost) best[k] = { from: next, cost: found };
    }
  }
  return tree;
}

function at<T>(list: readonly T[], k: number): T {
  return list[k] as T;
}

function cost(a: Point, b: Point, strangers: readonly Point[], clearance: number): number {
  const passed = strangers.filter((p) => distanceToSegment(p, [a, b]) < clearance).length;
  return distance(a, b) * (1 + passed);
}

const BENDS = 2; // how often each part of a bent segment is bent again

/** The segment, or a bent way around the strangers that it runs into. */
function around(segment: Segment, strangers: readonly Point[], clearance: number, bends = BENDS): Segment[] {
  const [a, b] = segment;
  const length = distance(a, b);
  const nearest = nearestTo(segment, strangers);
  if (!nearest || length === 0 || distanceToSegment(nearest, segment) >= clearance) return [segment];
  const normal: Point = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length];
  const side = turn(a, b, nearest) > 0 ? -1 : 1;
  const bend: Point = [
    nearest[0] + side * normal[0] * clearance * 1.25,
    nearest[1] + side * normal[1] * clearance * 1.25,
  ];
  const parts: Segment[] = [
    [a, bend],
    [bend, b],
  ];
  return bends > 1 ? parts.flatMap((part) => around(part, strangers, clearance, bends - 1)) : parts;
}

/** The stranger that is nearest to a segment, of those beside it: a bend leads nowhere around one at its end. */
function nearestTo([a, b]: Segment, strangers: readonly Point[]): Point | null {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const square = dx * dx + dy * dy || 1;
  let [best, least]: [Point | null, number] = [null, Number.POSITIVE_INFINITY];
  for (const p of strangers) {
    const along = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square;
    if (along < 0.02 || along > 0.98) continue;
    const far = distanceToSegment(p, [a, b]);
    if (far < least) [best, least] = [p, far];
  }
  return best;
}

// -- outlines -----------------------------------------------------------------------------------------------------

/** A field that is negative inside the region of radius `radius` around a skeleton; strangers are cut out of it. */
export function regionField(
  skeleton: Skeleton,
  radius: number,
  strangers: readonly Point[],
  cut: number,
): (p: Point) => number {
  const { polygon, segments } = skeleton;
  return (p) => {
    let near = Infinity;
    let far = Infinity; // the second nearest segment: where two meet, the corner between them is filled smoothly
    for (const segment of segments) {
      const d = distanceToSegment(p, segment);
      if (d < near) {
        far = near;
        near = d;
      } else if (d < far) far = d;
    }
    if (polygon.length > 2) return (insidePolygon(p, polygon) ? -near : near) - radius;
    let field = smoothMin(near, far, radius * 0.6) - radius;
    for (const q of strangers) field = Math.max(field, cut - distance(p, q));
    return field;
  };
}

const NARROWER = 0.9; // where two segments meet, the region is wider by up to a tenth

function smoothMin(a: number, b: number, width: number): number {
  const h = Math.max(0, width - Math.abs(a - b)) / width;
  return Math.min(a, b) - (h * h * width) / 4;
}

/** The closed curves where `field` is 0, by marching squares with corners `step` apart; nothing outside `box` counts. */
export function contours(field: (p: Point) => number, box: Box, step: number): Point[][] {
  const columns = Math.ceil((box.right - box.left) / step) + 1;
  const rows = Math.ceil((box.bottom - box.top) / step) + 1;
  const values = sample(field, box, step, columns, rows);
  const links = new Map<number, { to: number; point: Point }>();
  for (let y = 0; y + 1 < rows; y++) {
    for (let x = 0; x + 1 < columns; x++) march(values, box, step, columns, x, y, links);
  }
  return loopsOf(links);
}

/** The field changes by at most 1 a pixel, so where it is far from 0 the corners nearby have its sign. */
function sample(field: (p: Point) => number, box: Box, step: number, columns: number, rows: number): Float64Array {
  const values = new Float64Array(columns * rows).fill(1);
  for (let y = 1; y + 1 < rows; y++) {
    for (let x = 1; x + 1 < columns; ) {
      const value = field([box.left + x * step, box.top + y * step]);
      const alike = Math.max(1, Math.floor(Math.abs(value) / step - 1));
      const end = Math.min(x + alike, columns - 1);
      values.fill(value, y * columns + x, y * columns + end);
      x = end;
    }
  }
  return values;
}

// The sides of a cell are 0 top, 1 right, 2 bottom, 3 left. For each set of inside corners (1 top left, 2 top right,
// 4 bottom right, 8 bottom left): from which side to which the curve goes, with the inside always on the same hand.
const CASES: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[3, 0]],
  [[0, 1]],
  [[3, 1]],
  [[1, 2]],
  [
    [3, 0],
    [1, 2],
  ],
  [[0, 2]],
  [[3, 2]],
  [[2, 3]],
  [[2, 0]],
  [
    [0, 1],
    [2, 3],
  ],
  [[2, 1]],
  [[1, 3]],
  [[1, 0]],
  [[0, 3]],
  [],
];

function march(
  values: Float64Array,
  box: Box,
  step: number,
  columns: number,
  x: number,
  y: number,
  links: Map<number, { to: number; point: Point }>,
): void {
  const corner = (dx: number, dy: number) => values[(y + dy) * columns + x + dx] as number;
  const [tl, tr, br, bl] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
  const inside = (tl < 0 ? 1 : 0) | (tr < 0 ? 2 : 0) | (br < 0 ? 4 : 0) | (bl < 0 ? 8 : 0);
  // Each side of the grid has its own number, the same for the two cells that share it.
  const side = (k: number) => 2 * ((k === 2 ? y + 1 : y) * columns + (k === 1 ? x + 1 : x)) + (k % 2);
  const crossing = (k: number): Point => {
    if (k % 2 === 0) {
      const [a, b] = k === 0 ? [tl, tr] : [bl, br];
      return [box.left + (x + a / (a - b)) * step, box.top + (y + (k === 2 ? 1 : 0)) * step];
    }
    const [a, b] = k === 1 ? [tr, br] : [tl, bl];
    return [box.left + (x + (k === 1 ? 1 : 0)) * step, box.top + (y + a / (a - b)) * step];
  };
  for (const [from, to] of CASES[inside] ?? []) links.set(side(from), { to: side(to), point: crossing(from) });
}

function loopsOf(links: Map<number, { to: number; point: Point }>): Point[][] {
  const loops: Point[][] = [];
  while (links.size > 0) {
    const loop: Point[] = [];
    let key = links.keys().next().value as number;
    for (let link = links.get(key); link; link = links.get(key)) {
      links.delete(key);
      loop.push(link.point);
      key = link.to;
    }
    if (loop.length > 2) loops.push(loop);
  }
  return loops;
}

/**
 * The outlines of a hyperedge's region in pixels, clipped to `view`; a circle for one member, a capsule for two. The
 * region is narrower than `radius`, down to `least`, where a stranger would be closer to it than `cut`.
 */
export function outlinesOf(
  members: readonly Point[],
  strangers: readonly Point[],
  wanted: number,
  cut: number,
  view: Box,
  least = wanted * 0.75,
): Point[][] {
  if (members.length === 0) return [];
  const skeleton = skeletonOf(members, strangers, cut + least);
  const reach = strangers.reduce(
    (far, p) => skeleton.segments.reduce((near, segment) => Math.min(near, distanceToSegment(p, segment)), far),
    Number.POSITIVE_INFINITY,
  );
  const radius = Math.max(least, Math.min(wanted, (reach - cut) * NARROWER));
  const bends = skeleton.segments.flat();
  const whole = boxAround([...members, ...bends], radius * 1.3 + 8);
  const box = {
    left: Math.max(whole.left, view.left),
    right: Math.min(whole.right, view.right),
    top: Math.max(whole.top, view.top),
    bottom: Math.min(whole.bottom, view.bottom),
  };
  if (box.left >= box.right || box.top >= box.bottom) return [];
  const near = strangers.filter(
    ([x, y]) => x > whole.left - cut && x < whole.right + cut && y > whole.top - cut && y < whole.bottom + cut,
  );
  const step = Math.max(3.5, (box.right - box.left) / 130, (box.bottom - box.top) / 130);
  return contours(regionField(skeleton, radius, near, cut), box, step);
}

/** For each hyperedge a level 0, 1, ...: two that share a vertex get different ones, small hyperedges the low ones. */
export function nestingLevels(members: readonly (readonly number[])[]): number[] {
  const levels = members.map(() => 0);
  const taken = new Map<number, Set<number>>();
  const order = [...members.keys()].sort((a, b) => at(members, a).length - at(members, b).length);
  for (const e of order) {
    let level = 0;
    while (at(members, e).some((v) => taken.get(v)?.has(level))) level++;
    levels[e] = level;
    for (const v of at(members, e)) taken.set(v, (taken.get(v) ?? new Set()).add(level));
  }
  return levels;
}

// -- arrows -------------------------------------------------------------------------------------------------------

/** A quadratic curve from a to b, that bends to one side by a share of its length, cut short by the radii of its ends. */
export interface Curve {
  start: Point;
  control: Point;
  end: Point;
  angle: number; // of the end
}

export function curveBetween(a: Point, b: Point, startGap: number, endGap: number, bend: number): Curve {
  const control: Point = [(a[0] + b[0]) / 2 - (b[1] - a[1]) * bend, (a[1] + b[1]) / 2 + (b[0] - a[0]) * bend];
  const leaving = Math.atan2(control[1] - a[1], control[0] - a[0]);
  const arriving = Math.atan2(b[1] - control[1], b[0] - control[0]);
  return {
    start: [a[0] + Math.cos(leaving) * startGap, a[1] + Math.sin(leaving) * startGap],
    control,
    end: [b[0] - Math.cos(arriving) * endGap, b[1] - Math.sin(arriving) * endGap],
    angle: arriving,
  };
}

/** The point of a curve at a share 0 ... 1 of its way. */
export function alongCurve({ start, control, end }: Curve, t: number): Point {
  const mix = (k: 0 | 1) => (1 - t) ** 2 * start[k] + 2 * t * (1 - t) * control[k] + t * t * end[k];
  return [mix(0), mix(1)];
}
