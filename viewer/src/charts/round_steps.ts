/** Ranges and ticks that are round numbers in the unit that an axis shows. */

export interface RoundRange {
  min: number;
  max: number;
  interval: number;
}

/** A range that ends at round multiples of `factor`, with the distance of its ticks. */
export function roundRange([low, high]: [number, number], factor = 1): RoundRange {
  const raw = (high - low) / 5 / factor || 1;
  const decade = 10 ** Math.floor(Math.log10(raw));
  const interval =
    factor * [1, 2, 2.5, 5, 10].map((step) => step * decade).find((step) => step >= raw)!;
  const exact = (value: number) => Number(value.toPrecision(12));
  return {
    min: exact(Math.floor(low / interval + 1e-9) * interval),
    max: exact(Math.ceil(high / interval - 1e-9) * interval),
    interval: exact(interval),
  };
}

/**
 * The same where `factor` is no power of ten, as of KiB: round numbers of bytes are 1.953 KiB and
 * 2.441 KiB. Nothing for other units, whose ticks are round by themselves.
 */
export function roundSteps(values: number[], factor: number): RoundRange | object {
  const decades = Math.log10(factor);
  if (Math.abs(decades - Math.round(decades)) < 1e-9 || values.length === 0) return {};
  return roundRange([Math.min(...values), Math.max(...values)], factor);
}

/** Logarithmic axes of sizes have ticks at powers of two. */
export function logBase(unit: string): { logBase?: number } {
  return unit === "B" ? { logBase: 2 } : {};
}
