/** What the user can do with the picture. */
export interface Actions {
  hover(x: number, y: number): void;
  leave(): void;
  click(x: number, y: number): void;
  move(dx: number, dy: number): void;
  /** Around a point; around the middle without one. */
  zoom(factor: number, x?: number, y?: number): void;
  reset(): void;
  /** To another sample. */
  step(by: number): void;
  isZoomed(): boolean;
}

/** Pointer, wheel and keys on the picture. Points and distances are CSS pixels. */
export function listen(canvas: HTMLCanvasElement, actions: Actions): void {
  let drag: { x: number; y: number; moved: boolean } | null = null;
  canvas.addEventListener("pointerdown", (event) => {
    drag = { x: event.offsetX, y: event.offsetY, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (drag) {
      const [dx, dy] = [event.offsetX - drag.x, event.offsetY - drag.y];
      if (!drag.moved && Math.hypot(dx, dy) < 4) return;
      drag = { x: event.offsetX, y: event.offsetY, moved: true };
      actions.move(dx, dy);
    } else actions.hover(event.offsetX, event.offsetY);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (drag && !drag.moved) actions.click(event.offsetX, event.offsetY);
    drag = null;
  });
  canvas.addEventListener("pointerleave", () => actions.leave());
  canvas.addEventListener(
    "wheel",
    (event) => {
      // plain scrolling stays the page's; pinch and ctrl or shift zoom
      if (!event.ctrlKey && !event.shiftKey && !event.metaKey) return;
      event.preventDefault();
      const amount = event.deltaY || event.deltaX;
      actions.zoom(Math.exp(-amount * 0.002), event.offsetX, event.offsetY);
    },
    { passive: false },
  );
  canvas.addEventListener("dblclick", (event) => actions.zoom(2, event.offsetX, event.offsetY));
  canvas.addEventListener("keydown", (event) => key(event, actions));
}

function key(event: KeyboardEvent, actions: Actions): void {
  const pan: Record<string, [number, number]> = {
    ArrowLeft: [60, 0],
    ArrowRight: [-60, 0],
    ArrowUp: [0, 60],
    ArrowDown: [0, -60],
  };
  const by = pan[event.key];
  if (by && actions.isZoomed()) actions.move(...by);
  else if (event.key === "ArrowLeft") actions.step(-1);
  else if (event.key === "ArrowRight") actions.step(1);
  else if (event.key === "+" || event.key === "=") actions.zoom(1.5);
  else if (event.key === "-") actions.zoom(1 / 1.5);
  else if (event.key === "0") actions.reset();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
