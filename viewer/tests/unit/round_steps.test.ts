import assert from "node:assert/strict";
import { test } from "node:test";
import { logBase, roundRange, roundSteps } from "../../src/charts/round_steps";

test("ranges end at round numbers", () => {
  assert.deepEqual(roundRange([0, 1]), { min: 0, max: 1, interval: 0.2 });
  assert.deepEqual(roundRange([0.385, 0.915]), { min: 0.2, max: 1, interval: 0.2 });
  assert.deepEqual(roundRange([-3, 47]), { min: -10, max: 50, interval: 10 });
  assert.deepEqual(roundRange([3, 3]), { min: 3, max: 3, interval: 1 });
});

test("sizes have ticks at whole KiB", () => {
  const KiB = 1024;
  assert.deepEqual(roundSteps([2 * KiB, 4 * KiB], KiB), {
    min: 2 * KiB,
    max: 4 * KiB,
    interval: 0.5 * KiB,
  });
  assert.deepEqual(roundSteps([0, 90_000], KiB), { min: 0, max: 100 * KiB, interval: 20 * KiB });
  assert.deepEqual(logBase("B"), { logBase: 2 });
});

test("other units have round ticks by themselves", () => {
  for (const factor of [1, 1e-3, 1e3, 1e6, 1e12]) assert.deepEqual(roundSteps([0, 7], factor), {});
  assert.deepEqual(roundSteps([], 1024), {});
  assert.deepEqual(logBase("ns"), {});
});
