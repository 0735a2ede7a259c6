// What a user does with runs and charts to find an answer: choosing, folding, comparing, saving.
import assert from "node:assert/strict";
import {
  manyCases,
  quickReport,
  seedReport,
  sweepReport,
} from "../../dist/tests/fixtures/report.mjs";
import { chart, saved, settle } from "./browser.mjs";
import { check, names, screenshot, table, texts } from "./check.mjs";

const rows = (page) => texts(page, ".runs tr[data-run] th button");

check("ten cases: baseline, best and worst first, all by one click", manyCases, async (page) => {
  assert.deepEqual(await names(page, "time"), ["scheme 1", "scheme 4", "scheme 7", "scheme 10"]);
  assert.match(
    await page.innerText(".runs .count"),
    /^10 runs, 4 in the charts: baseline, best and worst by network latency p99 \[cold\]$/,
  );
  const role = (id) => texts(page, `tr[data-run='${id}'] .role`);
  assert.deepEqual(
    [await role(1), await role(4), await role(7), await role(10)],
    [["baseline"], ["worst"], ["best"], []],
  );
  await page.click(".runs button:has-text('Choose these')");
  await settle(page);
  assert.equal((await chart(page, "time")).length, 10);
  assert.match(await page.innerText(".runs .count"), /10 in the charts$/);
  await page.click(".runs button:has-text('Best and worst')");
  await settle(page);
  assert.equal((await chart(page, "time")).length, 4);
  await screenshot(page, "ten-cases", { fullPage: true });
});

check("seeds are one row and one line, and can be unfolded", seedReport, async (page) => {
  assert.deepEqual(await rows(page), ["scheme 4", "scheme 7"]);
  const cell = () => page.innerText("tr[data-run='1'] td.number >> nth=0");
  assert.match(await cell(), /^0\.\d+ ± 0\.\d+/);
  const [mean, half] = (await cell()).split(" ± ").map(Number);
  const lines = await chart(page, "time");
  assert.deepEqual([...new Set(lines.map((line) => line.name))], ["scheme 4", "scheme 7"]);
  assert.equal(lines.length, 6, "a line and the two bounds of its band for each case");
  assert.match(
    await page.innerText("#charts .series .note"),
    /Lines stand for 3 seeds: their mean/,
  );

  await page.click("tr[data-run='1'] .fold");
  assert.deepEqual(await rows(page), ["scheme 4", "seed 1", "seed 2", "seed 3", "scheme 7"]);
  const single = (await texts(page, "tr.seed td.number:nth-child(5)")).map(Number);
  assert.equal(single.length, 3);
  assert.ok(Math.abs(single.reduce((sum, one) => sum + one, 0) / 3 - mean) < 1e-3);
  // 95 % of Student's t with 2 degrees of freedom
  const spread = Math.sqrt(single.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 2);
  assert.ok(Math.abs((4.303 * spread) / Math.sqrt(3) - half) < 0.02 * half + 1e-3);
  await page.click("tr[data-run='1'] .fold");
  assert.equal((await rows(page)).length, 2);
  await page.click(".runs button:has-text('Seeds')");
  assert.equal((await rows(page)).length, 8);

  await page.click("#charts .series button:has-text('Single seeds')");
  await settle(page);
  assert.equal((await chart(page, "time")).length, 6);
  assert.equal((await names(page, "time"))[0], "scheme 4, seed 1");
  const dots = (await chart(page, "comparison")).filter((one) => one.data.length === 6);
  assert.equal(dots.length, 1, "six seeds over two bars");
  assert.equal((await chart(page, "distribution")).length, 6);
  await page.waitForFunction(() => location.hash.includes("single=on"));
});

check("the tick of a folded row takes all its seeds", seedReport, async (page) => {
  await page.click("input[aria-label='scheme 7 in the charts']");
  await settle(page);
  assert.match(await page.innerText(".runs .count"), /6 runs, 3 in the charts/);
  await page.click(".runs button:has-text('Seeds')");
  await page.click("input[aria-label='scheme 4, seed 2 in the charts']");
  await settle(page);
  assert.match(await page.innerText(".runs .count"), /6 runs, 2 in the charts/);
  const box = page.locator("input[aria-label='scheme 4 in the charts']");
  assert.equal(await box.evaluate((one) => one.indeterminate), true);
});

