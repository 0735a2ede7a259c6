import type { Report } from "../data";
import { choice, el } from "../dom";
import type { Picture } from "./picture";
import type { Detail, Scene } from "./scene";

/** Why there is no picture of a run, in words; empty: there is one. */
export function whyEmpty(report: Report, index: number): string {
  const run = report.runs[index];
  if (!run) return "There are no runs in this report.";
  if (run.status === "failed") return `This run failed, so there is nothing to show: ${run.error}`;
  if (!run.links && !run.frames && run.trees.length === 0) {
    return "There are no links and no trees of this run: not recorded, or left out of a large report.";
  }
  return run.topology === null ? "The network of this run is not known." : "";
}

/** Groups or single switches; nothing for networks that are small or have no groups. */
export function detailChoice(
  { structure, aggregated }: Scene,
  changed: (detail: Detail) => void,
): HTMLElement | null {
  const { staged, pods, levels, hosts } = structure;
  if (!staged || pods <= 1 || levels <= 1 || hosts <= 64) return null;
  return choice<Detail>(
    "Detail",
    [
      ["groups", "Groups"],
      ["all", "Every switch"],
    ],
    aggregated ? "groups" : "all",
    changed,
  );
}

/** Of the first picture, which the other one follows. */
export function zoomButtons({ gestures }: Picture): HTMLElement {
  const button = (text: string, label: string, onclick: () => void) =>
    el("button", { type: "button", "aria-label": label, onclick }, text);
  return el(
    "span",
    { class: "zoom", role: "group", "aria-label": "Zoom" },
    button("+", "Zoom in", () => gestures.zoom(1.5)),
    button("−", "Zoom out", () => gestures.zoom(1 / 1.5)),
    button("Fit", "Fit the whole network", () => gestures.reset()),
  );
}
