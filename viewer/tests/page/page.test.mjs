// The page as a user has it: from disk, in Debian's Chromium.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { flatReport } from "../../dist/tests/fixtures/flat.mjs";
import {
  emptyReport,
  helpAgainstCost,
  measuredReport,
  publishedReport,
  publishedSweep,
  quickReport,
  sweepReport,
} from "../../dist/tests/fixtures/report.mjs";
import { available, chart, open, settle, snapshot } from "./browser.mjs";

const skip = available ? false : "chromium is not installed";
let browser;
let quick;

before(async () => {
  if (skip) return;
  browser = await open();
  quick = await browser.write(quickReport(), { compress: true });
});
after(() => browser?.close());

/** Runs `body` on a page, which must not complain in its console. */
function check(name, url, body, options) {
  test(name, { skip }, async () => {
    const page = await browser.show(
      typeof url === "function" ? await url() : (url ?? quick),
      options,
    );
    try {
      await body(page);
      assert.deepEqual(page.problems, []);
    } finally {
      await page.close();
    }
  });
}

const texts = (page, selector) => page.locator(selector).allInnerTexts();
const cases = (page) => texts(page, "tr[data-run] th button");
const slider = (page) => page.locator("input[type=range]");

async function pointAtChart(page) {
  const plot = page.locator("#charts .series .plot");
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
}

check("loads from disk without any request", undefined, async (page) => {
  assert.equal(await page.title(), "hot spot on a 432-host fat tree – weir");
  assert.match(await page.innerText("main h1"), /hot spot on a 432-host fat tree/i);
  assert.match(
    await page.innerText(".title .facts"),
    /432 hosts, 180 switches.*5 runs.*1 ms.*1 failed/s,
  );
  assert.deepEqual(
    browser.requests.filter((url) => !/^(file|data|blob):/.test(url)),
    [],
  );
  await browser.screenshot(page, "overview-light", { fullPage: true });
});

check("charts have the data of the chosen runs", undefined, async (page) => {
  const lines = await chart(page, "time");
  assert.deepEqual(
    lines.map((line) => line.name),
    ["one queue", "queue per output", "DBBM, 3 queues", "queue per host"],
  );
  assert.equal(lines[0].data.length, 50);
  assert.ok(lines[0].data.every(([ns, value]) => ns > 0 && value > 0 && value < 1));
  assert.equal((await page.locator("#charts .series svg path").count()) > 4, true);
  const bars = await chart(page, "comparison");
  assert.equal(bars[0].type, "bar");
  assert.equal(bars[0].data.length, 4);
  const distributions = await chart(page, "distribution");
  assert.equal(distributions.length, 4);
  assert.ok(
    distributions[0].data.every(
      ([x, share], k, all) => k === 0 || (x > all[k - 1][0] && share <= all[k - 1][1]),
    ),
  );
});

check("charts follow metric, label, legend and zoom", undefined, async (page) => {
  await page.selectOption("#charts .series select[aria-label=Metric]", "throughput");
  await settle(page);
  assert.ok((await chart(page, "time"))[0].data[0][1] > 1000);
  await page.selectOption("#charts .series select[aria-label=Metric]", "efficiency");
  await page.click("#charts .series .labels button:has-text('cold')");
  await settle(page);
  assert.equal((await chart(page, "time")).length, 8);
  await page.locator("#charts .series svg text", { hasText: "one queue" }).first().click();
  const selected = () =>
    page.evaluate(() => window.weirReport.charts.time.instance.getOption().legend[0].selected);
  assert.equal(Object.values(await selected()).includes(false), true);
  await page.evaluate(() =>
    window.weirReport.charts.time.instance.dispatchAction({ type: "dataZoom", start: 20, end: 60 }),
  );
  const zoom = () =>
    page.evaluate(() => window.weirReport.charts.time.instance.getOption().dataZoom[0].end);
  assert.equal(await zoom(), 60);
  await page.click("#charts .series button:has-text('Reset zoom')");
  assert.equal(await zoom(), 100);
  await page.click("#charts .histogram [data-value=cdf]");
  const points = (await chart(page, "distribution"))[0].data;
  assert.equal(points[points.length - 1][1], 1);
});

