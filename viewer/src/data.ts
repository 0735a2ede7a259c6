/**
 * What the report page is given: the contract between `weir report` (which writes it) and the page.
 *
 * The template contains the text `@WEIR_REPORT@` exactly once, inside
 * `<script type="application/json" id="weir-report">`. It is replaced by one of
 *   - the report as JSON, with every `<` written as `\u003c`, or
 *   - the same JSON (without that escape) gzipped and then in base64.
 * The page tells them apart by the first character (`{` or not).
 *
 * Conventions: times of the simulation are ns, as numbers. A number that does not exist (nothing to
 * measure) is null; NaN and infinity do not occur. Numbers have at most 6 significant digits unless
 * they are counts or times. Indices count from 0. Fields marked optional may be left out.
 */
export interface Report {
  format: 1;
  /** `experiment.title`, else its name. */
  title: string;
  /** `experiment.name`. */
  name: string;
  /** A few sentences, as in the file; empty where it has none. */
  description: string;
  /** Version of the program that wrote the report. */
  weir: string;
  provenance: Provenance;
  /** What the numbers are, by metric name; every metric that occurs below. */
  metrics: Record<string, Metric>;
  /** Columns of the summary table, as "efficiency" or "latency_p99[cold]"; may be empty. */
  columns: string[];
  /** The figures that the experiment file asks for; may be empty. */
  figures: Figure[];
  /** Those of them that none of the page's charts can show (with all that is published), as drawn. */
  drawn?: DrawnFigure[];
  look: Look;
  /** What was left out to keep the page small, and how to get it; sentences. */
  notes?: string[];
  /** In the order of the database. */
  runs: Run[];
  /** The networks; runs on equal networks share one. */
  topologies: Topology[];
}

/** What charts share with figures on paper; `src/weir/report/figure/look.hpp` has it. */
export interface Look {
  /** Of lines and bars, in order; `letters`: of their names on white. */
  colours: { light: string[]; dark: string[]; letters: string[] };
  /** Of published points, one for each text. */
  reference_symbols: SymbolName[];
}

export type SymbolName =
  "circle" | "square" | "triangle" | "diamond" | "triangle-down" | "pentagon";

/** Ticks of a logarithmic axis with what stands there; "": a small one. None: round numbers. */
export type Ticks = [at: number, text: string][];

export interface Provenance {
  /** When the report was written, UTC, "2026-01-31T12:00:00Z". */
  generated: string;
  /** The results database as the user named it. */
  results: string;
}

export interface Metric {
  /** "ns", "B", "Gbps", "s", "1/s"; "1" for a ratio, "" for a count. */
  unit: string;
  /** One line, as `weir describe metric` prints it. */
  meaning: string;
  /** Document and section; may be empty. */
  source: string;
}

/** A `[[plot]]` of the experiment file. */
export interface Figure {
  name: string;
  title: string;
  /** As "efficiency" or "latency_p99[cold]". */
  metrics: string[];
  /** "time": series; "case": bars; "distribution": histograms; a metric: points; else a swept key. */
  x: string;
  x_label: string;
  y_label: string;
  /** Logarithmic axes, where asked for. */
  log?: ("x" | "y")[];
  /** Interval of simulated time to mark, ns. */
  shade: [number, number] | null;
  shade_label: string;
  /** Values that no run measured, to compare with; left out where there are none. */
  references?: Reference[];
}

/** An upright line, a level line or points, in the units of the metrics. */
export interface Reference {
  /** "published: Fig. 7", "limit". */
  text: string;
  /** What it is for, as "efficiency" or "latency_p99[cold]". */
  metrics: string[];
  x?: number;
  y?: number;
  /** x is the name of a bar where the figure has bars. */
  points?: [number | string, number][];
  /** Of a distribution: y is the share above x; else up to it. */
  above?: boolean;
}

