import assert from "node:assert/strict";
import { test } from "node:test";
import { paretoFront } from "../../src/charts/pareto";
import { boxAround, placeLabel } from "../../src/charts/place_labels";
import { firstAxes, scatterLines, scatterPoints } from "../../src/charts/scatter";
import { fileName, toCsv } from "../../src/csv";
import { manyCases, seedReport, sweepReport } from "../fixtures/report";

test("the front holds what nothing beats in both", () => {
  const points = [
    { x: 1, y: 10 },
    { x: 2, y: 5 },
    { x: 3, y: 6 },
    { x: 4, y: 1 },
    { x: 4, y: 2 },
  ];
  assert.deepEqual(paretoFront(points, "lower", "lower"), [0, 1, 3]);
  assert.deepEqual(paretoFront(points, "higher", "lower"), [3]);
  assert.deepEqual(paretoFront(points, "higher", "higher"), [0, 2, 4]);
  const twins = [
    { x: 1, y: 1 },
    { x: 1, y: 1 },
  ];
  assert.deepEqual(paretoFront(twins, "lower", "lower"), [0, 1], "neither beats the other");
});

test("points are settings with intervals over their seeds, or single seeds", () => {
  const report = seedReport();
  const names = report.runs.map((run) => `${run.case}, seed ${run.seed}`);
  const all = report.runs.map((_, index) => index);
  const points = scatterPoints(report, names, all, "tree_size", "efficiency", false);
  assert.deepEqual(
    points.map((point) => [point.name, point.runs]),
    [
      ["scheme 4", [0, 1, 2]],
      ["scheme 7", [3, 4, 5]],
    ],
  );
  assert.ok(points.every((point) => point.halfX! > 0 && point.halfY! > 0));
  const single = scatterPoints(report, names, all, "tree_size", "efficiency", true);
  assert.equal(single.length, 6);
  assert.equal(single[0]!.halfX, null);
});

test("a sweep's points hang together by scheme, along the load", () => {
  const report = sweepReport();
  const all = report.runs.map((_, index) => index);
  const points = scatterPoints(report, [], all, "throughput", "latency_mean", false);
  assert.equal(points.length, 12, "settings without a latency are left out");
  const lines = scatterLines(report, points);
  assert.deepEqual(
    lines.map((line) => [line.name, line.points.length]),
    [
      ["1q", 3],
      ["voqsw", 5],
      ["dbbm", 4],
    ],
  );
  for (const line of lines) {
    const xs = line.points.map((index) => points[index]!.x);
    assert.deepEqual(
      xs,
      [...xs].sort((a, b) => a - b),
    );
  }
  const cases = manyCases();
  const few = scatterPoints(cases, [], [0, 1], "tree_size", "efficiency", false);
  assert.deepEqual(scatterLines(cases, few), []);
});

test("at first the question stands against a second number that differs", () => {
  assert.deepEqual(firstAxes(manyCases()), {
    across: "efficiency",
    up: "network_latency_p99[cold]",
  });
  const asked = sweepReport();
  const [plain] = manyCases().figures;
  asked.figures = [{ ...plain!, x: "throughput", metrics: ["latency_mean"] }];
  assert.deepEqual(firstAxes(asked), { across: "throughput", up: "latency_mean" });
});

test("labels keep clear of each other and of the edge", () => {
  const room = { x: 0, y: 0, width: 300, height: 200 };
  const size = { width: 60, height: 14 };
  const taken = [boxAround([290, 100], { width: 12, height: 12 })];
  const first = placeLabel([290, 100], size, taken, room)!;
  assert.ok(first[0] < 290, "no room at the right");
  taken.push(boxAround(first, size));
  const second = placeLabel([288, 101], size, taken, room)!;
  const [a, b] = [boxAround(first, size), boxAround(second, size)];
  const full = [{ x: 0, y: 0, width: 300, height: 200 }];
  assert.equal(placeLabel([150, 100], size, full, room), null, "nothing could be read");
  assert.ok(a.y + a.height <= b.y || b.y + b.height <= a.y || a.x + a.width <= b.x);
});

test("CSV quotes what needs it", () => {
  const sheet = {
    columns: ["run", "value (ns)"],
    rows: [
      ['a "b", c', 1.5],
      ["d", null],
    ],
  };
  assert.equal(toCsv(sheet), 'run,value (ns)\r\n"a ""b"", c",1.5\r\nd,\r\n');
  assert.equal(fileName("latency p99 [cold] / µs"), "latency-p99-cold-µs");
  assert.equal(fileName("///"), "data");
});
