import type { Run, Topology } from "../data";

/** A link of the real fabric beside the same link in a run; null: its counter is not known. */
export interface MeasuredLink {
  name: string;
  group: string;
  ticks: number | null;
  /** Share of time where `isTime`, else of all links whose counters are known. */
  wait: Pair;
  /** Share of what all of them sent. */
  sent: Pair;
  /** Of waiting; 1 is the highest, and equal values share the mean of their ranks. */
  rank: Pair;
}

export interface Pair {
  measured: number | null;
  simulated: number | null;
}

export interface MeasuredLinks {
  links: MeasuredLink[];
  isWaitTime: boolean;
}

/** How far ranks of waiting are apart; null where one is not known. */
export function apart({ rank }: MeasuredLink): number | null {
  return rank.measured === null || rank.simulated === null
    ? null
    : Math.abs(rank.measured - rank.simulated);
}

/** Null: the run has no links, or its fabric no counters. */
export function measuredLinks(run: Run, topology: Topology | undefined): MeasuredLinks | null {
  const measured = topology?.measured;
  const simulated = run.links;
  if (!topology || !measured || !simulated) return null;
  const { interval_ns: interval, tick_ns: tick } = measured;
  const known = measured.ticks.map((count) => count !== null);
  const isWaitTime = interval !== null && tick !== null;
  const wait = isWaitTime
    ? {
        measured: measured.ticks.map((count) =>
          count === null ? null : (count * tick) / interval,
        ),
        simulated: simulated.wait,
      }
    : {
        measured: shares(measured.ticks),
        simulated: shares(simulated.wait.map((share, at) => (known[at] ? share : null))),
      };
  const sent = {
    measured: shares(measured.bytes),
    simulated: shares(
      simulated.bytes.map((bytes, at) => (measured.bytes[at] === null ? null : bytes)),
    ),
  };
  const rank = {
    measured: ranks(measured.ticks),
    simulated: ranks(simulated.wait.map((share, at) => (known[at] ? share : null))),
  };
  const pair = (of: { measured: (number | null)[]; simulated: (number | null)[] }, at: number) => ({
    measured: of.measured[at] ?? null,
    simulated: of.simulated[at] ?? null,
  });
  return {
    isWaitTime,
    links: topology.ports.map(({ name, group }, at) => ({
      name,
      group,
      ticks: measured.ticks[at] ?? null,
      wait: pair(wait, at),
      sent: pair(sent, at),
      rank: pair(rank, at),
    })),
  };
}

/** Each as a share of their sum; all 0 where that is. */
export function shares(values: (number | null)[]): (number | null)[] {
  const sum = values.reduce((all: number, value) => all + (value ?? 0), 0);
  return values.map((value) => (value === null ? null : sum > 0 ? value / sum : 0));
}

/** Ranks from 1, the highest value; equal ones share the mean of their ranks. */
export function ranks(values: (number | null)[]): (number | null)[] {
  const order = values
    .map((value, at) => ({ value, at }))
    .filter((one): one is { value: number; at: number } => one.value !== null)
    .sort((a, b) => b.value - a.value);
  const out: (number | null)[] = values.map(() => null);
  for (let first = 0; first < order.length;) {
    let end = first;
    while (end < order.length && order[end]!.value === order[first]!.value) ++end;
    for (let k = first; k < end; ++k) out[order[k]!.at] = (first + end + 1) / 2;
    first = end;
  }
  return out;
}
