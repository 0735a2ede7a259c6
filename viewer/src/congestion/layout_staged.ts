import { plural } from "../format";
import type { Item, Row } from "./items";
import type { Structure } from "./structure";

/** Hosts at the bottom, a row a stage above; pods side by side. Returns the rows. */
export function placeStaged(structure: Structure, items: Item[]): Row[] {
  const { levels } = structure;
  const rows = Array.from({ length: levels + (structure.oneWay ? 2 : 1) }, (_, level) =>
    items.filter((item) => item.level === level),
  );
  const y = rowHeights(levels, structure.oneWay);
  const podOf = (item: Item) => structure.pod[item.nodes[0]!]!;
  const spans = podSpans(structure, rows, podOf);
  rows.forEach((row, level) => {
    for (const item of row) item.y = y[level]!;
    if (level >= levels || structure.pods <= 1 || structure.oneWay) spread(row, 0, 1);
    else inPods(row, podOf, spans);
  });
  if (!structure.oneWay) placeHosts(structure, rows[0]!, items);
  return rows.map((row, level) => ({ y: y[level]!, ...rowLabel(row, level, levels) }));
}

function rowLabel(row: Item[], level: number, levels: number): { name: string; count: string } {
  const count = row.reduce((sum, item) => sum + item.nodes.length, 0);
  if (level === 0) return { name: "", count: plural(count, "host") };
  if (level > levels) return { name: "receiving", count: plural(count, "host") };
  return { name: levels === 1 ? "" : `stage ${level}`, count: plural(count, "switch", "switches") };
}

/** Hosts close to their leaf switches; the rest of the height evenly. */
function rowHeights(levels: number, oneWay: boolean): number[] {
  const bottom = 0.98;
  const first = levels === 1 ? 0.35 : 0.8;
  const top = oneWay ? 0.2 : 0.04;
  const y = [bottom];
  for (let level = 1; level <= levels; ++level) {
    y.push(levels === 1 ? first : first - ((first - top) * (level - 1)) / (levels - 1));
  }
  if (oneWay) y.push(0.02);
  return y;
}

/** Width of each pod by how many items its fullest row has, the hosts counting a little. */
function podSpans(
  structure: Structure,
  rows: Item[][],
  podOf: (item: Item) => number,
): [number, number][] {
  const weight = new Float64Array(Math.max(1, structure.pods));
  rows.forEach((row, level) => {
    const count = new Float64Array(weight.length);
    for (const item of row) if (podOf(item) >= 0) count[podOf(item)]! += level === 0 ? 0.2 : 1;
    count.forEach((value, pod) => (weight[pod] = Math.max(weight[pod]!, value)));
  });
  const total = weight.reduce((sum, value) => sum + value, 0) || 1;
  const spans: [number, number][] = [];
  let at = 0;
  for (const value of weight) {
    spans.push([at, at + value / total]);
    at += value / total;
  }
  return spans;
}

function inPods(row: Item[], podOf: (item: Item) => number, spans: [number, number][]): void {
  const groups = new Map<number, Item[]>();
  for (const item of row) groups.set(podOf(item), [...(groups.get(podOf(item)) ?? []), item]);
  for (const [pod, members] of groups) {
    const [from, to] = spans[pod] ?? [0, 1];
    const margin = spans.length > 1 ? (to - from) * 0.06 : 0;
    spread(members, from + margin, to - margin);
  }
}

function spread(row: Item[], from: number, to: number): void {
  const step = (to - from) / Math.max(1, row.length);
  row.forEach((item, index) => {
    item.x = from + step * (index + 0.5);
    item.width = step * 0.72;
  });
}

/** Single hosts in the width of their leaf switch. */
function placeHosts(structure: Structure, row: Item[], items: Item[]): void {
  const leaves = new Map<number, Item>();
  for (const item of items)
    if (item.kind === "switch") for (const n of item.nodes) leaves.set(n, item);
  const below = new Map<Item, Item[]>();
  for (const host of row) {
    if (host.nodes.length > 1) continue;
    const leaf = leaves.get(structure.leafOf[host.nodes[0]!]!);
    if (leaf && leaf.level === 1) below.set(leaf, [...(below.get(leaf) ?? []), host]);
  }
  for (const [leaf, hosts] of below) {
    const width = (leaf.width / 0.72) * 0.9;
    spread(hosts, leaf.x - width / 2, leaf.x + width / 2);
  }
}
