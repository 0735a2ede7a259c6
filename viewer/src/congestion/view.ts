import { choice, el, menu, replace, toggle } from "../dom";
import type { MapName } from "../palette";
import type { Key, Store } from "../state";
import { listen } from "./gestures";
import { hitTest, type Hit } from "./hit";
import type { Camera } from "./frame";
import { Painter } from "./painter";
import { Panel } from "./panel";
import { mostPortsInTrees, Replay } from "./replay";
import { buildScene, type Detail, type Scene } from "./scene";
import { Timeline } from "./timeline";
import { tipLines } from "./tips";

const COLOURED_BY: Record<MapName, string> = {
  utilization: "utilization",
  wait: "waiting",
  queues: "set-aside queues",
};

/** The network of the focused run, its links in colour, its congestion trees over time. */
export class CongestionView {
  readonly element: HTMLElement;
  readonly timeline = new Timeline((frame) => this.toFrame(frame));
  private readonly canvas = el("canvas", { tabindex: 0, role: "img" });
  private readonly tip = el("div", { class: "tip", hidden: true });
  private readonly status = el("p", { class: "moment", "aria-live": "polite" });
  private readonly panel = new Panel({
    pickTree: (rank) => {
      this.tree = rank;
      this.draw();
    },
    pickPort: (port) => {
      this.picked = this.scene?.bundleOf[port] ?? -1;
      this.draw();
    },
  });
  private readonly stage = el("div", { class: "stage" }, this.canvas, this.tip);
  private readonly controls = el("div", { class: "controls" });
  private readonly body: HTMLElement;
  private readonly empty = el("p", { class: "empty large" });
  private readonly painter = new Painter(this.canvas);
  private readonly replays = new Map<number, Replay>();
  private camera: Camera = { scale: 1, scaleY: 1, x: 0, y: 0 };
  private replay: Replay | null = null;
  private scene: Scene | null = null;
  private sceneTopology = -1;
  private detail: Detail = "auto";
  private readonly open = new Set<number>();
  private hover: Hit = { item: -1, bundle: -1 };
  private picked = -1;
  private tree = -1;
  private wholeRun = false;
  private treePorts: number | undefined;
  private queued = 0;

  constructor(private readonly store: Store) {
    this.body = el(
      "div",
      { class: "congestion" },
      el("div", { class: "picture" }, this.stage, this.timeline.element, this.status),
      this.panel.element,
    );
    this.element = el("div", {}, this.controls, this.body, this.empty);
    listen(this.canvas, {
      hover: (x, y) => this.hoverAt(x, y),
      leave: () => this.setHover({ item: -1, bundle: -1 }),
      click: (x, y) => this.clickAt(x, y),
      move: (dx, dy) => this.moveCamera(dx, dy),
      zoom: (factor, x, y) => this.zoom(factor, x, y),
      reset: () => this.resetCamera(),
      step: (by) => this.timeline.step(by),
      isZoomed: () => this.camera.scale > 1,
    });
    store.subscribe((changed) => this.update(changed));
    new ResizeObserver(() => this.resized()).observe(this.stage);
    this.showRun();
  }

  /** Sample shown; -1: the whole run. */
  get frame(): number {
    const { time } = this.store.state;
    if (!this.replay) return -1;
    if (time === null) return -1;
    return this.replay.frameAt(time);
  }

  /** Runs without congestion isolation have no queues to show. */
  private get colour(): MapName {
    const { colour } = this.store.state;
    return colour === "queues" && !this.replay?.hasQueues ? "utilization" : colour;
  }

  /** What is on the canvas, for tests. */
  snapshot() {
    return {
      ...this.painter.drawn,
      frame: this.frame,
      frames: this.replay?.times.length ?? 0,
      items: this.scene?.items.length ?? 0,
      aggregated: this.scene?.aggregated ?? false,
      playing: this.timeline.playing,
      camera: { ...this.camera },
      picked: this.picked,
    };
  }

  private update(changed: Set<Key>): void {
    if (changed.size === 0 || changed.has("focus") || changed.has("chosen")) this.showRun();
    else if (changed.has("time") || changed.has("colour") || changed.has("trees")) {
      if (changed.has("time")) this.tree = -1;
      if (!changed.has("time") || this.wholeRun !== (this.store.state.time === null))
        this.showControls();
      this.draw();
    }
  }

