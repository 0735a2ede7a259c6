import { withUnit } from "../csv";
import type { Mark, Series } from "../data";
import { metricTitle, quantity, scaleFor, time, digits } from "../format";
import { letters, type Theme } from "../palette";
import { estimate } from "../statistics";
import type { Store } from "../state";
import { axis, DASHES, inks, legend, tipLine, tooltip, zoom, escapeHtml, type Chart } from "./core";
import type { Bunch } from "./lines";
import { referenceLegend, referenceSeries, referenceTip, type ReferenceMark } from "./references";
import { logBase, roundSteps } from "./round_steps";

/** Which axes are logarithmic. */
export interface LogAxes {
  x: boolean;
  y: boolean;
}

interface Line {
  name: string;
  label: string;
  colour: string;
  dash: string | number[];
  /** ns, value, half width of the interval over seeds. */
  points: Point[];
  /** Of the last bin, ns. */
  end: number;
}

type Point = [ns: number, value: number | null, half: number | null];

/** Series over simulated time: a line for each run and label. */
export function drawTime(
  chart: Chart,
  store: Store,
  all: Bunch[],
  metric: string,
  labels: string[],
  area: Mark[],
  references: ReferenceMark[],
  log: LogAxes,
): void {
  const lines = all.flatMap((bunch) =>
    labels.flatMap((label, k) => {
      const points = pointsOf(bunch, metric, label, log);
      const name = labels.length > 1 ? `${bunch.name} [${label || "all"}]` : bunch.name;
      return points
        ? [{ name, label, colour: bunch.colour, dash: DASHES[k % DASHES.length]!, ...points }]
        : [];
    }),
  );
  if (lines.length === 0) {
    const text =
      all.length === 0
        ? "No run is chosen. Tick some in the table above."
        : `There is no ${metricTitle(metric)} over time of the chosen runs.`;
    return chart.showEmpty(text);
  }
  const unit = store.report.metrics[metric]?.unit ?? "";
  chart.show(
    option(store, lines, metric, unit, area, references, log, chart.element.clientWidth || 800),
    store.theme,
    `${metricTitle(metric)} over simulated time, ` +
      [...lines.map((line) => line.name), ...references.map((mark) => mark.text)].join("; "),
    () => ({
      columns: ["run", "label", "time (ns)", withUnit(metric, unit), withUnit("half width", unit)],
      rows: lines.flatMap((line) =>
        line.points.map(([ns, value, half]) => [line.name, line.label, ns, value, half]),
      ),
    }),
  );
}

function option(
  store: Store,
  lines: Line[],
  metric: string,
  unit: string,
  area: Mark[],
  references: ReferenceMark[],
  log: LogAxes,
  width: number,
): Record<string, unknown> {
  const { theme } = store;
  const ink = inks(theme);
  const end = Math.max(
    ...lines.map((line) => line.end),
    ...references.flatMap(({ x, points }) => [x ?? 0, ...(points ?? []).map(([ns]) => ns)]),
  );
  const high = Math.max(
    0,
    ...lines.flatMap((line) => line.points.map(([, value]) => value ?? 0)),
    ...references.flatMap(({ y, points }) => [y ?? 0, ...(points ?? []).map(([, value]) => value)]),
  );
  const x = scaleFor(end, "ns");
  const y = scaleFor(high, unit);
  const direct = lines.length <= 6 && width > 640;
  return {
    grid: {
      left: 52,
      right: direct ? roomFor(lines) : 20,
      top: lines.length + references.length > 1 ? 62 : 34,
      bottom: 76,
    },
    legend: legend(
      theme,
      lines.map((line) => line.name),
      referenceLegend(references, theme),
    ),
    tooltip: {
      ...tooltip(theme),
      trigger: "axis",
      axisPointer: { type: "line", lineStyle: { color: ink.faint } },
      formatter: (items: TipItem[]) =>
        tip(items, lines, unit) + near(items, references, unit, end, theme),
    },
    dataZoom: zoom(theme, true),
    xAxis: axis(theme, "x", {
      type: log.x ? "log" : "value",
      name: "simulated time" + (log.x ? "" : `, ${x.unit}`),
      ...(log.x ? {} : { min: 0 }),
      max: end,
      format: (ns) => (log.x ? time(ns, 3) : digits(ns / x.factor, 4)),
    }),
    yAxis: {
      ...axis(theme, "y", {
        type: log.y ? "log" : "value",
        name: metricTitle(metric) + (y.unit && !log.y ? `, ${y.unit}` : ""),
        format: (value) => (log.y ? quantity(value, unit, 3) : digits(value / y.factor, 4)),
      }),
      ...(log.y ? logBase(unit) : roundSteps([0, high, ...bandEnds(lines)], y.factor)),
    },
    series: [
      // stacked areas have no logarithmic form
      ...lines.flatMap((line) => [
        ...(log.y ? bounds(line) : band(line)),
        main(line, direct, theme),
      ]),
      ...marks(area, ink.mark, ink.faint, log.x ? firstTime(lines) : 0),
      ...referenceSeries(references, theme, { names: "left" }),
    ],
  };
}

function main(line: Line, direct: boolean, theme: Theme): object {
  const few = line.points.length < 40;
  return {
    type: "line",
    name: line.name,
    data: line.points.map(([ns, value]) => [ns, value]),
    color: line.colour,
    lineStyle: { width: 2, type: line.dash },
    showSymbol: false,
    symbolSize: few ? 5 : 4,
    emphasis: { focus: "series" },
    connectNulls: false,
    endLabel: {
      show: direct,
      formatter: shorten(line.name),
      color: letters(line.colour, theme),
      fontSize: 12,
      fontWeight: 600,
      lineHeight: 16,
      offset: [4, 0],
    },
    labelLayout: { moveOverlap: "shiftY" },
    z: 3,
  };
}

