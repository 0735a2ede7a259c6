import type { Run } from "../data";
import type { Store } from "../state";
import { settingKey, settingName, sweptKeys } from "../runs";

/** Runs that are drawn as one line: one run, or the replicas of one setting. */
export interface Bunch {
  name: string;
  runs: Run[];
  /** Index of the first run. */
  index: number;
  colour: string;
}

/** The chosen runs; replicas (equal but for the seed) together when `combine`. */
export function bunches(store: Store, combine: boolean): Bunch[] {
  const { report, names } = store;
  const keys = sweptKeys(report.runs);
  const result: Bunch[] = [];
  const bySetting = new Map<string, Bunch>();
  for (const index of store.state.chosen) {
    const run = report.runs[index];
    if (!run || run.status === "failed") continue;
    const key = settingKey(run);
    const found = combine ? bySetting.get(key) : undefined;
    if (found) {
      found.runs.push(run);
      continue;
    }
    const bunch = { name: names[index]!, runs: [run], index, colour: store.colour(index) };
    bySetting.set(key, bunch);
    result.push(bunch);
  }
  for (const bunch of result) {
    if (bunch.runs.length < 2) continue;
    const name = settingName(bunch.runs[0]!, keys) || "all seeds";
    bunch.name = `${name} (${bunch.runs.length} seeds)`;
  }
  return result;
}

/** Whether some setting has been run with several seeds. */
export function hasReplicas(runs: Run[]): boolean {
  return new Set(runs.map(settingKey)).size < runs.length;
}

/** Which labels of a metric are drawn at first: those asked for, else the one without, else one. */
export function defaultLabels(labels: string[], asked: string): string[] {
  if (labels.includes(asked)) return [asked];
  return labels.slice(0, 1);
}
