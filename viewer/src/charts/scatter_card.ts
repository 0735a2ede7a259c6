import { el, menu, replace, toggle } from "../dom";
import { metricTitle, splitMetric } from "../format";
import { metricName, scalarNames, tableColumns } from "../runs";
import { withLog, type Store } from "../state";
import { Chart } from "./core";
import { seedSwitch } from "./lines";
import { paretoFront } from "./pareto";
import { alongNumbers, marksOf, publishedSwitch, referencesFor } from "./references";
import { directionOf, firstAxes, scatterLines, scatterPoints } from "./scatter";
import { drawScatter } from "./scatter_chart";

/** Any two metrics against each other, as help against cost: a point for each setting. */
export class ScatterCard {
  readonly element: HTMLElement;
  readonly chart = new Chart("Two metrics");
  private readonly controls = el("div", { class: "controls" });
  private readonly note = el("p", { class: "note" });
  private readonly names: string[];
  private readonly first: { across: string; up: string };

  constructor(
    private readonly store: Store,
    private readonly visible: () => number[],
  ) {
    this.names = scalarNames(store.report.runs);
    this.first = firstAxes(store.report);
    this.element = el(
      "article",
      { class: "card chart scatter", "aria-labelledby": "chart-scatter" },
      el(
        "header",
        {},
        el("h3", { id: "chart-scatter" }, "Two metrics"),
        el(
          "span",
          { class: "tools" },
          ...this.chart.saveButtons(() => `${this.axes.up}-against-${this.axes.across}`),
        ),
      ),
      this.controls,
      this.chart.box,
      this.note,
    );
    if (this.names.length === 0) this.element.classList.add("without");
  }

  private get axes(): { across: string; up: string } {
    const { across, up } = this.store.state;
    const known = (name: string, other: string) => (this.names.includes(name) ? name : other);
    return { across: known(across, this.first.across), up: known(up, this.first.up) };
  }

  draw(): void {
    const { store } = this;
    const { report, names, state } = store;
    const runs = this.visible().filter((index) => report.runs[index]!.status === "done");
    if (this.names.length === 0 || runs.length === 0) {
      return this.chart.showEmpty("No finished run to compare.");
    }
    const { across, up } = this.axes;
    const [betterX, betterY] = [across, up].map((name) => directionOf(report, name));
    const hasFront = Boolean(betterX && betterY);
    const front = toggle("Pareto front", state.front && hasFront, (on) => store.set({ front: on }));
    front.title = hasFront
      ? "Mark what no other point beats in both"
      : "One of the two has no better direction";
    if (!hasFront) front.setAttribute("disabled", "");
    const published = referencesFor(report, across, [up]);
    replace(
      this.controls,
      this.axisMenu("Up", up, (value) => store.set({ up: value })),
      el("span", { class: "against" }, "against"),
      this.axisMenu("Across", across, (value) => store.set({ across: value })),
      front,
      this.logSwitch("y", "Log up"),
      this.logSwitch("x", "Log across"),
      seedSwitch(store),
      publishedSwitch(store, published),
    );
    const log = { x: store.isLog("scatter.x"), y: store.isLog("scatter.y") };
    const points = scatterPoints(report, names, runs, across, up, state.single).filter(
      ({ x, y }) => (!log.x || x > 0) && (!log.y || y > 0),
    );
    if (points.length === 0) {
      replace(this.note);
      return this.chart.showEmpty("No finished run has both numbers.");
    }
    const best = state.front && hasFront ? paretoFront(points, betterX!, betterY!) : [];
    const lines = state.single ? [] : scatterLines(report, points);
    const references = marksOf(
      state.published ? published : [],
      alongNumbers,
      (x, y) => (!log.x || x > 0) && (!log.y || y > 0),
    );
    drawScatter(this.chart, store, points, across, up, log, best, lines, references);
    const left = runs.length - points.reduce((sum, point) => sum + point.runs.length, 0);
    const words = [
      hasFront &&
        `Better: ${betterX === "higher" ? "right" : "left"} and ${betterY === "higher" ? "up" : "down"}.`,
      best.length > 0 && `Nothing beats ${best.map((at) => points[at]!.name).join("; ")}.`,
      left > 0 && `${left} of ${runs.length} runs lack one of the numbers.`,
    ];
    replace(this.note, words.filter(Boolean).join(" "));
  }

  private axisMenu(label: string, current: string, changed: (value: string) => void): HTMLElement {
    const { report } = this.store;
    const columns = tableColumns(report).map((one) => metricName(one.metric, one.label));
    const others = this.names.filter((name) => !columns.includes(name));
    const option =
      (group: string) =>
      (name: string): [string, string, string] => {
        const { metric, label } = splitMetric(name);
        return [name, metricTitle(metric, label), group];
      };
    const select = menu(
      label,
      [...columns.map(option("In the table")), ...others.map(option("All"))],
      current,
      changed,
    );
    select.title = report.metrics[splitMetric(current).metric]?.meaning ?? "";
    return select;
  }

  private logSwitch(axis: "x" | "y", text: string): HTMLElement {
    const name = `scatter.${axis}`;
    return toggle(text, this.store.isLog(name), (on) =>
      this.store.set({ log: withLog(this.store.state.log, name, on) }),
    );
  }
}
