import type { Tree } from "../data";
import { colourMap, MAP_STEPS, treeColours, type MapName, type Theme } from "../palette";
import { Frame, type Camera } from "./frame";
import { INKS, type Inks } from "./inks";
import { Overlay } from "./overlay";
import type { Replay } from "./replay";
import type { Bundle, Item } from "./items";
import type { Scene } from "./scene";

export interface Look {
  theme: Theme;
  colour: MapName;
  showTrees: boolean;
  /** Sample; -1: the whole run. */
  frame: number;
  /** Only this tree of the sample; -1: all. */
  tree: number;
  /** Hovered or picked; -1: nothing. */
  item: number;
  bundle: number;
}

/** Draws a scene on a canvas. Sizes are CSS pixels. */
export class Painter extends Frame {
  /** For tests and labels: what the last picture showed. */
  drawn = { bundles: 0, treePorts: 0, victims: 0, roots: 0, asideRoots: 0 };
  private readonly context: CanvasRenderingContext2D;

  constructor(private readonly canvas: HTMLCanvasElement) {
    super();
    this.context = canvas.getContext("2d")!;
  }

  resize(): void {
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /** Margins for a scene; what lies where depends on them. */
  frameFor(scene: Scene): void {
    this.margin.left = this.width > 620 && scene.rows.length > 0 ? 88 : 18;
  }

  paint(scene: Scene, replay: Replay, camera: Camera, look: Look): void {
    const { context } = this;
    const ink = INKS[look.theme];
    context.fillStyle = ink.surface;
    context.fillRect(0, 0, this.width, this.height);
    const trees = this.treesOf(replay, look);
    this.drawn = { bundles: 0, treePorts: 0, victims: 0, roots: trees.length, asideRoots: 0 };
    this.paintBundles(scene, replay, camera, look, trees.length > 0);
    this.paintTrees(scene, camera, look, trees);
    this.paintItems(scene, replay, camera, look, trees);
    const overlay = new Overlay(this.context, this, camera, look.theme);
    overlay.roots(scene, replay, trees);
    if (look.colour === "queues" && look.frame >= 0) {
      this.drawn.asideRoots = overlay.setAsideRoots(scene, replay, replay.roots(look.frame));
    }
    overlay.hotSpots(scene, replay);
    overlay.rows(scene);
  }

  private treesOf(replay: Replay, look: Look): Tree[] {
    if (!look.showTrees || look.frame < 0) return [];
    const trees = replay.trees(look.frame);
    return look.tree >= 0 && trees[look.tree] ? [trees[look.tree]!] : trees;
  }

  /** One lane of a bundle: beside its middle when the two directions are drawn apart. */
  private strokeLane(scene: Scene, lane: number, camera: Camera): void {
    const side = this.apart(scene, camera) ? (lane % 2 === 0 ? 1.9 : -1.9) : 0;
    this.stroke(scene, scene.bundles[lane >> 1]!, camera, side);
  }

  /** There is room for both directions of every cable. */
  private apart(scene: Scene, camera: Camera): boolean {
    return scene.bundles.length / camera.scale < 300;
  }

  private stroke(scene: Scene, bundle: Bundle, camera: Camera, side = 0): void {
    const { context } = this;
    const corners = this.corners(scene, bundle, camera);
    const [[x1, y1], [x2, y2]] = [corners[0]!, corners[corners.length - 1]!];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [sx, sy] = [(-(y2 - y1) / length) * side, ((x2 - x1) / length) * side];
    const [from, middle, to] = corners.map(([x, y]): [number, number] => [x + sx, y + sy]);
    context.beginPath();
    context.moveTo(...from!);
    if (!to) context.lineTo(...middle!);
    else {
      const [cx, cy] = [
        2 * middle![0] - (from![0] + to[0]) / 2,
        2 * middle![1] - (from![1] + to[1]) / 2,
      ];
      context.quadraticCurveTo(cx, cy, ...to);
    }
    context.stroke();
  }

  /** Links by colour, faint ones first, each colour in one stroke. */
  private paintBundles(
    scene: Scene,
    replay: Replay,
    camera: Camera,
    look: Look,
    dimmed: boolean,
  ): void {
    const { context } = this;
    const values = replay.laneValues(scene, look.frame, look.colour);
    const apart = this.apart(scene, camera);
    if (!apart) mergeLanes(values);
    const map = colourMap(look.colour, look.theme);
    const buckets: number[][] = Array.from({ length: MAP_STEPS }, () => []);
    for (let index = 0; index < values.length; ++index) {
      const value = values[index]!;
      if (value < 0 && (index % 2 === 1 || values[index + 1]! >= 0)) continue;
      buckets[Math.min(MAP_STEPS - 1, Math.round(Math.max(0, value) * (MAP_STEPS - 1)))]!.push(
        index,
      );
    }
    const dense = scene.bundles.length > 3000 ? 0.45 : scene.bundles.length > 1500 ? 0.7 : 1;
    buckets.forEach((list, step) => {
      if (list.length === 0) return;
      const share = step / (MAP_STEPS - 1);
      context.strokeStyle = map[step]!;
      context.globalAlpha = (dimmed ? 0.3 : 0.92) * dense;
      context.lineWidth = (0.8 + 1.1 * share) * Math.min(2, Math.sqrt(camera.scale));
      if (scene.aggregated) context.lineWidth *= 1.5;
      // one stroke a line: rasterizers are much slower with thousands of lines in one path
      for (const lane of list) this.strokeLane(scene, lane, camera);
      this.drawn.bundles += list.length;
    });
    context.globalAlpha = 1;
    if (look.bundle >= 0) this.highlight(scene, camera, look);
  }

  private highlight(scene: Scene, camera: Camera, look: Look): void {
    const { context } = this;
    context.strokeStyle = INKS[look.theme].text;
    context.lineWidth = 4;
    this.stroke(scene, scene.bundles[look.bundle]!, camera);
  }

  /** Branches by depth, farthest first so that what is near the root lies on top. */
  private paintTrees(scene: Scene, camera: Camera, look: Look, trees: Tree[]): void {
    const { context } = this;
    const colours = treeColours(look.theme);
    const depthOf = new Map<number, number>();
    for (const tree of trees) {
      for (const [port, depth] of tree.branches) {
        depthOf.set(port, Math.min(depth, depthOf.get(port) ?? depth));
      }
    }
    this.drawn.treePorts = new Set([...depthOf.keys(), ...trees.map((tree) => tree.root)]).size;
    const byDepth = new Map<number, Set<number>>();
    for (const [port, depth] of depthOf) {
      byDepth.set(depth, (byDepth.get(depth) ?? new Set()).add(scene.laneOf[port]!));
    }
    const crowd = depthOf.size > 600 ? 0.75 : 1;
    for (const depth of [...byDepth.keys()].sort((a, b) => b - a)) {
      context.strokeStyle = colours.branches[Math.min(depth, colours.branches.length) - 1]!;
      context.lineWidth =
        Math.max(1.1, (3.4 - 0.5 * depth) * crowd) * Math.min(2, Math.sqrt(camera.scale));
      context.globalAlpha = scene.aggregated ? 1 : Math.max(0.75, 1 - 0.06 * depth);
      if (scene.aggregated) context.lineWidth *= 1.7;
      for (const lane of byDepth.get(depth)!) this.strokeLane(scene, lane, camera);
    }
    context.globalAlpha = 1;
  }

  private paintItems(
    scene: Scene,
    replay: Replay,
    camera: Camera,
    look: Look,
    trees: Tree[],
  ): void {
    const { context } = this;
    const ink = INKS[look.theme];
    const colours = treeColours(look.theme);
    const held = replay.held(trees);
    const share = (list: number[]) => {
      const count = new Map<number, number>();
      for (const host of list) {
        const item = scene.itemOf[host]!;
        count.set(item, (count.get(item) ?? 0) + 1);
      }
      return count;
    };
    const victims = share(held.victims);
    const contributors = share(held.contributors);
    this.drawn.victims = held.victims.length;
    scene.items.forEach((item, index) => {
      const { x, y, w, h } = this.box(item, camera);
      if (x > this.width || x + w < 0 || y > this.height || y + h < 0) return;
      const isHost = item.kind === "host";
      context.fillStyle = isHost ? ink.host : ink.node;
      context.beginPath();
      context.roundRect(x, y, w, h, Math.min(3, w / 3));
      context.fill();
      const parts: [number, string][] = [
        [contributors.get(index) ?? 0, colours.contributor],
        [victims.get(index) ?? 0, colours.victim],
      ];
      let at = x;
      for (const [count, colour] of parts) {
        if (count === 0) continue;
        const wide = (w * count) / item.nodes.length;
        context.fillStyle = colour;
        context.fillRect(at, y, wide, h);
        at += wide;
      }
      if (!isHost || w > 6) {
        context.strokeStyle = index === look.item ? ink.text : ink.nodeLine;
        context.lineWidth = index === look.item ? 2.2 : 0.9;
        context.stroke();
      }
      if (w >= 22)
        this.nameItem(item, x, y, w, h, ink, victims.has(index) || contributors.has(index));
    });
  }

  private nameItem(
    item: Item,
    x: number,
    y: number,
    w: number,
    h: number,
    ink: Inks,
    filled: boolean,
  ): void {
    const { context } = this;
    const text = item.nodes.length > 1 ? `${item.nodes.length}` : item.label;
    context.font = "10px ui-sans-serif, system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    if (context.measureText(text).width > w - 3) return;
    context.fillStyle = filled && item.kind === "host" ? ink.surface : ink.text;
    context.fillText(text, x + w / 2, y + h / 2 + 0.5);
  }
}

/** The larger of both directions in place of the first, nothing in place of the second. */
function mergeLanes(values: Float32Array): void {
  for (let lane = 0; lane < values.length; lane += 2) {
    values[lane] = Math.max(values[lane]!, values[lane + 1]!);
    values[lane + 1] = -1;
  }
}
