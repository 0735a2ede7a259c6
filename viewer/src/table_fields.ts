import { withUnit } from "./csv";
import type { Run } from "./data";
import { el, svg } from "./dom";
import {
  clock,
  duration,
  hopRate,
  percent,
  plainValue,
  plural,
  quantity,
  withInterval,
} from "./format";
import {
  chosenColumns,
  findScalar,
  hopsPerSecond,
  metricName,
  parameter,
  shortKey,
  sweptKeys,
  type Column,
} from "./runs";
import type { Store } from "./state";
import { estimate } from "./statistics";

type Value = string | number | null;

/** A column of the table of runs. Rows are runs (indices) that differ in their seeds only. */
export interface Field {
  id: string;
  title: string;
  hint: string;
  numeric: boolean;
  sortValue(runs: number[]): Value;
  cell(runs: number[], line: Shown): HTMLElement;
  /** Columns of a file, and what a row has in them; left out where it is only for the eye. */
  sheet?: { columns: string[]; values(runs: number[]): Value[] };
}

/** How a row is shown. */
export interface Shown {
  name: string;
  /** Of several seeds: whether they are listed; null: a single run. */
  unfolded: boolean | null;
  isSeed: boolean;
  toggle(): void;
}

/** The columns that this report needs. */
export function fieldsOf(store: Store): Field[] {
  const { report } = store;
  const { runs } = report;
  const fields: Field[] = [check(store), name(store)];
  for (const key of sweptKeys(runs)) {
    fields.push(
      text(store, `key ${key}`, shortKey(key), key, (run) => plainValue(parameter(run, key) ?? "")),
    );
  }
  if (new Set(runs.map((run) => run.seed)).size > 1) fields.push(seed(store));
  fields.push(status(store));
  for (const column of chosenColumns(report, store.state.columns)) {
    fields.push(metric(store, column));
  }
  fields.push(spark(store));
  fields.push(
    seconds(store, "wall", "took", "Time the run took by the clock", (run) => run.wall_seconds),
  );
  if (runs.some((run) => run.cpu_seconds !== null)) {
    fields.push(seconds(store, "cpu", "CPU", "CPU time of the run", (run) => run.cpu_seconds));
  }
  return fields.filter((field) => field.id !== "");
}

function check(store: Store): Field {
  return {
    id: "check",
    title: "",
    hint: "In the charts",
    numeric: false,
    sortValue: () => null,
    cell: (runs, { name }) => {
      const { runs: all } = store.report;
      const able = runs.filter((index) => all[index]!.status !== "failed");
      const chosen = able.filter((index) => store.state.chosen.includes(index));
      const box = el("input", {
        type: "checkbox",
        "data-key": `check ${name}`,
        checked: chosen.length > 0,
        disabled: able.length === 0,
        "aria-label": `${name} in the charts`,
        style: `accent-color:${store.colour(runs[0]!)}`,
        onchange: () => store.choose(able, chosen.length < able.length),
      });
      box.indeterminate = chosen.length > 0 && chosen.length < able.length;
      return el("td", { class: "check" }, box);
    },
  };
}

function name(store: Store): Field {
  const { runs: all } = store.report;
  const hasCases = all.some((run) => run.case);
  const swept = sweptKeys(all).length > 0;
  const title = hasCases ? "case" : "run";
  return {
    id: "case",
    title,
    hint: "Select for the congestion view and the configuration",
    numeric: false,
    sortValue: ([index]) =>
      hasCases ? all[index!]!.case : swept ? store.names[index!]! : all[index!]!.id,
    sheet: {
      columns: hasCases ? ["case"] : [],
      values: ([index]) => (hasCases ? [all[index!]!.case] : []),
    },
    cell: (runs, line) => {
      const [index] = runs as [number, ...number[]];
      const run = all[index]!;
      const chosen = runs.some((one) => store.state.chosen.includes(one));
      const values = sweptKeys(all).map((key) => plainValue(parameter(run, key) ?? "–"));
      const roles = line.isSeed ? [] : (store.roles(index) ?? []);
      return el(
        "th",
        { scope: "row", class: line.isSeed ? "one-seed" : "" },
        el(
          "span",
          { class: "name" },
          el("i", { class: "dot", style: chosen ? `background:${store.colour(index)}` : "" }),
          el(
            "button",
            {
              type: "button",
              "data-key": `focus ${line.name}`,
              title: line.name,
              "aria-current": String(runs.includes(store.state.focus)),
              onclick: () => store.set({ focus: index }),
            },
            line.isSeed
              ? `seed ${run.seed}`
              : hasCases
                ? run.case || "–"
                : swept
                  ? values.join(", ")
                  : line.name,
          ),
          ...roles.map((role) => el("span", { class: `role ${role}` }, role)),
        ),
      );
    },
  };
}

