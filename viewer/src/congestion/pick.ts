import type { Topology } from "../data";
import { plural } from "../format";
import type { Hit } from "./hit";
import type { Replay } from "./replay";
import type { Scene } from "./scene";

/** What was clicked, by its name: it may be in the networks of two runs. */
export interface Pick {
  kind: "link" | "node";
  /** Of a transmitting port, or of a host or switch. */
  name: string;
}

/** From "link s3[5]" or "node s3"; null for anything else. */
export function readPick(text: string): Pick | null {
  const match = /^(link|node) (.+)$/.exec(text);
  return match ? { kind: match[1] as Pick["kind"], name: match[2]! } : null;
}

export function pickOfPort(topology: Topology, port: number): string {
  return `link ${topology.ports[port]!.name}`;
}

export function pickOfNode(topology: Topology, node: number): string {
  return `node ${topology.nodes[node]!.name}`;
}

/** Where a pick is in a scene. */
export function placeOf(pick: Pick | null, topology: Topology, scene: Scene): Hit {
  const nothing = { item: -1, bundle: -1 };
  if (pick?.kind === "link") {
    const port = topology.ports.findIndex((one) => one.name === pick.name);
    return port < 0 ? nothing : { item: -1, bundle: scene.bundleOf[port]! };
  }
  const node = pick ? topology.nodes.findIndex((one) => one.name === pick.name) : -1;
  return node < 0 ? nothing : { item: scene.itemOf[node]!, bundle: -1 };
}

/** Ports whose course over time is drawn as one: the mean and the most of them. */
export interface Group {
  name: string;
  ports: number[];
}

/** Both directions of a link; all outputs of a switch, or one by one; both links of a host. */
export function groupsOf(pick: Pick, replay: Replay, scene: Scene, each: boolean): Group[] {
  const { topology } = replay;
  const { item, bundle } = placeOf(pick, topology, scene);
  const single = (port: number) => ({ name: replay.linkName(port), ports: [port] });
  const found = scene.bundles[bundle];
  if (found) {
    const both = [found.forward, found.backward].filter((ports) => ports.length > 0);
    // the direction that was clicked first
    both.sort((a, b) => Number(has(b, topology, pick)) - Number(has(a, topology, pick)));
    return both.flatMap((ports) =>
      ports.length === 1 || each
        ? ports.map(single)
        : [{ name: `like ${replay.linkName(ports[0]!)}`, ports }],
    );
  }
  if (item < 0) return [];
  const node = topology.nodes.findIndex((one) => one.name === pick.name);
  const ports = (fits: (port: Topology["ports"][number]) => boolean) =>
    topology.ports.flatMap((port, index) => (fits(port) ? [index] : []));
  const outputs = ports((port) => port.from === node);
  if (topology.nodes[node]!.kind === "host")
    return [...outputs, ...ports((port) => port.to === node)].map(single);
  if (each || outputs.length === 1) return outputs.map(single);
  return [{ name: plural(outputs.length, "output"), ports: outputs }];
}

function has(ports: number[], topology: Topology, pick: Pick): boolean {
  return ports.some((port) => topology.ports[port]!.name === pick.name);
}
