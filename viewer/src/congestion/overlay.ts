import type { SetAsideTree, Tree } from "../data";
import { setAsideColour, treeColours, type Theme } from "../palette";
import type { Camera, Frame } from "./frame";
import { INKS, type Inks } from "./inks";
import type { Row } from "./items";
import type { Replay } from "./replay";
import type { Scene } from "./scene";

/** What lies over links and switches: roots, hot spots, names of the stages. */
export class Overlay {
  private readonly ink: Inks;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly frame: Frame,
    private readonly camera: Camera,
    private readonly theme: Theme,
  ) {
    this.ink = INKS[theme];
  }

  /** Roots on top of all, with an arrow in the direction of the port and the largest by name. */
  roots(scene: Scene, replay: Replay, trees: Tree[]): void {
    const { context } = this;
    const { root: colour } = treeColours(this.theme);
    const most = trees[0]?.branches.length ?? 0;
    trees.forEach((tree, rank) => {
      const port = replay.topology.ports[tree.root];
      if (!port) return;
      const from = scene.items[scene.itemOf[port.from]!]!;
      const to = scene.items[scene.receiverOf[port.to]!]!;
      const [x1, y1] = [this.frame.px(from.x, this.camera), this.frame.py(from.y, this.camera)];
      const [x2, y2] = [this.frame.px(to.x, this.camera), this.frame.py(to.y, this.camera)];
      // of many trees the one that matters stands out
      const large = tree.branches.length > 0 && 5 * tree.branches.length >= most;
      context.strokeStyle = context.fillStyle = colour;
      context.globalAlpha = large ? 1 : 0.8;
      context.lineWidth = large ? 3.5 : 1.6;
      context.beginPath();
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
      context.stroke();
      if (large) this.arrow(x1, y1, x2, y2);
      if (rank === 0 && large) this.nameRoot(`root ${port.name}`, x1, y1, colour);
    });
    context.globalAlpha = 1;
  }

  /** Diamonds where the ports are that queues are set aside for; the one with the most by name. */
  setAsideRoots(scene: Scene, replay: Replay, roots: SetAsideTree[]): number {
    const { context } = this;
    const colour = setAsideColour(this.theme);
    const most = roots[0]?.queues ?? 0;
    roots.forEach((tree, rank) => {
      const port = replay.topology.ports[tree.root];
      if (!port) return;
      const from = scene.items[scene.itemOf[port.from]!]!;
      const to = scene.items[scene.receiverOf[port.to]!]!;
      const [x1, y1] = [this.frame.px(from.x, this.camera), this.frame.py(from.y, this.camera)];
      const [x2, y2] = [this.frame.px(to.x, this.camera), this.frame.py(to.y, this.camera)];
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      // beside the switch, on the link that leaves it
      const off = Math.min(16, length / 3);
      const [x, y] = [x1 + ((x2 - x1) / length) * off, y1 + ((y2 - y1) / length) * off];
      const size = 3 + 4 * Math.sqrt(tree.queues / most);
      context.fillStyle = colour;
      context.strokeStyle = this.ink.surface;
      context.lineWidth = 1.2;
      context.beginPath();
      context.moveTo(x, y - size);
      context.lineTo(x + size, y);
      context.lineTo(x, y + size);
      context.lineTo(x - size, y);
      context.closePath();
      context.fill();
      context.stroke();
      context.strokeStyle = colour;
      if (rank === 0) this.nameRoot(`${port.name}: ${tree.queues} at most`, x1, y1, colour);
    });
    return roots.length;
  }

  private arrow(x1: number, y1: number, x2: number, y2: number): void {
    const { context } = this;
    const angle = Math.atan2(y2 - y1, x2 - x1);
    const [x, y] = [x1 + (x2 - x1) * 0.62, y1 + (y2 - y1) * 0.62];
    context.beginPath();
    context.moveTo(x + 8 * Math.cos(angle), y + 8 * Math.sin(angle));
    context.lineTo(x + 6 * Math.cos(angle + 2.4), y + 6 * Math.sin(angle + 2.4));
    context.lineTo(x + 6 * Math.cos(angle - 2.4), y + 6 * Math.sin(angle - 2.4));
    context.fill();
  }

  private nameRoot(text: string, x: number, y: number, colour: string): void {
    const { context, ink } = this;
    context.beginPath();
    context.arc(x, y, 9, 0, 2 * Math.PI);
    context.lineWidth = 2.5;
    context.stroke();
    context.font = "600 12px ui-sans-serif, system-ui, sans-serif";
    context.textBaseline = "middle";
    const width = context.measureText(text).width;
    const right = x + 18 + width < this.frame.width - 6;
    const left = right ? x + 16 : x - 16 - width;
    context.globalAlpha = 0.92;
    context.fillStyle = ink.surface;
    context.beginPath();
    context.roundRect(left - 5, y - 10, width + 10, 20, 4);
    context.fill();
    context.globalAlpha = 1;
    context.fillStyle = colour;
    context.textAlign = "left";
    context.fillText(text, left, y + 0.5);
  }

  /** A mark under the hosts that hot traffic goes to, if they are few. */
  hotSpots(scene: Scene, replay: Replay): void {
    const { context } = this;
    const hosts = replay.run.hosts?.hot_destinations ?? [];
    if (hosts.length === 0 || hosts.length > 6) return;
    context.fillStyle = treeColours(this.theme).root;
    context.font = "600 11px ui-sans-serif, system-ui, sans-serif";
    context.textAlign = "left";
    context.textBaseline = "top";
    for (const host of hosts) {
      const { x, y, w, h } = this.frame.box(scene.items[scene.receiverOf[host]!]!, this.camera);
      const [middle, below] = [x + w / 2, y + h + 3];
      context.beginPath();
      context.moveTo(middle, below);
      context.lineTo(middle + 5, below + 8);
      context.lineTo(middle - 5, below + 8);
      context.fill();
      const name = replay.topology.nodes[host]!.name;
      if (hosts.length <= 2) context.fillText(`hot spot ${name}`, middle + 9, below - 1);
    }
  }

  /** Names of the stages: in the gutter at the left, else above each row. */
  rows(scene: Scene): void {
    const { context, ink } = this;
    context.font = "11px ui-sans-serif, system-ui, sans-serif";
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    if (this.frame.gutter && scene.rows.length > 0) {
      context.fillStyle = ink.surface;
      context.fillRect(0, 0, this.frame.margin.left - 14, this.frame.height);
    }
    for (const row of scene.rows) {
      if (this.frame.gutter) {
        this.rowInGutter(row);
        continue;
      }
      const y = this.frame.py(row.y, this.camera) - 15;
      const width = context.measureText(`${row.name}: ${row.count}`).width;
      context.globalAlpha = 0.85;
      context.fillStyle = ink.surface;
      context.fillRect(4, y - 10, width + 8, 14);
      context.globalAlpha = 1;
      context.fillStyle = ink.faint;
      context.fillText([row.name, row.count].filter(Boolean).join(": "), 8, y);
    }
  }

  private rowInGutter(row: Row): void {
    const { context, ink } = this;
    const y = this.frame.py(row.y, this.camera);
    const lines = [row.name, row.count].filter(Boolean);
    lines.forEach((line, at) => {
      context.fillStyle = at === 0 && lines.length > 1 ? ink.text : ink.faint;
      context.fillText(line, 2, y + 4 + (at - (lines.length - 1) / 2) * 14);
    });
  }
}
