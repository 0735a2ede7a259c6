import { el, replace } from "../dom";
import { plural, quantity, time } from "../format";
import { colourMap, setAsideColour, treeColours, type MapName, type Theme } from "../palette";
import type { Replay } from "./replay";
import type { Scene } from "./scene";

const LEGENDS: Record<MapName, string> = {
  utilization: "Link busy",
  wait: "Link waiting for credit",
  queues: "Queues set aside at both ends",
};
const LISTS: Record<MapName, { title: string; none: string }> = {
  utilization: { title: "Busiest links", none: "No link was busy." },
  wait: { title: "Longest waiting links", none: "No link waited." },
  queues: { title: "Most queues set aside", none: "No queue is set aside." },
};
const TREES = 6;
const PORTS = 8;

export interface PanelActions {
  pickTree(rank: number): void;
  pickPort(port: number): void;
}

/** Beside the picture: legend, trees of the moment, busiest links, and what was picked. */
export class Panel {
  readonly element = el("div", { class: "panel" });
  private readonly legend = el("section", { class: "legend" });
  private readonly trees = el("section");
  private readonly roots = el("section");
  private readonly ports = el("section");
  private readonly picked = el("section", { class: "picked" });

  constructor(private readonly actions: PanelActions) {
    this.element.append(this.legend, this.picked, this.trees, this.roots, this.ports);
  }

  /** `most`: what the full colour stands for. No colour: no legend. */
  showLegend(
    colour: MapName | null,
    theme: Theme,
    withTrees: boolean,
    roles: boolean,
    most: number,
  ): void {
    if (!colour) return replace(this.legend);
    const map = colourMap(colour, theme);
    const tree = treeColours(theme);
    const swatch = (background: string, text: string, round = false) =>
      el("li", {}, el("i", { class: round ? "dot" : "", style: `background:${background}` }), text);
    replace(
      this.legend,
      el("h3", {}, LEGENDS[colour]),
      el("div", {
        class: "ramp",
        style: `background:linear-gradient(to right, ${map.filter((_, i) => i % 7 === 0).join(",")})`,
      }),
      el(
        "div",
        { class: "ramp-ends" },
        el("span", {}, "0"),
        colour !== "queues" && el("span", {}, "50 %"),
        el("span", {}, colour === "queues" ? plural(most, "queue") : "100 % of the time"),
      ),
      colour === "queues" &&
        el("ul", { class: "keys" }, swatch(setAsideColour(theme), "root: queues are for it", true)),
      withTrees &&
        el(
          "ul",
          { class: "keys" },
          swatch(tree.root, "root: cannot keep up"),
          swatch(`linear-gradient(to right, ${tree.branches.join(",")})`, "branches, near to far"),
          swatch(tree.victim, roles ? "victim host" : "host held up", true),
          roles && swatch(tree.contributor, "host that feeds the hot spot", true),
        ),
    );
  }

  showMoment(replay: Replay, frame: number, tree: number, colour: MapName): void {
    this.showTrees(replay, frame, tree);
    const top = replay.top(frame, colour, PORTS);
    const { title } = LISTS[colour];
    this.showRoots(replay, frame);
    replace(
      this.ports,
      el("h3", {}, title),
      top.length === 0
        ? el("p", { class: "empty" }, this.noLinks(replay, colour))
        : el(
            "ol",
            { class: "bars" },
            ...top.map(({ port, value }) =>
              el(
                "li",
                {},
                el(
                  "button",
                  {
                    type: "button",
                    title: replay.shares(port, frame),
                    onclick: () => this.actions.pickPort(port),
                  },
                  el("span", { class: "name" }, replay.linkName(port)),
                  el("span", { class: "value" }, replay.text(port, frame, colour)),
                  el("span", {
                    class: `bar ${colour}`,
                    style: `width:${(value * 100).toFixed(1)}%`,
                  }),
                ),
              ),
            ),
          ),
    );
  }

  private noLinks(replay: Replay, colour: MapName): string {
    if (!replay.frames && !replay.hasTotals) return "This run recorded no links.";
    return LISTS[colour].none;
  }