/** A `[[plot]]` as `weir plot` draws it: numbers in the units that the labels say. */
export interface DrawnFigure {
  name: string;
  title: string;
  x_label: string;
  x_range: [number, number];
  x_ticks: Ticks;
  /** Logarithmic axes. */
  log: ("x" | "y")[];
  /** Of lines, as a key has them. */
  names: string[];
  /** Whether points are marked. */
  symbols: boolean;
  /** Each line is one named point. */
  points?: boolean;
  /** Names of the groups of bars, which x counts; null: lines. */
  bars: string[] | null;
  panels: DrawnPanel[];
}

export interface DrawnPanel {
  /** Empty where it is the only one. */
  title: string;
  y_label: string;
  y_range: [number, number];
  y_ticks: Ticks;
  lines: DrawnLine[];
  /** Of points: lines whose point no other beats in both numbers, from left to right. */
  front?: number[];
  references: {
    text: string;
    /** That of the line which it belongs to. */
    colour?: number;
    x?: number;
    y?: number;
    points?: [number, number][];
    /** Of the points. */
    symbol?: SymbolName;
  }[];
}

export interface DrawnLine {
  name: string;
  /** The same colour is the same line in all panels. */
  colour: number;
  symbol: SymbolName;
  dashed: boolean;
  /** x, y and half of the 95 % interval; below the point, where that is another. */
  points: [number, number | null, number | null, (number | null)?][];
}

export type Status = "done" | "failed";

/** How far a number may be trusted. */
export type Quality = "plain" | "estimated" | "not stationary";

export interface Run {
  /** `runs.id` of the database. */
  id: number;
  /** Name of the `[[case]]`; empty without cases. */
  case: string;
  /** What a sweep set, in order: key and value as written in the configuration. */
  parameters: [string, string][];
  seed: number;
  status: Status;
  /** Message of a failed run; else empty. */
  error: string;
  /** Machine it ran on. */
  host: string;
  /** UTC, "2026-01-31T12:00:00Z". */
  started: string;
  finished: string;
  wall_seconds: number | null;
  /** Of the processor; null: not known. */
  cpu_seconds: number | null;
  /** Version of the program that did the run. */
  version: string;
  /** Of the configuration. */
  hash: string;
  /** Of the event trajectory, hexadecimal. */
  fingerprint: string;
  /** The resolved configuration, TOML. */
  configuration: string;
  /** Warnings to be shown with the numbers. */
  notes: string[];
  /** Simulated time, ns. */
  duration_ns: number;
  /** The measuring window begins here, ns. */
  warmup_ns: number;
  scalars: Scalar[];
  /** Without those of single ports: `frames` has them. */
  series: Series[];
  histograms: Histogram[];
  /** Intervals that explain a series, as "hot" from 0.2 to 0.7 ms: traffic that is not always on. */
  marks: Mark[];
  /** Index into `Report.topologies`; null where the network is not known. */
  topology: number | null;
  /** Over the measuring window; null where links were not measured. */
  links: Links | null;
  /** Over time; null where links were not sampled or not kept. */
  frames: Frames | null;
  /** Congestion trees, ascending in time; several at one time are several roots. */
  trees: Tree[];
  /** Only with congestion isolation: the largest ones, ascending in time. */
  set_aside?: SetAsideTree[];
  /** Who is hot and who may suffer; null where the traffic does not say. */
  hosts: HostRoles | null;
  /** Only with counters of the real fabric: whether its links do in the run what they did there. */
  agreement?: Agreement;
}

export interface Agreement {
  /** Of waiting, and of what was sent. */
  wait: RankCorrelation;
  sent: RankCorrelation;
  /** Which links could not be compared, and what else is doubtful; sentences. */
  notes: string[];
}

export interface RankCorrelation {
  /** Spearman's coefficient; null: too few links, or all are equal. */
  spearman: number | null;
  links: number;
}

export interface Scalar {
  metric: string;
  /** A traffic class, "hot", "cold", "victim", a group of links; empty: of everything. */
  label: string;
  value: number | null;
  /** Of the 95 % interval; null: none. */
  half_width: number | null;
  quality: Quality;
}

