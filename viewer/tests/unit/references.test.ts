import assert from "node:assert/strict";
import { test } from "node:test";
import { emptierSide, shownOnAxes } from "../../src/charts/drawn_figures";
import {
  alongNumbers,
  amongBars,
  marksOf,
  markOf,
  referenceLegend,
  referenceSeries,
  referencesFor,
} from "../../src/charts/references";
import { useLook } from "../../src/palette";
import { publishedReport, publishedSweep } from "../fixtures/report";

test("references are those of figures over the same axis, of the metric with its label", () => {
  const report = publishedReport();
  const texts = (x: string, ...names: string[]) =>
    referencesFor(report, x, names).map((one) => one.text);
  assert.deepEqual(texts("time", "efficiency"), ["published: Fig. 3", "limit", "published: end"]);
  assert.deepEqual(texts("case", "efficiency"), ["limit", "published: Table 2"]);
  assert.deepEqual(texts("distribution", "network_latency[cold]"), ["published: p99"]);
  assert.deepEqual(texts("distribution", "network_latency"), []);
  assert.deepEqual(texts("time", "throughput"), []);
  report.figures.push({ ...report.figures[0]!, name: "again" });
  assert.equal(texts("time", "efficiency").length, 3, "what two figures share stands once");
});

test("points stand at their numbers, or at the bar of their name", () => {
  const [, table] = referencesFor(publishedReport(), "case", ["efficiency"]);
  const bars = amongBars(["queue per host", "one queue"]);
  assert.deepEqual(marksOf([table!], bars)[0]!.points, [
    [1, 0.55],
    [0, 0.93],
  ]);
  assert.deepEqual(marksOf([table!], amongBars(["others"])), []);
  assert.equal(amongBars(["4 KiB", "8 KiB"])(8192), 1);
  assert.equal(alongNumbers("4 KiB"), 4096);
  assert.equal(alongNumbers("one queue"), null);
});

test("what logarithmic axes cannot show is left out", () => {
  const references = [
    { text: "a", metrics: [], y: 0 },
    {
      text: "b",
      metrics: [],
      points: [
        [0, 1],
        [2, 3],
      ] as [number, number][],
    },
  ];
  const marks = marksOf(references, alongNumbers, (x, y) => x > 0 && y > 0);
  assert.deepEqual(
    marks.map(({ text, points }) => [text, points]),
    [["b", [[2, 3]]]],
  );
  const figure = publishedSweep().drawn![0]!;
  figure.panels[0]!.lines[0]!.points.push([50, 0, null]);
  figure.panels[0]!.references.push({ text: "zero", y: 0 });
  const [panel] = shownOnAxes(figure).panels;
  assert.ok(panel!.lines[0]!.points.every(([, y]) => y !== 0));
  assert.equal(
    panel!.references.some((one) => one.text === "zero"),
    false,
  );
});

test("points of different references have different symbols; series are known by their ids", () => {
  useLook(publishedReport().look);
  const references = ["a", "b"].map((text) => ({
    text,
    metrics: [],
    points: [[1, 2]] as [number, number][],
  }));
  const marks = marksOf(references, alongNumbers);
  assert.notEqual(marks[0]!.symbol, marks[1]!.symbol);
  const series = referenceSeries(marks, "dark") as { id: string; type: string }[];
  assert.deepEqual(
    series.map(({ id }) => markOf(marks, id)?.text),
    ["a", "b"],
  );
  assert.equal(markOf(marks, "\u0000line0"), undefined);
  assert.deepEqual(
    referenceLegend([...marks, marks[0]!], "light").map((one) => (one as { name: string }).name),
    ["a", "b"],
  );
});

test("the name of a level line stands where fewer points are", () => {
  const figure = publishedSweep().drawn![1]!;
  const panel = (points: [number, number, null][]) => ({
    ...figure.panels[0]!,
    lines: [{ name: "a", colour: 0, symbol: "circle" as const, dashed: false, points }],
  });
  const lines = { ...figure, x_range: [0, 10] as [number, number] };
  const right = panel([
    [8, 0.35, null],
    [9, 0.36, null],
    [1, 0.9, null],
  ]);
  assert.equal(emptierSide(lines, right, 0.33), "left");
  assert.equal(emptierSide(lines, panel([[1, 0.35, null]]), 0.33), "right");
  assert.equal(emptierSide(lines, panel([]), 0.33), "right");
});