check(
  "a click in the chart moves the congestion view, whose time is marked",
  undefined,
  async (page) => {
    const cursor = () =>
      page
        .locator("#charts .cursor")
        .first()
        .evaluate((node) => node.offsetLeft);
    const before = await cursor();
    await pointAtChart(page);
    await page.mouse.down();
    await page.mouse.up();
    await settle(page);
    const { frame } = await snapshot(page);
    assert.ok(frame > 24 && frame < 32, `frame ${frame}`);
    assert.ok((await cursor()) > before + 50);
    await page.keyboard.press(".");
    await settle(page);
    assert.equal((await snapshot(page)).frame, frame + 1);
  },
);

check("a tooltip tells the numbers", undefined, async (page) => {
  await pointAtChart(page);
  await page.waitForFunction(() =>
    /µs[\s\S]*one queue/.test(
      document.querySelector("#charts .series .plot > div:last-child")?.innerText ?? "",
    ),
  );
});

check(
  "published values stand in the charts, are told by tooltips, and can be hidden",
  () => browser.write(publishedReport()),
  async (page) => {
    const names = async (which) => (await chart(page, which)).map((line) => line.name);
    assert.deepEqual((await names("time")).slice(4), [
      "published: Fig. 3",
      "limit",
      "published: end",
    ]);
    assert.deepEqual((await names("comparison")).slice(-2), ["limit", "published: Table 2"]);
    assert.deepEqual((await names("distribution")).slice(-1), ["published: p99"]);
    const legend = page.locator("#charts .series svg text", { hasText: "published: Fig. 3" });
    assert.equal(await legend.count(), 2, "in the legend and beside the points");
    const dashed = page.locator("#charts .scalar svg path[stroke-dasharray='6,4']");
    assert.ok((await dashed.count()) > 0);
    await pointAtChart(page); // half a millisecond, where a point stands
    await page.waitForFunction(() =>
      /limit[\s\S]*0\.95/.test(
        document.querySelector("#charts .series .plot > div:last-child")?.innerText ?? "",
      ),
    );
    await browser.screenshot(page, "published-charts", { fullPage: true });
    await page.click("#charts .scalar button:has-text('Published')");
    await settle(page);
    for (const which of ["time", "comparison", "distribution"]) {
      assert.equal(
        (await names(which)).some((name) => /published|limit/.test(name)),
        false,
        which,
      );
    }
    await page.waitForFunction(() => location.hash.includes("published=off"));
  },
);

