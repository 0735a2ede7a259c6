import { select } from "d3-selection";
import { zoom, zoomIdentity, zoomTransform, type ZoomTransform } from "d3-zoom";
import { reducedMotion } from "../dom";

/** What the user can do with the picture. */
export interface Actions {
  hover(x: number, y: number): void;
  leave(): void;
  click(x: number, y: number): void;
  /** Zoom or position is another one now. */
  zoomed(): void;
  /** To another sample. */
  step(by: number): void;
}

const MOST = 40;

/** Pointer, fingers, wheel and keys on the picture. Points and distances are CSS pixels. */
export class Gestures {
  private readonly behaviour = zoom<HTMLCanvasElement, unknown>();
  private readonly selection;
  private isTold = true;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly actions: Actions,
  ) {
    this.selection = select<HTMLCanvasElement, unknown>(canvas);
    this.behaviour
      .scaleExtent([1, MOST])
      .clickDistance(4)
      .duration(reducedMotion() ? 0 : 200)
      .filter((event: Event) => this.isOurs(event))
      .wheelDelta((event) => -(event.deltaY || event.deltaX) * 0.003)
      // the picture always fills the canvas
      .constrain((transform, [[left, top], [right, bottom]]) => {
        const within = (value: number, size: number) =>
          Math.min(0, Math.max(size * (1 - transform.k), value));
        return zoomIdentity
          .translate(within(transform.x, right - left), within(transform.y, bottom - top))
          .scale(transform.k);
      })
      .on("zoom", ({ transform }: { transform: ZoomTransform }) => {
        // one finger scrolls the page while everything is in sight
        canvas.style.touchAction = transform.k > 1 ? "none" : "";
        if (this.isTold) actions.zoomed();
      });
    this.selection.call(this.behaviour);
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons === 0 && event.pointerType !== "touch")
        actions.hover(event.offsetX, event.offsetY);
    });
    canvas.addEventListener("pointerleave", () => actions.leave());
    canvas.addEventListener("click", (event) => actions.click(event.offsetX, event.offsetY));
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  get transform(): ZoomTransform {
    return zoomTransform(this.canvas);
  }

  /** The same part as another picture; nobody is told. */
  follow(transform: ZoomTransform): void {
    this.isTold = false;
    this.selection.call(this.behaviour.transform, transform);
    this.isTold = true;
  }

  /** Around the middle. */
  zoom(factor: number): void {
    this.selection.call(this.behaviour.scaleBy, factor);
  }

  reset(): void {
    this.selection.call(this.behaviour.transform, zoomIdentity);
  }

  /** Plain scrolling stays the page's; pinch and ctrl or shift zoom. */
  private isOurs(event: Event): boolean {
    if (event instanceof WheelEvent) return event.ctrlKey || event.shiftKey || event.metaKey;
    if (window.TouchEvent && event instanceof TouchEvent)
      return event.touches.length > 1 || this.transform.k > 1;
    return !(event instanceof MouseEvent) || (event.button === 0 && !event.ctrlKey);
  }

  private key(event: KeyboardEvent): void {
    const { k } = this.transform;
    const pan: Record<string, [number, number]> = {
      ArrowLeft: [60, 0],
      ArrowRight: [-60, 0],
      ArrowUp: [0, 60],
      ArrowDown: [0, -60],
    };
    const by = pan[event.key];
    if (by && k > 1) this.selection.call(this.behaviour.translateBy, by[0] / k, by[1] / k);
    else if (event.key === "ArrowLeft") this.actions.step(-1);
    else if (event.key === "ArrowRight") this.actions.step(1);
    else if (event.key === "+" || event.key === "=") this.zoom(1.5);
    else if (event.key === "-") this.zoom(1 / 1.5);
    else if (event.key === "0") this.reset();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
