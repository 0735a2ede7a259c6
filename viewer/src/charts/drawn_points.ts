import type { DrawnPanel } from "../data";
import { category, type Theme } from "../palette";
import { FONT, inks, type Chart } from "./core";
import { pointsOf, whiskers } from "./drawn_figures";
import { boxAround, placeLabel } from "./place_labels";
import { OUTLINES } from "./references";
import { errorBars } from "./whiskers";

interface Label {
  seriesIndex: number;
  labelRect: { width: number; height: number };
}

/** Series of a panel of named points: one a point, intervals, and what nothing beats. */
export function drawnPoints(chart: Chart, panel: DrawnPanel, theme: Theme): object[] {
  const ink = inks(theme);
  const front = panel.front ?? [];
  const places = labelPlaces(chart, panel);
  return [
    ...panel.lines.map((line, index) => ({
      type: "scatter",
      name: line.name,
      color: category(line.colour, theme),
      symbol: `path://${OUTLINES[line.symbol]}`,
      symbolSize: 11,
      z: 4,
      data: pointsOf(line).map(([x, y]) => [x, y]),
      itemStyle: {
        borderColor: front.includes(index) ? ink.text : ink.paper,
        borderWidth: front.includes(index) ? 2 : 1,
      },
      labelLayout: places,
      label: {
        show: true,
        formatter: line.name,
        position: "right",
        color: ink.text,
        fontFamily: FONT,
        fontSize: 11.5,
        textBorderColor: ink.paper,
        textBorderWidth: 3,
      },
    })),
    ...panel.lines.map((line) =>
      errorBars(line.name, whiskers(line), category(line.colour, theme), false, 0, 1),
    ),
    {
      type: "line",
      name: "front",
      silent: true,
      symbol: "none",
      z: 2,
      color: ink.faint,
      lineStyle: { width: 1.5, type: [6, 4] },
      data: front.flatMap((index) => pointsOf(panel.lines[index]!).map(([x, y]) => [x, y])),
    },
  ];
}

/** Names in the order of the points, each clear of points and of names before it. */
function labelPlaces(chart: Chart, panel: DrawnPanel): (label: Label) => object {
  let taken: ReturnType<typeof boxAround>[] = [];
  const pixel = (index: number) => {
    const [x, y] = pointsOf(panel.lines[index]!)[0]!;
    return chart.instance!.convertToPixel({ gridIndex: 0 }, [x, y]) as [number, number];
  };
  return ({ seriesIndex, labelRect }) => {
    if (taken.length === 0 || seriesIndex === 0) {
      taken = panel.lines.flatMap((line, index) =>
        pointsOf(line).length > 0 ? [boxAround(pixel(index), { width: 14, height: 14 })] : [],
      );
    }
    const { clientWidth, clientHeight } = chart.element;
    const room = { x: 52, y: 34, width: clientWidth - 52, height: clientHeight - 34 - 48 };
    const size = { width: labelRect.width + 4, height: labelRect.height + 2 };
    const place = placeLabel(pixel(seriesIndex), size, taken, room);
    // what nobody could read is told by the key and the tooltip only
    if (!place) return { x: -9999, y: 0 };
    taken.push(boxAround(place, size));
    return { x: place[0], y: place[1], align: "center", verticalAlign: "middle" };
  };
}
