import { el } from "./dom";

/** Numbers of a chart or a table, for other programs: in base units, which the headings name. */
export interface Sheet {
  columns: string[];
  rows: (string | number | null)[][];
}

/** As RFC 4180 has it; nothing for what does not exist. */
export function toCsv({ columns, rows }: Sheet): string {
  const field = (value: string | number | null) => {
    const text = value === null ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}

/** "latency p99 (ns)"; ratios and counts have no unit. */
export function withUnit(name: string, unit: string): string {
  return unit && unit !== "1" ? `${name} (${unit})` : name;
}

/** A file name without what file systems or people stumble over. */
export function fileName(text: string): string {
  return text.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^-+|-+$/g, "") || "data";
}

export function save(name: string, href: string): void {
  el("a", { href, download: name }).click();
}

export function saveSheet(name: string, sheet: Sheet): void {
  const url = URL.createObjectURL(new Blob([toCsv(sheet)], { type: "text/csv;charset=utf-8" }));
  save(`${fileName(name)}.csv`, url);
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
