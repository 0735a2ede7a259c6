/**
 * Mean and interval over replicas, and distributions from buckets. The program computes the same
 * for figures (src/weir/report/figure/data.cpp, metrics/student_t.hpp); here it is done again
 * because the reader chooses which runs are folded.
 */

export interface Estimate {
  mean: number;
  /** Of the 95 % interval; null for a single value. */
  half: number | null;
  count: number;
}

// 97.5 % quantiles of Student's t for 1..30 degrees of freedom
const STUDENT = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145,
  2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048,
  2.045, 2.042,
];

/** 97.5 % quantile of Student's t. */
export function student(degrees: number): number {
  const exact = STUDENT[degrees - 1];
  // Cornish-Fisher to second order, good to 0.001 beyond the table
  const z = 1.959964;
  const first = (z ** 3 + z) / (4 * degrees);
  return exact ?? z + first + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2);
}

/** Over independent values; null without any. */
export function estimate(values: number[]): Estimate | null {
  const count = values.length;
  if (count === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count === 1) return { mean, half: null, count };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  return { mean, half: student(count - 1) * Math.sqrt(variance / count), count };
}

/** Points (value, share) of a distribution: share of values up to it, or above it. */
export function distribution(buckets: [number, number][], complement: boolean): [number, number][] {
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  const points: [number, number][] = [];
  let below = 0;
  for (const [value, count] of buckets) {
    below += count;
    const share = complement ? (total - below) / total : below / total;
    points.push([value, share]);
  }
  return points;
}

/** Buckets of several histograms added up. */
export function mergeBuckets(histograms: [number, number][][]): [number, number][] {
  const counts = new Map<number, number>();
  for (const buckets of histograms) {
    for (const [value, count] of buckets) counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return [...counts].sort((a, b) => a[0] - b[0]);
}
