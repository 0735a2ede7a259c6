import assert from "node:assert/strict";
import { test } from "node:test";
import { apart, measuredLinks, ranks, shares } from "../../src/measured/links";
import { measuredReport } from "../fixtures/report";

test("equal values share the mean of their ranks; what is not known has none", () => {
  assert.deepEqual(ranks([9, 4, null, 4, 0]), [1, 2.5, null, 2.5, 4]);
  assert.deepEqual(ranks([]), []);
});

test("shares are of what is known", () => {
  assert.deepEqual(shares([3, null, 1]), [0.75, null, 0.25]);
  assert.deepEqual(shares([0, 0]), [0, 0]);
});

test("waiting is a share of all waiting, with interval and tick one of time", () => {
  const report = measuredReport();
  const topology = report.topologies[0]!;
  const run = report.runs[0]!;
  const measured = topology.measured!;
  const share = measuredLinks(run, topology)!;
  assert.equal(share.isWaitTime, false);
  const sum = share.links.reduce((all, link) => all + (link.wait.measured ?? 0), 0);
  assert.ok(Math.abs(sum - 1) < 1e-9);
  // its counter is not known: it takes no part on either side
  assert.equal(share.links[0]!.wait.simulated, null);
  assert.equal(apart(share.links[0]!), null);
  Object.assign(measured, { interval_ns: 1e6, tick_ns: 10 });
  const time = measuredLinks(run, topology)!;
  assert.equal(time.isWaitTime, true);
  assert.equal(time.links[1]!.wait.measured, (measured.ticks[1]! * 10) / 1e6);
  assert.equal(time.links[1]!.wait.simulated, run.links!.wait[1]);
});

test("without counters there is nothing", () => {
  const report = measuredReport();
  const topology = report.topologies[0]!;
  assert.equal(measuredLinks({ ...report.runs[0]!, links: null }, topology), null);
  delete topology.measured;
  assert.equal(measuredLinks(report.runs[0]!, topology), null);
});
