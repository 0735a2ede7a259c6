import type { Report, Run, Scalar } from "./data";
import { metricTitle, plainValue, splitMetric } from "./format";

/** Swept keys that differ between runs, without seeds. */
export function sweptKeys(runs: Run[]): string[] {
  const values = new Map<string, Set<string>>();
  for (const run of runs) {
    for (const [key, value] of run.parameters) {
      if (!isSeed(key)) values.set(key, (values.get(key) ?? new Set()).add(value));
    }
  }
  return [...values.keys()].filter((key) => values.get(key)!.size > 1 || values.size === 1);
}

/** Those that tell runs of one case apart: others go with the case, whose name says enough. */
export function namingKeys(runs: Run[]): string[] {
  return sweptKeys(runs).filter(
    (key) =>
      runs.every((run) => !run.case) ||
      !decides(
        runs,
        (run) => run.case,
        (run) => parameter(run, key) ?? "",
      ),
  );
}

/** Runs that agree in the one agree in the other. */
export function decides(
  runs: Run[],
  one: (run: Run) => string,
  other: (run: Run) => string,
): boolean {
  const known = new Map<string, string>();
  return runs.every((run) => {
    const [key, value] = [one(run), other(run)];
    if (!known.has(key)) known.set(key, value);
    return known.get(key) === value;
  });
}

export function isSeed(key: string): boolean {
  return key === "experiment.seed" || key === "seed";
}

export function parameter(run: Run, key: string): string | undefined {
  return run.parameters.find(([name]) => name === key)?.[1];
}

/** A figure's x is a metric: "latency over accepted traffic". */
export function isMetric(report: Report, x: string): boolean {
  return splitMetric(x).metric in report.metrics;
}

/** A figure's x is cases or a swept key. */
export function isComparison(report: Report, x: string): boolean {
  return x !== "time" && x !== "distribution" && !isMetric(report, x);
}

/** What makes runs replicas of each other: all but the seed. */
export function settingKey(run: Run): string {
  return JSON.stringify([run.case, run.parameters.filter(([key]) => !isSeed(key))]);
}

/** Last part of a dotted key, which is what people call it. */
export function shortKey(key: string): string {
  const parts = key.split(".");
  const last = parts[parts.length - 1]!;
  return last === "model" && parts.length > 1 ? parts[parts.length - 2]! : last;
}

/** Names of runs, short but unique within the report: case, what was swept, seed where it matters. */
export function runNames(runs: Run[]): string[] {
  const keys = namingKeys(runs);
  const seeds = new Map<string, number>();
  for (const run of runs) seeds.set(settingKey(run), (seeds.get(settingKey(run)) ?? 0) + 1);
  return runs.map((run) => {
    const name = settingName(run, keys);
    const many = (seeds.get(settingKey(run)) ?? 0) > 1;
    if (!name) return many || runs.length > 1 ? `seed ${run.seed}` : "the run";
    return many ? `${name}, seed ${run.seed}` : name;
  });
}

export function settingName(run: Run, keys: string[]): string {
  const parts = run.case ? [run.case] : [];
  for (const key of keys) {
    const value = parameter(run, key);
    if (value !== undefined) parts.push(`${shortKey(key)} ${plainValue(value)}`);
  }
  return parts.join(", ");
}

/** Runs that differ in their seeds only. */
export interface Setting {
  key: string;
  /** Case and swept values; empty where nothing tells it from others. */
  name: string;
  /** Indices. */
  runs: number[];
}

/** In the order of their first runs. */
export function settingsOf(runs: Run[]): Setting[] {
  const keys = namingKeys(runs);
  const found = new Map<string, Setting>();
  runs.forEach((run, index) => {
    const key = settingKey(run);
    const known = found.get(key);
    if (known) known.runs.push(index);
    else found.set(key, { key, name: settingName(run, keys), runs: [index] });
  });
  return [...found.values()];
}

export function findScalar(run: Run, metric: string, label: string): Scalar | undefined {
  return run.scalars.find((scalar) => scalar.metric === metric && scalar.label === label);
}

/** Packet-hops for each second of CPU time, over all runs with both; null: not known. */
export function hopsPerSecond(runs: Run[]): number | null {
  let hops = 0;
  let seconds = 0;
  for (const run of runs) {
    const done = findScalar(run, "packet_hops", "")?.value;
    if (!done || !run.cpu_seconds) continue;
    hops += done;
    seconds += run.cpu_seconds;
  }
  return seconds > 0 ? hops / seconds : null;
}

/** A column of the table of runs. */
export interface Column {
  metric: string;
  label: string;
  title: string;
  unit: string;
}

const USUAL = ["efficiency", "throughput", "latency_mean", "latency_p99", "fairness", "tree_size"];

/** The columns that the report names and some run has, or a few usual ones. */
export function tableColumns(report: Report): Column[] {
  const has = hasScalar(report);
  const names = report.columns.filter(has);
  return (names.length > 0 ? names : USUAL.filter(has).slice(0, 5)).map((name) =>
    columnOf(report, name),
  );
}

/** Those that the user chose, in that order; what no run has is left out. */
export function chosenColumns(report: Report, chosen: string): Column[] {
  if (!chosen) return tableColumns(report);
  return chosen
    .split("|")
    .filter(hasScalar(report))
    .map((name) => columnOf(report, name));
}

function hasScalar(report: Report): (name: string) => boolean {
  return (name) => {
    const { metric, label } = splitMetric(name);
    return report.runs.some((run) => findScalar(run, metric, label));
  };
}

export function columnOf(report: Report, name: string): Column {
  const { metric, label } = splitMetric(name);
  const unit = report.metrics[metric]?.unit ?? "";
  return { metric, label, title: metricTitle(metric, label), unit };
}

/** "metric[label]". */
export function metricName(metric: string, label: string): string {
  return label ? `${metric}[${label}]` : metric;
}

/** Everything that some run has as one number, by name. */
export function scalarNames(runs: Run[]): string[] {
  const names = new Set<string>();
  for (const run of runs) {
    for (const { metric, label } of run.scalars) names.add(metricName(metric, label));
  }
  return [...names].sort();
}

/** Metrics with their labels that occur in a form, in order of first occurrence. */
export function metricsOf(
  runs: Run[],
  form: "scalars" | "series" | "histograms",
): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const run of runs) {
    for (const { metric, label } of run[form]) {
      let labels = found.get(metric);
      if (!labels) found.set(metric, (labels = new Set()));
      labels.add(label);
    }
  }
  return new Map([...found].map(([metric, labels]) => [metric, [...labels].sort()]));
}
