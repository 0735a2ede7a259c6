import { withUnit } from "../csv";
import { digits, metricTitle, quantity, scaleFor, splitMetric, withInterval } from "../format";
import type { Theme } from "../palette";
import type { Store } from "../state";
import { axis, FONT, inks, legend, tipLine, tooltip, type Chart } from "./core";
import { lineColours } from "./lines";
import { boxAround, placeLabel } from "./place_labels";
import type { ScatterLine, ScatterPoint } from "./scatter";
import {
  markOf,
  referenceLegend,
  referenceSeries,
  referenceTip,
  type ReferenceMark,
} from "./references";
import { logBase, roundRange, type RoundRange } from "./round_steps";
import type { LogAxes } from "./time_chart";

interface Item {
  seriesId: string;
  dataIndex: number;
}

interface Drawing {
  value(dimension: number): number;
  coord(point: [number, number]): [number, number];
}

const GRID = { left: 58, right: 30, top: 38, bottom: 48 };

/** Points by two metrics with their names and intervals; `front`: indices of what nothing beats. */
export function drawScatter(
  chart: Chart,
  store: Store,
  points: ScatterPoint[],
  across: string,
  up: string,
  log: LogAxes,
  front: number[],
  lines: ScatterLine[],
  references: ReferenceMark[],
): void {
  const { theme } = store;
  const ink = inks(theme);
  const x = describe(
    store,
    across,
    points.map((point) => point.x),
  );
  const y = describe(
    store,
    up,
    points.map((point) => point.y),
  );
  const lineOf = (index: number) => lines.findIndex((line) => line.points.includes(index));
  const coloured = lineColours(
    store,
    lines.map((line) => line.points.map((index) => points[index]!.runs[0]!)),
  );
  const lineColour = (at: number) => coloured[at]!;
  const colour = (point: ScatterPoint, index: number) =>
    lines.length > 0
      ? lineColour(lineOf(index))
      : point.runs.some((index) => store.state.chosen.includes(index))
        ? store.colour(point.runs[0]!)
        : ink.faint;
  /** Of a line only the last point bears its name. */
  const nameOf = (index: number) => {
    if (lines.length === 0) return points.length <= 40 ? points[index]!.name : "";
    const line = lines[lineOf(index)]!;
    return line.points.at(-1) === index ? line.name : "";
  };
  chart.show(
    {
      grid: references.length > 0 ? { ...GRID, top: 62 } : GRID,
      legend: legend(theme, [], referenceLegend(references, theme)),
      tooltip: {
        ...tooltip(theme),
        trigger: "item",
        formatter: ({ seriesId, dataIndex }: Item) => {
          const mark = markOf(references, seriesId);
          if (mark) return referenceTip(mark, theme, textOf(mark, dataIndex, x.unit, y.unit));
          const point = points[dataIndex]!;
          return (
            tipLine(colour(point, dataIndex), point.name, "") +
            tipLine("transparent", x.title, withInterval(point.x, point.halfX, x.unit)) +
            tipLine("transparent", y.title, withInterval(point.y, point.halfY, y.unit))
          );
        },
      },
      xAxis: {
        ...axis(theme, "x", {
          type: log.x ? "log" : "value",
          grid: true,
          name: x.title + (x.scale.unit && !log.x ? `, ${x.scale.unit}` : ""),
          format: x.write(log.x),
        }),
        scale: true,
        ...(log.x
          ? logBase(x.unit)
          : roomy(
              [...points.flatMap(({ x, halfX }) => ends(x, halfX)), ...along(references, 0)],
              x.scale.factor,
            )),
      },
      yAxis: {
        ...axis(theme, "y", {
          type: log.y ? "log" : "value",
          name: y.title + (y.scale.unit && !log.y ? `, ${y.scale.unit}` : ""),
          format: y.write(log.y),
        }),
        scale: true,
        ...(log.y
          ? logBase(y.unit)
          : roomy(
              [...points.flatMap(({ y, halfY }) => ends(y, halfY)), ...along(references, 1)],
              y.scale.factor,
            )),
      },
      series: [
        ...(front.length > 0 ? [frontLine(points, front, theme)] : []),
        ...lines.map((line, at) => ({
          type: "line",
          name: line.name,
          silent: true,
          symbol: "none",
          z: 2,
          color: lineColour(at),
          lineStyle: { width: 1.5, opacity: 0.7 },
          data: line.points.map((index) => [points[index]!.x, points[index]!.y]),
        })),
        ...referenceSeries(references, theme),
        whiskers(points, ink.faint),
        {
          type: "scatter",
          name: "points",
          symbolSize: 11,
          z: 4,
          labelLayout: labelPlaces(chart, points, references),
          data: points.map((point, index) => ({
            value: [point.x, point.y],
            itemStyle: {
              color: colour(point, index),
              borderColor: front.includes(index) ? ink.text : ink.paper,
              borderWidth: front.includes(index) ? 2 : 1,
            },
            label: {
              show: nameOf(index) !== "",
              formatter: shorten(nameOf(index)),
              position: "right",
              color: lines.length > 0 ? colour(point, index) : ink.text,
              fontWeight: lines.length > 0 ? 600 : 400,
              fontFamily: FONT,
              fontSize: 11.5,
              textBorderColor: ink.paper,
              textBorderWidth: 3,
            },
          })),
        },
      ],
    },
    theme,
    `${y.title} against ${x.title}. ` +
      points
        .slice(0, 12)
        .map((point) => `${point.name}: ${quantity(point.x, x.unit)}, ${quantity(point.y, y.unit)}`)
        .join("; "),
    () => ({
      columns: [
        "run",
        withUnit(across, x.unit),
        withUnit("half width across", x.unit),
        withUnit(up, y.unit),
        withUnit("half width up", y.unit),
        ...(front.length > 0 ? ["on the front"] : []),
      ],
      rows: points.map((point, index) => [
        point.name,
        point.x,
        point.halfX,
        point.y,
        point.halfY,
        ...(front.length > 0 ? [front.includes(index) ? 1 : 0] : []),
      ]),
    }),
  );
}

