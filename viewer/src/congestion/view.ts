import { choice, el, menu, replace, toggle } from "../dom";
import type { MapName } from "../palette";
import type { Key, Store } from "../state";
import { detailChoice, whyEmpty, zoomButtons } from "./controls";
import type { Camera } from "./frame";
import { CourseCard } from "./course";
import type { Hit } from "./hit";
import type { Painter } from "./painter";
import { Panel } from "./panel";
import { pickOfNode, pickOfPort, placeOf, readPick } from "./pick";
import { Picture } from "./picture";
import { mostPortsInTrees, Replay } from "./replay";
import { buildScene, type Detail, type Scene } from "./scene";
import { Timeline } from "./timeline";
import { VictimList } from "./victims";

const COLOURED_BY: Record<MapName, string> = {
  utilization: "utilization",
  wait: "waiting",
  queues: "set-aside queues",
};

/** A run in the view, with where it is drawn. */
interface Side {
  run: number;
  replay: Replay;
  scene: Scene;
  topology: number;
  picture: Picture;
  panel: Panel;
}

/** The networks of one or two runs, their links in colour, their congestion trees over time. */
export class CongestionView {
  readonly element: HTMLElement;
  readonly timeline = new Timeline((frame) => this.toFrame(frame));
  readonly course: CourseCard;
  private readonly pictures: Picture[];
  private readonly panels: Panel[];
  private readonly victims = new VictimList((name) => this.store.set({ pick: `node ${name}` }));
  private readonly status = el("p", { class: "moment", "aria-live": "polite" });
  private readonly controls = el("div", { class: "controls" });
  private readonly body: HTMLElement;
  private readonly pictureRow = el("div", { class: "pictures" });
  private readonly panelRow = el("div", { class: "panels-beside" });
  private readonly empty = el("p", { class: "empty large" });
  private readonly replays = new Map<number, Replay>();
  private readonly scenes = new Map<number, Scene>();
  private sides: Side[] = [];
  private detail: Detail = "auto";
  private readonly open = new Set<number>();
  private tree = -1;
  private wholeRun = false;
  private treePorts: number | undefined;
  private queued = 0;

  constructor(private readonly store: Store) {
    this.course = new CourseCard(store);
    this.pictures = [0, 1].map(
      (at) =>
        new Picture({
          click: (hit) => this.click(at, hit),
          zoomed: () => this.follow(at),
          step: (by) => this.timeline.step(by),
        }),
    );
    this.panels = [0, 1].map(
      (at) =>
        new Panel({
          pickTree: (rank) => {
            this.tree = rank;
            this.draw();
          },
          pickPort: (port) => {
            const side = this.sides[at];
            if (side) store.set({ pick: pickOfPort(side.replay.topology, port) });
          },
        }),
    );
    this.body = el(
      "div",
      { class: "congestion" },
      el("div", { class: "picture" }, this.pictureRow, this.timeline.element, this.status),
      this.panelRow,
    );
    this.element = el(
      "div",
      {},
      this.controls,
      this.body,
      this.empty,
      this.course.element,
      this.victims.element,
    );
    store.subscribe((changed) => this.update(changed));
    this.showRuns();
  }

  /** Sample of the first picture; -1: the whole run. */
  get frame(): number {
    return this.frameOf(this.sides[0]);
  }

  private frameOf(side: Side | undefined): number {
    const { time } = this.store.state;
    return !side || time === null ? -1 : side.replay.frameAt(time);
  }

  get painter(): Painter {
    return this.pictures[0]!.painter;
  }

  get scene(): Scene | null {
    return this.sides[0]?.scene ?? null;
  }

  get camera(): Camera {
    return this.pictures[0]!.camera;
  }

  /** Runs without congestion isolation have no queues to show. */
  private get colour(): MapName {
    const { colour } = this.store.state;
    return colour === "queues" && !this.sides.some(({ replay }) => replay.hasQueues)
      ? "utilization"
      : colour;
  }

  /** What is on the canvases, for tests. */
  snapshot() {
    const of = (side: Side) => ({
      ...side.picture.painter.drawn,
      run: side.run,
      frame: this.frameOf(side),
      frames: side.replay.times.length,
      camera: side.picture.camera,
    });
    return {
      ...(this.sides[0] ? of(this.sides[0]) : { frame: -1, frames: 0, treePorts: 0, roots: 0 }),
      items: this.scene?.items.length ?? 0,
      aggregated: this.scene?.aggregated ?? false,
      playing: this.timeline.playing,
      sides: this.sides.map(of),
    };
  }