check(
  "axes are logarithmic as the experiment says, and by a switch",
  () => {
    const report = quickReport(4, 20);
    report.figures[0].log = ["y"];
    return report;
  },
  async (page) => {
    const types = (which) =>
      page.evaluate((name) => {
        const option = window.weirReport.charts[name].instance.getOption();
        return [option.xAxis[0].type, option.yAxis[0].type];
      }, which);
    assert.deepEqual(await types("time"), ["value", "log"]);
    const pressed = "#charts .series button[aria-pressed=true]:has-text('Log values')";
    assert.equal(await page.locator(pressed).count(), 1);
    await page.click("#charts .series button:has-text('Log time')");
    await page.click("#charts .series button:has-text('Log values')");
    await page.click("#charts .scalar button:has-text('Log values')");
    await page.click("#charts .histogram button:has-text('Log y')");
    await page.click("#charts .scatter button:has-text('Log across')");
    await settle(page);
    assert.deepEqual(await types("time"), ["log", "value"]);
    assert.deepEqual(await types("comparison"), ["log", "category"]);
    assert.deepEqual(await types("distribution"), ["log", "value"]);
    assert.deepEqual(await types("scatter"), ["log", "value"]);
    assert.ok((await page.locator("#charts .series svg path").count()) > 4);
    // efficiencies from 0.5 to 0.9: bars begin a decade below, and not at 1
    const least = await page.evaluate(
      () => window.weirReport.charts.comparison.instance.getOption().xAxis[0].min,
    );
    assert.equal(least, 0.1);
  },
);

check("any two metrics, with names and a Pareto front", manyCases, async (page) => {
  const points = async () =>
    (await chart(page, "scatter")).find((one) => one.name === "points").data;
  assert.equal((await points()).length, 10);
  await page.selectOption("#charts select[aria-label=Up]", "efficiency");
  await page.selectOption("#charts select[aria-label=Across]", "network_latency_p99[cold]");
  await settle(page);
  const report = await page.evaluate(() => window.weirReport.store.report.runs);
  const value = (run, metric, label) =>
    run.scalars.find((one) => one.metric === metric && one.label === label).value;
  assert.deepEqual(
    (await points()).map((one) => one.value),
    report
      .filter((run) => run.status === "done")
      .map((run) => [value(run, "network_latency_p99", "cold"), value(run, "efficiency", "")]),
  );
  const labels = page.locator("#charts .scatter svg text", { hasText: /^scheme \d+$/ });
  assert.equal(await labels.count(), 10);
  assert.match(await page.innerText("#charts .scatter .note"), /Better: left and up/);
  await page.click("#charts .scatter button:has-text('Pareto front')");
  await settle(page);
  assert.match(await page.innerText("#charts .scatter .note"), /Nothing beats scheme 7\./);
  const front = (await chart(page, "scatter")).find((one) => one.name === "front").data;
  assert.equal(front.length, 1);
  const { text } = await saved(page, "#charts .scatter button:has-text('CSV')");
  const lines = table(text);
  assert.deepEqual(lines[0].slice(0, 2), ["run", "network_latency_p99[cold] (ns)"]);
  assert.equal(lines.filter((line) => line.at(-1) === "1")[0][0], "scheme 7");
  await page.selectOption("#charts select[aria-label=Across]", "tree_size");
  await settle(page);
  assert.ok(await page.locator("#charts .scatter button:has-text('Pareto front')").isDisabled());
});

check(
  "over sizes: ticks at whole KiB, and a colour for each line in all charts",
  () => {
    const report = sweepReport();
    for (const run of report.runs) {
      const [scheme, [, load]] = run.parameters;
      run.parameters = [scheme, ["host.mtu", `"${10 * load + 1} KiB"`]];
    }
    return report;
  },
  async (page) => {
    const lines = (await chart(page, "comparison")).filter((one) => one.type === "line");
    assert.deepEqual(
      lines.map((one) => one.name),
      ["1q", "voqsw", "dbbm"],
    );
    // of each line one setting is in the other charts, at first those of the largest size
    const colours = await page.evaluate(() => {
      const { store } = window.weirReport;
      return Object.fromEntries(
        store.state.chosen.map((index) => [
          store.report.runs[index].parameters[0][1].replaceAll('"', ""),
          store.colour(index),
        ]),
      );
    });
    assert.equal(new Set(lines.map((one) => one.color)).size, 3, "no two lines are alike");
    const inCharts = lines.filter((one) => one.name in colours);
    assert.ok(inCharts.length > 1);
    for (const one of inCharts) assert.equal(one.color, colours[one.name], one.name);
    const across = (await chart(page, "scatter")).filter((one) => one.type === "line");
    for (const one of across) {
      assert.equal(one.color, lines.find(({ name }) => name === one.name).color, one.name);
    }
    const written = () => page.locator("#charts .scalar svg text").allTextContents();
    const ticks = await written();
    for (const text of ["2", "4", "6", "8", "10"]) assert.ok(ticks.includes(text), text);
    await page.click("#charts .scalar button:has-text('Log mtu')");
    await settle(page);
    const powers = await written();
    for (const text of ["2", "4", "8"]) assert.ok(powers.includes(text), text);
    await screenshot(page, "over-sizes", { fullPage: true });
  },
);