  private showRun(): void {
    const { focus } = this.store.state;
    const run = this.store.report.runs[focus];
    const topology =
      run && run.topology !== null ? this.store.report.topologies[run.topology] : null;
    this.replay = null;
    const problem = this.whyEmpty();
    this.body.hidden = problem !== "" || !topology;
    this.empty.hidden = !this.body.hidden;
    this.empty.textContent = problem || "The network of this run is not known.";
    this.showControls();
    if (!run || !topology || problem) return;
    let replay = this.replays.get(focus);
    if (!replay) this.replays.set(focus, (replay = new Replay(run, topology)));
    this.replay = replay;
    if (this.sceneTopology !== run.topology) this.buildScene(run.topology!);
    this.tree = -1;
    this.timeline.show(replay, this.mostTreePorts());
    this.showControls();
    this.resized();
  }

  /** Over the runs of the report, if they are few enough to be looked through. */
  private mostTreePorts(): number {
    const { runs } = this.store.report;
    if (runs.length > 12) return 0;
    this.treePorts ??= Math.max(0, ...runs.map(mostPortsInTrees));
    return this.treePorts;
  }

  private whyEmpty(): string {
    const run = this.store.report.runs[this.store.state.focus];
    if (!run) return "There are no runs in this report.";
    if (run.status === "failed")
      return `This run failed, so there is nothing to show: ${run.error}`;
    if (!run.links && !run.frames && run.trees.length === 0) {
      return "There are no links and no trees of this run: not recorded, or left out of a large report.";
    }
    return "";
  }

  private buildScene(index: number): void {
    if (this.sceneTopology !== index) this.open.clear();
    this.sceneTopology = index;
    this.scene = buildScene(this.store.report.topologies[index]!, this.detail, this.open);
    this.hover = { item: -1, bundle: -1 };
    this.picked = -1;
  }

  private showControls(): void {
    this.wholeRun = this.store.state.time === null;
    const { report, names, state } = this.store;
    const runs = menu(
      "Run",
      names.map((name, index) => [String(index), name]),
      String(state.focus),
      (value) => this.store.set({ focus: Number(value) }),
    );
    const scene = this.scene;
    const canGroup =
      this.replay &&
      scene &&
      scene.structure.staged &&
      scene.structure.pods > 1 &&
      scene.structure.levels > 1 &&
      scene.structure.hosts > 64;
    const colours = choice<MapName>(
      "Colour of links",
      [
        ["utilization", "Utilization"],
        ["wait", "Waiting"],
        ...(this.replay?.hasQueues ? [["queues", "Set-aside queues"] as [MapName, string]] : []),
      ],
      this.colour,
      (colour) => this.store.set({ colour }),
    );
    const all = this.replay?.hasTotals
      ? toggle("Whole run", state.time === null, (on) =>
          this.store.set({ time: on ? null : this.momentToShow() }),
        )
      : null;
    if (all && this.replay!.times.length === 0) all.setAttribute("disabled", "");
    const isGrouped = scene?.aggregated ?? false;
    replace(
      this.controls,
      report.runs.length > 1 && el("label", {}, "Run ", runs),
      this.replay && colours,
      all,
      this.replay && this.replay.run.trees.length > 0
        ? toggle("Trees", state.trees, (trees) => this.store.set({ trees }))
        : null,
      canGroup
        ? choice<Detail>(
            "Detail",
            [
              ["groups", "Groups"],
              ["all", "Every switch"],
            ],
            isGrouped ? "groups" : "all",
            (detail) => this.setDetail(detail),
          )
        : null,
      this.replay &&
        el(
          "span",
          { class: "zoom", role: "group", "aria-label": "Zoom" },
          el(
            "button",
            { type: "button", "aria-label": "Zoom in", onclick: () => this.zoom(1.5) },
            "+",
          ),
          el(
            "button",
            { type: "button", "aria-label": "Zoom out", onclick: () => this.zoom(1 / 1.5) },
            "−",
          ),
          el("button", { type: "button", onclick: () => this.resetCamera() }, "Fit"),
        ),
    );
  }

  private momentToShow(): number {
    return this.replay!.times[this.replay!.worstFrame()] ?? 0;
  }

  private setDetail(detail: Detail): void {
    this.detail = detail;
    this.open.clear();
    this.buildScene(this.sceneTopology);
    this.resetCamera();
    this.showControls();
  }

  private toFrame(frame: number): void {
    const time = this.replay?.times[frame];
    if (time !== undefined) this.store.set({ time });
  }

