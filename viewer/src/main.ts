import { DrawnFigures } from "./charts/drawn_figures";
import { ComparisonCard } from "./charts/comparison_card";
import { DistributionCard } from "./charts/distribution_card";
import { ScatterCard } from "./charts/scatter_card";
import { TimeCard } from "./charts/time_card";
import { CongestionView } from "./congestion/view";
import { ConfigurationView } from "./configuration";
import type { Report } from "./data";
import { el, replace } from "./dom";
import { Shortcuts } from "./keyboard";
import { parseReport } from "./load";
import { MeasuredView } from "./measured/view";
import { Store, type Key } from "./state";
import { heading, provenance } from "./summary";
import { RunTable } from "./table";
import { themeButton } from "./theme";

function section(id: string, title: string, ...content: (Node | null)[]): HTMLElement {
  return el(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title` }, title),
    ...content,
  );
}

function build(report: Report): void {
  const store = new Store(report, location.hash);
  const theme = themeButton((value) => store.setTheme(value));
  const table = new RunTable(store);
  const time = new TimeCard(store);
  const distribution = new DistributionCard(store);
  const comparison = new ComparisonCard(store, () => table.visible());
  const scatter = new ScatterCard(store, () => table.visible());
  const figures = new DrawnFigures(store);
  const congestion = new CongestionView(store);
  const measured = new MeasuredView(store);
  const configuration = new ConfigurationView(store);
  const shortcuts = new Shortcuts(store, { table, congestion, theme });

  store.subscribe((changed) => {
    const all = changed.size === 0 || changed.has("published");
    if (all) figures.draw();
    const common: Key[] = ["chosen", "single", "log"];
    const has = (...keys: Key[]) => all || [...common, ...keys].some((key) => changed.has(key));
    if (has("series")) time.draw();
    if (has("histogram")) distribution.draw();
    if (has("scalar", "over")) comparison.draw();
    if (has("across", "up", "front")) scatter.draw();
    if (all || changed.has("chosen") || changed.has("log")) measured.draw();
  });
  table.onFilter(() => {
    comparison.draw();
    scatter.draw();
  });

  const links: [id: string, text: string][] = [
    ["runs", "Runs"],
    ["charts", "Charts"],
    ...(figures.isEmpty ? [] : [["figures", "Figures"] as [string, string]]),
    ["congestion", "Congestion"],
    ...(measured.isEmpty ? [] : [["measured", "Real fabric"] as [string, string]]),
    ["configuration", "Configuration"],
    ["provenance", "Provenance"],
  ];
  replace(
    document.body,
    el("a", { class: "skip", href: "#runs", onclick: jump("runs") }, "To the content"),
    el(
      "header",
      { class: "top" },
      el("span", { class: "brand" }, "weir"),
      el(
        "nav",
        { "aria-label": "Parts of the report" },
        ...links.map(([id, text]) => el("a", { href: `#${id}`, onclick: jump(id) }, text)),
      ),
      shortcuts.button,
      theme,
    ),
    el(
      "main",
      {},
      heading(report),
      section("runs", "Runs", table.element),
      section(
        "charts",
        "Charts",
        time.element,
        el("div", { class: "pair" }, comparison.element, distribution.element),
        scatter.element,
      ),
      figures.isEmpty
        ? null
        : section(
            "figures",
            "Figures of the experiment",
            el(
              "p",
              { class: "note" },
              "What the experiment plots and no chart above can show, as “weir plot” draws it. " +
                "Of what has been published, " +
                "hollow symbols and dashed lines are values that no run measured.",
            ),
            figures.element,
          ),
      section("congestion", "Congestion", el("div", { class: "card" }, congestion.element)),
      measured.isEmpty ? null : section("measured", "Beside the real fabric", measured.element),
      section("configuration", "Configuration", configuration.element),
      section("provenance", "Provenance", provenance(store)),
    ),
    shortcuts.dialog,
  );
  // in place now, so that charts know their width
  for (const card of [time, distribution, comparison, scatter, figures, measured]) card.draw();
  followSections(links.map(([id]) => id));
  document.title = `${report.title || report.name} – weir`;
  addEventListener("hashchange", () => store.read(location.hash));
  Object.assign(window, {
    weirReport: {
      store,
      congestion,
      configuration,
      table,
      figures,
      charts: {
        time: time.chart,
        comparison: comparison.chart,
        distribution: distribution.chart,
        scatter: scatter.chart,
        measured: measured.chart,
      },
    },
  });
}

/** Goes to a part without touching the address, which holds the state. */
function jump(id: string): EventListener {
  return (event) => {
    event.preventDefault();
    const target = document.getElementById(id);
    target?.scrollIntoView({ block: "start" });
    target?.setAttribute("tabindex", "-1");
    target?.focus({ preventScroll: true });
  };
}

/** Marks in the navigation which part is being looked at. */
function followSections(ids: string[]): void {
  const links = new Map(ids.map((id) => [id, document.querySelector(`nav a[href="#${id}"]`)]));
  const seen = new Map<string, number>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) seen.set(entry.target.id, entry.intersectionRect.height);
      const [best] = [...seen].sort((a, b) => b[1] - a[1])[0] ?? [""];
      for (const [id, link] of links) {
        if (id === best) link?.setAttribute("aria-current", "true");
        else link?.removeAttribute("aria-current");
      }
    },
    { threshold: [0, 0.2, 0.4, 0.6, 0.8, 1] },
  );
  for (const id of ids) observer.observe(document.getElementById(id)!);
}

async function start(): Promise<void> {
  const text = document.getElementById("weir-report")?.textContent ?? "";
  try {
    build(await parseReport(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    replace(
      document.body,
      el(
        "main",
        {},
        el(
          "div",
          { class: "card broken", role: "alert" },
          el("h1", {}, "This report cannot be read"),
          el("p", {}, why),
          el("p", {}, "Writing it again with “weir report” usually helps."),
        ),
      ),
    );
  }
}

void start();
