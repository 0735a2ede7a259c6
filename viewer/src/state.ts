import type { Report, Run } from "./data";
import { category, type MapName, type Theme } from "./palette";
import { runNames, settingKey } from "./runs";

/** What the user has chosen; shared by all parts of the page and kept in the address. */
export interface State {
  /** Run (index) of the congestion view and the configuration. */
  focus: number;
  /** Runs (indices) in the charts, in the order of being chosen. */
  chosen: number[];
  /** Simulated time of the congestion view, ns; null: the whole run. */
  time: number | null;
  colour: MapName;
  trees: boolean;
  /** Column of the table and direction, as "efficiency:down"; empty: as in the database. */
  sort: string;
  filter: string;
  /** Metric of each chart, "efficiency[cold]"; empty: the first of the report. */
  series: string;
  scalar: string;
  histogram: string;
  /** What the comparison is drawn over: "case" or a swept key; empty: chosen by the page. */
  over: string;
  /** Whether charts show published values beside the measured ones. */
  published: boolean;
}

export type Key = keyof State;
type Listener = (changed: Set<Key>) => void;

const TEXTS = ["sort", "filter", "series", "scalar", "histogram", "over"] as const;

/** At first: the first finished run with a tree; up to six runs, or all of four settings, chosen. */
export function initialState(report: Report): State {
  const done = report.runs.flatMap((run, index) => (run.status === "done" ? [index] : []));
  const withTree = done.find((index) => report.runs[index]!.trees.length > 0);
  const focus = withTree ?? done[0] ?? 0;
  return {
    focus,
    chosen: done.length <= 6 ? done : firstSettings(report, done, 4),
    time: worstMoment(report.runs[focus]),
    colour: "utilization",
    trees: true,
    sort: "",
    filter: "",
    series: "",
    scalar: "",
    histogram: "",
    over: "",
    published: true,
  };
}

/** All seeds of the first few settings. */
function firstSettings(report: Report, indices: number[], count: number): number[] {
  const keys = [...new Set(indices.map((index) => settingKey(report.runs[index]!)))].slice(
    0,
    count,
  );
  return indices.filter((index) => keys.includes(settingKey(report.runs[index]!))).slice(0, 40);
}

/** When most ports were in trees; the middle sample without trees; null without samples. */
function worstMoment(run: Run | undefined): number | null {
  const ports = new Map<number, number>();
  for (const tree of run?.trees ?? []) {
    ports.set(tree.t_ns, (ports.get(tree.t_ns) ?? 0) + tree.branches.length + 1);
  }
  const [worst] = [...ports].sort((a, b) => b[1] - a[1]);
  const times = run?.frames?.times_ns ?? [];
  return worst?.[0] ?? times[times.length >> 1] ?? null;
}

/** The part of a state that differs from `base`, for the address. Runs by their ids. */
export function toHash(state: State, base: State, report: Report): string {
  const id = (index: number) => String(report.runs[index]?.id ?? index);
  const out = new URLSearchParams();
  if (state.focus !== base.focus) out.set("run", id(state.focus));
  if (state.chosen.join() !== base.chosen.join()) out.set("with", state.chosen.map(id).join("."));
  if (state.time !== base.time) out.set("t", state.time === null ? "all" : String(state.time));
  if (state.colour !== base.colour) out.set("colour", state.colour);
  if (state.trees !== base.trees) out.set("trees", state.trees ? "on" : "off");
  if (state.published !== base.published) out.set("published", state.published ? "on" : "off");
  for (const key of TEXTS) if (state[key] !== base[key]) out.set(key, state[key]);
  return out.toString();
}

/** Reads an address; whatever does not fit this report is ignored. */
export function fromHash(hash: string, base: State, report: Report): State {
  const state = { ...base, chosen: [...base.chosen] };
  const entries = new URLSearchParams(hash.replace(/^#/, ""));
  const index = (id: string) => report.runs.findIndex((run) => String(run.id) === id);
  const focus = index(entries.get("run") ?? "");
  if (focus >= 0) state.focus = focus;
  const chosen = entries.get("with");
  if (chosen !== null) {
    state.chosen = [
      ...new Set(
        chosen
          .split(".")
          .map(index)
          .filter((at) => at >= 0),
      ),
    ];
  }
  const time = entries.get("t");
  if (time !== null && Number.isFinite(Number(time))) state.time = Number(time);
  if (time === "all") state.time = null;
  const colour = entries.get("colour");
  if (colour === "utilization" || colour === "wait" || colour === "queues") state.colour = colour;
  if (entries.has("trees")) state.trees = entries.get("trees") !== "off";
  if (entries.has("published")) state.published = entries.get("published") !== "off";
  for (const key of TEXTS) state[key] = entries.get(key) ?? state[key];
  return state;
}

export class Store {
  state: State;
  theme: Theme = "light";
  readonly names: string[];
  private readonly base: State;
  private readonly listeners: Listener[] = [];
  private readonly settings: string[];
  private readonly slots = new Map<string, number>();
  private pending = 0;

  constructor(
    readonly report: Report,
    hash: string,
  ) {
    this.names = runNames(report.runs);
    this.settings = report.runs.map(settingKey);
    this.base = initialState(report);
    this.state = fromHash(hash, this.base, report);
    this.assignSlots();
  }

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  set(change: Partial<State>): void {
    const changed = new Set<Key>();
    for (const key of Object.keys(change) as Key[]) {
      if (JSON.stringify(this.state[key]) !== JSON.stringify(change[key])) changed.add(key);
    }
    if (changed.size === 0) return;
    this.state = { ...this.state, ...change };
    if (changed.has("chosen")) this.assignSlots();
    for (const listener of this.listeners) listener(changed);
    this.keepInAddress();
  }

  /** The state as written in an address that the user came to (back, forward, typed). */
  read(hash: string): void {
    this.set(fromHash(hash, this.base, this.report));
  }

  toggleRun(index: number): void {
    const { chosen } = this.state;
    this.set({
      chosen: chosen.includes(index) ? chosen.filter((at) => at !== index) : [...chosen, index],
    });
  }

  /** Of a run and its replicas; stable while one of them stays chosen. */
  colour(index: number): string {
    return category(this.slots.get(this.settings[index]!) ?? index, this.theme);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    for (const listener of this.listeners) listener(new Set());
  }

  private assignSlots(): void {
    const chosen = new Set(this.state.chosen.map((index) => this.settings[index]!));
    for (const setting of [...this.slots.keys()]) {
      if (!chosen.has(setting)) this.slots.delete(setting);
    }
    const all = [...new Set(this.settings)];
    for (const setting of chosen) {
      if (this.slots.has(setting)) continue;
      const taken = new Set(this.slots.values());
      let slot = all.length <= 8 ? all.indexOf(setting) : 0;
      while (all.length > 8 && taken.has(slot)) ++slot;
      this.slots.set(setting, slot);
    }
  }

  private keepInAddress(): void {
    clearTimeout(this.pending);
    this.pending = setTimeout(() => {
      const hash = toHash(this.state, this.base, this.report);
      history.replaceState(null, "", hash ? `#${hash}` : "#");
    }, 150) as unknown as number;
  }
}
