import { saveSheet } from "./csv";
import { ColumnPicker } from "./columns";
import { el, replace } from "./dom";
import { plural } from "./format";
import type { Key, Store } from "./state";
import { fieldsOf, type Field } from "./table_fields";
import { linesOf, LineTable, runsOf, type LineRow } from "./table_rows";
import { SideScroll } from "./side_scroll";

const PAGE = 200;

/** All runs, seeds folded: sorted, filtered, chosen. */
export class RunTable {
  readonly element: HTMLElement;
  private fields: Field[];
  private readonly lines: LineTable;
  private readonly hasSeeds: boolean;
  private readonly body = el("tbody");
  private readonly head = el("tr");
  private readonly count = el("span", { class: "count", role: "status" });
  private readonly choices = el("span", { class: "group" });
  private readonly picker: ColumnPicker;
  private readonly scroll: SideScroll;
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
  private unfolded = false;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly store: Store) {
    const lines = linesOf(store.report, store.names);
    this.hasSeeds = lines.some((line) => line.seeds.length > 0);
    this.lines = new LineTable(store, lines);
    this.fields = fieldsOf(store);
    this.lines.use(this.fields);
    this.picker = new ColumnPicker(store);
    this.filter = el("input", {
      type: "search",
      placeholder: "Filter: case, value, failed…",
      "aria-label": "Filter runs",
      value: store.state.filter,
      oninput: () => store.set({ filter: this.filter.value }),
    });
    this.scroll = new SideScroll(
      "Table of runs",
      el(
        "table",
        {},
        el("caption", { class: "hidden" }, "Runs"),
        el("thead", {}, this.head),
        this.body,
      ),
    );
    this.element = el(
      "div",
      { class: "card runs" },
      el(
        "div",
        { class: "controls" },
        this.filter,
        this.count,
        el(
          "span",
          { class: "tools" },
          this.choices,
          this.picker.element,
          el(
            "button",
            {
              type: "button",
              title: "Save the table as a CSV file",
              onclick: () => this.save(),
            },
            "CSV",
          ),
        ),
      ),
      this.scroll.element,
      this.more,
    );
    store.subscribe((changed) => this.update(changed));
    this.draw();
  }

  /** Runs (indices) that the filter lets through, in the order of the table. */
  visible(): number[] {
    return this.lines.runs();
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
    const ours: Key[] = ["focus", "chosen", "sort", "filter", "columns"];
    if (changed.size > 0 && !ours.some((key) => changed.has(key))) return;
    if (changed.has("columns")) this.fields = fieldsOf(this.store);
    if (this.filter.value !== this.store.state.filter) this.filter.value = this.store.state.filter;
    if (changed.has("focus")) this.showFocus();
    this.draw();
    if (changed.has("filter")) for (const listener of this.listeners) listener();
  }

  /** A seed that is looked at is in sight, unless it is the first, which stands for all. */
  private showFocus(): void {
    const { focus } = this.store.state;
    const row = this.lines.rows().find((one) => one.original.runs.includes(focus));
    if (row && row.original.runs[0] !== focus) this.lines.reveal(focus);
  }

  private showButtons(): void {
    const { report, state, first } = this.store;
    const done = (indices: number[]) =>
      indices.filter((index) => report.runs[index]!.status === "done");
    const button = (text: string, title: string, runs: number[]) =>
      el(
        "button",
        {
          type: "button",
          title,
          "data-key": `choose ${text}`,
          "aria-pressed": String(runs.join() === state.chosen.join()),
          onclick: () => this.store.set({ chosen: runs }),
        },
        text,
      );
    replace(
      this.choices,
      first.reason !== "" &&
        button("Best and worst", `In the charts: ${first.reason}`, first.chosen),
      button("Choose these", "All rows of the table in the charts", done(this.visible())),
      button("Choose none", "No row in the charts", []),
      this.hasSeeds &&
        el(
          "button",
          {
            type: "button",
            "data-key": "unfold",
            "aria-pressed": String(this.unfolded),
            title: "List all seeds one by one",
            onclick: () => {
              this.unfolded = !this.unfolded;
              this.lines.unfold(this.unfolded);
              this.draw();
            },
          },
          "Seeds",
        ),
    );
  }

  /** The rows as shown, with everything that can be written as text. */
  private save(): void {
    const fields = this.fields.flatMap(({ sheet }) => sheet ?? []);
    saveSheet(`${this.store.report.name || "weir"}-runs`, {
      columns: fields.flatMap(({ columns }) => columns),
      rows: this.lines.rows().map((row) => fields.flatMap(({ values }) => values(runsOf(row)))),
    });
  }

  private draw(): void {
    const { report, state, first } = this.store;
    const active = document.activeElement?.getAttribute("data-key");
    this.lines.use(this.fields);
    const rows = this.lines.rows();
    const visible = this.visible().length;
    const all = report.runs.length;
    const isFirst = first.reason !== "" && state.chosen.join() === first.chosen.join();
    this.count.textContent =
      `${visible < all ? `${visible} of ` : ""}` +
      `${plural(all, "run")}, ${state.chosen.length} in the charts` +
      (isFirst ? `: ${first.reason}` : "");
    this.showButtons();
    replace(this.head, ...this.fields.map((field) => this.heading(field)));
    replace(this.body, ...rows.slice(0, this.limit).flatMap((row) => this.row(row)));
    if (rows.length === 0) {
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
    this.more.hidden = rows.length <= this.limit;
    this.more.textContent = `Show ${Math.min(PAGE, rows.length - this.limit)} more`;
    this.scroll.update();
    // the element that had the focus is new now
    if (active)
      this.element.querySelector<HTMLElement>(`[data-key="${CSS.escape(active)}"]`)?.focus();
  }

  private heading(field: Field): HTMLElement {
    const { sort } = this.store.state;
    const direction = sort === `${field.id}:down` ? "down" : sort === `${field.id}:up` ? "up" : "";
    if (!field.title)
      return el("th", { scope: "col" }, el("span", { class: "hidden" }, field.hint));
    return el(
      "th",
      {
        scope: "col",
        class: field.numeric ? "number" : "",
        "aria-sort":
          direction === "down" ? "descending" : direction === "up" ? "ascending" : "none",
      },
      el(
        "button",
        {
          type: "button",
          title: field.hint,
          "data-key": `sort ${field.id}`,
          onclick: () => {
            const next = direction === "" ? "up" : direction === "up" ? "down" : "";
            this.store.set({ sort: next ? `${field.id}:${next}` : "" });
          },
        },
        field.title,
        el(
          "span",
          { class: "arrow", "aria-hidden": "true" },
          direction === "down" ? " ↓" : direction === "up" ? " ↑" : "",
        ),
      ),
    );
  }

  private row(row: LineRow): HTMLElement[] {
    const { report, state } = this.store;
    const runs = runsOf(row);
    const [index] = runs as [number, ...number[]];
    const isFolded = row.subRows.length > 0;
    const unfolded = isFolded ? row.getIsExpanded() : null;
    const failed = unfolded ? [] : runs.filter((one) => report.runs[one]!.status === "failed");
    const shown = {
      name: row.original.name,
      unfolded,
      isSeed: row.depth > 0,
      toggle: () => {
        this.lines.toggle(row);
        this.draw();
      },
    };
    const isFocus = unfolded ? false : runs.includes(state.focus);
    const line = el(
      "tr",
      {
        "aria-selected": String(isFocus),
        "data-run": report.runs[index]!.id,
        class: [failed.length > 0 ? "failed" : "", row.depth > 0 ? "seed" : ""].join(" ").trim(),
        onclick: (event) => {
          if (!(event.target as Element).closest("input,button,a"))
            this.store.set({ focus: index });
        },
      },
      ...this.fields.map((field) => field.cell(runs, shown)),
    );
    return [
      line,
      ...failed
        .slice(0, 3)
        .map((one) =>
          el(
            "tr",
            { class: "error" },
            el(
              "td",
              { colspan: this.fields.length },
              el(
                "code",
                {},
                (isFolded ? `seed ${report.runs[one]!.seed}: ` : "") +
                  (report.runs[one]!.error || "failed without a message"),
              ),
            ),
          ),
        ),
    ];
  }
}
