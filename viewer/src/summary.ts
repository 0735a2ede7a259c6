import type { Report } from "./data";
import { el } from "./dom";
import { clock, duration, hopRate, plural, time } from "./format";
import { hopsPerSecond } from "./runs";
import type { Store } from "./state";

/** Title, a line of facts, and what went wrong if anything did. */
export function heading(report: Report): HTMLElement {
  const failed = report.runs.filter((run) => run.status === "failed").length;
  const durations = new Set(report.runs.map((run) => run.duration_ns));
  const [simulated] = durations;
  const facts = [
    ...new Set(report.topologies.map((topology) => topology.summary).filter(Boolean)),
  ].slice(0, 2);
  facts.push(plural(report.runs.length, "run"));
  if (durations.size === 1 && simulated) facts.push(`${time(simulated)} simulated`);
  return el(
    "div",
    { class: "title" },
    el("h1", {}, report.title || report.name || "Results"),
    el(
      "p",
      { class: "facts" },
      facts.join(" · "),
      failed > 0 ? el("span", { class: "status failed" }, `${failed} failed`) : null,
    ),
    report.description ? el("p", { class: "description" }, report.description.trim()) : null,
    ...(report.notes ?? []).map((note) => el("p", { class: "description left-out" }, note)),
  );
}

/** Where the numbers come from. */
export function provenance(store: Store): HTMLElement {
  const { report } = store;
  const { runs } = report;
  const unique = (values: string[]) => [...new Set(values.filter(Boolean))].join(", ") || "–";
  const seconds = runs.reduce((sum, run) => sum + (run.wall_seconds ?? 0), 0);
  const cpu = runs.reduce((sum, run) => sum + (run.cpu_seconds ?? 0), 0);
  const rate = hopsPerSecond(runs);
  const started = runs
    .map((run) => run.started)
    .filter(Boolean)
    .sort()[0];
  const finished = runs
    .map((run) => run.finished)
    .filter(Boolean)
    .sort()
    .at(-1);
  const facts: [string, string][] = [
    ["Experiment", report.name || "–"],
    ["Results", report.provenance.results || "–"],
    ["Simulated with", `weir ${unique(runs.map((run) => run.version))}`],
    ["On", unique(runs.map((run) => run.host))],
    ["From – to", started && finished ? `${clock(started)} – ${clock(finished)}` : "–"],
    ["Time of all runs", duration(seconds) + (cpu > 0 ? `; CPU time ${duration(cpu)}` : "")],
    ...(rate ? [["Speed", hopRate(rate)] satisfies [string, string]] : []),
    ["Report written", `${clock(report.provenance.generated)} by weir ${report.weir}`],
  ];
  return el(
    "div",
    { class: "card provenance" },
    el("dl", {}, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
    el(
      "details",
      {},
      el("summary", {}, "Configuration hashes, seeds and fingerprints"),
      el(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Hashes of all runs" },
        el(
          "table",
          {},
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              ...["run", "seed", "configuration", "trajectory", "finished"].map((text) =>
                el("th", { scope: "col" }, text),
              ),
            ),
          ),
          el(
            "tbody",
            {},
            ...runs
              .slice(0, 1000)
              .map((run, index) =>
                el(
                  "tr",
                  {},
                  el("th", { scope: "row" }, store.names[index]!),
                  el("td", {}, String(run.seed)),
                  el("td", {}, el("code", {}, run.hash.slice(0, 16))),
                  el("td", {}, el("code", {}, run.fingerprint)),
                  el("td", {}, clock(run.finished)),
                ),
              ),
          ),
        ),
      ),
    ),
    notes(store),
  );
}

function notes(store: Store): HTMLElement | null {
  const texts = new Map<string, string[]>();
  store.report.runs.forEach((run, index) => {
    for (const note of run.notes)
      texts.set(note, [...(texts.get(note) ?? []), store.names[index]!]);
  });
  if (texts.size === 0) return null;
  return el(
    "details",
    { open: true },
    el("summary", {}, "Notes of the runs"),
    el(
      "ul",
      { class: "notes" },
      ...[...texts].map(([note, names]) =>
        el(
          "li",
          {},
          note,
          el(
            "span",
            { class: "empty" },
            ` ${names.length > 3 ? plural(names.length, "run") : names.join("; ")}`,
          ),
        ),
      ),
    ),
  );
}
