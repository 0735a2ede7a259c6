import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";
import type { Topology } from "../data";
import type { Bundle, Item, Row } from "./items";
import type { Structure } from "./structure";

interface Point {
  x: number;
  y: number;
}

/** Networks without stages: where their family places the switches, else by forces. */
export function placeFlat(
  topology: Topology,
  structure: Structure,
  items: Item[],
  bundles: Bundle[],
): Row[] {
  const switches = items.filter((item) => item.kind === "switch");
  const places = switches.map((item) => topology.nodes[item.nodes[0]!]!.place);
  const known = places.every((place) => place && place.length > 0);
  const points = !known
    ? byForces(structure, switches)
    : topology.family === "dragonfly"
      ? inGroups(places as number[][])
      : onGrid(places as number[][]);
  const columns = Math.ceil(Math.sqrt(switches.length * 1.8));
  const size = Math.min(0.06, 0.42 / Math.max(1, columns));
  fit(switches, points, size);
  hangHosts(structure, items, size);
  if (known && topology.family !== "dragonfly") bendWraps(topology, items, bundles);
  return [];
}

/** A grid; further dimensions are drawn as grids beside and below each other. */
function onGrid(places: number[][]): Point[] {
  const sizes = places[0]!.map((_, d) => Math.max(...places.map((place) => place[d]!)) + 1);
  return places.map((place) => {
    let x = 0;
    let y = 0;
    let stride: [number, number] = [1, 1];
    place.forEach((value, d) => {
      if (d % 2 === 0) x += value * stride[0];
      else y += value * stride[1];
      const next = (stride[d % 2] ?? 1) * (sizes[d]! + 0.8);
      stride = d % 2 === 0 ? [next, stride[1]] : [stride[0], next];
    });
    return { x, y: -y };
  });
}

/** Cables around a torus would lie on those between neighbours. */
function bendWraps(topology: Topology, items: Item[], bundles: Bundle[]): void {
  for (const bundle of bundles) {
    const a = topology.nodes[items[bundle.a]!.nodes[0]!]!.place;
    const b = topology.nodes[items[bundle.b]!.nodes[0]!]!.place;
    if (a && b && a.some((value, d) => Math.abs(value - b[d]!) > 1)) bundle.bend = 22;
  }
}

/** Groups on a circle, the routers of each on a small one. */
function inGroups(places: number[][]): Point[] {
  const groups = Math.max(...places.map((place) => place[0]!)) + 1;
  const routers = Math.max(...places.map((place) => place[1] ?? 0)) + 1;
  const radius = Math.min(0.36, (Math.PI / Math.max(3, groups)) * 0.72);
  return places.map(([group = 0, router = 0]) => {
    const angle = (2 * Math.PI * group) / groups - Math.PI / 2;
    const inner = angle + (2 * Math.PI * (router + 0.5)) / routers + Math.PI;
    return {
      x: Math.cos(angle) * 1.7 + Math.cos(inner) * radius * 1.5,
      y: Math.sin(angle) + Math.sin(inner) * radius,
    };
  });
}

function byForces(structure: Structure, switches: Item[]): Point[] {
  const index = new Map(switches.map((item, at) => [item.nodes[0]!, at]));
  const nodes = switches.map((_, at) => ({
    index: at,
    x: Math.cos(at * 2.4) * Math.sqrt(at + 1) * 20,
    y: Math.sin(at * 2.4) * Math.sqrt(at + 1) * 20,
  }));
  const links = switches.flatMap((item, at) =>
    structure.neighbours[item.nodes[0]!]!.flatMap((other) => {
      const target = index.get(other);
      return target !== undefined && target > at ? [{ source: at, target }] : [];
    }),
  );
  const steps = switches.length > 600 ? 80 : 300;
  forceSimulation(nodes)
    .force("link", forceLink(links).distance(40))
    .force("charge", forceManyBody().strength(-140))
    .force("collide", forceCollide(14))
    .force("x", forceX(0).strength(0.03))
    .force("y", forceY(0).strength(0.06))
    .stop()
    .tick(steps);
  return nodes.map(({ x, y }) => ({ x, y }));
}

function fit(items: Item[], points: Point[], size: number): void {
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [left, right, top, bottom] = [
    Math.min(...xs),
    Math.max(...xs),
    Math.min(...ys),
    Math.max(...ys),
  ];
  items.forEach((item, at) => {
    const { x, y } = points[at]!;
    item.x = right > left ? 0.04 + 0.92 * ((x - left) / (right - left)) : 0.5;
    item.y = bottom > top ? 0.06 + 0.84 * ((y - top) / (bottom - top)) : 0.45;
    item.width = size;
  });
}

/** Hosts in a row below their switch, a little to the right so that they lie on no cable. */
function hangHosts(structure: Structure, items: Item[], size: number): void {
  const at = new Map<number, Item>();
  for (const item of items) if (item.kind === "switch") at.set(item.nodes[0]!, item);
  const below = new Map<Item, Item[]>();
  for (const item of items) {
    const leaf = item.kind === "host" ? at.get(structure.leafOf[item.nodes[0]!]!) : undefined;
    if (leaf) below.set(leaf, [...(below.get(leaf) ?? []), item]);
  }
  for (const [leaf, hosts] of below) {
    const step = (size * 1.3) / hosts.length;
    hosts.forEach((host, index) => {
      host.x = leaf.x + size * 0.75 + (index + 0.5 - hosts.length / 2) * step;
      host.y = leaf.y + 0.05;
      host.width = step * 0.8;
    });
  }
}
