import assert from "node:assert/strict";
import { test } from "node:test";
import { betterOf, firstChoice, questionOf } from "../../src/choice";
import { settingKey, settingsOf } from "../../src/runs";
import { manyCases, quickReport, sweepReport } from "../fixtures/report";

test("few settings are all in the charts", () => {
  const report = quickReport(2, 4);
  assert.deepEqual(firstChoice(report), { chosen: [0, 1, 2, 3], roles: new Map(), reason: "" });
});

test("of many cases the baseline, the best and the worst for those who suffer", () => {
  const report = manyCases();
  const { chosen, roles, reason } = firstChoice(report);
  // the victims' tail is the question, although efficiency is the first column
  assert.equal(reason, "baseline, best and worst by network latency p99 [cold]");
  assert.deepEqual(chosen, [0, 3, 6, 9]);
  const roleOf = (index: number) => roles.get(settingKey(report.runs[index]!));
  assert.deepEqual(roleOf(0), ["baseline"]);
  assert.deepEqual(roleOf(3), ["worst"]);
  assert.deepEqual(roleOf(6), ["best"]);
  assert.equal(roleOf(9), undefined, "the next best has no role");
});

test("without hot traffic the first column asks", () => {
  const report = manyCases();
  for (const run of report.runs) run.hosts = null;
  const all = report.runs.map((_, index) => [index]);
  assert.equal(questionOf(report, all), "efficiency");
  for (const run of report.runs) run.scalars = run.scalars.slice(0, 1);
  assert.equal(firstChoice(report).reason, "baseline, best and worst by efficiency");
});

test("a sweep is judged at its highest load, with all seeds", () => {
  const report = sweepReport();
  const { chosen } = firstChoice(report);
  const loads = chosen.map((index) => report.runs[index]!.parameters[1]![1]);
  assert.deepEqual([...new Set(loads)], ["0.9"]);
  assert.ok(
    settingsOf(chosen.map((index) => report.runs[index]!)).every((one) => one.runs.length === 3),
  );
});

test("the better direction stands in the meaning", () => {
  const report = manyCases();
  assert.equal(betterOf(report, "efficiency"), "higher");
  assert.equal(betterOf(report, "network_latency_p99"), "lower");
  assert.equal(betterOf(report, "tree_size"), null);
  assert.equal(betterOf(report, "unknown"), null);
});
