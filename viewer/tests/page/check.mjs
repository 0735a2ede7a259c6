// A browser for a test file, and tests on pages of made-up reports at the sizes that users have.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { available, chart, open } from "./browser.mjs";

const skip = available ? false : "chromium is not installed";
export const desktop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844, touch: true };
let browser;

before(async () => {
  if (!skip) browser = await open();
});
after(() => browser?.close());

/** Runs `body` on a page of a report, which must not complain in its console or scroll sideways. */
export function check(name, report, body, options = desktop) {
  test(name, { skip }, async () => {
    const page = await browser.show(await browser.write(report(), { compress: true }), options);
    try {
      await body(page);
      assert.deepEqual(page.problems, []);
      const { scrollWidth, clientWidth } = await page.evaluate(() => ({
        scrollWidth: document.documentElement.scrollWidth,
        clientWidth: document.documentElement.clientWidth,
      }));
      assert.ok(scrollWidth <= clientWidth, "the page itself scrolls sideways");
    } finally {
      await page.close();
    }
  });
}

export const screenshot = (page, name, options) => browser.screenshot(page, name, options);
export const texts = (page, selector) => page.locator(selector).allInnerTexts();
export const names = async (page, which) => (await chart(page, which)).map((line) => line.name);

/** Lines of a CSV file without quotes in it, split. */
export const table = (text) =>
  text
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
