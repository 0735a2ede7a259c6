import { withUnit } from "../csv";
import {
  digits,
  metricTitle,
  plural,
  quantity,
  scaleFor,
  withInterval,
  type Scale,
} from "../format";
import { letters, type Theme } from "../palette";
import { shortKey } from "../runs";
import type { Store } from "../state";
import type { Comparison, ComparisonPoint } from "./comparison";
import { axis, inks, legend, tipLine, tooltip, zoom, escapeHtml, type Chart } from "./core";
import { lineColours } from "./lines";
import {
  headroom,
  markOf,
  referenceLegend,
  referenceSeries,
  referenceTip,
  type ReferenceMark,
} from "./references";
import { logBase, roundSteps } from "./round_steps";
import type { LogAxes } from "./time_chart";
import { errorBars, singleSeeds } from "./whiskers";

interface Item {
  seriesId: string;
  seriesIndex: number;
  dataIndex: number;
  color: string;
}

/** Lines over a number, or bars by case; with error bars where there are intervals. */
export function drawComparison(
  chart: Chart,
  store: Store,
  data: Comparison,
  metric: string,
  label: string,
  over: string,
  log: LogAxes,
  references: ReferenceMark[],
): void {
  const title = metricTitle(metric, label);
  if (data.series.length === 0)
    return chart.showEmpty(`No finished run has a number for ${title}.`);
  const unit = store.report.metrics[metric]?.unit ?? "";
  const values = valuesOf(data, references);
  const y = scaleFor(Math.max(...values.map(Math.abs)), unit);
  const option = data.numeric
    ? lines(store, data, title, unit, y, over, log, references, chart.element.clientWidth || 640)
    : bars(store, data, title, unit, y, log.y, references, chart.element.clientWidth || 640);
  const text = data.series.flatMap((series) =>
    series.points.map(
      (point) =>
        `${[series.name, point.text].filter(Boolean).join(", ")}: ${withInterval(point.y, point.half, unit)}`,
    ),
  );
  const rows = data.numeric ? 0 : data.categories.length * data.series.length;
  chart.element.style.height = rows > 12 ? `${90 + rows * 21}px` : "";
  const known = references.map((mark) => mark.text);
  chart.show(
    option,
    store.theme,
    `${title}. ${[...text.slice(0, 12), ...known].join("; ")}`,
    () => ({
      columns: ["line", over, withUnit(metric, unit), withUnit("half width", unit), "seeds"],
      rows: data.series.flatMap((series) =>
        series.points.map((point) => [series.name, point.text, point.y, point.half, point.seeds]),
      ),
    }),
  );
}

/** With the ends of intervals. */
function reach(data: Comparison, references: ReferenceMark[]): number[] {
  const halves = data.series.flatMap((series) =>
    series.points.flatMap(({ y, half }) => [y - (half ?? 0), y + (half ?? 0)]),
  );
  return [...halves, ...valuesOf(data, references)];
}

function valuesOf(data: Comparison, references: ReferenceMark[]): number[] {
  return [
    ...data.series.flatMap((series) => series.points.map((point) => point.y)),
    ...references.flatMap(({ y, points }) => y ?? (points ?? []).map((point) => point[1])),
  ];
}

/** A power of ten that leaves the smallest positive value something to see. */
function decadeBelow(values: number[]): number {
  const least = Math.min(...values.filter((value) => value > 0));
  return Number.isFinite(least) ? 10 ** Math.floor(Math.log10(0.8 * least)) : 1;
}

function colourOf(store: Store, data: Comparison, index: number): string {
  const { runs } = store.report;
  const lines = data.series.map(({ points }) => points.map(({ run }) => runs.indexOf(run)));
  return lineColours(store, lines)[index]!;
}

/** Bars of one series have the colours of their runs in the other charts. */
function barColour(store: Store, data: Comparison, index: number, point: ComparisonPoint): string {
  if (data.series.length > 1) return colourOf(store, data, index);
  const run = store.report.runs.indexOf(point.run);
  return store.state.chosen.includes(run) ? store.colour(run) : inks(store.theme).faint;
}

function tip(store: Store, data: Comparison, unit: string, references: ReferenceMark[]) {
  return ({ seriesId, seriesIndex, dataIndex }: Item): string => {
    const mark = markOf(references, seriesId);
    if (mark) return tipOfMark(mark, dataIndex, store.theme, data, unit);
    const series = data.series[seriesIndex % data.series.length]!;
    const point = series.points[dataIndex]!;
    const seeds =
      point.seeds > 1 ? `<div style="opacity:.7">mean of ${point.seeds} seeds</div>` : "";
    return (
      tipLine(
        barColour(store, data, seriesIndex % data.series.length, point),
        [series.name, point.text].filter(Boolean).join(", "),
        withInterval(point.y, point.half, unit),
      ) +
      escapeHtml("") +
      seeds
    );
  };
}

function tipOfMark(
  mark: ReferenceMark,
  index: number,
  theme: Theme,
  data: Comparison,
  unit: string,
): string {
  if (mark.x !== undefined) return referenceTip(mark, theme, quantity(mark.x, data.unit));
  if (mark.y !== undefined) return referenceTip(mark, theme, quantity(mark.y, unit));
  const [x, y] = mark.points![index]!;
  const at = data.numeric ? quantity(x, data.unit) : data.categories[x]!;
  return referenceTip(mark, theme, `${quantity(y, unit)} at ${at}`);
}

