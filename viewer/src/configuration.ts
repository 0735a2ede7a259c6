import { diffLines, withContext, type DiffLine } from "./diff";
import { el, menu, replace, toggle } from "./dom";
import { plural } from "./format";
import type { Key, Store } from "./state";

/** The resolved configuration of the focused run, or how it differs from another's. */
export class ConfigurationView {
  readonly element: HTMLElement;
  private readonly controls = el("div", { class: "controls" });
  private readonly code = el("div", {
    class: "code",
    tabindex: 0,
    role: "region",
    "aria-label": "Configuration",
  });
  private readonly count = el("span", { class: "count", role: "status" });
  private other = -1;
  private whole = false;

  constructor(private readonly store: Store) {
    this.element = el("div", { class: "card configuration" }, this.controls, this.code);
    store.subscribe((changed: Set<Key>) => {
      if (changed.size === 0 || changed.has("focus")) this.draw();
    });
    this.draw();
  }

  /** Shows the difference to this run. */
  compareWith(index: number): void {
    this.other = index;
    this.draw();
  }

  private draw(): void {
    const { report, names, state } = this.store;
    const run = report.runs[state.focus];
    if (!run) return replace(this.code, el("p", { class: "empty" }, "There is no run."));
    if (this.other === state.focus) this.other = -1;
    const runs = names.map((name, index): [string, string] => [String(index), name]);
    replace(
      this.controls,
      el(
        "label",
        {},
        "Run ",
        menu("Run of the configuration", runs, String(state.focus), (value) =>
          this.store.set({ focus: Number(value) }),
        ),
      ),
      runs.length > 1 &&
        el(
          "label",
          {},
          "compared with ",
          menu(
            "Compared with",
            [["-1", "nothing"], ...runs.filter(([value]) => value !== String(state.focus))],
            String(this.other),
            (value) => this.compareWith(Number(value)),
          ),
        ),
      this.other >= 0 &&
        toggle("Unchanged lines too", this.whole, (on) => {
          this.whole = on;
          this.draw();
        }),
      this.count,
      el(
        "span",
        { class: "tools" },
        el(
          "button",
          {
            type: "button",
            onclick: (event) => void copy(run.configuration, event.currentTarget as HTMLElement),
          },
          "Copy",
        ),
      ),
    );
    const base = report.runs[this.other];
    if (base) this.drawDiff(diffLines(base.configuration, run.configuration));
    else this.drawText(run.configuration);
  }

  private drawText(text: string): void {
    this.count.textContent = "";
    if (!text.trim()) {
      return replace(this.code, el("p", { class: "empty" }, "This run kept no configuration."));
    }
    replace(
      this.code,
      el(
        "pre",
        {},
        ...text
          .trimEnd()
          .split("\n")
          .map((line, at) =>
            el(
              "span",
              { class: "line" },
              el("i", { "aria-hidden": "true" }, String(at + 1)),
              ...paint(line),
            ),
          ),
      ),
    );
  }

  private drawDiff(lines: DiffLine[]): void {
    const changes = lines.filter((line) => line.kind !== "same").length;
    this.count.textContent =
      changes === 0 ? "the same configuration" : plural(changes, "line differs", "lines differ");
    const shown = this.whole ? lines : withContext(lines, 1);
    const sign = { same: " ", removed: "−", added: "+" };
    replace(
      this.code,
      el(
        "pre",
        {},
        ...shown.map((line) =>
          line === null
            ? el("span", { class: "line gap" }, el("i", {}, ""), "⋯")
            : el(
                "span",
                { class: `line ${line.kind}` },
                el("i", {}, sign[line.kind]),
                ...paint(line.text),
              ),
        ),
      ),
    );
  }
}

/** A line of TOML with its parts in colours. */
function paint(line: string): (Node | string)[] {
  if (/^\s*\[/.test(line)) return [el("b", { class: "section" }, line)];
  const pair = /^(\s*[\w."-]+\s*)(=\s*)(.*)$/.exec(line);
  if (!pair) return [/^\s*#/.test(line) ? el("span", { class: "comment" }, line) : line || " "];
  const kind = /^["']/.test(pair[3]!) ? "text" : "plain";
  return [el("span", { class: "name" }, pair[1]!), pair[2]!, el("span", { class: kind }, pair[3]!)];
}

async function copy(text: string, button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed here";
  }
  setTimeout(() => (button.textContent = "Copy"), 1500);
}
