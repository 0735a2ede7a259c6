import { withUnit } from "../csv";
import { digits, metricTitle, quantity, scaleFor } from "../format";
import { distribution, mergeBuckets } from "../statistics";
import type { Store } from "../state";
import { axis, DASHES, legend, tipLine, tooltip, zoom, type Chart } from "./core";
import type { Bunch } from "./lines";
import {
  markOf,
  referenceLegend,
  referenceSeries,
  referenceTip,
  type ReferenceMark,
} from "./references";

export interface DistributionLook {
  /** Share above a value in place of the share up to it. */
  complement: boolean;
  logX: boolean;
  logY: boolean;
}

interface Item {
  seriesId: string;
  seriesName: string;
  color: string;
  value: [number, number];
}

/** Distributions: a step line for each run and label. */
export function drawDistribution(
  chart: Chart,
  store: Store,
  all: Bunch[],
  metric: string,
  labels: string[],
  look: DistributionLook,
  references: ReferenceMark[],
): void {
  const lines = all.flatMap((bunch) =>
    labels.flatMap((label, k) => {
      const buckets = mergeBuckets(
        bunch.runs.flatMap((run) =>
          run.histograms
            .filter((one) => one.metric === metric && one.label === label)
            .map((one) => one.buckets),
        ),
      );
      if (buckets.length === 0) return [];
      const points = distribution(buckets, look.complement).filter(
        ([x, y]) => (!look.logX || x > 0) && (!look.logY || y > 0),
      );
      const name = labels.length > 1 ? `${bunch.name} [${label || "all"}]` : bunch.name;
      return [{ name, label, colour: bunch.colour, dash: DASHES[k % DASHES.length]!, points }];
    }),
  );
  if (lines.length === 0) {
    return chart.showEmpty(
      all.length === 0
        ? "No run is chosen. Tick some in the table above."
        : `There is no distribution of ${metricTitle(metric)} of the chosen runs.`,
    );
  }
  const { theme } = store;
  const unit = store.report.metrics[metric]?.unit ?? "ns";
  const sorted = lines.flatMap((line) => line.points.map(([x]) => x)).sort((a, b) => a - b);
  const x = scaleFor(sorted[sorted.length >> 1] ?? 1, unit);
  const share = look.complement ? "share above" : "share up to";
  chart.show(
    {
      grid: {
        left: 52,
        right: 22,
        top: lines.length + references.length > 1 ? 62 : 34,
        bottom: 48,
      },
      legend: legend(
        theme,
        lines.map((line) => line.name),
        referenceLegend(references, theme),
      ),
      tooltip: {
        ...tooltip(theme),
        trigger: "item",
        formatter: ({ seriesId, seriesName, color, value: [at, part] }: Item) => {
          const mark = markOf(references, seriesId);
          const text =
            mark?.x !== undefined
              ? quantity(mark.x, unit)
              : `${quantity((mark?.y ?? part) * 100, "1", 4)} % ` +
                (look.complement ? "above" : "up to") +
                (mark?.y !== undefined ? "" : ` ${quantity(at, unit)}`);
          return mark ? referenceTip(mark, theme, text) : tipLine(color, seriesName, text);
        },
      },
      dataZoom: zoom(theme, false),
      xAxis: axis(theme, "x", {
        type: look.logX ? "log" : "value",
        grid: true,
        name: metricTitle(metric) + (x.unit && !look.logX ? `, ${x.unit}` : ""),
        min: ({ min }) => (look.logX ? 10 ** Math.floor(Math.log10(min)) : 0),
        format: (value) => (look.logX ? quantity(value, unit, 3) : digits(value / x.factor, 4)),
      }),
      yAxis: axis(theme, "y", {
        type: look.logY ? "log" : "value",
        name: share,
        ...(look.logY ? {} : { min: 0, max: 1 }),
        format: (value) => (look.logY && value < 0.001 ? value.toExponential(0) : digits(value, 3)),
      }),
      series: [
        ...lines.map((line) => ({
          type: "line",
          name: line.name,
          data: line.points,
          color: line.colour,
          step: "end",
          symbolSize: 7,
          showSymbol: true,
          symbol: "circle",
          itemStyle: { opacity: 0 },
          lineStyle: { width: 2, type: line.dash, opacity: 1 },
          emphasis: { focus: "series", itemStyle: { opacity: 1 } },
        })),
        ...referenceSeries(references, theme),
      ],
    },
    theme,
    `${share} of ${metricTitle(metric)}, ` +
      [...lines.map((line) => line.name), ...references.map((mark) => mark.text)].join("; "),
    () => ({
      columns: ["run", "label", withUnit(metric, unit), share],
      rows: lines.flatMap((line) => line.points.map(([x, y]) => [line.name, line.label, x, y])),
    }),
  );
}