  /** Who queues are set aside for at this moment. */
  private showRoots(replay: Replay, frame: number): void {
    const roots = frame < 0 ? [] : replay.roots(frame);
    if (roots.length === 0) {
      replace(this.roots);
      return;
    }
    const rest = roots.length - TREES;
    replace(
      this.roots,
      el("h3", {}, "Set-aside queues"),
      el("p", { class: "facts" }, `${replay.queues(frame)} in use, for:`),
      el(
        "ol",
        { class: "trees" },
        ...roots.slice(0, TREES).map(({ root, queues, hops, from_ns, until_ns }) =>
          el(
            "li",
            {},
            el(
              "button",
              {
                type: "button",
                title: `${time(from_ns)} to ${time(until_ns)}`,
                onclick: () => this.actions.pickPort(root),
              },
              el("b", {}, replay.portName(root)),
              ` ${queues} at most, up to ${plural(hops, "link")} away`,
            ),
          ),
        ),
      ),
      rest > 0 && el("p", { class: "empty" }, `and ${plural(rest, "smaller one")}`),
    );
  }

  private showTrees(replay: Replay, frame: number, picked: number): void {
    const trees = frame < 0 ? [] : replay.trees(frame);
    const title = el("h3", {}, "Congestion trees");
    if (trees.length === 0) {
      const text =
        replay.run.trees.length === 0
          ? "This run recorded no trees."
          : frame < 0
            ? "Move the slider to see the trees of a moment."
            : "No tree at this moment.";
      replace(this.trees, title, el("p", { class: "empty" }, text));
      return;
    }
    const held = replay.held(picked >= 0 && trees[picked] ? [trees[picked]!] : trees);
    const branched = trees.filter((tree) => tree.branches.length > 0);
    const alone = trees.length - branched.length;
    const rest = branched.length - TREES;
    replace(
      this.trees,
      title,
      el(
        "p",
        { class: "facts" },
        this.heldText(replay, held.victims.length, held.contributors.length),
      ),
      el(
        "ol",
        { class: "trees" },
        ...branched.slice(0, TREES).map((tree, rank) =>
          el(
            "li",
            {},
            el(
              "button",
              {
                type: "button",
                "aria-pressed": String(rank === picked),
                title: rank === picked ? "Show all trees" : "Show only this tree",
                onclick: () => this.actions.pickTree(rank === picked ? -1 : rank),
              },
              el("b", {}, replay.portName(tree.root)),
              ` ${plural(tree.branches.length + 1, "port")}, depth ${tree.depth}`,
            ),
          ),
        ),
      ),
      rest > 0 && el("p", { class: "empty" }, `and ${plural(rest, "smaller one")}`),
      alone > 0 &&
        el("p", { class: "empty" }, `${plural(alone, "port")} cannot keep up, without branches`),
    );
  }

  private heldText(replay: Replay, victims: number, contributors: number): string {
    if (victims + contributors === 0) return "No host is held up.";
    if (!replay.run.hosts) return `${plural(victims, "host")} held up at the network's edge.`;
    const parts = [];
    if (victims > 0) parts.push(plural(victims, "victim host"));
    if (contributors > 0)
      parts.push(plural(contributors, "host that feeds it", "hosts that feed it"));
    return `Held up: ${parts.join(" and ")}.`;
  }

  /** Numbers of a picked bundle: each direction. */
  showPicked(replay: Replay, scene: Scene, bundle: number, frame: number): void {
    const found = scene.bundles[bundle];
    if (!found) {
      replace(this.picked);
      return;
    }
    const ports = [...found.forward, ...found.backward];
    const shown = ports.slice(0, 4);
    replace(
      this.picked,
      el("h3", {}, ports.length > 2 ? `${plural(ports.length, "port")} between` : "Link"),
      ...shown.map((port) => this.portFacts(replay, port, frame)),
      ports.length > shown.length &&
        el("p", { class: "empty" }, `and ${plural(ports.length - shown.length, "more port")}`),
    );
  }

  private portFacts(replay: Replay, port: number, frame: number): HTMLElement {
    const { links } = replay.run;
    const total =
      links &&
      [
        `${quantity(links.bytes[port] ?? null, "B")} in the run`,
        `${quantity(links.queued_max[port] ?? null, "B")} queued at most`,
      ].join(", ");
    return el(
      "div",
      { class: "port" },
      el("b", {}, replay.linkName(port)),
      el("p", {}, replay.shares(port, frame)),
      total ? el("p", { class: "empty" }, total) : null,
    );
  }
}
