import type { CongestionView } from "./congestion/view";
import { el } from "./dom";
import type { Store } from "./state";
import type { RunTable } from "./table";

const KEYS: [string, string][] = [
  ["space", "play or pause the congestion view"],
  ["← →", "a sample back or on (on the slider and the picture)"],
  [", .", "a sample back or on (anywhere)"],
  ["w", "colour links by waiting or by load"],
  ["t", "congestion trees on or off"],
  ["n p", "next or previous run in the congestion view"],
  ["b", "a second run beside it, at the same instant, or none"],
  ["+ − 0", "zoom the picture in, out, back (when it has the focus)"],
  ["/", "filter the table"],
  ["d", "dark or light"],
  ["?", "this list"],
];

interface Parts {
  table: RunTable;
  congestion: CongestionView;
  theme: { flip(): void };
}

/** Keys that work anywhere on the page, and their list. */
export class Shortcuts {
  readonly dialog = el(
    "dialog",
    { class: "shortcuts", "aria-labelledby": "shortcuts-title" },
    el("h2", { id: "shortcuts-title" }, "Keys"),
    el(
      "dl",
      {},
      ...KEYS.flatMap(([keys, text]) => [
        el("dt", {}, ...keys.split(" ").map((key) => el("kbd", {}, key))),
        el("dd", {}, text),
      ]),
    ),
    el(
      "p",
      { class: "empty" },
      "In charts and in the picture, the wheel zooms with ctrl held, and dragging moves. " +
        "On a touch screen two fingers zoom the picture.",
    ),
    el("form", { method: "dialog" }, el("button", {}, "Close")),
  );
  readonly button = el(
    "button",
    {
      type: "button",
      class: "icon",
      title: "Keys (?)",
      "aria-label": "Keyboard shortcuts",
      onclick: () => this.dialog.showModal(),
    },
    "?",
  );

  constructor(
    private readonly store: Store,
    private readonly parts: Parts,
  ) {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || this.dialog.open) return;
      const target = event.target as HTMLElement;
      if (target.matches("input:not([type=range]):not([type=checkbox]),textarea")) return;
      if (event.key === " " && target.matches("button,select,summary,a,input")) return;
      if (target.matches("select")) return;
      if (this.act(event.key)) event.preventDefault();
    });
  }

  private act(key: string): boolean {
    const { state, report } = this.store;
    const { timeline } = this.parts.congestion;
    const actions: Record<string, () => void> = {
      " ": () => timeline.togglePlay(),
      ",": () => timeline.step(-1),
      ".": () => timeline.step(1),
      w: () => this.store.set({ colour: state.colour === "wait" ? "utilization" : "wait" }),
      t: () => this.store.set({ trees: !state.trees }),
      n: () => this.store.set({ focus: Math.min(report.runs.length - 1, state.focus + 1) }),
      p: () => this.store.set({ focus: Math.max(0, state.focus - 1) }),
      b: () => this.parts.congestion.toggleBeside(),
      "/": () => this.parts.table.focusFilter(),
      d: () => this.parts.theme.flip(),
      "?": () => this.dialog.showModal(),
    };
    const action = actions[key];
    action?.();
    return Boolean(action);
  }
}
