import { el, replace } from "./dom";
import { plural } from "./format";
import type { Key, Store } from "./state";
import { fieldsOf, type Field } from "./table_fields";

const PAGE = 200;

/** All runs: sorted, filtered, chosen. */
export class RunTable {
  readonly element: HTMLElement;
  private readonly fields: Field[];
  private readonly body = el("tbody");
  private readonly head = el("tr");
  private readonly count = el("span", { class: "count", role: "status" });
  private readonly more = el("button", {
    type: "button",
    class: "more",
    onclick: () => {
      this.limit += PAGE;
      this.draw();
    },
  });
  private readonly filter: HTMLInputElement;
  private limit = PAGE;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly store: Store) {
    this.fields = fieldsOf(store);
    this.filter = el("input", {
      type: "search",
      placeholder: "Filter: case, value, failed…",
      "aria-label": "Filter runs",
      value: store.state.filter,
      oninput: () => store.set({ filter: this.filter.value }),
    });
    const buttons = el(
      "span",
      { class: "tools" },
      el("button", { type: "button", onclick: () => this.chooseVisible() }, "Choose these"),
      el("button", { type: "button", onclick: () => store.set({ chosen: [] }) }, "Choose none"),
    );
    this.element = el(
      "div",
      { class: "card runs" },
      el("div", { class: "controls" }, this.filter, this.count, buttons),
      el(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of runs" },
        el(
          "table",
          {},
          el("caption", { class: "hidden" }, "Runs"),
          el("thead", {}, this.head),
          this.body,
        ),
      ),
      this.more,
    );
    store.subscribe((changed) => this.update(changed));
    this.draw();
  }

  /** Runs (indices) that the filter lets through, in the order of the table. */
  visible(): number[] {
    const { report, state, names } = this.store;
    const words = state.filter.toLowerCase().split(/\s+/).filter(Boolean);
    const list = report.runs.flatMap((run, index) => {
      const text = [
        names[index],
        run.status,
        run.error,
        run.host,
        `seed ${run.seed}`,
        run.hash,
        ...run.parameters.flat(),
      ]
        .join(" ")
        .toLowerCase();
      return words.every((word) => text.includes(word)) ? [index] : [];
    });
    const [id, direction] = state.sort.split(":");
    const field = this.fields.find((one) => one.id === id);
    if (!field) return list;
    const sign = direction === "down" ? -1 : 1;
    return list.sort(
      (a, b) =>
        order(field.sortValue(report.runs[a]!), field.sortValue(report.runs[b]!), sign) || a - b,
    );
  }

  /** Calls when other runs are visible. */
  onFilter(listener: () => void): void {
    this.listeners.push(listener);
  }

  focusFilter(): void {
    this.filter.focus();
    this.filter.select();
  }

  private update(changed: Set<Key>): void {
    const ours: Key[] = ["focus", "chosen", "sort", "filter"];
    if (changed.size > 0 && !ours.some((key) => changed.has(key))) return;
    if (this.filter.value !== this.store.state.filter) this.filter.value = this.store.state.filter;
    this.draw();
    if (changed.has("filter")) for (const listener of this.listeners) listener();
  }

  private chooseVisible(): void {
    const { report } = this.store;
    this.store.set({ chosen: this.visible().filter((at) => report.runs[at]!.status === "done") });
  }

  private draw(): void {
    const { report, state } = this.store;
    const active = document.activeElement?.getAttribute("data-key");
    const visible = this.visible();
    const all = report.runs.length;
    this.count.textContent =
      `${visible.length < all ? `${visible.length} of ` : ""}` +
      `${plural(all, "run")}, ${state.chosen.length} in the charts`;
    replace(this.head, ...this.fields.map((field) => this.heading(field)));
    replace(this.body, ...visible.slice(0, this.limit).flatMap((index) => this.row(index)));
    if (visible.length === 0) {
      this.body.append(
        el(
          "tr",
          {},
          el(
            "td",
            { colspan: this.fields.length, class: "empty" },
            all === 0 ? "There are no runs in this report." : "No run matches the filter.",
          ),
        ),
      );
    }
    this.more.hidden = visible.length <= this.limit;
    this.more.textContent = `Show ${Math.min(PAGE, visible.length - this.limit)} more`;
    // the element that had the focus is new now
    if (active)
      this.element.querySelector<HTMLElement>(`[data-key="${CSS.escape(active)}"]`)?.focus();
  }

  private heading(field: Field): HTMLElement {
    const [id, direction] = this.store.state.sort.split(":");
    const sorted = id === field.id ? direction : "";
    if (!field.title)
      return el("th", { scope: "col" }, el("span", { class: "hidden" }, field.hint));
    return el(
      "th",
      {
        scope: "col",
        class: field.numeric ? "number" : "",
        "aria-sort": sorted === "down" ? "descending" : sorted === "up" ? "ascending" : "none",
      },
      el(
        "button",
        {
          type: "button",
          title: field.hint,
          "data-key": `sort ${field.id}`,
          onclick: () => {
            const next = sorted === "" ? "up" : sorted === "up" ? "down" : "";
            this.store.set({ sort: next ? `${field.id}:${next}` : "" });
          },
        },
        field.title,
        el(
          "span",
          { class: "arrow", "aria-hidden": "true" },
          sorted === "down" ? " ↓" : sorted === "up" ? " ↑" : "",
        ),
      ),
    );
  }

  private row(index: number): HTMLElement[] {
    const { report, state } = this.store;
    const run = report.runs[index]!;
    const row = el(
      "tr",
      {
        "aria-selected": String(index === state.focus),
        "data-run": run.id,
        class: run.status === "failed" ? "failed" : "",
        onclick: (event) => {
          if (!(event.target as Element).closest("input,button,a"))
            this.store.set({ focus: index });
        },
      },
      ...this.fields.map((field) => field.cell(run, index)),
    );
    if (run.status !== "failed") return [row];
    return [
      row,
      el(
        "tr",
        { class: "error" },
        el(
          "td",
          { colspan: this.fields.length },
          el("code", {}, run.error || "failed without a message"),
        ),
      ),
    ];
  }
}

function order(a: number | string | null, b: number | string | null, sign: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === "number" && typeof b === "number") return (a - b) * sign;
  return String(a).localeCompare(String(b), undefined, { numeric: true }) * sign;
}