/** The seed of a run; of folded ones how many, which lists them. */
function seed(store: Store): Field {
  const seeds = (runs: number[]) => runs.map((index) => store.report.runs[index]!.seed);
  return {
    id: "seed",
    title: "seed",
    hint: "Seed of the random numbers",
    numeric: false,
    sortValue: (runs) => Math.min(...seeds(runs)),
    sheet: { columns: ["seeds"], values: (runs) => [seeds(runs).join(" ")] },
    cell: (runs, line) => {
      if (line.unfolded === null) return el("td", {}, String(seeds(runs)[0]));
      return el(
        "td",
        {},
        el(
          "button",
          {
            type: "button",
            class: "fold",
            "data-key": `fold ${line.name}`,
            "aria-expanded": String(line.unfolded),
            title: line.unfolded ? "Fold the seeds" : "List the seeds one by one",
            onclick: () => line.toggle(),
          },
          el("span", { "aria-hidden": "true" }, line.unfolded ? "▾" : "▸"),
          plural(runs.length, "seed"),
        ),
      );
    },
  };
}

/** A time that the run took, of several seeds the sum; where, when and how fast on pointing at it. */
function seconds(
  store: Store,
  id: string,
  title: string,
  hint: string,
  value: (run: Run) => number | null,
): Field {
  const all = (runs: number[]) => runs.map((index) => store.report.runs[index]!);
  const sum = (runs: number[]) => {
    const known = all(runs).flatMap((run) => value(run) ?? []);
    return known.length > 0 ? known.reduce((total, one) => total + one, 0) : null;
  };
  return {
    id,
    title,
    hint,
    numeric: true,
    sortValue: sum,
    sheet: { columns: [withUnit(title, "s")], values: (runs) => [sum(runs)] },
    cell: (runs) => {
      const [run] = all(runs) as [Run, ...Run[]];
      const took = sum(runs);
      const rate = hopsPerSecond(all(runs));
      const where = runs.length > 1 ? "all seeds" : `${clock(run.started)} on ${run.host}`;
      return el(
        "td",
        { class: "number", title: where + (rate ? `; ${hopRate(rate)}` : "") },
        took === null ? "–" : duration(took),
      );
    },
  };
}

function text(
  store: Store,
  id: string,
  title: string,
  hint: string,
  value: (run: Run) => string,
): Field {
  const first = ([index]: number[]) => value(store.report.runs[index!]!);
  return {
    id,
    title,
    hint,
    numeric: false,
    sortValue: first,
    sheet: { columns: [hint], values: (runs) => [first(runs)] },
    cell: (runs) => el("td", {}, first(runs)),
  };
}

function status(store: Store): Field {
  const all = (runs: number[]) => runs.map((index) => store.report.runs[index]!);
  const told = (runs: number[]) => {
    const failed = all(runs).filter((run) => run.status === "failed").length;
    if (failed === 0) return "done";
    return runs.length > 1 ? `${failed} of ${runs.length} failed` : "failed";
  };
  return {
    id: "status",
    title: "status",
    hint: "done or failed",
    numeric: false,
    sortValue: told,
    sheet: { columns: ["status"], values: (runs) => [told(runs)] },
    cell: (runs) => {
      const notes = [...new Set(all(runs).flatMap((run) => run.notes))];
      const state = told(runs);
      return el(
        "td",
        {},
        el("span", { class: `status ${state === "done" ? "done" : "failed"}` }, state),
        notes.length > 0 &&
          el("span", { class: "warn", title: notes.join("\n") }, plural(notes.length, "note")),
      );
    },
  };
}