  private update(changed: Set<Key>): void {
    const whole: Key[] = ["focus", "beside", "chosen"];
    if (changed.size === 0 || whole.some((key) => changed.has(key))) this.showRuns();
    else if (["time", "colour", "trees", "pick"].some((key) => changed.has(key as Key))) {
      if (changed.has("time")) this.tree = -1;
      const onlyTime = changed.has("time") && this.wholeRun === (this.store.state.time === null);
      if (!onlyTime) this.showControls();
      this.draw();
    }
  }

  /** A second run beside the first, of those in the charts if it can be; or none again. */
  toggleBeside(): void {
    const { report, state } = this.store;
    const other = [...state.chosen, ...report.runs.keys()].find(
      (run) => run !== state.focus && whyEmpty(this.store.report, run) === "",
    );
    if (this.sides.length > 1) this.store.set({ beside: -1 });
    else if (other !== undefined) this.store.set({ beside: other });
  }

  private showRuns(): void {
    const { focus, beside } = this.store.state;
    const problem = whyEmpty(this.store.report, focus);
    this.body.hidden = problem !== "";
    this.empty.hidden = problem === "";
    this.empty.textContent = problem;
    const isTwo =
      beside >= 0 && beside !== focus && problem === "" && !whyEmpty(this.store.report, beside);
    this.sides = problem
      ? []
      : [focus, ...(isTwo ? [beside] : [])].map((run, at) => this.sideOf(run, at));
    this.tree = -1;
    this.body.classList.toggle("two", isTwo);
    if (this.pictureRow.childElementCount !== this.sides.length) {
      replace(this.pictureRow, ...this.sides.map(({ picture }) => picture.element));
      replace(this.panelRow, ...this.sides.map(({ panel }) => panel.element));
    }
    for (const picture of this.pictures) picture.title.hidden = !isTwo;
    this.showControls();
    if (this.sides.length === 0) {
      this.course.show([], "utilization");
      this.victims.show([], false);
      return;
    }
    this.timeline.show(this.sides[0]!.replay, this.mostTreePorts(), this.sides[1]?.replay ?? null);
    this.paint();
    for (const { picture } of this.sides) picture.resized();
    if (isTwo) this.follow(0);
  }

  private sideOf(run: number, at: number): Side {
    const { report } = this.store;
    const topology = report.runs[run]!.topology!;
    let replay = this.replays.get(run);
    if (!replay) {
      replay = new Replay(report.runs[run]!, report.topologies[topology]!);
      this.replays.set(run, replay);
    }
    const [picture, panel] = [this.pictures[at]!, this.panels[at]!];
    return { run, replay, scene: this.sceneOf(topology), topology, picture, panel };
  }

  private sceneOf(topology: number): Scene {
    let scene = this.scenes.get(topology);
    if (!scene) {
      scene = buildScene(this.store.report.topologies[topology]!, this.detail, this.open);
      this.scenes.set(topology, scene);
    }
    return scene;
  }

  /** Over the runs of the report, if they are few enough to be looked through. */
  private mostTreePorts(): number {
    const { runs } = this.store.report;
    if (runs.length > 12) return 0;
    this.treePorts ??= Math.max(0, ...runs.map(mostPortsInTrees));
    return this.treePorts;
  }

  private runMenus(): (HTMLElement | false)[] {
    const { names, state } = this.store;
    const options = names.map((name, index): [string, string] => [String(index), name]);
    const others = options.filter(
      ([index]) =>
        Number(index) !== state.focus && whyEmpty(this.store.report, Number(index)) === "",
    );
    const label = (text: string, select: HTMLElement) => el("label", {}, text, select);
    return [
      names.length > 1 &&
        label(
          "Run ",
          menu("Run", options, String(state.focus), (value) =>
            this.store.set({ focus: Number(value) }),
          ),
        ),
      others.length > 0 &&
        this.sides.length > 0 &&
        label(
          "beside ",
          menu(
            "Beside",
            [["-1", "nothing"], ...others],
            String(this.sides[1]?.run ?? -1),
            (value) => this.store.set({ beside: Number(value) }),
          ),
        ),
    ];
  }

