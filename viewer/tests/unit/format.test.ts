import assert from "node:assert/strict";
import { test } from "node:test";
import {
  digits,
  duration,
  fixed,
  hopRate,
  parseQuantity,
  percent,
  quantity,
  scaleFor,
  splitMetric,
  time,
  withInterval,
} from "../../src/format";

test("quantities take the unit in which they read best", () => {
  assert.equal(quantity(715_100, "ns"), "715.1 µs");
  assert.equal(quantity(0.25, "ns"), "250 ps");
  assert.equal(quantity(1e6, "ns"), "1 ms");
  assert.equal(quantity(336 * 1024, "B"), "336 KiB");
  assert.equal(quantity(43_200, "Gbps"), "43.2 Tbps");
  assert.equal(quantity(0.5022, "1"), "0.5022");
  assert.equal(quantity(496, ""), "496");
  assert.equal(quantity(20_000, ""), "20\u202f000");
  assert.equal(quantity(12_345_678, ""), "12.35 M");
  assert.equal(quantity(0, "ns"), "0 ns");
  assert.equal(quantity(-1500, "ns"), "−1.5 µs");
});

test("nothing is a dash", () => {
  assert.equal(quantity(null, "ns"), "–");
  assert.equal(quantity(undefined, "ns"), "–");
  assert.equal(withInterval(null, 0.1, "1"), "–");
});

test("a value just below the next unit is not 1000 of this one", () => {
  assert.deepEqual(scaleFor(999.9, "ns"), { factor: 1000, unit: "µs" });
  assert.deepEqual(scaleFor(990, "ns"), { factor: 1, unit: "ns" });
});

test("intervals have two digits, and the value as many decimals", () => {
  assert.equal(withInterval(0.50234, 0.0123, "1"), "0.502 ± 0.012");
  assert.equal(withInterval(588_123, 23_800, "ns"), "588 ± 24 µs");
  assert.equal(withInterval(1_310, 26.2, "ns"), "1.31 ± 0.026 µs");
  assert.equal(withInterval(5, 0, "1"), "5 ± 0");
  assert.equal(withInterval(5, null, "1"), "5");
});

test("plain numbers", () => {
  assert.equal(digits(0.00012346), "0.0001235");
  assert.equal(digits(1e-9, 2), "1.0e-9");
  assert.equal(fixed(-0.001, 2), "0");
  assert.equal(fixed(1234567, 0), "1\u202f234\u202f567");
  assert.equal(percent(0.623), "62 %");
  assert.equal(percent(0.004), "0.4 %");
  assert.equal(percent(0), "0 %");
  assert.equal(time(420_000), "420 µs");
  assert.equal(duration(200), "3 min 20 s");
  assert.equal(duration(18.34), "18.3 s");
});

test("values of configurations as numbers", () => {
  assert.deepEqual(parseQuantity("0.9"), { value: 0.9, unit: "1" });
  assert.deepEqual(parseQuantity('"4 KiB"'), { value: 4096, unit: "B" });
  assert.deepEqual(parseQuantity('"30 us"'), { value: 30_000, unit: "ns" });
  assert.deepEqual(parseQuantity("1_000"), { value: 1000, unit: "1" });
  assert.equal(parseQuantity('"voqsw"'), null);
  assert.equal(parseQuantity('"1q"'), null);
  assert.equal(parseQuantity("true"), null);
});

test("metric and label", () => {
  assert.deepEqual(splitMetric("latency_p99[cold]"), { metric: "latency_p99", label: "cold" });
  assert.deepEqual(splitMetric("efficiency"), { metric: "efficiency", label: "" });
});

test("packet-hops go by CPU time", () => {
  assert.equal(hopRate(3.2148e6), "3.21 M packet-hops per second of CPU time");
  assert.equal(hopRate(12), "12 packet-hops per second of CPU time");
});
