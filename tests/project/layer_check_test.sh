#!/usr/bin/env bash
# The layer check passes a good tree and names file and line of each bad include.
# Argument: source folder.
set -eu
check=$1/scripts/check-layers

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "layer_check_test: $*" >&2
  exit 1
}

mkdir -p "$work/cmake" "$work/src/weir/base" "$work/src/weir/engine"
echo 'set(WEIR_LAYERS base engine)' >"$work/cmake/WeirLibrary.cmake"
printf '#include <vector>\n#include "weir/base/units.hpp"\n' >"$work/src/weir/engine/good.cpp"
"$check" "$work" || fail "refused a good tree"

printf '#pragma once\n\n#include "weir/engine/events.hpp"\n' >"$work/src/weir/base/up.hpp"
printf '#include "units.hpp"\n#include <weir/elsewhere/x.hpp>\n' >"$work/src/weir/engine/odd.cpp"
if "$check" "$work" >"$work/found.txt"; then fail "passed a bad tree"; fi
for place in src/weir/base/up.hpp:3 src/weir/engine/odd.cpp:1 src/weir/engine/odd.cpp:2; do
  grep -q "^$place: " "$work/found.txt" || fail "missed $place"
done
[ "$(wc -l <"$work/found.txt")" -eq 3 ] || fail "found too much"
