import assert from "node:assert/strict";
import { test } from "node:test";
import { toSegment } from "../../src/congestion/hit";
import { mostPortsInTrees, Replay } from "../../src/congestion/replay";
import { buildScene } from "../../src/congestion/scene";
import { analyse } from "../../src/congestion/structure";
import { fatTree } from "../fixtures/fat_tree";
import { butterfly, flatReport, torus } from "../fixtures/flat";
import { quickReport } from "../fixtures/report";

test("a fat tree has its stages and pods", () => {
  const { levels, staged, pods, pod, leafOf, hosts } = analyse(fatTree(3));
  assert.deepEqual([levels, staged, pods, hosts], [3, true, 6, 54]);
  assert.equal(leafOf[4], 54 + 1);
  assert.equal(pod[0], 0);
  assert.equal(pod[53], 5);
});

test("stages are found where they are not given", () => {
  const tree = fatTree(3);
  const bare = {
    ...tree,
    nodes: tree.nodes.map((node) => ({ ...node, stage: node.kind === "host" ? 0 : -1 })),
  };
  assert.deepEqual([...analyse(bare).level], [...analyse(tree).level]);
  assert.equal(analyse(torus(4)).staged, false);
});

test("every port lies in the bundle of its ends, in its direction", () => {
  for (const detail of ["all", "groups"] as const) {
    const tree = fatTree(3);
    const scene = buildScene(tree, detail);
    tree.ports.forEach(({ from, to }, port) => {
      const bundle = scene.bundles[scene.bundleOf[port]!]!;
      const ends = bundle.forward.includes(port) ? [bundle.a, bundle.b] : [bundle.b, bundle.a];
      assert.ok(bundle.forward.includes(port) !== bundle.backward.includes(port));
      assert.deepEqual(ends, [scene.itemOf[from], scene.itemOf[to]]);
    });
  }
});

test("large networks come in groups that open", () => {
  const tree = fatTree(7);
  const scene = buildScene(tree);
  assert.equal(scene.aggregated, true);
  // a group of hosts, leaves and middle switches for each pod, and a plane for each middle position
  assert.equal(scene.items.length, 14 * 3 + 7);
  assert.equal(
    scene.items.reduce((sum, item) => sum + item.nodes.length, 0),
    tree.nodes.length,
  );
  const opened = buildScene(tree, "auto", new Set([2]));
  assert.equal(opened.items.length, 13 * 3 + 7 + 49 + 7 + 7);
  assert.equal(buildScene(fatTree(3)).aggregated, false);
});

test("switches stand above their hosts, inside the picture, without overlap", () => {
  const scene = buildScene(fatTree(3));
  const rows = new Map<number, number[]>();
  for (const item of scene.items) {
    assert.ok(item.x >= 0 && item.x <= 1 && item.y >= 0 && item.y <= 1);
    rows.set(item.y, [...(rows.get(item.y) ?? []), item.x]);
  }
  assert.equal(rows.size, 4);
  for (const xs of rows.values())
    assert.equal(new Set(xs.map((x) => x.toFixed(6))).size, xs.length);
  const [host, leaf] = [scene.items[4]!, scene.items[54 + 1]!];
  assert.ok(Math.abs(host.x - leaf.x) < leaf.width && host.y > leaf.y);
});

test("networks without stages are laid out, cables around a torus bent", () => {
  for (const topology of flatReport().topologies) {
    const scene = buildScene(topology);
    for (const item of scene.items) assert.ok(Number.isFinite(item.x) && Number.isFinite(item.y));
    const at = new Set(scene.items.map((item) => `${item.x.toFixed(4)} ${item.y.toFixed(4)}`));
    assert.equal(at.size, scene.items.length);
    assert.equal(
      scene.bundles.filter((bundle) => bundle.bend !== 0).length,
      topology.family === "torus" ? 16 : 0,
    );
  }
});

test("a unidirectional network has its hosts at both ends", () => {
  const scene = buildScene(butterfly(4));
  assert.equal(scene.structure.oneWay, true);
  assert.equal(scene.rows.length, 6);
  assert.equal(scene.items.length, 16 + 32 + 16);
  for (const { a, b } of scene.bundles) {
    assert.equal(Math.abs(scene.items[a]!.level - scene.items[b]!.level), 1);
  }
  assert.equal(analyse(fatTree(2)).oneWay, false);
});