/** Value k belongs to [start + k * bin, start + (k + 1) * bin). */
export interface Series {
  metric: string;
  label: string;
  start_ns: number;
  bin_ns: number;
  /** null: nothing happened in the bin. */
  values: (number | null)[];
}

export interface Histogram {
  metric: string;
  label: string;
  /** Ascending: value in the metric's unit (of the middle of the bucket) and how many had it. */
  buckets: [number, number][];
}

export interface Mark {
  from_ns: number;
  to_ns: number;
  label: string;
}

/** Parallel to `Topology.ports`. */
export interface Links {
  /** Share of the window in which the port was sending. */
  utilization: number[];
  /** Share of the window in which it had packets and no credit. */
  wait: number[];
  bytes: number[];
  /** Bytes that waited for it, largest sample. */
  queued_max: number[];
}

/**
 * State of every link at sampling times. With T times and P ports, the two texts are the base64 of
 * T * P bytes, time by time: 255 * share, rounded, over the sampling period that ends at the time.
 */
export interface Frames {
  /** Ascending. */
  times_ns: number[];
  utilization: string;
  wait: string;
  /**
   * Only with congestion isolation. The same, but a number of queues in place of a share: those set
   * aside at both ends of the link (the port's buffer, and the one behind its receiver), most that
   * a sample of the period found.
   */
  set_aside?: string;
}

/**
 * All queues that congestion isolation sets aside for one congested output, from the first to the
 * last of them.
 */
export interface SetAsideTree {
  /** The congested output, as an index into `Topology.ports`. */
  root: number;
  from_ns: number;
  until_ns: number;
  /** At most at one moment. */
  queues: number;
  /** Links from the farthest queue to the switch of the root. */
  hops: number;
}

/** A congestion tree at one sampling time. Ports are indices into `Topology.ports`. */
export interface Tree {
  t_ns: number;
  /** The port that cannot keep up. */
  root: number;
  /** Of the farthest branch; 0: the root alone. */
  depth: number;
  /** Ports held up by the tree, with their distance from the root, nearest first. */
  branches: [port: number, depth: number][];
  /** Branches that no other branch waits for. */
  leaves: number[];
}

/** Hosts by number, which is also their index in `Topology.nodes`. */
export interface HostRoles {
  /** Send traffic with the role "hot". */
  hot_sources: number[];
  /** Receive it; empty where it goes to random hosts. */
  hot_destinations: number[];
}

export interface Topology {
  /** "rlft", "torus", "ibnetdiscover". */
  family: string;
  /** One line of numbers for people, as "432 hosts, 180 switches, 3 stages"; may be empty. */
  summary: string;
  /** Hosts first, in the order of their numbers; then switches. */
  nodes: Node[];
  /** One per direction of a cable, hence two per ordinary cable; cabled ports only. */
  ports: Port[];
  /** Counters of the real fabric, where they were given. */
  measured?: MeasuredCounters;
}

/** Arrays are parallel to `Topology.ports`; null: the counter is not known. */
export interface MeasuredCounters {
  /** Files as the user named them; `before` is empty where counters stand for all time. */
  after: string;
  before: string;
  /** Between the two; null: not known. */
  interval_ns: number | null;
  /** Of XmitWait; null: not known. */
  tick_ns: number | null;
  bytes: (number | null)[];
  /** XmitWait. */
  ticks: (number | null)[];
}

export interface Node {
  name: string;
  kind: "host" | "switch";
  /** 0: host; switches count from 1 (leaf); -1: a switch of a network without stages. */
  stage: number;
  /**
   * Where the family places a switch: coordinates of a mesh or torus (dimension 0 first), [group,
   * router] of a dragonfly. Left out elsewhere.
   */
  place?: number[];
}

export interface Port {
  /** The transmitting port, as "s3[5]". */
  name: string;
  /** Index of the node that transmits. */
  from: number;
  /** Index of the node that receives. */
  to: number;
  /** "injection", "ejection", "up", "down", "horizontal" or "switch". */
  group: string;
}
