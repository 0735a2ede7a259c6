export type Direction = "higher" | "lower";

/**
 * Which points nothing beats: no other is at least as good in both ways and better in one. In
 * ascending order of x.
 */
export function paretoFront(
  points: { x: number; y: number }[],
  betterX: Direction,
  betterY: Direction,
): number[] {
  const good = points.map(({ x, y }) => [
    betterX === "higher" ? x : -x,
    betterY === "higher" ? y : -y,
  ]);
  const beats = (a: number[], b: number[]) =>
    a[0]! >= b[0]! && a[1]! >= b[1]! && (a[0]! > b[0]! || a[1]! > b[1]!);
  return points
    .map((_, index) => index)
    .filter((index) => !good.some((other) => beats(other, good[index]!)))
    .sort((a, b) => points[a]!.x - points[b]!.x || points[a]!.y - points[b]!.y);
}
