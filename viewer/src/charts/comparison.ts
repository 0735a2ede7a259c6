import type { Run } from "../data";
import { parseQuantity, plainValue } from "../format";
import { estimate } from "../statistics";
import { decides, findScalar, parameter, settingKey, shortKey, sweptKeys } from "../runs";

/** One setting (a case and swept values; all seeds together) of a comparison. */
export interface ComparisonPoint {
  x: number;
  /** As written. */
  text: string;
  y: number;
  /** Half width of the 95 % interval: over seeds, or of the run itself. */
  half: number | null;
  seeds: number;
  /** Of each seed. */
  values: number[];
  /** The first of its runs. */
  run: Run;
}

export interface Comparison {
  numeric: boolean;
  /** Unit of x when numeric. */
  unit: string;
  categories: string[];
  series: { name: string; points: ComparisonPoint[] }[];
  /** Settings without a number: not stationary, or not measured. */
  missing: string[];
}

/** What a comparison can be drawn over: cases and swept keys that differ. */
export function comparisonKeys(runs: Run[]): string[] {
  const keys = sweptKeys(runs).filter(
    (key) => new Set(runs.map((run) => parameter(run, key))).size > 1,
  );
  const cases = new Set(runs.map((run) => run.case));
  return cases.size > 1 || keys.length === 0 ? [...keys, "case"] : keys;
}

/** The key with most numeric values, else cases. */
export function defaultKey(runs: Run[]): string {
  let best = "";
  let most = 1;
  for (const key of comparisonKeys(runs)) {
    const values = new Set(runs.map((run) => xText(run, key)));
    if ([...values].every(parseQuantity) && values.size > most) [best, most] = [key, values.size];
  }
  return best || (comparisonKeys(runs).includes("case") ? "case" : comparisonKeys(runs)[0]!);
}

export function compare(runs: Run[], metric: string, label: string, over: string): Comparison {
  const texts = [...new Set(runs.map((run) => xText(run, over)))];
  const parsed = texts.map(parseQuantity);
  const numeric = over !== "case" && texts.length > 1 && parsed.every((value) => value !== null);
  const settings = new Map<string, Run[]>();
  for (const run of runs) {
    settings.set(settingKey(run), [...(settings.get(settingKey(run)) ?? []), run]);
  }
  const result: Comparison = {
    numeric,
    unit: numeric ? parsed[0]!.unit : "",
    categories: texts,
    series: [],
    missing: [],
  };
  const keys = seriesKeys(runs, over);
  for (const replicas of settings.values()) {
    const first = replicas[0]!;
    const name = keys
      .map((key) => seriesPart(first, key))
      .filter(Boolean)
      .join(", ");
    const text = xText(first, over);
    const point = pointOf(
      replicas,
      metric,
      label,
      numeric ? parseQuantity(text)!.value : texts.indexOf(text),
      text,
    );
    if (!point) {
      result.missing.push(
        [name, over === "case" ? text : `${shortKey(over)} ${text}`].filter(Boolean).join(", "),
      );
      continue;
    }
    let series = result.series.find((one) => one.name === name);
    if (!series) result.series.push((series = { name, points: [] }));
    series.points.push(point);
  }
  for (const series of result.series) series.points.sort((a, b) => a.x - b.x);
  return result;
}

/** What tells the lines of a comparison apart: what the rest does not decide already. */
export function seriesKeys(runs: Run[], over: string): string[] {
  let keys = comparisonKeys(runs).filter((key) => key !== over);
  const value = (key: string) => (run: Run) =>
    key === "case" ? run.case : (parameter(run, key) ?? "");
  // names of cases, which stand last, are the longest
  for (const key of [...keys].reverse()) {
    const rest = [over, ...keys.filter((other) => other !== key)].map(value);
    const together = (run: Run) => JSON.stringify(rest.map((part) => part(run)));
    if (decides(runs, together, value(key))) keys = keys.filter((other) => other !== key);
  }
  return keys;
}

/** What a key says of a run, in the name of its line. */
export function seriesPart(run: Run, key: string): string {
  if (key === "case") return run.case;
  const text = plainValue(parameter(run, key) ?? "");
  return parseQuantity(text) ? `${shortKey(key)} ${text}` : text;
}

function xText(run: Run, over: string): string {
  if (over === "case") return run.case || "the run";
  return plainValue(parameter(run, over) ?? "");
}

function pointOf(
  replicas: Run[],
  metric: string,
  label: string,
  x: number,
  text: string,
): ComparisonPoint | null {
  const scalars = replicas.flatMap((run) => findScalar(run, metric, label) ?? []);
  const values = scalars.flatMap((scalar) => scalar.value ?? []);
  const mean = estimate(values);
  if (!mean) return null;
  const half =
    mean.count > 1 ? mean.half : (scalars.find((one) => one.value !== null)?.half_width ?? null);
  return { x, text, y: mean.mean, half, seeds: mean.count, values, run: replicas[0]! };
}