/** A number with its interval, of several seeds their mean, and a bar that compares it with others. */
function metric(store: Store, column: Column): Field {
  const { report } = store;
  const scalar = (index: number) => findScalar(report.runs[index]!, column.metric, column.label);
  const values = report.runs.flatMap((_, index) => scalar(index)?.value ?? []);
  const most = column.unit === "1" ? Math.max(1, ...values) : Math.max(0, ...values);
  const known = report.metrics[column.metric];
  const estimated = (runs: number[]) => {
    const [only] = runs;
    if (runs.length === 1) {
      const { value, half_width } = scalar(only!) ?? { value: null, half_width: null };
      return { value, half: half_width };
    }
    const found = estimate(runs.flatMap((index) => scalar(index)?.value ?? []));
    return { value: found?.mean ?? null, half: found?.half ?? null };
  };
  return {
    id: `${column.metric}[${column.label}]`,
    title: column.title,
    hint: known ? `${known.meaning}${known.source ? ` (${known.source})` : ""}` : "",
    numeric: true,
    sortValue: (runs) => estimated(runs).value,
    sheet: {
      columns: [metricName(column.metric, column.label), "half width"].map((one) =>
        withUnit(one, column.unit),
      ),
      values: (runs) => [estimated(runs).value, estimated(runs).half],
    },
    cell: (runs) => {
      const { value, half } = estimated(runs);
      if (value === null) {
        const why = runs.some((index) => scalar(index)?.quality === "not stationary");
        return el("td", { class: "number empty" }, why ? "not stationary" : "–");
      }
      const share = most > 0 ? Math.max(0, value) / most : 0;
      const of = runs.filter((index) => (scalar(index)?.value ?? null) !== null).length;
      return el(
        "td",
        {
          class: "number",
          title:
            (half === null ? quantity(value, column.unit, 6) : "with its 95 % interval") +
            (runs.length > 1 ? `, mean of ${plural(of, "seed")}` : ""),
        },
        withInterval(value, half, column.unit),
        el(
          "span",
          { class: "meter", "aria-hidden": "true" },
          el("i", { style: `width:${(share * 100).toFixed(1)}%` }),
        ),
      );
    },
  };
}

/** The first series that the experiment plots, in small. */
function spark(store: Store): Field {
  const { report } = store;
  const asked = report.figures
    .filter((figure) => figure.x === "time")
    .flatMap((figure) => figure.metrics);
  const nameOf = (one: { metric: string; label: string }) => metricName(one.metric, one.label);
  const found = [...asked, "efficiency", "throughput"].find((text) =>
    report.runs.some((run) => run.series.some((one) => text === nameOf(one))),
  );
  const series = (run: Run) => run.series.find((one) => found === nameOf(one))?.values;
  let most = 0;
  for (const run of report.runs) {
    for (const value of series(run) ?? []) if (value !== null && value > most) most = value;
  }
  return {
    id: found ? "spark" : "",
    title: "",
    hint: `${found ?? ""} over time`,
    numeric: false,
    sortValue: () => null,
    cell: (runs) => {
      const values = meanOf(runs.flatMap((index) => [series(report.runs[index]!) ?? []]));
      if (values.length === 0 || most === 0) return el("td");
      const step = Math.max(1, Math.ceil(values.length / 120));
      const points = values.flatMap((value, k) =>
        value === null || k % step
          ? []
          : [
              `${((k / Math.max(1, values.length - 1)) * 110).toFixed(1)},${(25 - (value / most) * 23).toFixed(1)}`,
            ],
      );
      const chosen = runs.some((index) => store.state.chosen.includes(index));
      const last = values[values.length - 1];
      return el(
        "td",
        { class: "spark" },
        svg(
          "svg",
          {
            viewBox: "0 0 110 26",
            width: 110,
            height: 26,
            role: "img",
            "aria-label":
              `${found} over time, at the end ` +
              (report.metrics[found!.split("[")[0]!]?.unit === "1" && typeof last === "number"
                ? percent(last)
                : String(last ?? "nothing")),
          },
          svg("polyline", {
            points: points.join(" "),
            style: `stroke:${chosen ? store.colour(runs[0]!) : "currentColor"}`,
          }),
        ),
      );
    },
  };
}

/** Bin by bin over series of one length; those of other lengths are left out. */
function meanOf(all: (number | null)[][]): (number | null)[] {
  const [first] = all;
  const same = all.filter((values) => values.length === first?.length);
  return (first ?? []).map((_, k) => {
    const values = same.flatMap((one) => one[k] ?? []);
    return values.length > 0 ? values.reduce((sum, one) => sum + one, 0) / values.length : null;
  });
}
