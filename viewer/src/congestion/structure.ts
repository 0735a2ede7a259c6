import type { Topology } from "../data";

/** A network as the drawing needs it: levels, neighbours, groups. */
export interface Structure {
  hosts: number;
  /** Per node: 0 for hosts, from 1 for switches; all switches 1 where there are no stages. */
  level: Int32Array;
  levels: number;
  /** Every cable between switches joins neighbouring levels. */
  staged: boolean;
  /** Per node: switches next to it, ascending and without repetition. */
  neighbours: number[][];
  /** Per host: the switch that it sends to, -1 without. */
  leafOf: Int32Array;
  /** Per node: part of the network that hangs together without the last level (a pod). */
  pod: Int32Array;
  pods: number;
  /** Packets enter at the first stage and leave at the last (a unidirectional network). */
  oneWay: boolean;
}

export function analyse(topology: Topology): Structure {
  const count = topology.nodes.length;
  const hosts = topology.nodes.filter((node) => node.kind === "host").length;
  const sets: Set<number>[] = Array.from({ length: count }, () => new Set());
  const leafOf = new Int32Array(count).fill(-1);
  for (const { from, to } of topology.ports) {
    if (from < hosts && to >= hosts) leafOf[from] = to;
    if (from >= hosts && to >= hosts) {
      sets[from]!.add(to);
      sets[to]!.add(from);
    }
  }
  for (const { from, to } of topology.ports) {
    if (from >= hosts && to < hosts && leafOf[to] === -1) leafOf[to] = from;
  }
  const neighbours = sets.map((set) => [...set].sort((a, b) => a - b));
  const level = levelsOf(topology, hosts, leafOf, neighbours);
  const levels = level.reduce((most, value) => Math.max(most, value), 0);
  const staged = neighbours.every((list, node) =>
    list.every((other) => Math.abs(level[other]! - level[node]!) === 1),
  );
  if (!staged) for (let node = hosts; node < count; ++node) level[node] = 1;
  const { pod, pods } = findPods(hosts, count, level, staged ? levels : 2, neighbours, leafOf);
  const oneWay =
    staged &&
    levels > 1 &&
    topology.ports.every((port) => port.to >= hosts || level[port.from] === levels);
  return {
    hosts,
    level,
    levels: staged ? levels : 1,
    staged,
    neighbours,
    leafOf,
    pod,
    pods,
    oneWay,
  };
}

/** Stages as given, else the distance from the nearest host. */
function levelsOf(
  topology: Topology,
  hosts: number,
  leafOf: Int32Array,
  neighbours: number[][],
): Int32Array {
  const level = Int32Array.from(topology.nodes, (node) => Math.max(0, node.stage));
  if (topology.nodes.slice(hosts).every((node) => node.stage > 0)) return level;
  level.fill(0);
  let front: number[] = [];
  for (const leaf of leafOf.subarray(0, hosts)) {
    if (leaf >= 0 && level[leaf] === 0) {
      level[leaf] = 1;
      front.push(leaf);
    }
  }
  for (let depth = 2; front.length > 0; ++depth) {
    const next: number[] = [];
    for (const node of front) {
      for (const other of neighbours[node]!) {
        if (level[other] === 0) {
          level[other] = depth;
          next.push(other);
        }
      }
    }
    front = next;
  }
  for (let node = hosts; node < level.length; ++node) level[node] ||= 1;
  return level;
}

/** Numbers parts in the order of their first switch. Nodes of the last level are in none (-1). */
function findPods(
  hosts: number,
  count: number,
  level: Int32Array,
  last: number,
  neighbours: number[][],
  leafOf: Int32Array,
): { pod: Int32Array; pods: number } {
  const inside = (node: number) => level[node]! < last || last <= 1;
  const pod = components(hosts, count, neighbours, inside);
  for (let host = 0; host < hosts; ++host)
    pod[host] = leafOf[host]! >= 0 ? pod[leafOf[host]!]! : -1;
  return { pod, pods: pod.reduce((most, value) => Math.max(most, value), -1) + 1 };
}

/** Connected parts of the switches for which `inside` holds; -1 outside. */
export function components(
  hosts: number,
  count: number,
  neighbours: number[][],
  inside: (node: number) => boolean,
): Int32Array {
  const part = new Int32Array(count).fill(-1);
  let parts = 0;
  for (let start = hosts; start < count; ++start) {
    if (part[start] !== -1 || !inside(start)) continue;
    const stack = [start];
    part[start] = parts;
    while (stack.length > 0) {
      for (const other of neighbours[stack.pop()!]!) {
        if (part[other] === -1 && inside(other)) {
          part[other] = parts;
          stack.push(other);
        }
      }
    }
    ++parts;
  }
  return part;
}