check(
  "figures that no chart fits are drawn with what is published, on a phone, too",
  () => browser.write(publishedSweep()),
  async (page) => {
    assert.ok((await texts(page, "nav a")).includes("Figures"));
    assert.ok((await chart(page, "comparison")).some((line) => line.name === "published: Fig. 7"));
    assert.deepEqual(await texts(page, "#figures h3"), [
      "Latency over accepted traffic",
      "Filled share of the buffers",
    ]);
    const drawn = (k) =>
      page.evaluate(
        (at) =>
          window.weirReport.figures.charts[at].instance
            .getOption()
            .series.filter((one) => one.data?.length > 0)
            .map(({ name, type }) => `${type} ${name}`),
        k,
      );
    assert.deepEqual((await drawn(0)).slice(-4), [
      "scatter published: 1q",
      "scatter published: Fig. 8",
      "custom limit",
      "custom published: without load",
    ]);
    assert.deepEqual((await drawn(2)).slice(0, 2), ["bar input", "bar output"]);
    const [ticks] = await page.evaluate(() =>
      [...document.querySelectorAll("#figures .plot")].map((plot) =>
        [...plot.querySelectorAll("text")].map((text) => text.textContent),
      ),
    );
    for (const text of ["0.5", "1", "2", "5", "10", "20"]) assert.ok(ticks.includes(text), text);
    const keys = () => texts(page, "#figures article:first-child .figure-keys li");
    assert.deepEqual(await keys(), [
      "1q",
      "voqsw",
      "published, in the colour of its line",
      "published: Fig. 8",
      "limit",
      "published: without load",
    ]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${wide} px wide`);
    await browser.screenshot(page, "published-phone", { fullPage: true });
    await page.click("#figures article:first-child button:has-text('Published')");
    await settle(page);
    assert.deepEqual(await keys(), ["1q", "voqsw"]);
    assert.equal(
      (await drawn(1)).some((name) => /published/.test(name)),
      false,
    );
  },
  { width: 390, height: 844, colorScheme: "dark" },
);

check(
  "named points stand over their cost, with what nothing beats",
  () => browser.write(helpAgainstCost()),
  async (page) => {
    assert.deepEqual(await texts(page, "#figures h3"), ["Help against cost"]);
    assert.deepEqual(await texts(page, "#figures .figure-keys li"), [
      "dear",
      "good",
      "none",
      "vain",
    ]);
    const series = await page.evaluate(() =>
      window.weirReport.figures.charts[0].instance
        .getOption()
        .series.map(({ name, type, data }) => ({ name, type, data })),
    );
    const of = (type) => series.filter((one) => one.type === type);
    assert.deepEqual(
      of("scatter").map(({ name, data }) => [name, data]),
      [
        ["dear", [[64, 4]]],
        ["good", [[8, 2.2]]],
        ["none", [[4, 1]]],
        ["vain", [[8, 0.8]]],
      ],
    );
    assert.deepEqual(of("line")[0].data, [
      [4, 1],
      [8, 2.2],
      [64, 4],
    ]);
    // low and high ends of the interval of a ratio
    const [low, high] = of("custom")[0].data[0];
    assert.ok(Math.abs(low - 3.6) < 1e-9 && Math.abs(high - 4.5) < 1e-9, `${low} to ${high}`);
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll("#figures .plot text")].map((text) => text.textContent),
    );
    for (const name of ["dear", "good", "none", "vain"]) assert.ok(shown.includes(name), name);
    await browser.screenshot(page, "help-against-cost", { fullPage: true });
  },
);

check("the table sorts both ways and back, by numbers", undefined, async (page) => {
  const before = await cases(page);
  const heading = page.locator("thead button", { hasText: "efficiency min" });
  await heading.click();
  assert.deepEqual(await cases(page), [
    "one queue",
    "DBBM, 3 queues",
    "queue per output",
    "queue per host",
    "adaptive",
  ]);
  assert.equal(await page.locator("th[aria-sort=ascending]").count(), 1);
  await heading.click();
  assert.equal((await cases(page))[0], "queue per host");
  assert.equal((await cases(page))[4], "adaptive");
  await heading.click();
  assert.deepEqual(await cases(page), before);
});

check("the filter leaves matching runs, also in the comparison", undefined, async (page) => {
  await page.keyboard.press("/");
  await page.keyboard.type("queue per");
  await settle(page);
  assert.deepEqual(await cases(page), ["queue per output", "queue per host"]);
  assert.equal((await chart(page, "comparison"))[0].data.length, 2);
  await page.fill("input[type=search]", "nothing like this");
  assert.match(await page.innerText(".runs tbody"), /No run matches/);
});

check("runs are chosen for all charts, the focus for the rest", undefined, async (page) => {
  await page.click("input[aria-label^='queue per host']");
  await settle(page);
  assert.equal((await chart(page, "time")).length, 3);
  await page.click("text=Choose none");
  await settle(page);
  assert.equal(
    await page.locator("#charts .series .plot-box").innerText(),
    "No run is chosen. Tick some in the table above.",
  );
  await page.click("tr[data-run='4'] th button");
  await settle(page);
  assert.equal(await page.inputValue("#congestion select[aria-label=Run]"), "3");
  assert.match(await page.innerText("#configuration pre"), /voqnet/);
  assert.match(await page.innerText("#congestion .panel"), /recorded no trees/);
});

check("two configurations are compared", undefined, async (page) => {
  await page.selectOption("#configuration select[aria-label='Compared with']", "3");
  assert.match(await page.innerText("#configuration .count"), /4 lines differ/);
  assert.match((await texts(page, "#configuration .added")).join(), /336 KiB[\s\S]*1q/);
  assert.match((await texts(page, "#configuration .removed")).join(), /3456 KiB[\s\S]*voqnet/);
});

check("the slider moves the tree", undefined, async (page) => {
  const seen = [];
  for (const value of [5, 14, 20, 49]) {
    await slider(page).evaluate((input, to) => {
      input.value = to;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }, value);
    await settle(page);
    const { frame, treePorts, victims } = await snapshot(page);
    assert.equal(frame, value);
    seen.push([treePorts, victims]);
  }
  assert.deepEqual(seen[0], [0, 0]);
  assert.ok(seen[1][0] > 0 && seen[2][0] > 3 * seen[1][0]);
  assert.ok(seen[2][1] > 100);
  assert.equal(seen[3][0], 0);
  assert.match(await slider(page).getAttribute("aria-valuetext"), /1 ms: no congestion tree/);
  assert.match(
    await page.locator("#congestion canvas").getAttribute("aria-label"),
    /no congestion tree/,
  );
});

check("colour, whole run, trees and groups are switches", undefined, async (page) => {
  const pixels = () =>
    page.locator("#congestion canvas").evaluate((canvas) => canvas.toDataURL().length);
  const shown = [await pixels()];
  for (const target of [
    "[data-value=wait]",
    "button:has-text('Whole run')",
    "[data-value=groups]",
  ]) {
    await page.click(`#congestion .controls ${target}`);
    await settle(page);
    shown.push(await pixels());
  }
  assert.equal(new Set(shown).size, 4);
  assert.match(await page.innerText("#congestion .legend"), /waiting for credit/i);
  assert.equal((await snapshot(page)).frame, -1);
  assert.equal((await snapshot(page)).aggregated, true);
  await page.click("#congestion .controls button:has-text('Whole run')");
  await settle(page);
  assert.ok((await snapshot(page)).treePorts > 0);
  await page.click("#congestion .controls button:has-text('Trees')");
  await settle(page);
  assert.equal((await snapshot(page)).treePorts, 0);
});

