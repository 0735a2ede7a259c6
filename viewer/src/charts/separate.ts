/**
 * How far (px, downwards) the names at the ends of lines must move so that they do not overlap.
 * `ends`: last value of each line; null: no name. `pixels`: height of one unit.
 */
export function separate(ends: (number | null)[], pixels: number, gap = 16): number[] {
  const order = ends
    .flatMap((end, index) => (end === null ? [] : [{ index, at: -end * pixels }]))
    .sort((a, b) => a.at - b.at);
  const placed = order.map(({ at }) => at);
  // two passes: down from the top, then back half of what the last was pushed
  for (let k = 1; k < placed.length; ++k) placed[k] = Math.max(placed[k]!, placed[k - 1]! + gap);
  const middle = (list: number[]) =>
    list.reduce((sum, value) => sum + value, 0) / (list.length || 1);
  for (let from = 0; from < placed.length;) {
    let to = from + 1;
    while (to < placed.length && placed[to]! - placed[to - 1]! <= gap + 1e-9) ++to;
    const cluster = order.slice(from, to).map(({ at }) => at);
    const shift = middle(cluster) - middle(placed.slice(from, to));
    const room = from > 0 ? placed[from - 1]! + gap - placed[from]! : -Infinity;
    for (let k = from; k < to; ++k) placed[k]! += Math.max(shift, room);
    from = to;
  }
  const result = ends.map(() => 0);
  order.forEach(({ index, at }, k) => (result[index] = placed[k]! - at));
  return result;
}
