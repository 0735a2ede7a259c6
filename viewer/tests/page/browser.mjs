// Chromium with a report, for the tests of the page.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const viewer = join(dirname(fileURLToPath(import.meta.url)), "../..");
const executable = process.env.WEIR_CHROMIUM ?? "/usr/bin/chromium";
const template = process.env.WEIR_REPORT_TEMPLATE ?? join(viewer, "dist/report.template.html");
const screenshots = process.env.WEIR_SCREENSHOTS ?? join(viewer, "../build/screenshots");

export const available = existsSync(executable);

/** ms; a machine that builds at the same time is slow. */
const PATIENCE = 120_000;

/** One browser for a test file, with a folder for its profile and the pages. */
export async function open() {
  const folder = await mkdtemp(join(tmpdir(), "weir-page-"));
  const context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: executable,
    timeout: PATIENCE,
    headless: true,
    viewport: { width: 1366, height: 820 },
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  context.setDefaultTimeout(PATIENCE);
  await mkdir(screenshots, { recursive: true });
  const requests = [];
  context.on("request", (request) => requests.push(request.url()));
  return {
    context,
    /** Everything that was fetched. */
    requests,
    async write(report, { compress = false } = {}) {
      const json = JSON.stringify(report);
      const data = compress ? gzipSync(json).toString("base64") : json.replaceAll("<", "\\u003c");
      const html = (await readFile(template, "utf8")).replace("@WEIR_REPORT@", () => data);
      const path = join(folder, `report-${Math.random().toString(36).slice(2)}.html`);
      await writeFile(path, html);
      return pathToFileURL(path).href;
    },
    /** A page that has loaded; `problems` collects errors and warnings of its console. */
    async show(url, { width = 1366, height = 820, touch = false, ...media } = {}) {
      const page = await context.newPage();
      if (touch) {
        const session = await context.newCDPSession(page);
        await session.send("Emulation.setTouchEmulationEnabled", {
          enabled: true,
          maxTouchPoints: 2,
        });
      }
      const problems = [];
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) problems.push(message.text());
      });
      page.on("pageerror", (error) => problems.push(String(error)));
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce", ...media });
      await page.goto(url);
      await page.waitForSelector("main h1");
      await settle(page);
      return Object.assign(page, { problems });
    },
    screenshot: (page, name, options = {}) =>
      page.screenshot({ path: join(screenshots, `${name}.png`), ...options }),
    async close() {
      await context.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The text of the file that a click saves, with its name. */
export async function saved(page, selector) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(selector)]);
  return {
    name: download.suggestedFilename(),
    text: await readFile(await download.path(), "utf8"),
  };
}

/** Until what was asked for is drawn. */
export function settle(page) {
  return page.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))),
      ),
  );
}

/** What the congestion view shows. */
export const snapshot = (page) => page.evaluate(() => window.weirReport.congestion.snapshot());

/** Lines of a chart: name, points, colour. */
export const chart = (page, name) =>
  page.evaluate((which) => {
    const option = window.weirReport.charts[which].instance?.getOption();
    return (option?.series ?? [])
      .filter((one) => one.data?.length > 0)
      .map(({ name, type, data, color }) => ({ name, type, data, color }));
  }, name);
