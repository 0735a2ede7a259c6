import type { Run, SetAsideTree, Topology, Tree } from "../data";
import { percent, plural, time } from "../format";
import { decodeFrames, type FrameData } from "../load";
import type { MapName } from "../palette";
import type { Scene } from "./scene";

/** Hosts that a tree holds up, apart: those that feed the hot spot, and those that only suffer. */
export interface Held {
  victims: number[];
  contributors: number[];
}

/** What one run recorded about its links and trees, by time. */
export class Replay {
  /** Sampling times, ascending, ns; empty where nothing was sampled. */
  readonly times: number[];
  readonly frames: FrameData | null;
  private readonly treesByTime = new Map<number, Tree[]>();
  private readonly hot: Set<number>;
  /** Of each port, most queues set aside in the run; null without congestion isolation. */
  private readonly peaks: Uint8Array | null;
  private heldTimes: Map<number, number> | null = null;
  private injections: Map<number, number> | null = null;
  /** Most queues set aside at one link; at least 1. */
  readonly mostQueues: number;

  constructor(
    readonly run: Run,
    readonly topology: Topology,
  ) {
    this.frames = run.frames ? decodeFrames(run.frames, topology.ports.length) : null;
    for (const tree of run.trees) {
      const found = this.treesByTime.get(tree.t_ns);
      if (found) found.push(tree);
      else this.treesByTime.set(tree.t_ns, [tree]);
    }
    for (const trees of this.treesByTime.values()) {
      trees.sort((a, b) => b.branches.length - a.branches.length);
    }
    this.times = this.frames?.times ?? [...this.treesByTime.keys()].sort((a, b) => a - b);
    this.hot = new Set(run.hosts?.hot_sources ?? []);
    this.peaks = this.frames?.queues ? peaksOf(this.frames.queues, topology.ports.length) : null;
    this.mostQueues = this.peaks?.reduce((most, one) => Math.max(most, one), 1) ?? 1;
  }

  /** The run knows of set-aside queues. */
  get hasQueues(): boolean {
    return this.peaks !== null;
  }

  /** Trees of set-aside queues that were there in the period that ends at a sample, largest first. */
  roots(frame: number): SetAsideTree[] {
    const now = this.times[frame];
    if (now === undefined) return [];
    const before = this.times[frame - 1] ?? 0;
    return (this.run.set_aside ?? [])
      .filter((tree) => tree.from_ns <= now && tree.until_ns > before)
      .sort((a, b) => b.queues - a.queues);
  }

  /** Set-aside queues of the whole network in a frame: those of every link when it had the most. */
  queues(frame: number): number {
    const bytes = this.frames?.queues;
    if (!bytes || frame < 0) return 0;
    const { ports } = this.frames!;
    return bytes.subarray(frame * ports, (frame + 1) * ports).reduce((sum, one) => sum + one, 0);
  }

  /** The whole run can be shown. */
  get hasTotals(): boolean {
    return this.run.links !== null;
  }

  /** Trees of a sample, largest first. */
  trees(frame: number): Tree[] {
    return this.treesByTime.get(this.times[frame] ?? NaN) ?? [];
  }

  /** Sample nearest to a time; -1 without samples. */
  frameAt(ns: number): number {
    let best = -1;
    for (let k = 0; k < this.times.length; ++k) {
      if (best < 0 || Math.abs(this.times[k]! - ns) < Math.abs(this.times[best]! - ns)) best = k;
    }
    return best;
  }

  /** The sample with most ports in trees; the middle one without trees. */
  worstFrame(): number {
    let best = this.times.length >> 1;
    let most = 0;
    this.times.forEach((_, frame) => {
      const size = this.portsInTrees(frame);
      if (size > most) [best, most] = [frame, size];
    });
    return best;
  }

  portsInTrees(frame: number): number {
    return portsOf(this.trees(frame));
  }

  /**
   * Share of a port, 0 to 1, of queues of the most at any link; frame -1: over the whole run, of
   * queues at most. null: not recorded.
   */
  value(port: number, frame: number, what: MapName): number | null {
    if (what === "queues") {
      const bytes = frame < 0 ? this.peaks : this.frames?.queues;
      return bytes ? bytes[this.place(port, frame)]! / this.mostQueues : null;
    }
    if (frame < 0) return this.run.links?.[what][port] ?? null;
    if (!this.frames) return null;
    return this.frames[what][this.place(port, frame)]! / 255;
  }

  private place(port: number, frame: number): number {
    return Math.max(0, frame) * this.topology.ports.length + port;
  }

  /** A value for people: "35 %", "3 queues". */
  text(port: number, frame: number, what: MapName): string {
    const value = this.value(port, frame, what);
    if (value === null) return "not recorded";
    if (what === "queues") return plural(Math.round(value * this.mostQueues), "queue");
    return percent(value);
  }

  /**
   * Largest share of the ports of every lane (see Scene.laneOf): at 2 * bundle forward, behind it
   * backward. -1 where nothing was recorded.
   */
  laneValues(scene: Scene, frame: number, what: MapName): Float32Array {
    const values = new Float32Array(2 * scene.bundles.length).fill(-1);
    const { laneOf } = scene;
    for (let port = 0; port < laneOf.length; ++port) {
      const value = this.value(port, frame, what);
      const lane = laneOf[port]!;
      if (value !== null && value > values[lane]!) values[lane] = value;
    }
    return values;
  }

