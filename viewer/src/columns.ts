import { el, replace } from "./dom";
import { plural } from "./format";
import { chosenColumns, columnOf, metricName, scalarNames, tableColumns } from "./runs";
import type { Key, Store } from "./state";

/** More are found by typing. */
const MOST = 150;

/** Which metrics the table shows: a button with a list to tick. */
export class ColumnPicker {
  readonly element: HTMLDetailsElement;
  private readonly search: HTMLInputElement;
  private readonly list = el("ul");
  private readonly rest = el("p", { class: "empty" });
  private readonly names: string[];

  constructor(private readonly store: Store) {
    this.names = scalarNames(store.report.runs);
    this.search = el("input", {
      type: "search",
      placeholder: `Find among ${plural(this.names.length, "metric")}`,
      "aria-label": "Find a column",
      oninput: () => this.draw(),
    });
    this.element = el(
      "details",
      { class: "popup columns" },
      el("summary", { title: "Choose the columns of the table", "data-key": "columns" }, "Columns"),
      el(
        "div",
        { class: "sheet", role: "group", "aria-label": "Columns" },
        el(
          "div",
          { class: "controls" },
          this.search,
          el(
            "button",
            {
              type: "button",
              title: "Those that the experiment asks for",
              onclick: () => store.set({ columns: "" }),
            },
            "As at first",
          ),
        ),
        this.list,
        this.rest,
      ),
    );
    this.element.addEventListener("toggle", () => {
      if (this.element.open) this.draw();
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.element.open) return;
      event.stopPropagation();
      this.element.open = false;
      this.element.querySelector("summary")!.focus();
    });
    document.addEventListener("pointerdown", (event) => {
      if (!this.element.contains(event.target as Node)) this.element.open = false;
    });
    store.subscribe((changed: Set<Key>) => {
      if (changed.has("columns") && this.element.open) this.draw();
    });
  }

  private shown(): string[] {
    return chosenColumns(this.store.report, this.store.state.columns).map((one) =>
      metricName(one.metric, one.label),
    );
  }

  private set(name: string, on: boolean): void {
    const { report } = this.store;
    const others = this.shown().filter((one) => one !== name);
    const next = on ? [...others, name] : others;
    const first = tableColumns(report).map((one) => metricName(one.metric, one.label));
    // a table without any metric is asked for by a name that no run has
    this.store.set({ columns: next.join() === first.join() ? "" : next.join("|") || "none" });
  }

  private draw(): void {
    const { report } = this.store;
    const shown = this.shown();
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [...shown, ...this.names.filter((name) => !shown.includes(name))].filter(
      (name) => {
        const text = `${name} ${columnOf(report, name).title}`.toLowerCase();
        return words.every((word) => text.includes(word));
      },
    );
    const active = document.activeElement?.getAttribute("data-column");
    replace(
      this.list,
      ...found.slice(0, MOST).map((name) => {
        const column = columnOf(report, name);
        return el(
          "li",
          {},
          el(
            "label",
            { title: report.metrics[column.metric]?.meaning ?? "" },
            el("input", {
              type: "checkbox",
              "data-column": name,
              checked: shown.includes(name),
              onchange: (event) => this.set(name, (event.target as HTMLInputElement).checked),
            }),
            column.title,
          ),
        );
      }),
    );
    const left = found.length - MOST;
    this.rest.textContent =
      found.length === 0
        ? "No metric is called so."
        : left > 0
          ? `and ${plural(left, "more", "more")}: type to find them`
          : "";
    if (active)
      this.list.querySelector<HTMLElement>(`[data-column="${CSS.escape(active)}"]`)?.focus();
  }
}
