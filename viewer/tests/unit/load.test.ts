import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { decodeFrames, parseReport } from "../../src/load";
import { emptyReport } from "../fixtures/report";

test("a report is read plain and compressed", async () => {
  const report = { ...emptyReport(), title: "µ <b> & 网络" };
  const json = JSON.stringify(report);
  assert.deepEqual(await parseReport(`\n${json}\n`), report);
  assert.deepEqual(await parseReport(gzipSync(json).toString("base64")), report);
  const lines = gzipSync(json).toString("base64").replace(/.{60}/g, "$&\n");
  assert.deepEqual(await parseReport(lines), report);
});

test("another format is refused", async () => {
  await assert.rejects(parseReport('{"format":2}'), /format 2; this page reads format 1/);
});

test("frames have a byte for each time and port", () => {
  const frames = decodeFrames(
    {
      times_ns: [10, 20],
      utilization: Buffer.from([0, 1, 2, 255, 4, 5]).toString("base64"),
      wait: Buffer.alloc(6).toString("base64"),
    },
    3,
  );
  assert.equal(frames.utilization[3], 255);
  assert.equal(frames.queues, null);
  const [utilization, wait] = ["AAAA", "AAAA"];
  const isolated = { times_ns: [10], utilization, wait, set_aside: "AAUA" };
  assert.deepEqual([...decodeFrames(isolated, 3).queues!], [0, 5, 0]);
  assert.throws(
    () => decodeFrames({ ...isolated, set_aside: "AA==" }, 3),
    /hold 3 and 3 and 1 bytes in place of 3/,
  );
  assert.throws(
    () => decodeFrames({ times_ns: [10], utilization: "AAAA", wait: "AA==" }, 3),
    /1 times and 3 ports hold 3 and 1 bytes in place of 3/,
  );
});
