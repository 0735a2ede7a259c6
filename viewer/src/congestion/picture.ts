import { el, replace } from "../dom";
import type { MapName } from "../palette";
import type { Camera } from "./frame";
import { Gestures } from "./gestures";
import { hitTest, type Hit } from "./hit";
import { Painter, type Look } from "./painter";
import type { Replay } from "./replay";
import type { Scene } from "./scene";
import { tipLines } from "./tips";

export interface PictureActions {
  click(hit: Hit): void;
  zoomed(): void;
  step(by: number): void;
}

/** What a picture shows of a run at one moment. */
export interface View {
  replay: Replay;
  scene: Scene;
  look: Look;
  /** Groups that are drawn switch by switch. */
  open: ReadonlySet<number>;
}

/** A network on a canvas: zoomed, pointed at, clicked. */
export class Picture {
  readonly canvas = el("canvas", { tabindex: 0, role: "img" });
  readonly painter = new Painter(this.canvas);
  readonly gestures: Gestures;
  readonly title = el("h3", { class: "picture-title", hidden: true });
  readonly stage: HTMLElement;
  readonly element: HTMLElement;
  private readonly tip = el("div", { class: "tip", hidden: true });
  private hover: Hit = { item: -1, bundle: -1 };
  private view: View | null = null;
  private queued = 0;

  constructor(private readonly actions: PictureActions) {
    this.stage = el("div", { class: "stage" }, this.canvas, this.tip);
    this.element = el("div", { class: "picture-box" }, this.title, this.stage);
    this.gestures = new Gestures(this.canvas, {
      hover: (x, y) => this.hoverAt(x, y),
      leave: () => this.setHover({ item: -1, bundle: -1 }),
      click: (x, y) => {
        if (this.view) this.actions.click(this.hitAt(x, y));
      },
      zoomed: () => {
        this.tip.hidden = true;
        this.draw();
        this.actions.zoomed();
      },
      step: (by) => this.actions.step(by),
    });
    new ResizeObserver(() => this.resized()).observe(this.stage);
  }

  /** Zoom and position, as the painter has them. */
  get camera(): Camera {
    const { k, x, y } = this.gestures.transform;
    const { left, top } = this.painter.margin;
    const isStaged = this.view?.scene.structure.staged ?? false;
    return {
      scale: k,
      x: x + (k - 1) * left,
      // stages stay in sight
      scaleY: isStaged ? 1 : k,
      y: isStaged ? 0 : y + (k - 1) * top,
    };
  }

  /** Drawn at once; `null`: nothing. */
  show(view: View | null): void {
    if (view?.scene !== this.view?.scene) this.hover = { item: -1, bundle: -1 };
    this.view = view;
    this.paint();
  }

  resized(): void {
    if (!this.stage.clientWidth) return;
    this.painter.resize();
    this.paint();
  }

  private draw(): void {
    if (this.queued) return;
    this.queued = requestAnimationFrame(() => {
      this.queued = 0;
      this.paint();
    });
  }

  private paint(): void {
    const { view, hover } = this;
    if (!view || !this.stage.clientWidth) return;
    if (this.painter.width === 0) this.painter.resize();
    const { look } = view;
    this.painter.frameFor(view.scene);
    this.painter.paint(view.scene, view.replay, this.camera, {
      ...look,
      item: hover.item >= 0 ? hover.item : look.item,
      bundle: hover.bundle >= 0 ? hover.bundle : look.bundle,
    });
  }

  private hitAt(x: number, y: number): Hit {
    return hitTest(this.view!.scene, this.painter, this.camera, x, y);
  }

  private hoverAt(x: number, y: number): void {
    if (!this.view) return;
    const hit = this.hitAt(x, y);
    this.setHover(hit);
    this.showTip(hit, x, y, this.view.look.colour);
  }

  private setHover(hit: Hit): void {
    if (hit.item === this.hover.item && hit.bundle === this.hover.bundle) return;
    this.hover = hit;
    this.tip.hidden = true;
    const idle = this.gestures.transform.k > 1 ? "grab" : "default";
    this.canvas.style.cursor = hit.item >= 0 || hit.bundle >= 0 ? "pointer" : idle;
    this.draw();
  }

  private showTip(hit: Hit, x: number, y: number, colour: MapName): void {
    const { replay, scene, look, open } = this.view!;
    const lines = tipLines(replay, scene, hit, look.frame, colour, open);
    this.tip.hidden = lines.length === 0;
    replace(this.tip, ...lines.map((line, at) => el(at === 0 ? "b" : "div", {}, line)));
    const right = x > this.painter.width * 0.6;
    this.tip.style.left = right ? "" : `${x + 14}px`;
    this.tip.style.right = right ? `${this.painter.width - x + 14}px` : "";
    this.tip.style.top = `${Math.min(y + 12, this.painter.height - 70)}px`;
  }
}
