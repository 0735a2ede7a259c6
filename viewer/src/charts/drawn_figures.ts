import type { DrawnFigure, DrawnLine, DrawnPanel, Ticks } from "../data";
import type { Sheet } from "../csv";
import { el, replace, svg } from "../dom";
import { digits } from "../format";
import { category, type Theme } from "../palette";
import type { Store } from "../state";
import { axis, Chart, inks, tipLine, tooltip } from "./core";
import { drawnPoints } from "./drawn_points";
import {
  headroom,
  markOf,
  OUTLINES,
  publishedSwitch,
  referenceIcon,
  referenceSeries,
  referenceTip,
  type ReferenceMark,
  type Side,
} from "./references";
import { roundRange } from "./round_steps";
import { errorBars } from "./whiskers";

/** The experiment's own figures, where no other chart shows them. */
export class DrawnFigures {
  readonly element = el("div", { class: "drawn" });
  private readonly cards: FigureCard[];

  constructor(store: Store) {
    this.cards = (store.report.drawn ?? []).map(
      (figure) => new FigureCard(store, shownOnAxes(figure)),
    );
    replace(this.element, ...this.cards.map((card) => card.element));
  }

  get isEmpty(): boolean {
    return this.cards.length === 0;
  }

  /** Of all figures, panel by panel. */
  get charts(): Chart[] {
    return this.cards.flatMap((card) => card.charts);
  }

  draw(): void {
    for (const card of this.cards) card.draw();
  }
}

class FigureCard {
  readonly element: HTMLElement;
  readonly charts: Chart[];
  private readonly controls = el("div", { class: "controls" });
  private readonly keys = el("ul", { class: "figure-keys" });

  constructor(
    private readonly store: Store,
    private readonly figure: DrawnFigure,
  ) {
    const title = figure.title || figure.name;
    this.charts = figure.panels.map(
      (panel) => new Chart([title, panel.title].filter(Boolean).join(", ")),
    );
    this.element = el(
      "article",
      { class: "card chart", "aria-label": title },
      el("header", {}, el("h3", {}, title), this.controls),
      this.keys,
      el(
        "div",
        { class: figure.panels.length > 1 ? "panels" : "" },
        ...figure.panels.map((panel, k) =>
          el(
            "div",
            {},
            el(
              "div",
              { class: "panel-head" },
              panel.title ? el("h4", {}, panel.title) : null,
              el(
                "span",
                { class: "tools" },
                ...this.charts[k]!.saveButtons(() =>
                  [figure.name, panel.title].filter(Boolean).join("-"),
                ),
              ),
            ),
            this.charts[k]!.box,
          ),
        ),
      ),
    );
  }

  draw(): void {
    const { store, figure } = this;
    const references = figure.panels.flatMap((panel) => panel.references);
    replace(this.controls, publishedSwitch(store, references));
    replace(this.keys, ...keysOf(figure, store.theme, store.state.published));
    figure.panels.forEach((panel, k) => {
      const marks = store.state.published ? marksOf(figure, panel, store.theme) : [];
      const chart = this.charts[k]!;
      const text = [...panel.lines.map((line) => line.name), ...marks.map((mark) => mark.text)];
      const option = figure.bars
        ? bars(figure, figure.bars, panel, marks, store.theme)
        : {
            ...lines(figure, panel, marks, store.theme),
            ...(figure.points ? { series: drawnPoints(chart, panel, store.theme) } : {}),
          };
      const rows = (figure.bars?.length ?? 0) * panel.lines.length;
      if (figure.bars)
        chart.element.style.height = `${80 + headroom(marks) + Math.max(rows * 18, 90)}px`;
      chart.show(
        option,
        store.theme,
        `${panel.y_label} over ${figure.x_label}: ${text.join("; ")}`,
        () => sheetOf(figure, panel, marks),
      );
    });
  }
}

/** The lines, and below them what is published, in the units of the axes. */
function sheetOf(figure: DrawnFigure, panel: DrawnPanel, marks: ReferenceMark[]): Sheet {
  const at = (x: number) => figure.bars?.[x] ?? x;
  return {
    columns: [
      "line",
      figure.x_label || "x",
      panel.y_label,
      "half width",
      ...(figure.points ? ["half width below", "on the front"] : []),
    ],
    rows: [
      ...panel.lines.flatMap((line, index) =>
        pointsOf(line).map(([x, y, half, below]) => [
          line.name,
          at(x),
          y,
          half,
          ...(figure.points ? [below, panel.front?.includes(index) ? 1 : 0] : []),
        ]),
      ),
      ...marks.flatMap((mark) =>
        mark.points
          ? mark.points.map(([x, y]) => [mark.text, at(x), y, null])
          : [[mark.text, mark.x ?? null, mark.y ?? null, null]],
      ),
    ],
  };
}

