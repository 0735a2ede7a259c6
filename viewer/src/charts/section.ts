import type { Mark, Reference } from "../data";
import { choice, el, menu, replace, toggle } from "../dom";
import { metricTitle, splitMetric } from "../format";
import { metricsOf } from "../runs";
import type { Store } from "../state";
import { compare, comparisonKeys, defaultKey } from "./comparison";
import { drawComparison, missingText } from "./comparison_chart";
import { Chart } from "./core";
import { drawDistribution } from "./distribution_chart";
import { bunches, defaultLabels, hasReplicas } from "./lines";
import {
  alongNumbers,
  amongBars,
  marksOf,
  publishedSwitch,
  referencesFor,
  type ReferenceMark,
} from "./references";
import { drawTime } from "./time_chart";

type Form = "series" | "scalars" | "histograms";

/** One chart with its heading, its choice of metric and label, and its switches. */
abstract class Card {
  readonly element: HTMLElement;
  readonly chart: Chart;
  protected readonly controls = el("div", { class: "controls" });
  protected readonly note = el("p", { class: "note" });
  protected readonly metrics: Map<string, string[]>;

  constructor(
    protected readonly store: Store,
    title: string,
    protected readonly form: Form,
    readonly key: "series" | "scalar" | "histogram",
  ) {
    this.metrics = metricsOf(store.report.runs, form);
    this.chart = new Chart(title);
    const id = `chart-${key}`;
    this.element = el(
      "article",
      { class: `card chart ${key}`, "aria-labelledby": id },
      el("header", {}, el("h3", { id }, title), this.tools(form !== "scalars")),
      this.controls,
      this.chart.box,
      this.note,
    );
    if (this.metrics.size === 0) this.element.classList.add("without");
  }

  abstract draw(): void;

  /** Metric and label: as chosen, else as the report's figures and columns say. */
  protected current(): { metric: string; label: string } {
    const { report, state } = this.store;
    const x: Record<Form, (x: string) => boolean> = {
      series: (x) => x === "time",
      scalars: (x) => x !== "time" && x !== "distribution",
      histograms: (x) => x === "distribution",
    };
    const asked = [
      state[this.key],
      ...report.figures
        .filter((figure) => x[this.form](figure.x))
        .flatMap((figure) => figure.metrics),
      ...report.columns,
      "efficiency",
      "throughput",
      "network_latency",
      "latency",
    ];
    for (const text of asked) {
      const { metric, label } = splitMetric(text);
      const labels = this.metrics.get(metric);
      if (labels) return { metric, label: defaultLabels(labels, label)[0] ?? "" };
    }
    const [metric, labels] = [...this.metrics][0] ?? ["", []];
    return { metric, label: labels[0] ?? "" };
  }

  protected metricMenu(): HTMLElement {
    const { metric, label } = this.current();
    const options = [...this.metrics.keys()]
      .sort()
      .map((name): [string, string] => [name, metricTitle(name)]);
    const select = menu("Metric", options, metric, (value) => this.choose(value, label));
    select.title = this.store.report.metrics[metric]?.meaning ?? "";
    return select;
  }

  protected choose(metric: string, label: string): void {
    const labels = this.metrics.get(metric) ?? [];
    const kept = defaultLabels(labels, label)[0] ?? "";
    this.store.set({ [this.key]: kept ? `${metric}[${kept}]` : metric });
  }

  private tools(zoomable: boolean): HTMLElement {
    return el(
      "span",
      { class: "tools" },
      zoomable &&
        el(
          "button",
          {
            type: "button",
            title: "Show the whole range again",
            onclick: () => this.chart.resetZoom(),
          },
          "Reset zoom",
        ),
      el(
        "button",
        {
          type: "button",
          title: "Save as an SVG file",
          onclick: () => {
            const { metric, label } = this.current();
            this.chart.save(metricTitle(metric, label).replaceAll(" ", "-"));
          },
        },
        "Save",
      ),
    );
  }

  /** What is published of the metric with these labels over `x`. */
  protected published(x: string, labels: string[]): Reference[] {
    const { metric } = this.current();
    const names = labels.map((label) => (label ? `${metric}[${label}]` : metric));
    return referencesFor(this.store.report, x, names);
  }

