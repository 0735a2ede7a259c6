import { axis, FONT, inks, legend, tipLine, tooltip, Chart } from "../charts/core";
import { roundRange } from "../charts/round_steps";
import type { Agreement, RankCorrelation } from "../data";
import { el, menu, replace, toggle } from "../dom";
import { digits, fixed, plural } from "../format";
import { category } from "../palette";
import { SideScroll } from "../side_scroll";
import { withLog, type Store } from "../state";
import { apart, measuredLinks, type MeasuredLink } from "./links";

const SHORT = 15;

interface Item {
  seriesIndex: number;
  dataIndex: number;
}

/** Counters of the real fabric beside what the same links did in a run. */
export class MeasuredView {
  readonly element: HTMLElement;
  readonly chart = new Chart("Waiting of links, measured and simulated");
  private readonly controls = el("div", { class: "controls" });
  private readonly agreement = el("p", { class: "agreement" });
  private readonly notes = el("div", { class: "note" });
  private readonly head = el("tr");
  private readonly body = el("tbody");
  private readonly rest = el("button", {
    type: "button",
    class: "more",
    onclick: () => {
      this.isLong = !this.isLong;
      this.draw();
    },
  });
  /** Indices of runs on a fabric with counters. */
  private readonly runs: number[];
  private shown: number;
  private isLong = false;

  constructor(private readonly store: Store) {
    const { runs, topologies } = store.report;
    this.runs = runs.flatMap((run, index) =>
      measuredLinks(run, topologies[run.topology ?? -1]) ? [index] : [],
    );
    this.shown = this.runs.find((index) => store.state.chosen.includes(index)) ?? this.runs[0] ?? 0;
    const id = "measured-links";
    this.element = el(
      "article",
      { class: "card chart measured", "aria-labelledby": id },
      el(
        "header",
        {},
        el("h3", { id }, "Waiting of links, measured and simulated"),
        el("span", { class: "tools" }, ...this.chart.saveButtons(() => "measured-links")),
      ),
      this.controls,
      this.agreement,
      this.chart.box,
      this.notes,
      new SideScroll(
        "Links by how far their ranks are apart",
        el("table", {}, el("thead", {}, this.head), this.body),
      ).element,
      this.rest,
    );
  }

  get isEmpty(): boolean {
    return this.runs.length === 0;
  }

  draw(): void {
    if (this.isEmpty) return;
    const { report } = this.store;
    const run = report.runs[this.shown]!;
    const topology = report.topologies[run.topology!]!;
    const { links, isWaitTime } = measuredLinks(run, topology)!;
    const share = isWaitTime ? "share of time" : "share of all waiting";
    const isLog = this.store.isLog("measured");
    replace(
      this.controls,
      this.runs.length > 1 &&
        menu(
          "Run",
          this.runs.map((index) => [String(index), this.store.names[index]!]),
          String(this.shown),
          (value) => {
            this.shown = Number(value);
            this.draw();
          },
        ),
      toggle("Log axes", isLog, (on) =>
        this.store.set({ log: withLog(this.store.state.log, "measured", on) }),
      ),
    );
    replace(this.agreement, run.agreement ? told(run.agreement) : "");
    const { after, before } = topology.measured!;
    replace(
      this.notes,
      el(
        "p",
        {},
        `Counters of ${after}${before ? `, less those of ${before}` : ""}. PortXmitWait counts ` +
          "ticks in which a port had data to send and sent none, for want of credit or of its " +
          "turn; how long a tick is, the device decides.",
      ),
      ...(run.agreement?.notes ?? []).map((note) => el("p", {}, note)),
    );
    this.drawChart(links, share, isLog);
    this.drawTable(links, share);
  }