function lines(
  store: Store,
  data: Comparison,
  title: string,
  unit: string,
  y: Scale,
  over: string,
  log: LogAxes,
  references: ReferenceMark[],
  width: number,
): Record<string, unknown> {
  const { theme } = store;
  const xs = [
    ...data.series.flatMap((series) => series.points.map((point) => point.x)),
    ...references.flatMap(({ x, points }) => x ?? (points ?? []).map((point) => point[0])),
  ];
  const x = scaleFor(Math.max(...xs), data.unit);
  const direct = data.series.length > 1 && data.series.length <= 6 && width > 520;
  return {
    grid: {
      left: 52,
      right: direct ? 120 : 24,
      top: data.series.length + references.length > 1 ? 62 : 34,
      bottom: 48,
    },
    legend: legend(
      theme,
      data.series.map((series) => series.name),
      referenceLegend(references, theme),
    ),
    tooltip: { ...tooltip(theme), trigger: "item", formatter: tip(store, data, unit, references) },
    dataZoom: zoom(theme, false),
    xAxis: {
      ...axis(theme, "x", {
        type: log.x ? "log" : "value",
        name: shortKey(over) + (x.unit ? `, ${x.unit}` : ""),
        format: (value) => digits(value / x.factor, 4),
      }),
      scale: true,
      ...(log.x ? logBase(data.unit) : roundSteps(xs, x.factor)),
    },
    yAxis: {
      ...axis(theme, "y", {
        type: log.y ? "log" : "value",
        name: title + (y.unit ? `, ${y.unit}` : ""),
        format: (value) => digits(value / y.factor, 4),
      }),
      ...(log.y ? logBase(unit) : roundSteps([0, ...reach(data, references)], y.factor)),
    },
    series: [
      ...data.series.map((series, index) => ({
        type: "line",
        name: series.name,
        color: colourOf(store, data, index),
        symbol: "circle",
        symbolSize: 7,
        lineStyle: { width: 2 },
        data: series.points.map((point) => [point.x, point.y]),
        emphasis: { focus: "series" },
        z: 3,
        endLabel: {
          show: direct,
          formatter: series.name,
          fontSize: 12,
          fontWeight: 600,
          lineHeight: 16,
          offset: [4, 0],
          color: letters(colourOf(store, data, index), theme),
        },
        labelLayout: { moveOverlap: "shiftY" },
      })),
      ...data.series.map((series, index) =>
        errorBars(series.name, series.points, colourOf(store, data, index), false, 0, 1),
      ),
      ...(store.state.single
        ? data.series.map((series, index) =>
            singleSeeds(series.name, series.points, colourOf(store, data, index), false, 0, 1),
          )
        : []),
      ...referenceSeries(references, theme, { names: direct ? "left" : "right" }),
    ],
  };
}

function bars(
  store: Store,
  data: Comparison,
  title: string,
  unit: string,
  x: Scale,
  logY: boolean,
  references: ReferenceMark[],
  width: number,
): Record<string, unknown> {
  const { theme } = store;
  const ink = inks(theme);
  const count = data.series.length;
  const longest = Math.max(...data.categories.map((text) => text.length));
  const widest = Math.min(Math.max(120, 0.36 * width), longest * 7 + 24);
  return {
    grid: {
      left: Math.max(40, widest),
      right: 92,
      top: (count + references.length > 1 ? 40 : 14) + headroom(references),
      bottom: 46,
    },
    legend: legend(
      theme,
      data.series.map((series) => series.name),
      referenceLegend(references, theme),
    ),
    tooltip: { ...tooltip(theme), trigger: "item", formatter: tip(store, data, unit, references) },
    xAxis: {
      ...axis(theme, "x", {
        type: logY ? "log" : "value",
        // bars would begin at 1 of the base unit, however small that is beside them
        ...(logY ? { min: decadeBelow(valuesOf(data, references)) } : {}),
        grid: true,
        name: title + (x.unit ? `, ${x.unit}` : ""),
        format: (value) => digits(value / x.factor, 4),
      }),
      ...(logY ? {} : roundSteps([0, ...reach(data, references)], x.factor)),
    },
    yAxis: {
      ...axis(theme, "y", { type: "category", name: "", data: data.categories, grid: false }),
      inverse: true,
      axisLabel: { color: ink.text, fontSize: 12, width: widest - 12, overflow: "truncate" },
    },
    series: [
      ...data.series.map((series, index) => ({
        type: "bar",
        name: series.name,
        color: colourOf(store, data, index),
        barMaxWidth: 26,
        barCategoryGap: "32%",
        barGap: "12%",
        itemStyle: { borderRadius: [0, 3, 3, 0] },
        data: series.points.map((point) => ({
          value: [point.y, point.x],
          itemStyle: { color: barColour(store, data, index, point) },
        })),
      })),
      ...data.series.map((series, index) =>
        errorBars(
          series.name,
          series.points,
          ink.text,
          true,
          index,
          count,
          data.categories.length * count <= 40 ? unit : null,
          references.flatMap((mark) => mark.points ?? []),
        ),
      ),
      ...(store.state.single
        ? data.series.map((series, index) =>
            singleSeeds(series.name, series.points, ink.text, true, index, count),
          )
        : []),
      ...referenceSeries(references, theme, {
        swap: true,
        named: data.categories.length <= 6 && count === 1,
      }),
    ],
  };
}

/** "without number: …" under a chart. */
export function missingText(data: Comparison): string {
  if (data.missing.length === 0) return "";
  const shown = data.missing.slice(0, 4).join("; ");
  const rest = data.missing.length - 4;
  return (
    `Without a number (not stationary, or not measured): ${shown}` +
    (rest > 0 ? `; and ${plural(rest, "more")}.` : ".")
  );
}