/** Without what logarithmic axes cannot show. */
export function shownOnAxes(figure: DrawnFigure): DrawnFigure {
  const fits = (x: number | undefined, y: number | null | undefined) =>
    !(figure.log.includes("x") && x !== undefined && x <= 0) &&
    !(figure.log.includes("y") && y !== undefined && y !== null && y <= 0);
  return {
    ...figure,
    panels: figure.panels.map((panel) => ({
      ...panel,
      lines: panel.lines.map((line) => ({
        ...line,
        points: line.points.filter(([x, y]) => fits(x, y)),
      })),
      references: panel.references.filter(
        ({ x, y, points }) => fits(x, y) && (points ?? []).every((point) => fits(...point)),
      ),
    })),
  };
}

function marksOf(figure: DrawnFigure, panel: DrawnPanel, theme: Theme): ReferenceMark[] {
  return panel.references
    .filter((one) => !figure.bars || one.x === undefined)
    .map(({ colour, symbol = "circle", ...one }) => ({
      ...one,
      symbol,
      ...(colour === undefined ? {} : { colour: category(colour, theme) }),
    }));
}

/** One legend for all panels; references in the colour of their line are one entry. */
function keysOf(figure: DrawnFigure, theme: Theme, withReferences: boolean): HTMLElement[] {
  const names = new Map<string, SVGSVGElement>();
  const all = figure.panels.flatMap((panel) => panel.lines);
  for (const name of figure.names.filter(Boolean)) {
    const line = all.find((one) => one.name === name);
    if (line) names.set(line.name, sample(figure, line, category(line.colour, theme)));
  }
  for (const panel of withReferences ? figure.panels : []) {
    for (const mark of marksOf(figure, panel, theme)) {
      const { path, hollow } = referenceIcon(mark);
      const text =
        mark.colour && mark.points
          ? `${mark.text.split(":")[0]}, in the colour of its line`
          : mark.text;
      const colour = mark.points ? inks(theme).faint : (mark.colour ?? inks(theme).faint);
      names.set(text, swatch(path, colour, hollow));
    }
  }
  return [...names].map(([name, icon]) => el("li", {}, icon, name));
}

/** A piece of a line with its symbol. */
function sample(figure: DrawnFigure, line: DrawnLine, colour: string): SVGSVGElement {
  if (figure.points) {
    const icon = swatch("", colour);
    const path = svg("path", { d: OUTLINES[line.symbol], style: `fill:${colour}` });
    path.setAttribute("transform", "translate(4 0)");
    icon.append(path);
    return icon;
  }
  const dashes = line.dashed ? "M0 4H5V6H0ZM7 4H12V6H7ZM14 4H19V6H14Z" : "M0 4H19V6H0Z";
  const icon = swatch(dashes, colour);
  if (figure.symbols) {
    const path = svg("path", { d: OUTLINES[line.symbol], style: `fill:${colour}` });
    path.setAttribute("transform", "translate(5.5 1) scale(.8)");
    icon.append(path);
  }
  return icon;
}

function swatch(path: string, colour: string, hollow = false): SVGSVGElement {
  return svg(
    "svg",
    {
      viewBox: hollow ? "-5 -1 20 12" : "0 -1 19 12",
      width: 20,
      height: 12,
      "aria-hidden": "true",
    },
    svg("path", {
      d: path,
      style: hollow ? `fill:none;stroke:${colour};stroke-width:1.6` : `fill:${colour}`,
    }),
  );
}

interface Item {
  seriesId: string;
  seriesIndex: number;
  dataIndex: number;
}

function tip(figure: DrawnFigure, panel: DrawnPanel, marks: ReferenceMark[], theme: Theme) {
  const unitOf = (label: string) => /\(([^()]+)\)$/.exec(label)?.[1] ?? "";
  const written = (value: number, label: string) => {
    const unit = unitOf(label);
    return digits(value, 4) + (unit ? ` ${unit}` : "");
  };
  const at = (x: number) => figure.bars?.[x] ?? written(x, figure.x_label);
  return ({ seriesId, seriesIndex, dataIndex }: Item): string => {
    const mark = markOf(marks, seriesId);
    if (mark) {
      const point = mark.points?.[dataIndex];
      const text = point
        ? `${written(point[1], panel.y_label)} at ${at(point[0])}`
        : mark.x !== undefined
          ? written(mark.x, figure.x_label)
          : written(mark.y!, panel.y_label);
      return referenceTip(mark, theme, text);
    }
    const line = panel.lines[seriesIndex % panel.lines.length]!;
    const [x, y, half, below] = pointsOf(line)[figure.points ? 0 : dataIndex]!;
    const interval =
      half === null
        ? ""
        : below === null
          ? ` ± ${digits(half, 2)}`
          : ` (${digits(y - below, 3)} to ${digits(y + half, 3)})`;
    return tipLine(
      category(line.colour, theme),
      [line.name, at(x)].filter(Boolean).join(", "),
      digits(y, 4) + interval + (unitOf(panel.y_label) ? ` ${unitOf(panel.y_label)}` : ""),
    );
  };
}

type Point = [x: number, y: number, half: number | null, below: number | null];

export function pointsOf(line: DrawnLine): Point[] {
  return line.points.flatMap(([x, y, half, below]): Point[] =>
    y === null ? [] : [[x, y, half, below ?? null]],
  );
}

