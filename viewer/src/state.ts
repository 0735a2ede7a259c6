import { firstChoice, type FirstChoice, type Role } from "./choice";
import type { Report, Run } from "./data";
import { category, useLook, type MapName, type Theme } from "./palette";
import { isComparison, isMetric, runNames, settingKey } from "./runs";

/** What the user has chosen; shared by all parts of the page and kept in the address. */
export interface State {
  /** Run (index) of the congestion view and the configuration. */
  focus: number;
  /** Run (index) of a second picture beside it, at the same instant; -1: none. */
  beside: number;
  /** Runs (indices) in the charts, in the order of being chosen. */
  chosen: number[];
  /** Simulated time of the congestion view, ns; null: the whole run. */
  time: number | null;
  colour: MapName;
  trees: boolean;
  /** What was clicked in the picture, as "link s3[5]" or "node s3"; empty: nothing. */
  pick: string;
  /** Column of the table and direction, as "efficiency:down"; empty: as in the database. */
  sort: string;
  filter: string;
  /** Metrics in the table, as "efficiency|latency_p99[cold]"; empty: those of the report. */
  columns: string;
  /** Metric of each chart, "efficiency[cold]"; empty: the first of the report. */
  series: string;
  scalar: string;
  histogram: string;
  /** What the comparison is drawn over: "case" or a swept key; empty: chosen by the page. */
  over: string;
  /** Metrics of the scatter chart; empty: chosen by the page. */
  across: string;
  up: string;
  /** Whether it shows which points nothing beats in both. */
  front: boolean;
  /** Logarithmic axes, as "series.y histogram.x". */
  log: string;
  /** Whether charts show seeds one by one in place of their mean. */
  single: boolean;
  /** Whether charts show published values beside the measured ones. */
  published: boolean;
}

export type Key = keyof State;
type Listener = (changed: Set<Key>) => void;

const TEXTS = [
  "sort",
  "filter",
  "columns",
  "series",
  "scalar",
  "histogram",
  "over",
  "across",
  "up",
  "log",
  "pick",
] as const;
const SWITCHES = ["trees", "published", "single", "front"] as const;

/** At first: see firstChoice(); of these the first with a tree in the congestion view. */
export function initialState(report: Report, first = firstChoice(report)): State {
  const done = report.runs.flatMap((run, index) => (run.status === "done" ? [index] : []));
  const hasTree = (index: number) => report.runs[index]!.trees.length > 0;
  const focus = first.chosen.find(hasTree) ?? done.find(hasTree) ?? done[0] ?? 0;
  return {
    focus,
    beside: -1,
    chosen: first.chosen,
    time: worstMoment(report.runs[focus]),
    colour: "utilization",
    trees: true,
    pick: "",
    sort: "",
    filter: "",
    columns: "",
    series: "",
    scalar: "",
    histogram: "",
    over: "",
    across: "",
    up: "",
    front: false,
    log: logAxes(report),
    single: false,
    published: true,
  };
}

/** Axes that the experiment's figures want logarithmic, and those of distributions. */
function logAxes(report: Report): string {
  const first = (fits: (x: string) => boolean) =>
    report.figures.find((figure) => fits(figure.x))?.log ?? [];
  return [
    ...first((x) => x === "time").map((axis) => `series.${axis}`),
    ...first((x) => isComparison(report, x)).map((axis) => `scalar.${axis}`),
    ...first((x) => isMetric(report, x)).map((axis) => `scatter.${axis}`),
    "histogram.x",
    "histogram.y",
  ].join(" ");
}

/** `log` with this axis switched. */
export function withLog(log: string, axis: string, on: boolean): string {
  const others = log.split(" ").filter((one) => one && one !== axis);
  return [...others, ...(on ? [axis] : [])].join(" ");
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
  if (state.beside !== base.beside) out.set("beside", state.beside < 0 ? "none" : id(state.beside));
  if (state.chosen.join() !== base.chosen.join()) out.set("with", state.chosen.map(id).join("."));
  if (state.time !== base.time) out.set("t", state.time === null ? "all" : String(state.time));
  if (state.colour !== base.colour) out.set("colour", state.colour);
  for (const key of SWITCHES) if (state[key] !== base[key]) out.set(key, state[key] ? "on" : "off");
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
  const beside = entries.get("beside");
  if (beside !== null) state.beside = index(beside);
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
  for (const key of SWITCHES) if (entries.has(key)) state[key] = entries.get(key) !== "off";
  for (const key of TEXTS) state[key] = entries.get(key) ?? state[key];
  return state;
}

export class Store {
  state: State;
  theme: Theme = "light";
  readonly names: string[];
  readonly first: FirstChoice;
  private readonly base: State;
  private readonly listeners: Listener[] = [];
  private readonly settings: string[];
  private readonly slots = new Map<string, number>();
  private pending = 0;

  constructor(
    readonly report: Report,
    hash: string,
  ) {
    useLook(report.look);
    this.names = runNames(report.runs);
    this.settings = report.runs.map(settingKey);
    this.first = firstChoice(report);
    this.base = initialState(report, this.first);
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
    if (["chosen", "focus", "beside"].some((key) => changed.has(key as Key))) this.assignSlots();
    for (const listener of this.listeners) listener(changed);
    this.keepInAddress();
  }

  /** The state as written in an address that the user came to (back, forward, typed). */
  read(hash: string): void {
    this.set(fromHash(hash, this.base, this.report));
  }

  /** Puts runs into the charts, or takes them out. */
  choose(indices: number[], on: boolean): void {
    const others = this.state.chosen.filter((at) => !indices.includes(at));
    this.set({ chosen: on ? [...others, ...indices] : others });
  }

  /** What a setting is in the question of the report; nothing where it is ordinary. */
  roles(index: number): Role[] | undefined {
    return this.first.roles.get(this.settings[index]!);
  }

  isLog(axis: string): boolean {
    return this.state.log.split(" ").includes(axis);
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
    // runs of the congestion view have colours of their own, too
    const { chosen: inCharts, focus, beside } = this.state;
    const chosen = new Set(
      [...inCharts, focus, beside].flatMap((index) => this.settings[index] ?? []),
    );
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
