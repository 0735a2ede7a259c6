import assert from "node:assert/strict";
import { test } from "node:test";
import { compare, comparisonKeys, defaultKey } from "../../src/charts/comparison";
import type { Run } from "../../src/data";
import { diffLines, withContext } from "../../src/diff";
import { colourMap, letters, lightness, useLook } from "../../src/palette";
import { hopsPerSecond, runNames, settingKey } from "../../src/runs";
import { distribution, estimate, mergeBuckets, student } from "../../src/statistics";
import { manyCases, quickReport, sweepReport } from "../fixtures/report";

test("interval of three seeds", () => {
  const result = estimate([1, 2, 3])!;
  assert.equal(result.mean, 2);
  // 4.303 / sqrt(3)
  assert.ok(Math.abs(result.half! - 2.4843) < 1e-3);
  assert.equal(estimate([5])!.half, null);
  assert.equal(estimate([]), null);
});

test("Student's t goes on smoothly beyond the table", () => {
  assert.ok(Math.abs(student(40) - 2.0211) < 1e-3);
  assert.ok(Math.abs(student(1000) - 1.9623) < 1e-3);
});

test("distributions add up", () => {
  const merged = mergeBuckets([
    [
      [10, 1],
      [20, 2],
    ],
    [[20, 1]],
  ]);
  assert.deepEqual(merged, [
    [10, 1],
    [20, 3],
  ]);
  assert.deepEqual(distribution(merged, false), [
    [10, 0.25],
    [20, 1],
  ]);
  assert.deepEqual(distribution(merged, true), [
    [10, 0.75],
    [20, 0],
  ]);
});

test("a sweep is compared over its number, a line for the rest, seeds together", () => {
  const { runs } = sweepReport();
  assert.deepEqual(comparisonKeys(runs), ["queueing.model", "traffic[0].arrivals.load"]);
  assert.equal(defaultKey(runs), "traffic[0].arrivals.load");
  const data = compare(runs, "latency_mean", "", defaultKey(runs));
  assert.equal(data.numeric, true);
  assert.deepEqual(
    data.series.map((one) => one.name),
    ["1q", "voqsw", "dbbm"],
  );
  assert.deepEqual(
    data.series[1]!.points.map((point) => point.x),
    [0.1, 0.3, 0.5, 0.7, 0.9],
  );
  assert.ok(data.series.every((one) => one.points.every((point) => point.seeds === 3)));
  assert.deepEqual(data.missing, ["1q, load 0.7", "1q, load 0.9", "dbbm, load 0.9"]);
});

test("cases are compared by name", () => {
  const runs = quickReport(2, 4).runs.filter((run) => run.status === "done");
  assert.equal(defaultKey(runs), "case");
  const data = compare(runs, "efficiency", "", "case");
  assert.equal(data.numeric, false);
  assert.deepEqual(data.categories, [
    "one queue",
    "queue per output",
    "DBBM, 3 queues",
    "queue per host",
  ]);
  assert.equal(data.series.length, 1);
});

test("what goes with the case makes no lines of its own and no longer names", () => {
  const runs = manyCases().runs.slice(0, 4);
  runs.forEach((run, index) => {
    run.parameters = [
      ["traffic", index < 2 ? "incast" : "uniform"],
      ["selection", index % 2 ? "spray" : "fixed"],
    ];
  });
  const data = compare(runs, "efficiency", "", "case");
  assert.deepEqual(
    data.series.map((one) => [one.name, one.points.length]),
    [["", 4]],
  );
  const bySelection = compare(runs, "efficiency", "", "selection");
  assert.deepEqual(
    bySelection.series.map((one) => [one.name, one.points.length]),
    [
      ["incast", 2],
      ["uniform", 2],
    ],
  );
  assert.deepEqual(runNames(runs), ["scheme 1", "scheme 2", "scheme 3", "scheme 4"]);
});

test("runs have different names, replicas one setting", () => {
  const { runs } = sweepReport();
  assert.equal(new Set(runNames(runs)).size, runs.length);
  assert.equal(runNames(runs)[0], "queueing 1q, load 0.1, seed 1");
  assert.equal(settingKey(runs[0]!), settingKey(runs[1]!));
  assert.notEqual(settingKey(runs[0]!), settingKey(runs[3]!));
});

test("colour maps get steadily darker, or lighter on dark", () => {
  for (const name of ["utilization", "wait", "queues"] as const) {
    for (const [theme, sign] of [
      ["light", -1],
      ["dark", 1],
    ] as const) {
      const map = colourMap(name, theme).map(lightness);
      map
        .slice(1)
        .forEach((value, k) => assert.ok((value - map[k]!) * sign > 0, `${name} ${theme} ${k}`));
    }
  }
});

test("names of lines are dark enough to be read on white, as light as their line on dark", () => {
  useLook(quickReport().look);
  const { colours } = quickReport().look;
  for (const colour of colours.light) assert.ok(lightness(letters(colour, "light")) < 0.58);
  assert.equal(letters("#000000", "light"), "#000000");
  assert.equal(letters(colours.dark[0]!, "dark"), colours.dark[0]);
});

test("differences of configurations", () => {
  const before = "[a]\nx = 1\ny = 2\n\n[b]\nz = 3\nw = 4\nv = 5";
  const after = "[a]\nx = 1\ny = 2\n\n[b]\nz = 3\nw = 4\nv = 6\nu = 7";
  const lines = diffLines(before, after);
  assert.deepEqual(
    lines.filter((line) => line.kind !== "same").map(({ kind, text }) => [kind, text]),
    [
      ["removed", "v = 5"],
      ["added", "v = 6"],
      ["added", "u = 7"],
    ],
  );
  assert.deepEqual(
    withContext(lines, 1).map((line) => line?.text ?? null),
    [null, "[b]", null, "w = 4", "v = 5", "v = 6", "u = 7"],
  );
  assert.deepEqual(
    diffLines("a", "a").map((line) => line.kind),
    ["same"],
  );
});

test("packet-hops per second are of the runs whose CPU time is known", () => {
  const [a, b, c] = sweepReport().runs.slice(0, 3) as [Run, Run, Run];
  const hops = (run: Run, value: number, cpu_seconds: number | null): Run => ({
    ...run,
    cpu_seconds,
    scalars: [{ metric: "packet_hops", label: "", value, half_width: null, quality: "plain" }],
  });
  assert.equal(hopsPerSecond([hops(a, 6e6, 2), hops(b, 9e6, 3), hops(c, 5e9, null)]), 3e6);
  assert.equal(hopsPerSecond([a, hops(b, 1, null)]), null);
});
