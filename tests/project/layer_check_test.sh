#!/usr/bin/env bash
# The layer check passes a good tree, and names file and line of each bad include, of a use that
# nothing needs, of what is hidden, and of a circle.
# Argument: source folder.
set -eu
check=$1/scripts/check-layers

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "layer_check_test: $*" >&2
  exit 1
}
# refused PLACE...: the check says something of these places and nothing else.
refused() {
  local place
  if "$check" "$work" >"$work/found.txt"; then fail "passed a bad tree"; fi
  for place in "$@"; do
    grep -q "^src/weir/$place: " "$work/found.txt" || fail "missed $place"
  done
  [ "$(wc -l <"$work/found.txt")" -eq $# ] || fail "found too much: $(cat "$work/found.txt")"
}

source=$work/src/weir
mkdir -p "$source/base" "$source/engine" "$source/report/page" "$source/report/table"
printf '# rooms\nbase:\nengine: base\nreport/table: base\nreport/page: report/table\n' \
  >"$source/layers.txt"
printf '#include <vector>\n#include "weir/base/units.hpp"\n' >"$source/engine/good.cpp"
printf '#include "weir/base/units.hpp"\n' >"$source/report/table/table.cpp"
printf '#include "weir/report/table/table.hpp"\n#include "weir/report/page/page.hpp"\n' \
  >"$source/report/page/page.cpp"
"$check" "$work" || fail "refused a good tree"

# Up, beside, to what only others use, out of the library, and a file that is in no room.
printf '#pragma once\n\n#include "weir/engine/events.hpp"\n' >"$source/base/up.hpp"
printf '#include "units.hpp"\n#include <weir/elsewhere/x.hpp>\n' >"$source/engine/odd.cpp"
printf '#include "weir/base/units.hpp"\n' >"$source/report/page/deep.cpp"
touch "$source/report/lost.cpp"
refused base/up.hpp:3 engine/odd.cpp:1 engine/odd.cpp:2 report/page/deep.cpp:1 report/lost.cpp:1
rm "$source/base/up.hpp" "$source/engine/odd.cpp" "$source/report/page/deep.cpp" \
  "$source/report/lost.cpp"

sed -i 's/^report\/page:.*/& engine/' "$source/layers.txt"
refused layers.txt:5 # a use that nothing needs
printf '#include "weir/engine/events.hpp"\n' >"$source/report/page/events.cpp"
"$check" "$work" || fail "refused a declared use"

# A hidden header and its names: its own room may, others may not; comments and longer words may.
mkdir "$source/engine/parts"
printf 'class Core {};\n' >"$source/engine/parts/core.hpp"
printf '#include "weir/engine/parts/core.hpp"\nCore& core();\n' >"$source/engine/own.hpp"
printf 'int core = 1;  // of the Core\nclass CoreMap {};\nint score();\n' \
  >"$source/report/page/other.cpp"
printf 'engine/parts/core.hpp hides Core core()\n' >>"$source/layers.txt"
"$check" "$work" || fail "refused what is not hidden"
printf '#include "weir/engine/parts/core.hpp"\n\nclass Core;\nint x = f.core();\n' \
  >"$source/report/page/nosy.cpp"
refused report/page/nosy.cpp:1 report/page/nosy.cpp:3 report/page/nosy.cpp:4
rm "$source/report/page/nosy.cpp"
rm "$source/engine/own.hpp" "$source/engine/parts/core.hpp"
refused layers.txt:6 # hides what is not there
sed -i '/hides/d' "$source/layers.txt"

sed -i 's/^base:.*/base: engine/' "$source/layers.txt"
printf '#include "weir/engine/events.hpp"\n' >"$source/base/circle.cpp"
refused layers.txt:2
