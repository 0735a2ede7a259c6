import {
  axis,
  Chart,
  DASHES,
  inks,
  legend,
  tipLine,
  tooltip,
  zoom,
  escapeHtml,
} from "../charts/core";
import { choice, el, replace, toggle } from "../dom";
import { digits, percent, plural, scaleFor, time } from "../format";
import { category, letters, type MapName } from "../palette";
import type { Store } from "../state";
import { groupsOf, readPick, type Group, type Pick } from "./pick";
import type { Replay } from "./replay";
import type { Scene } from "./scene";

/** A run of the view: its index and what is known of it. */
export interface Shown {
  run: number;
  replay: Replay;
  scene: Scene;
}

interface Line {
  name: string;
  colour: string;
  dash: string | number[];
  points: [ns: number, value: number][];
  text: (value: number) => string;
}

const TITLES: Record<MapName, string> = {
  utilization: "busy",
  wait: "waiting for credit",
  queues: "queues set aside",
};

/** What was clicked over time, of all runs that are shown. */
export class CourseCard {
  readonly element: HTMLElement;
  readonly chart = new Chart("Course");
  private readonly heading = el("h3", {});
  private readonly controls = el("div", { class: "controls" });
  private readonly note = el("p", { class: "note" });
  /** Busy or waiting: as the picture until it is chosen here. */
  private what: MapName | null = null;
  private each = false;
  private drawn = "";

  constructor(private readonly store: Store) {
    this.element = el(
      "article",
      { class: "course chart", hidden: true, "aria-label": "What was clicked over time" },
      el(
        "header",
        {},
        this.heading,
        el(
          "span",
          { class: "tools" },
          ...this.chart.saveButtons(() => this.heading.textContent ?? "link"),
          el(
            "button",
            {
              type: "button",
              title: "Close",
              "aria-label": "Close the course over time",
              onclick: () => store.set({ pick: "" }),
            },
            "×",
          ),
        ),
      ),
      this.controls,
      this.chart.box,
      this.note,
    );
    this.chart.onPick = (ns) => store.set({ time: ns });
  }

  /** `colour`: of the links in the picture. */
  show(shown: Shown[], colour: MapName): void {
    const { state, theme } = this.store;
    const pick = readPick(state.pick);
    this.element.hidden = !pick || shown.length === 0;
    if (!pick || shown.length === 0) {
      this.drawn = "";
      return;
    }
    const what = this.what ?? colour;
    // playing moves the mark only
    const key = JSON.stringify([
      state.pick,
      shown.map(({ run, scene }) => [run, scene.items.length]),
      what,
      this.each,
      theme,
    ]);
    if (key !== this.drawn) {
      this.drawn = key;
      this.draw(pick, shown, what);
    }
    this.chart.setCursor(state.time);
  }

  private draw(pick: Pick, shown: Shown[], what: MapName): void {
    const { store } = this;
    const groups = shown.map(({ replay, scene }) => groupsOf(pick, replay, scene, this.each));
    const many = shown.some(({ replay, scene }) =>
      groupsOf(pick, replay, scene, false).some((group) => group.ports.length > 1),
    );
    const first = groups[0]?.[0];
    this.heading.textContent = headingOf(pick, first, shown);
    const redraw = () => {
      this.drawn = "";
      this.draw(pick, shown, this.what ?? what);
    };
    replace(
      this.controls,
      choice<MapName>(
        "Share shown",
        [
          ["utilization", "Utilization"],
          ["wait", "Waiting"],
          ...(shown.some(({ replay }) => replay.hasQueues)
            ? [["queues", "Set-aside queues"] as [MapName, string]]
            : []),
        ],
        what,
        (value) => {
          this.what = value;
          redraw();
        },
      ),
      many &&
        toggle("One by one", this.each, (on) => {
          this.each = on;
          redraw();
        }),
    );
    replace(
      this.note,
      what === "queues"
        ? "Queues set aside at both ends of the link, the most of each picture's period."
        : "Share of each picture's period. A click moves the pictures to that time.",
    );
    const lines = shown.flatMap(({ run, replay }, view) =>
      linesOf(replay, groups[view]!, what).map((line, k) => ({
        ...line,
        name: shown.length > 1 ? `${store.names[run]}: ${line.name}` : line.name,
        colour: shown.length > 1 ? store.colour(run) : category(line.group, store.theme),
        dash: DASHES[(shown.length > 1 ? k : line.isMost ? 1 : 0) % DASHES.length]!,
      })),
    );
    if (lines.length === 0)
      return this.chart.showEmpty("These runs kept no pictures of their links over time.");
    this.plot(lines, what, pick);
  }