export function whiskers(line: DrawnLine) {
  return pointsOf(line).map(([x, y, half, below]) => ({ x, y, half, below }));
}

function scaled(
  theme: Theme,
  side: "x" | "y",
  name: string,
  range: [number, number],
  isLog: boolean,
  ticks: Ticks,
): object {
  if (!isLog) {
    const format = (value: number) => digits(value, 3);
    return { ...axis(theme, side, { type: "value", name, format }), ...roundRange(range) };
  }
  // ECharts has powers of the base only, on a short axis one or two
  const [min, max] = range;
  const texts = new Map(ticks.filter(([, text]) => text));
  const format = (value: number) => texts.get(value) ?? digits(value, 3);
  const made = axis(theme, side, { type: "log", name, format, min, max }) as {
    axisLabel: object;
    axisTick: object;
  };
  const customValues = [...texts.keys()];
  return {
    ...made,
    axisLabel: { ...made.axisLabel, customValues },
    axisTick: { ...made.axisTick, customValues },
  };
}

function lines(
  figure: DrawnFigure,
  panel: DrawnPanel,
  marks: ReferenceMark[],
  theme: Theme,
): Record<string, unknown> {
  return {
    grid: { left: 52, right: 18, top: 34, bottom: 48 },
    tooltip: {
      ...tooltip(theme),
      trigger: "item",
      formatter: tip(figure, panel, marks, theme),
    },
    xAxis: scaled(
      theme,
      "x",
      figure.x_label,
      figure.x_range,
      figure.log.includes("x"),
      figure.x_ticks,
    ),
    yAxis: scaled(
      theme,
      "y",
      panel.y_label,
      panel.y_range,
      figure.log.includes("y"),
      panel.y_ticks,
    ),
    series: [
      ...panel.lines.map((line) => ({
        type: "line",
        name: line.name,
        color: category(line.colour, theme),
        symbol: `path://${OUTLINES[line.symbol]}`,
        symbolSize: 8,
        showSymbol: figure.symbols,
        lineStyle: { width: 2, type: line.dashed ? [6, 4] : "solid" },
        data: pointsOf(line).map(([x, y]) => [x, y]),
        emphasis: { focus: "series" },
        z: 3,
      })),
      ...panel.lines.map((line) =>
        errorBars(line.name, whiskers(line), category(line.colour, theme), false, 0, 1),
      ),
      ...referenceSeries(marks, theme, { names: (level) => emptierSide(figure, panel, level) }),
    ],
  };
}

/** Where fewer measured points would lie under the name of a level line. */
export function emptierSide(figure: DrawnFigure, panel: DrawnPanel, level: number): Side {
  const share = ([low, high]: [number, number], isLog: boolean, value: number) =>
    isLog ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  const [logX, logY] = [figure.log.includes("x"), figure.log.includes("y")];
  const name = share(panel.y_range, logY, level) + 0.05;
  const covered = { left: 0, right: 0 };
  for (const [x, y] of panel.lines.flatMap(pointsOf)) {
    if (Math.abs(share(panel.y_range, logY, y) - name) > 0.09) continue;
    ++covered[share(figure.x_range, logX, x) < 0.5 ? "left" : "right"];
  }
  return covered.right > covered.left ? "left" : "right";
}

function bars(
  figure: DrawnFigure,
  groups: string[],
  panel: DrawnPanel,
  marks: ReferenceMark[],
  theme: Theme,
): Record<string, unknown> {
  const ink = inks(theme);
  const widest = Math.min(150, Math.max(...groups.map((text) => text.length)) * 7 + 24);
  return {
    grid: { left: Math.max(40, widest), right: 24, top: 12 + headroom(marks), bottom: 46 },
    tooltip: {
      ...tooltip(theme),
      trigger: "item",
      formatter: tip(figure, panel, marks, theme),
    },
    xAxis: {
      ...scaled(theme, "x", panel.y_label, panel.y_range, figure.log.includes("y"), panel.y_ticks),
      splitLine: { show: true, lineStyle: { color: ink.line } },
    },
    yAxis: {
      ...axis(theme, "y", { type: "category", name: "", data: groups, grid: false }),
      inverse: true,
      axisLabel: { color: ink.text, fontSize: 12, width: widest - 12, overflow: "truncate" },
    },
    series: [
      ...panel.lines.map((line) => ({
        type: "bar",
        name: line.name,
        color: category(line.colour, theme),
        barMaxWidth: 26,
        barCategoryGap: "32%",
        barGap: "12%",
        itemStyle: { borderRadius: [0, 3, 3, 0] },
        data: pointsOf(line).map(([x, y]) => [y, x]),
      })),
      ...panel.lines.map((line, index) =>
        errorBars(line.name, whiskers(line), ink.text, true, index, panel.lines.length),
      ),
      ...referenceSeries(marks, theme, {
        swap: true,
        named: groups.length <= 6 && panel.lines.length === 1,
      }),
    ],
  };
}