check(
  "the experiment's figure over a metric is what two metrics begin with, with what is published",
  () => {
    const report = sweepReport();
    const points = [[20000, 1800]];
    const published = { text: "published: Fig. 8", metrics: ["latency_mean"], points };
    const labels = { title: "", x_label: "", y_label: "", shade: null, shade_label: "" };
    const axes = { name: "accepted", metrics: ["latency_mean"], x: "throughput", log: ["y"] };
    report.figures = [{ ...labels, ...axes, references: [published] }];
    return report;
  },
  async (page) => {
    assert.equal(await page.inputValue("#charts select[aria-label=Across]"), "throughput");
    assert.equal(await page.inputValue("#charts select[aria-label=Up]"), "latency_mean");
    const all = await chart(page, "scatter");
    assert.deepEqual(
      all.filter((one) => one.type === "line").map((one) => [one.name, one.data.length]),
      [
        ["1q", 3],
        ["voqsw", 5],
        ["dbbm", 4],
      ],
    );
    const marks = all.find((one) => one.name === "published: Fig. 8").data;
    assert.deepEqual(marks[0].value, [20000, 1800]);
    const scale = await page.evaluate(
      () => window.weirReport.charts.scatter.instance.getOption().yAxis[0].type,
    );
    assert.equal(scale, "log");
    await screenshot(page, "two-metrics", { fullPage: true });
    await page.click("#charts .scatter button:has-text('Published')");
    await settle(page);
    assert.equal((await names(page, "scatter")).includes("published: Fig. 8"), false);
  },
);

check(
  "every chart saves its numbers",
  () => quickReport(4, 20),
  async (page) => {
    const time = await saved(page, "#charts .series button:has-text('CSV')");
    assert.equal(time.name, "efficiency-over-time.csv");
    const lines = table(
      time.text.replace('"DBBM, 3 queues"', "DBBM").replaceAll('"DBBM, 3 queues"', "DBBM"),
    );
    assert.deepEqual(lines[0], ["run", "label", "time (ns)", "efficiency", "half width"]);
    assert.equal(lines.length, 1 + 4 * 20);
    const [first] = await chart(page, "time");
    assert.deepEqual(
      lines.slice(1, 21).map((line) => [Number(line[2]), Number(line[3])]),
      first.data,
    );
    const bars = await saved(page, "#charts .scalar button:has-text('CSV')");
    assert.equal(table(bars.text).length, 5);
    const shares = await saved(page, "#charts .histogram button:has-text('CSV')");
    assert.match(shares.text, /^run,label,network_latency \(ns\),share above\r\n/);
    const runs = await saved(page, ".runs button:has-text('CSV')");
    assert.equal(runs.name, "quickstart-runs.csv");
    assert.equal(runs.text.trim().split("\r\n").length, 6);
    assert.match(runs.text, /^case,status,efficiency,half width,/);
    const picture = await saved(page, "#charts .series button:has-text('SVG')");
    assert.match(picture.text, /^(<\?xml[^>]*>\s*)?<svg/);
  },
);

check(
  "columns are chosen; a wide table says that it goes on",
  () => quickReport(4, 20),
  async (page) => {
    const headings = () => texts(page, ".runs thead th button");
    assert.equal(await page.locator(".runs .further").isVisible(), false);
    await page.click(".columns summary");
    await page.fill(".columns input[type=search]", "cold");
    assert.deepEqual(await texts(page, ".columns li"), [
      "network latency p99 [cold]",
      "efficiency [cold]",
    ]);
    await page.click(".columns li:has-text('efficiency [cold]')");
    assert.ok((await headings()).includes("efficiency [cold]"));
    assert.equal(await page.locator(".columns .sheet").isVisible(), true, "the list stays open");
    await page.fill(".columns input[type=search]", "");
    await page.click(".columns li:has-text('tree size')");
    assert.equal((await headings()).includes("tree size"), false);
    await page.waitForFunction(() => location.hash.includes("columns="));
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".columns .sheet").isVisible(), false);

    await page.setViewportSize({ width: 760, height: 800 });
    await settle(page);
    const further = page.locator(".runs .further");
    assert.match(await further.innerText(), /^\d more →$/);
    const left = () => page.locator(".runs .scroll").evaluate((box) => box.scrollLeft);
    assert.equal(await left(), 0);
    await further.click();
    await page.waitForFunction(() => document.querySelector(".runs .scroll").scrollLeft > 100);
    const name = await page.locator("tr[data-run='1'] th").boundingBox();
    const card = await page.locator(".runs").boundingBox();
    assert.ok(name.x < card.x + 60, "the names stay in sight");
    await page.click(".columns summary");
    await page.click(".columns button:has-text('As at first')");
    assert.ok((await headings()).includes("tree size"));
    assert.equal((await headings()).includes("efficiency [cold]"), false);
  },
);
