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
  findScalar,
  hopsPerSecond,
  parameter,
  shortKey,
  sweptKeys,
  tableColumns,
  type Column,
} from "./runs";
import type { Store } from "./state";

/** A column of the table of runs. */
export interface Field {
  id: string;
  title: string;
  hint: string;
  numeric: boolean;
  sortValue(run: Run): number | string | null;
  cell(run: Run, index: number): HTMLElement;
}

/** The columns that this report needs. */
export function fieldsOf(store: Store): Field[] {
  const { report } = store;
  const fields: Field[] = [check(store), name(store)];
  for (const key of sweptKeys(report.runs)) {
    fields.push(
      text(`key ${key}`, shortKey(key), key, (run) => plainValue(parameter(run, key) ?? "")),
    );
  }
  if (new Set(report.runs.map((run) => run.seed)).size > 1) {
    fields.push(text("seed", "seed", "Seed of the random numbers", (run) => String(run.seed)));
  }
  fields.push(status());
  for (const column of tableColumns(report)) fields.push(metric(store, column));
  fields.push(spark(store));
  fields.push(seconds("wall", "took", "Time the run took by the clock", (run) => run.wall_seconds));
  if (report.runs.some((run) => run.cpu_seconds !== null)) {
    fields.push(seconds("cpu", "CPU", "CPU time of the run", (run) => run.cpu_seconds));
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
    cell: (run, index) => {
      const chosen = store.state.chosen.includes(index);
      const box = el("input", {
        type: "checkbox",
        "data-key": `check ${index}`,
        checked: chosen,
        disabled: run.status === "failed",
        "aria-label": `${store.names[index]} in the charts`,
        style: `accent-color:${store.colour(index)}`,
        onchange: () => store.toggleRun(index),
      });
      return el("td", { class: "check" }, box);
    },
  };
}

function name(store: Store): Field {
  const hasCases = store.report.runs.some((run) => run.case);
  const swept = sweptKeys(store.report.runs).length > 0;
  const title = hasCases ? "case" : "run";
  return {
    id: "case",
    title,
    hint: "Select for the congestion view and the configuration",
    numeric: false,
    sortValue: (run) => (hasCases ? run.case : run.id),
    cell: (run, index) => {
      const chosen = store.state.chosen.includes(index);
      return el(
        "th",
        { scope: "row" },
        el("i", { class: "dot", style: chosen ? `background:${store.colour(index)}` : "" }),
        el(
          "button",
          {
            type: "button",
            "data-key": `focus ${index}`,
            "aria-current": String(index === store.state.focus),
            onclick: () => store.set({ focus: index }),
          },
          hasCases ? run.case || "–" : swept ? `run ${run.id}` : store.names[index]!,
        ),
      );
    },
  };
}

/** A time that the run took; where, when and how fast on pointing at it. */
function seconds(
  id: string,
  title: string,
  hint: string,
  value: (run: Run) => number | null,
): Field {
  return {
    id,
    title,
    hint,
    numeric: true,
    sortValue: value,
    cell: (run) => {
      const took = value(run);
      const rate = hopsPerSecond([run]);
      return el(
        "td",
        {
          class: "number",
          title: `${clock(run.started)} on ${run.host}` + (rate ? `; ${hopRate(rate)}` : ""),
        },
        took === null ? "–" : duration(took),
      );
    },
  };
}

function text(id: string, title: string, hint: string, value: (run: Run) => string): Field {
  return {
    id,
    title,
    hint,
    numeric: false,
    sortValue: value,
    cell: (run) => el("td", {}, value(run)),
  };
}

function status(): Field {
  return {
    id: "status",
    title: "status",
    hint: "done or failed",
    numeric: false,
    sortValue: (run) => run.status,
    cell: (run) =>
      el(
        "td",
        {},
        el("span", { class: `status ${run.status}` }, run.status),
        run.notes.length > 0 &&
          el(
            "span",
            { class: "warn", title: run.notes.join("\n") },
            plural(run.notes.length, "note"),
          ),
      ),
  };
}

/** A number with its interval, and a bar that compares it with the other runs. */
function metric(store: Store, column: Column): Field {
  const values = store.report.runs.flatMap(
    (run) => findScalar(run, column.metric, column.label)?.value ?? [],
  );
  const most = column.unit === "1" ? Math.max(1, ...values) : Math.max(0, ...values);
  const known = store.report.metrics[column.metric];
  const value = (run: Run) => findScalar(run, column.metric, column.label);
  return {
    id: `${column.metric}[${column.label}]`,
    title: column.title,
    hint: known ? `${known.meaning}${known.source ? ` (${known.source})` : ""}` : "",
    numeric: true,
    sortValue: (run) => value(run)?.value ?? null,
    cell: (run) => {
      const scalar = value(run);
      if (!scalar || scalar.value === null) {
        const why = scalar?.quality === "not stationary" ? "not stationary" : "–";
        return el("td", { class: "number empty" }, why);
      }
      const share = most > 0 ? Math.max(0, scalar.value) / most : 0;
      return el(
        "td",
        {
          class: "number",
          title:
            scalar.half_width === null
              ? quantity(scalar.value, column.unit, 6)
              : "with its 95 % interval",
        },
        withInterval(scalar.value, scalar.half_width, column.unit),
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
  const found = [...asked, "efficiency", "throughput"].find((text) =>
    report.runs.some((run) =>
      run.series.some((one) => text === (one.label ? `${one.metric}[${one.label}]` : one.metric)),
    ),
  );
  const series = (run: Run) =>
    run.series.find((one) => found === (one.label ? `${one.metric}[${one.label}]` : one.metric));
  const all = report.runs.flatMap((run) => series(run)?.values ?? []);
  let most = 0;
  for (const value of all) if (value !== null && value > most) most = value;
  return {
    id: found ? "spark" : "",
    title: "",
    hint: `${found ?? ""} over time`,
    numeric: false,
    sortValue: () => null,
    cell: (run, index) => {
      const values = series(run)?.values;
      if (!values || most === 0) return el("td");
      const step = Math.max(1, Math.ceil(values.length / 120));
      const points = values.flatMap((value, k) =>
        value === null || k % step
          ? []
          : [
              `${((k / Math.max(1, values.length - 1)) * 110).toFixed(1)},${(25 - (value / most) * 23).toFixed(1)}`,
            ],
      );
      const colour = store.state.chosen.includes(index) ? store.colour(index) : "currentColor";
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
          svg("polyline", { points: points.join(" "), style: `stroke:${colour}` }),
        ),
      );
    },
  };
}
