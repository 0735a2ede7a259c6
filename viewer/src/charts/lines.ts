import type { Run } from "../data";
import { toggle } from "../dom";
import { category } from "../palette";
import type { Store } from "../state";
import { settingKey, settingName, namingKeys } from "../runs";

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
  const keys = namingKeys(report.runs);
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
    bunch.name = settingName(bunch.runs[0]!, keys) || "all seeds";
  }
  return result;
}

/**
 * Colours of lines of several settings each, which are given by a run of each (indices): that of the
 * last setting that is in the other charts, where no other line has it.
 */
export function lineColours(store: Store, lines: number[][]): string[] {
  if (lines.length === 1) return [category(0, store.theme)];
  const taken = new Set<string>();
  const take = (colour: string | undefined) => {
    if (colour === undefined || taken.has(colour)) return null;
    taken.add(colour);
    return colour;
  };
  const own = lines.map((indices) => {
    const last = indices.filter((index) => store.state.chosen.includes(index)).at(-1);
    return take(last === undefined ? undefined : store.colour(last));
  });
  return own.map((colour, at) => {
    if (colour) return colour;
    // as many as there are lines are enough, unless there are fewer colours than lines
    for (let slot = 0; slot < 2 * lines.length; ++slot) {
      const free = take(category(slot, store.theme));
      if (free) return free;
    }
    return category(at, store.theme);
  });
}

/** What lines of several seeds are, in a sentence; empty where each line is a run. */
export function seedNote(all: Bunch[], interval: string): string {
  const counts = [...new Set(all.map((bunch) => bunch.runs.length))].filter((count) => count > 1);
  if (counts.length === 0) return "";
  const range = counts.length > 1 ? `${Math.min(...counts)} to ${Math.max(...counts)}` : counts[0]!;
  return `Lines stand for ${range} seeds${interval}. `;
}

/** Whether some setting has been run with several seeds. */
export function hasReplicas(runs: Run[]): boolean {
  return new Set(runs.map(settingKey)).size < runs.length;
}

/** The switch that shows replicas one by one; nothing where there are none. */
export function seedSwitch(store: Store): HTMLElement | null {
  if (!hasReplicas(store.report.runs)) return null;
  const button = toggle("Single seeds", store.state.single, (single) => store.set({ single }));
  button.title = "Show each seed in place of their mean with its 95 % interval";
  return button;
}

/** Which labels of a metric are drawn at first: those asked for, else the one without, else one. */
export function defaultLabels(labels: string[], asked: string): string[] {
  if (labels.includes(asked)) return [asked];
  return labels.slice(0, 1);
}
