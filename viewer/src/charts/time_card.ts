import type { Mark } from "../data";
import { replace } from "../dom";
import { splitMetric } from "../format";
import type { Store } from "../state";
import { RunCard } from "./card";
import { bunches, seedNote, seedSwitch } from "./lines";
import { alongNumbers, marksOf, publishedSwitch } from "./references";
import { drawTime } from "./time_chart";

export class TimeCard extends RunCard {
  constructor(store: Store) {
    super(store, "Over time", "series", "series", "over-time");
    this.chart.onPick = (ns) => store.set({ time: ns });
    store.subscribe((changed) => {
      if (changed.has("time") || changed.has("focus")) this.showMoment();
    });
  }

  /** Marks the moment that the congestion view shows. */
  private showMoment(): void {
    const { report, state } = this.store;
    const run = report.runs[state.focus];
    this.chart.setCursor(run?.frames || run?.trees.length ? state.time : null);
  }

  draw(): void {
    if (this.metrics.size === 0) {
      return this.chart.showEmpty("No run recorded a series over time.");
    }
    const switches = this.labelSwitches(() => this.plot());
    const published = publishedSwitch(this.store, this.published("time", this.labels));
    replace(
      this.controls,
      this.metricMenu(),
      switches,
      this.logSwitch("y", "Log values"),
      this.logSwitch("x", "Log time"),
      seedSwitch(this.store),
      published,
    );
    this.plot();
  }

  private plot(): void {
    const { metric } = this.current();
    const all = bunches(this.store, !this.store.state.single);
    const log = { x: this.store.isLog("series.x"), y: this.store.isLog("series.y") };
    const references = marksOf(
      this.store.state.published ? this.published("time", this.labels) : [],
      alongNumbers,
      (x, y) => (!log.x || x > 0) && (!log.y || y > 0),
    );
    const area = this.marks(metric);
    drawTime(this.chart, this.store, all, metric, this.labels, area, references, log);
    this.showMoment();
    this.meaning(
      seedNote(all, ": their mean, with its 95 % interval") +
        "A click moves the congestion view to that time.",
    );
  }

  /** Of the figure that shows this metric, else of the runs where they agree. */
  private marks(metric: string): Mark[] {
    const { report, state } = this.store;
    const figure = report.figures.find(
      (one) =>
        one.shade &&
        one.x === "time" &&
        one.metrics.some((text) => splitMetric(text).metric === metric),
    );
    if (figure?.shade) {
      return [{ from_ns: figure.shade[0], to_ns: figure.shade[1], label: figure.shade_label }];
    }
    const lists = state.chosen.map((index) => JSON.stringify(report.runs[index]?.marks ?? []));
    return new Set(lists).size === 1 ? (JSON.parse(lists[0]!) as Mark[]) : [];
  }
}