/** Ends of the intervals over seeds. */
function bandEnds(lines: Line[]): number[] {
  return lines.flatMap((line) =>
    line.points.flatMap(([, value, half]) =>
      value === null || half === null ? [] : [value - half, value + half],
    ),
  );
}

function firstTime(lines: Line[]): number {
  return Math.min(...lines.map((line) => line.points[0]?.[0] ?? Infinity));
}

function shorten(name: string): string {
  return name.length > 30 ? `${name.slice(0, 29)}…` : name;
}

/** Room for the names at the ends of lines. */
function roomFor(lines: Line[]): number {
  const longest = Math.max(...lines.map((line) => shorten(line.name).length));
  return Math.min(222, Math.max(90, 18 + 7 * longest));
}

/** Interval over seeds as two thin lines. */
function bounds(line: Line): object[] {
  if (line.points.every(([, , half]) => half === null)) return [];
  return [-1, 1].map((sign) => ({
    type: "line",
    name: line.name,
    data: line.points.map(([ns, value, half]) => {
      const at = value === null ? null : value + sign * (half ?? 0);
      return [ns, at !== null && at > 0 ? at : null];
    }),
    symbol: "none",
    silent: true,
    color: line.colour,
    lineStyle: { width: 1, opacity: 0.35 },
    z: 1,
  }));
}

/** Interval over seeds as an area between two invisible lines. */
function band(line: Line): object[] {
  if (line.points.every(([, , half]) => half === null)) return [];
  const bound = (sign: number) =>
    line.points.map(([ns, value, half]) => [
      ns,
      value === null ? null : sign < 0 ? value - (half ?? 0) : 2 * (half ?? 0),
    ]);
  const base = {
    type: "line",
    name: line.name,
    stack: `band ${line.name}`,
    symbol: "none",
    lineStyle: { opacity: 0 },
    silent: true,
    color: line.colour,
    stackStrategy: "all",
    z: 1,
  };
  return [
    { ...base, data: bound(-1) },
    { ...base, data: bound(1), areaStyle: { color: line.colour, opacity: 0.16 } },
  ];
}

function marks(area: Mark[], fill: string, text: string, first: number): object[] {
  if (area.length === 0) return [];
  return [
    {
      type: "line",
      name: "marks",
      data: [],
      silent: true,
      markArea: {
        silent: true,
        itemStyle: { color: fill },
        label: { color: text, position: "insideTop", fontSize: 11 },
        data: area.map((mark) => [
          { name: mark.label, xAxis: Math.max(first, mark.from_ns) },
          { xAxis: mark.to_ns },
        ]),
      },
    },
  ];
}

interface TipItem {
  seriesName: string;
  value: [number, number | null];
}

function tip(items: TipItem[], lines: Line[], unit: string): string {
  const at = items[0]?.value[0];
  if (at === undefined) return "";
  const seen = new Set<string>();
  const rows = items.flatMap(({ seriesName, value: [ns] }) => {
    const line = lines.find(({ name }) => name === seriesName);
    const point = line?.points.find(([time]) => time === ns);
    if (!line || !point || seen.has(seriesName)) return [];
    seen.add(seriesName);
    const half = point[2] === null ? "" : ` ± ${quantity(point[2], unit, 2)}`;
    return [
      {
        value: point[1] ?? -Infinity,
        html: tipLine(line.colour, line.name, quantity(point[1], unit) + half),
      },
    ];
  });
  rows.sort((a, b) => b.value - a.value);
  return (
    `<div style="margin-bottom:4px;opacity:.7">${escapeHtml(time(at))}</div>` +
    rows.map((row) => row.html).join("")
  );
}

/** Levels, and what is published of about that time. */
function near(
  items: TipItem[],
  references: ReferenceMark[],
  unit: string,
  end: number,
  theme: Theme,
): string {
  const at = items[0]?.value[0];
  if (at === undefined) return "";
  const isNear = (ns: number) => Math.abs(ns - at) < end / 60;
  return references
    .flatMap((mark) => {
      if (mark.y !== undefined) return [referenceTip(mark, theme, quantity(mark.y, unit))];
      if (mark.x !== undefined) {
        return isNear(mark.x) ? [referenceTip(mark, theme, time(mark.x))] : [];
      }
      return mark
        .points!.filter(([ns]) => isNear(ns))
        .map(([ns, value]) => referenceTip(mark, theme, `${quantity(value, unit)} at ${time(ns)}`));
    })
    .join("");
}

/** Middle of each bin with its value; over several runs the mean with its interval. */
function pointsOf(
  bunch: Bunch,
  metric: string,
  label: string,
  log: LogAxes,
): Pick<Line, "points" | "end"> | null {
  const found = bunch.runs.flatMap((run) => {
    const series = run.series.find((one) => one.metric === metric && one.label === label);
    return series ? [series] : [];
  });
  const first = found[0];
  if (!first) return null;
  const same = found.filter((one) => alike(one, first));
  const bins = Math.max(...same.map((one) => one.values.length));
  const points = Array.from({ length: bins }, (_, k): Point => {
    const values = same.flatMap((one) => one.values[k] ?? []);
    const mean = estimate(values);
    const ns = first.start_ns + (k + 0.5) * first.bin_ns;
    const value = mean?.mean ?? null;
    // a logarithmic axis cannot show what is not above 0
    const shown = log.y && value !== null && value <= 0 ? null : value;
    return [ns, shown, same.length > 1 ? (mean?.half ?? null) : null];
  });
  return { points, end: first.start_ns + bins * first.bin_ns };
}

function alike(a: Series, b: Series): boolean {
  return a.start_ns === b.start_ns && a.bin_ns === b.bin_ns;
}