check("runs with set-aside queues show them on links", undefined, async (page) => {
  assert.equal(await page.locator("#congestion [data-value=queues]").count(), 0);
  await page.selectOption("#congestion .controls select", "1");
  await settle(page);
  await page.click("#congestion [data-value=queues]");
  await settle(page);
  assert.match(await page.innerText("#congestion .legend"), /queues set aside/i);
  assert.match(await page.innerText("#congestion .legend"), /5 queues/);
  assert.match(await page.innerText("#congestion .panel"), /in use, for/);
  assert.equal((await snapshot(page)).asideRoots, 1);
  assert.match(
    await page.locator("#congestion canvas").getAttribute("aria-label"),
    /coloured by set-aside queues.*queues set aside/,
  );
  // a run without them falls back, and back again
  await page.selectOption("#congestion .controls select", "0");
  await settle(page);
  assert.match(await page.innerText("#congestion .legend"), /busy/i);
  await page.selectOption("#congestion .controls select", "1");
  await settle(page);
  await page.click("#congestion .controls button:has-text('Whole run')");
  await settle(page);
  assert.match(await page.innerText("#congestion .panel"), /Most queues set aside/i);
});

check("pointing tells names and numbers, a click keeps a link", undefined, async (page) => {
  const canvas = page.locator("#congestion canvas");
  await canvas.scrollIntoViewIfNeeded();
  const at = await page.evaluate(() => {
    const { congestion: view } = window.weirReport;
    const { painter, scene, camera } = view;
    const middle = ({ a, b }) =>
      [a, b]
        .map((index) => scene.items[index])
        .reduce(
          ([x, y], item) => [
            x + painter.px(item.x, camera) / 2,
            y + painter.py(item.y, camera) / 2,
          ],
          [0, 0],
        );
    const item = painter.box(
      scene.items.find((one) => one.level === 3),
      camera,
    );
    return { item: [item.x + item.w / 2, item.y + item.h / 2], link: middle(scene.bundles[2]) };
  });
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + at.item[0], box.y + at.item[1]);
  await settle(page);
  assert.match(await page.innerText(".tip"), /s144\s+12 outputs, \d+ of them waiting/);
  await page.mouse.click(box.x + at.link[0], box.y + at.link[1]);
  await settle(page);
  assert.match(
    await page.innerText(".picked"),
    /→[\s\S]*busy \d+ %, waiting \d+ %[\s\S]*queued at most/,
  );
  assert.match(await page.innerText(".course h3"), /^Link h\d+\[0\] → s\d+$/);
});

