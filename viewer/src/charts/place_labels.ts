/** Sizes and places are pixels. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const GAP = 10;
/** Share of a label. */
const MUCH = 0.2;

/**
 * ECharts hides or shifts names that overlap, but knows one place for each and no points under it:
 * of 34 points in a cluster it names about half as many, some of them across other points.
 *
 * Where a label of this size stands beside its point: right, left, above, below or farther off,
 * where it covers least of other labels, of points, and of what is outside `room`. Gives its
 * middle; null where it would cover much of others everywhere.
 */
export function placeLabel(
  point: [number, number],
  size: { width: number; height: number },
  taken: Box[],
  room: Box,
): [number, number] | null {
  const [x, y] = point;
  const { width, height } = size;
  const side = GAP + width / 2;
  const up = GAP + height / 2;
  const places: [number, number][] = [
    [x + side, y],
    [x - side, y],
    [x, y - up],
    [x, y + up],
    [x + side, y - up],
    [x + side, y + up],
    [x - side, y - up],
    [x - side, y + up],
    [x + side, y - up - height],
    [x - side, y - up - height],
    [x + side, y + up + height],
    [x - side, y + up + height],
  ];
  let best = places[0]!;
  let least = Infinity;
  places.forEach((place, rank) => {
    const box = boxAround(place, size);
    const covered = taken.reduce((sum, other) => sum + overlap(box, other), 0);
    const outside = width * height - overlap(box, room);
    const cost = covered + 2 * outside + rank;
    if (cost < least) [least, best] = [cost, place];
  });
  return least > MUCH * width * height ? null : best;
}

export function boxAround(
  [x, y]: [number, number],
  { width, height }: { width: number; height: number },
): Box {
  return { x: x - width / 2, y: y - height / 2, width, height };
}

function overlap(a: Box, b: Box): number {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}
