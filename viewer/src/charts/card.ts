import type { Reference } from "../data";
import { el, menu, replace, toggle } from "../dom";
import { metricTitle, splitMetric } from "../format";
import { isComparison, metricName, metricsOf } from "../runs";
import { withLog, type Store } from "../state";
import { Chart } from "./core";
import { defaultLabels } from "./lines";
import { referencesFor } from "./references";

type Form = "series" | "scalars" | "histograms";

/** One chart with its heading, its choice of metric and label, and its switches. */
export abstract class Card {
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
    private readonly fileEnding: string,
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
      scalars: (x) => isComparison(report, x),
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
      ...this.chart.saveButtons(() => {
        const { metric, label } = this.current();
        return `${metricName(metric, label)}-${this.fileEnding}`;
      }),
    );
  }

  /** A switch for a logarithmic axis. */
  protected logSwitch(axis: "x" | "y", text: string): HTMLElement {
    const name = `${this.key}.${axis}`;
    return toggle(text, this.store.isLog(name), (on) =>
      this.store.set({ log: withLog(this.store.state.log, name, on) }),
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
export abstract class RunCard extends Card {
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
