import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts";
import {
  AriaComponent,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  TooltipComponent,
} from "echarts/components";
import { init, use, type ECharts, type EChartsCoreOption } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { SVGRenderer } from "echarts/renderers";
import { fileName, save, saveSheet, type Sheet } from "../csv";
import { el, reducedMotion } from "../dom";
import type { Theme } from "../palette";

use([
  LineChart,
  BarChart,
  ScatterChart,
  CustomChart,
  AriaComponent,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  TooltipComponent,
  LabelLayout,
  SVGRenderer,
]);

export const FONT = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

export interface Inks {
  text: string;
  faint: string;
  line: string;
  surface: string;
  /** What charts are drawn on. */
  paper: string;
  mark: string;
}

export function inks(theme: Theme): Inks {
  return theme === "light"
    ? {
        text: "#1b2430",
        faint: "#5d6977",
        line: "#e4e8ed",
        surface: "#ffffff",
        paper: "#ffffff",
        mark: "#f0a63b1c",
      }
    : {
        text: "#e6ebf0",
        faint: "#98a5b3",
        line: "#28323c",
        surface: "#1b232c",
        paper: "#151b22",
        mark: "#f0a63b18",
      };
}

/** A chart in a box that follows its size; options are always set whole. */
export class Chart {
  readonly element = el("div", { class: "plot" });
  private readonly empty = el("p", { class: "empty large", hidden: true });
  private readonly cursor = el("div", { class: "cursor", hidden: true });
  readonly box = el("div", { class: "plot-box" }, this.element, this.empty, this.cursor);
  instance: ECharts | null = null;
  /** Called with the x value of a click. */
  onPick: ((x: number) => void) | null = null;
  private cursorAt: number | null = null;
  private option: EChartsCoreOption | null = null;
  private sheet: (() => Sheet) | null = null;

  constructor(private readonly label: string) {
    new ResizeObserver(() => {
      if (this.instance) {
        this.instance.resize();
        this.placeCursor();
      } else this.render();
    }).observe(this.element);
  }

  /** `sheet`: the numbers behind the picture. */
  show(option: EChartsCoreOption, theme: Theme, description: string, sheet: () => Sheet): void {
    this.sheet = sheet;
    this.empty.hidden = true;
    this.element.hidden = false;
    this.element.setAttribute("role", "img");
    this.element.setAttribute("aria-label", `${this.label}: ${description}`);
    this.option = { ...frame(theme), ...option };
    this.render();
  }

  /** Words in place of a chart. */
  showEmpty(text: string): void {
    this.option = null;
    this.sheet = null;
    this.instance?.clear();
    this.element.hidden = true;
    this.empty.hidden = false;
    this.empty.textContent = text;
  }

  /** All of the axes again. */
  resetZoom(): void {
    this.instance?.dispatchAction({ type: "dataZoom", start: 0, end: 100 });
  }

  /** Buttons that save the picture and its numbers; `name` is that of the files. */
  saveButtons(name: () => string): HTMLElement[] {
    const button = (text: string, title: string, onclick: () => void) =>
      el("button", { type: "button", title, onclick }, text);
    return [
      button("SVG", "Save the picture as an SVG file", () => this.savePicture(name())),
      button("CSV", "Save the numbers as a CSV file", () => {
        if (this.sheet) saveSheet(name(), this.sheet());
      }),
    ];
  }

  private savePicture(name: string): void {
    if (!this.instance || !this.option) return;
    save(`${fileName(name)}.svg`, this.instance.getDataURL({ type: "svg" }));
  }

  /** A vertical line at this x; null: none. */
  setCursor(x: number | null): void {
    this.cursorAt = x;
    this.placeCursor();
  }

  private placeCursor(): void {
    const at = this.cursorAt;
    this.cursor.hidden = true;
    if (at === null || !this.instance || !this.option) return;
    const left = this.instance.convertToPixel({ xAxisIndex: 0 }, at);
    const { y, height } = this.gridBox();
    if (!this.instance.containPixel({ gridIndex: 0 }, [left, y + height / 2])) return;
    this.cursor.hidden = false;
    this.cursor.style.left = `${left}px`;
    this.cursor.style.top = `${y}px`;
    this.cursor.style.height = `${height}px`;
  }

  private gridBox(): { y: number; height: number } {
    const grid = this.option!.grid as { top: number; bottom: number };
    return { y: grid.top, height: this.element.clientHeight - grid.top - grid.bottom };
  }

  private render(): void {
    if (!this.option || this.element.clientWidth === 0) return;
    if (!this.instance) {
      const made = init(this.element, null, { renderer: "svg" });
      made.on("datazoom", () => this.placeCursor());
      made.getZr().on("click", ({ offsetX, offsetY }) => {
        if (!this.onPick || !made.containPixel({ gridIndex: 0 }, [offsetX, offsetY])) return;
        this.onPick(made.convertFromPixel({ xAxisIndex: 0 }, offsetX));
      });
      this.instance = made;
    }
    this.instance.setOption(this.option, { notMerge: true });
    this.placeCursor();
  }
}

