import { el, menu, replace } from "../dom";
import { shortKey } from "../runs";
import type { Store } from "../state";
import { Card } from "./card";
import { compare, comparisonKeys, defaultKey } from "./comparison";
import { drawComparison, missingText } from "./comparison_chart";
import { seedSwitch } from "./lines";
import { alongNumbers, amongBars, marksOf, publishedSwitch } from "./references";

export class ComparisonCard extends Card {
  constructor(
    store: Store,
    private readonly visible: () => number[],
  ) {
    super(store, "Comparison", "scalars", "scalar", "comparison");
  }

  draw(): void {
    const { report, state } = this.store;
    const runs = this.visible()
      .map((index) => report.runs[index]!)
      .filter((run) => run.status === "done");
    if (this.metrics.size === 0 || runs.length === 0) {
      return this.chart.showEmpty("No finished run to compare.");
    }
    const { metric, label } = this.current();
    const labels = this.metrics.get(metric) ?? [];
    const keys = comparisonKeys(runs);
    const over = keys.includes(state.over) ? state.over : defaultKey(runs);
    const published = this.published(over, [label]);
    const data = compare(runs, metric, label, over);
    const isNumeric = data.numeric;
    const log = { x: isNumeric && this.store.isLog("scalar.x"), y: this.store.isLog("scalar.y") };
    replace(
      this.controls,
      this.metricMenu(),
      labels.length > 1 &&
        menu(
          "Of what",
          labels.map((one) => [one, one || "all"]),
          label,
          (value) => this.choose(metric, value),
        ),
      keys.length > 1 &&
        el(
          "label",
          {},
          "over ",
          menu(
            "Over",
            keys.map((key) => [key, key]),
            over,
            (value) => this.store.set({ over: value }),
          ),
        ),
      this.logSwitch("y", "Log values"),
      isNumeric && this.logSwitch("x", `Log ${shortKey(over)}`),
      seedSwitch(this.store),
      publishedSwitch(this.store, published),
    );
    const references = marksOf(
      state.published ? published : [],
      data.numeric ? alongNumbers : amongBars(data.categories),
      (x, y) => (!log.x || x > 0) && (!log.y || y > 0),
    ).filter((mark) => data.numeric || mark.x === undefined);
    drawComparison(this.chart, this.store, data, metric, label, over, log, references);
    const filtered =
      this.visible().length < report.runs.length
        ? "Only the runs that the table's filter lets through. "
        : "";
    this.meaning(filtered + missingText(data));
  }
}