check("it plays, and keys do what their list says", undefined, async (page) => {
  await slider(page).focus();
  const { frame } = await snapshot(page);
  await page.keyboard.press("ArrowRight");
  await settle(page);
  assert.equal((await snapshot(page)).frame, frame + 1);
  await page.keyboard.press("Space");
  assert.equal((await snapshot(page)).playing, true);
  await page.waitForFunction((from) => window.weirReport.congestion.frame > from, frame + 1);
  await page.keyboard.press("Space");
  assert.equal((await snapshot(page)).playing, false);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("w");
  await page.keyboard.press("n");
  await settle(page);
  assert.equal(await page.inputValue("#congestion select[aria-label=Run]"), "1");
  assert.equal(await page.getAttribute("#congestion [data-value=wait]", "aria-pressed"), "true");
  await page.keyboard.press("?");
  assert.equal(await page.locator("dialog[open]").count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog[open]").count(), 0);
});

check("everything can be reached with tab, and has a name", undefined, async (page) => {
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button,select,input,a,canvas,[role=img],[role=region]")]
      .filter((node) => !(node.getAttribute("aria-label") || node.textContent.trim()))
      .map((node) => node.outerHTML.slice(0, 80)),
  );
  assert.deepEqual(nameless, []);
  const reached = new Set();
  for (let k = 0; k < 150; ++k) {
    await page.keyboard.press("Tab");
    reached.add(
      await page.evaluate(() => {
        const node = document.activeElement;
        return node.type === "range"
          ? "slider"
          : node.tagName === "CANVAS"
            ? "canvas"
            : node.closest("section")?.id;
      }),
    );
  }
  for (const part of ["runs", "charts", "congestion", "slider", "canvas", "configuration"]) {
    assert.ok(reached.has(part), `${part} is not reached`);
  }
});

check("the address keeps the state", undefined, async (page) => {
  await page.click("tr[data-run='2'] th button");
  await page.click("#congestion [data-value=wait]");
  await page.locator("thead button", { hasText: "tree size" }).click();
  await slider(page).focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => /t=1000000/.test(location.hash));
  const again = await browser.show(page.url());
  assert.deepEqual(
    await again.evaluate(() => window.weirReport.store.state),
    await page.evaluate(() => window.weirReport.store.state),
  );
  assert.deepEqual(again.problems, []);
  await again.close();
});

check(
  "dark as the system says, light by the button",
  undefined,
  async (page) => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    const line = (await chart(page, "time"))[0].color;
    await browser.screenshot(page, "overview-dark", { fullPage: true });
    await page.click("button.theme");
    await settle(page);
    assert.notEqual(await background(), dark);
    assert.notEqual((await chart(page, "time"))[0].color, line);
    await page.evaluate(() => localStorage.clear());
  },
  { colorScheme: "dark" },
);

check(
  "a narrow window scrolls down only",
  undefined,
  async (page) => {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
    // no room for names at the ends of lines
    assert.equal(
      await page.evaluate(() => window.weirReport.charts.time.instance.getOption().grid[0].right),
      20,
    );
    assert.ok((await snapshot(page)).treePorts > 0);
    await browser.screenshot(page, "narrow", { fullPage: true });
  },
  { width: 400 },
);

check(
  "a sweep: lines over the load, seeds together, runs without a number named",
  () => browser.write(sweepReport()),
  async (page) => {
    const lines = (await chart(page, "comparison")).filter((line) => line.type === "line");
    assert.deepEqual(
      lines.map((line) => [line.name, line.data.length]),
      [
        ["1q", 3],
        ["voqsw", 5],
        ["dbbm", 4],
      ],
    );
    assert.match(
      await page.innerText("#charts .scalar .note"),
      /not stationary[\s\S]*1q, load 0.7/,
    );
    assert.match(await page.innerText("#congestion"), /no links and no trees of this run/);
    await page.selectOption("select[aria-label=Over]", "queueing.model");
    await settle(page);
    assert.equal((await chart(page, "comparison"))[0].type, "bar");
    await browser.screenshot(page, "sweep", { fullPage: true });
  },
);

