import { choice, replace } from "../dom";
import { withLog, type Store } from "../state";
import { RunCard } from "./card";
import { drawDistribution, type DistributionLook } from "./distribution_chart";
import { bunches, seedNote, seedSwitch } from "./lines";
import { alongNumbers, marksOf, publishedSwitch, type ReferenceMark } from "./references";

export class DistributionCard extends RunCard {
  private complement = true;

  constructor(store: Store) {
    super(store, "Distribution", "histograms", "histogram", "distribution");
  }

  draw(): void {
    if (this.metrics.size === 0) return this.chart.showEmpty("No run recorded a distribution.");
    const kind = choice(
      "Kind",
      [
        ["ccdf", "Above"],
        ["cdf", "Up to"],
      ],
      this.complement ? "ccdf" : "cdf",
      (value) => {
        this.complement = value === "ccdf";
        const log = withLog(this.store.state.log, "histogram.y", this.complement);
        if (log === this.store.state.log) this.draw();
        else this.store.set({ log });
      },
    );
    replace(
      this.controls,
      this.metricMenu(),
      this.labelSwitches(() => this.plot()),
      kind,
      this.logSwitch("x", "Log x"),
      this.logSwitch("y", "Log y"),
      seedSwitch(this.store),
      publishedSwitch(this.store, this.published("distribution", this.labels)),
    );
    this.plot();
  }

  private plot(): void {
    const all = bunches(this.store, !this.store.state.single);
    drawDistribution(
      this.chart,
      this.store,
      all,
      this.current().metric,
      this.labels,
      this.look,
      this.references(),
    );
    this.meaning(seedNote(all, " together"));
  }

  private get look(): DistributionLook {
    const { store, complement } = this;
    return { complement, logX: store.isLog("histogram.x"), logY: store.isLog("histogram.y") };
  }

  /** Shares above become shares up to, and the other way round. */
  private references(): ReferenceMark[] {
    if (!this.store.state.published) return [];
    const { complement, logX, logY } = this.look;
    const turned = this.published("distribution", this.labels).map((one) => {
      const share = (y: number) => ((one.above ?? false) === complement ? y : 1 - y);
      return {
        ...one,
        ...(one.y === undefined ? {} : { y: share(one.y) }),
        ...(one.points
          ? { points: one.points.map(([x, y]): [number | string, number] => [x, share(y)]) }
          : {}),
      };
    });
    return marksOf(turned, alongNumbers, (x, y) => (!logX || x > 0) && (!logY || y > 0));
  }
}
