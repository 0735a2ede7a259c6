import type { Camera, Frame } from "./frame";
import type { Scene } from "./scene";

export interface Hit {
  item: number;
  bundle: number;
}

/** What lies at a point of the canvas: an item, else the nearest link within a few pixels. */
export function hitTest(scene: Scene, frame: Frame, camera: Camera, x: number, y: number): Hit {
  for (let index = scene.items.length - 1; index >= 0; --index) {
    const box = frame.box(scene.items[index]!, camera);
    const slack = box.w < 8 ? 1 : 2;
    if (
      x >= box.x - slack &&
      x <= box.x + box.w + slack &&
      y >= box.y - 2 &&
      y <= box.y + box.h + 2
    ) {
      return { item: index, bundle: -1 };
    }
  }
  let bundle = -1;
  let best = 5;
  scene.bundles.forEach((one, index) => {
    const corners = frame.corners(scene, one, camera);
    for (let k = 1; k < corners.length; ++k) {
      const distance = toSegment(x, y, ...corners[k - 1]!, ...corners[k]!);
      if (distance < best) [best, bundle] = [distance, index];
    }
  });
  return { item: -1, bundle };
}

/** Distance of (x, y) from the segment. */
export function toSegment(
  x: number,
  y: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  const at = length > 0 ? Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length)) : 0;
  return Math.hypot(x - x1 - at * dx, y - y1 - at * dy);
}