  private drawChart(links: MeasuredLink[], share: string, isLog: boolean): void {
    const { theme } = this.store;
    const ink = inks(theme);
    const points = links.flatMap((link) => {
      const { measured, simulated } = link.wait;
      if (measured === null || simulated === null) return [];
      return isLog && (measured <= 0 || simulated <= 0) ? [] : [{ link, measured, simulated }];
    });
    if (points.length === 0) {
      return this.chart.showEmpty(
        isLog ? "No link waited on both sides." : "No link has a counter of waiting.",
      );
    }
    const groups = [...new Set(points.map(({ link }) => link.group))];
    const series = groups.map((group) => points.filter(({ link }) => link.group === group));
    const named = new Set(
      [...points]
        .sort((a, b) => (apart(b.link) ?? 0) - (apart(a.link) ?? 0))
        .slice(0, 5)
        .map(({ link }) => link.name),
    );
    const range = (values: number[]) => (isLog ? {} : roundRange([0, Math.max(...values, 0) || 1]));
    const scale = (side: "x" | "y", name: string, values: number[]) => ({
      ...axis(theme, side, {
        type: isLog ? "log" : "value",
        grid: true,
        name,
        format: (value) => digits(value, 3),
      }),
      ...range(values),
    });
    this.chart.show(
      {
        grid: { left: 58, right: 30, top: groups.length > 1 ? 62 : 38, bottom: 48 },
        legend: legend(theme, groups),
        tooltip: {
          ...tooltip(theme),
          trigger: "item",
          formatter: ({ seriesIndex, dataIndex }: Item) => {
            const { link } = series[seriesIndex]![dataIndex]!;
            return (
              tipLine(category(seriesIndex, theme), link.name, link.group) +
              tipLine("transparent", `measured, ${share}`, number(link.wait.measured)) +
              tipLine("transparent", `simulated, ${share}`, number(link.wait.simulated)) +
              tipLine(
                "transparent",
                "ranks",
                `${number(link.rank.measured)}, ${number(link.rank.simulated)}`,
              )
            );
          },
        },
        xAxis: scale(
          "x",
          `measured XmitWait, ${share}`,
          points.map(({ measured }) => measured),
        ),
        yAxis: scale(
          "y",
          `simulated waiting, ${share}`,
          points.map(({ simulated }) => simulated),
        ),
        series: series.map((of, at) => ({
          type: "scatter",
          name: groups[at],
          symbolSize: 8,
          color: category(at, theme),
          itemStyle: { opacity: 0.8 },
          labelLayout: { hideOverlap: true },
          data: of.map(({ link, measured, simulated }) => ({
            value: [measured, simulated],
            label: {
              show: named.has(link.name),
              formatter: () => link.name,
              position: "right",
              color: ink.text,
              fontFamily: FONT,
              fontSize: 11.5,
              textBorderColor: ink.paper,
              textBorderWidth: 3,
            },
          })),
        })),
      },
      theme,
      `${plural(points.length, "link")}, simulated against measured waiting.`,
      () => ({
        columns: [
          "link",
          "group",
          "XmitWait (ticks)",
          `measured wait (${share})`,
          `simulated wait (${share})`,
          "measured rank",
          "simulated rank",
          "measured data (share)",
          "simulated data (share)",
        ],
        rows: links.map((link) => [
          link.name,
          link.group,
          link.ticks,
          link.wait.measured,
          link.wait.simulated,
          link.rank.measured,
          link.rank.simulated,
          link.sent.measured,
          link.sent.simulated,
        ]),
      }),
    );
  }

  private drawTable(links: MeasuredLink[], share: string): void {
    const ordered = [...links].sort(
      (a, b) => (apart(b) ?? -1) - (apart(a) ?? -1) || (b.ticks ?? -1) - (a.ticks ?? -1),
    );
    replace(
      this.head,
      ...[
        "link",
        "group",
        "XmitWait",
        `waited (${share})`,
        "simulated",
        "rank",
        "simulated",
        "apart",
        "sent (share of all)",
        "simulated",
      ].map((title, at) => el("th", { scope: "col", class: at > 1 ? "number" : null }, title)),
    );
    replace(
      this.body,
      ...ordered
        .slice(0, this.isLong ? undefined : SHORT)
        .map((link) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, link.name),
            el("td", {}, link.group),
            ...[
              link.ticks,
              link.wait.measured,
              link.wait.simulated,
              link.rank.measured,
              link.rank.simulated,
              apart(link),
              link.sent.measured,
              link.sent.simulated,
            ].map((value) => el("td", { class: "number" }, number(value))),
          ),
        ),
    );
    this.rest.hidden = ordered.length <= SHORT;
    this.rest.textContent = this.isLong ? "Fewer" : `All ${fixed(ordered.length, 0)} links`;
  }
}

function number(value: number | null): string {
  return value === null ? "–" : digits(value, 4);
}

function told({ wait, sent }: Agreement): string {
  const one = (what: string, { spearman, links }: RankCorrelation) =>
    spearman === null
      ? `${what}: no rank correlation of ${plural(links, "link")}`
      : `${what}: rank correlation (Spearman) ${spearman.toFixed(3)} over ${plural(links, "link")}`;
  return `${one("Waiting", wait)}. ${one("Data sent", sent)}.`;
}
