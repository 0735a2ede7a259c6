#!/usr/bin/env python3
"""Says of a recorded subnet whether its routes can deadlock, on one lane and on its VLs, without weir.

  verdict.py FOLDER

reads topology.txt, lfts.txt, paths.txt and sl2vl.txt of FOLDER, follows every pair of adapters and
prints "one lane: cyclic" or "one lane: free", then "VLs: cyclic" or "VLs: free" with the VLs of links
between switches.
"""

import graphlib
import pathlib
import re
import sys


def cables(text):
    """{(node GUID, port): (node GUID, port)}, LIDs of adapters and of switches."""
    far, adapters, switches, node = {}, {}, {}, None
    for line in text.splitlines():
        if m := re.match(r'(Switch|Ca)\s+\d+ "(\S+)".*', line):
            node = m[2]
            if m[1] == "Switch":
                switches[int(re.search(r" lid (\d+)", line)[1])] = node
        elif m := re.match(r'\[(\d+)\](?:\(\w+\))?\s+"(\S+)"\[(\d+)\]', line):
            far[node, int(m[1])] = (m[2], int(m[3]))
            if node.startswith("H-"):
                adapters[int(re.search(r"# lid (\d+)", line)[1])] = (node, int(m[1]))
    return far, adapters, switches


def forwarding(text):
    tables, table = {}, None
    for line in text.splitlines():
        if m := re.search(r"guid 0x([0-9a-f]+)", line) if line.startswith("Unicast") else None:
            table = tables.setdefault("S-%016x" % int(m[1], 16), {})
        elif m := re.match(r"0x([0-9A-Fa-f]+) (\d+)", line):
            table[int(m[1], 16)] = int(m[2])
    return tables


def levels(text):
    found = {}
    for record in text.split("PathRecord dump:")[1:]:
        value = dict(re.findall(r"\b(slid|dlid|sl)\.+(\S+)", record))
        found[int(value["slid"]), int(value["dlid"])] = int(value["sl"], 0)
    return found


def sl2vl(text):
    found, lid = {}, None
    for line in text.splitlines():
        if m := re.search(r"base LID (\d+)", line):
            lid = int(m[1])
        elif m := re.match(r"(\d+)\s+(\d+)\s*:(.*)", line):
            found[lid, int(m[1]), int(m[2])] = [int(v) for v in m[3].split()]
    return found


def is_free(waits):
    try:
        graphlib.TopologicalSorter(waits).prepare()
    except graphlib.CycleError:
        return False
    return True


def main():
    folder = pathlib.Path(sys.argv[1])
    read = lambda name: (folder / name).read_text()
    far, adapters, switches = cables(read("topology.txt"))
    lid_of = {guid: lid for lid, guid in switches.items()}
    tables, level, vl = forwarding(read("lfts.txt")), levels(read("paths.txt")), sl2vl(read("sl2vl.txt"))
    one_lane, lanes, used = {}, {}, set()
    for source, start in adapters.items():
        for destination, end in adapters.items():
            if source == destination:
                continue
            node, in_port = far[start]
            before = None
            while (node, in_port) != end:
                out = tables[node][destination]
                lane = vl[lid_of[node], in_port, out][level[source, destination]]
                here = ((node, out), lane)
                node, in_port = far[node, out]
                if node.startswith("S-"):
                    used.add(lane)
                    if before:
                        one_lane.setdefault(here[0], set()).add(before[0])
                        lanes.setdefault(here, set()).add(before)
                before = here
    word = {True: "free", False: "cyclic"}
    print("one lane:", word[is_free(one_lane)])
    print("VLs:", word[is_free(lanes)], *sorted(used))


if __name__ == "__main__":
    main()
