// Builds the page: one HTML file with style and program inside and a place for the data.
//   node build.mjs [--out FILE]        dist/report.template.html
//   node build.mjs --tests             dist/tests/*.js: unit tests and the fixtures for node
import { build } from "esbuild";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const argument = (name) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};

/** Name, version and licence text of every package whose code is in the bundle. */
async function licences(inputs) {
  const found = new Set();
  for (const path of inputs) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
    if (match) found.add(match[1]);
  }
  const texts = [];
  for (const name of [...found].sort()) {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const files = await readdir(folder, { withFileTypes: true });
    const parts = [];
    for (const file of files.filter(
      (one) => one.isFile() && /^(NOTICE|LICEN[CS]E)/i.test(one.name),
    )) {
      const text = (await readFile(join(folder, file.name), "utf8")).trim();
      // the page as a whole is under the same licence, whose text need not stand here again
      if (license !== "Apache-2.0" || /^NOTICE/i.test(file.name)) parts.push(text);
    }
    texts.push(`${name} ${version} (${license})\n${parts.join("\n\n")}`.trim());
  }
  const text = `This page contains these libraries:\n\n${texts.join("\n\n")}`;
  return `<!--\n${text.replaceAll("--", "- -")}\n-->`;
}

async function buildPage(out) {
  const script = await build({
    entryPoints: [join(here, "src/main.ts")],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    metafile: true,
    define: { "process.env.NODE_ENV": '"production"' },
    absWorkingDir: here,
  });
  const style = await build({
    entryPoints: [join(here, "src/style.css")],
    bundle: true,
    minify: true,
    write: false,
    charset: "utf8",
  });
  const parts = {
    "<!--LICENCES-->": await licences(Object.keys(script.metafile.inputs)),
    "/*STYLE*/": style.outputFiles[0].text.trim(),
    "/*SCRIPT*/": script.outputFiles[0].text.trim().replaceAll("</script", "<\\/script"),
  };
  let page = await readFile(join(here, "src/template.html"), "utf8");
  for (const [place, text] of Object.entries(parts)) page = page.replace(place, () => text);
  if (page.split("@WEIR_REPORT@").length !== 2) throw new Error("not one place for the data");
  await mkdir(dirname(out), { recursive: true });
  await writeFile(out, page);
  console.log(`${out}: ${(page.length / 1024).toFixed(0)} KiB`);
}

async function buildTests() {
  const folder = join(here, "tests/unit");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".ts"));
  await build({
    entryPoints: [
      ...files.map((file) => join(folder, file)),
      join(here, "tests/fixtures/report.ts"),
      join(here, "tests/fixtures/flat.ts"),
    ],
    outdir: join(here, "dist/tests"),
    outbase: join(here, "tests"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node18",
    outExtension: { ".js": ".mjs" },
    logLevel: "warning",
  });
}

if (process.argv.includes("--tests")) await buildTests();
else await buildPage(argument("--out") ?? join(here, "dist/report.template.html"));
