import type { Report, Run } from "./data";
import { metricTitle, parseQuantity, splitMetric } from "./format";
import { findScalar, isSeed, settingKey } from "./runs";

/** Which way a metric gets better, by the words of its meaning; null: neither is. */
export function betterOf(report: Report, metric: string): "higher" | "lower" | null {
  const match = /\b(higher|lower)\s+is\s+better/i.exec(report.metrics[metric]?.meaning ?? "");
  return match ? (match[1]!.toLowerCase() as "higher" | "lower") : null;
}

export type Role = "baseline" | "best" | "worst";

/** What is in the charts before the user has chosen. */
export interface FirstChoice {
  /** Indices of runs. */
  chosen: number[];
  /** By settingKey(); empty where all are chosen. */
  roles: Map<string, Role[]>;
  /** Why these, in words; empty where all are chosen. */
  reason: string;
}

/** So many settings are shown at once; of more only some. */
const MOST = 6;
const SOME = 4;

/**
 * All settings where they are few. Else what the question asks for: the first as the baseline, the
 * best and the worst of the metric that the report is about, and the next best.
 */
export function firstChoice(report: Report): FirstChoice {
  const done = report.runs.flatMap((run, index) => (run.status === "done" ? [index] : []));
  const settings = bySetting(report, done);
  if (settings.size <= MOST) return { chosen: done, roles: new Map(), reason: "" };
  const hardest = atHardest(report, settings);
  const question = questionOf(report, [...hardest.values()]);
  if (!question) {
    return {
      chosen: [...settings.values()].slice(0, SOME).flat(),
      roles: new Map(),
      reason: `the first ${SOME}`,
    };
  }
  const { metric, label } = splitMetric(question);
  const ranked = [...hardest]
    .flatMap(([key, runs]) => {
      const value = meanOf(report, runs, metric, label);
      return value === null ? [] : [{ key, value }];
    })
    .sort((a, b) => (betterOf(report, metric) === "lower" ? 1 : -1) * (a.value - b.value));
  const baseline = [...hardest.keys()][0]!;
  const roles = new Map<string, Role[]>();
  const give = (key: string, role: Role) => roles.set(key, [...(roles.get(key) ?? []), role]);
  give(baseline, "baseline");
  give(ranked[0]!.key, "best");
  give(ranked.at(-1)!.key, "worst");
  const keys = new Set(roles.keys());
  for (const { key } of ranked) if (keys.size < SOME) keys.add(key);
  return {
    chosen: done.filter((index) => keys.has(settingKey(report.runs[index]!))),
    roles,
    reason: `baseline, best and worst by ${metricTitle(metric, label)}`,
  };
}

function bySetting(report: Report, indices: number[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const index of indices) {
    const key = settingKey(report.runs[index]!);
    found.set(key, [...(found.get(key) ?? []), index]);
  }
  return found;
}

/** Of a sweep over numbers only what ran at the largest one: the others are easier. */
function atHardest(report: Report, settings: Map<string, number[]>): Map<string, number[]> {
  let left = settings;
  const first = (runs: number[]) => report.runs[runs[0]!]!;
  const keys = new Set(
    [...settings.values()].flatMap((runs) => first(runs).parameters.map(([key]) => key)),
  );
  for (const key of keys) {
    if (isSeed(key)) continue;
    const number = (run: Run) => {
      const text = run.parameters.find(([name]) => name === key)?.[1];
      return text === undefined ? null : (parseQuantity(text)?.value ?? null);
    };
    const values = [...left.values()].map((runs) => number(first(runs)));
    if (values.some((value) => value === null) || new Set(values).size < 2) continue;
    const most = Math.max(...values.flatMap((value) => value ?? []));
    const kept = new Map([...left].filter(([, runs]) => number(first(runs)) === most));
    if (kept.size > 1) left = kept;
  }
  return left;
}

/**
 * What the report is about: the first metric of its figures and columns that has a better direction
 * and tells settings apart. Beside a hot spot that of the others, who may suffer from it.
 */
export function questionOf(report: Report, settings: number[][]): string | null {
  const isHot = report.runs.some((run) => (run.hosts?.hot_sources.length ?? 0) > 0);
  const asked = [
    ...report.columns,
    ...report.figures.flatMap((figure) => figure.metrics),
    "latency_p99",
    "efficiency",
    "throughput",
    "latency_mean",
  ];
  const rank = (text: string) => {
    const { label } = splitMetric(text);
    if (!isHot) return 0;
    if (label === "victim") return 0;
    if (label === "cold") return 1;
    if (label === "hot" || label === "aimed") return 4;
    return label ? 2 : 3;
  };
  const fits = [...new Set(asked)].filter((text) => {
    const { metric, label } = splitMetric(text);
    if (!betterOf(report, metric)) return false;
    const values = settings.map((runs) => meanOf(report, runs, metric, label));
    const known = values.filter((value) => value !== null);
    return 2 * known.length > values.length && new Set(known).size > 1;
  });
  return fits.sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

function meanOf(report: Report, runs: number[], metric: string, label: string): number | null {
  const values = runs.flatMap(
    (index) => findScalar(report.runs[index]!, metric, label)?.value ?? [],
  );
  if (values.length === 0) return null;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
