// A report that the program wrote (WEIR_REPORT): what no made-up data can show.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { available, chart, open, settle, snapshot } from "./browser.mjs";

const path = process.env.WEIR_REPORT;
const skip = !available ? "chromium is not installed" : !path ? "WEIR_REPORT is not set" : false;
let browser;
let page;

before(async () => {
  if (skip) return;
  browser = await open();
  page = await browser.show(pathToFileURL(path).href);
});
after(() => browser?.close());

test("is small and asks for nothing", { skip }, async () => {
  assert.ok((await stat(path)).size < 10 * 1024 * 1024);
  assert.deepEqual(
    browser.requests.filter((url) => !/^(file|data|blob):/.test(url)),
    [],
  );
});

test("the quickstart stays within 2 MB", { skip }, async () => {
  const { size } = await stat(process.env.WEIR_QUICKSTART);
  console.log(`the quickstart's page: ${(size / 1e6).toFixed(2)} MB`);
  assert.ok(size <= 2e6, `${size} bytes`);
});

test("has the runs with the columns that the experiment names", { skip }, async () => {
  const report = await page.evaluate(() => {
    const { runs, columns, topologies } = window.weirReport.store.report;
    return {
      columns,
      runs: runs.map((run) => run.status),
      hosts: topologies[0].nodes.filter((node) => node.kind === "host").length,
    };
  });
  assert.deepEqual(report.runs, ["done", "done", "done", "done"]);
  assert.equal(report.hosts, 128);
  const headings = await page.locator("thead th button").allInnerTexts();
  for (const name of [
    "efficiency",
    "efficiency min",
    "network latency p99 [cold]",
    "tree size",
    "took",
    "CPU",
  ]) {
    assert.ok(headings.includes(name), `${name} is not among ${headings.join(", ")}`);
  }
  assert.match(
    await page.innerText(".provenance dl"),
    /CPU time [\d.]+ m?s[\s\S]*packet-hops per second of CPU time/,
  );
});

test("every value of every run is a number or nothing, every port known", { skip }, async () => {
  const wrong = await page.evaluate(() => {
    const { runs, topologies, metrics } = window.weirReport.store.report;
    const problems = [];
    for (const run of runs) {
      const topology = topologies[run.topology];
      const known = (port) => Number.isInteger(port) && port >= 0 && port < topology.ports.length;
      for (const tree of run.trees) {
        if (!known(tree.root)) problems.push(`root ${tree.root}`);
        if (!tree.branches.every(([port, depth]) => known(port) && depth > 0))
          problems.push("branches");
        if (!tree.leaves.every(known)) problems.push("leaves");
      }
      for (const { metric } of [...run.scalars, ...run.series, ...run.histograms]) {
        if (!metrics[metric]) problems.push(`no meaning of ${metric}`);
      }
      for (const { metric, buckets } of run.histograms) {
        if (buckets.some(([value], k) => k > 0 && value <= buckets[k - 1][0]))
          problems.push(metric);
      }
      if (run.links.utilization.length !== topology.ports.length) problems.push("links");
      if (run.marks.length === 0) problems.push("marks");
      if (run.hosts.hot_destinations.join() !== "4") problems.push("hot destination");
    }
    return problems;
  });
  assert.deepEqual(wrong, []);
});

test("charts have data, the slider moves the tree", { skip }, async () => {
  assert.equal((await chart(page, "time")).length, 4);
  assert.equal((await chart(page, "comparison"))[0].data.length, 4);
  assert.equal((await chart(page, "distribution")).length, 4);
  const worst = await snapshot(page);
  assert.ok(worst.treePorts > 20 && worst.victims > 5);
  await page.locator("input[type=range]").focus();
  await page.keyboard.press("Home");
  await settle(page);
  const first = await snapshot(page);
  assert.equal(first.frame, 0);
  assert.ok(first.treePorts < worst.treePorts / 2);
});

test("the console stays quiet in light and dark", { skip }, async () => {
  await browser.screenshot(page, "quickstart-light", { fullPage: true });
  await page.click("button.theme");
  await settle(page);
  await browser.screenshot(page, "quickstart-dark", { fullPage: true });
  assert.deepEqual(page.problems, []);
});
