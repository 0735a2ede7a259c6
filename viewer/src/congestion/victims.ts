import { saveSheet, type Sheet } from "../csv";
import { el, replace, toggle } from "../dom";
import { percent, plural, time } from "../format";
import { SideScroll } from "../side_scroll";
import type { Replay } from "./replay";

/** A run at the moment that is shown. */
export interface Moment {
  name: string;
  replay: Replay;
  /** -1: the whole run. */
  frame: number;
}

interface Row {
  host: number;
  name: string;
  isContributor: boolean;
  /** Of each run: who holds the host up now, how long it waits, and how long it was held up. */
  states: { root: string; wait: number | null; held: number }[];
}

const SHORT = 12;

/** The hosts that trees hold up at the moment, with the longest waiting first. */
export class VictimList {
  readonly element: HTMLElement;
  private readonly heading = el("h3", {});
  private readonly controls = el("div", { class: "controls" });
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
  private withFeeders = false;
  private isLong = false;
  private moments: Moment[] = [];
  private due = 0;

  constructor(private readonly pickHost: (name: string) => void) {
    const table = el("table", {}, el("thead", {}, this.head), this.body);
    this.element = el(
      "article",
      { class: "victims", hidden: true },
      el(
        "header",
        {},
        this.heading,
        el(
          "span",
          { class: "tools" },
          this.controls,
          el(
            "button",
            {
              type: "button",
              title: "Save the whole list as a CSV file",
              onclick: () => saveSheet("victims", this.sheet()),
            },
            "CSV",
          ),
        ),
      ),
      new SideScroll("Hosts that are held up", table).element,
      this.rest,
    );
  }

  /** Runs of one network. `isPlaying`: a few times a second are enough. */
  show(moments: Moment[], isPlaying: boolean): void {
    this.moments = moments;
    const now = performance.now();
    if (isPlaying && now < this.due) return;
    this.due = now + 250;
    this.draw();
  }

  private rows(): Row[] {
    const hosts = new Map<number, Row>();
    const rootsOf = this.moments.map(({ replay, frame }) =>
      frame < 0 ? null : replay.heldBy(frame),
    );
    this.moments.forEach(({ replay }, at) => {
      const roots = rootsOf[at];
      for (const host of roots?.keys() ?? replay.heldFor.keys()) {
        if (replay.isContributor(host) && !this.withFeeders) continue;
        if (hosts.has(host)) continue;
        hosts.set(host, {
          host,
          name: replay.topology.nodes[host]!.name,
          isContributor: replay.isContributor(host),
          states: [],
        });
      }
    });
    for (const row of hosts.values()) {
      row.states = this.moments.map(({ replay, frame }, at) => {
        const root = rootsOf[at]?.get(row.host);
        return {
          root: root === undefined ? "" : replay.portName(root),
          wait: replay.value(replay.injection(row.host), frame, "wait"),
          held: replay.heldFor.get(row.host) ?? 0,
        };
      });
    }
    const longest = (row: Row) => Math.max(...row.states.map(({ wait }) => wait ?? 0));
    const held = (row: Row) => Math.max(...row.states.map((state) => state.held));
    return [...hosts.values()].sort(
      (a, b) => longest(b) - longest(a) || held(b) - held(a) || a.host - b.host,
    );
  }

  private draw(): void {
    const { moments } = this;
    this.element.hidden = !moments.some(({ replay }) => replay.run.trees.length > 0);
    if (this.element.hidden) return;
    const rows = this.rows();
    const knowsRoles = moments.some(({ replay }) => replay.run.hosts !== null);
    const what = knowsRoles && !this.withFeeders ? "Victims" : "Hosts held up";
    const whole = moments.every(({ frame }) => frame < 0);
    this.heading.textContent = `${what}: ${rows.length}${whole ? " in the whole run" : ""}`;
    this.heading.title = "Hosts whose own link to the network waits because of a congestion tree";
    replace(
      this.controls,
      knowsRoles &&
        toggle("Hosts that feed it too", this.withFeeders, (on) => {
          this.withFeeders = on;
          this.draw();
        }),
    );
    replace(
      this.head,
      el("th", { scope: "col" }, "host"),
      ...moments.flatMap(({ name }) =>
        this.columns(whole).map((text) =>
          el(
            "th",
            { scope: "col", class: text === "held up by" ? "" : "number" },
            moments.length > 1 ? `${name}: ${text}` : text,
          ),
        ),
      ),
    );
    const shown = this.isLong ? rows.slice(0, 1000) : rows.slice(0, SHORT);
    replace(this.body, ...shown.map((row) => this.row(row, whole)));
    if (rows.length === 0) {
      this.body.append(
        el(
          "tr",
          {},
          el(
            "td",
            { class: "empty", colspan: 1 + moments.length * this.columns(whole).length },
            whole ? "No host was held up." : "No host is held up at this moment.",
          ),
        ),
      );
    }
    this.rest.hidden = rows.length <= SHORT;
    this.rest.textContent = this.isLong ? "Fewer" : `All ${plural(rows.length, "host")}`;
  }

  private columns(whole: boolean): string[] {
    return [...(whole ? [] : ["held up by"]), "waiting", "held up in the run"];
  }

  private row(row: Row, whole: boolean): HTMLElement {
    return el(
      "tr",
      {},
      el(
        "th",
        { scope: "row" },
        el(
          "button",
          {
            type: "button",
            title: "Its link over time",
            onclick: () => this.pickHost(row.name),
          },
          row.name,
        ),
        row.isContributor && el("span", { class: "role worst" }, "feeds it"),
      ),
      ...row.states.flatMap(({ root, wait, held }) => [
        ...(whole ? [] : [el("td", {}, root || "–")]),
        el("td", { class: "number" }, wait === null ? "–" : percent(wait)),
        el("td", { class: "number" }, held > 0 ? time(held, 3) : "–"),
      ]),
    );
  }

  private sheet(): Sheet {
    const of = (name: string) => (this.moments.length > 1 ? `${name}: ` : "");
    return {
      columns: [
        "host",
        "feeds the hot spot",
        ...this.moments.flatMap(({ name }) => [
          `${of(name)}held up by`,
          `${of(name)}waiting`,
          `${of(name)}held up in the run (ns)`,
        ]),
      ],
      rows: this.rows().map((row) => [
        row.name,
        row.isContributor ? 1 : 0,
        ...row.states.flatMap(({ root, wait, held }) => [
          root,
          wait === null ? null : Number(wait.toPrecision(4)),
          held,
        ]),
      ]),
    };
  }
}
