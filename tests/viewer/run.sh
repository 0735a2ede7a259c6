#!/usr/bin/env bash
# run.sh PART SOURCE PACKAGES BUILD [PROGRAM]: tests of the report page.
#   parts   types, and unit tests of what needs no browser
#   page    the page with made-up data in Chromium
#   report  a page that PROGRAM wrote, in Chromium
# PACKAGES/node_modules is what npm fetched. Screenshots go to build/screenshots.
set -eu
part=$1 source=$2 packages=$3 build=$4 program=${5:-}

skip() { echo "skipped: $1"; exit 77; }
command -v node >/dev/null || skip "nodejs is not installed"
[ -d "$packages/node_modules/esbuild" ] || skip "the report page was not built ($packages)"
chromium=${WEIR_CHROMIUM:-/usr/bin/chromium}
if [ "$part" != parts ]; then [ -x "$chromium" ] || skip "$chromium is not there"; fi

# A copy, so that nothing is written beside the sources.
work=$build/viewer-tests/$part
rm -rf "$work"
mkdir -p "$work"
cp -r "$source"/viewer/{src,tests,build.mjs,package.json,tsconfig.json} "$work"
ln -s "$packages/node_modules" "$work/node_modules"
cd "$work"

node build.mjs --tests
if [ "$part" = parts ]; then
  node node_modules/typescript/lib/tsc.js --noEmit
  exec node --test dist/tests/unit/*.mjs
fi

export WEIR_CHROMIUM=$chromium
export WEIR_SCREENSHOTS=${WEIR_SCREENSHOTS:-$source/build/screenshots}
if [ "$part" = page ]; then
  export WEIR_REPORT_TEMPLATE=$build/report.template.html
  if [ ! -s "$WEIR_REPORT_TEMPLATE" ]; then
    WEIR_REPORT_TEMPLATE=$work/dist/report.template.html
    node build.mjs --out "$WEIR_REPORT_TEMPLATE"
  fi
  exec node --test tests/page/{page,choosing,congestion}.test.mjs
fi

[ -n "$program" ] || skip "the program is not built"
"$program" report --help >/dev/null 2>&1 || skip "weir report is not there"
"$program" run "$source/experiments/quickstart.toml" -o results --quiet \
  --set topology.ports=8 --set experiment.duration="0.5 ms" >/dev/null
"$program" report results -o report.html
# the whole example, whose page has a limit of its own
"$program" run "$source/experiments/quickstart.toml" -o quickstart --quiet >/dev/null
export WEIR_QUICKSTART=$work/quickstart/report.html
WEIR_REPORT=$work/report.html exec node --test tests/page/report.test.mjs
