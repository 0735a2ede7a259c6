import {
  createTable,
  getCoreRowModel,
  getExpandedRowModel,
  getFilteredRowModel,
  getSortedRowModel,
  type ColumnDef,
  type Row,
  type Table,
  type TableState,
} from "@tanstack/table-core";
import type { Report } from "./data";
import { settingsOf } from "./runs";
import type { Store } from "./state";
import type { Field } from "./table_fields";

/** A row of the table of runs: a setting with all its seeds, or one of them. */
export interface Line {
  id: string;
  name: string;
  /** Indices of runs; more than one: folded seeds. */
  runs: number[];
  /** The seeds one by one, where there are several. */
  seeds: Line[];
}

export type LineRow = Row<Line>;

export function linesOf(report: Report, names: string[]): Line[] {
  return settingsOf(report.runs).map(({ key, name, runs }) => {
    const seeds = runs.map((index) => ({
      id: `run ${index}`,
      name: names[index]!,
      runs: [index],
      seeds: [],
    }));
    if (seeds.length === 1) return seeds[0]!;
    return { id: `setting ${key}`, name: name || "all seeds", runs, seeds };
  });
}

/** Sorts, filters and folds; what is shown of it is the caller's. */
export class LineTable {
  private readonly table: Table<Line>;
  private fields: Field[] = [];
  private state: TableState;

  constructor(
    private readonly store: Store,
    lines: Line[],
  ) {
    const texts = new Map<string, string>();
    const textOf = (line: Line) => {
      let text = texts.get(line.id);
      if (text === undefined) texts.set(line.id, (text = searchText(store, line)));
      return text;
    };
    this.table = createTable<Line>({
      data: lines,
      columns: [],
      state: {},
      onStateChange: (change) => {
        this.state = typeof change === "function" ? change(this.state) : change;
        this.table.setOptions((old) => ({ ...old, state: this.state }));
      },
      renderFallbackValue: null,
      getRowId: (line) => line.id,
      getSubRows: (line) => line.seeds,
      getCoreRowModel: getCoreRowModel(),
      getFilteredRowModel: getFilteredRowModel(),
      getSortedRowModel: getSortedRowModel(),
      getExpandedRowModel: getExpandedRowModel(),
      getColumnCanGlobalFilter: (column) => column.id === "case",
      globalFilterFn: (row, _, words: string[]) => {
        const text = textOf(row.original);
        return words.every((word) => text.includes(word));
      },
      // a setting stays while one of its seeds does
      filterFromLeafRows: true,
    });
    this.state = this.table.initialState;
    this.table.setOptions((old) => ({ ...old, state: this.state }));
  }

  /** Which columns there are, and what the user has asked for. */
  use(fields: Field[]): void {
    const { sort, filter } = this.store.state;
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const at = sort.lastIndexOf(":");
    const id = at < 0 ? sort : sort.slice(0, at);
    const known = fields.some((field) => field.id === id);
    this.state = {
      ...this.state,
      globalFilter: words.length > 0 ? words : undefined,
      sorting: known ? [{ id, desc: sort.endsWith(":down") }] : [],
    };
    const columns = fields === this.fields ? undefined : fields.map(columnOf);
    this.fields = fields;
    this.table.setOptions((old) => ({
      ...old,
      state: this.state,
      ...(columns ? { columns } : {}),
    }));
  }

  /** In order, with the seeds of settings that are unfolded. */
  rows(): LineRow[] {
    return this.table.getRowModel().rows;
  }

  /** Runs that the filter lets through, in order. */
  runs(): number[] {
    return this.table.getSortedRowModel().rows.flatMap(runsOf);
  }

  toggle(row: LineRow): void {
    row.toggleExpanded();
  }

  /** All settings unfolded, or none. */
  unfold(on: boolean): void {
    this.table.toggleAllRowsExpanded(on);
  }

  /** The setting of a run with all its seeds is unfolded. */
  reveal(index: number): void {
    const row = this.table.getCoreRowModel().rows.find((one) => one.original.runs.includes(index));
    if (row && row.subRows.length > 0 && !row.getIsExpanded()) row.toggleExpanded(true);
  }
}

/** What the filter leaves of a row. */
export function runsOf(row: LineRow): number[] {
  return row.subRows.length > 0
    ? row.subRows.flatMap((one) => one.original.runs)
    : row.original.runs;
}

function columnOf(field: Field): ColumnDef<Line> {
  return {
    id: field.id,
    accessorFn: (line) => field.sortValue(line.runs) ?? undefined,
    sortingFn: field.numeric ? "basic" : "alphanumeric",
    sortUndefined: "last",
    sortDescFirst: false,
  };
}

function searchText({ report, names }: Store, line: Line): string {
  // a setting itself matches by what all its seeds share
  const runs = line.runs.map((index) => report.runs[index]!);
  const shared = runs.slice(0, 1).flatMap((run) => [run.case, ...run.parameters.flat()]);
  const own =
    line.runs.length > 1
      ? []
      : runs.flatMap((run) => [
          names[line.runs[0]!]!,
          run.status,
          run.error,
          run.host,
          `seed ${run.seed}`,
          run.hash,
        ]);
  return [line.name, ...shared, ...own].join(" ").toLowerCase();
}