check(
  "no runs at all",
  () => browser.write(emptyReport()),
  async (page) => {
    assert.match(await page.innerText(".runs tbody"), /no runs in this report/);
    assert.match(await page.innerText("#congestion"), /no runs/);
  },
);

check(
  "only failed runs",
  async () => {
    const report = quickReport(2, 4);
    report.runs = report.runs.slice(4);
    return browser.write(report);
  },
  async (page) => {
    assert.match(await page.innerText("tr.error"), /deadlock at 0.31 ms/);
    assert.match(await page.innerText("#congestion"), /This run failed.*deadlock/);
    assert.match(await page.innerText("#charts"), /No finished run to compare/);
  },
);

check(
  "other networks: torus, dragonfly, irregular, one-way",
  () => browser.write(flatReport()),
  async (page) => {
    for (let k = 0; k < 4; ++k) {
      const { items, treePorts } = await snapshot(page);
      assert.ok(items > 50 && treePorts > 1);
      await page.keyboard.press("n");
      await settle(page);
    }
  },
);

check(
  "data that cannot be read is said in words",
  async () => {
    return browser.write({ ...emptyReport(), format: 9 });
  },
  async (page) => {
    assert.match(await page.innerText("[role=alert]"), /format 9; this page reads format 1/);
  },
);

check(
  "markup in names stays text",
  async () => {
    const report = quickReport(2, 4);
    const evil = "</script><img src=x onerror=alert(1)>";
    report.title = report.runs[0].case = report.runs[0].configuration = evil;
    report.runs[4].error = evil;
    report.topologies[0].nodes[0].name = evil;
    return browser.write(report);
  },
  async (page) => {
    assert.equal(await page.locator("img").count(), 0);
    assert.match(await page.innerText("main h1"), /<img/i);
    await pointAtChart(page);
    await settle(page);
    assert.equal(await page.locator("img").count(), 0);
  },
);

check(
  "3456 hosts: a step of the slider is little work",
  async () => {
    const report = quickReport(12, 8);
    report.runs = report.runs.slice(0, 1);
    return browser.write(report, { compress: true });
  },
  async (page) => {
    const first = await snapshot(page);
    assert.equal(first.aggregated, true);
    assert.ok(first.items < 150 && first.treePorts > 1000);
    await browser.screenshot(page, "congestion-3456-hosts", { fullPage: true });
    // processor time of the page's thread, which other load on the machine does not change
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const spent = async () => {
      const { metrics } = await session.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
    };
    const steps = 12;
    const start = await spent();
    for (let k = 0; k < steps; ++k) {
      await page.keyboard.press(k < steps / 2 ? "," : ".");
      await settle(page);
    }
    const each = (await spent()) - start;
    console.log(`slider step at 3456 hosts: ${(each / steps).toFixed(1)} ms of processor time`);
    assert.ok(each / steps < 60, `${each / steps} ms a step`);
  },
);

check(
  "counters of the real fabric stand beside what links did",
  async () => browser.write(measuredReport()),
  async (page) => {
    assert.match(await page.innerText("#measured .agreement"), /Waiting.*0\.910 over .* links/);
    const groups = await chart(page, "measured");
    assert.ok(groups.length > 1 && groups.every((one) => one.type === "scatter"));
    const points = groups.reduce((sum, one) => sum + one.data.length, 0);
    const rows = () => page.locator("#measured tbody tr").count();
    assert.equal(await rows(), 15);
    await page.click("#measured button.more");
    assert.equal(await rows(), points + 1);
    assert.match(await page.innerText("#measured .note"), /PortXmitWait of 1 link is not in/);
    await page.click("#measured .controls .toggle");
    const logged = await chart(page, "measured");
    assert.ok(logged.every((one) => one.data.every(({ value: [x, y] }) => x > 0 && y > 0)));
    await browser.screenshot(page, "measured", { fullPage: true });
  },
);

check("without counters nothing is said of a real fabric", undefined, async (page) => {
  assert.equal(await page.locator("#measured").count(), 0);
});
