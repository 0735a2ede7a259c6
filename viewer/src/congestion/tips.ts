import { plural } from "../format";
import type { MapName } from "../palette";
import type { Hit } from "./hit";
import type { Replay } from "./replay";
import type { Bundle } from "./items";
import type { Scene } from "./scene";

/** What to say about the thing under the pointer, the name first. Empty: nothing. */
export function tipLines(
  replay: Replay,
  scene: Scene,
  hit: Hit,
  frame: number,
  colour: MapName,
  open: ReadonlySet<number>,
): string[] {
  const bundle = scene.bundles[hit.bundle];
  if (bundle) return bundleLines(replay, bundle, frame, colour);
  const item = scene.items[hit.item];
  if (!item) return [];
  const lines = [item.label];
  if (item.nodes.length === 1) lines.push(...nodeLines(replay, item.nodes[0]!, frame));
  if (scene.aggregated && item.group >= 0) {
    if (!open.has(item.group)) lines.push("click to open this group");
  }
  if (item.nodes.length === 1) {
    lines.push("click for its course over time");
  }
  return lines;
}

function bundleLines(replay: Replay, bundle: Bundle, frame: number, colour: MapName): string[] {
  const ports = [...bundle.forward, ...bundle.backward];
  if (ports.length <= 2) {
    return ports.flatMap((port) => [replay.linkName(port), replay.shares(port, frame)]);
  }
  const value = (port: number) => replay.value(port, frame, colour) ?? 0;
  const worst = (list: number[]) => [...list].sort((p, q) => value(q) - value(p)).slice(0, 1);
  return [
    `${plural(ports.length, "port")}, the most loaded of each direction:`,
    ...[...worst(bundle.forward), ...worst(bundle.backward)].map(
      (port) => `${replay.linkName(port)}: ${replay.shares(port, frame)}`,
    ),
  ];
}

function nodeLines(replay: Replay, node: number, frame: number): string[] {
  const { hosts } = replay.run;
  const ports = replay.topology.ports.flatMap((port, index) => (port.from === node ? [index] : []));
  const lines = [];
  if (hosts?.hot_sources.includes(node)) lines.push("sends to the hot spot");
  if (hosts?.hot_destinations.includes(node)) lines.push("is the hot spot");
  if (ports.length <= 1) return [...lines, ...ports.map((port) => replay.shares(port, frame))];
  const waiting = ports.filter((port) => (replay.value(port, frame, "wait") ?? 0) > 0.1).length;
  return [...lines, `${plural(ports.length, "output")}, ${waiting} of them waiting`];
}
