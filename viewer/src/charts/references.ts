import type { Reference, Report, SymbolName } from "../data";
import { toggle } from "../dom";
import { parseQuantity } from "../format";
import { symbolOf, type Theme } from "../palette";
import type { Store } from "../state";
import { FONT, inks, tipLine } from "./core";

/** A reference on a chart: numbers on its axes. */
export interface ReferenceMark {
  text: string;
  /** Left out: the neutral one. */
  colour?: string;
  /** Symbol of its points. */
  symbol: SymbolName;
  x?: number;
  y?: number;
  points?: [number, number][];
}

/** Outlines of symbols. */
export const OUTLINES: Record<SymbolName, string> = {
  circle: "M5 .5A4.5 4.5 0 0 1 5 9.5A4.5 4.5 0 0 1 5 .5Z",
  square: "M1 1H9V9H1Z",
  triangle: "M5 .5L10 9.5H0Z",
  diamond: "M5 0L10 5 5 10 0 5Z",
  "triangle-down": "M5 9.5L10 .5H0Z",
  pentagon: "M5 0L10 3.8 8.1 9.6H1.9L0 3.8Z",
};
const DASHES = "M0 4H5V6H0ZM7 4H12V6H7ZM14 4H19V6H14Z";

/** What the figures over `x` publish of one of these metrics ("latency_p99[cold]"), each once. */
export function referencesFor(report: Report, x: string, names: string[]): Reference[] {
  const found = report.figures
    .filter((figure) => figure.x === x)
    .flatMap((figure) => figure.references ?? [])
    .filter((reference) => reference.metrics.some((name) => names.includes(name)));
  const key = ({ text, x, y, points }: Reference) => JSON.stringify([text, x, y, points]);
  return found.filter((one, at) => found.findIndex((other) => key(other) === key(one)) === at);
}

/**
 * References as marks. `place` finds the number along x of a point, or nothing; `keep` says which
 * numbers the axes can show.
 */
export function marksOf(
  references: Reference[],
  place: (x: number | string) => number | null,
  keep: (x: number, y: number) => boolean = () => true,
): ReferenceMark[] {
  const texts = [...new Set(references.filter((one) => one.points).map((one) => one.text))];
  return references.flatMap(({ text, x, y, points }): ReferenceMark[] => {
    const mark: ReferenceMark = { text, symbol: symbolOf(texts, text) };
    if (x !== undefined && keep(x, 1)) return [{ ...mark, x }];
    if (y !== undefined && keep(1, y)) return [{ ...mark, y }];
    const placed = (points ?? []).flatMap(([x, y]): [number, number][] => {
      const at = place(x);
      return at !== null && keep(at, y) ? [[at, y]] : [];
    });
    return placed.length > 0 ? [{ ...mark, points: placed }] : [];
  });
}

/** Where a point of a line stands: its x, or the number in the name of a bar. */
export function alongNumbers(x: number | string): number | null {
  return typeof x === "number" ? x : (parseQuantity(x)?.value ?? null);
}

/** Where a point stands among bars with these names. */
export function amongBars(names: string[]): (x: number | string) => number | null {
  return (x) => {
    const at = names.findIndex((name) =>
      typeof x === "string" ? name === x : parseQuantity(name)?.value === x,
    );
    return at < 0 ? null : at;
  };
}

/** The switch that hides them; nothing where there are none. */
export function publishedSwitch(store: Store, references: unknown[]): HTMLElement | null {
  if (references.length === 0) return null;
  const button = toggle("Published", store.state.published, (published) =>
    store.set({ published }),
  );
  button.title = "Values that no run measured, to compare with";
  return button;
}

/** Entries of a legend. */
export function referenceLegend(marks: ReferenceMark[], theme: Theme): object[] {
  const seen = new Set<string>();
  return marks.flatMap((mark) => {
    if (seen.has(mark.text)) return [];
    seen.add(mark.text);
    const colour = mark.colour ?? inks(theme).faint;
    return [
      mark.points
        ? {
            name: mark.text,
            icon: `path://${OUTLINES[mark.symbol]}`,
            itemStyle: { color: inks(theme).paper, borderColor: colour, borderWidth: 1.6 },
          }
        : { name: mark.text, icon: `path://${DASHES}`, itemStyle: { color: colour } },
    ];
  });
}

/** The same as an image in a page. */
export function referenceIcon(mark: Pick<ReferenceMark, "symbol" | "points">): {
  path: string;
  hollow: boolean;
} {
  return mark.points
    ? { path: OUTLINES[mark.symbol], hollow: true }
    : { path: DASHES, hollow: false };
}

/** A line of a tooltip; `number` writes a value of the chart. */
export function referenceTip(
  mark: ReferenceMark,
  theme: Theme,
  value: string,
  hollow = Boolean(mark.points),
): string {
  return tipLine(mark.colour ?? inks(theme).faint, mark.text, value, hollow);
}