  private showControls(): void {
    const { state } = this.store;
    this.wholeRun = state.time === null;
    const [first] = this.sides;
    if (!first) return replace(this.controls, ...this.runMenus());
    const hasQueues = this.sides.some(({ replay }) => replay.hasQueues);
    const colours = choice<MapName>(
      "Colour of links",
      [
        ["utilization", "Utilization"],
        ["wait", "Waiting"],
        ...(hasQueues ? [["queues", "Set-aside queues"] as [MapName, string]] : []),
      ],
      this.colour,
      (colour) => this.store.set({ colour }),
    );
    const all = first.replay.hasTotals
      ? toggle("Whole run", state.time === null, (on) =>
          this.store.set({
            time: on ? null : (first.replay.times[first.replay.worstFrame()] ?? 0),
          }),
        )
      : null;
    if (all && first.replay.times.length === 0) all.setAttribute("disabled", "");
    replace(
      this.controls,
      ...this.runMenus(),
      colours,
      all,
      this.sides.some(({ replay }) => replay.run.trees.length > 0) &&
        toggle("Trees", state.trees, (trees) => this.store.set({ trees })),
      detailChoice(first.scene, (detail) => {
        this.detail = detail;
        this.open.clear();
        this.rebuild();
        first.picture.gestures.reset();
      }),
      zoomButtons(first.picture),
    );
  }

  /** Other groups, or none, are drawn switch by switch. */
  private rebuild(): void {
    this.scenes.clear();
    for (const side of this.sides) side.scene = this.sceneOf(side.topology);
    this.showControls();
    this.draw();
  }

  /** The other picture shows the same part of the same network. */
  private follow(at: number): void {
    const [first, second] = this.sides;
    if (!first || !second || first.topology !== second.topology) return;
    const [from, to] = at === 0 ? [first, second] : [second, first];
    to.picture.gestures.follow(from.picture.gestures.transform);
    to.picture.resized();
  }

  private toFrame(frame: number): void {
    const time = this.sides[0]?.replay.times[frame];
    if (time !== undefined) this.store.set({ time });
  }

  private click(at: number, hit: Hit): void {
    const side = this.sides[at];
    if (!side) return;
    const { scene } = side;
    const { topology } = side.replay;
    const item = scene.items[hit.item];
    if (item && item.nodes.length > 1) {
      if (item.group < 0) return;
      this.open.add(item.group);
      return this.rebuild();
    }
    const bundle = scene.bundles[hit.bundle];
    const pick = item
      ? pickOfNode(topology, item.nodes[0]!)
      : bundle
        ? pickOfPort(topology, (bundle.forward[0] ?? bundle.backward[0])!)
        : "";
    this.store.set({ pick: pick === this.store.state.pick ? "" : pick });
  }

  /** Draws at the next animation frame. */
  private draw(): void {
    if (this.queued) return;
    this.queued = requestAnimationFrame(() => {
      this.queued = 0;
      this.paint();
    });
  }

  private paint(): void {
    if (this.sides.length === 0) return;
    const words = this.sides.map((side) => this.paintSide(side));
    const { names } = this.store;
    const text =
      words.length > 1
        ? words.map((one, at) => `${names[this.sides[at]!.run]}: ${one}`).join(". ")
        : words[0]!;
    this.timeline.setFrame(this.frame);
    this.status.setAttribute("aria-live", this.timeline.playing ? "off" : "polite");
    if (this.status.textContent !== text) this.status.textContent = text;
    this.course.show(this.sides, this.colour);
    const [first] = this.sides;
    this.victims.show(
      this.sides
        .filter(({ topology }) => topology === first!.topology)
        .map((side) => ({
          name: names[side.run]!,
          replay: side.replay,
          frame: this.frameOf(side),
        })),
      this.timeline.playing,
    );
  }

  /** What it shows, in words. */
  private paintSide(side: Side): string {
    const { run, replay, scene, picture, panel } = side;
    const { state, theme, report, names } = this.store;
    const colour = this.colour === "queues" && !replay.hasQueues ? "utilization" : this.colour;
    const frame = this.frameOf(side);
    const isFirst = side === this.sides[0];
    const picked = placeOf(readPick(state.pick), replay.topology, scene);
    const tree = isFirst ? this.tree : -1;
    picture.show({
      replay,
      scene,
      open: this.open,
      look: { theme, colour, showTrees: state.trees, frame, tree, ...picked },
    });
    replace(
      picture.title,
      el("i", { class: "dot", style: `background:${this.store.colour(run)}` }),
      names[run]!,
    );
    panel.showLegend(
      isFirst ? colour : null,
      theme,
      state.trees && replay.run.trees.length > 0,
      replay.run.hosts !== null,
      replay.mostQueues,
    );
    panel.showMoment(replay, frame, tree, colour);
    panel.showPicked(replay, scene, picked.bundle, frame);
    const words =
      frame < 0 && colour === "queues" ? "Most at any time of the run" : replay.describe(frame);
    picture.canvas.setAttribute(
      "aria-label",
      `${this.sides.length > 1 ? `${names[run]}: ` : ""}` +
        `${report.topologies[side.topology]!.summary || "The network"} by stages, ` +
        `links coloured by ${COLOURED_BY[colour]}. ${words}`,
    );
    return words;
  }
}
