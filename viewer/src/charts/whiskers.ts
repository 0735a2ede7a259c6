import { quantity } from "../format";
import type { ComparisonPoint } from "./comparison";
import { FONT } from "./core";

interface Drawing {
  value(dimension: number): number;
  coord(point: [number, number]): [number, number];
  barLayout(options: object): { offsetCenter: number }[];
}

/**
 * Whiskers at y ± half, and (given a unit) the number behind them, clear of symbols; for bars
 * shifted to their bar.
 */
export function errorBars(
  name: string,
  points: (Pick<ComparisonPoint, "x" | "y" | "half"> & { below?: number | null })[],
  colour: string,
  horizontal: boolean,
  index: number,
  count: number,
  named: string | null = null,
  avoid: [at: number, value: number][] = [],
): Record<string, unknown> {
  return {
    type: "custom",
    name,
    silent: true,
    z: 5,
    color: colour,
    encode: horizontal ? { x: [0, 1], y: 2 } : { x: 2, y: [0, 1] },
    data: points
      .filter((point) => point.half !== null || named !== null)
      .map(({ x, y, half, below }) => [y - (below ?? half ?? 0), y + (half ?? 0), x, y]),
    renderItem: (_: unknown, api: Drawing) => {
      const [low, high, at] = [api.value(0), api.value(1), api.value(2)];
      const [a, b] = horizontal
        ? [api.coord([low, at]), api.coord([high, at])]
        : [api.coord([at, low]), api.coord([at, high])];
      const shift = horizontal ? offsetOfBar(api, index, count) : 0;
      const [dx, dy] = horizontal ? [0, 4] : [4, 0];
      const move = ([x, y]: [number, number]) => [x, y + shift] as const;
      const [[x1, y1], [x2, y2]] = [move(a), move(b)];
      const line = (p1: number, q1: number, p2: number, q2: number) => ({
        type: "line",
        shape: { x1: p1, y1: q1, x2: p2, y2: q2 },
        style: { stroke: colour, lineWidth: 1.4 },
      });
      const whiskers =
        high > low
          ? [
              line(x1, y1, x2, y2),
              line(x1 - dx, y1 - dy, x1 + dx, y1 + dy),
              line(x2 - dx, y2 - dy, x2 + dx, y2 + dy),
            ]
          : [];
      const text =
        named === null
          ? []
          : [
              {
                type: "text",
                style: {
                  text: quantity(api.value(3), named),
                  x: clear(
                    x2 + 9,
                    avoid.filter(([bar]) => bar === at).map(([, y]) => api.coord([y, at])[0]),
                  ),
                  y: y2,
                  fill: colour,
                  font: `12px ${FONT}`,
                  verticalAlign: "middle",
                },
              },
            ];
      return { type: "group", children: [...whiskers, ...text] };
    },
  };
}

/** Dots of single seeds over the bar, or at the place, of their mean. */
export function singleSeeds(
  name: string,
  points: ComparisonPoint[],
  colour: string,
  horizontal: boolean,
  index: number,
  count: number,
): Record<string, unknown> {
  return {
    type: "custom",
    name,
    id: `seeds ${index}`,
    silent: true,
    z: 6,
    color: colour,
    encode: horizontal ? { x: 0, y: 1 } : { x: 1, y: 0 },
    data: points.flatMap((point) =>
      point.values.length > 1 ? point.values.map((value) => [value, point.x]) : [],
    ),
    renderItem: (_: unknown, api: Drawing) => {
      const [value, at] = [api.value(0), api.value(1)];
      const [x, y] = api.coord(horizontal ? [value, at] : [at, value]);
      const shift = horizontal ? offsetOfBar(api, index, count) : 0;
      return {
        type: "circle",
        shape: { cx: x, cy: y + shift, r: 3 },
        style: { fill: "none", stroke: colour, lineWidth: 1.2, opacity: 0.8 },
      };
    },
  };
}

/** From the middle of the group to the middle of the bar. */
function offsetOfBar(api: Drawing, index: number, count: number): number {
  const layout = api.barLayout({ barMaxWidth: 26, barCategoryGap: "32%", barGap: "12%", count });
  return layout[index]?.offsetCenter ?? 0;
}

/** Where a number beside a bar begins, so that it does not cover symbols (at these places). */
function clear(from: number, symbols: number[]): number {
  const width = 48;
  let at = from;
  for (const symbol of symbols.sort((a, b) => a - b)) {
    if (symbol > at - 8 && symbol < at + width) at = symbol + 12;
  }
  return at;
}
