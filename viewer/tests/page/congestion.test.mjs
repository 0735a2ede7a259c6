// What a user does with the congestion view: two runs at one instant, links over time, victims.
import assert from "node:assert/strict";
import { quickReport } from "../../dist/tests/fixtures/report.mjs";
import { chart, saved, settle, snapshot } from "./browser.mjs";
import { check, phone, screenshot, table, texts } from "./check.mjs";

check(
  "two runs side by side: one instant, one part",
  () => quickReport(4, 20),
  async (page) => {
    await page.selectOption("#congestion select[aria-label=Beside]", "1");
    await settle(page);
    assert.deepEqual(await texts(page, ".picture-title"), ["one queue", "queue per output"]);
    const boxes = await page.locator("#congestion canvas").evaluateAll((all) =>
      all.map((one) => {
        const { left, top, width } = one.getBoundingClientRect();
        return { left, top, width };
      }),
    );
    assert.equal(boxes.length, 2);
    assert.ok(boxes[1].left > boxes[0].left + boxes[0].width && boxes[0].top === boxes[1].top);

    const frames = async () => (await snapshot(page)).sides.map((side) => side.frame);
    const track = await page.locator(".track input").boundingBox();
    await page.mouse.click(track.x + 0.5 * track.width, track.y + 20);
    await settle(page);
    const [at] = await frames();
    assert.ok(at > 7 && at < 13, `frame ${at}`);
    assert.deepEqual(await frames(), [at, at]);
    await page.click(".player .play");
    await page.waitForFunction((from) => window.weirReport.congestion.frame > from + 1, at);
    const [a, b] = await frames();
    assert.equal(a, b);
    await page.click(".player .play");
    assert.match(await page.innerText(".moment"), /^one queue: .*queue per output: /);

    // what is zoomed in one is zoomed in the other
    await page.locator("#congestion canvas").nth(1).scrollIntoViewIfNeeded();
    const box = await page.locator("#congestion canvas").nth(1).boundingBox();
    await page.mouse.move(box.x + 100, box.y + 150);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -200);
    await page.keyboard.up("Control");
    await settle(page);
    const cameras = (await snapshot(page)).sides.map((side) => side.camera);
    assert.ok(cameras[1].scale > 1.2);
    assert.deepEqual(cameras[0], cameras[1]);
    await page.waitForFunction(() => location.hash.includes("beside=2"));
    await screenshot(page, "side-by-side", { fullPage: true });
    await page.selectOption("#congestion select[aria-label=Beside]", "-1");
    assert.equal(await page.locator("#congestion canvas").count(), 1);
    await page.evaluate(() => document.activeElement.blur());
    for (const count of [2, 1]) {
      await page.keyboard.press("b");
      assert.equal(await page.locator("#congestion canvas").count(), count);
    }
  },
);

