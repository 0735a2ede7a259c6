/** Numbers as people read them: scaled units, sensible digits, intervals. */

export interface Scale {
  /** Divide a value by this. */
  factor: number;
  /** Unit after that; empty for ratios and plain counts. */
  unit: string;
}

type Ladder = [factor: number, unit: string][];

const LADDERS: Record<string, Ladder> = {
  ns: [
    [1e-3, "ps"],
    [1, "ns"],
    [1e3, "µs"],
    [1e6, "ms"],
    [1e9, "s"],
  ],
  B: [
    [1, "B"],
    [1024, "KiB"],
    [1024 ** 2, "MiB"],
    [1024 ** 3, "GiB"],
    [1024 ** 4, "TiB"],
  ],
  Gbps: [
    [1e-6, "Kbps"],
    [1e-3, "Mbps"],
    [1, "Gbps"],
    [1e3, "Tbps"],
  ],
  s: [
    [1e-6, "µs"],
    [1e-3, "ms"],
    [1, "s"],
    [60, "min"],
    [3600, "h"],
  ],
  "1/s": [
    [1, "/s"],
    [1e3, "k/s"],
    [1e6, "M/s"],
    [1e9, "G/s"],
  ],
  "": [
    [1, ""],
    [1e6, "M"],
    [1e9, "G"],
    [1e12, "T"],
  ],
};

/** The scale in which a value of about this size reads best. */
export function scaleFor(magnitude: number, unit: string): Scale {
  const ladder = LADDERS[unit];
  if (!ladder) return { factor: 1, unit: unit === "1" ? "" : unit };
  const size = Math.abs(magnitude);
  let best = ladder.find(([factor]) => factor === 1) ?? ladder[0]!;
  if (size > 0) {
    best = ladder[0]!;
    for (const step of ladder) if (size >= step[0] * 0.9995) best = step;
  }
  return { factor: best[0], unit: best[1] };
}

/** A number with about so many significant digits, grouped by narrow spaces; no exponent if short. */
export function digits(value: number, significant = 4): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e15 || size < 1e-6) return value.toExponential(Math.max(0, significant - 1));
  const before = Math.floor(Math.log10(size)) + 1;
  return fixed(value, Math.min(12, Math.max(0, significant - before)));
}

/** A number with so many decimals, grouped by narrow spaces. */
export function fixed(value: number, decimals: number): string {
  let text = Math.abs(value).toFixed(decimals);
  if (text.includes(".")) text = text.replace(/\.?0+$/, "");
  const [whole, rest] = text.split(".") as [string, string?];
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") : whole;
  const negative = value < 0 && Number(text) !== 0;
  return (negative ? "−" : "") + grouped + (rest ? `.${rest}` : "");
}

/** "715.1 µs", "0.5022", "3.2 MiB"; "–" for nothing. */
export function quantity(value: number | null | undefined, unit: string, significant = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const scale = scaleFor(value, unit);
  if (unit === "" && Number.isInteger(value) && scale.factor === 1) return fixed(value, 0);
  return join(digits(value / scale.factor, significant), scale.unit);
}

/** "0.502 ± 0.004"; both in the scale of the value. */
export function withInterval(
  value: number | null | undefined,
  halfWidth: number | null | undefined,
  unit: string,
): string {
  if (value === null || value === undefined) return "–";
  if (halfWidth === null || halfWidth === undefined) return quantity(value, unit);
  const scale = scaleFor(value, unit);
  const half = halfWidth / scale.factor;
  // two digits of the interval, as many decimals of the value
  const decimals = half > 0 ? Math.min(9, Math.max(0, 1 - Math.floor(Math.log10(half)))) : 4;
  const text = `${fixed(value / scale.factor, decimals)} ± ${half > 0 ? fixed(half, decimals) : "0"}`;
  return join(text, scale.unit);
}

/** Simulated time: "420 µs". */
export function time(ns: number, significant = 4): string {
  return quantity(ns, "ns", significant);
}

/** Time on a clock of a fixed scale, so that it does not jump while it plays. */
export function timeOn(ns: number, scale: Scale, decimals: number): string {
  return join((ns / scale.factor).toFixed(decimals), scale.unit);
}

/** "62 %". */
export function percent(share: number): string {
  const value = share * 100;
  return `${value > 0 && value < 0.95 ? fixed(value, 1) : fixed(value, 0)} %`;
}

/** "3 min 20 s". */
export function duration(seconds: number): string {
  if (seconds < 60) return quantity(seconds, "s", 3);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "3.21 M packet-hops per second of CPU time". */
export function hopRate(perSecond: number): string {
  const { factor, unit } = scaleFor(perSecond, "1/s");
  const step = unit.replace("/s", "");
  return `${digits(perSecond / factor, 3)} ${step ? `${step} ` : ""}packet-hops per second of CPU time`;
}

/** "2026-01-31 12:00 UTC" from what the report stores. */
export function clock(utc: string): string {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)/.exec(utc);
  return match ? `${match[1]} ${match[2]} UTC` : utc;
}

/** "1 run", "4 runs". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${fixed(count, 0)} ${count === 1 ? one : many}`;
}

/** Name of a metric for people: "network latency p99 [cold]". */
export function metricTitle(metric: string, label = ""): string {
  return metric.replaceAll("_", " ") + (label ? ` [${label}]` : "");
}

/** Splits "metric[label]". */
export function splitMetric(text: string): { metric: string; label: string } {
  const match = /^([^[]+)\[(.*)\]$/.exec(text);
  return match ? { metric: match[1]!, label: match[2]! } : { metric: text, label: "" };
}

function join(text: string, unit: string): string {
  return unit ? `${text} ${unit}` : text;
}

const SUFFIX: Record<string, [number, string]> = {
  ps: [1e-3, "ns"],
  ns: [1, "ns"],
  us: [1e3, "ns"],
  µs: [1e3, "ns"],
  ms: [1e6, "ns"],
  s: [1e9, "ns"],
  B: [1, "B"],
  KB: [1e3, "B"],
  MB: [1e6, "B"],
  GB: [1e9, "B"],
  KiB: [1024, "B"],
  MiB: [1024 ** 2, "B"],
  GiB: [1024 ** 3, "B"],
  bps: [1e-9, "Gbps"],
  Kbps: [1e-6, "Gbps"],
  Mbps: [1e-3, "Gbps"],
  Gbps: [1, "Gbps"],
  Tbps: [1e3, "Gbps"],
  "B/s": [8e-9, "Gbps"],
  "KB/s": [8e-6, "Gbps"],
  "MB/s": [8e-3, "Gbps"],
  "GB/s": [8, "Gbps"],
  "B/ns": [8, "Gbps"],
};

/** A value of a configuration ("0.5", "\"4 KiB\"") as a number with its unit, or null. */
export function parseQuantity(text: string): { value: number; unit: string } | null {
  const plain = text
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .trim();
  const match = /^([+-]?\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)\s*([A-Za-zµ/]*)$/i.exec(plain);
  if (!match) return null;
  const value = Number(match[1]!.replaceAll("_", ""));
  if (!Number.isFinite(value)) return null;
  if (!match[2]) return { value, unit: "1" };
  const suffix = SUFFIX[match[2]];
  return suffix ? { value: value * suffix[0], unit: suffix[1] } : null;
}

/** A value of a configuration without its quotes. */
export function plainValue(text: string): string {
  return text.trim().replace(/^"(.*)"$/, "$1");
}
