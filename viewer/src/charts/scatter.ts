import { betterOf, questionOf } from "../choice";
import type { Report } from "../data";
import { parseQuantity, splitMetric } from "../format";
import {
  findScalar,
  isMetric,
  metricName,
  parameter,
  scalarNames,
  settingsOf,
  tableColumns,
} from "../runs";
import { estimate } from "../statistics";
import { compare, defaultKey, seriesKeys, seriesPart } from "./comparison";

/** A setting, or a single seed of it, by two metrics. */
export interface ScatterPoint {
  name: string;
  x: number;
  y: number;
  /** Half widths of the 95 % intervals; null: none. */
  halfX: number | null;
  halfY: number | null;
  /** Indices of its runs. */
  runs: number[];
}

/** Settings of these runs (indices) that have both numbers. */
export function scatterPoints(
  report: Report,
  names: string[],
  indices: number[],
  across: string,
  up: string,
  single: boolean,
): ScatterPoint[] {
  const runs = indices.map((index) => report.runs[index]!);
  const groups = single
    ? indices.map((index) => ({ name: names[index]!, runs: [index] }))
    : settingsOf(runs).map((setting) => ({
        name: setting.runs.length > 1 ? setting.name || "all seeds" : "",
        runs: setting.runs.map((at) => indices[at]!),
      }));
  return groups.flatMap(({ name, runs: members }) => {
    const x = numberOf(report, members, across);
    const y = numberOf(report, members, up);
    if (!x || !y) return [];
    return [
      {
        name: name || names[members[0]!]!,
        x: x.value,
        y: y.value,
        halfX: x.half,
        halfY: y.half,
        runs: members,
      },
    ];
  });
}

/** Points of one line, along a number that was swept. */
export interface ScatterLine {
  name: string;
  /** Indices of points, by that number. */
  points: number[];
}

/** Settings of a sweep over a number hang together; nothing where no number was swept. */
export function scatterLines(report: Report, points: ScatterPoint[]): ScatterLine[] {
  const runs = points.map((point) => report.runs[point.runs[0]!]!);
  if (runs.length === 0) return [];
  const over = defaultKey(runs);
  const { numeric } = compare(runs, "", "", over);
  if (!numeric) return [];
  const keys = seriesKeys(runs, over);
  const lines = new Map<string, number[]>();
  runs.forEach((run, index) => {
    const name = keys
      .map((key) => seriesPart(run, key))
      .filter(Boolean)
      .join(", ");
    lines.set(name, [...(lines.get(name) ?? []), index]);
  });
  const number = (index: number) => parseQuantity(parameter(runs[index]!, over) ?? "")?.value ?? 0;
  return [...lines].map(([name, members]) => ({
    name,
    points: members.sort((a, b) => number(a) - number(b)),
  }));
}

function numberOf(
  report: Report,
  runs: number[],
  name: string,
): { value: number; half: number | null } | null {
  const { metric, label } = splitMetric(name);
  const scalars = runs.flatMap((index) => findScalar(report.runs[index]!, metric, label) ?? []);
  const mean = estimate(scalars.flatMap(({ value }) => value ?? []));
  if (!mean) return null;
  const own = scalars.find(({ value }) => value !== null)!.half_width;
  return { value: mean.mean, half: mean.count > 1 ? mean.half : own };
}

/** What mechanisms cost, in the order in which people ask for it. */
const COSTS = [
  "memory_per_port",
  "queues_per_port",
  "control_overhead",
  "memory_total",
  "cam_lines_per_port",
  "queues_per_host",
  "control_bytes",
  "out_of_order_share",
  "out_of_order",
];

/** What is better of a metric; of costs less, even where its meaning does not say so. */
export function directionOf(report: Report, name: string): "higher" | "lower" | null {
  const { metric } = splitMetric(name);
  return betterOf(report, metric) ?? (COSTS.includes(metric) ? "lower" : null);
}

/**
 * At first: the axes of the experiment's figure over a metric, where there is one. Else help (the
 * question of the report) against what differs in cost, or a second column.
 */
export function firstAxes(report: Report): { across: string; up: string } {
  const own = report.figures.find((figure) => isMetric(report, figure.x));
  if (own?.metrics[0]) return { across: own.x, up: own.metrics[0] };
  const done = report.runs.flatMap((run, index) => (run.status === "done" ? [index] : []));
  const settings = settingsOf(done.map((index) => report.runs[index]!)).map((setting) =>
    setting.runs.map((at) => done[at]!),
  );
  const names = scalarNames(report.runs);
  const columns = tableColumns(report).map((one) => metricName(one.metric, one.label));
  const up = questionOf(report, settings) ?? columns[0] ?? names[0] ?? "";
  const distinct = (name: string) => {
    const known = settings.flatMap((members) => numberOf(report, members, name)?.value ?? []);
    return 2 * known.length > settings.length ? new Set(known).size : 0;
  };
  const asked = [...COSTS.filter((name) => columns.includes(name)), ...columns, ...COSTS];
  const fits = [...asked, ...names].filter(
    (name) => name !== up && names.includes(name) && distinct(name) > 1,
  );
  const hasDirection = (name: string) => directionOf(report, name) !== null;
  // a mere yes or no is a poor axis
  const rich = fits.filter((name) => distinct(name) > 2);
  const [across = up] = [...rich.filter(hasDirection), ...rich, ...fits];
  return { across, up };
}