  private plot(lines: Line[], what: MapName, pick: Pick): void {
    const { theme } = this.store;
    const width = this.chart.element.clientWidth || 800;
    const end = Math.max(...lines.flatMap((line) => line.points.map(([ns]) => ns)));
    const x = scaleFor(end, "ns");
    const direct = lines.length <= 4 && width > 700;
    this.chart.show(
      {
        grid: { left: 52, right: direct ? 196 : 20, top: lines.length > 1 ? 56 : 30, bottom: 44 },
        legend: legend(
          theme,
          lines.map((line) => line.name),
        ),
        tooltip: {
          ...tooltip(theme),
          trigger: "axis",
          axisPointer: { type: "line", lineStyle: { color: inks(theme).faint } },
          formatter: (items: { seriesIndex: number; value: [number, number] }[]) =>
            items.length === 0
              ? ""
              : `<div style="margin-bottom:4px;opacity:.7">${escapeHtml(time(items[0]!.value[0]))}</div>` +
                items
                  .map(({ seriesIndex, value: [, value] }) => {
                    const line = lines[seriesIndex]!;
                    return tipLine(line.colour, line.name, line.text(value));
                  })
                  .join(""),
        },
        dataZoom: zoom(theme, false),
        xAxis: axis(theme, "x", {
          type: "value",
          name: `simulated time, ${x.unit}`,
          min: 0,
          max: end,
          format: (ns) => digits(ns / x.factor, 4),
        }),
        yAxis: axis(theme, "y", {
          type: "value",
          name: TITLES[what],
          min: 0,
          ...(what === "queues" ? {} : { max: 1 }),
          format: (value) => (what === "queues" ? digits(value, 3) : percent(value)),
        }),
        series: lines.map((line) => ({
          type: "line",
          name: line.name,
          data: line.points,
          color: line.colour,
          showSymbol: false,
          lineStyle: { width: 2, type: line.dash },
          emphasis: { focus: "series" },
          endLabel: {
            show: direct,
            formatter: line.name.length > 24 ? `${line.name.slice(0, 23)}…` : line.name,
            color: letters(line.colour, theme),
            fontSize: 12,
            fontWeight: 600,
            lineHeight: 16,
            offset: [4, 0],
          },
          labelLayout: { moveOverlap: "shiftY" },
        })),
      },
      theme,
      `${pick.name}, ${TITLES[what]}: ${lines.map((line) => line.name).join("; ")}`,
      () => ({
        columns: ["line", "time (ns)", TITLES[what]],
        rows: lines.flatMap((line) =>
          line.points.map(([ns, value]) => [line.name, ns, Number(value.toPrecision(6))]),
        ),
      }),
    );
  }
}

function headingOf(pick: Pick, first: Group | undefined, shown: Shown[]): string {
  if (pick.kind === "node") return `${kindOf(pick, shown)} ${pick.name}`;
  const many = first && first.ports.length > 1;
  return `${many ? plural(first.ports.length, "link") : "Link"} ${first?.name ?? pick.name}`;
}

function kindOf(pick: Pick, [first]: Shown[]): string {
  const node = first?.replay.topology.nodes.find((one) => one.name === pick.name);
  return node?.kind === "host" ? "Host" : "Switch";
}

/** A line of each group; of several ports the mean, and the most of them. */
function linesOf(
  replay: Replay,
  groups: { name: string; ports: number[] }[],
  what: MapName,
): (Omit<Line, "colour" | "dash"> & { group: number; isMost: boolean })[] {
  const { frames } = replay;
  const bytes = frames?.[what];
  if (!frames || !bytes) return [];
  const scale = what === "queues" ? 1 : 255;
  const text = (value: number) =>
    what === "queues" ? plural(Math.round(10 * value) / 10, "queue") : percent(value);
  return groups.flatMap(({ name, ports }, group) => {
    const values = frames.times.map((_, k) =>
      ports.map((port) => bytes[k * frames.ports + port]! / scale),
    );
    const line = (name: string, isMost: boolean, of: (list: number[]) => number) => ({
      name,
      group,
      isMost,
      text,
      points: frames.times.map((ns, k): [number, number] => [ns, of(values[k]!)]),
    });
    if (ports.length === 1) return [line(name, false, ([value]) => value!)];
    return [
      line(`${name}, mean`, false, (list) => list.reduce((sum, one) => sum + one, 0) / list.length),
      line(`${name}, most`, true, (list) => Math.max(...list)),
    ];
  });
}