/** Middle of a link, and of a switch, in page coordinates. */
async function spots(page) {
  const canvas = page.locator("#congestion canvas").first();
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  const at = await page.evaluate(() => {
    const { painter, scene, camera } = window.weirReport.congestion;
    const place = (item) => [painter.px(item.x, camera), painter.py(item.y, camera)];
    const bundle = scene.bundles[1];
    const ends = [bundle.a, bundle.b].map((index) => place(scene.items[index]));
    const box = painter.box(
      scene.items.find((one) => one.level === 2),
      camera,
    );
    return {
      link: [(ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2],
      node: [box.x + box.w / 2, box.y + box.h / 2],
    };
  });
  return Object.fromEntries(
    Object.entries(at).map(([name, [x, y]]) => [name, [box.x + x, box.y + y]]),
  );
}

const course = (page) =>
  page.evaluate(() =>
    (window.weirReport.congestion.course.chart.instance?.getOption().series ?? []).map(
      ({ name, data }) => ({ name, data }),
    ),
  );

check(
  "a clicked link or switch shows its course over time",
  () => quickReport(4, 20),
  async (page) => {
    assert.equal(await page.locator(".course").isVisible(), false);
    await page.mouse.click(...(await spots(page)).link);
    await settle(page);
    const heading = await page.innerText(".course h3");
    assert.match(heading, /^Link .* → /);
    const lines = await course(page);
    assert.equal(lines.length, 2, "both directions");
    assert.equal(lines[0].data.length, 20);
    const drawn = await page.evaluate(() => {
      const { sides } = window.weirReport.congestion;
      const { replay } = sides[0];
      const text = document.querySelector(".course h3").innerText.replace("Link ", "");
      const port = replay.topology.ports.findIndex((_, index) => replay.linkName(index) === text);
      return replay.times.map((ns, k) => [ns, replay.value(port, k, "utilization")]);
    });
    assert.deepEqual(lines[0].data, drawn);

    await page.click(".course [data-value=wait]");
    await settle(page);
    assert.notDeepEqual((await course(page))[0].data, drawn);
    const plot = page.locator(".course .plot");
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    await page.mouse.click(box.x + 0.35 * box.width, box.y + box.height / 2);
    await settle(page);
    const { frame } = await snapshot(page);
    assert.ok(frame >= 5 && frame <= 9, `frame ${frame}`);

    await page.mouse.click(...(await spots(page)).node);
    await settle(page);
    assert.match(await page.innerText(".course h3"), /^Switch s\d+$/);
    assert.deepEqual(
      (await course(page)).map((line) => line.name.replace(/^\d+/, "n")),
      ["n outputs, mean", "n outputs, most"],
    );
    await page.click(".course button:has-text('One by one')");
    await settle(page);
    assert.ok((await course(page)).length > 2);
    await page.selectOption("#congestion select[aria-label=Beside]", "1");
    await settle(page);
    assert.ok((await course(page)).some((line) => line.name.startsWith("queue per output: ")));
    await page.click(".course button[aria-label^=Close]");
    await settle(page);
    assert.equal(await page.locator(".course").isVisible(), false);
  },
);

check(
  "victims are listed, saved, and lead to their link",
  () => quickReport(4, 20),
  async (page) => {
    const { victims } = await snapshot(page);
    assert.ok(victims > 3);
    assert.equal(await page.innerText(".victims h3"), `Victims: ${victims}`);
    const listed = await texts(page, ".victims tbody th");
    assert.ok(listed.length === Math.min(victims, 12));
    assert.match(
      await page.innerText(".victims tbody tr >> nth=0"),
      /h\d+\s+s\d+\[\d+\]\s+\d+ %\s+\d+ µs/,
    );
    const { name, text } = await saved(page, ".victims button:has-text('CSV')");
    assert.equal(name, "victims.csv");
    const lines = table(text);
    assert.equal(lines.length, victims + 1);
    assert.equal(lines[1][0], listed[0]);
    await page.click(".victims tbody th button >> nth=0");
    await settle(page);
    assert.equal(await page.innerText(".course h3"), `Host ${listed[0]}`);
    await page.click(".victims button:has-text('Hosts that feed it too')");
    const all = Number((await page.innerText(".victims h3")).replace("Hosts held up: ", ""));
    assert.ok(all > victims);
    await page.locator(".track input").focus();
    await page.keyboard.press("Home");
    await settle(page);
    assert.match(await page.innerText(".victims"), /No host is held up at this moment/);
  },
);

check(
  "two fingers zoom the picture, one scrolls the page",
  () => quickReport(4, 20),
  async (page) => {
    const canvas = page.locator("#congestion canvas");
    await canvas.evaluate((one) => one.scrollIntoView({ block: "center" }));
    await settle(page);
    const box = await canvas.boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const session = await page.context().newCDPSession(page);
    const touch = (type, points) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id })),
      });
    await touch("touchStart", [
      [x - 30, y],
      [x + 30, y],
    ]);
    for (let k = 1; k <= 6; ++k)
      await touch("touchMove", [
        [x - 30 - 10 * k, y],
        [x + 30 + 10 * k, y],
      ]);
    await touch("touchEnd", []);
    await settle(page);
    const { scale } = (await snapshot(page)).camera;
    assert.ok(scale > 2.5 && scale < 3.5, `from 60 to 180 px is three times, not ${scale}`);
    assert.equal(
      await page.evaluate(() => window.visualViewport.scale),
      1,
      "the page itself is not zoomed",
    );
    await screenshot(page, "pinched-phone");

    // zoomed in, one finger moves the picture
    const before = (await snapshot(page)).camera.x;
    await touch("touchStart", [[x, y]]);
    for (let k = 1; k <= 5; ++k) await touch("touchMove", [[x + 10 * k, y]]);
    await touch("touchEnd", []);
    await settle(page);
    assert.ok((await snapshot(page)).camera.x > before + 20);

    await page.click("button[aria-label^='Fit']");
    await settle(page);
    assert.equal((await snapshot(page)).camera.scale, 1);
    await canvas.evaluate((one) => one.scrollIntoView({ block: "center" }));
    await settle(page);
    const from = await page.evaluate(() => window.scrollY);
    await touch("touchStart", [[x, y]]);
    for (let k = 1; k <= 8; ++k) await touch("touchMove", [[x, y - 20 * k]]);
    await touch("touchEnd", []);
    await page.waitForFunction((old) => window.scrollY > old + 50, from);
  },
  phone,
);