/** The mark of a series of a tooltip, by its id. */
export function markOf(marks: ReferenceMark[], seriesId: string): ReferenceMark | undefined {
  const match = /^reference (\d+)$/.exec(seriesId);
  return match ? marks[Number(match[1])] : undefined;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Drawing {
  coord(point: [number, number]): [number, number];
}

export type Side = "left" | "right";

export interface ReferenceLook {
  /** Bars: values are along x, and the names of lines stand in `headroom` above the chart. */
  swap?: boolean;
  /** Where the names of level lines stand. */
  names?: Side | ((level: number) => Side);
  /** Whether points have their name beside the last of them. */
  named?: boolean;
}

const ROW = 17;

/** Height that the names of lines need above bars. */
export function headroom(marks: ReferenceMark[]): number {
  return ROW * marks.filter((mark) => mark.y !== undefined).length;
}

/** Hollow symbols and dashed lines, with their names beside them. */
export function referenceSeries(
  marks: ReferenceMark[],
  theme: Theme,
  { swap = false, names = "right", named = true }: ReferenceLook = {},
): object[] {
  const levels = marks.flatMap((mark) => mark.y ?? []);
  const uprights = marks.flatMap((mark) => mark.x ?? []);
  const rows = [...levels].sort((a, b) => a - b);
  return marks.map((mark, index) => {
    const base = { id: `reference ${index}`, name: mark.text, z: 6 };
    if (mark.points) return { ...base, ...symbols(mark, theme, swap, named) };
    if (mark.x !== undefined) {
      const row = uprights.indexOf(mark.x);
      return { ...base, ...line(mark, theme, mark.x, true, besideUpright(row)) };
    }
    const at = mark.y!;
    const place = swap
      ? aboveBars(rows.length - rows.indexOf(at))
      : besideLevel(levels, typeof names === "string" ? names : names(at));
    return { ...base, ...line(mark, theme, at, swap, place) };
  });
}

function symbols(mark: ReferenceMark, theme: Theme, swap: boolean, named: boolean): object {
  const ink = inks(theme);
  const colour = mark.colour ?? ink.faint;
  const last = mark.points!.reduce((a, b) => (b[0] >= a[0] ? b : a));
  return {
    type: "scatter",
    symbol: `path://${OUTLINES[mark.symbol]}`,
    symbolSize: 9.5,
    color: colour,
    itemStyle: { color: ink.paper, borderColor: colour, borderWidth: 1.8, opacity: 1 },
    emphasis: { scale: 1.3 },
    labelLayout: { hideOverlap: true },
    data: mark.points!.map((point) => ({
      value: swap ? [point[1], point[0]] : point,
      label: {
        show: named && point === last && mark.colour === undefined,
        formatter: mark.text,
        position: swap ? "bottom" : "top",
        distance: swap ? 9 : 5,
        color: colour,
        fontSize: 11.5,
        textBorderColor: ink.paper,
        textBorderWidth: 3,
      },
    })),
  };
}

/** Where the name of a line stands, and how far up an upright line goes. */
type Place = (
  here: number,
  box: Box,
  pixel: (value: number) => number,
) => { text: object; top?: number };

/** A line across the whole chart, which the axis makes room for. */
function line(
  mark: ReferenceMark,
  theme: Theme,
  at: number,
  upright: boolean,
  place: Place,
): object {
  const ink = inks(theme);
  const colour = mark.colour ?? ink.faint;
  return {
    type: "custom",
    color: colour,
    encode: { x: 0, y: 1 },
    data: [upright ? [at, null] : [null, at]],
    renderItem: ({ coordSys: box }: { coordSys: Box }, api: Drawing) => {
      const pixel = (value: number) =>
        api.coord(upright ? [value, 0] : [0, value])[upright ? 0 : 1];
      const here = pixel(at);
      const [from, size] = upright ? [box.x, box.width] : [box.y, box.height];
      if (!(here >= from - 1 && here <= from + size + 1)) return null; // outside after zooming
      const { text, top = box.y } = place(here, box, pixel);
      const shape = upright
        ? { x1: here, y1: top, x2: here, y2: box.y + box.height }
        : { x1: box.x, y1: here, x2: box.x + box.width, y2: here };
      return {
        type: "group",
        children: [
          // broad and unseen, to be pointed at
          { type: "line", shape, style: { stroke: colour, lineWidth: 12, opacity: 0 } },
          { type: "line", shape, style: { stroke: colour, lineWidth: 1.6, lineDash: [6, 4] } },
          {
            type: "text",
            silent: true,
            style: {
              text: mark.text,
              ...text,
              fill: colour,
              stroke: ink.paper,
              lineWidth: 3,
              font: `11.5px ${FONT}`,
              overflow: "truncate",
            },
          },
        ],
      };
    },
  };
}

/** Above an end, or below it where another line or the edge is near. */
function besideLevel(all: number[], side: Side): Place {
  return (here, box, pixel) => {
    const isTight =
      here - box.y < 16 || all.map(pixel).some((other) => other < here && here - other < ROW);
    return {
      text: {
        x: side === "left" ? box.x + 6 : box.x + box.width - 4,
        y: here + (isTight ? 5 : -5),
        align: side,
        verticalAlign: isTight ? "top" : "bottom",
        width: box.width - 10,
      },
    };
  };
}

/** At the top, on the side with more room; several one below the other. */
function besideUpright(row: number): Place {
  return (here, box) => ({ text: beside(here, box, box.y + 3 + ROW * row, 0.6) });
}

/** In the headroom of bars; the name of the farthest line is next to them. */
function aboveBars(row: number): Place {
  return (here, box) => {
    const top = box.y - ROW * row;
    return { text: beside(here, box, top + 1, 0.5), top };
  };
}

function beside(here: number, box: Box, y: number, turn: number): object {
  const toLeft = here - box.x > box.width * turn;
  return {
    x: here + (toLeft ? -5 : 5),
    y,
    align: toLeft ? "right" : "left",
    verticalAlign: "top",
    width: toLeft ? here - 8 : box.x + box.width - here + 10,
  };
}
