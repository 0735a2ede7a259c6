import type { Bundle, Item } from "./items";
import type { Scene } from "./scene";

/** Zoom and position: a point p of the scene is drawn at p * size * scale + offset. */
export interface Camera {
  scale: number;
  /** Of the height: stages stay in view where there are some. */
  scaleY: number;
  x: number;
  y: number;
}

/** Where things of a scene lie on a canvas. Sizes are CSS pixels. */
export class Frame {
  width = 0;
  height = 0;
  /** Room at the left for the names of the stages where it is wide enough. */
  readonly margin = { left: 18, right: 14, top: 14, bottom: 26 };

  get gutter(): boolean {
    return this.margin.left > 60;
  }

  px(x: number, camera: Camera): number {
    const { left, right } = this.margin;
    return left + x * (this.width - left - right) * camera.scale + camera.x;
  }

  py(y: number, camera: Camera): number {
    const { top, bottom } = this.margin;
    return top + y * (this.height - top - bottom) * camera.scaleY + camera.y;
  }

  /** Box of an item on the canvas. */
  box(item: Item, camera: Camera): { x: number; y: number; w: number; h: number } {
    const inner = this.width - this.margin.left - this.margin.right;
    const wide = item.width * inner * camera.scale;
    const many = item.nodes.length > 1;
    const w =
      item.kind === "host" && !many
        ? Math.min(14, Math.max(1, wide))
        : Math.min(many ? 64 : 34, Math.max(3, wide));
    const h = many
      ? 16
      : item.kind === "host"
        ? Math.min(14, Math.max(7, w))
        : Math.min(20, Math.max(9, w * 0.7));
    return { x: this.px(item.x, camera) - w / 2, y: this.py(item.y, camera) - h / 2, w, h };
  }

  /** Corners of a bundle's line: its ends and, if it is bent, the point between that it rises to. */
  corners(scene: Scene, bundle: Bundle, camera: Camera): [number, number][] {
    const a = scene.items[bundle.a]!;
    const b = scene.items[bundle.b]!;
    const [x1, y1] = [this.px(a.x, camera), this.py(a.y, camera)];
    const [x2, y2] = [this.px(b.x, camera), this.py(b.y, camera)];
    if (bundle.bend === 0)
      return [
        [x1, y1],
        [x2, y2],
      ];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [((y2 - y1) / length) * bundle.bend, (-(x2 - x1) / length) * bundle.bend];
    return [
      [x1, y1],
      [(x1 + x2) / 2 + dx, (y1 + y2) / 2 + dy],
      [x2, y2],
    ];
  }
}