function frame(theme: Theme): EChartsCoreOption {
  return {
    backgroundColor: "transparent",
    textStyle: { fontFamily: FONT, color: inks(theme).text },
    animation: !reducedMotion(),
    animationDuration: 250,
    animationDurationUpdate: 200,
  };
}

/** `more`: entries of references, which are shown beside a single line, too. */
export function legend(theme: Theme, names: string[], more: object[] = []): object {
  return {
    type: "scroll",
    top: 0,
    left: 0,
    right: 0,
    itemGap: 16,
    itemWidth: 18,
    itemHeight: 9,
    data: [...names.filter((name) => name || names.length > 1), ...more],
    show: names.length > 1 || more.length > 0,
    icon: "roundRect",
    itemStyle: { opacity: 1 },
    textStyle: { color: inks(theme).text, fontSize: 12 },
    inactiveColor: inks(theme).faint + "66",
    pageIconColor: inks(theme).text,
    pageIconInactiveColor: inks(theme).line,
    pageTextStyle: { color: inks(theme).faint },
  };
}

export function tooltip(theme: Theme): object {
  const ink = inks(theme);
  return {
    confine: true,
    backgroundColor: ink.surface,
    borderColor: ink.line,
    padding: [8, 12],
    textStyle: { color: ink.text, fontSize: 12 },
    extraCssText: "box-shadow:0 4px 16px rgb(0 0 0 / .16);border-radius:8px",
  };
}

export interface AxisOptions {
  name: string;
  type: "value" | "log" | "category";
  format?: (value: number) => string;
  data?: string[];
  min?: number | ((range: { min: number; max: number }) => number);
  max?: number;
  grid?: boolean;
}

export function axis(theme: Theme, side: "x" | "y", options: AxisOptions): object {
  const ink = inks(theme);
  const { name, type, format, data, min, max, grid = side === "y" } = options;
  return {
    type,
    name,
    ...(data ? { data } : {}),
    ...(min !== undefined ? { min } : {}),
    ...(max !== undefined ? { max } : {}),
    nameLocation: side === "x" ? "middle" : "end",
    nameGap: side === "x" ? 30 : 14,
    nameTextStyle: {
      color: ink.faint,
      fontSize: 12,
      align: side === "x" ? "center" : "left",
      padding: side === "y" ? [0, 0, 0, -36] : 0,
    },
    axisLine: { show: side === "x", lineStyle: { color: ink.faint } },
    axisTick: { show: side === "x" && type !== "category", lineStyle: { color: ink.faint } },
    axisLabel: {
      color: ink.faint,
      fontSize: 11.5,
      hideOverlap: true,
      ...(format ? { formatter: format } : {}),
    },
    splitLine: { show: grid, lineStyle: { color: ink.line } },
    splitNumber: 5,
  };
}

/** Zoom by wheel and drag with ctrl or shift, so that plain scrolling stays the page's. */
export function zoom(theme: Theme, withSlider: boolean): object[] {
  const ink = inks(theme);
  const inside = {
    type: "inside",
    xAxisIndex: 0,
    filterMode: "none",
    zoomOnMouseWheel: "ctrl",
    moveOnMouseMove: true,
    moveOnMouseWheel: false,
  };
  const slider = {
    type: "slider",
    xAxisIndex: 0,
    filterMode: "none",
    height: 18,
    bottom: 6,
    borderColor: "transparent",
    backgroundColor: ink.line + "80",
    fillerColor: "#5aa7d040",
    showDataShadow: false,
    showDetail: false,
    brushSelect: true,
    handleSize: 16,
    moveHandleSize: 0,
    handleStyle: { color: ink.surface, borderColor: ink.faint },
    textStyle: { color: ink.faint },
  };
  return withSlider ? [inside, slider] : [inside];
}

/** A line of a tooltip: dot (a ring where hollow), name, number. */
export function tipLine(colour: string, name: string, value: string, hollow = false): string {
  const fill = hollow ? `box-shadow:inset 0 0 0 2px ${colour}` : `background:${colour}`;
  return (
    `<div style="display:flex;gap:14px;justify-content:space-between"><span>` +
    `<i style="display:inline-block;width:9px;height:9px;border-radius:5px;margin-right:7px;` +
    `${fill}"></i>${escapeHtml(name)}</span>` +
    `<b style="font-variant-numeric:tabular-nums">${escapeHtml(value)}</b></div>`
  );
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** Line styles by label, where colours say the run. */
export const DASHES: (string | number[])[] = ["solid", [6, 4], [2, 3], [9, 3, 2, 3]];