test("replay: trees of a moment, who is held up, largest shares", () => {
  const report = quickReport(3, 20);
  const replay = new Replay(report.runs[0]!, report.topologies[0]!);
  const frame = replay.worstFrame();
  const trees = replay.trees(frame);
  assert.ok(trees[0]!.branches.length >= trees[trees.length - 1]!.branches.length);
  const held = replay.held(trees);
  assert.ok(held.victims.length > 0 && held.contributors.length > 0);
  assert.ok(held.contributors.every((host) => host % 10 === 5));
  assert.ok(held.victims.every((host) => host % 10 !== 5));
  assert.equal(mostPortsInTrees(report.runs[0]!), replay.portsInTrees(frame));
  assert.equal(replay.trees(0).length, 0);
  assert.match(replay.describe(0), /^50 µs: no congestion tree$/);
  assert.match(
    replay.describe(frame),
    /root s1\[1\]; \d+ hosts held up; 1 port cannot keep up without holding up others$/,
  );
  assert.match(replay.describe(-1), /^Average/);
  const top = replay.top(frame, "utilization", 5);
  assert.equal(top[0]!.port, trees[0]!.root);
  assert.equal(top.length, 5);
  const all = report.topologies[0]!.ports.map((_, port) =>
    replay.value(port, frame, "utilization")!,
  );
  assert.deepEqual(
    top.map((one) => one.value),
    all.sort((a, b) => b - a).slice(0, 5),
  );
  assert.equal(replay.frameAt(5.1e5), replay.times.indexOf(5e5));
});

test("replay: set-aside queues of links and their roots", () => {
  const report = quickReport(3, 20);
  const plain = new Replay(report.runs[0]!, report.topologies[0]!);
  assert.equal(plain.hasQueues, false);
  assert.equal(plain.value(0, 3, "queues"), null);
  assert.deepEqual(plain.roots(5), []);
  assert.doesNotMatch(plain.describe(plain.worstFrame()), /set aside/);

  const replay = new Replay(report.runs[1]!, report.topologies[0]!);
  const frame = replay.worstFrame();
  const [tree] = replay.trees(frame);
  assert.equal(replay.mostQueues, 5);
  assert.equal(replay.value(tree!.root, frame, "queues"), 1);
  assert.equal(replay.value(tree!.root, 0, "queues"), 0);
  assert.equal(replay.value(tree!.root, -1, "queues"), 1);
  assert.equal(replay.text(tree!.branches[0]![0], frame, "queues"), "2 queues");
  assert.equal(replay.queues(frame), 5 + 2 * tree!.branches.length);
  assert.match(replay.describe(frame), /; \d+ queues set aside$/);
  assert.match(replay.shares(tree!.root, frame), /, 5 queues set aside$/);
  assert.equal(replay.top(frame, "queues", 3)[0]!.port, tree!.root);
  assert.deepEqual(
    replay.roots(frame).map(({ root }) => root),
    [tree!.root],
  );
  assert.deepEqual(
    replay.roots(0).map(({ root }) => root),
    [3],
    "it came and went within the first period",
  );
});

test("values of lanes are the largest of their ports", () => {
  const report = quickReport(3, 8);
  const replay = new Replay(report.runs[0]!, report.topologies[0]!);
  const scene = buildScene(report.topologies[0]!, "groups");
  for (const frame of [-1, 4]) {
    const values = replay.laneValues(scene, frame, "wait");
    scene.bundles.forEach(({ forward, backward }, index) => {
      [forward, backward].forEach((ports, side) => {
        const most = Math.max(...ports.map((port) => replay.value(port, frame, "wait")!));
        assert.ok(Math.abs(values[2 * index + side]! - most) < 1e-6);
      });
    });
  }
});

test("distance from a segment", () => {
  assert.equal(toSegment(0, 5, 0, 0, 10, 0), 5);
  assert.equal(toSegment(13, 4, 0, 0, 10, 0), 5);
  assert.equal(toSegment(3, 4, 0, 0, 0, 0), 5);
});
