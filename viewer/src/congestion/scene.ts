import type { Topology } from "../data";
import { plural } from "../format";
import type { Bundle, Item, Row } from "./items";
import { placeStaged } from "./layout_staged";
import { placeFlat } from "./layout_flat";
import { analyse, components, type Structure } from "./structure";

export interface Scene {
  structure: Structure;
  items: Item[];
  bundles: Bundle[];
  /** Per port: its bundle. */
  bundleOf: Int32Array;
  /** Per port: twice its bundle, one more if it sends backward. */
  laneOf: Int32Array;
  /** Per node: its item. */
  itemOf: Int32Array;
  /** The same for what a node receives: another item for hosts of a one-way network. */
  receiverOf: Int32Array;
  aggregated: boolean;
  rows: Row[];
}

/** More hosts than this are drawn in groups. */
export const DETAIL_HOSTS = 500;

export type Detail = "auto" | "all" | "groups";

/** Lays a network out. `open`: groups of which the switches are drawn one by one. */
export function buildScene(
  topology: Topology,
  detail: Detail = "auto",
  open: ReadonlySet<number> = new Set(),
): Scene {
  const structure = analyse(topology);
  const grouped = structure.pods > 1 && structure.staged && structure.levels > 1;
  const many = structure.hosts > DETAIL_HOSTS;
  const aggregated = grouped && (detail === "groups" || (detail === "auto" && many));
  const items = aggregated
    ? groupItems(topology, structure, open)
    : topology.nodes.map((_, node) => single(topology, structure, node));
  const itemOf = new Int32Array(topology.nodes.length);
  items.forEach((item, index) => item.nodes.forEach((node) => (itemOf[node] = index)));
  const receiverOf = structure.oneWay ? receivers(structure, items, itemOf) : itemOf;
  const { bundles, bundleOf, laneOf } = bundle(topology, itemOf, receiverOf);
  const rows = structure.staged
    ? placeStaged(structure, items)
    : placeFlat(topology, structure, items, bundles);
  return { structure, items, bundles, bundleOf, laneOf, itemOf, receiverOf, aggregated, rows };
}

function single(topology: Topology, structure: Structure, node: number): Item {
  const { name, kind } = topology.nodes[node]!;
  return {
    kind,
    nodes: [node],
    label: name,
    level: structure.level[node]!,
    group: -1,
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
}

/** A group per pod and level; the last level by planes, or in parts of 16. */
function groupItems(topology: Topology, structure: Structure, open: ReadonlySet<number>): Item[] {
  const { level, levels, pod, pods, hosts, neighbours } = structure;
  const count = topology.nodes.length;
  const plane = components(hosts, count, neighbours, (node) => level[node]! >= 2);
  const planes = new Set(plane.filter((part) => part >= 0)).size;
  const top = (node: number) =>
    levels > 2 && planes > 1 ? plane[node]! : Math.floor((node - hosts) / 16);
  const byKey = new Map<string, Item>();
  const items: Item[] = [];
  for (let node = 0; node < count; ++node) {
    const isTop = level[node] === levels;
    if (!isTop && open.has(pod[node]!)) {
      items.push({ ...single(topology, structure, node), group: pod[node]! });
      continue;
    }
    const key = isTop ? `top ${top(node)}` : `${level[node]} ${pod[node]}`;
    let item = byKey.get(key);
    if (!item) {
      item = { ...single(topology, structure, node), nodes: [], group: isTop ? -1 : pod[node]! };
      byKey.set(key, item);
      items.push(item);
    }
    item.nodes.push(node);
  }
  for (const item of byKey.values()) item.label = groupLabel(topology, item, pods);
  return items;
}

function groupLabel(topology: Topology, item: Item, pods: number): string {
  const first = topology.nodes[item.nodes[0]!]!.name;
  if (item.nodes.length === 1) return first;
  const last = topology.nodes[item.nodes[item.nodes.length - 1]!]!.name;
  const what =
    item.kind === "host"
      ? plural(item.nodes.length, "host")
      : plural(item.nodes.length, "switch", "switches");
  const where = item.group >= 0 && pods > 1 ? `group ${item.group}: ` : "";
  return `${where}${what}, ${first} to ${last}`;
}

/** Hosts once more, above the last stage, as what receives. Per node: the item that receives. */
function receivers(structure: Structure, items: Item[], itemOf: Int32Array): Int32Array {
  const receiving = itemOf.slice();
  for (const item of items.filter(({ kind }) => kind === "host")) {
    for (const node of item.nodes) receiving[node] = items.length;
    items.push({ ...item, level: structure.levels + 1 });
  }
  return receiving;
}

function bundle(
  topology: Topology,
  itemOf: Int32Array,
  receiving: Int32Array,
): { bundles: Bundle[]; bundleOf: Int32Array; laneOf: Int32Array } {
  const byEnds = new Map<number, number>();
  const bundles: Bundle[] = [];
  const bundleOf = new Int32Array(topology.ports.length).fill(-1);
  const laneOf = new Int32Array(topology.ports.length);
  const size = 2 * topology.nodes.length;
  topology.ports.forEach(({ from, to }, port) => {
    const a = itemOf[from]!;
    const b = receiving[to]!;
    const key = Math.min(a, b) * size + Math.max(a, b);
    let index = byEnds.get(key);
    if (index === undefined) {
      index = bundles.length;
      byEnds.set(key, index);
      bundles.push({ a: Math.min(a, b), b: Math.max(a, b), forward: [], backward: [], bend: 0 });
    }
    const found = bundles[index]!;
    (a <= b ? found.forward : found.backward).push(port);
    bundleOf[port] = index;
    laneOf[port] = 2 * index + (a <= b ? 0 : 1);
  });
  return { bundles, bundleOf, laneOf };
}
