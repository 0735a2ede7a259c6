#!/usr/bin/env python3
"""Writes netlists for ibsim: fat trees, tori, and fabrics grown without a plan.

  make_netlist.py fat-tree --radix 6 --levels 3 -o fat-tree.net
  make_netlist.py torus --dimensions 4x4 --hosts 1 -o torus.net
  make_netlist.py irregular --switches 8 --hosts 20 --seed 1 -o irregular.net

A fat tree of switches with R ports (a real-life fat tree: all leaves and middle switches half down,
half up; top switches all down) has R (R/2)^(levels-1) hosts: 54 for R = 6 and 3 levels.
"""

import argparse
import itertools
import random


class Netlist:
    """Nodes with their cables, printed as ibsim reads them: one block a node, both ends named."""

    def __init__(self, speed):
        self.speed = speed
        self.nodes = {}  # name -> (kind, number of ports, {port: (far name, far port, speed)})

    def add(self, kind, name, ports):
        self.nodes[name] = (kind, ports, {})

    def cable(self, a, port_a, b, port_b, speed=None):
        for near, port, far, far_port in ((a, port_a, b, port_b), (b, port_b, a, port_a)):
            cables = self.nodes[near][2]
            if port in cables or port > self.nodes[near][1]:
                raise ValueError(f"{near} port {port} is taken or does not exist")
            cables[port] = (far, far_port, speed or self.speed)

    def free_port(self, name):
        _, ports, cables = self.nodes[name]
        return next((p for p in range(1, ports + 1) if p not in cables), None)

    def __str__(self):
        lines = []
        for name, (kind, ports, cables) in self.nodes.items():
            port_0 = " base port 0 lid 0 lmc 0" if kind == "Switch" else ""
            lines.append(f'{kind}\t{ports} "{name}"\t\t# "{name}"{port_0}')
            own_lid = "" if kind == "Switch" else "lid 0 lmc 0 "
            for port, (far, far_port, speed) in sorted(cables.items()):
                lines.append(f'[{port}]\t"{far}"[{far_port}]\t\t# {own_lid}"{far}" lid 0 {speed}')
            lines.append("")
        return "\n".join(lines)


def fat_tree(net, radix, levels):
    """Level-1 switches have the hosts; switch digits name the subtree, then the place in it."""
    half = radix // 2
    width = half ** (levels - 1)  # switches of a level within one pod of the whole tree
    if levels == 1:
        raise ValueError("a fat tree has at least 2 levels")
    for level in range(1, levels + 1):
        for s in range(2 * width if level < levels else width):
            net.add("Switch", f"sw{level}-{s + 1:02}", radix)
    for host in range(2 * width * half):
        net.add("Ca", f"node{host + 1:03}", 1)
        net.cable(f"node{host + 1:03}", 1, f"sw1-{host // half + 1:02}", host % half + 1)
    for level in range(1, levels):
        # Switches of one group share all but one digit; they meet half as many parents' ports.
        step = half ** (level - 1)
        for s in range(2 * width):
            digit = s // step % half if level < levels - 1 else s // step
            base = s - digit * step if level < levels - 1 else s % step
            for up in range(half):
                parent = base + up * step
                net.cable(f"sw{level}-{s + 1:02}", half + up + 1, f"sw{level + 1}-{parent + 1:02}", digit + 1)


def torus(net, dimensions, hosts):
    """Port 2d + 1 of a switch leads up in dimension d (from 0), port 2d + 2 down; then come the hosts."""
    places = list(itertools.product(*[range(n) for n in dimensions]))

    def name(place):
        return "sw" + "-".join(str(x) for x in place)

    for place in places:
        net.add("Switch", name(place), 2 * len(dimensions) + hosts)
    for number, place in enumerate(places):
        for d, size in enumerate(dimensions):
            if size < 2 or size == 2 and place[d] == 1:
                continue  # two switches have one cable between them
            far = place[:d] + ((place[d] + 1) % size,) + place[d + 1 :]
            net.cable(name(place), 2 * d + 1, name(far), 2 * d + 2)
        for host in range(hosts):
            node = f"node{number * hosts + host + 1:03}"
            net.add("Ca", node, 1)
            net.cable(node, 1, name(place), 2 * len(dimensions) + 1 + host)


def irregular(net, switches, hosts, radix, extra, seed):
    """A random tree of switches, `extra` more cables between them, and hosts where ports are left.

    Every tenth host has two cabled ports; the extra cables are of older generations.
    """
    rng = random.Random(seed)
    names = [f"sw{s + 1:02}" for s in range(switches)]
    for name in names:
        net.add("Switch", name, radix)

    def join(a, b, speed=None):
        net.cable(a, net.free_port(a), b, net.free_port(b), speed)

    for i in range(1, switches):
        join(names[i], rng.choice([n for n in names[:i] if len(net.nodes[n][2]) < radix - 2]))
    for _ in range(extra):
        join(*rng.sample([n for n in names if len(net.nodes[n][2]) < radix - 2], 2),
             speed=rng.choice(["4xQDR", "4xFDR", "4xEDR", "1xEDR"]))
    for host in range(hosts):
        name = f"node{host + 1:03}"
        ports = 2 if host % 10 == 9 else 1
        net.add("Ca", name, ports)
        for _ in range(ports):
            join(name, rng.choice([n for n in names if net.free_port(n) is not None]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    tree = kinds.add_parser("fat-tree")
    tree.add_argument("--radix", type=int, default=6)
    tree.add_argument("--levels", type=int, default=3)
    ring = kinds.add_parser("torus")
    ring.add_argument("--dimensions", default="4x4", help="4x4x3; 6 is a ring")
    ring.add_argument("--hosts", type=int, default=1, help="of each switch")
    wild = kinds.add_parser("irregular")
    wild.add_argument("--switches", type=int, default=8)
    wild.add_argument("--hosts", type=int, default=20)
    wild.add_argument("--radix", type=int, default=8)
    wild.add_argument("--extra", type=int, default=4)
    wild.add_argument("--seed", type=int, default=1)
    for kind in (tree, ring, wild):
        kind.add_argument("--speed", default="4xHDR")
        kind.add_argument("-o", "--output", type=argparse.FileType("w"), default="-")
    options = parser.parse_args()
    net = Netlist(options.speed)
    if options.kind == "fat-tree":
        fat_tree(net, options.radix, options.levels)
    elif options.kind == "torus":
        torus(net, [int(n) for n in options.dimensions.split("x")], options.hosts)
    else:
        irregular(net, options.switches, options.hosts, options.radix, options.extra, options.seed)
    print(net, file=options.output)


if __name__ == "__main__":
    main()