function ends(value: number, half: number | null): number[] {
  return half === null ? [value] : [value - half, value + half];
}

/** Numbers of published values along an axis. */
function along(references: ReferenceMark[], axis: 0 | 1): number[] {
  return references.flatMap(
    ({ x, y, points }) => (axis === 0 ? x : y) ?? (points ?? []).map((point) => point[axis]),
  );
}

function textOf(mark: ReferenceMark, index: number, unitX: string, unitY: string): string {
  if (mark.x !== undefined) return quantity(mark.x, unitX);
  if (mark.y !== undefined) return quantity(mark.y, unitY);
  const [x, y] = mark.points![index]!;
  return `${quantity(y, unitY)} at ${quantity(x, unitX)}`;
}

/** A range with air around all values, not below 0 where none of them is. */
function roomy(values: number[], factor: number): RoundRange {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // an interval may reach below 0 where no value does
  const air = 0.05 * (high - low || Math.abs(high) || 1);
  return roundRange([low < 0 ? low - air : Math.max(0, low - air), high + air], factor);
}

function shorten(name: string): string {
  return name.length > 26 ? `${name.slice(0, 25)}…` : name;
}

interface Label {
  dataIndex: number;
  labelRect: { width: number; height: number };
}

/** Names in the order of the points, each clear of points and of names before it. */
function labelPlaces(
  chart: Chart,
  points: ScatterPoint[],
  references: ReferenceMark[],
): (label: Label) => object {
  let taken: ReturnType<typeof boxAround>[] = [];
  return ({ dataIndex, labelRect }) => {
    const pixel = ({ x, y }: { x: number; y: number }) =>
      chart.instance!.convertToPixel({ gridIndex: 0 }, [x, y]) as [number, number];
    const dot = { width: 14, height: 14 };
    if (taken.length === 0 || dataIndex === 0) {
      taken = points.map((point) => boxAround(pixel(point), dot));
      for (const { text, points: published } of references) {
        const last = published?.at(-1);
        if (!last) continue;
        const [x, y] = pixel({ x: last[0], y: last[1] });
        // its name stands above the last of them
        taken.push(boxAround([x, y - 12], { width: 6.2 * text.length, height: 16 }));
      }
    }
    const { clientWidth, clientHeight } = chart.element;
    const room = {
      x: GRID.left,
      y: GRID.top,
      width: clientWidth - GRID.left,
      height: clientHeight - GRID.top - GRID.bottom,
    };
    // a little air between two names
    const size = { width: labelRect.width + 4, height: labelRect.height + 2 };
    const place = placeLabel(pixel(points[dataIndex]!), size, taken, room);
    // what nobody could read is told by the tooltip only
    if (!place) return { x: -9999, y: 0 };
    taken.push(boxAround(place, size));
    return { x: place[0], y: place[1], align: "center", verticalAlign: "middle" };
  };
}

function describe(store: Store, name: string, values: number[]) {
  const { metric, label } = splitMetric(name);
  const unit = store.report.metrics[metric]?.unit ?? "";
  const scale = scaleFor(Math.max(...values.map(Math.abs)), unit);
  return {
    title: metricTitle(metric, label),
    unit,
    scale,
    write: (log: boolean) => (value: number) =>
      log ? quantity(value, unit, 3) : digits(value / scale.factor, 4),
  };
}

/** Through the points that nothing beats. */
function frontLine(points: ScatterPoint[], front: number[], theme: Theme): object {
  return {
    type: "line",
    name: "front",
    silent: true,
    symbol: "none",
    z: 2,
    color: inks(theme).faint,
    lineStyle: { width: 1.5, type: [6, 4] },
    data: front.map((index) => [points[index]!.x, points[index]!.y]),
  };
}

/** Intervals in both directions. */
function whiskers(points: ScatterPoint[], colour: string): object {
  return {
    type: "custom",
    name: "intervals",
    silent: true,
    z: 3,
    encode: { x: [0, 1], y: [2, 3] },
    data: points
      .filter((point) => point.halfX !== null || point.halfY !== null)
      .map(({ x, y, halfX, halfY }) => [
        x - (halfX ?? 0),
        x + (halfX ?? 0),
        y - (halfY ?? 0),
        y + (halfY ?? 0),
        x,
        y,
      ]),
    renderItem: (_: unknown, api: Drawing) => {
      const [x, y] = [api.value(4), api.value(5)];
      const ends: [[number, number], [number, number]][] = [
        [
          [api.value(0), y],
          [api.value(1), y],
        ],
        [
          [x, api.value(2)],
          [x, api.value(3)],
        ],
      ];
      return {
        type: "group",
        children: ends.map(([from, to]) => {
          const [[x1, y1], [x2, y2]] = [api.coord(from), api.coord(to)];
          return {
            type: "line",
            shape: { x1, y1, x2, y2 },
            style: { stroke: colour, lineWidth: 1.2 },
          };
        }),
      };
    },
  };
}