  held(trees: Tree[]): Held {
    const hosts = new Set<number>();
    for (const tree of trees) {
      for (const [port] of tree.branches) {
        const from = this.topology.ports[port]?.from;
        if (from !== undefined && this.topology.nodes[from]?.kind === "host") hosts.add(from);
      }
    }
    const all = [...hosts].sort((a, b) => a - b);
    return {
      victims: all.filter((host) => !this.hot.has(host)),
      contributors: all.filter((host) => this.hot.has(host)),
    };
  }

  /** Hosts that trees hold up in a frame, each with the root of the largest of them. */
  heldBy(frame: number): Map<number, number> {
    const roots = new Map<number, number>();
    for (const tree of this.trees(frame)) {
      const { victims, contributors } = this.held([tree]);
      for (const host of [...victims, ...contributors]) {
        if (!roots.has(host)) roots.set(host, tree.root);
      }
    }
    return roots;
  }

  /** For how long every host was held up by a tree, ns; hosts that never were are left out. */
  get heldFor(): Map<number, number> {
    if (this.heldTimes) return this.heldTimes;
    const times = new Map<number, number>();
    this.times.forEach((now, frame) => {
      const before = this.times[frame - 1] ?? 0;
      const { victims, contributors } = this.held(this.trees(frame));
      for (const host of [...victims, ...contributors]) {
        times.set(host, (times.get(host) ?? 0) + now - before);
      }
    });
    return (this.heldTimes = times);
  }

  /** Sends to the hot spot. */
  isContributor(host: number): boolean {
    return this.hot.has(host);
  }

  /** The port by which a host sends; -1 without. */
  injection(host: number): number {
    this.injections ??= new Map(
      this.topology.ports.map(({ from }, port): [number, number] => [from, port]).reverse(),
    );
    return this.injections.get(host) ?? -1;
  }

  /** The busiest (or longest waiting) ports of a sample, most first, without idle ones. */
  top(frame: number, what: MapName, count: number): { port: number; value: number }[] {
    const list: { port: number; value: number }[] = [];
    let least = 0.005;
    for (let port = 0; port < this.topology.ports.length; ++port) {
      const value = this.value(port, frame, what) ?? 0;
      if (value <= least) continue;
      let at = list.length;
      while (at > 0 && list[at - 1]!.value < value) --at;
      list.splice(at, 0, { port, value });
      if (list.length > count) list.pop();
      if (list.length === count) least = list[count - 1]!.value;
    }
    return list;
  }

  /** One sentence for a moment, also for those who do not see the picture. */
  describe(frame: number): string {
    if (frame < 0) return "Average over the measuring window";
    const at = time(this.times[frame]!);
    const trees = this.trees(frame);
    const aside = this.asideText(frame);
    const branched = trees.filter((tree) => tree.branches.length > 0).length;
    const alone = trees.length - branched;
    const aloneText =
      alone > 0 ? `; ${plural(alone, "port")} cannot keep up without holding up others` : "";
    if (branched === 0) return `${at}: no congestion tree${aloneText}${aside}`;
    const largest = trees[0]!;
    const held = this.held(trees);
    const parts = [
      plural(branched, "congestion tree"),
      `the largest has ${plural(largest.branches.length + 1, "port")} ` +
        `and depth ${largest.depth}, root ${this.portName(largest.root)}`,
    ];
    const hosts = held.victims.length + held.contributors.length;
    if (hosts > 0) parts.push(`${plural(hosts, "host")} held up`);
    return `${at}: ${parts.join("; ")}${aloneText}${aside}`;
  }

  private asideText(frame: number): string {
    const queues = this.queues(frame);
    return queues > 0 ? `; ${plural(queues, "queue")} set aside` : "";
  }

  portName(port: number): string {
    return this.topology.ports[port]?.name ?? `port ${port}`;
  }

  /** "s3[5] to h12". */
  linkName(port: number): string {
    const to = this.topology.ports[port]?.to;
    return `${this.portName(port)} → ${to === undefined ? "?" : this.topology.nodes[to]!.name}`;
  }

  shares(port: number, frame: number): string {
    const text = (what: MapName) => this.text(port, frame, what);
    const aside = this.hasQueues ? `, ${text("queues")} set aside` : "";
    return `busy ${text("utilization")}, waiting ${text("wait")}${aside}`;
  }
}

function peaksOf(queues: Uint8Array, ports: number): Uint8Array {
  const peaks = new Uint8Array(ports);
  queues.forEach((count, at) => {
    if (count > peaks[at % ports]!) peaks[at % ports] = count;
  });
  return peaks;
}

function portsOf(trees: Tree[]): number {
  const ports = new Set<number>();
  for (const tree of trees) {
    ports.add(tree.root);
    for (const [port] of tree.branches) ports.add(port);
  }
  return ports.size;
}

/** Most ports that were in trees at one time of a run. */
export function mostPortsInTrees(run: Run): number {
  const byTime = new Map<number, Tree[]>();
  for (const tree of run.trees) {
    byTime.set(tree.t_ns, [...(byTime.get(tree.t_ns) ?? []), tree]);
  }
  return Math.max(0, ...[...byTime.values()].map(portsOf));
}