  private resized(): void {
    if (!this.stage.clientWidth) return;
    this.painter.resize();
    this.paint();
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
    const { replay, scene } = this;
    if (!replay || !scene || this.body.hidden) return;
    const { trees } = this.store.state;
    const { colour } = this;
    const { theme } = this.store;
    const frame = this.frame;
    const bundle = this.hover.bundle >= 0 ? this.hover.bundle : this.picked;
    this.painter.paint(scene, replay, this.camera, {
      theme,
      colour,
      showTrees: trees,
      frame,
      tree: this.tree,
      item: this.hover.item,
      bundle,
    });
    this.timeline.setFrame(frame);
    this.panel.showLegend(
      colour,
      theme,
      trees && replay.run.trees.length > 0,
      replay.run.hosts !== null,
      replay.mostQueues,
    );
    this.panel.showMoment(replay, frame, this.tree, colour);
    this.panel.showPicked(replay, scene, this.picked, frame);
    const words =
      frame < 0 && colour === "queues" ? "Most at any time of the run" : replay.describe(frame);
    this.canvas.setAttribute(
      "aria-label",
      `${this.store.report.topologies[this.sceneTopology]!.summary || "The network"} by stages, ` +
        `links coloured by ${COLOURED_BY[colour]}. ${words}`,
    );
    this.status.setAttribute("aria-live", this.timeline.playing ? "off" : "polite");
    if (this.status.textContent !== words) this.status.textContent = words;
  }

  private moveCamera(dx: number, dy: number): void {
    const { scale, scaleY } = this.camera;
    const limit = (value: number, size: number, scale: number) =>
      Math.min(size * 0.5, Math.max(size * (0.5 - scale), value));
    this.camera.x = limit(this.camera.x + dx, this.painter.width, scale);
    if (scaleY > 1) this.camera.y = limit(this.camera.y + dy, this.painter.height, scaleY);
    this.tip.hidden = true;
    this.draw();
  }

  private zoom(factor: number, x = this.painter.width / 2, y = this.painter.height / 2): void {
    const scale = Math.min(40, Math.max(1, this.camera.scale * factor));
    if (scale === 1) return this.resetCamera();
    const real = scale / this.camera.scale;
    const staged = this.scene?.structure.staged ?? false;
    const { left, top } = this.painter.margin;
    this.camera = {
      scale,
      x: x - left - (x - left - this.camera.x) * real,
      scaleY: staged ? 1 : scale,
      y: staged ? 0 : y - top - (y - top - this.camera.y) * real,
    };
    this.draw();
  }

  private resetCamera(): void {
    this.camera = { scale: 1, scaleY: 1, x: 0, y: 0 };
    this.draw();
  }

  private hoverAt(x: number, y: number): void {
    if (!this.scene) return;
    const hit = hitTest(this.scene, this.painter, this.camera, x, y);
    this.setHover(hit);
    this.showTip(hit, x, y);
  }

  private setHover(hit: Hit): void {
    if (hit.item === this.hover.item && hit.bundle === this.hover.bundle) return;
    this.hover = hit;
    this.tip.hidden = true;
    this.canvas.style.cursor = hit.item >= 0 || hit.bundle >= 0 ? "pointer" : "grab";
    this.draw();
  }

  private clickAt(x: number, y: number): void {
    if (!this.scene) return;
    const hit = hitTest(this.scene, this.painter, this.camera, x, y);
    const item = this.scene.items[hit.item];
    if (item && this.scene.aggregated && item.group >= 0) {
      if (!this.open.delete(item.group)) this.open.add(item.group);
      this.buildScene(this.sceneTopology);
      this.showControls();
    } else this.picked = hit.bundle === this.picked ? -1 : hit.bundle;
    this.draw();
  }

  private showTip(hit: Hit, x: number, y: number): void {
    if (!this.replay || !this.scene) return;
    const lines = tipLines(this.replay, this.scene, hit, this.frame, this.colour, this.open);
    this.tip.hidden = lines.length === 0;
    replace(this.tip, ...lines.map((line, at) => el(at === 0 ? "b" : "div", {}, line)));
    const right = x > this.painter.width * 0.6;
    this.tip.style.left = right ? "" : `${x + 14}px`;
    this.tip.style.right = right ? `${this.painter.width - x + 14}px` : "";
    this.tip.style.top = `${Math.min(y + 12, this.painter.height - 70)}px`;
  }
}