  protected meaning(extra = ""): void {
    const known = this.store.report.metrics[this.current().metric];
    const source = known?.source ? ` (${known.source})` : "";
    replace(this.note, known ? `${known.meaning}${source}. ${extra}` : extra);
  }
}

/** Labels can be shown together, so they are switches. */
abstract class RunCard extends Card {
  protected labels: string[] = [];
  private shown = "";

  protected labelSwitches(redraw: () => void): HTMLElement | null {
    const { metric, label } = this.current();
    const all = this.metrics.get(metric) ?? [];
    if (this.shown !== `${metric}[${label}]`) {
      this.shown = `${metric}[${label}]`;
      this.labels = [label];
    }
    if (all.length < 2) return null;
    if (all.length > 8) {
      return menu(
        "Of what",
        all.map((one) => [one, one || "all"]),
        label,
        (value) => this.choose(metric, value),
      );
    }
    return el(
      "span",
      { class: "labels", role: "group", "aria-label": "Of what" },
      ...all.map((one) =>
        toggle(one || "all", this.labels.includes(one), (on) => {
          this.labels = all.filter((other) => (other === one ? on : this.labels.includes(other)));
          redraw();
        }),
      ),
    );
  }
}

export class TimeCard extends RunCard {
  private combine = true;

  constructor(store: Store) {
    super(store, "Over time", "series", "series");
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
    const seeds = hasReplicas(this.store.report.runs)
      ? toggle("Combine seeds", this.combine, (on) => {
          this.combine = on;
          this.plot();
        })
      : null;
    const switches = this.labelSwitches(() => this.plot());
    const published = publishedSwitch(this.store, this.published("time", this.labels));
    replace(this.controls, this.metricMenu(), switches, seeds, published);
    this.plot();
  }

  private plot(): void {
    const { metric } = this.current();
    const all = bunches(this.store, this.combine);
    const references = this.store.state.published
      ? marksOf(this.published("time", this.labels), alongNumbers)
      : [];
    drawTime(this.chart, this.store, all, metric, this.labels, this.marks(metric), references);
    this.showMoment();
    this.meaning("A click moves the congestion view to that time.");
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

export class DistributionCard extends RunCard {
  private look = { complement: true, logX: true, logY: true };

  constructor(store: Store) {
    super(store, "Distribution", "histograms", "histogram");
  }

  draw(): void {
    if (this.metrics.size === 0) return this.chart.showEmpty("No run recorded a distribution.");
    const kind = choice(
      "Kind",
      [
        ["ccdf", "Above"],
        ["cdf", "Up to"],
      ],
      this.look.complement ? "ccdf" : "cdf",
      (value) => {
        this.look = { ...this.look, complement: value === "ccdf", logY: value === "ccdf" };
        this.draw();
      },
    );
    const log = toggle("Log x", this.look.logX, (logX) => {
      this.look = { ...this.look, logX };
      this.plot();
    });
    replace(
      this.controls,
      this.metricMenu(),
      this.labelSwitches(() => this.plot()),
      kind,
      log,
      publishedSwitch(this.store, this.published("distribution", this.labels)),
    );
    this.plot();
  }

  private plot(): void {
    drawDistribution(
      this.chart,
      this.store,
      bunches(this.store, true),
      this.current().metric,
      this.labels,
      this.look,
      this.references(),
    );
    this.meaning();
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

export class ComparisonCard extends Card {
  private log = false;

  constructor(
    store: Store,
    private readonly visible: () => number[],
  ) {
    super(store, "Comparison", "scalars", "scalar");
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
      toggle("Log", this.log, (on) => {
        this.log = on;
        this.draw();
      }),
      publishedSwitch(this.store, published),
    );
    const data = compare(runs, metric, label, over);
    const references = marksOf(
      state.published ? published : [],
      data.numeric ? alongNumbers : amongBars(data.categories),
      (_, y) => !this.log || y > 0,
    ).filter((mark) => data.numeric || mark.x === undefined);
    drawComparison(this.chart, this.store, data, metric, label, over, this.log, references);
    const filtered =
      this.visible().length < report.runs.length
        ? "Only the runs that the table's filter lets through. "
        : "";
    this.meaning(filtered + missingText(data));
  }
}
