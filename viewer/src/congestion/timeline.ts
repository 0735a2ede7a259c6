import { el, reducedMotion, replace, svg } from "../dom";
import { fixed, scaleFor, time, timeOn } from "../format";
import type { Replay } from "./replay";

/** Width of the slider's thumb, which keeps its middle half of it away from both ends. */
const THUMB = 16;

/** Slider over the samples of a run, with what happened drawn behind it, and a player. */
export class Timeline {
  readonly element: HTMLElement;
  readonly slider: HTMLInputElement;
  private readonly plot = svg("svg", {
    class: "timeline-plot",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  private readonly labels = el("div", { class: "timeline-labels", "aria-hidden": "true" });
  private readonly playButton = el("button", {
    type: "button",
    class: "play",
    title: "Play (space)",
    "aria-label": "Play",
    onclick: () => this.togglePlay(),
  });
  private readonly clock = el("output", { class: "clock", "aria-live": "off" });
  private replay: Replay | null = null;
  private frame = -1;
  private timer = 0;
  private speed = 1;
  private most = 0;
  private beside: Replay | null = null;

  constructor(private readonly changed: (frame: number) => void) {
    this.slider = el("input", {
      type: "range",
      min: 0,
      max: 0,
      step: 1,
      value: 0,
      "aria-label": "Simulated time",
      oninput: () => this.moved(),
    });
    this.slider.addEventListener("keydown", (event) => this.key(event));
    const step = (by: number, text: string, name: string) =>
      el(
        "button",
        {
          type: "button",
          class: "step",
          "aria-label": name,
          title: name,
          onclick: () => this.step(by),
        },
        text,
      );
    const speeds = el(
      "select",
      {
        "aria-label": "Speed",
        title: "Speed",
        onchange: () => (this.speed = Number(speeds.value)),
      },
      ...[0.25, 0.5, 1, 2, 4].map((value) => {
        const option = el("option", { value }, `${value}×`);
        option.selected = value === 1;
        return option;
      }),
    );
    this.element = el(
      "div",
      { class: "timeline" },
      el(
        "div",
        { class: "player" },
        step(-1, "‹", "One sample back"),
        this.playButton,
        step(1, "›", "One sample on"),
        this.clock,
        speeds,
      ),
      el("div", { class: "track" }, this.plot, this.slider, this.labels),
    );
    this.showPlaying();
  }

  get playing(): boolean {
    return this.timer !== 0;
  }

  /**
   * `most`: ports in trees that fill the height, the same for runs to be compared. `beside`: a run
   * that is shown at the same instants, as a line.
   */
  show(replay: Replay, most: number, beside: Replay | null): void {
    this.most = most;
    this.beside = beside;
    if (replay !== this.replay) this.stop();
    this.replay = replay;
    this.slider.max = String(Math.max(0, replay.times.length - 1));
    this.element.hidden = replay.times.length === 0;
    this.draw();
  }

  /** Sample shown from outside; -1: none. */
  setFrame(frame: number): void {
    this.frame = frame;
    if (frame >= 0) this.slider.value = String(frame);
    this.slider.classList.toggle("off", frame < 0);
    this.slider.setAttribute("aria-valuetext", this.replay?.describe(frame) ?? "");
    this.clock.textContent = frame < 0 ? "whole run" : this.clockText(frame);
  }

  step(by: number): void {
    const last = (this.replay?.times.length ?? 0) - 1;
    if (last < 0) return;
    const from = this.frame < 0 ? Number(this.slider.value) : this.frame;
    this.changed(Math.min(last, Math.max(0, from + by)));
  }

  togglePlay(): void {
    if (this.playing) this.stop();
    else this.play();
  }

  play(): void {
    if (!this.replay || this.replay.times.length < 2) return;
    const last = this.replay.times.length - 1;
    if (this.frame < 0 || this.frame >= last) this.changed(0);
    // the whole run in about ten seconds, never faster than the eye follows
    const base = Math.min(400, Math.max(reducedMotion() ? 250 : 80, 10_000 / (last + 1)));
    let due = performance.now() + base / this.speed;
    const tick = (now: number) => {
      if (now >= due) {
        due = now + base / this.speed;
        if (this.frame >= last) return this.stop();
        this.changed(this.frame + 1);
      }
      this.timer = requestAnimationFrame(tick);
    };
    this.timer = requestAnimationFrame(tick);
    this.showPlaying();
  }

  stop(): void {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    this.showPlaying();
  }

  private moved(): void {
    this.stop();
    this.changed(Number(this.slider.value));
  }

  private key(event: KeyboardEvent): void {
    if (event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    this.togglePlay();
  }

  private clockText(frame: number): string {
    const times = this.replay!.times;
    const scale = scaleFor(times[times.length - 1]!, "ns");
    const step = times.length > 1 ? (times[1]! - times[0]!) / scale.factor : 1;
    const decimals = Math.min(6, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
    return timeOn(times[frame]!, scale, decimals);
  }

  private showPlaying(): void {
    this.playButton.textContent = this.playing ? "❚❚" : "▶";
    this.playButton.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.playButton.title = this.playing ? "Pause (space)" : "Play (space)";
  }

  /** Ports in trees over time, and the marked intervals. */
  private draw(): void {
    const { times, run } = this.replay!;
    replace(this.plot);
    replace(this.labels);
    if (times.length < 2) return;
    const width = 1000;
    const height = 40;
    this.plot.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.plot.style.left = this.plot.style.right = `${THUMB / 2}px`;
    this.plot.style.width = `calc(100% - ${THUMB}px)`;
    const first = times[0]!;
    const span = times[times.length - 1]! - first;
    const at = (ns: number) => Math.min(1, Math.max(0, (ns - first) / span));
    for (const mark of run.marks) {
      const [from, to] = [at(mark.from_ns), at(mark.to_ns)];
      this.plot.append(
        svg("rect", { class: "mark", x: from * width, y: 0, width: (to - from) * width, height }),
      );
      this.label(from, `${mark.label} on`, "mark-label");
    }
    const sizes = times.map((_, frame) => this.replay!.portsInTrees(frame));
    const own = Math.max(0, ...sizes);
    const others = this.beside?.times.map((_, frame) => this.beside!.portsInTrees(frame)) ?? [];
    const most = Math.max(own, this.most, ...others);
    const along = (values: number[], moments: number[]) =>
      values.map(
        (size, frame) =>
          `${(at(moments[frame]!) * width).toFixed(1)},${(height - 2 - (size / most) * (height - 8)).toFixed(1)}`,
      );
    if (others.some((size) => size > 0)) {
      const points = along(others, this.beside!.times).join(" ");
      this.plot.append(svg("polyline", { class: "beside", points }));
    }
    if (own > 0) {
      const points = along(sizes, times);
      this.plot.append(
        svg("path", {
          class: "area",
          d: `M0,${height} L${points.join(" L")} L${width},${height} Z`,
        }),
      );
      this.label(0.5, `ports in congestion trees, at most ${fixed(own, 0)}`, "peak-label");
    }
    this.label(0, time(first), "start");
    this.label(1, time(times[times.length - 1]!), "end");
  }

  private label(at: number, text: string, kind: string): void {
    const side = at > 0.8 ? "right" : "left";
    const value = side === "left" ? at : 1 - at;
    this.labels.append(
      el(
        "span",
        {
          class: kind,
          style: `${side}:calc(${THUMB / 2}px + ${value.toFixed(4)} * (100% - ${THUMB}px))`,
        },
        text,
      ),
    );
  }
}
